"""Runs the Autobahn WebSocket cases against `bench echo`, directly and through TLS-terminating proxies.

Prints the counts of each group, lists what is not plainly OK by name, and fails on every case that is neither OK,
NON-STRICT nor INFORMATIONAL. See docs/conformance.md.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from certificates import make_certificate  # noqa: E402

PASSED = {"OK", "NON-STRICT", "INFORMATIONAL"}
# Groups 1-7 and 10 (247 cases), and 9 (54 cases): everything but compression.
PLAIN = ["1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*", "9.*", "10.*"]
PLAIN_COUNT = 301
COMPRESSED = ["12.*", "13.*"]
COMPRESSED_COUNT = 216
# Each set of parameters with a small and a larger message, whole and in fragments; the runner knows no patterns but `*`.
SAMPLE = [
    *(f"12.1.{case}" for case in (1, 4, 7, 10, 13)),
    *(f"12.{kind}.{case}" for kind, case in ((2, 3), (3, 4), (4, 5), (5, 6))),
    *(f"13.{group}.{case}" for group in range(1, 8) for case in (1, 4)),
]
START_SECONDS = 20


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_port(port: int, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            sys.exit(f"conformance: {process.args[0]} ended with {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit(f"conformance: nothing listens on port {port}")


def start(arguments: list[str], port: int, log: pathlib.Path) -> subprocess.Popen:
    with log.open("wb") as output:
        process = subprocess.Popen(arguments, stdout=output, stderr=subprocess.STDOUT)
    await_port(port, process)
    return process


def stop(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def mend_runner(python: str) -> None:
    """Lets the venv's copy take uncompressed answers in the cases of group 13.

    A server may answer a compressed message without compression, for instance a short one (RFC 7692 section 6); the
    copy would then hash a text that it has not encoded.
    """
    where = "import kosoku, pathlib; print(pathlib.Path(kosoku.__file__).parent / 'cases' / 'case12_x_x.py')"
    path = pathlib.Path(subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout.strip())
    text = path.read_text()
    head = "def onMessage(self, msg, binary):\n"
    mend = "   if isinstance(msg, str): msg = msg.encode('latin-1' if binary else 'utf-8')\n"
    if head + mend in text:
        return
    if text.count(head) != 1:
        sys.exit(f"conformance: {path} is not the file that is known")
    path.write_text(text.replace(head, head + mend))


def certificate(folder: pathlib.Path) -> pathlib.Path:
    """A key and a self-signed certificate in one file, as both proxies read it."""
    make_certificate(folder, "proxy", "ecdsa")
    both = folder / "both.pem"
    both.write_text((folder / "proxy-ecdsa.pem").read_text() + (folder / "proxy-ecdsa.key").read_text())
    return both


def program(name: str) -> str:
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    return path or sys.exit(f"conformance: {name} is not installed")


HAPROXY = """
defaults
    timeout connect 5s
    timeout client 120s
    timeout server 120s
    timeout tunnel 120s
{body}
"""
# The runner speaks no TLS, so a relay in front of the proxy does.
RELAY = """
listen relay
    mode tcp
    bind 127.0.0.1:{relay}
    server proxy 127.0.0.1:{tls} ssl verify none
"""
HAPROXY_EDGE = """
listen edge
    mode http
    bind 127.0.0.1:{tls} ssl crt {pem}
    server echo 127.0.0.1:{echo}
"""
NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{tls} ssl;
        ssl_certificate {pem};
        ssl_certificate_key {pem};
        location / {{
            proxy_pass http://127.0.0.1:{echo};
            proxy_http_version 1.1;
            proxy_set_header Host $host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection upgrade;
            proxy_read_timeout 120s;
            proxy_buffering off;
        }}
    }}
}}
"""


def start_route(route: str, echo: int, folder: pathlib.Path) -> tuple[int, list[subprocess.Popen]]:
    """The port at which the runner reaches the server by this route, and what was started for it."""
    if route == "direct":
        return echo, []
    ports = {"echo": echo, "tls": free_port(), "relay": free_port(), "pem": certificate(folder), "folder": folder}
    started = []
    body = RELAY
    if route == "haproxy":
        body += HAPROXY_EDGE
    else:
        config = folder / "nginx.conf"
        config.write_text(NGINX.format(**ports))
        started.append(start([program("nginx"), "-c", str(config)], ports["tls"], folder / "nginx.log"))
    config = folder / "haproxy.cfg"
    config.write_text(HAPROXY.format(body=body.format(**ports)))
    started.append(start([program("haproxy"), "-db", "-f", str(config)], ports["relay"], folder / "haproxy.log"))
    return ports["relay"], started


