"""Ends of a connection: in order, crossing, half, by reset and in the middle of an answer. The peer gets its code, the
server gets its descriptor back."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from relay import Relay
from server import ServerProcess
from wire import CLOSE, PING, TEXT, Wire, close_frame, frame, hello, message, until

# Rounds of the races. More, on a quiet machine: TRANSPORT_ROUNDS=10000.
ROUNDS = int(os.environ.get("TRANSPORT_ROUNDS", 300))


# A10, F12
def test_close_of_the_server_reaches_a_client_that_still_sends_over_a_long_way():
    """The server closes (4408: no hello) in the middle of a stream of deltas, 50 ms away from the client."""
    delta = message(type="screen.delta", base=1, revision=2, update=[{"id": "l1", "content": "x" * 500}])

    def round(server, relay):
        with Wire(server, port=relay.port, timeout=20) as wire:
            wire.socket.settimeout(0.03)
            deadline = time.monotonic() + 20
            while True:
                assert time.monotonic() < deadline
                wire.send(delta)
                try:
                    # Every delta is answered by an error, until the close frame comes.
                    answer = wire.read_frame()
                except TimeoutError:
                    continue
                if answer.opcode == CLOSE:
                    break
            # The client answers as RFC 6455 asks, and only then looks for the end.
            wire.socket.settimeout(20)
            wire.send(close_frame(answer.code))
            assert wire.read_end() == b""
            return answer.code

    with ServerProcess(CHALKLINE_HELLO_MS="300") as server, Relay(server.port, delay=0.05) as relay:
        base = server.settled_descriptors()
        with ThreadPoolExecutor(50) as pool:
            codes = list(pool.map(lambda _: round(server, relay), range(1_000)))
        assert codes.count(4408) == 1_000 and relay.resets == 0
        assert until(lambda: server.descriptors() <= base)


# A11
def test_client_that_keeps_its_socket_open_after_closing_is_closed_upon(server, canary):
    base = server.settled_descriptors()
    wires = [Wire(server, behind=hello()) for _ in range(20)]
    for wire in wires:
        wire.read_message("welcome")
        wire.send(close_frame(1000, b"done"))
    begun = time.monotonic()
    for wire in wires:
        assert wire.read_close() == 1000
    assert time.monotonic() - begun < 2
    # The clients never close, and never read again; 2 s, and room for a machine at work.
    assert until(lambda: server.descriptors() <= base, 3.5), server.descriptors() - base
    for wire in wires:
        wire.reset()


# F12
@pytest.mark.parametrize("close, code", [
    (frame(CLOSE, b""), 1005), (close_frame(1000), 1000), (close_frame(1001, b"bye"), 1001),
    (close_frame(3000), 3000), (close_frame(4999), 4999), (close_frame(1000, b"r" * 123), 1000),
    (frame(CLOSE, b"\x03"), 1002), (close_frame(1000, b"r" * 124), 1002),
    *((close_frame(number), 1002) for number in (0, 1, 999, 1004, 1005, 1006, 1015, 1016, 2000, 2999, 5000, 65_535)),
])
def test_close_frame_is_answered_as_the_standard_says(server, close, code):
    with Wire(server, behind=hello() + close) as wire:
        assert wire.read_close() == code


# F12
def test_nothing_behind_a_close_frame_is_read(server, canary):
    behind = message(type="ping", t=1) + frame(PING, b"late") + b"\xff" * 100_000
    with Wire(server, behind=hello()) as wire:
        wire.read_message("welcome")
        wire.send(close_frame(1000), behind)
        assert wire.read_close() == 1000


# F12
def test_crossing_closes_end_both_sides():
    with ServerProcess(CHALKLINE_HELLO_MS="300") as server, Relay(server.port, delay=0.05) as relay:
        base = server.settled_descriptors()
        with Wire(server, port=relay.port) as wire:
            # Sent so that it is on its way when the server's own close starts, or a little to either side.
            wire.socket.settimeout(5)
            time.sleep(0.3)
            wire.send(close_frame(1000))
            assert wire.read_close() in (1000, 4408)
        assert until(lambda: server.descriptors() <= base) and relay.resets == 0


# F12
def test_client_that_never_answers_a_close_is_closed_upon():
    with ServerProcess(CHALKLINE_HELLO_MS="200") as server:
        base = server.settled_descriptors()
        wires = [Wire(server) for _ in range(10)]
        for wire in wires:
            assert wire.read_frame().code == 4408
        assert until(lambda: server.descriptors() <= base, 15)
        for wire in wires:
            assert wire.read_end() == b""
            wire.reset()


# A38, F15
@pytest.mark.parametrize("count", [1, 16_384, 100 * 1024, 200_000])
def test_reset_with_unread_bytes_gives_the_descriptor_back(server, canary, count):
    base = server.settled_descriptors()
    for whole in (True, False):
        for _ in range(10):
            wire = Wire(server, behind=hello())
            wire.read_message("welcome")
            data = frame(TEXT, b"x" * count)
            wire.send(data if whole else data[:-1])
            wire.reset()
    # 1 s, and room for a machine at work.
    assert until(lambda: server.descriptors() <= base, 3)


# A38: the same on a pipe that was never a WebSocket.
def test_reset_inside_a_head_gives_the_descriptor_back(server, canary):
    base = server.settled_descriptors()
    begun, page = b"GET / HTTP/1.1\r\nHost: h\r\nA: ", b"GET /chalkline.js HTTP/1.1\r\nHost: h\r\n\r\n"
    for data in (b"", b"G", begun + b"b" * 5_000, page):
        for _ in range(10):
            wire = Wire(server, upgrade=False)
            wire.send(data)
            wire.reset()
    assert until(lambda: server.descriptors() <= base, 3)


# A39
def test_client_that_leaves_while_the_answer_streams_leaves_the_server_running(server, canary):
    base = server.settled_descriptors()
    screen = message(type="screen.snapshot", revision=1, elements=[
        {"id": "l1", "type": "math", "content": "2x + 3 = 7", "box": [0.1, 0.1, 0.4, 0.05]},
        {"id": "l2", "type": "math", "content": "2x = 10", "box": [0.1, 0.2, 0.4, 0.05]}])
    for i in range(ROUNDS):
        wire = Wire(server, behind=hello() + screen + message(type="ask", id="q", text="Why is this wrong?"))
        wire.read_message("answer.delta" if i % 3 else "turn.start")
        if i % 2:
            wire.reset()
        else:
            # An end with answers unread is a reset too, one that comes later.
            wire.socket.close()
    canary.check()
    assert until(lambda: server.descriptors() <= base)


# F15
def test_storm_of_resets_leaves_no_descriptor_behind(server, canary):
    base = server.settled_descriptors()
    for start in range(0, ROUNDS, 50):
        wires = [Wire(server, upgrade=i % 2 == 0, behind=hello()) for i in range(50)]
        for wire in wires:
            wire.reset()
    assert until(lambda: server.descriptors() <= base)


# F15
def test_reset_while_the_server_writes_ends_the_session(server, canary):
    base = server.settled_descriptors()
    for _ in range(10):
        wire = Wire(server, receive_buffer=4_096)
        # More answers than the client's buffer holds, none of them read.
        wire.send(message(type="ping", t=1) * 2_000)
        time.sleep(0.02)
        wire.reset()
    assert until(lambda: server.descriptors() <= base)
