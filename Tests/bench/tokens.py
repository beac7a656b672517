"""Relayed tokens: CPU and added latency of this server's path, of raw sockets, and of Python's usual libraries.

    make bench-tokens
    python3 Tests/bench/tokens.py --rounds 3 --seconds 4 --loads 1x50,50x40,1000x20 [--servers floor,model,python]

Server on core 0; endpoint and client on core 1. Each round visits every server at every load. The endpoint, the relay
and the client share one machine and one clock, so a token's latency is from just before its `send` to its receipt.
"""

import argparse
import contextlib
import statistics
import sys
import urllib.request
from pathlib import Path

from measuring import BENCH, CLIENT_CORE, SERVER_CORE, Running, client, spread, table

NAMES = {
    "floor": "raw sockets on a shard (floor)",
    "model": "Chalkline: libcurl, decoder, event, WebSocket",
    "python": "Python `websockets` + `httpx`",
}


def start(kind, upstream, python):
    if kind == "python":
        command = [python, str(Path(__file__).parent / "peers" / "token_relay.py"), "--upstream", upstream]
    else:
        command = [BENCH, "relay", "--kind", kind, "--upstream", upstream]
    return Running(SERVER_CORE, command)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--warm-up", type=float, default=1.5)
    parser.add_argument("--loads", default="1x50,50x40,1000x20", help="streams x tokens a second, with commas")
    parser.add_argument("--servers", default="floor,model,python")
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the Python peer")
    arguments = parser.parse_args()
    loads = [tuple(int(part) for part in load.split("x")) for load in arguments.loads.split(",")]
    kinds = arguments.servers.split(",")
    seen = {(kind, load): [] for kind in kinds for load in loads}
    with contextlib.ExitStack() as stack:
        upstream = stack.enter_context(Running(CLIENT_CORE, [BENCH, "upstream"]))
        servers = {kind: stack.enter_context(start(kind, upstream.address, arguments.python)) for kind in kinds}
        for round_number in range(arguments.rounds):
            for load in loads:
                streams, rate = load
                for kind in kinds:
                    urllib.request.urlopen(f"http://{upstream.address}/rate/{rate}/{streams}").read()
                    result = client(
                        "token-client", server=servers[kind].address, server_process=servers[kind].pid,
                        other_process=upstream.pid, streams=streams, warm_up=arguments.warm_up,
                        seconds=arguments.seconds)
                    if result is None or result["tokens"] == 0:
                        continue
                    seen[kind, load].append(result)
                    print(f"  round {round_number + 1}, {kind}, {streams} x {rate}/s: "
                          f"{result['server_seconds'] * 1e6 / result['tokens']:.1f} us a token, "
                          f"p50 {result['p50_us']:.0f} us, foreign {result['foreign_cores']:.2f} cores", flush=True)
    for load in loads:
        streams, rate = load
        floor = [r["server_seconds"] * 1e3 / r["tokens"] * 1e3 for r in seen.get(("floor", load), [])]
        rows = []
        for kind in kinds:
            results = seen[kind, load]
            if not results:
                rows.append([NAMES[kind], *["failed"] * 6])
                continue
            cost = [r["server_seconds"] * 1e3 / r["tokens"] * 1e3 for r in results]
            ratio = f"{statistics.median(cost) / statistics.median(floor):.2f}" if floor else "-"
            rows.append([
                NAMES[kind], spread(cost), ratio, spread([r["p50_us"] for r in results], 0),
                spread([r["p99_us"] for r in results], 0),
                spread([r["tokens"] / r["seconds"] for r in results], 0),
                spread([r["foreign_cores"] for r in results], 2)])
        print(f"\n{streams} streams, {rate} tokens/s each; {arguments.rounds} rounds of {arguments.seconds:g} s; "
              "median (least-most)\n")
        print(table(["server", "CPU ms per 1 000 tokens", "to floor", "p50 us", "p99 us", "tokens/s", "foreign cores"],
                    rows))


if __name__ == "__main__":
    main()
