#!/usr/bin/env python3
"""Prints what an echo costs each server, as CPU time a message and as a ratio to plain C.

Method (docs/performance.md): all servers stay up, pinned to one core under SCHED_BATCH; the client shares that core and
works in lock-step, so that the batch size is known; every round visits every server in every cell; medians of the
rounds. Only the standard library is needed. What cannot be started is named and left out.
"""

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

from measuring import spread

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "Tests/bench/peers"
ARTIFACTS = ROOT / "artifacts/bench"
VENV = ARTIFACTS / "venv"
RELEASE = ROOT / ".build/release"
REFERENCE = "C epoll"
OURS = "Chalkline"
DEBIAN = ["nodejs", "node-ws", "golang-go", "golang-github-gorilla-websocket-dev", "python3-venv"]
PYPI = ["websockets==17.4", "picows==2.3.1", "socketify==0.0.31", "uvloop==0.23.0"]
# A window in which others used more than this is marked: its figures are inflated.
QUIET_CORES = 0.1
CONNECTIONS = 100
IDLE_CONNECTIONS = 10_000
START_SECONDS = 15

# Name, flags of `bench load`, and the highest ratio to C that the project allows itself.
CELLS = [
    ("20 B K=1", ["--batch", "1", "--bytes", "20"], 1.10),
    ("20 B K=100", ["--batch", "100", "--bytes", "20"], 1.10),
    ("1 KiB K=1", ["--batch", "1", "--bytes", "1024"], 1.10),
    ("1 KiB K=100", ["--batch", "100", "--bytes", "1024"], 1.10),
    ("16 KiB K=1", ["--batch", "1", "--bytes", "16384"], 1.10),
    ("16 KiB K=100", ["--batch", "100", "--bytes", "16384"], 1.10),
    ("burst 16", ["--mode", "burst", "--batch", "100", "--frames", "16", "--bytes", "20"], 1.50),
]
CLOSED = ("closed loop", ["--mode", "closed", "--batch", "1", "--bytes", "20"], None)
IDLE_TARGET_BYTES = 1024


def quietly(command, **settings):
    """Runs a command; true when it succeeded."""
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **settings).returncode == 0
    except OSError:
        return False


def prepare(peers):
    """Builds our two programs and installs the peers; a peer that fails is found out when it is started."""
    for product in ("bench", "epoll-echo"):
        subprocess.run(["swift", "build", "-c", "release", "--product", product], cwd=ROOT, check=True)
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    if not peers:
        return
    for package in DEBIAN:
        quietly([ROOT / "Tests/setup/packages.sh", package])
    if not (VENV / "bin/python").exists():
        quietly(["python3", "-m", "venv", VENV])
    for package in PYPI:
        quietly([VENV / "bin/python", "-m", "pip", "install", "--disable-pip-version-check", package])
    environment = {**os.environ, "GO111MODULE": "off", "GOPATH": "/usr/share/gocode"}
    quietly(["go", "build", "-o", ARTIFACTS / "gorilla_echo", "main.go"], cwd=PEERS / "gorilla_echo", env=environment)


def commands(port):
    """How each server is started, and with which environment."""
    python = str(VENV / "bin/python")
    return {
        REFERENCE: ([str(RELEASE / "epoll-echo"), str(port)], {}),
        OURS: ([str(RELEASE / "bench"), "echo", "--listen", f"127.0.0.1:{port}"], {}),
        "socketify (uWebSockets)": ([python, str(PEERS / "socketify_echo.py"), str(port)], {}),
        "picows": ([python, str(PEERS / "picows_echo.py"), str(port)], {}),
        "websockets": ([python, str(PEERS / "websockets_echo.py"), str(port)], {}),
        "node ws": (["node", str(PEERS / "ws_echo.js"), str(port)], {"NODE_PATH": "/usr/share/nodejs"}),
        "gorilla": ([str(ARTIFACTS / "gorilla_echo"), str(port)], {"GOMAXPROCS": "1"}),
    }


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A running echo server."""

    def __init__(self, name, core):
        self.name, self.port = name, free_port()
        command, environment = commands(self.port)[name]
        pinned = ["taskset", "-c", str(core), "chrt", "-b", "0", *command]
        with open(ARTIFACTS / f"{name.split()[0]}.log", "w") as log:
            # taskset and chrt become the server, so the process number is the server's.
            self.process = subprocess.Popen(
                pinned, stdout=log, stderr=log, env={**os.environ, **environment}, cwd=ARTIFACTS
            )

    def wait(self):
        """True once it accepts connections."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return True
            except OSError:
                time.sleep(0.05)
        return False

    def stop(self):
        self.process.kill()
        self.process.wait()


