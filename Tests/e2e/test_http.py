"""Pages, health and the door to the WebSocket."""

import asyncio
import http.client
import json
import socket
import time

import pytest
import websockets

from server import ServerProcess
from student import Student, derivation
from wire import until


def get(server, path, method="GET", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=15)
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def raw(server, request):
    with socket.create_connection(("127.0.0.1", server.port), timeout=15) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65_536):
            answer += chunk
        return answer


def test_student_page_has_a_strict_policy_and_an_etag(server):
    response, body = get(server, "/")
    assert response.status == 200 and b"<html" in body
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    again, body = get(server, "/", **{"If-None-Match": response.headers["ETag"]})
    assert again.status == 304 and body == b""


def test_modules_may_be_loaded_by_other_sites(server):
    response, _ = get(server, "/chalkline.js")
    assert response.status == 200
    assert response.headers["Content-Type"].startswith("text/javascript")
    assert response.headers["Access-Control-Allow-Origin"] == "*"


def test_answers_carry_the_date(server):
    from email.utils import parsedate_to_datetime
    import time

    response, _ = get(server, "/livez")
    assert abs(parsedate_to_datetime(response.headers["Date"]).timestamp() - time.time()) < 60


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
def test_health(server, path):
    response, _ = get(server, path)
    assert response.status == 200


