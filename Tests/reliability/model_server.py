"""A small server in Python for the checker's self test: right by default, wrong on demand.

It keeps sessions with a log each, resumes them, and `restart()` forgets the last unsaved events as a killed process
does. `fault` names the one thing that it does wrong:

    lost_ask       a restart loses a turn that was acknowledged
    session_lost   a restart loses sessions
    doubled_turn   a question sent again runs again
    reordered      two events change places
    gap            an event is left out
    step_back      after a restart events come again with other content, without a snapshot
    foreign        a word of another session stands in an answer
    no_end         a turn never ends
    wrong_answer   `turn.end.answer` is not the pieces joined
    lost_text      a piece of the answer is lost, and `turn.end.answer` agrees
    bad_snapshot   a snapshot's text is not what was sent
    early_event    events follow the announcement of a snapshot before it
    changed_repeat events that come again differ
"""

import asyncio
import json
import random

import websockets

from markers_of import answer_to

FAULTS = __doc__.split("wrong:")[1].split("\n\n")[1].split("\n")
FAULTS = [line.split()[0] for line in FAULTS if line.strip()]


class Kept:
    """A session: its log, how much of it is saved, and its turns."""

    def __init__(self, name, rng):
        self.name, self.rng = name, rng
        self.log, self.saved, self.asks, self.active = [], 0, {}, None
        self.epochs, self.key, self.socket, self.task, self.sent = [], 0, None, None, 0


