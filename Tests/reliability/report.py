"""What every trial prints: a table with its seed and what else the machine did, and what is kept of a failure."""

import os
import shutil
import statistics
import time
from pathlib import Path

from launch import ROOT

ARTIFACTS = ROOT / "artifacts" / "reliability"
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of(*pids):
    """CPU seconds that processes have used; of one that is gone, 0."""
    total = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12]) + int(fields[13]) + int(fields[14])
        except OSError:
            pass
    return total / TICKS


class ForeignLoad:
    """Cores that others used meanwhile: all that was not idle, without this process, its children and `pids`."""

    def __init__(self, pids=lambda: ()):
        self.pids = pids
        self.begin()

    def begin(self):
        self.at, self.busy, self.own = time.monotonic(), self._busy(), self._own()

    def _own(self):
        return cpu_of(os.getpid(), *self.pids())

    @staticmethod
    def _busy():
        fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
        # user, nice, system, irq, softirq and stolen time; idle and iowait are not load.
        return (sum(fields[:3]) + sum(fields[5:8])) / TICKS

    def cores(self):
        seconds = time.monotonic() - self.at
        return max(0.0, (self._busy() - self.busy) - (self._own() - self.own)) / max(seconds, 0.001)


def table(title, rows):
    """A Markdown table of names and values."""
    lines = [f"\n{title}\n", "| figure | value |", "| --- | --- |"]
    print("\n".join(lines + [f"| {name} | {value} |" for name, value in rows]), flush=True)


def keep(trial, seed, clients, folder, faults):
    """Keeps histories and the server's log under artifacts/, and prints the faults."""
    place = ARTIFACTS / f"{trial}-{seed}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for client in clients:
        client.history.save(place)
    if folder and (Path(folder) / "server.log").exists():
        shutil.copy(Path(folder) / "server.log", place / "server.log")
    (place / "faults.txt").write_text("\n".join(faults) + "\n")
    print(f"\n{len(faults)} faults, seed {seed}; histories are in {place}")
    for fault in faults[:20]:
        print("  " + fault)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def slope_per_minute(samples):
    """Least-squares slope of `(seconds, value)` pairs, a minute."""
    if len(samples) < 2:
        return 0.0
    slope, _ = statistics.linear_regression([s[0] for s in samples], [s[1] for s in samples])
    return slope * 60
