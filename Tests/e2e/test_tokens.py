"""Tokens: which are good, where they may stand, what happens at their end. Minted by PyJWT."""

import asyncio
import base64
import hashlib
import hmac
import http.client
import json
import os
import signal
import subprocess
import time

import jwt
import pytest
import websockets
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from server import BINARY, ROOT, ServerProcess
from student import Student, derivation
from tokens import SECRET, TokenServer, bearer, claims, mint
from wire import until

SCREEN = derivation("2x + 3 = 7", "2x = 5")


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


@pytest.fixture(scope="module")
def token_server(tmp_path_factory):
    with TokenServer(tmp_path_factory.mktemp("keys")) as running:
        yield running


async def refusal(server, role="student", subprotocols=("chalkline.v1",), **options):
    """Says hello; the frames that came and the close code."""
    async with websockets.connect(server.ws, subprotocols=list(subprotocols), **options) as socket:
        assert socket.subprotocol == "chalkline.v1"
        await socket.send(json.dumps({"type": "hello", "id": "h", "role": role}))
        frames = []
        try:
            while True:
                frames.append(json.loads(await asyncio.wait_for(socket.recv(), 15)))
        except websockets.ConnectionClosed as end:
            return frames, end.rcvd.code


def unsigned(**changes):
    return jwt.encode(claims(**changes), None, algorithm="none")


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def now():
    return int(time.time())


def pem(server):
    return server.key_file.read_bytes()


def hmac_over_public_key(server):
    """The classic: HS256 with the text of the public key as the secret."""
    head = part({"alg": "HS256", "typ": "JWT", "kid": "school"}) + "." + part(claims())
    code = hmac.new(pem(server), head.encode(), hashlib.sha256).digest()
    return head + "." + base64.urlsafe_b64encode(code).rstrip(b"=").decode()


