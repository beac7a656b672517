#!/usr/bin/env python3
"""Crowds that come back at once, and a server that is replaced under load.

    storm.py [--sockets 2000 --streaming 500] [--drain-sessions 500 --in-flight 100] [--only storm|drain]

Storm: all sockets are dropped at once while some stream; each comes back within its first pause of up to half a second
and must have all that it missed. Drain: SIGTERM while answers are in flight, the next process on the same data folder as
soon as the first has ended; every answer must be whole.
"""

import argparse
import asyncio
import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from launch import TrialServer  # noqa: E402
from channels import BareChannel  # noqa: E402
from client import Client, settle  # noqa: E402
from report import ForeignLoad, keep, percentile, table  # noqa: E402

STORM_SECONDS = 8


def script(folder, pieces, pause_ms):
    """A recorded stream for the scripted model: the server plays it itself, so that no endpoint takes part."""
    path = Path(folder) / "stream.jsonl"
    with path.open("w") as file:
        for number in range(pieces):
            file.write(json.dumps({"text": f"w{number} "}) + "\n" + json.dumps({"pause_ms": pause_ms}) + "\n")
    return {"model": "scripted", "model_script": str(path)}


async def until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.02)
    return True


async def arrive(clients, rate=300):
    """Brings clients in at a rate, so that the beginning is no storm."""
    for number, client in enumerate(clients):
        client.start()
        if number % 10 == 9:
            await asyncio.sleep(10 / rate)
    return await until(lambda: all(c.duties.caught_up for c in clients), 60)


async def judged(clients, every=1):
    """Faults of the clients; each `every`th is held against a full replay too."""
    faults = []
    for number, client in enumerate(clients):
        judge = await client.audit() if number % every == 0 else client.verdict()
        if number % every:
            judge.finish()
        faults += judge.faults
    return faults


async def storm(server, seed, sockets, streaming):
    clients = [Client(f"c{n}", server.port, seed, BareChannel, base=0.25, knows_model=False) for n in range(sockets)]
    if not await arrive(clients):
        return clients, ["not all clients got in"], {}
    for client in clients[:streaming]:
        client.send(client.duties.ask(1, 0))
    await until(lambda: all(c.duties.running for c in clients[:streaming]), 20)
    await asyncio.sleep(2)
    before = {c.name: c.duties.seq for c in clients}
    back = {}
    dropped = time.monotonic()
    for client in clients:
        client.drop()

    def note():
        now = time.monotonic() - dropped
        for client in clients:
            if client.name not in back and client.duties.caught_up:
                back[client.name] = now
        return len(back) == len(clients)

    await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    await until(note, 60)
    figures = {"back": list(back.values()), "seconds": time.monotonic() - dropped,
               "how": {how: sum(c.duties.resumes.get(how, 0) for c in clients) for how in ("replay", "snapshot", "new")},
               "missed": sum(c.duties.seq - before[c.name] for c in clients[:streaming])}
    faults = [f"{c.name}: not back" for c in clients if c.name not in back]
    if not faults and max(back.values()) > STORM_SECONDS:
        faults.append(f"the last was back after {max(back.values()):.1f} s, over {STORM_SECONDS} s")
    new = figures["how"]["new"] - len(clients)
    if new:
        faults.append(f"{new} sessions began anew")
    if not await settle(clients, 90):
        faults.append("answers did not end")
    faults += await judged(clients, every=20)
    return clients, faults, figures


