"""A WebSocket client on bare sockets, for bytes that no library would send and for waits that no library shows."""

import json
import socket
import struct
import time

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
MASK = b"\x11\x22\x33\x44"


def upgrade_head(server, **fields):
    """The head of a good upgrade; `fields` replaces some (`_` stands for `-`) and leaves out those that are None."""
    good = {
        "Host": f"127.0.0.1:{server.port}", "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Key": KEY, "Sec-WebSocket-Version": "13", "Sec-WebSocket-Protocol": "chalkline.v1",
        **{name.replace("_", "-"): value for name, value in fields.items()},
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in good.items() if value is not None)
    return f"GET /v1/ws HTTP/1.1\r\n{lines}\r\n".encode()


def masked(payload, mask=MASK):
    keys = (mask * (len(payload) // 4 + 1))[:len(payload)]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(keys, "big")).to_bytes(len(payload), "big")


def frame(opcode, payload=b"", fin=True, rsv=0, mask=MASK):
    """One frame of a client, its length in the shortest form."""
    count, bit = len(payload), 0x80 if mask else 0
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    if count < 126:
        head += bytes([bit | count])
    elif count < 65_536:
        head += bytes([bit | 126]) + struct.pack(">H", count)
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", count)
    return head + (mask + masked(payload, mask) if mask else payload)


def message(**fields):
    """A JSON message in one text frame."""
    return frame(TEXT, json.dumps(fields).encode())


def close_frame(code=1000, reason=b""):
    return frame(CLOSE, struct.pack(">H", code) + reason)


def hello():
    return message(type="hello", role="student")


class Frame:
    """One frame of the server."""

    def __init__(self, first, payload):
        self.fin, self.rsv, self.opcode, self.payload = bool(first & 0x80), first >> 4 & 7, first & 15, payload

    @property
    def code(self):
        """The code of a close frame; 1005 when it has none."""
        assert self.opcode == CLOSE, self
        return struct.unpack(">H", self.payload[:2])[0] if self.payload else 1005

    @property
    def json(self):
        assert self.opcode == TEXT, self
        return json.loads(self.payload)

    def __repr__(self):
        return f"<frame {self.opcode} rsv {self.rsv} {self.payload[:80]!r}>"


class Wire:
    """`with Wire(server) as wire:` is an open WebSocket; `upgrade=False` only a TCP connection.

    Waits are bounded: a read that gets nothing for `timeout` seconds raises `TimeoutError`.
    """

    def __init__(self, server, upgrade=True, behind=b"", timeout=10, receive_buffer=None, port=None, **fields):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        self.socket.connect(("127.0.0.1", port or server.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.unread = b""
        if upgrade:
            self.send(upgrade_head(server, **fields) + behind)
            self.head = self.read_head()
            assert self.head.startswith(b"HTTP/1.1 101 "), self.head

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, *pieces):
        self.socket.sendall(b"".join(pieces))

    def send_what_it_takes(self, data):
        """Sends until the peer has hung up; whether it took everything."""
        try:
            self.socket.sendall(data)
            return True
        except (ConnectionError, TimeoutError):
            return False

    def reset(self):
        """Ends with a reset, as when the machine goes."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def _fill(self, count):
        while len(self.unread) < count:
            chunk = self.socket.recv(65_536)
            if not chunk:
                raise EOFError(f"the server closed; unread: {self.unread[:80]!r}")
            self.unread += chunk

    def read_head(self):
        """The head of an HTTP answer; what follows it stays unread."""
        while b"\r\n\r\n" not in self.unread:
            self._fill(len(self.unread) + 1)
        head, self.unread = self.unread.split(b"\r\n\r\n", 1)
        return head + b"\r\n\r\n"

    def read_frame(self):
        """The next frame. One that a time-out cuts off stays unread."""
        self._fill(2)
        size, count = 2, self.unread[1]
        assert count < 0x80, "a server masks nothing"
        if count >= 126:
            size = 4 if count == 126 else 10
            self._fill(size)
            count = int.from_bytes(self.unread[2:size], "big")
        self._fill(size + count)
        found = Frame(self.unread[0], self.unread[size:size + count])
        self.unread = self.unread[size + count:]
        return found

    def read_until(self, wanted):
        """Frames up to the first that `wanted` is true of, that one included."""
        frames = [self.read_frame()]
        while not wanted(frames[-1]):
            frames.append(self.read_frame())
        return frames

    def read_message(self, kind):
        """The next JSON message of a type; others before it are passed over."""
        return self.read_until(lambda f: f.opcode == TEXT and f.json["type"] == kind)[-1].json

    def read_close(self):
        """The code of the server's close frame, after which it must have sent nothing but its end."""
        code = self.read_until(lambda f: f.opcode == CLOSE)[-1].code
        assert self.read_end() == b"", "something behind the close frame"
        return code

    def read_end(self):
        """Everything up to the orderly end of the stream; a reset raises `ConnectionResetError`."""
        rest, self.unread = self.unread, b""
        while chunk := self.socket.recv(65_536):
            rest += chunk
        return rest


class Canary:
    """A healthy session beside a hostile test, which must not notice it."""

    def __init__(self, server):
        self.wire, self.revision = Wire(server, behind=hello()), 1
        self.session = self.wire.read_message("welcome")["session"]
        self.wire.send(message(type="screen.snapshot", revision=1, elements=[
            {"id": "l1", "type": "math", "content": "2x + 3 = 7", "box": [0.1, 0.1, 0.4, 0.05]}]))
        assert self.wire.read_message("screen.ack")["revision"] == 1

    def check(self):
        """The same session goes on at the next revision."""
        base, self.revision = self.revision, self.revision + 1
        self.wire.send(message(
            type="screen.delta", base=base, revision=self.revision,
            update=[{"id": "l1", "content": f"2x + {self.revision} = 7"}]))
        assert self.wire.read_message("screen.ack")["revision"] == self.revision

    def close(self):
        self.wire.socket.close()


def until(condition, seconds=10):
    """Waits for something that the server does in its own time; whether it came."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
