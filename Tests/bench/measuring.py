"""What the drivers of the stream benchmarks share: processes on a core of their own, and tables."""

import json
import os
import re
import shutil
import statistics
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BENCH = os.environ.get("CHALKLINE_BENCH") or str(ROOT / ".build" / "release" / "bench")
SERVER = os.environ.get("CHALKLINE_BINARY") or str(ROOT / ".build" / "release" / "chalkline")
SERVER_CORE, CLIENT_CORE = "0", "1"


def pinned(core, command):
    """The command on one core, where there is `taskset` and more than one core."""
    if shutil.which("taskset") and (os.cpu_count() or 1) > 1:
        return ["taskset", "-c", core, *command]
    return list(command)


class Running:
    """A process that prints the address it listens on; stopped at the end of the block."""

    def __init__(self, core, command, **environment):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("CHALKLINE_")}
        self.process = subprocess.Popen(
            pinned(core, command), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=clean | {"SWIFT_BACKTRACE": "enable=no"} | environment)
        line = self.process.stdout.readline()
        found = re.search(r"127\.0\.0\.1:\d+", line)
        if not found:
            self.stop()
            raise RuntimeError(f"did not start: {command}: {line!r}")
        self.address = found.group(0)
        self.pid = str(self.process.pid)

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def client(mode, **flags):
    """Runs a client of the bench program on the client's core, and returns what it saw; None when it failed."""
    command = [BENCH, mode]
    for name, value in flags.items():
        command += [f"--{name.replace('_', '-')}", str(value)]
    done = subprocess.run(pinned(CLIENT_CORE, command), capture_output=True, text=True)
    if done.returncode != 0:
        print(f"  failed: {' '.join(command[1:])}: {done.stdout.strip()} {done.stderr.strip()}", flush=True)
        return None
    return json.loads(done.stdout)


def spread(values, digits=1):
    """`median (least-most)`."""
    if not values:
        return "-"
    if len(values) == 1:
        return f"{values[0]:.{digits}f}"
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def table(head, rows):
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])
