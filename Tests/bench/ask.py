"""Whole turns through `chalkline serve` with the scripted model: CPU a turn and a token, sessions a core.

    make bench-ask
    python3 Tests/bench/ask.py --rounds 3 --seconds 5 --sessions 100,500

Server with one shard on core 0, client on core 1. Three parts:

- turns without pauses, answers of 4 pieces, 16 sessions: the time from an ask to its first text;
- the same with answers of 204 pieces: the two together tell the CPU of a turn from that of a piece;
- sessions whose answers come at 20 pieces a second, for as long as the run: the server's share of a core.
"""

import argparse
import json
import statistics
import tempfile
from pathlib import Path

from measuring import SERVER, SERVER_CORE, ROOT, Running, client, spread, table

RATE = 20


def script(folder, name, pieces, pause_ms):
    """An answer that points once at the screen, then goes on in pieces of a token's size."""
    lines = [{"text": "Look at the second line"}, {"text": " [[1]]: "}, {"text": "what happened"}, {"text": " to 13?"}]
    lines += [{"text": f" word{number % 10}"} for number in range(pieces - len(lines))]
    path = Path(folder) / name
    with path.open("w") as file:
        for index, line in enumerate(lines):
            if pause_ms and index > 0:
                file.write(json.dumps({"pause_ms": pause_ms}) + "\n")
            file.write(json.dumps(line) + "\n")
    return str(path)


def serve(path):
    return Running(
        SERVER_CORE, [SERVER, "serve"], CHALKLINE_LISTEN="127.0.0.1:0", CHALKLINE_PUBLIC=str(ROOT / "public"),
        CHALKLINE_MODEL="scripted", CHALKLINE_MODEL_SCRIPT=path, CHALKLINE_SHARDS="1",
        CHALKLINE_ASKS_PER_MINUTE="100000", CHALKLINE_LOG_LEVEL="warning")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--sessions", default="100,500", help="sessions of the runs at 20 tokens a second")
    arguments = parser.parse_args()
    counts = [int(count) for count in arguments.sessions.split(",")]
    short, long, paced = [], [], {count: [] for count in counts}
    with tempfile.TemporaryDirectory() as folder:
        quick = script(folder, "short.jsonl", 4, 0)
        lengthy = script(folder, "long.jsonl", 204, 0)
        # Ten seconds an answer: turns are spread, so that the pieces are what is measured.
        slow = script(folder, "paced.jsonl", 10 * RATE, 1_000 // RATE)
        with serve(quick) as first, serve(lengthy) as second, serve(slow) as third:
            for number in range(arguments.rounds):
                for server, results in ((first, short), (second, long)):
                    result = client("ask-client", server=server.address, server_process=server.pid, clients=16,
                                    seconds=arguments.seconds)
                    if result:
                        results.append(result)
                        print(f"  round {number + 1}: {result}", flush=True)
                for count in counts:
                    result = client("ask-client", server=third.address, server_process=third.pid, clients=count,
                                    spread=10, warm_up=11, seconds=max(arguments.seconds, 10))
                    if result:
                        paced[count].append(result)
                        print(f"  round {number + 1}: {result}", flush=True)
    # Two equations a round: seconds = turns x turn + texts x piece.
    turn, piece = [], []
    for a, b in zip(short, long):
        each = ((b["server_seconds"] * a["turns"] - a["server_seconds"] * b["turns"])
                / (b["texts"] * a["turns"] - a["texts"] * b["turns"]))
        piece.append(each * 1e6)
        turn.append((a["server_seconds"] - a["texts"] * each) / a["turns"] * 1e6)
    print("\n16 sessions that ask without a pause, scripted answers without pauses; median (least-most)\n")
    print(table(["", "value"], [
        ["CPU us a turn, without its pieces", spread(turn)],
        ["CPU us a piece", spread(piece)],
        ["turns a second", spread([r["turns"] / r["seconds"] for r in short], 0)],
        ["ask to first text, p50 us", spread([r["first_p50_us"] for r in short], 0)],
        ["ask to first text, p99 us", spread([r["first_p99_us"] for r in short], 0)],
        ["foreign cores", spread([r["foreign_cores"] for r in short + long], 2)],
    ]))
    print(f"\nSessions at {RATE} tokens/s each, answers of 10 s one after the other; median (least-most)\n")
    rows = []
    for count in counts:
        results = paced[count]
        share = [r["server_seconds"] / r["seconds"] for r in results]
        rows.append([
            str(count), spread([r["texts"] / r["seconds"] for r in results], 0),
            spread([s * 100 for s in share]), spread([r["server_seconds"] * 1e6 / r["texts"] for r in results]),
            f"{count / statistics.median(share):.0f}" if share else "-",
            spread([r["foreign_cores"] for r in results], 2)])
    print(table(["sessions", "text events/s", "CPU, % of a core", "CPU us an event", "sessions a core, extrapolated",
                 "foreign cores"], rows))


if __name__ == "__main__":
    main()