@pytest.mark.parametrize("path", [
    "/../Package.swift", "/%2e%2e/Package.swift", "/..%2fPackage.swift", "//etc/passwd", "/.git/config", "/index.html/",
    "/public/index.html", "/%00", "/index.html%00.js", "/" + "a" * 3000,
])
def test_nothing_outside_the_manifest_is_served(server, path):
    answer = raw(server, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
    assert answer.split(b" ")[1] in (b"404", b"400"), answer[:200]


@pytest.mark.parametrize("request_bytes, status", [
    (b"GET / HTTP/1.1\r\n\r\n", b"400"),
    (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"400"),
    (b"GET / HTTP/1.1\nHost: a\n\n", b"400"),
    (b"GET / HTTP/1.1\r\nHost : a\r\n\r\n", b"400"),
    (b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", b"414"),
    (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"".join(b"x%d: 1\r\n" % i for i in range(2000)) + b"\r\n", b"431"),
    (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", b"413"),
    (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", b"400"),
])
def test_bad_heads_are_refused(server, request_bytes, status):
    assert raw(server, request_bytes).split(b" ")[1] == status


def test_requests_on_one_connection_are_answered_in_order(server):
    two = b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\nGET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    answer = raw(server, two)
    assert answer.index(b"alive") < answer.index(b"ready")


def upgrade(server, **headers):
    fields = {"Host": f"127.0.0.1:{server.port}", "Upgrade": "websocket", "Connection": "Upgrade",
              "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
              "Sec-WebSocket-Protocol": "chalkline.v1", **headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None)
    with socket.create_connection(("127.0.0.1", server.port), timeout=15) as connection:
        connection.sendall(f"GET /v1/ws HTTP/1.1\r\n{head}\r\n".encode())
        return connection.recv(65_536)


def test_upgrade_without_our_subprotocol_names_the_versions(server):
    answer = upgrade(server, **{"Sec-WebSocket-Protocol": "other.v9"})
    assert answer.startswith(b"HTTP/1.1 400")
    assert json.loads(answer.split(b"\r\n\r\n")[1])["versions"] == ["chalkline.v1"]


def test_upgrade_names_our_subprotocol_and_never_a_token(server):
    answer = upgrade(server, **{"Sec-WebSocket-Protocol": "chalkline.v1, bearer.abc"})
    assert answer.startswith(b"HTTP/1.1 101")
    assert b"Sec-WebSocket-Protocol: chalkline.v1\r\n" in answer and b"bearer" not in answer
    assert b"Sec-WebSocket-Extensions" not in answer


@pytest.mark.parametrize("origin, status", [
    ("http://127.0.0.1:{port}", b"101"), ("http://localhost:{port}", b"101"), (None, b"101"),
    ("http://evil.example", b"403"), ("null", b"403"), ("http://127.0.0.1:{port}.evil.example", b"403"),
    ("https://127.0.0.1:{port}", b"403"), ("http://127.0.0.1", b"403"), ("HTTP://127.0.0.1:{port}", b"403"), ("", b"403"),
])
def test_only_the_servers_own_pages_may_open_a_websocket(server, origin, status):
    value = origin.format(port=server.port) if origin is not None else None
    assert upgrade(server, Origin=value).split(b" ")[1] == status


def test_page_of_another_site_cannot_come_in_by_a_name_of_its_own(server):
    # A name of the attacker's that resolves to this machine: Origin and Host agree, and are not ours.
    answer = upgrade(server, Host=f"evil.example:{server.port}", Origin=f"http://evil.example:{server.port}")
    assert answer.startswith(b"HTTP/1.1 403")


def test_refused_upgrade_closes_the_connection(server):
    head = (b"GET /v1/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 8\r\n\r\n")
    # Sent twice: what follows a refusal is not read as another request.
    answer = raw(server, head * 2)
    assert answer.count(b"HTTP/1.1 426") == 1 and b"Connection: close" in answer


def test_health_takes_no_other_method(server):
    response, _ = get(server, "/livez", method="DELETE")
    assert response.status == 405 and response.headers["Allow"] == "GET, HEAD"


def test_first_head_is_timed_from_the_connection():
    with ServerProcess(CHALKLINE_HEAD_MS="3000") as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=15) as connection:
            begun = time.monotonic()
            time.sleep(1.5)
            connection.sendall(b"G")
            assert b"408" in connection.recv(4_096)
            # Timed from its first byte it would have 4.5 s.
            assert time.monotonic() - begun < 4.4


def test_connection_over_the_limit_is_refused_and_closed_whatever_its_shard():
    with ServerProcess(CHALKLINE_CONNECTIONS="2", CHALKLINE_SHARDS="2") as server:
        request = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        held = [socket.create_connection(("127.0.0.1", server.port), timeout=15) for _ in range(2)]
        for connection in held:
            connection.sendall(request)
            assert b"200 OK" in connection.recv(4_096)
        # Closed by the server: `raw` returns only then.
        for _ in range(5):
            answer = raw(server, request)
            assert b"503" in answer and b"Retry-After" in answer and b"Connection: close" in answer
        for connection in held:
            connection.close()
        assert until(lambda: get(server, "/livez")[0].status == 200)


def test_version_other_than_13_gets_426(server):
    answer = upgrade(server, **{"Sec-WebSocket-Version": "8"})
    assert answer.startswith(b"HTTP/1.1 426") and b"Sec-WebSocket-Version: 13" in answer


def test_first_frames_in_the_segment_of_the_head_are_not_lost(server):
    hello = json.dumps({"type": "hello", "role": "student"}).encode()
    mask = b"\x01\x02\x03\x04"
    frame = bytes([0x81, 0x80 | len(hello)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(hello))
    head = (f"GET /v1/ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: keep-alive, "
            "Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: chalkline.v1\r\n\r\n").encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=15) as connection:
        connection.sendall(head + frame)
        answer = b""
        while b"welcome" not in answer:
            chunk = connection.recv(65_536)
            assert chunk
            answer += chunk
    assert answer.startswith(b"HTTP/1.1 101")


def test_frame_whose_length_overflows_does_not_kill_the_server(server):
    async def body():
        async with Student(server) as canary:
            await canary.snapshot(derivation("2x + 3 = 7"))
            for header in (b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",
                           b"\x82\xff\x00\x00\x00\x01\x00\x00\x00\x00abcd", b"\x81\x05hello", b"\xf1\x80abcd"):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write((f"GET /v1/ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
                              "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                              "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: chalkline.v1\r\n\r\n").encode())
                writer.write(header)
                answer = await asyncio.wait_for(reader.read(), 15)
                frame = answer.split(b"\r\n\r\n", 1)[1]
                assert frame[0] == 0x88 and int.from_bytes(frame[2:4], "big") in (1002, 1009)
                writer.close()
            assert (await canary.delta(update=[{"id": "l1", "content": "2x = 4"}]))["revision"] == 2

    asyncio.run(asyncio.wait_for(body(), 30))


def test_many_clients_come_and_go_and_leave_no_descriptor(server):
    async def visit(i):
        async with websockets.connect(server.ws, subprotocols=["chalkline.v1"]) as ws:
            await ws.send('{"type":"hello","role":"student"}')
            assert json.loads(await ws.recv())["type"] == "welcome"

    async def body():
        before = server.settled_descriptors()
        for _ in range(5):
            await asyncio.gather(*(visit(i) for i in range(60)))
        for _ in range(200):
            if server.descriptors() <= before + 2:
                return
            await asyncio.sleep(0.05)
        assert server.descriptors() <= before + 2

    asyncio.run(asyncio.wait_for(body(), 60))
