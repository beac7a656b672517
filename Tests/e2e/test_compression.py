"""permessage-deflate against a client library that is not ours, and byte by byte over a raw socket."""

import asyncio
import base64
import json
import os
import socket
import struct
import time
import zlib

import pytest
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

from server import ServerProcess
from student import Student, derivation

SCREEN = derivation("3(x + 4) = 24", "3x + 4 = 24", "3x = 20")
TAIL = b"\x00\x00\xff\xff"


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


class Raw:
    """A client that sends and shows bare frames."""

    def __init__(self, server, offer="permessage-deflate"):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        fields = f"Sec-WebSocket-Extensions: {offer}\r\n" if offer is not None else ""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET /v1/ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Protocol: chalkline.v1\r\n"
            f"{fields}\r\n").encode())
        self.data = b""
        while b"\r\n\r\n" not in self.data:
            self.fill()
        head, self.data = self.data.split(b"\r\n\r\n", 1)
        self.head = head.decode()
        self.inflater = zlib.decompressobj(-15)
        self.frames = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def fill(self):
        more = self.socket.recv(65536)
        if not more:
            raise EOFError
        self.data += more

    def take(self, count):
        while len(self.data) < count:
            self.fill()
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def send(self, payload, opcode=1, rsv=0, fin=True):
        first = (0x80 if fin else 0) | rsv << 4 | opcode
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else (
            b"\xfe" + struct.pack(">H", size) if size < 65536 else b"\xff" + struct.pack(">Q", size))
        self.socket.sendall(bytes([first]) + length + b"\0\0\0\0" + payload)

    def say(self, message, level=6):
        """One compressed message without memory of earlier ones."""
        packer = zlib.compressobj(level, zlib.DEFLATED, -15)
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        packed = packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)
        self.send(packed[:-4], rsv=4)

    def frame(self):
        """First byte and payload of the next frame, inflated."""
        first, second = self.take(2)
        size = second & 0x7F
        if size > 125:
            size = int.from_bytes(self.take(2 if size == 126 else 8), "big")
        payload = wire = self.take(size)
        if first & 0x40:
            payload = self.inflater.decompress(payload + TAIL)
        self.frames.append((first, len(wire), payload))
        return first, payload

    def closing(self):
        """The code that the server closes with."""
        while True:
            first, payload = self.frame()
            if first & 0x0F == 8:
                return int.from_bytes(payload[:2], "big")

    def hello(self):
        self.say({"type": "hello", "role": "student"})
        return self.frame()


def field(head):
    return [line.split(":", 1)[1].strip() for line in head.split("\r\n")
            if line.lower().startswith("sec-websocket-extensions:")]