# F47: every fault, as a token of a server.
FAULTS = {
    "alg none": lambda s: unsigned(),
    "alg none, empty signature": lambda s: unsigned().rstrip(".") + ".",
    "wrong secret": lambda s: mint("another secret of thirty-two bytes and more"),
    "another algorithm": lambda s: mint(algorithm="HS512"),
    "public key as secret": hmac_over_public_key,
    "foreign Ed25519 key": lambda s: mint(Ed25519PrivateKey.generate(), "EdDSA", {"kid": "school"}),
    "Ed25519 without its name": lambda s: mint(s.key, "EdDSA"),
    "unknown key": lambda s: mint(headers={"kid": "nobody"}),
    "name of another key": lambda s: mint(headers={"kid": "school"}),
    "expired": lambda s: mint(exp=now() - 60),
    "not yet": lambda s: mint(nbf=now() + 60),
    "issued in the future": lambda s: mint(iat=now() + 60),
    "another audience": lambda s: mint(aud="other"),
    "no end": lambda s: mint(exp=None),
    "no subject": lambda s: mint(sub=None),
    "no role": lambda s: mint(role=None),
    "unknown role": lambda s: mint(role="root"),
    "critical header": lambda s: mint(headers={"crit": ["exp"]}),
    "another type": lambda s: mint(headers={"typ": "at+jwt"}),
    "cut": lambda s: mint()[:-1],
    "cut to two parts": lambda s: mint().rsplit(".", 1)[0],
    "changed payload": lambda s: ".".join(
        [mint().split(".")[0], part(claims(sub="wang")), mint().split(".")[2]]),
    "too long": lambda s: mint(padding="x" * 4_000),
    "no token at all": lambda s: "planted",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_bad_token_is_told_after_the_upgrade(token_server, fault):
    async def body():
        frames, code = await refusal(token_server, **bearer(FAULTS[fault](token_server)))
        assert code == 4501
        assert [(f["type"], f["code"], f["fatal"], f["re"]) for f in frames] == [("error", "unauthorized", True, "h")]
        said = json.dumps(frames)
        assert SECRET not in said and "eyJ" not in said and "planted" not in said

    run(body())


def test_missing_token_is_told_after_the_upgrade(token_server):
    async def body():
        frames, code = await refusal(token_server)
        assert (frames[-1]["code"], code) == ("unauthorized", 4501)

    run(body())


def test_expired_is_told_from_not_valid(token_server):
    async def body():
        expired, _ = await refusal(token_server, **bearer(mint(exp=now() - 3_600)))
        forged, _ = await refusal(token_server, **bearer(mint("another secret of thirty-two bytes and more")))
        both, _ = await refusal(
            token_server, **bearer(mint("another secret of thirty-two bytes and more", exp=now() - 3_600)))
        assert expired[0]["message"] != forged[0]["message"] == both[0]["message"]

    run(body())


@pytest.mark.parametrize("token", [
    pytest.param(lambda s: mint(), id="HS256"),
    pytest.param(lambda s: mint(s.key, "EdDSA", {"kid": "school"}), id="EdDSA"),
    pytest.param(lambda s: mint(exp=now() - 20), id="within the leeway after its end"),
    pytest.param(lambda s: mint(nbf=now() + 20, iat=now() + 20), id="within the leeway before its beginning"),
    pytest.param(lambda s: mint(exp=time.time() + 600.5), id="fraction of a second"),
    pytest.param(lambda s: mint(sub="x" * 128, name="李", room="r", quota={"asks_per_minute": 3}), id="all claims"),
])
def test_good_token_is_let_in(token_server, token):
    async def body():
        text = token(token_server)
        async with Student(token_server, **bearer(text)) as student:
            end = jwt.decode(text, options={"verify_signature": False})["exp"]
            shown = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(end))
            assert student.welcome["token_expires_at"].startswith(shown)
            await student.snapshot(SCREEN)
            assert (await student.ask("Why?")).end["status"] == "done"
        # From a browser: a second subprotocol, which the answer does not name.
        async with Student(token_server, subprotocols=("chalkline.v1", f"bearer.{text}")) as student:
            assert student.socket.subprotocol == "chalkline.v1"
            answered = str(student.socket.response.headers)
            assert "bearer" not in answered and text not in answered

    run(body())


def test_two_tokens_must_be_the_same(token_server):
    async def body():
        one, other = mint(), mint(sub="wang")
        frames, code = await refusal(
            token_server, subprotocols=("chalkline.v1", f"bearer.{other}"), **bearer(one))
        assert (frames[-1]["code"], code) == ("unauthorized", 4501)
        async with Student(token_server, subprotocols=("chalkline.v1", f"bearer.{one}"), **bearer(one)):
            pass

    run(body())


def test_only_a_token_is_offered_as_subprotocol(token_server):
    async def body():
        with pytest.raises(websockets.InvalidStatus) as refused:
            await websockets.connect(token_server.ws, subprotocols=[f"bearer.{mint()}"])
        assert refused.value.response.status_code == 400

    run(body())


@pytest.mark.parametrize("query", ["token", "access_token", "TOKEN"])
def test_token_in_the_url_is_refused(token_server, query):
    async def body():
        with pytest.raises(websockets.InvalidStatus) as refused:
            await websockets.connect(f"{token_server.ws}?{query}={mint()}", subprotocols=["chalkline.v1"])
        assert refused.value.response.status_code == 400
        said = refused.value.response.body.decode()
        assert "URL" in said and "eyJ" not in said

    run(body())


@pytest.mark.parametrize("token_role", ["student", "teacher", "observer", "admin"])
@pytest.mark.parametrize("role", ["student", "teacher", "observer", "admin"])
def test_role_of_hello_must_be_the_tokens(token_server, token_role, role):
    async def body():
        options = bearer(mint(role=token_role))
        if role == token_role == "student":
            async with Student(token_server, **options):
                return
        frames, code = await refusal(token_server, role=role, **options)
        assert code == 4503
        assert frames[-1]["code"] == ("unsupported" if role == token_role else "forbidden")
        assert frames[-1]["fatal"] is True

    run(body())


