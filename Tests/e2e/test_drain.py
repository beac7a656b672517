"""The end of a process: farewell, answers in flight, closes, exit 0; and the next process goes on."""

import asyncio
import http.client
import os
import signal
import subprocess
import time

import pytest
import websockets

from server import BINARY, ROOT, ServerProcess
from student import Student, derivation

SCREEN = derivation("2x + 3 = 7", "2x = 5")
SLOW = {"CHALKLINE_BUILTIN_PAUSE_MS": "60"}


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 90))


def terminate(server):
    server.process.send_signal(signal.SIGTERM)


async def ended(server, seconds=35):
    return await asyncio.get_running_loop().run_in_executor(None, lambda: server.process.wait(seconds))


def finish(server):
    """Starts another process, so that the test's own check of a good end has one."""
    server.process.stdout.close()
    server.restart()


async def answer_begins(student, id="q1"):
    await student.snapshot(SCREEN)
    await student.send({"type": "ask", "id": id, "text": "Why is this wrong?"})
    return (await student.next("answer.delta"))["turn"]


# F24
def test_clients_are_told_and_closed_when_the_server_stops(tmp_path):
    async def body(server):
        students = [Student(server) for _ in range(20)]
        for student in students:
            await student.__aenter__()
        terminate(server)
        codes = [await student.closed() for student in students]
        assert set(codes) == {4412}
        byes = [student.frames[-1] for student in students]
        assert {bye["type"] for bye in byes} == {"bye"} and {bye["reason"] for bye in byes} == {"drain"}
        assert all(bye["resumable"] is True for bye in byes)
        spread = [bye["in_ms"] for bye in byes]
        assert all(0 <= wait <= 1_000 for wait in spread) and len(set(spread)) > 5
        assert await ended(server) == 0
        finish(server)
        resumed = [Student(server, after=student) for student in students]
        for student in resumed:
            await student.__aenter__()
            assert student.welcome["resumed"] == "replay" and student.welcome["last_seq"] == 0
            await student.socket.close()

    with ServerProcess(CHALKLINE_DATA=str(tmp_path), CHALKLINE_DRAIN_SPREAD_MS="1000") as server:
        run(body(server))


# F24
def test_answer_in_flight_is_finished_before_the_process_ends(tmp_path):
    async def body(server):
        async with Student(server) as busy, Student(server) as idle:
            turn = await answer_begins(busy)
            terminate(server)
            assert await idle.closed() == 4412
            assert (await busy.next("bye"))["reason"] == "drain"
            # No new work: the question is refused, the answer goes on.
            await busy.send({"type": "ask", "id": "q2", "text": "And this?"})
            refusal = await busy.next("error")
            assert (refusal["re"], refusal["code"]) == ("q2", "busy") and refusal["retry_ms"] >= 0
            with pytest.raises((OSError, websockets.WebSocketException)):
                await Student(server).__aenter__()
            assert await busy.closed(30) == 4412
            assert busy.history.ends[turn]["status"] == "done"
            assert await ended(server) == 0
            finish(server)
            async with Student(server, after=busy) as back:
                assert back.welcome["resumed"] == "replay"
                assert back.welcome["last_seq"] == busy.history.seq
                again = await back.ask("And this?", id="q2")
                assert again.end["status"] == "done"

    with ServerProcess(CHALKLINE_DATA=str(tmp_path), **SLOW) as server:
        run(body(server))


# F24
def test_answer_that_takes_too_long_is_cut_and_the_next_process_says_so(tmp_path):
    async def body(server):
        async with Student(server) as student:
            turn = await answer_begins(student)
            terminate(server)
            assert await student.closed() == 4412
            assert turn not in student.history.ends
            assert await ended(server) == 0
            finish(server)
            async with Student(server, after=student) as back:
                assert back.welcome["resumed"] == "replay"
                while turn not in back.history.ends:
                    await back.receive()
                assert (back.history.ends[turn]["status"], back.history.ends[turn]["reason"]) == ("failed", "restarted")

    with ServerProcess(CHALKLINE_DATA=str(tmp_path), CHALKLINE_DRAIN_MS="300", **SLOW) as server:
        run(body(server))


# F24
def test_second_signal_ends_the_process_at_once(tmp_path):
    async def body(server):
        async with Student(server) as student:
            turn = await answer_begins(student)
            terminate(server)
            await student.next("bye")
            begun = time.monotonic()
            terminate(server)
            assert await student.closed() == 4412
            assert await ended(server) == 0
            # The answer alone would have taken longer, and may take 25 s.
            assert turn not in student.history.ends and time.monotonic() - begun < 10
            finish(server)
            async with Student(server, after=student) as back:
                assert back.welcome["resumed"] == "replay"

    with ServerProcess(CHALKLINE_DATA=str(tmp_path), CHALKLINE_BUILTIN_PAUSE_MS="300") as server:
        run(body(server))


# F24
@pytest.mark.parametrize("wait", [0.02, 0.05, 0.1, 0.2])
def test_signal_while_starting_ends_the_process(tmp_path, wait):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CHALKLINE_")} | {
        "CHALKLINE_LISTEN": "127.0.0.1:0", "CHALKLINE_PUBLIC": str(ROOT / "public"), "CHALKLINE_DATA": str(tmp_path),
        "SWIFT_BACKTRACE": "enable=no"}
    process = subprocess.Popen(
        [BINARY, "serve"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(wait)
    process.send_signal(signal.SIGTERM)
    # Before the program has begun the system's own answer ends it.
    assert process.wait(20) in (0, -signal.SIGTERM)


def test_readiness_says_no_while_answers_are_finished():
    async def body(server):
        async with Student(server) as student:
            turn = await answer_begins(student)
            kept = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)

            def status(path):
                kept.request("GET", path)
                response = kept.getresponse()
                response.read()
                return response.status

            assert status("/readyz") == 200
            terminate(server)
            bye = await student.next("bye")
            # What lives in memory only cannot be resumed.
            assert bye["resumable"] is False
            assert status("/readyz") == 503 and status("/livez") == 200
            assert await student.closed(30) == 4412
            assert student.history.ends[turn]["status"] == "done"
            kept.close()
        assert await ended(server) == 0
        finish(server)

    with ServerProcess(**SLOW) as server:
        run(body(server))
