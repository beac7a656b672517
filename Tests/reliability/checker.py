"""The history checker: what a client saw must be what one server, that never lost a word, could have sent.

It knows no server. From a client's entries alone it proves, or names what breaks it:

- an acknowledged ask (its `turn.start` was seen) is never lost: its `turn.end` comes, once;
- no ask runs twice, over all epochs;
- events come in order and without gaps, unless a `session.snapshot` was announced and came;
- a turn's `answer` is its pieces joined, and, of a turn that is done, what the model said;
- what comes again is what came before; a snapshot agrees with what is known;
- no byte of another session.
"""

from markers_of import answer_to


class Turn:
    """One turn as far as the client knows it."""

    def __init__(self, ask, start_seq):
        self.ask, self.start_seq, self.text, self.marks = ask, start_seq, "", {}
        self.end_seq = self.status = self.reason = None
        # Out of reach of the last snapshot: nothing more can be known of it.
        self.is_out_of_reach = False


class Judge:
    """Sees the entries of one client in order and keeps what is wrong in `faults`, at most 20."""

    def __init__(self, name, knows_model=True):
        self.name, self.knows_model, self.faults = name, knows_model, []
        self.asks, self.turn_of, self.refused = {}, {}, set()
        self.session = self.epoch = self.welcome = None
        self.is_degraded = False
        self.counts = {"asks": 0, "events": 0, "repeated": 0, "replay": 0, "snapshot": 0, "new": 0, "turns": 0}
        self._begin_session()

    def _begin_session(self):
        self.have, self.turns, self.log, self.active = 0, {}, {}, None
        self.pages, self.firm, self.changed_epoch = None, 0, False

    def fault(self, text):
        if len(self.faults) < 20:
            self.faults.append(f"{self.name}: {text}")

    def see(self, kind, data):
        if kind == "got":
            self._got(data)
        elif kind == "sent" and data["type"] == "ask":
            if self.asks.setdefault(data["id"], data["text"]) != data["text"]:
                self.fault(f"the client used id {data['id']} twice")
            self.counts["asks"] = len(self.asks)
        elif kind == "foreign":
            self.fault(f"received a marker of another session: {data}")
        elif kind in ("open", "lost"):
            self.welcome, self.pages = None, None

    def _got(self, frame):
        kind = frame["type"]
        if "seq" in frame:
            self._event(kind, frame)
        elif kind == "welcome":
            self._welcome(frame)
        elif kind == "session.snapshot":
            self._page(frame)
        elif kind == "error":
            if frame["code"] == "storage_degraded":
                self.is_degraded = True
            elif frame.get("re") in self.asks and frame["code"] not in ("rate_limited", "busy"):
                self.refused.add(frame["re"])

    # --- connections ---

    def _welcome(self, frame):
        how = frame["resumed"]
        self.counts[how] += 1
        if self.welcome:
            self.fault("two welcomes on a connection")
        if how == "new":
            if self.turns and not self.is_degraded:
                self.fault(f"session {self.session} lost ({frame['why']}) with {len(self.turns)} acknowledged asks")
            self._begin_session()
            self.session = frame["session"]
        elif frame["session"] != self.session:
            self.fault(f"resumed as {frame['session']}, was {self.session}")
        elif how == "replay" and frame["last_seq"] < self.have:
            self.fault(f"silent step back: replay up to {frame['last_seq']}, the client has {self.have}")
        self.pages = [] if how == "snapshot" else None
        self.changed_epoch = frame["epoch"] != self.epoch
        if how != "snapshot":
            self.epoch = frame["epoch"]
        self.welcome, self.is_degraded = frame, False

    def _page(self, frame):
        if self.pages is None:
            return self.fault("a snapshot that was not announced")
        self.pages.append(frame)
        if len(self.pages) == frame.get("parts", 1):
            pages, self.pages = self.pages, None
            self._snapshot(pages)

    def _snapshot(self, pages):
        last = pages[0]["last_seq"]
        ended = [turn for page in pages for turn in page.get("turns", [])]
        running = [page["turn"] for page in pages if page.get("turn")]
        if last < self.have and not self.changed_epoch:
            self.fault(f"snapshot of {last} within an epoch, the client has {self.have}")
        self.epoch = self.welcome["epoch"]
        # What came behind the newest acknowledged ask may have been lost with the old epoch, and something else may
        # stand in its place by now.
        firm = max((turn.start_seq or 0 for turn in self.turns.values()), default=0)
        if firm > last and not self.is_degraded:
            self.fault(f"an acknowledged ask was lost: it began at {firm}, the snapshot ends at {last}")
        self.firm = min(firm, last) if self.changed_epoch else last
        for seq in [seq for seq in self.log if seq > self.firm]:
            del self.log[seq]
        for turn in self.turns.values():
            if turn.end_seq and turn.end_seq > self.firm:
                turn.end_seq = turn.status = turn.reason = None
            turn.marks = {}
        named = set()
        for item in ended:
            named.add(item["turn"])
            self._adopt(item, item["answer"])
            turn = self.turns[item["turn"]]
            if turn.end_seq and (turn.status, turn.reason) != (item["status"], item["reason"]):
                self.fault(f"snapshot says {item['status']} of {item['turn']}, was {turn.status}")
            turn.end_seq, turn.status, turn.reason = turn.end_seq or last, item["status"], item["reason"]
            self._judge_answer(turn, item["answer"])
        self.active = None
        if running:
            self.active = running[0]["turn"]
            named.add(self.active)
            self._adopt(running[0], "".join(part["text"] for part in running))
            if self.turns[self.active].end_seq:
                self.fault(f"snapshot says that {self.active} runs, which is over")
        oldest = min((number_of(item["turn"]) for item in ended), default=None)
        for name, turn in self.turns.items():
            if name in named or turn.end_seq:
                continue
            if oldest is not None and number_of(name) < oldest:
                turn.is_out_of_reach = True
            else:
                self.fault(f"acknowledged ask {turn.ask} is not in the snapshot")
        self.have = last

    def _adopt(self, item, text):
        """Takes a turn of a snapshot into the view, if it agrees with what is known."""
        turn = self.turns.get(item["turn"])
        if turn is None:
            turn = self.turns[item["turn"]] = Turn(item.get("re"), None)
            self._bind(item.get("re"), item["turn"])
        elif turn.ask != item.get("re"):
            self.fault(f"{item['turn']} answers {item.get('re')}, was {turn.ask}")
        agrees = text.startswith(turn.text) or (self.changed_epoch and turn.text.startswith(text))
        if turn.end_seq:
            agrees = text == turn.text
        if not agrees:
            self.fault(f"snapshot's text of {item['turn']} does not go on from what is known")
        turn.text = text

    # --- events ---

    def _event(self, kind, frame):
        self.counts["events"] += 1
        seq, first = frame["seq"], frame.get("from_seq", frame["seq"])
        if not self.welcome:
            return self.fault(f"event {seq} before the welcome")
        if self.pages is not None:
            return self.fault(f"event {seq} before the announced snapshot")
        if seq <= self.have:
            self.counts["repeated"] += 1
            return self._repeated(kind, frame, first)
        if first > self.have + 1:
            self.fault(f"gap without a snapshot: {first} after {self.have}")
        elif first <= self.have:
            self.fault(f"overlap: {first} to {seq}, the client has {self.have}")
        self.have = seq
        self._apply(kind, frame)
        if kind != "answer.delta":
            self.log[seq] = frame

    def _apply(self, kind, frame):
        name, seq = frame.get("turn"), frame["seq"]
        if kind == "turn.start":
            self.counts["turns"] += 1
            if self.active:
                self.fault(f"{name} begins while {self.active} runs")
            if name in self.turns:
                return self.fault(f"two starts of {name}")
            self.turns[name], self.active = Turn(frame.get("re"), seq), name
            self.turns[name].marks[seq] = 0
            return self._bind(frame.get("re"), name)
        if kind not in ("answer.delta", "highlight", "next_action", "turn.end"):
            return None
        turn = self.turns.get(name)
        if turn is None or name != self.active:
            return self.fault(f"{kind} {seq} of {name}, which does not run")
        if kind == "answer.delta":
            turn.text += frame["text"]
        elif kind != "turn.end" and frame["at"] != len(turn.text):
            self.fault(f"{kind} {seq} at {frame['at']}, the text has {len(turn.text)}")
        turn.marks[seq] = len(turn.text)
        if kind == "turn.end":
            self.active, turn.end_seq, turn.status, turn.reason = None, seq, frame["status"], frame["reason"]
            if frame["answer"] != turn.text:
                self.fault(f"answer of {name} is not its pieces joined")
            if frame.get("re") != turn.ask:
                self.fault(f"end of {name} answers {frame.get('re')}, its start {turn.ask}")
            self._judge_answer(turn, frame["answer"])
        return None

    def _bind(self, ask, name):
        if ask not in self.asks:
            return self.fault(f"{name} answers {ask}, which was never asked")
        before = self.turn_of.setdefault(ask, (self.session, name))
        if before != (self.session, name):
            self.fault(f"ask {ask} ran twice: {before[1]} and {name}")
        return None

    def _judge_answer(self, turn, answer):
        expected = self.knows_model and answer_to(self.asks.get(turn.ask, ""))
        if not expected:
            return
        said = expected[0]
        whole = turn.status == "done" and turn.reason is None
        if (answer.strip() != said) if whole else not said.startswith(answer.strip()):
            self.fault(f"answer to {turn.ask} ({turn.status}) is not what the model said: {answer[:80]!r}")

    def _repeated(self, kind, frame, first):
        """An event that the client has already: it must be the same one."""
        known = self.log.get(frame["seq"])
        if known and without_re(known) != without_re(frame):
            return self.fault(f"event {frame['seq']} came again changed")
        turn = self.turns.get(frame.get("turn"))
        if kind == "answer.delta" and turn:
            begin, end = turn.marks.get(first - 1), turn.marks.get(frame["seq"])
            if known or (None not in (begin, end) and turn.text[begin:end] != frame["text"]):
                self.fault(f"event {frame['seq']} came again changed")
        return None

    # --- the end ---

    def finish(self):
        """After the load: nothing may be open."""
        if self.welcome and self.have < self.welcome["last_seq"]:
            self.fault(f"promised up to {self.welcome['last_seq']}, came up to {self.have}")
        for name, turn in self.turns.items():
            if not turn.end_seq and not turn.is_out_of_reach:
                self.fault(f"acknowledged ask {turn.ask} ({name}) lost: no end")
        for ask in self.asks:
            if ask not in self.turn_of and ask not in self.refused:
                self.fault(f"ask {ask} was never answered")
        return self.faults

    def compare(self, replay):
        """Holds the view against a full replay, judged by another `Judge`."""
        for name, turn in self.turns.items():
            other = replay.turns.get(name)
            if other is None:
                # A snapshot instead of a replay tells only of the last few turns.
                if not replay.counts["snapshot"]:
                    self.fault(f"acknowledged ask {turn.ask} is not in a full replay")
            elif not turn.is_out_of_reach and (
                (turn.ask, turn.status, turn.reason, turn.text)
                != (other.ask, other.status, other.reason, other.text)
            ):
                self.fault(f"{name} differs from a full replay: {turn.status}, {len(turn.text)} characters; "
                           f"{other.status}, {len(other.text)}")
        for name in replay.turns:
            if name not in self.turns:
                self.fault(f"a full replay has {name}, which the client never saw")
        return self.faults


def number_of(turn):
    return int(str(turn).lstrip("t") or 0)


def without_re(frame):
    return {name: value for name, value in frame.items() if name not in ("re", "from_seq")}


def judge(history, knows_model=True):
    """Judges a whole history."""
    found = Judge(history.name, knows_model)
    for _, _, kind, data in history.entries:
        found.see(kind, data)
    return found