# A20, F47
def test_nothing_comes_after_the_tokens_end(tmp_path):
    async def body(server):
        end = now() + 3
        async with Student(server, **bearer(mint(exp=end))) as student:
            warning = await student.next("bye")
            assert (warning["reason"], warning["resumable"]) == ("expiry", True)
            assert 0 < warning["in_ms"] <= 4_000
            await student.snapshot(SCREEN)
            await student.send({"type": "ask", "id": "q1", "text": "Why is this wrong?"})
            await student.next("answer.delta")
            assert await student.closed() == 4501
            assert time.time() < end + 1 + 3
            last = student.frames[-1]
            assert (last["type"], last["code"], last["fatal"]) == ("error", "unauthorized", True)
            assert not [f for f in student.frames if f["type"] == "turn.end"]
        # The turn had its grace: with a new token it goes on.
        async with Student(server, after=student, **bearer(mint())) as again:
            assert again.welcome["resumed"] == "replay"
            assert again.welcome["session"] == student.welcome["session"]
            assert (await again.next("turn.end", timeout=40))["status"] == "done"

    with TokenServer(tmp_path, CHALKLINE_BUILTIN_PAUSE_MS="120", CHALKLINE_TOKEN_LEEWAY_MS="500") as server:
        run(body(server))


def test_new_token_in_band_moves_the_end(tmp_path):
    async def body(server):
        async with Student(server, **bearer(mint(exp=now() + 2))) as student:
            await student.next("bye")
            await student.send({"type": "auth.refresh", "id": "r1", "token": mint()})
            answer = await student.next("ok", "error")
            assert (answer["type"], answer["re"]) == ("ok", "r1")
            await asyncio.sleep(4)
            await student.snapshot(SCREEN)
            assert (await student.ask("Why?")).end["status"] == "done"

    with TokenServer(tmp_path, CHALKLINE_TOKEN_LEEWAY_MS="0") as server:
        run(body(server))


@pytest.mark.parametrize("changes, code", [
    ({"sub": "wang"}, "forbidden"), ({"role": "teacher"}, "forbidden"), ({"room": "other"}, "forbidden"),
    ({"exp": 1}, "unauthorized"), ({"key": "another secret of thirty-two bytes and more"}, "unauthorized"),
])
def test_new_token_of_somebody_else_changes_nothing(token_server, changes, code):
    async def body():
        async with Student(token_server, **bearer(mint())) as student:
            await student.send({"type": "auth.refresh", "id": "r1", "token": mint(**changes)})
            answer = await student.next("ok", "error")
            assert (answer["type"], answer["re"], answer["code"], answer["fatal"]) == ("error", "r1", code, False)
            await student.snapshot(SCREEN)
            assert (await student.ask("Why?")).end["status"] == "done"

    run(body())


def test_without_tokens_there_is_nothing_to_refresh(server):
    async def body():
        # A token is not looked at there.
        async with Student(server, **bearer("planted")) as student:
            assert "token_expires_at" not in student.welcome
            await student.send({"type": "auth.refresh", "id": "r1", "token": mint()})
            assert (await student.next("ok", "error"))["code"] == "unsupported"

    run(body())


