#!/usr/bin/env python3
"""A long life of a server: asks, deltas, lost sockets, sessions that come and go. Nothing may grow.

    soak.py [--minutes 30] [--sessions 60] [--kills 0]        make soak
    soak.py --fast                                            make soak-fast: 60 s

Sessions without a client leave memory after 20 s (fast: 3 s) and each student lives for about a minute (fast: 6 s), so
that a steady state comes soon. Samples every second, after a warm-up of 5 minutes (fast: 25 s): slope of RSS by least
squares, most descriptors, threads and bytes of the write-ahead log. Half an hour must show at most 0.2 MiB a minute.
A fast one cannot show that: its bound is 12 MiB a minute, which finds only what leaks with every turn or connection.
With kills the samples begin anew at each start, so only faults of the histories are judged.
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
from kill import kill_once  # noqa: E402
from report import ForeignLoad, keep, slope_per_minute, table  # noqa: E402

SLOPE, FAST_SLOPE, LOG_BYTES = 0.2, 12.0, 64 * 1_048_576


async def place(number, server, seed, life, is_over, tally):
    """One place in the class: a student after the other, each judged as it goes."""
    generation, rng = 0, random.Random(f"{seed}-{number}")
    while not is_over():
        generation += 1
        client = Client(f"p{number}.{generation}", server.port, seed, BareChannel, keep=500, live=True)
        client.start()
        end = time.monotonic() + life * rng.uniform(0.5, 1.5)
        await live(client, Habits(think=(0.3, 2.0), drop=0.03), lambda: is_over() or time.monotonic() > end)
        if not await settle([client], 60):
            client.judge.fault("did not settle")
        client.judge.finish()
        for name, value in client.judge.counts.items():
            tally[name] = tally.get(name, 0) + value
        tally["students"] = tally.get("students", 0) + 1
        if client.judge.faults:
            tally["faulty"].append(client)
        await client.finish()


async def trial(server, seed, seconds, warm_up, sessions, life, kills):
    over, tally, samples, rng = [False], {"faulty": []}, [], random.Random(seed)
    places = [asyncio.ensure_future(place(n, server, seed, life, lambda: over[0], tally)) for n in range(sessions)]
    counts = {"load": 0, "stopping": 0, "starting": 0}

    async def kill_now_and_then():
        while sum(counts.values()) < kills:
            await asyncio.sleep(rng.uniform(0.5, 1.5) * seconds / (kills + 1))
            await kill_once(server, rng, counts)

    killer = asyncio.ensure_future(kill_now_and_then())
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        await asyncio.sleep(1)
        now = time.monotonic() - begun
        try:
            samples.append((now, server.resident_bytes() / 1_048_576, server.descriptors(), server.threads(),
                            server.write_ahead_bytes()))
        except (OSError, StopIteration):
            continue
    killer.cancel()
    over[0] = True
    await asyncio.gather(*places)
    await asyncio.sleep(3)
    return tally, [sample for sample in samples if sample[0] >= warm_up], samples, server.descriptors(), sum(counts.values())


def run(seed, minutes=30.0, sessions=60, kills=0, fast=False):
    print(f"seed {seed}", flush=True)
    seconds, warm_up, life, memory = (60, 25, 6, 3_000) if fast else (minutes * 60, min(300, minutes * 20), 60, 20_000)
    with tempfile.TemporaryDirectory() as folder, Model() as model, \
            TrialServer(folder, session_memory_ms=memory, **model.settings) as server:
        load = ForeignLoad(lambda: (server.process.pid, model.process.pid))
        idle = server.settled_descriptors()
        tally, samples, every, after, killed = asyncio.run(
            trial(server, seed, seconds, warm_up, sessions, life, kills))
        faulty = tally.pop("faulty")
        faults = [fault for client in faulty for fault in client.judge.faults]
        slope = slope_per_minute([(sample[0], sample[1]) for sample in samples])
        half = len(samples) // 2
        threads = sorted({sample[3] for sample in samples})
        most = [max(sample[2] for sample in part) for part in (samples[:half], samples[half:])]
        log = max(sample[4] for sample in every)
        if not killed:
            if slope > (FAST_SLOPE if fast else SLOPE):
                faults.append(f"RSS grows by {slope:.2f} MiB a minute")
            if threads[-1] - threads[0] > 1:
                faults.append(f"threads between {threads[0]} and {threads[-1]}")
            # Students and their calls are as many in both halves, but for chance; afterwards all is given back.
            if most[1] > most[0] + sessions // 2 + 10:
                faults.append(f"descriptors grow: {most[0]}, then {most[1]}")
            if after > idle + 70:
                faults.append(f"{after} descriptors when all have gone, {idle} at first")
        if log > LOG_BYTES:
            faults.append(f"the write-ahead log had {log} bytes")
        if faults:
            keep("soak", seed, faulty, folder, faults)
        table(f"Soak, seed {seed}", [
            ["seconds; sessions at once; students", f"{seconds:.0f}; {sessions}; {tally['students']}"],
            ["asks; events; resumes by replay; by snapshot",
             f"{tally['asks']}; {tally['events']}; {tally['replay']}; {tally['snapshot']}"],
            ["RSS slope after the warm-up, MiB/min", f"{slope:.3f} (bound {FAST_SLOPE if fast else SLOPE})"],
            ["RSS at the warm-up's end; at the end, MiB", f"{samples[0][1]:.1f}; {samples[-1][1]:.1f}"],
            ["descriptors at first; most in each half; at the end", f"{idle}; {most[0]}, {most[1]}; {after}"],
            ["threads", f"{threads[0]} to {threads[-1]}"],
            ["write-ahead log, most MiB", f"{log / 1_048_576:.1f} (bound 64)"],
            ["kills", killed],
            ["faults", len(faults)],
            ["cores used by others", f"{load.cores():.2f}"]])
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--sessions", type=int, default=60)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    arguments = parser.parse_args()
    sys.exit(1 if run(arguments.seed, arguments.minutes, arguments.sessions, arguments.kills, arguments.fast) else 0)


if __name__ == "__main__":
    main()
