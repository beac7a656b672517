"""Who is silent is asked, who does not answer is let go, and no proxy on the way sees a silence."""

import asyncio
import subprocess
import time

from relay import Relay
from server import BINARY, ServerProcess
from student import Student
from wire import PING, PONG, Wire, frame, hello, until


# A12, F14
def test_idle_session_lives_through_a_proxy_that_cuts_after_silence():
    async def idle(server, relay):
        behind_proxy = type("", (), {"ws": f"ws://127.0.0.1:{relay.port}/v1/ws"})
        # The library's own pings are off: the server's alone keep the proxy content.
        async with Student(behind_proxy, ping_interval=None) as student:
            await asyncio.sleep(8)
            await student.send({"type": "ping", "t": 1})
            assert (await student.next("pong"))["t"] == 1

    with ServerProcess(CHALKLINE_PING_AFTER_MS="500") as server, Relay(server.port, silence=2.0) as relay:
        asyncio.run(asyncio.wait_for(idle(server, relay), 60))
        assert relay.cuts == 0


# A12: the proxies that people run cut after 60 s.
def test_default_ping_comes_well_before_a_proxy_loses_patience():
    printed = subprocess.run([BINARY, "config", "print"], capture_output=True, text=True, check=True, env={}).stdout
    settings = dict(line.split(" = ", 1) for line in printed.splitlines() if " = " in line)
    assert int(settings["ping_after_ms"]) < 30_000
    # F13: a peer that is gone is noticed within 35 s.
    assert int(settings["ping_after_ms"]) + int(settings["pong_ms"]) <= 35_000


# F13
def test_peer_that_answers_no_ping_is_dropped_and_one_that_does_is_kept():
    with ServerProcess(CHALKLINE_PING_AFTER_MS="400", CHALKLINE_PONG_MS="1500") as server:
        base = server.settled_descriptors()
        gone = [Wire(server, behind=hello()) for _ in range(10)]
        alive = Wire(server, behind=hello())
        alive.read_message("welcome")
        begun, pings = time.monotonic(), 0
        while server.descriptors() > base + 1:
            ping = alive.read_frame()
            assert ping.opcode == PING
            alive.send(frame(PONG, ping.payload))
            pings += 1
            assert time.monotonic() - begun < 15
        assert pings >= 2
        alive.send(frame(PING, b"still here"))
        assert alive.read_until(lambda f: f.opcode == PONG)[-1].payload == b"still here"
        for wire in gone:
            wire.socket.close()
        alive.socket.close()


# F13: half open in the other direction, the peer's end said and ours not.
def test_peer_that_shuts_its_side_is_let_go(server, canary):
    base = server.settled_descriptors()
    wires = [Wire(server, behind=hello()) for _ in range(10)]
    for wire in wires:
        wire.read_message("welcome")
        wire.socket.shutdown(1)
    assert until(lambda: server.descriptors() <= base)
    for wire in wires:
        wire.socket.close()


# F13
def test_any_byte_counts_as_a_sign_of_life():
    with ServerProcess(CHALKLINE_PING_AFTER_MS="1000", CHALKLINE_PONG_MS="1000") as server:
        with Wire(server, behind=hello()) as wire:
            wire.read_message("welcome")
            # A message that comes a byte at a time, for longer than silence may last.
            for byte in frame(1, b'{"type":"ping","id":"slow","t":1}'):
                wire.send(bytes([byte]))
                time.sleep(0.1)
            assert wire.read_message("pong")["re"] == "slow"