async def drain(server, seed, sessions, in_flight):
    clients = [Client(f"d{n}", server.port, seed, BareChannel, base=0.1, knows_model=False) for n in range(sessions)]
    if not await arrive(clients):
        return clients, ["not all clients got in"], {}
    # Everybody has an answer to lose: a session in which nothing was asked is not kept on disk.
    for client in clients:
        client.send(client.duties.ask(1, 0))
    if not await settle(clients, 60):
        return clients, ["the first answers did not end"], {}
    for client in clients[:in_flight]:
        client.send(client.duties.ask(1, 0))
    await until(lambda: all(c.duties.running for c in clients[:in_flight]), 20)
    await asyncio.sleep(1)
    loop = asyncio.get_running_loop()
    begun = time.monotonic()
    code, seconds = await loop.run_in_executor(None, server.stop)
    await loop.run_in_executor(None, server.start)
    away = time.monotonic() - begun
    faults = [] if code == 0 else [f"exit code {code}"]
    if seconds > 30:
        faults.append(f"the drain took {seconds:.1f} s")
    if not await until(lambda: all(c.duties.caught_up for c in clients), 60):
        faults.append(f"{sum(not c.duties.caught_up for c in clients)} clients did not come back")
    back = time.monotonic() - begun
    if not await settle(clients, 60):
        faults.append("answers did not end")
    byes = sum(c.duties.said_bye for c in clients)
    codes = {}
    for client in clients:
        for number, count in client.codes.items():
            codes[number] = codes.get(number, 0) + count
    faults += await judged(clients, every=4)
    turns = [turn for c in clients for turn in c.judge.turns.values()]
    figures = {"code": code, "seconds": seconds, "away": away, "back": back, "byes": byes, "codes": codes,
               "done": sum(turn.status == "done" for turn in turns), "turns": len(turns),
               "how": {how: sum(c.duties.resumes.get(how, 0) for c in clients)
                       for how in ("replay", "snapshot", "new")}}
    if figures["done"] != sessions + in_flight:
        faults.append(f"{figures['done']} of {sessions + in_flight} answers came whole")
    if figures["how"]["new"] != sessions:
        faults.append(f"{figures['how']['new'] - sessions} sessions began anew")
    return clients, faults, figures


def run_storm(seed, sockets=2000, streaming=500, pieces=100):
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, \
            TrialServer(folder, **script(folder, pieces, 250)) as server:
        load = ForeignLoad(lambda: (server.process.pid,))
        clients, faults, found = asyncio.run(storm(server, seed, sockets, streaming))
        if faults:
            keep("storm", seed, clients[:50], folder, faults)
        back = found.get("back", [])
        table(f"Reconnect storm, seed {seed}", [
            ["sockets dropped at once; of these streaming", f"{sockets}; {streaming}"],
            ["resumed and complete: p50; p99; last, s",
             f"{percentile(back, 0.5):.2f}; {percentile(back, 0.99):.2f}; {max(back, default=float('nan')):.2f}"],
            ["replay; snapshot; new (each had one at first)", "; ".join(map(str, found.get("how", {}).values()))],
            ["events missed and got", found.get("missed", "-")],
            ["faults", len(faults)],
            ["cores used by others", f"{load.cores():.2f}"]])
    return faults


def run_drain(seed, sessions=500, in_flight=100):
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, \
            TrialServer(folder, **script(folder, 60, 100)) as server:
        load = ForeignLoad(lambda: (server.process.pid,))
        clients, faults, found = asyncio.run(drain(server, seed, sessions, in_flight))
        if faults:
            keep("drain", seed, clients, folder, faults)
        table(f"Drain and restart, seed {seed}", [
            ["sessions; answers in flight", f"{sessions}; {in_flight}"],
            ["exit code; drain took, s", f"{found.get('code')}; {found.get('seconds', 0):.1f}"],
            ["all back with everything after SIGTERM, s", f"{found.get('back', 0):.1f}"],
            ["answers whole (`done`)", f"{found.get('done')} of {found.get('turns')}"],
            ["`bye` received; close codes", f"{found.get('byes')}; {found.get('codes')}"],
            ["replay; snapshot; new (each had one at first)", "; ".join(map(str, found.get("how", {}).values()))],
            ["faults", len(faults)],
            ["cores used by others", f"{load.cores():.2f}"]])
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=2000)
    parser.add_argument("--streaming", type=int, default=500)
    parser.add_argument("--drain-sessions", type=int, default=500)
    parser.add_argument("--in-flight", type=int, default=100)
    parser.add_argument("--only", choices=["storm", "drain"])
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    arguments = parser.parse_args()
    wanted = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, wanted))
    faults = []
    if arguments.only != "drain":
        faults += run_storm(arguments.seed, arguments.sockets, arguments.streaming)
    if arguments.only != "storm":
        faults += run_drain(arguments.seed, arguments.drain_sessions, arguments.in_flight)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
