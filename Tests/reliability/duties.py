"""What a client owes the server, and what it keeps, without a socket (docs/protocol.md §2, §3, §5)."""

import hashlib
import json

from markers_of import foreign_markers, question

# Close codes after which a client comes back.
COME_BACK = {1001, 1006, 1011, 1012, 4408, 4409, 4412}
# Errors that do not end an ask; after the first two it is sent again.
PASSING = {"rate_limited", "busy", "storage_degraded"}


class Duties:
    """One student: `hello()` begins a connection, `receive(text)` gives the messages that are to be sent for it."""

    def __init__(self, history, rng):
        self.history, self.rng = history, rng
        self.session = self.key = self.epoch = None
        self.seq, self.asks, self.unanswered, self.running = 0, 0, {}, None
        self.revision, self.lines = 1, 3
        self.welcomed, self.caught_up, self.bye = False, False, None
        self.pending, self.last_seq, self.ends, self.delayed, self.said_bye = None, 0, 0, None, 0
        self.refused, self.resumes, self.acked, self.retries = {}, {}, {}, []

    # --- a connection ---

    def hello(self, name="trial"):
        self.welcomed, self.caught_up, self.bye, self.pending, self.delayed = False, False, None, None, None
        message = {"type": "hello", "role": "student", "client": {"name": name, "version": "1"}}
        if self.session:
            message["resume"] = {"session": self.session, "key": self.key, "epoch": self.epoch, "seq": self.seq}
        self.history.add("hello", message.get("resume"))
        return message

    def receive(self, text):
        """Takes a message of the server; the answers that it asks for."""
        for marker in foreign_markers(text, self.history.marker):
            self.history.add("foreign", marker)
        frame = json.loads(text)
        self.history.add("got", frame)
        kind = frame["type"]
        if "seq" in frame:
            return self._event(kind, frame)
        if kind == "welcome":
            return self._welcome(frame)
        if kind == "session.snapshot":
            return self._snapshot(frame)
        if kind == "screen.resync":
            return [self.screen()]
        if kind == "error":
            self._refusal(frame)
        elif kind == "bye":
            self.bye, self.said_bye = frame, self.said_bye + 1
        return []

    def _welcome(self, frame):
        self.welcomed, self.key = True, frame["key"]
        how = frame["resumed"]
        self.resumes[how] = self.resumes.get(how, 0) + 1
        if how == "new":
            self.session, self.epoch, self.seq, self.running = frame["session"], frame["epoch"], 0, None
        elif how == "replay":
            # What the client has is part of the new epoch too.
            self.epoch = frame["epoch"]
        else:
            # The new epoch means nothing beside the old seq: it counts from the snapshot on.
            self.pending = (frame["epoch"], [])
        self.last_seq = frame["last_seq"]
        self._note_progress()
        answers = [] if frame["screen_revision"] == self.revision else [self.screen()]
        again = list(self.unanswered.values())
        for ask in again:
            self.history.add("sent", ask)
        # Both are allowed: at once, or when what was missed is here.
        if how == "new" or self.rng.random() < 0.5:
            return answers + again
        self.delayed = again
        return answers + self._overdue()

    def _snapshot(self, frame):
        if self.pending is None:
            return []
        epoch, pages = self.pending
        pages.append(frame)
        if len(pages) < frame.get("parts", 1):
            return []
        self.pending, self.epoch, self.seq = None, epoch, frame["last_seq"]
        self.running = None
        for page in pages:
            for turn in page.get("turns", []):
                self._acknowledged(turn.get("re"), turn["turn"])
            if page.get("turn"):
                self.running = page["turn"]["turn"]
                self._acknowledged(page["turn"].get("re"), self.running)
        self._note_progress()
        return self._overdue()

    def _event(self, kind, frame):
        if kind in ("turn.start", "turn.end"):
            self._acknowledged(frame.get("re"), frame["turn"])
        if frame["seq"] <= self.seq or self.pending:
            return []
        self.seq = frame["seq"]
        if kind == "turn.start":
            self.running = frame["turn"]
        elif kind == "turn.end":
            self.running, self.ends = None, self.ends + 1
        self._note_progress()
        return self._overdue()

    def _acknowledged(self, ask, turn):
        self.unanswered.pop(ask, None)
        self.acked.setdefault(ask, turn)

    def _note_progress(self):
        self.caught_up = self.caught_up or (self.welcomed and not self.pending and self.seq >= self.last_seq)

    def _overdue(self):
        if not self.delayed or not self.caught_up:
            return []
        again, self.delayed = [ask for ask in self.delayed if ask["id"] in self.unanswered], None
        return again

    def _refusal(self, frame):
        code = frame["code"]
        self.refused[code] = self.refused.get(code, 0) + 1
        if code in ("rate_limited", "busy") and frame.get("re") in self.unanswered:
            self.retries.append((frame.get("retry_ms", 1_000) / 1_000, self.unanswered[frame["re"]]))
        elif code not in PASSING:
            self.unanswered.pop(frame.get("re"), None)

    # --- what a student does ---

    def screen(self):
        """The whole screen; the marker stands in the title and in every line."""
        elements = [
            {"id": f"l{number}", "type": "math", "content": f"{number}x + {self.revision} = 7 {self.history.marker}",
             "box": [0.1, 0.1 + 0.05 * number, 0.4, 0.04]} for number in range(1, self.lines + 1)]
        return {"type": "screen.snapshot", "revision": self.revision, "title": f"Task {self.history.marker}",
                "elements": elements}

    def change(self):
        """A delta that edits one line."""
        base, self.revision = self.revision, self.revision + 1
        return {"type": "screen.delta", "base": base, "revision": self.revision, "update": [
            {"id": f"l{self.rng.randint(1, self.lines)}", "content": f"{self.revision}x = 7 {self.history.marker}"}]}

    def ask(self, words, pause_ms):
        """A new question, kept until it is acknowledged."""
        self.asks += 1
        text = question(self.history.marker, self.asks, words, pause_ms)
        ask = {"type": "ask", "id": f"{self.history.name}-{self.asks}", "text": text}
        self.unanswered[ask["id"]] = ask
        self.history.add("sent", ask | {"hash": hashlib.sha256(text.encode()).hexdigest()[:16]})
        return ask

    def cancel(self):
        message = {"type": "cancel", "turn": self.running}
        self.history.add("sent", message)
        return message

    @property
    def is_settled(self):
        """Whether every question has been answered to its end."""
        return self.caught_up and not self.unanswered and self.running is None
