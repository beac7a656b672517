#!/usr/bin/env python3
"""Power loss: what lies on disk at a random moment under load holds all that was acknowledged before.

    power.py [--copies 10] [--sessions 20]

The server is stopped for the moment of the copy (SIGSTOP), so that database and write-ahead log are of one instant. To
half of the copies a torn write is added at the end of the log. Another server is opened on each copy, and every client
asks there for its whole session. What the system had not written out itself is not modelled: a copy sees the page cache.
"""

import argparse
import asyncio
import copy
import random
import shutil
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from launch import Model, TrialServer  # noqa: E402
from channels import BareChannel  # noqa: E402
from client import Client, settle  # noqa: E402
from habits import Habits, live  # noqa: E402
from report import ForeignLoad, keep, table  # noqa: E402


def take_copy(server, clients, folder, rng):
    """Copies the data folder of a stopped server; what each client knew then."""
    server.process.send_signal(signal.SIGSTOP)
    known = []
    for client in clients:
        duties, judge = client.duties, client.judge
        starts = {name: (turn.ask, turn.text) for name, turn in judge.turns.items()}
        if duties.session and starts:
            known.append((client, duties.session, duties.key, duties.epoch, copy.deepcopy(starts), dict(judge.asks)))
    shutil.copytree(server.data, folder / "data")
    server.process.send_signal(signal.SIGCONT)
    torn = rng.random() < 0.5
    for log in (folder / "data").glob("*-wal") if torn else []:
        with log.open("ab") as file:
            file.write(rng.randbytes(rng.randint(1, 4_000)))
    for index in (folder / "data").glob("*-shm"):
        index.unlink()
    return known, torn


async def hold_against(known, port):
    """Asks a server on the copy for each session; what is missing."""
    faults, checked = [], 0
    for client, session, key, epoch, starts, asks in known:
        auditor = Client(client.name, port, "power", BareChannel, live=True)
        auditor.judge.asks, auditor.judge.session = asks, session
        auditor.history.marker = client.history.marker
        duties = auditor.duties
        duties.session, duties.key, duties.epoch, duties.seq = session, key, epoch, 0
        auditor.start()
        for _ in range(500):
            if duties.caught_up:
                break
            await asyncio.sleep(0.02)
        await auditor.finish()
        faults += auditor.judge.faults
        if duties.session != session:
            faults.append(f"{client.name}: the session is not on the copy")
            continue
        for name, (ask, text) in starts.items():
            checked += 1
            turn = auditor.judge.turns.get(name)
            if turn is None and not duties.resumes.get("snapshot"):
                faults.append(f"{client.name}: acknowledged ask {ask} is not on the copy")
            elif turn and turn.ask != ask:
                faults.append(f"{client.name}: {name} answers {turn.ask} on the copy, was {ask}")
            elif turn and not (turn.text.startswith(text) or text.startswith(turn.text)):
                faults.append(f"{client.name}: another text of {name} on the copy")
            elif turn and not turn.end_seq:
                faults.append(f"{client.name}: {name} has no end on the copy")
    return faults, checked


async def trial(server, clients, copies, rng, folder, settings):
    over = [False]
    for client in clients:
        client.start()
    lives = [asyncio.ensure_future(live(client, Habits(drop=0), lambda: over[0])) for client in clients]
    await asyncio.sleep(2)
    faults, checked, torn_copies = [], 0, 0
    for number in range(copies):
        await asyncio.sleep(rng.uniform(0.2, 1.5))
        place = folder / f"copy{number}"
        known, torn = take_copy(server, clients, place, rng)
        torn_copies += torn
        other = TrialServer(place, **settings)
        await asyncio.get_running_loop().run_in_executor(None, other.start)
        try:
            found, count = await hold_against(known, other.port)
        finally:
            other.kill()
        faults += [f"copy {number}: {fault}" for fault in found]
        checked += count
        shutil.rmtree(place)
    over[0] = True
    await asyncio.gather(*lives)
    await settle(clients, 30)
    for client in clients:
        client.judge.finish()
        faults += client.judge.faults
        await client.finish()
    return faults, checked, torn_copies


def run(seed, copies=10, sessions=20):
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, Model() as model:
        settings = model.settings | {"store_wait_ms": 60_000}
        with TrialServer(folder, **settings) as server:
            load = ForeignLoad(lambda: (server.process.pid, model.process.pid))
            clients = [Client(f"p{n}", server.port, seed, BareChannel, live=True) for n in range(sessions)]
            faults, checked, torn = asyncio.run(
                trial(server, clients, copies, random.Random(seed), Path(folder), settings))
            if faults:
                keep("power", seed, clients, folder, faults)
        table(f"Power loss, seed {seed}", [
            ["copies; of these with a torn write", f"{copies}; {torn}"],
            ["acknowledged asks held against copies", checked],
            ["faults", len(faults)],
            ["cores used by others", f"{load.cores():.2f}"]])
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, default=10)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    arguments = parser.parse_args()
    sys.exit(1 if run(arguments.seed, arguments.copies, arguments.sessions) else 0)


if __name__ == "__main__":
    main()
