"""A student's client for tests, on a WebSocket library that is not ours."""

import asyncio
import json

import websockets


class Student:
    """`async with Student(server) as s:` has said hello. Keeps every frame that came.

    With `after`, another student, it goes on with that one's session and history. `behind` are messages sent in the same
    breath as `hello`.
    """

    def __init__(self, server, hello=None, subprotocols=("chalkline.v1",), after=None, behind=(), **options):
        self.server, self.options, self.frames, self.revision = server, options, [], 0
        self.hello = {"type": "hello", "role": "student", "client": {"name": "test", "version": "1"}, **(hello or {})}
        self.history, self.behind = after.history if after else History(), behind
        if after:
            self.hello["resume"] = after.resumption()
        self.subprotocols = subprotocols

    async def __aenter__(self):
        self.socket = await websockets.connect(
            self.server.ws, subprotocols=list(self.subprotocols), max_size=None, **self.options)
        for message in [self.hello, *self.behind]:
            await self.send(message)
        self.welcome = await self.next("welcome")
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    def resumption(self, **changes):
        """What a client keeps to come back."""
        return {"session": self.welcome["session"], "key": self.welcome["key"], "epoch": self.welcome["epoch"],
                "seq": self.history.seq, **changes}

    def drop(self):
        """Loses the connection without a word."""
        self.socket.transport.abort()

    async def closed(self, timeout=15):
        """Reads to the end; the close code."""
        try:
            while True:
                await self.receive(timeout)
        except websockets.ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else 1006

    async def send(self, message):
        await self.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    async def receive(self, timeout=15):
        frame = json.loads(await asyncio.wait_for(self.socket.recv(), timeout))
        self.frames.append(frame)
        self.history.add(frame)
        return frame

    async def next(self, *types, timeout=15):
        """The next frame of one of these types; others before it are kept and passed over."""
        while True:
            frame = await self.receive(timeout)
            if frame["type"] in types:
                return frame

    async def snapshot(self, elements, **fields):
        self.revision = fields.pop("revision", self.revision + 1)
        await self.send({"type": "screen.snapshot", "revision": self.revision, "elements": elements, **fields})
        return await self.next("screen.ack", "error")

    async def delta(self, **fields):
        base, self.revision = self.revision, self.revision + 1
        await self.send({"type": "screen.delta", "base": base, "revision": self.revision, **fields})
        return await self.next("screen.ack", "screen.resync", "error")

    async def ask(self, text, id="q1", **fields):
        """Asks and waits for the end; gives the turn's events from `turn.start` to `turn.end`."""
        await self.send({"type": "ask", "id": id, "text": text, **fields})
        return await self.turn()

    async def turn(self, timeout=15):
        start = await self.next("turn.start", "error", timeout=timeout)
        if start["type"] == "error":
            return Turn([start])
        events = [start]
        while events[-1]["type"] != "turn.end":
            frame = await self.receive(timeout)
            if frame.get("turn") == start["turn"]:
                events.append(frame)
        return Turn(events)


class History:
    """What happened in a session, as a careful client keeps it: nothing missed, nothing twice, over all connections."""

    def __init__(self):
        self.seq, self.texts, self.starts, self.ends, self.snapshots = 0, {}, {}, {}, 0

    def add(self, frame):
        if frame["type"] == "session.snapshot":
            self.seq, self.snapshots = frame["last_seq"], self.snapshots + 1
            for turn in frame["turns"]:
                self.texts[turn["turn"]] = turn["answer"]
            if running := frame.get("turn"):
                self.texts[running["turn"]] = running["text"]
                self.starts[running["turn"]] = running
        if "seq" not in frame:
            return
        first = frame.get("from_seq", frame["seq"])
        if frame["seq"] <= self.seq:
            return
        assert first == self.seq + 1, f"after {self.seq} came {frame}"
        self.seq, turn = frame["seq"], frame["turn"]
        if frame["type"] == "turn.start":
            assert turn not in self.starts, frame
            self.starts[turn], self.texts[turn] = frame, ""
        elif frame["type"] == "answer.delta":
            self.texts[turn] += frame["text"]
        elif frame["type"] == "turn.end":
            assert turn not in self.ends, frame
            self.ends[turn] = frame
            assert frame["answer"] == self.texts[turn], frame


class Turn(list):
    """The events of one turn."""

    def of(self, kind):
        return [event for event in self if event["type"] == kind]

    @property
    def end(self):
        return self[-1]

    @property
    def text(self):
        return "".join(event["text"] for event in self.of("answer.delta"))

    @property
    def highlighted(self):
        return [event["element"] for event in self.of("highlight")]


def line(id, content, y, kind="math", **fields):
    """One element of a column."""
    return {"id": id, "type": kind, "content": content, "box": [0.1, y, 0.4, 0.05], **fields}


def derivation(*lines, **fields):
    """A column of lines l1, l2, …"""
    return [line(f"l{i + 1}", text, 0.1 + 0.08 * i, **fields) for i, text in enumerate(lines)]
