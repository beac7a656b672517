#!/usr/bin/env python3
"""A model endpoint whose words carry the time at which they are written, at little cost.

    clock_model.py         prints its port; ends with its parent

To a question "long" it answers with 48 KiB at once, as fast as they are taken. To any other one with 10 words a second
for 12 s, `@microseconds` of the monotonic clock each. The streams are spread over a tenth of a second.
"""

import asyncio
import json
import sys
import time

HEAD = (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
WORDS, TICKS = 120, 20


def chunk(text=None, finish=None):
    event = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "clock",
             "choices": [{"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish}]}
    return framed(json.dumps(event))


def framed(text):
    body = f"data: {text}\n\n".encode()
    return b"%x\r\n%s\r\n" % (len(body), body)


END = chunk(finish="stop") + framed("[DONE]") + b"0\r\n\r\n"


class Stream(asyncio.Protocol):
    """One connection of the server; one answer at a time."""

    ticks = [set() for _ in range(TICKS)]
    count = 0

    def connection_made(self, transport):
        self.transport, self.buffer, self.words, self.long = transport, b"", 0, 0
        self.room = True
        self.slot = self.ticks[Stream.count % TICKS]
        Stream.count += 1

    def connection_lost(self, exc):
        self.slot.discard(self)

    def pause_writing(self):
        self.room = False

    def resume_writing(self):
        self.room = True
        self.push()

    def data_received(self, data):
        self.buffer += data
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n")
                       if line.lower().startswith(b"content-length:")), 0)
        if len(rest) < length:
            return
        body, self.buffer = rest[:length], rest[length:]
        self.transport.write(HEAD)
        last = json.loads(body)["messages"][-1]["content"]
        if "long" in (last if isinstance(last, str) else json.dumps(last)):
            self.long = 24
            self.push()
        else:
            self.words = WORDS
            self.slot.add(self)

    def push(self):
        """Writes what fits of a long answer."""
        while self.long and self.room and not self.transport.is_closing():
            self.long -= 1
            self.transport.write(chunk("x" * 1_999 + " "))
            if not self.long:
                self.transport.write(END)

    def tick(self):
        self.words -= 1
        self.transport.write(chunk(f"@{int(time.monotonic() * 1e6)} "))
        if self.words == 0:
            self.slot.discard(self)
            self.transport.write(END)


async def tick_all():
    step, due = 0, time.monotonic()
    while True:
        for stream in list(Stream.ticks[step % TICKS]):
            stream.tick()
        step, due = step + 1, due + 0.1 / TICKS
        await asyncio.sleep(max(0, due - time.monotonic()))


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Stream, "127.0.0.1", 0, backlog=2_048)
    print(server.sockets[0].getsockname()[1], flush=True)
    ticker = asyncio.ensure_future(tick_all())
    await loop.run_in_executor(None, sys.stdin.buffer.read)
    ticker.cancel()


if __name__ == "__main__":
    asyncio.run(main())
