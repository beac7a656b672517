#!/usr/bin/env python3
"""Readers that stop reading, beside readers that do not.

    stalled.py [--readers 200 --stalled 20] [--seconds 12]

One server, no data folder. All connect; the readers stream words that carry the model's clock. First an undisturbed
window, with those that will stall connected and idle. Then these ask for long answers, one after the other, and do not
read (SO_RCVBUF 4 KiB, socket not polled): four questions a second for 5 s, each with an answer of 48 KiB, nearly 1 MiB in
all. Then they ask no more, and a second window is measured while they stay stuck.

Memory of a stalled reader: (highest RSS while they stall - RSS at the end of the first window - what RSS grew in the
first window, scaled to the same time) / stalled readers; RSS from smaps_rollup every 0.2 s. It counts everything: socket
buffers of the kernel not, but logs, queues, the model's connections and the allocator's waste.
CPU per delivered event: utime + stime of the server over the events that the others received in a window. Latency: from
the model's write to the client's read, 99th percentile of a window.
"""

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from launch import HERE, TrialServer  # noqa: E402
from channels import BareChannel  # noqa: E402
from client import Client  # noqa: E402
from report import ForeignLoad, keep, percentile, table  # noqa: E402
from storm import arrive  # noqa: E402

MOST_BYTES, MOST_CPU, MOST_TIMES, MOST_LATE = 1.25 * 1_048_576, 1.10, 2.0, 0.050
STAMP = re.compile(r"@(\d+)")


class Staller(BareChannel):
    """Takes no byte after `stall()`; it still sends."""

    def stall(self):
        self.transport.pause_reading()


class Window:
    """What the readers get between two moments."""

    def __init__(self):
        self.events, self.late = 0, []

    def frame(self, text):
        if '"answer.delta"' in text:
            self.events += 1
            now = time.monotonic()
            self.late += [now - int(stamp) / 1e6 for stamp in STAMP.findall(text)]


async def measure(server, window, seconds, memory):
    window.events, window.late = 0, []
    cpu, end = server.cpu_seconds(), time.monotonic() + seconds
    while time.monotonic() < end:
        await asyncio.sleep(0.2)
        memory.append(server.resident_bytes())
    return (server.cpu_seconds() - cpu) / max(window.events, 1), percentile(window.late, 0.99), window.events


async def trial(server, seed, readers, stalled, seconds):
    window = Window()
    steady = [Client(f"r{n}", server.port, seed, BareChannel, keep=10, live=True, knows_model=False)
              for n in range(readers)]
    slow = [Client(f"s{n}", server.port, seed, Staller, keep=10, live=True, knows_model=False) for n in range(stalled)]
    for client in slow:
        client.receive_buffer = 4_096
    if not await arrive(steady + slow):
        return ["not all clients got in"], {}
    for client in steady:
        client.on_frame = window.frame
        client.send(client.duties.ask(1, 0))
    over = [False]

    async def ask_again():
        while not over[0]:
            await asyncio.sleep(0.2)
            for client in steady:
                if client.duties.is_settled and client.channel:
                    client.send(client.duties.ask(1, 0))

    asker = asyncio.ensure_future(ask_again())
    await asyncio.sleep(4)
    memory = [server.resident_bytes()]
    first_cpu, first_late, first_events = await measure(server, window, seconds, memory)
    base, growth = memory[-1], max(0, memory[-1] - memory[0]) / seconds
    codes_before = [dict(client.codes) for client in slow]
    memory, begun = [], time.monotonic()
    for client in slow:
        client.channel.stall()

    async def press():
        """Each asks for the next answer when the last one is long enough on its way."""
        while not over[0]:
            for client in slow:
                if client.channel:
                    client.channel.send(json.dumps({
                        "type": "ask", "id": f"x{client.name}-{client.rng.getrandbits(40)}", "text": "long"}))
            await asyncio.sleep(0.25)

    presser = asyncio.ensure_future(press())
    await measure(server, window, 5, memory)
    # From here on they only wait: what they cost now is the waiting.
    presser.cancel()
    await asyncio.sleep(3)
    second_cpu, second_late, events = await measure(server, window, seconds, memory)
    took = time.monotonic() - begun
    over[0] = True
    await asker
    each = (max(memory) - base - growth * took) / stalled
    closed = sum(client.codes != before for client, before in zip(slow, codes_before))
    faults = [fault for client in steady for fault in client.judge.faults]
    for name, value, most in (("memory of a stalled reader", each, MOST_BYTES),
                              ("CPU an event", second_cpu / first_cpu, MOST_CPU),
                              ("p99", second_late, max(MOST_TIMES * first_late, MOST_LATE))):
        if value > most:
            faults.append(f"{name}: {value:.6g}, more than {most:.6g}")
    for client in steady + slow:
        client.go_on = False
        client.drop()
    await asyncio.sleep(0.5)
    return faults, {"each": each / 1_048_576, "base": base / 1_048_576, "growth": growth / 1_048_576 * 60,
                    "cpu": (first_cpu * 1e6, second_cpu * 1e6), "late": (first_late * 1e3, second_late * 1e3),
                    "events": (first_events, events), "closed": closed}


def run(seed, readers=200, stalled=20, seconds=12):
    print(f"seed {seed}", flush=True)
    model = subprocess.Popen([sys.executable, str(HERE / "clock_model.py")], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True)
    port = int(model.stdout.readline())
    try:
        with tempfile.TemporaryDirectory() as folder, TrialServer(
            # Stuck readers stay for the second window; when they are let go is another test's matter.
            folder, data="", stuck_ms=60_000, model="openai", model_base_url=f"http://127.0.0.1:{port}/v1",
            model_name="clock",
        ) as server:
            load = ForeignLoad(lambda: (server.process.pid, model.pid))
            faults, found = asyncio.run(trial(server, seed, readers, stalled, seconds))
            if faults:
                keep("stalled", seed, [], folder, faults)
            cores = load.cores()
    finally:
        model.stdin.close()
        model.wait(10)
    if found:
        table(f"Stalled readers, seed {seed}", [
            ["readers; stalled", f"{readers}; {stalled}"],
            ["memory of a stalled reader, MiB (bound 1.25)", f"{found['each']:.2f}"],
            ["RSS before, MiB; its growth in the first window, MiB/min", f"{found['base']:.1f}; {found['growth']:.2f}"],
            ["CPU an event of the others, us: undisturbed; beside stalled ones (bound +10 %)",
             f"{found['cpu'][0]:.1f}; {found['cpu'][1]:.1f} ({100 * (found['cpu'][1] / found['cpu'][0] - 1):+.1f} %)"],
            ["p99 of the others, ms: undisturbed; beside stalled ones (bound twice or 50)",
             f"{found['late'][0]:.1f}; {found['late'][1]:.1f}"],
            ["events in the windows", f"{found['events'][0]}; {found['events'][1]}"],
            ["stalled readers that were closed meanwhile", found["closed"]],
            ["faults", len(faults)],
            ["cores used by others", f"{cores:.2f}"]])
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--stalled", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    arguments = parser.parse_args()
    sys.exit(1 if run(arguments.seed, arguments.readers, arguments.stalled, arguments.seconds) else 0)


if __name__ == "__main__":
    main()
