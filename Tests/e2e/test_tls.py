"""TLS as clients see it: what is offered, what is refused, and certificates changed while connections stand."""

import asyncio
import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
import websockets

from certificates import KINDS, make_certificate
from server import BINARY, ROOT, ServerProcess
from student import Student, derivation

def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """`first` and `second`, each with an ECDSA and an RSA certificate."""
    folder = tmp_path_factory.mktemp("certificates")
    for name in ("first", "second"):
        for kind in KINDS:
            make_certificate(folder, name, kind)
    return folder


class TLSServer(ServerProcess):
    """A server with both certificates, on copies of the files that tests may change."""

    def __init__(self, certificates, folder, **settings):
        self.certificates, self.folder = certificates, folder
        self.install("first")
        super().__init__(
            CHALKLINE_TLS_CERT=",".join(str(folder / f"{kind}.pem") for kind in KINDS),
            CHALKLINE_TLS_KEY=",".join(str(folder / f"{kind}.key") for kind in KINDS), **settings)

    def install(self, name):
        for kind in KINDS:
            for extension in ("pem", "key"):
                shutil.copy(self.certificates / f"{name}-{kind}.{extension}", self.folder / f"{kind}.{extension}")

    def reload(self, expected):
        """Sends SIGHUP and waits for the log line."""
        before = self.read_log().count(expected)
        os.kill(self.process.pid, signal.SIGHUP)
        deadline = time.monotonic() + 10
        while self.read_log().count(expected) == before:
            assert time.monotonic() < deadline, self.read_log()
            time.sleep(0.02)


@pytest.fixture(scope="module")
def tls_server(certificates, tmp_path_factory):
    with TLSServer(certificates, tmp_path_factory.mktemp("served"), CHALKLINE_HEAD_MS="1000") as running:
        yield running


def context(certificates, *, name="first", version=None, ciphers=None, alpn=None, kinds=tuple(KINDS)):
    """A client that trusts the certificates of one name only."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    for kind in kinds:
        made.load_verify_locations(certificates / f"{name}-{kind}.pem")
    if version:
        made.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        made.maximum_version = version
        made.minimum_version = version
    if ciphers:
        made.set_ciphers(ciphers)
    if alpn:
        made.set_alpn_protocols(alpn)
    return made


def handshake(server, made, server_hostname="localhost"):
    """Connects and gives the TLS socket."""
    tcp = socket.create_connection(("127.0.0.1", server.port), timeout=5)
    try:
        return made.wrap_socket(tcp, server_hostname=server_hostname)
    except BaseException:
        tcp.close()
        raise


def secure(server, certificates, **options):
    """A student's client over TLS."""
    return Student(server, ssl=context(certificates, **options), server_hostname="localhost")


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
@pytest.mark.parametrize("origin", [None, "self"])
def test_a_turn_over_wss(tls_server, certificates, version, origin):
    async def body():
        options = {"origin": f"https://localhost:{tls_server.port}"} if origin else {}
        async with Student(tls_server, ssl=context(certificates, version=version), server_hostname="localhost",
                           **options) as student:
            await student.snapshot(derivation("3(x - 2) = 12", "3x - 6 = 12", "3x = 6", "x = 2"))
            turn = await student.ask("Why is this wrong?")
            assert turn.end["status"] == "done" and "l3" in turn.highlighted
            assert turn.end["answer"] == turn.text

    assert tls_server.ws.startswith("wss://")
    run(body())


def test_plain_origin_of_the_same_host_is_refused(tls_server, certificates):
    async def body():
        with pytest.raises(websockets.InvalidStatus) as refusal:
            async with Student(tls_server, ssl=context(certificates), server_hostname="localhost",
                               origin=f"http://localhost:{tls_server.port}"):
                pass
        assert refusal.value.response.status_code == 403

    run(body())


def test_pages_over_https(tls_server, certificates):
    for path in ("/", "/chalkline.js"):
        with urllib.request.urlopen(tls_server.http + path, context=context(certificates)) as answer:
            served = answer.read()
        assert served == (ROOT / "public" / (path.strip("/") or "index.html")).read_bytes()


def test_browsers_are_told_to_use_tls_only_when_that_is_set(tls_server, certificates, tmp_path):
    def header(server):
        with urllib.request.urlopen(server.http + "/", context=context(certificates)) as answer:
            return answer.headers["Strict-Transport-Security"]

    assert header(tls_server) is None
    with TLSServer(certificates, tmp_path, CHALKLINE_TLS_HSTS_DAYS="365") as server:
        assert header(server) == "max-age=31536000"


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_old_versions_are_refused(tls_server, certificates, version):
    made = context(certificates, version=version, ciphers="ALL:@SECLEVEL=0")
    with pytest.raises(ssl.SSLError, match="PROTOCOL_VERSION|protocol version"):
        handshake(tls_server, made)


@pytest.mark.parametrize("suite", ["ECDHE-RSA-AES128-SHA", "ECDHE-ECDSA-AES128-SHA256", "AES128-GCM-SHA256"])
def test_suites_without_authenticated_encryption_or_forward_secrecy_are_refused(tls_server, certificates, suite):
    made = context(certificates, version=ssl.TLSVersion.TLSv1_2, ciphers=suite + ":@SECLEVEL=0")
    with pytest.raises(ssl.SSLError, match="HANDSHAKE_FAILURE|handshake failure"):
        handshake(tls_server, made)


