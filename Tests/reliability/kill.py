#!/usr/bin/env python3
"""Kills the server at random moments under load, and proves that nothing acknowledged was lost, doubled or reordered.

    kill.py --kills 200 --sessions 40 [--seed 1] [--builtin]

Moments: anywhere under load (often within a commit), while it starts, and within its orderly stop, where it does its
last checkpoint. The same port and data folder are used again each time.
"""

import argparse
import asyncio
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from launch import Model, TrialServer  # noqa: E402
from channels import BareChannel, LibraryChannel  # noqa: E402
from client import Client, settle  # noqa: E402
from habits import Habits, live  # noqa: E402
from report import ForeignLoad, keep, table  # noqa: E402


async def kill_once(server, rng, counts):
    """One kill; the server is up again behind it."""
    draw = rng.random()
    if draw < 0.15:
        server.process.send_signal(signal.SIGTERM)
        await asyncio.sleep(rng.uniform(0, 0.4))
        counts["stopping"] += 1
    else:
        counts["load"] += 1
    server.kill()
    while True:
        server.spawn()
        if rng.random() < 0.25:
            await asyncio.sleep(rng.uniform(0, 0.12))
            counts["starting"] += 1
            server.kill()
            continue
        await asyncio.get_running_loop().run_in_executor(None, server.wait_ready)
        return


async def trial(server, clients, kills, rng, gap):
    """The load, the kills, the quiet after them and the judging; the figures."""
    over, counts = [False], {"load": 0, "stopping": 0, "starting": 0}
    for client in clients:
        client.start()
    lives = [asyncio.ensure_future(live(client, Habits(), lambda: over[0])) for client in clients]
    await asyncio.sleep(2)
    begun = time.monotonic()
    while sum(counts.values()) < kills:
        await asyncio.sleep(rng.uniform(*gap))
        await kill_once(server, rng, counts)
    over[0] = True
    await asyncio.gather(*lives)
    seconds = time.monotonic() - begun
    settled = await settle(clients, 40)
    faults = [] if settled else [f"{c.name}: not settled: {list(c.duties.unanswered)}, {c.duties.running}"
                                 for c in clients if not c.duties.is_settled]
    judges = [await client.audit() for client in clients]
    faults += [fault for judge in judges for fault in judge.faults]
    total = {name: sum(judge.counts[name] for judge in judges) for name in judges[0].counts}
    ends = [turn for judge in judges for turn in judge.turns.values()]
    total["restarted"] = sum(turn.reason == "restarted" for turn in ends)
    total["done"] = sum(turn.status == "done" for turn in ends)
    total["degraded"] = sum(c.duties.refused.get("storage_degraded", 0) for c in clients)
    return faults, total, counts, seconds


def run(kills, sessions, seed, gap=(0.3, 3.0), builtin=False):
    """One trial; its faults, after the table is printed."""
    rng = random.Random(seed)
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, Model() as model:
        settings = {"model": "builtin", "builtin_pause_ms": 25} if builtin else model.settings
        server = TrialServer(folder, store_wait_ms=60_000, **settings)
        if not server.keeps:
            raise SystemExit("this server keeps nothing on disk")
        load = ForeignLoad(lambda: (model.process.pid,))
        with server:
            # Every fourth client is of the library, the others are of bare sockets.
            clients = [Client(f"c{n}", server.port, seed, LibraryChannel if n % 4 == 0 else BareChannel,
                              knows_model=not builtin) for n in range(sessions)]
            faults, total, counts, seconds = asyncio.run(trial(server, clients, kills, rng, gap))
            if faults:
                keep("kill", seed, clients, folder, faults)
        table(f"Kills, seed {seed}", [
            ["kills: under load / while stopping / while starting", " / ".join(map(str, counts.values()))],
            ["sessions; seconds", f"{sessions}; {seconds:.0f}"],
            ["asks; turns seen to begin", f"{total['asks']}; {total['turns']}"],
            ["turns done; ended `restarted`", f"{total['done']}; {total['restarted']}"],
            ["events; of these received again", f"{total['events']}; {total['repeated']}"],
            ["resumed by replay; snapshot; new sessions", f"{total['replay']}; {total['snapshot']}; {total['new']}"],
            ["`storage_degraded`", total["degraded"]],
            ["lost, doubled, out of order, foreign", len(faults)],
            ["cores used by others (servers that were killed count as others)", f"{load.cores():.2f}"],
        ])
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    parser.add_argument("--builtin", action="store_true", help="the built-in tutor instead of a scripted endpoint")
    arguments = parser.parse_args()
    sys.exit(1 if run(arguments.kills, arguments.sessions, arguments.seed, builtin=arguments.builtin) else 0)


if __name__ == "__main__":
    main()
