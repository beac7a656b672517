"""A client that does its duties over real sockets and comes back as the protocol asks."""

import asyncio
import json
import random
import time

from channels import LibraryChannel, Refused
from checker import Judge
from duties import COME_BACK, Duties
from history import History
from markers_of import new_marker


class Client:
    """One student of a trial. `start()` connects; `go_on` false ends it at the next close.

    Pauses between attempts grow and are wholly random (full jitter), from `base` to `cap` seconds. Trials use shorter
    ones than a client should (docs/protocol.md), since they have less time.
    """

    def __init__(self, name, port, seed, channel=LibraryChannel, base=0.05, cap=1.0, keep=None, live=False,
                 knows_model=True):
        self.rng = random.Random(f"{seed}-{name}")
        marker = new_marker(self.rng)
        self.judge = Judge(name, knows_model)
        self.history = History(name, marker, keep, self.judge if live else None)
        self.duties = Duties(self.history, self.rng)
        self.name, self.port, self.kind, self.base, self.cap, self.live = name, port, channel, base, cap, live
        self.channel, self.go_on, self.attempts, self.lost_at = None, True, 0, None
        self.codes, self.received_bytes, self.on_frame, self.task, self.receive_buffer = {}, 0, None, None, None
        self.first_pause = 0

    def start(self):
        self.task = asyncio.ensure_future(self._connect(self.first_pause))

    async def _connect(self, pause):
        if pause:
            await asyncio.sleep(pause)
        while self.go_on:
            try:
                channel = await self.kind.open(self, self.port, self.receive_buffer)
            except Refused as refusal:
                # Spread behind what the server asks for.
                await asyncio.sleep(refusal.wait + self._pause())
                continue
            except (OSError, EOFError, TimeoutError, asyncio.TimeoutError, Exception) as error:  # noqa: B014
                if isinstance(error, asyncio.CancelledError):
                    raise
                await asyncio.sleep(self._pause())
                continue
            self.channel = channel
            self.history.add("open")
            self.send(self.duties.hello())
            return

    def _pause(self):
        self.attempts += 1
        return self.rng.uniform(0, min(self.cap, self.base * 2 ** min(self.attempts, 10)))

    def send(self, message):
        if self.channel:
            self.channel.send(json.dumps(message))

    def on_text(self, text):
        self.received_bytes += len(text)
        for answer in self.duties.receive(text):
            self.send(answer)
        for wait, ask in self.duties.retries:
            asyncio.get_running_loop().call_later(wait, self._retry, ask)
        self.duties.retries.clear()
        if self.duties.caught_up:
            self.attempts = 0
        if self.on_frame:
            self.on_frame(text)

    def _retry(self, ask):
        if ask["id"] in self.duties.unanswered and self.duties.welcomed and self.channel:
            self.history.add("sent", ask)
            self.send(ask)

    def on_lost(self, code):
        self.channel = None
        self.codes[code] = self.codes.get(code, 0) + 1
        self.history.add("lost", code)
        self.lost_at = time.monotonic()
        self.duties.caught_up = self.duties.welcomed = False
        if not self.go_on:
            return
        if code not in COME_BACK:
            self.judge.fault(f"closed with {code}, after which a client may not come back")
            self.go_on = False
            return
        bye = self.duties.bye
        pause = bye["in_ms"] / 1_000 if bye else self._pause()
        self.task = asyncio.ensure_future(self._connect(pause))

    def drop(self):
        if self.channel:
            self.channel.drop()

    async def finish(self):
        self.go_on = False
        if self.task:
            self.task.cancel()
        if self.channel:
            self.channel.close(1000)
            await asyncio.sleep(0)

    # --- judging ---

    def verdict(self):
        """The faults of what has come so far; the history is judged now unless it was judged live."""
        if not self.live:
            for _, _, kind, data in self.history.entries:
                self.judge.see(kind, data)
            self.live = True
        return self.judge

    async def audit(self, timeout=20):
        """Asks for the whole session again, from seq 0, and holds the view against it."""
        judge, duties = self.verdict(), self.duties
        if not duties.session:
            return judge
        judge.finish()
        auditor = Client(self.name, self.port, "audit", self.kind, live=True, knows_model=judge.knows_model)
        auditor.judge.asks = dict(judge.asks)
        auditor.history.marker = self.history.marker
        auditor.duties.revision = -1
        auditor.duties.session, auditor.duties.key = duties.session, duties.key
        auditor.duties.epoch, auditor.duties.seq = duties.epoch, 0
        auditor.judge.session = duties.session
        self.go_on = False
        self.drop()
        auditor.duties.screen = lambda: {"type": "ping"}
        auditor.start()
        deadline = time.monotonic() + timeout
        while not auditor.duties.caught_up and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        if not auditor.duties.caught_up:
            judge.fault("no full replay came")
        judge.faults += auditor.judge.faults
        judge.audited = {how: n for how, n in auditor.duties.resumes.items()}
        duties.key = auditor.duties.key
        await auditor.finish()
        return judge if judge.faults else (judge.compare(auditor.judge), judge)[1]


async def settle(clients, seconds):
    """Waits until every question of every client is answered; whether it came."""
    deadline = time.monotonic() + seconds
    while not all(client.duties.is_settled for client in clients):
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.05)
    return True