@pytest.mark.parametrize("suite, kind", [("ECDHE-ECDSA-AES128-GCM-SHA256", "ecdsa"),
                                         ("ECDHE-RSA-CHACHA20-POLY1305", "rsa")])
def test_each_client_gets_the_certificate_it_can_check(tls_server, certificates, suite, kind):
    made = context(certificates, version=ssl.TLSVersion.TLSv1_2, ciphers=suite, kinds=[kind])
    with handshake(tls_server, made) as client:
        assert client.cipher()[0] == suite


def test_http_is_chosen_and_an_offer_without_it_refused(tls_server, certificates):
    for offer, chosen in ((None, None), (["http/1.1"], "http/1.1"), (["h2", "http/1.1"], "http/1.1")):
        with handshake(tls_server, context(certificates, alpn=offer)) as client:
            assert client.selected_alpn_protocol() == chosen
    with pytest.raises(ssl.SSLError, match="NO_APPLICATION_PROTOCOL|no application protocol"):
        handshake(tls_server, context(certificates, alpn=["h2"]))


def test_plain_http_is_closed_in_order(tls_server):
    with socket.create_connection(("127.0.0.1", tls_server.port), timeout=5) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.recv(100) == b""


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 50])
def test_a_stalled_hello_is_closed_when_its_time_is_over(tls_server, said):
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", tls_server.port), timeout=10) as client:
        client.sendall(said)
        assert client.recv(100) == b""
    assert time.monotonic() - start >= 0.9


def test_a_hello_of_a_byte_at_a_time_gets_no_longer(tls_server):
    with socket.create_connection(("127.0.0.1", tls_server.port), timeout=10) as client:
        start = time.monotonic()
        client.settimeout(0.05)
        for byte in b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 400:
            try:
                client.sendall(bytes([byte]))
                if client.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        assert time.monotonic() - start < 15


def test_reload_serves_the_new_certificate_and_drops_nobody(certificates, tmp_path):
    async def body(server):
        async with secure(server, certificates, name="first") as old:
            server.install("second")
            server.reload("certificates reloaded")
            async with secure(server, certificates, name="second") as new:
                for student in (old, new):
                    await student.snapshot(derivation("2x = 4", "x = 3"))
                    assert (await student.ask("Why?")).end["status"] == "done"
            with pytest.raises(ssl.SSLCertVerificationError):
                async with secure(server, certificates, name="first"):
                    pass
            # A broken file: the second stays, and the log names the file.
            (server.folder / "rsa.pem").write_text("broken")
            server.reload("certificates not reloaded")
            assert str(server.folder / "rsa.pem") in server.read_log()
            for kind in KINDS:
                async with secure(server, certificates, name="second", kinds=[kind],
                                  version=ssl.TLSVersion.TLSv1_2, ciphers=f"ECDHE-{kind.upper()}-AES128-GCM-SHA256"):
                    pass
            # A key that is not the certificate's.
            server.install("second")
            shutil.copy(certificates / "first-ecdsa.key", server.folder / "ecdsa.key")
            server.reload("certificates not reloaded")
            async with secure(server, certificates, name="second"):
                pass
            # The first connection has outlived all of it.
            assert (await old.ask("And now?", id="q2")).end["status"] == "done"

    with TLSServer(certificates, tmp_path) as server:
        run(body(server))


def test_sighup_without_tls_changes_nothing(server):
    os.kill(server.process.pid, signal.SIGHUP)
    with urllib.request.urlopen(server.http + "/livez") as answer:
        assert answer.status == 200


def test_faults_of_the_files_are_said_plainly(certificates, tmp_path):
    def serve(certificate, key):
        return subprocess.run(
            [BINARY, "serve", "--listen", "127.0.0.1:0", "--public", str(ROOT / "public"), "--tls-cert",
             str(certificate), "--tls-key", str(key)],
            capture_output=True, text=True, timeout=20,
            env={k: v for k, v in os.environ.items() if not k.startswith("CHALKLINE_")})

    first, second = certificates / "first-rsa", certificates / "second-rsa"
    for done, words in (
        (serve(tmp_path / "none.pem", f"{first}.key"), ("none.pem", "no such file")),
        (serve(f"{first}.key", f"{first}.key"), ("first-rsa.key", "no usable certificate")),
        (serve(f"{first}.pem", f"{second}.key"), ("second-rsa.key", "is not that of")),
        (serve(f"{first}.pem,{second}.pem", f"{first}.key,{second}.key"), ("second-rsa.pem", "same kind")),
        (serve(f"{first}.pem", ""), ("tls_cert", "needs its key")),
    ):
        assert done.returncode == 1 and all(word in done.stderr for word in words), done.stderr


def test_connections_that_fail_leave_nothing_behind(tls_server):
    def open_descriptors():
        return len(list(Path(f"/proc/{tls_server.process.pid}/fd").iterdir()))

    before = open_descriptors()
    for said in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x00\x05hello", b"\x80\x2e\x01\x03\x00", b"\x15\x03\x03\x00\x02\x02\x28"):
        for _ in range(25):
            with socket.create_connection(("127.0.0.1", tls_server.port), timeout=5) as client:
                client.sendall(said)
    deadline = time.monotonic() + 10
    while open_descriptors() > before:
        assert time.monotonic() < deadline, (before, open_descriptors())
        time.sleep(0.05)