class ModelServer:
    def __init__(self, seed=1, fault=None):
        self.rng, self.fault, self.sessions, self.process = random.Random(seed), fault, {}, 0
        self.markers, self.has_erred = [], False

    async def __aenter__(self):
        self.server = await websockets.serve(
            self._serve, "127.0.0.1", 0, subprotocols=["chalkline.v1"], ping_interval=None)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.restart()
        self.server.close()
        await self.server.wait_closed()

    def _errs(self, fault, chance=0.3):
        if self.fault == fault and self.rng.random() < chance:
            self.has_erred = True
            return True
        return False

    def restart(self):
        """Every connection breaks; of each session at least what was acknowledged stays."""
        self.process += 1
        if self._errs("session_lost"):
            self.sessions.clear()
        for kept in self.sessions.values():
            if kept.task:
                kept.task.cancel()
            if kept.socket:
                kept.socket.transport.abort()
            starts = [event["seq"] for event in kept.log if event["type"] == "turn.start"]
            saved = max([kept.saved, *starts])
            saved = self.rng.randint(saved, max(saved, len(kept.log)))
            if starts and self._errs("lost_ask", 0.5):
                saved = starts[-1] - 1
                kept.asks = {ask: t for ask, t in kept.asks.items() if t < kept.log[starts[-1] - 1]["turn"]}
            del kept.log[saved:]
            kept.saved = saved
            if kept.epochs:
                kept.epochs[-1] = (kept.epochs[-1][0], saved)
            kept.epochs.append((f"e{self.process}", None))
            kept.socket = kept.task = None
            open_turn = self._open_turn(kept)
            if open_turn:
                ask = next(event["re"] for event in kept.log
                           if event["type"] == "turn.start" and event["turn"] == open_turn)
                self._append(kept, {"type": "turn.end", "turn": open_turn, "re": ask, "status": "failed",
                                    "reason": "restarted", "answer": self._text(kept, open_turn)})

    @staticmethod
    def _open_turn(kept):
        running = None
        for event in kept.log:
            if event["type"] == "turn.start":
                running = event["turn"]
            elif event["type"] == "turn.end":
                running = None
        return running

    @staticmethod
    def _text(kept, turn):
        return "".join(e["text"] for e in kept.log if e["type"] == "answer.delta" and e["turn"] == turn)

    def _append(self, kept, event):
        kept.log.append(event | {"seq": len(kept.log) + 1})
        return kept.log[-1]

    async def _serve(self, socket):
        kept = None
        try:
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "hello":
                    kept = await self._hello(socket, message.get("resume"))
                elif message["type"] == "screen.snapshot":
                    self.markers.append(message["title"].split()[-1])
                    await self._send(socket, {"type": "screen.ack", "revision": message["revision"], "elements": 1})
                elif message["type"] == "ask":
                    await self._ask(kept, message)
        except websockets.ConnectionClosed:
            pass

    async def _send(self, socket, message):
        await socket.send(json.dumps(message))

    async def _hello(self, socket, resume):
        kept, how = None, "new"
        if resume:
            kept = self.sessions.get(resume["session"])
        if kept is None:
            kept = Kept(f"s{len(self.sessions) + 1}.{self.process}", self.rng)
            kept.epochs.append((f"e{self.process}", None))
            self.sessions[kept.name] = kept
        else:
            ends = dict(kept.epochs)
            end = ends.get(resume["epoch"], -1)
            end = len(kept.log) if end is None else end
            how = "replay" if resume["seq"] <= end or self._errs("step_back", 1) else "snapshot"
        kept.socket, kept.key = socket, kept.key + 1
        old = min(resume["seq"], len(kept.log)) if how == "replay" else 0
        kept.sent = len(kept.log) if how == "snapshot" else old
        await self._send(socket, {
            "type": "welcome", "session": kept.name, "key": str(kept.key), "epoch": kept.epochs[-1][0],
            "resumed": how, "why": "unknown" if resume and how == "new" else None, "last_seq": len(kept.log),
            "screen_revision": 0})
        if how == "snapshot":
            if self._errs("early_event", 1) and kept.log:
                await self._send(socket, kept.log[-1] | {"seq": len(kept.log) + 1})
            await self._send(socket, self._snapshot(kept))
        await self._flush(kept)
        return kept

    def _snapshot(self, kept):
        running, ended = self._open_turn(kept), []
        for event in kept.log:
            if event["type"] == "turn.end":
                ended.append({name: event[name] for name in ("turn", "re", "status", "reason", "answer")})
        if ended and self._errs("bad_snapshot", 1):
            ended[-1]["answer"] = "something else" + ended[-1]["answer"]
        found = {"type": "session.snapshot", "last_seq": len(kept.log), "part": 1, "parts": 1, "turns": ended[-3:]}
        if running:
            ask = next(e["re"] for e in kept.log if e["type"] == "turn.start" and e["turn"] == running)
            found["turn"] = {"turn": running, "re": ask, "text": self._text(kept, running)}
        return found

    async def _flush(self, kept):
        """Sends what the client has not got, adjacent pieces sometimes merged."""
        while kept.socket and kept.sent < len(kept.log):
            event = kept.log[kept.sent]
            step = 1
            if event["type"] == "answer.delta" and self.rng.random() < 0.4:
                rest = kept.log[kept.sent:]
                while step < len(rest) and rest[step]["type"] == "answer.delta":
                    step += 1
                if step > 1:
                    event = event | {"seq": kept.log[kept.sent + step - 1]["seq"], "from_seq": event["seq"],
                                     "text": "".join(e["text"] for e in rest[:step])}
            socket = kept.socket
            kept.sent += step
            if event["type"] == "answer.delta" and self._errs("gap", 0.1):
                continue
            if event["type"] == "answer.delta" and kept.sent < len(kept.log) and self._errs("reordered", 0.2):
                following = kept.log[kept.sent]
                kept.sent += 1
                await self._send(socket, following)
            await self._send(socket, event)

    async def _ask(self, kept, ask):
        if ask["id"] in kept.asks and not self._errs("doubled_turn", 1):
            for event in [e for e in kept.log[:kept.sent] if e["turn"] == kept.asks[ask["id"]]]:
                if event["type"] == "answer.delta" and self._errs("changed_repeat", 0.5):
                    event = event | {"text": event["text"] + "!"}
                await self._send(kept.socket, event)
            return
        if kept.task:
            kept.task.cancel()
        open_turn = self._open_turn(kept)
        if open_turn:
            old = next(e["re"] for e in kept.log if e["type"] == "turn.start" and e["turn"] == open_turn)
            self._append(kept, {"type": "turn.end", "turn": open_turn, "re": old, "status": "superseded",
                                "reason": None, "answer": self._text(kept, open_turn)})
        turn = f"t{1 + sum(e['type'] == 'turn.start' for e in kept.log)}"
        kept.asks[ask["id"]] = turn
        self._append(kept, {"type": "turn.start", "turn": turn, "re": ask["id"]})
        kept.saved = len(kept.log)
        process = self.process
        await asyncio.sleep(self.rng.uniform(0, 0.01))
        if process != self.process or self._open_turn(kept) != turn:
            return
        kept.task = asyncio.ensure_future(self._answer(kept, turn, ask))
        # A connection that breaks now stops nothing: the answer goes on.
        await self._flush(kept)

    async def _answer(self, kept, turn, ask):
        answer, pause = answer_to(ask["text"])
        words = answer.split(" ")
        for place, word in enumerate(words):
            await asyncio.sleep(pause / 1_000)
            text = word if place == 0 else " " + word
            others = [m for m in self.markers if m not in answer]
            if others and self._errs("foreign", 0.1):
                text += " " + others[0]
            if self._errs("lost_text", 0.1):
                continue
            self._append(kept, {"type": "answer.delta", "turn": turn, "text": text})
            try:
                await self._flush(kept)
            except websockets.ConnectionClosed:
                kept.socket = None
        if self._errs("no_end", 0.9):
            return
        text = self._text(kept, turn) + ("x" if self._errs("wrong_answer") else "")
        self._append(kept, {"type": "turn.end", "turn": turn, "re": ask["id"], "status": "done", "reason": None,
                            "answer": text})
        try:
            await self._flush(kept)
        except websockets.ConnectionClosed:
            kept.socket = None