def test_keys_are_read_again_on_sighup(tmp_path):
    def reload(server, expected):
        before = server.read_log().count(expected)
        os.kill(server.process.pid, signal.SIGHUP)
        assert until(lambda: server.read_log().count(expected) > before, 10), server.read_log()

    async def body(server, secret_file):
        old = mint(server.key, "EdDSA", {"kid": "school"})
        async with Student(server, **bearer(old)) as connected:
            next_key = Ed25519PrivateKey.generate()
            server.write_key(next_key)
            secret_file.write_text("new=a new secret of thirty-two bytes and more\n")
            reload(server, "token keys reloaded")
            assert (await refusal(server, **bearer(old)))[1] == 4501
            assert (await refusal(server, **bearer(mint())))[1] == 4501
            async with Student(server, **bearer(mint(next_key, "EdDSA", {"kid": "school"}))):
                pass
            renewed = bearer(mint("a new secret of thirty-two bytes and more", headers={"kid": "new"}))
            async with Student(server, **renewed):
                pass
            # What cannot be read changes nothing.
            server.key_file.write_text("no key")
            reload(server, "token keys not reloaded")
            secret_file.write_text("short")
            reload(server, "token keys not reloaded")
            async with Student(server, **renewed):
                pass
            await connected.snapshot(SCREEN)
            assert (await connected.ask("Why?")).end["status"] == "done"

    secret_file = tmp_path / "secret"
    secret_file.write_text(SECRET + "\n")
    server = TokenServer(tmp_path, CHALKLINE_TOKEN_SECRET_FILE=str(secret_file))
    del server.settings["CHALKLINE_TOKEN_SECRET"]
    with server:
        run(body(server, secret_file))


def test_command_mints_what_the_server_and_others_read(token_server):
    def token(*arguments, **settings):
        return subprocess.run(
            [BINARY, "token", *arguments], env={"CHALKLINE_TOKEN_SECRET": SECRET, **settings}, capture_output=True,
            text=True, timeout=20)

    made = token("--role", "student", "--subject", "li", "--room", "r1", "--name", "李", "--ttl", "8h",
                 "--tokens-per-day", "9000", "--asks-per-minute", "3")
    assert made.returncode == 0, made.stderr
    read = jwt.decode(made.stdout.strip(), SECRET, algorithms=["HS256"])
    assert abs(read.pop("exp") - now() - 8 * 3_600) < 60 and abs(read.pop("iat") - now()) < 60
    assert read == {"sub": "li", "role": "student", "room": "r1", "name": "李",
                    "quota": {"tokens_per_day": 9_000, "asks_per_minute": 3}}

    async def body():
        async with Student(token_server, **bearer(made.stdout.strip())):
            pass

    run(body())
    named = token("--role", "admin", "--subject", "x", "--kid", "b", CHALKLINE_TOKEN_SECRET=f"a={SECRET},b={SECRET}2",
                  CHALKLINE_TOKEN_AUDIENCE="chalkline", CHALKLINE_TOKEN_ISSUER="us")
    read = jwt.decode_complete(named.stdout.strip(), SECRET + "2", algorithms=["HS256"], audience="chalkline")
    assert read["header"]["kid"] == "b" and read["payload"]["iss"] == "us"
    for arguments, settings, said in [
        ((), {}, "--role"), (("--role", "boss", "--subject", "x"), {}, "boss"), (("--role", "admin"), {}, "--subject"),
        (("--role", "admin", "--subject", "x", "--ttl", "soon"), {}, "--ttl"),
        (("--role", "admin", "--subject", "x", "--kid", "z"), {}, "z"),
        (("--role", "admin", "--subject", "x"), {"CHALKLINE_TOKEN_SECRET": ""}, "CHALKLINE_TOKEN_SECRET_FILE"),
        (("--role", "admin", "--subject", "x"), {"CHALKLINE_TOKEN_SECRET": "planted"}, "32 bytes"),
        (("--role", "admin", "--subject", "x" * 200), {}, "not valid"),
        (("--role", "admin", "--subject", "x", "--token-secret", SECRET), {}, "command line"),
    ]:
        failed = token(*arguments, **settings)
        assert failed.returncode != 0 and failed.stdout == ""
        assert said in failed.stderr and "planted" not in failed.stderr and "Fatal" not in failed.stderr


