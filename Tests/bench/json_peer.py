"""Python's json on the bytes that `bench json --emit DIR` wrote: CPU time of one call, medians of rounds.

usage: json_peer.py DIR [ROUNDS]
"""

import json
import pathlib
import statistics
import sys
import time


def median_nanoseconds(body, calls, rounds):
    """CPU time of one call; the first round is not counted."""
    times = []
    for round_number in range(rounds + 1):
        start = time.thread_time_ns()
        for _ in range(calls):
            body()
        if round_number > 0:
            times.append((time.thread_time_ns() - start) / calls)
    return statistics.median(times)


def line(name, size, nanoseconds):
    print(f"{name:<44} {size:>6} {nanoseconds / 1000:>9.3f} {size * 1000 / nanoseconds:>9.0f}")


def main():
    folder = pathlib.Path(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    for name in ["delta", "chinese-delta", "snapshot"]:
        data = (folder / f"{name}.json").read_bytes()
        calls = max(2, 1_000_000 // len(data))
        line(f"in: {name}, Python json.loads", len(data), median_nanoseconds(lambda: json.loads(data), calls, rounds))
    event = json.loads((folder / "event.json").read_bytes())
    # The same bytes as the server's: no blanks, no escapes of letters that need none.
    writer = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)
    size = len(writer.encode(event).encode())
    line("out: token event, Python json.dumps", size, median_nanoseconds(lambda: writer.encode(event).encode(), 5_000, rounds))


main()
