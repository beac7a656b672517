#!/usr/bin/env python3
"""Sessions with unique markers in every screen and question: no byte of one reaches another.

    markers.py [--sessions 1000] [--seconds 40]

The model names every marker that stands in a prompt, so that a screen which leaks into another session's prompt is
found too. Sockets are dropped and sessions resumed meanwhile, since objects are used again then.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from launch import Model, TrialServer  # noqa: E402
from channels import BareChannel  # noqa: E402
from client import Client, settle  # noqa: E402
from habits import Habits, live  # noqa: E402
from report import ForeignLoad, keep, table  # noqa: E402
from storm import arrive  # noqa: E402

HABITS = Habits(think=(1, 6), words=(3, 12), pause_ms=(0, 30), supersede=0.05, cancel=0.05, change=0.5, drop=0.08)


async def trial(server, seed, sessions, seconds):
    clients = [Client(f"m{n}", server.port, seed, BareChannel, base=0.2) for n in range(sessions)]
    faults = [] if await arrive(clients) else ["not all clients got in"]
    end = time.monotonic() + seconds
    await asyncio.gather(*(live(client, HABITS, lambda: time.monotonic() > end) for client in clients))
    if not await settle(clients, 60):
        faults.append("answers did not end")
    for client in clients:
        judge = client.verdict()
        judge.finish()
        faults += judge.faults
        await client.finish()
    return clients, faults


def run(seed, sessions=1000, seconds=40):
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, Model() as model, \
            TrialServer(folder, **model.settings) as server:
        load = ForeignLoad(lambda: (server.process.pid, model.process.pid))
        clients, faults = asyncio.run(trial(server, seed, sessions, seconds))
        if faults:
            keep("markers", seed, clients[:100], folder, faults)
        table(f"Markers, seed {seed}", [
            ["sessions; questions", f"{sessions}; {sum(c.judge.counts['asks'] for c in clients)}"],
            ["connections", sum(c.history.connection for c in clients)],
            ["characters searched", f"{sum(c.received_bytes for c in clients):,}"],
            ["foreign markers and other faults", len(faults)],
            ["cores used by others", f"{load.cores():.2f}"]])
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    arguments = parser.parse_args()
    sys.exit(1 if run(arguments.seed, arguments.sessions, arguments.seconds) else 0)


if __name__ == "__main__":
    main()