def load(server, core, flags, timeout=120):
    """One run of the load generator against a server; None when it failed, with the reason printed."""
    command = ["taskset", "-c", str(core), str(RELEASE / "bench"), "load", "--json"]
    command += ["--connect", f"127.0.0.1:{server.port}", "--server-pid", str(server.process.pid), *flags]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
        return json.loads(run.stdout)
    except (ValueError, subprocess.TimeoutExpired) as error:
        reason = run.stdout.strip() if isinstance(error, ValueError) else "no end in time"
        print(f"{server.name}: {reason}", file=sys.stderr)
        return None


def foreign_text(runs):
    """The foreign load of a cell's windows."""
    loads = [run["foreign_cores"] for run in runs]
    noisy = sum(load >= QUIET_CORES for load in loads)
    return f"{statistics.median(loads):.2f} ({min(loads):.2f}-{max(loads):.2f}), {noisy} of {len(loads)} noisy"


def echo_table(results, cells, servers):
    """Server CPU a message and its ratio to C, a row a server and a column a cell."""
    lines = ["| server | " + " | ".join(name for name, _, _ in cells) + " |", "|---" * (len(cells) + 1) + "|"]
    for server in servers:
        row = []
        for name, _, _ in cells:
            runs = results.get((name, server.name), [])
            base = [run["server_us_per_message"] for run in results.get((name, REFERENCE), [])]
            if not runs:
                row.append("-")
                continue
            values = [run["server_us_per_message"] for run in runs]
            mark = " †" if any(run["foreign_cores"] >= QUIET_CORES for run in runs) else ""
            ratio = f" **{statistics.median(values) / statistics.median(base):.2f}x**" if base else ""
            row.append(spread(values, 2) + ratio + mark)
        lines.append(f"| {server.name} | " + " | ".join(row) + " |")
    target = [f"at most {limit:.2f}x" if limit else "-" for _, _, limit in cells]
    lines.append(f"| *target for {OURS}* | " + " | ".join(target) + " |")
    foreign = []
    for name, _, _ in cells:
        runs = [run for (cell, _), found in results.items() if cell == name for run in found]
        foreign.append(foreign_text(runs) if runs else "-")
    lines.append("| *cores used by others* | " + " | ".join(foreign) + " |")
    return "\n".join(lines)


def closed_table(results, servers):
    """Throughput with one message outstanding on each connection."""
    lines = ["| server | messages/s | CPU us/message | cores used by others |", "|---|---|---|---|"]
    for server in servers:
        runs = results.get((CLOSED[0], server.name), [])
        if not runs:
            continue
        rate = spread([run["messages_per_second"] / 1000 for run in runs], 1)
        cost = spread([run["server_us_per_message"] for run in runs], 2)
        lines.append(f"| {server.name} | {rate} k | {cost} | {foreign_text(runs)} |")
    return "\n".join(lines)


def idle_table(results):
    """Memory of connections that do nothing."""
    lines = ["| server | bytes / idle connection | base RSS MiB | threads |", "|---|---|---|---|"]
    for name, run in results.items():
        base = run["base_rss_kib"] / 1024
        lines.append(f"| {name} | {run['bytes_per_connection']:.0f} | {base:.1f} | {run['threads']} |")
    lines.append(f"| *target for {OURS}* | at most {IDLE_TARGET_BYTES} | | |")
    return "\n".join(lines)