def resident(server):
    with open(f"/proc/{server.process.pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


@pytest.mark.parametrize("parameters", [
    {}, {"server_no_context_takeover": True}, {"client_no_context_takeover": True},
    {"server_max_window_bits": 9}, {"client_max_window_bits": 9}, {"client_max_window_bits": True},
    {"server_no_context_takeover": True, "server_max_window_bits": 10, "client_max_window_bits": 11},
], ids=str)
def test_a_lesson_with_a_library(server, parameters):
    async def body():
        factory = ClientPerMessageDeflateFactory(**parameters)
        async with Student(server, extensions=[factory], compression=None) as student:
            assert [e.name for e in student.socket.protocol.extensions] == ["permessage-deflate"]
            await student.snapshot(SCREEN)
            for index in range(3):
                turn = await student.ask("Where is my mistake?", id=f"q{index}")
                assert turn.end["reason"] is None and turn.text and turn.highlighted
    run(body())


@pytest.mark.parametrize("offer, answer", [
    ("permessage-deflate; client_max_window_bits",
     ["permessage-deflate; client_no_context_takeover; server_max_window_bits=13; client_max_window_bits=15"]),
    ("permessage-deflate", ["permessage-deflate; client_no_context_takeover; server_max_window_bits=13"]),
    ("x-webkit-deflate-frame", []),
    ("permessage-deflate; server_max_window_bits=8", []),
    ("", []),
    (None, []),
], ids=["chromium", "firefox", "old safari", "window of 8", "empty", "none"])
def test_offers(server, offer, answer):
    with Raw(server, offer) as client:
        assert "101" in client.head.split("\r\n")[0]
        assert field(client.head) == answer


def ask(client):
    """Asks about a screen and reads to the end of the turn; gives the token events' frames."""
    client.say({"type": "screen.snapshot", "revision": 1, "elements": SCREEN})
    client.say({"type": "ask", "id": "q1", "text": "Where is my mistake?"})
    while json.loads(client.frame()[1])["type"] != "turn.end":
        pass
    return [frame for frame in client.frames if b'"answer.delta"' in frame[2]]


def test_the_welcome_goes_uncompressed_and_token_events_compressed(server):
    with Raw(server) as client:
        first, welcome = client.hello()
        assert first == 0x81 and json.loads(welcome)["key"].startswith("k_")
        deltas = ask(client)
        assert deltas and all(first == 0xC1 for first, _, _ in deltas)
        # The first ones teach the encoder.
        later = deltas[len(deltas) // 2:]
        assert sum(len(text) for _, _, text in later) > 4 * sum(wire for _, wire, _ in later)


def test_without_the_offer_nothing_is_compressed(server):
    with Raw(server, None) as client:
        client.send(json.dumps({"type": "hello", "role": "student"}).encode())
        client.frame()
        client.send(json.dumps({"type": "screen.snapshot", "revision": 1, "elements": SCREEN}).encode())
        client.send(json.dumps({"type": "ask", "id": "q1", "text": "Where is my mistake?"}).encode())
        while json.loads(client.frame()[1])["type"] != "turn.end":
            pass
        assert {first for first, _, _ in client.frames} == {0x81}


def test_rsv1_without_the_offer_is_refused(server):
    with Raw(server, None) as client:
        client.say({"type": "hello", "role": "student"})
        assert client.closing() == 1002


@pytest.mark.parametrize("payload, code", [
    (b"\xff\xff\xff", 1007),
    (b"\xf2\x48\xcd", 1007),
    (b"\xf2\x00\x11\x00\x00", 1007),  # refers to an earlier message
], ids=["no stream", "cut off", "foreign context"])
def test_a_corrupt_stream_is_refused(server, payload, code):
    with Raw(server) as client:
        client.send(payload, rsv=4)
        assert client.closing() == code


def test_text_is_checked_after_inflating(server):
    with Raw(server) as client:
        client.say(b'{"type":"\xff"}')
        assert client.closing() == 1007


def test_fragments_of_a_compressed_message(server):
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    packed = packer.compress(b'{"type":"hello","role":"student"}') + packer.flush(zlib.Z_SYNC_FLUSH)
    packed = packed[:-4]
    with Raw(server) as client:
        client.send(packed[:5], rsv=4, fin=False)
        client.send(b"x", opcode=9)
        client.send(packed[5:9], opcode=0, fin=False)
        client.send(packed[9:], opcode=0)
        assert client.frame() == (0x8A, b"x")
        assert json.loads(client.frame()[1])["type"] == "welcome"


def test_a_message_over_the_limit_is_refused_and_the_session_goes_on(server):
    with Raw(server) as client:
        client.hello()
        # Shrinks about as well as a large screen does.
        words = b" ".join(b"word%d" % (i * 7919 % 9973) for i in range(40_000))
        client.say(b'{"type":"ask","text":"' + words + b'"}')
        assert json.loads(client.frame()[1])["code"] == "too_large"
        client.say({"type": "ping", "id": "p", "t": 1})
        assert json.loads(client.frame()[1])["type"] == "pong"


def test_messages_over_the_limit_that_are_made_to_be_long_end_the_connection(server):
    with Raw(server) as client:
        client.hello()
        # 3 KB on the wire: reading past it costs the server a thousand times what it costs the sender.
        client.say(b'{"type":"ask","text":"' + b"x" * 3_000_000 + b'"}')
        assert json.loads(client.frame()[1])["code"] == "too_large"
        client.say(b'{"type":"ask","text":"' + b"x" * 3_000_000 + b'"}')
        assert client.closing() == 1009


def test_a_bomb_as_the_first_message_ends_the_connection_and_takes_no_memory():
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = (packer.compress(bytes(60 << 20)) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]
    assert 55_000 < len(bomb) < 65_536
    with ServerProcess(CHALKLINE_SHARDS="1") as server:
        with Raw(server) as client:
            client.hello()
        before = resident(server)
        for _ in range(5):
            with Raw(server) as client:
                client.send(bomb, rsv=4)
                assert client.closing() == 1009
        assert resident(server) - before < 1 << 20


def test_encoders_are_freed_when_idle():
    with ServerProcess(CHALKLINE_SHARDS="1", CHALKLINE_COMPRESSION_IDLE_MS="100") as server:
        def wave():
            clients = [Raw(server) for _ in range(100)]
            for client in clients:
                client.hello()
                client.say({"type": "ping", "id": "p" * 60, "t": 1})
                assert client.frame()[0] == 0xC1
            return clients

        first = wave()
        # Long enough for the timers of all; the connections stay open.
        time.sleep(1)
        before = resident(server)
        second = wave()
        # 100 encoders of 43 KB in the memory of those that were freed.
        assert resident(server) - before < 2_500_000
        for client in first + second:
            client.socket.close()


def test_compression_can_be_switched_off():
    with ServerProcess(CHALKLINE_COMPRESSION="off") as server:
        with Raw(server) as client:
            assert field(client.head) == []