def test_other_addresses_need_tokens():
    def check(**settings):
        return subprocess.run(
            [BINARY, "config", "check", "--listen", "0.0.0.0:0"], env=settings, capture_output=True, text=True,
            timeout=20)

    assert check(CHALKLINE_TOKEN_SECRET=SECRET).returncode == 0
    refused = check()
    assert refused.returncode != 0 and "token_secret" in refused.stderr
    shown = subprocess.run(
        [BINARY, "config", "print"], env={"CHALKLINE_TOKEN_SECRET": SECRET}, capture_output=True, text=True, timeout=20)
    assert "token_secret = <redacted>" in shown.stdout and SECRET not in shown.stdout


def test_missing_origin_needs_a_token_where_a_proxy_is_in_between(tmp_path):
    async def connect(server, **headers):
        """The status of the upgrade."""
        try:
            async with websockets.connect(
                    server.ws, subprotocols=["chalkline.v1"], additional_headers=headers, user_agent_header=None):
                return 101
        except websockets.InvalidStatus as refused:
            return refused.response.status_code

    async def body(server):
        assert await connect(server) == 101
        for field in ["X-Forwarded-For", "Forwarded", "Via"]:
            assert await connect(server, **{field: "203.0.113.9"}) == 403
            assert await connect(server, **{field: "203.0.113.9", "Authorization": f"Bearer {mint()}"}) == 101
        assert await connect(server, Origin="https://school.example") == 101
        for origin in ["https://evil.example", "https://school.example.evil.example", "null", "*"]:
            assert await connect(server, Origin=origin, Authorization=f"Bearer {mint()}") == 403

    with TokenServer(tmp_path, CHALKLINE_ALLOWED_ORIGINS="https://school.example") as server:
        run(body(server))
    # One on this machine that is on the list names its clients, and none of them is local.
    with TokenServer(tmp_path, CHALKLINE_TRUSTED_PROXIES="127.0.0.1") as server:
        async def trusted():
            assert await connect(server) == 403
            assert await connect(server, **{"X-Forwarded-For": "127.0.0.1"}) == 403
            origin = f"127.0.0.1:{server.port}"
            https = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
            assert await connect(server, Origin=f"https://{origin}", **https) == 101
            assert await connect(server, Origin=f"http://{origin}", **https) == 403
            await refusal(server, **{"additional_headers": {"X-Forwarded-For": "6.6.6.6, 203.0.113.9",
                                                            "Authorization": "Bearer x"}})
            assert until(lambda: "203.0.113.9" in server.read_log(), 10), server.read_log()

        run(trusted())


# --- records ---------------------------------------------------------------------------------------------------------

def records(server, token=None, method="GET", path="/v1/records"):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request(method, path, headers={"Authorization": f"Bearer {token}"} if token else {})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def test_records_are_given_to_their_subject_only(tmp_path):
    async def talk(server, subject):
        async with Student(server, **bearer(mint(sub=subject))) as student:
            await student.snapshot(SCREEN)
            turn = await student.ask(f"Why? I am marked {subject}-marker")
            return turn.end["answer"]

    with TokenServer(tmp_path, CHALKLINE_DATA=str(tmp_path / "data")) as server:
        run(talk(server, "li"))
        run(talk(server, "wang"))

        def complete():
            status, body = records(server, mint(sub="li"))
            return status == 200 and b"li-marker" in body

        assert until(complete, 10), records(server, mint(sub="li"))
        status, body = records(server, mint(sub="li"))
        json.loads(body)
        assert b"wang" not in body
        status, body = records(server, mint(sub="nobody"))
        assert status == 200 and b"marker" not in body
        for token in [None, "x", mint(exp=1), mint("another secret of thirty-two bytes and more")]:
            status, body = records(server, token)
            assert status == 401 and b"marker" not in body
        assert records(server, path=f"/v1/records?token={mint()}")[0] == 400
        assert records(server, mint(), method="DELETE")[0] == 405


def test_without_tokens_there_are_no_records(server):
    assert records(server)[0] == 404
    assert records(server, mint())[0] == 404