def start(names, core):
    """Starts servers; those that do not come up are named."""
    servers = []
    for name in names:
        try:
            server = Server(name, core)
        except OSError as error:
            print(f"skipped: {name}: {error}", file=sys.stderr)
            continue
        if server.wait():
            servers.append(server)
        else:
            server.stop()
            print(f"skipped: {name} does not start (see {ARTIFACTS.name}/{name.split()[0]}.log)", file=sys.stderr)
    return servers


def measure_echo(servers, cells, options):
    """Every round visits every server in every cell."""
    results = {}
    window = ["--connections", str(CONNECTIONS), "--seconds", str(options.seconds), "--warmup", str(options.warmup)]
    for number in range(options.rounds):
        for cell, flags, _ in cells:
            for server in servers:
                run = load(server, options.core, flags + window)
                # A window in which the server got no CPU at all says nothing.
                if run and run["server_us_per_message"] > 0:
                    results.setdefault((cell, server.name), []).append(run)
        print(f"round {number + 1} of {options.rounds} done", file=sys.stderr)
    return results


def measure_idle(names, options):
    """A fresh server each, so that its memory before is that of its start."""
    results = {}
    for name in names:
        for server in start([name], options.core):
            flags = ["--mode", "idle", "--connections", str(options.idle_connections), "--seconds", "2"]
            run = load(server, options.core, flags)
            server.stop()
            if run:
                results[name] = run
                print(f"{name}: {run['bytes_per_connection']:.0f} bytes an idle connection", file=sys.stderr)
    return results


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.8, help="measured in each window")
    parser.add_argument("--warmup", type=float, default=0.3)
    parser.add_argument("--core", type=int, default=min(os.sched_getaffinity(0)), help="the core that all share")
    parser.add_argument("--only", default="", help="servers, by a part of their name, separated by commas")
    parser.add_argument("--cells", default="", help="cells, by a part of their name, separated by commas")
    parser.add_argument("--idle", action="store_true", help="idle memory only")
    parser.add_argument("--no-idle", action="store_true", help="no idle memory")
    parser.add_argument("--idle-connections", type=int, default=IDLE_CONNECTIONS)
    return parser.parse_args()


def chosen(name, parts):
    return not parts or any(part.strip().lower() in name.lower() for part in parts.split(","))


def main():
    options = arguments()
    for tool in ("taskset", "chrt", "swift"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is missing")
    # The reference is always there: every figure is a ratio to it.
    names = [name for name in commands(0) if name == REFERENCE or chosen(name, options.only)]
    prepare(peers=bool(set(names) - {REFERENCE, OURS}))
    report, record = [], {"rounds": options.rounds, "seconds": options.seconds}
    if not options.idle:
        cells = [cell for cell in CELLS if chosen(cell[0], options.cells)]
        closed = [CLOSED] if chosen(CLOSED[0], options.cells) else []
        servers = start(names, options.core)
        try:
            results = measure_echo(servers, cells + closed, options)
        finally:
            for server in servers:
                server.stop()
        title = f"Echo, server CPU us/message: median (min-max) of {options.rounds} rounds, ratio to C epoll"
        report += [f"{title}; † others used {QUIET_CORES} core or more in some window", ""]
        report += [echo_table(results, cells, servers), ""]
        if closed:
            report += ["Closed loop, 20 B, one message outstanding on each of 100 connections", ""]
            report += [closed_table(results, servers), ""]
        record["echo"] = [{"cell": cell, "server": name, "runs": runs} for (cell, name), runs in results.items()]
    if not options.no_idle:
        idle = measure_idle(names, options)
        report += [f"Memory of {options.idle_connections} idle connections", "", idle_table(idle)]
        record["idle"] = idle
    (ARTIFACTS / "echo.json").write_text(json.dumps(record, indent=1) + "\n")
    print("\n".join(report))


if __name__ == "__main__":
    main()