def run_cases(kosoku: str, port: int, patterns: list[str], parallel: int, report: pathlib.Path) -> dict[str, dict]:
    shutil.rmtree(report, ignore_errors=True)
    selection = [part for pattern in patterns for part in ("-i", pattern)]
    command = [kosoku, "-m", "fuzzingclient", f"127.0.0.1:{port}", "-p", str(parallel), "-o", str(report), *selection]
    # Its exit status says less than its report.
    finished = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        (cases,) = json.loads((report / "index.json").read_text()).values()
    except (OSError, ValueError):
        sys.exit(f"conformance: no report; the runner ended with {finished.returncode}:\n{finished.stdout[-2000:]}")
    return cases


def judge(route: str, cases: dict[str, dict]) -> bool:
    """Prints what came out; true when every case passed."""

    def order(case: str) -> list[int]:
        return [int(part) for part in case.split(".")]

    groups: dict[str, list[str]] = {}
    for case in sorted(cases, key=order):
        groups.setdefault(case.split(".")[0], []).append(case)
    print(f"{route}: {len(cases)} cases")
    for group, names in groups.items():
        counts: dict[str, int] = {}
        for name in names:
            behavior = cases[name]["behavior"]
            counts[behavior] = counts.get(behavior, 0) + 1
        print(f"    group {group:>2}: " + ", ".join(f"{count} {behavior}" for behavior, count in sorted(counts.items())))
    good = True
    for key in ("behavior", "behaviorClose"):
        named: dict[str, list[str]] = {}
        for case in sorted(cases, key=order):
            if cases[case][key] != "OK":
                named.setdefault(cases[case][key], []).append(case)
        for behavior, names in sorted(named.items()):
            print(f"    {key} {behavior}: {' '.join(names)}")
            good = good and behavior in PASSED
    return good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True, help="the bench program")
    parser.add_argument("--python", default=sys.executable, help="the Python that has kosoku; default: this one")
    parser.add_argument("--report", type=pathlib.Path, default=pathlib.Path("artifacts/conformance"))
    parser.add_argument("--fast", action="store_true", help="directly only, and a sample of the compression cases")
    parser.add_argument("--plain", action="store_true", help="no compression cases, and a server without compression")
    parser.add_argument("--route", action="append", choices=["direct", "nginx", "haproxy"], help="default: all three")
    parser.add_argument("--parallel", type=int, default=2, help="cases at once")
    options = parser.parse_args()

    # Not resolved: a venv's Python is a link, and what lies beside the link is wanted.
    kosoku = str(pathlib.Path(options.python).parent / "kosoku")
    mend_runner(options.python)
    routes = options.route or (["direct"] if options.fast else ["direct", "nginx", "haproxy"])
    good = True
    started: list[subprocess.Popen] = []
    with tempfile.TemporaryDirectory(prefix="conformance") as name:
        # nginx gives up its rights and must still get through to its files.
        os.chmod(name, 0o755)
        try:
            echo = free_port()
            command = [options.bench, "echo", "--listen", f"127.0.0.1:{echo}"]
            if not options.plain:
                command.append("--deflate")
            started.append(start(command, echo, pathlib.Path(name) / "bench.log"))
            for route in routes:
                patterns, expected = list(PLAIN), PLAIN_COUNT
                if route == "direct" and not options.plain:
                    patterns += SAMPLE if options.fast else COMPRESSED
                    expected += len(SAMPLE) if options.fast else COMPRESSED_COUNT
                port, proxies = start_route(route, echo, pathlib.Path(name))
                begun = time.monotonic()
                cases = run_cases(kosoku, port, patterns, options.parallel, options.report / route)
                good = judge(route, cases) and good
                print(f"    {time.monotonic() - begun:.0f} s, reports in {options.report / route}", flush=True)
                if len(cases) < expected:
                    print(f"    only {len(cases)} of {expected} cases ran")
                    good = False
                for process in proxies:
                    stop(process)
        finally:
            for process in started:
                stop(process)
    if not good:
        sys.exit("conformance: FAILED")
    print("conformance: passed")


if __name__ == "__main__":
    main()
