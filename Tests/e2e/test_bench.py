"""The echo servers and the load generator do what they say; how fast is for `make bench`."""

import contextlib
import json
import re
import subprocess

import pytest
from websockets.sync.client import connect

from server import ROOT

RELEASE = ROOT / ".build" / "release"
ECHO_SERVERS = {
    "bench": [RELEASE / "bench", "echo", "--listen", "127.0.0.1:0"],
    "epoll-echo": [RELEASE / "epoll-echo", "0"],
}


@contextlib.contextmanager
def echo_server(name):
    process = subprocess.Popen(ECHO_SERVERS[name], stdout=subprocess.PIPE, text=True)
    try:
        yield re.search(r"127\.0\.0\.1:\d+", process.stdout.readline()).group(0), process.pid
    finally:
        process.kill()
        process.wait()


def load(address, *flags):
    command = [RELEASE / "bench", "load", "--connect", address, "--warmup", "0", "--seconds", "0.2", "--json", *flags]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=60)
    assert run.returncode == 0, run.stdout
    return json.loads(run.stdout)


@pytest.mark.parametrize("name", ECHO_SERVERS)
@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 1_000_000])
def test_every_length_comes_back(name, size):
    with echo_server(name) as (address, _), connect(f"ws://{address}/", compression=None, max_size=None) as socket:
        socket.send("x" * size)
        assert socket.recv() == "x" * size
        socket.send(b"y" * size)
        assert socket.recv() == b"y" * size


@pytest.mark.parametrize("name", ECHO_SERVERS)
@pytest.mark.parametrize(
    "flags",
    [
        ("--mode", "lockstep", "--batch", "7"),
        ("--mode", "burst", "--batch", "3", "--frames", "16"),
        ("--mode", "closed", "--batch", "4", "--bytes", "16384"),
        ("--mode", "rate", "--rate", "200"),
    ],
)
def test_load_counts_messages_and_cpu_time(name, flags):
    with echo_server(name) as (address, pid):
        figures = load(address, "--connections", "10", "--server-pid", str(pid), *flags)
    assert figures["messages"] > 0
    assert figures["server_cores"] >= 0
    assert figures["foreign_cores"] >= 0


def test_idle_reports_memory_and_threads():
    with echo_server("bench") as (address, pid):
        figures = load(address, "--mode", "idle", "--connections", "50", "--server-pid", str(pid))
    assert figures["rss_kib"] >= figures["base_rss_kib"]
    assert figures["threads"] >= 1


def test_load_names_a_server_that_does_not_echo():
    run = subprocess.run(
        [RELEASE / "bench", "load", "--connect", "127.0.0.1:1"], stdout=subprocess.PIPE, text=True, timeout=60)
    assert run.returncode == 1
    assert "connect" in run.stdout
