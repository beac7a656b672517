"""Peers that send too much, too little or too many: each is closed with its code, memory and CPU stay low, and healthy
sessions do not notice."""

import os
import resource
import time

import pytest

from server import ServerProcess
from wire import CLOSE, PING, PONG, TEXT, Canary, Wire, frame, hello, until, upgrade_head

KIB = 1024


# A05, F07
@pytest.mark.parametrize("payload", [b"a", b""], ids=["of one byte", "empty"])
def test_endless_fragments_close_with_1008_and_take_no_memory(payload):
    flood = frame(TEXT, payload, fin=False) + frame(0, payload, fin=False) * 199_999

    def attack(server):
        with Wire(server) as wire:
            wire.send_what_it_takes(flood)
            assert wire.read_close() == 1008

    with ServerProcess(CHALKLINE_SHARDS="1") as server:
        canary = Canary(server)
        attack(server)  # the buffer that all connections read into is there from now on
        base = server.resident_bytes()
        server.forget_peak()
        for _ in range(3):
            attack(server)
            canary.check()
        # Twice the most that a message may take.
        assert server.peak_bytes() - base <= 512 * KIB
        canary.close()


# A05
def test_fragments_under_the_cap_that_never_end_hold_only_what_came():
    with ServerProcess(CHALKLINE_SHARDS="1") as server:
        canary = Canary(server)
        begun = frame(TEXT, b"a", fin=False) + frame(0, b"a", fin=False) * 1_000
        Wire(server, behind=begun).reset()
        base = server.resident_bytes()
        wires = [Wire(server, behind=begun) for _ in range(50)]
        canary.check()
        assert server.resident_bytes() - base < 50 * 16 * KIB
        for wire in wires:
            wire.reset()
        canary.close()


# F09
def test_flood_of_pings_closes_with_1008_and_answers_few(server, canary):
    with Wire(server) as wire:
        # Not one answer is read before the last ping is out.
        wire.send_what_it_takes(frame(PING, b"p" * 125) * 100_000)
        frames = wire.read_until(lambda f: f.opcode == CLOSE)
        assert frames[-1].code == 1008
        assert sum(f.opcode == PONG for f in frames) <= 30
        assert wire.read_end() == b""


# F09
def test_flood_of_pongs_closes_with_1008(server, canary):
    with Wire(server) as wire:
        wire.send_what_it_takes(frame(PONG) * 10_000)
        assert wire.read_close() == 1008


# What a client can ask for faster than it reads: 11 MB of answers and more, which neither kernel nor queue holds.
GREEDY = {
    "pings before hello": (True, b"", frame(TEXT, b'{"type":"ping","id":"' + b"p" * 60 + b'"}') * 100_000),
    "faults in a session": (True, hello(), frame(TEXT, b"{") * 100_000),
    "pings in a session": (True, hello(), frame(TEXT, b'{"type":"ping","id":"' + b"p" * 60 + b'"}') * 100_000),
    "pages": (False, b"", b"GET /chalkline.css HTTP/1.1\r\nHost: h\r\n\r\n" * 1_000),
}


# F09, F16
@pytest.mark.parametrize("name", GREEDY)
def test_reader_that_reads_nothing_is_cut_and_takes_little_memory(name):
    upgrade, behind, flood = GREEDY[name]
    with ServerProcess(CHALKLINE_SHARDS="1") as server:
        canary = Canary(server)
        descriptors, base = server.settled_descriptors(), server.resident_bytes()
        server.forget_peak()
        with Wire(server, upgrade, behind, receive_buffer=4_096, timeout=2) as wire:
            wire.send_what_it_takes(flood)
            assert until(lambda: server.descriptors() <= descriptors, 20)
        # The queue is 1 MiB and looked at after each read; the answers to one read of the smallest faults take 7 MiB.
        # Without a bound the answers to all of them take 19.
        assert server.peak_bytes() - base < 12 * 1024 * KIB
        canary.check()
        canary.close()


# F01
def test_slow_heads_and_silent_connections_are_closed_at_an_absolute_time():
    with ServerProcess(CHALKLINE_HEAD_MS="1000") as server:
        canary, base = Canary(server), server.settled_descriptors()
        begun = time.monotonic()
        wires = [Wire(server, upgrade=False) for _ in range(400)]
        opened = time.monotonic() - begun
        slow, head = wires[::2], upgrade_head(server)
        closed = set()
        for byte in head[:-2]:
            if time.monotonic() - begun > 6 or len(closed) == len(slow):
                break
            for wire in slow:
                if wire not in closed and not wire.send_what_it_takes(bytes([byte])):
                    closed.add(wire)
            time.sleep(0.05)
        assert len(closed) == len(slow), "a byte now and then bought time"
        assert until(lambda: server.descriptors() <= base)
        assert time.monotonic() - begun - opened < 8
        for wire in wires[1::2]:
            assert wire.read_end() == b"", "a connection that asked for nothing is told nothing"
        canary.check()
        canary.close()
        for wire in wires:
            wire.socket.close()


# F01: the same clock goes on for a WebSocket that never says hello, however many pings it sends.
def test_pings_buy_no_time_before_hello():
    with ServerProcess(CHALKLINE_HELLO_MS="1000") as server, Wire(server) as wire:
        begun = time.monotonic()
        wire.socket.settimeout(0.1)
        while True:
            wire.send(frame(PING))
            try:
                if wire.read_frame().opcode == CLOSE:
                    break
            except TimeoutError:
                continue
            time.sleep(0.1)
            assert time.monotonic() - begun < 5


# A40, F57
def test_listener_out_of_descriptors_neither_spins_nor_dies():
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

    with ServerProcess(prepare=few) as server:
        canary = Canary(server)
        before = server.cpu_seconds()
        begun = time.monotonic()
        wires = [Wire(server, upgrade=False) for _ in range(200)]
        time.sleep(2)
        # Full, and a queue that never empties: 10 % is the bound, and one tick of the clock is 10 ms.
        assert server.cpu_seconds() - before < 0.1 * (time.monotonic() - begun) + 0.05
        canary.check()
        # With the server's own 16 descriptors the last 40 fit; 50 would fill it again.
        for wire in wires[:160]:
            wire.reset()
        left = time.monotonic()

        def accepts():
            try:
                with Wire(server, behind=hello(), timeout=2) as wire:
                    return wire.read_message("welcome")
            except (EOFError, OSError):
                return False

        assert until(accepts, 5), "accepts nobody after most have left"
        assert time.monotonic() - left < 5
        canary.check()
        for wire in wires[160:]:
            wire.reset()
        canary.close()


def test_two_thousand_websockets_take_no_thread_more():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4_096:
        pytest.skip("the system allows too few descriptors for 2 000 connections")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 4_096), hard))
    with ServerProcess() as server:
        wires = [Wire(server, behind=hello()) for _ in range(2_000)]
        for wire in wires:
            wire.read_message("welcome")
        assert server.threads() <= os.cpu_count() + 6
        for wire in wires:
            wire.send(frame(PING))
        for wire in wires:
            assert wire.read_frame().opcode == PONG
        assert server.threads() <= os.cpu_count() + 6
        for wire in wires:
            wire.reset()
        assert until(lambda: server.descriptors() < 100)
