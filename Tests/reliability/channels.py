"""Two ways to a WebSocket: the `websockets` package, and bare asyncio for trials where the client must cost little.

Both call `client.on_text(text)` for each message and `client.on_lost(code, wait)` once, and give `send(text)`,
`close(code)` and `drop()`. `wait` is what a 503 asks for, in seconds.
"""

import asyncio
import base64
import os
import socket
import struct

import websockets

MASK = b"\x5a\x17\xc3\x88"


class LibraryChannel:
    """A connection of the `websockets` package."""

    @classmethod
    async def open(cls, client, port, receive_buffer=None):
        self = cls()
        self.client = client
        try:
            self.socket = await websockets.connect(
                f"ws://127.0.0.1:{port}/v1/ws", subprotocols=["chalkline.v1"], max_size=None, ping_interval=None,
                open_timeout=20, compression=None)
        except websockets.InvalidStatus as refusal:
            raise Refused(float(refusal.response.headers.get("Retry-After", 1))) from None
        self.out = asyncio.Queue()
        self.tasks = [asyncio.ensure_future(self._read()), asyncio.ensure_future(self._write())]
        return self

    def send(self, text):
        self.out.put_nowait(text)

    async def _write(self):
        try:
            while True:
                await self.socket.send(await self.out.get())
        except websockets.ConnectionClosed:
            pass

    async def _read(self):
        try:
            while True:
                self.client.on_text(await self.socket.recv())
        except websockets.ConnectionClosed as end:
            self.tasks[1].cancel()
            self.client.on_lost(end.rcvd.code if end.rcvd else 1006)

    def close(self, code=1000):
        asyncio.ensure_future(self.socket.close(code))

    def drop(self):
        self.socket.transport.abort()


class Refused(Exception):
    """The server answered the upgrade with an HTTP error; `wait` is its Retry-After in seconds."""

    def __init__(self, wait):
        super().__init__("refused")
        self.wait = wait


class BareChannel(asyncio.Protocol):
    """A WebSocket without a library: no compression, one mask, frames as they come."""

    @classmethod
    async def open(cls, client, port, receive_buffer=None):
        loop = asyncio.get_running_loop()
        sock = socket.socket()
        sock.setblocking(False)
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            await asyncio.wait_for(loop.sock_connect(sock, ("127.0.0.1", port)), 20)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _, self = await loop.create_connection(cls, sock=sock)
        except BaseException:
            sock.close()
            raise
        self.client = client
        key = base64.b64encode(os.urandom(16)).decode()
        self.transport.write(
            f"GET /v1/ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: chalkline.v1\r\n\r\n".encode())
        try:
            await asyncio.wait_for(asyncio.shield(self.upgraded), 20)
        except BaseException:
            self.client = None
            self.transport.abort()
            raise
        return self

    def connection_made(self, transport):
        self.transport, self.buffer, self.code, self.client = transport, b"", 1006, None
        self.parts, self.upgraded = [], asyncio.get_running_loop().create_future()

    def data_received(self, data):
        self.buffer += data
        if not self.upgraded.done():
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if not head.startswith(b"HTTP/1.1 101 "):
                wait = next((line.split(b":")[1] for line in head.split(b"\r\n")
                             if line.lower().startswith(b"retry-after:")), b"1")
                self.upgraded.set_exception(Refused(float(wait)))
                return
            self.buffer = rest
            self.upgraded.set_result(None)
        self._frames()

    def _frames(self):
        data, position = self.buffer, 0
        while len(data) - position >= 2:
            first, count = data[position], data[position + 1]
            begin = position + 2
            if count == 126:
                if len(data) < begin + 2:
                    break
                count, begin = struct.unpack_from(">H", data, begin)[0], begin + 2
            elif count == 127:
                if len(data) < begin + 8:
                    break
                count, begin = struct.unpack_from(">Q", data, begin)[0], begin + 8
            if len(data) < begin + count:
                break
            position = begin + count
            self._frame(first & 15, data[begin:position], first & 0x80)
        self.buffer = data[position:]

    def _frame(self, opcode, payload, fin):
        if opcode in (0, 1):
            self.parts.append(payload)
            if fin:
                text, self.parts = b"".join(self.parts).decode(), []
                if self.client:
                    self.client.on_text(text)
        elif opcode == 8:
            self.code = struct.unpack(">H", payload[:2])[0] if payload else 1005
            self._send(8, payload[:2])
            self.transport.close()
        elif opcode == 9:
            self._send(10, payload)

    def connection_lost(self, exc):
        if not self.upgraded.done():
            self.upgraded.set_exception(ConnectionError("closed before the upgrade"))
        elif self.client and not self.upgraded.exception():
            self.client.on_lost(self.code)

    def _send(self, opcode, payload):
        count = len(payload)
        head = bytes([0x80 | opcode])
        if count < 126:
            head += bytes([0x80 | count])
        elif count < 65_536:
            head += b"\xfe" + struct.pack(">H", count)
        else:
            head += b"\xff" + struct.pack(">Q", count)
        keys = (MASK * (count // 4 + 1))[:count]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(keys, "big")).to_bytes(count, "big")
        self.transport.write(head + MASK + masked)

    def send(self, text):
        if not self.transport.is_closing():
            self._send(1, text.encode())

    def close(self, code=1000):
        if not self.transport.is_closing():
            self._send(8, struct.pack(">H", code))

    def drop(self):
        self.transport.abort()
