"""What is kept: a killed process, a cut answer, a full disk, a locked file. Nothing acknowledged is lost."""

import asyncio
import os
import sqlite3
import subprocess
import time

import pytest

from server import ServerProcess
from student import Student, derivation

SCREEN = derivation("2x + 3 = 7", "2x = 5")


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 90))


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def kept(data):
    """A server that keeps sessions, and a file to look into."""
    with ServerProcess(CHALKLINE_DATA=str(data), CHALKLINE_BUILTIN_PAUSE_MS="20") as running:
        yield running


async def until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        await asyncio.sleep(0.01)


def file_of(data):
    [found] = [path for path in data.iterdir() if path.suffix not in ("-wal", "-shm") and "-" not in path.suffix]
    return found


# F22
def test_session_outlives_a_killed_process(kept):
    async def body():
        async with Student(kept) as first:
            await first.snapshot(SCREEN)
            turn = await first.ask("Why is this wrong?")
            await asyncio.sleep(0.3)
            kept.kill()
        kept.restart()
        async with Student(kept, after=first) as second:
            assert second.welcome["session"] == first.welcome["session"]
            assert second.welcome["resumed"] == "replay" and second.welcome["screen_revision"] == 0
            assert second.welcome["epoch"] != first.welcome["epoch"]
            assert second.welcome["last_seq"] == turn.end["seq"]
            again = await second.ask("And now?", id="q2")
            assert again[0]["turn"] == "t2" and again[0]["seq"] == turn.end["seq"] + 1

    run(body())


# A15, F24
def test_session_without_a_turn_outlives_a_deploy(kept):
    async def body():
        async with Student(kept) as first:
            await asyncio.to_thread(kept.terminate)
        kept.restart()
        async with Student(kept, after=first) as second:
            assert second.welcome["session"] == first.welcome["session"]
            assert second.welcome["resumed"] == "replay" and second.welcome["last_seq"] == 0

    run(body())


# F22
def test_answer_cut_by_a_killed_process_ends_failed_with_its_text(kept):
    async def body():
        async with Student(kept) as first:
            await first.snapshot(SCREEN)
            await first.send({"type": "ask", "id": "q1", "text": "Why is this wrong?"})
            turn = (await first.next("answer.delta"))["turn"]
            kept.kill()
        kept.restart()
        async with Student(kept, hello={"resume": first.resumption(seq=0)}) as second:
            assert second.welcome["session"] == first.welcome["session"]
            while turn not in second.history.ends:
                await second.receive()
            end = second.history.ends[turn]
            assert (end["status"], end["reason"], end["re"]) == ("failed", "restarted", "q1")
            assert end["answer"] == second.history.texts[turn]

    run(body())


# F22
def test_client_ahead_of_what_was_kept_gets_a_snapshot(kept):
    async def body():
        async with Student(kept) as first:
            await first.snapshot(SCREEN)
            await first.ask("Why?")
            await asyncio.sleep(0.3)
            kept.kill()
        kept.restart()
        ahead = first.resumption(seq=first.history.seq + 50)
        async with Student(kept, hello={"resume": ahead}) as second:
            assert second.welcome["resumed"] == "snapshot"
            assert (await second.next("session.snapshot"))["last_seq"] == first.history.seq

    run(body())


# A17, F22
def test_question_of_before_the_restart_is_known_again(data, endpoint):
    async def body(server):
        endpoint.load([{"say": "Four.\n[[sum: s]]"}])
        async with Student(server) as first:
            await first.snapshot(SCREEN)
            turn = await first.ask("Why?", id="q-7")
            await asyncio.sleep(0.3)
            server.kill()
        server.restart()
        async with Student(server, after=first) as second:
            again = await second.ask("Why?", id="q-7")
            assert [event for event in again if "seq" in event] == [event for event in turn if "seq" in event]
            other = await second.ask("Something else?", id="q-7")
            assert other[0]["code"] == "bad_message" and other[0]["path"] == "id"
        assert len(endpoint.requests) == 1

    with ServerProcess(
        CHALKLINE_DATA=str(data), CHALKLINE_MODEL="openai",
        CHALKLINE_MODEL_BASE_URL=f"http://127.0.0.1:{endpoint.port}/v1",
    ) as server:
        run(body(server))


def test_session_freed_from_memory_comes_back_from_disk(data):
    async def body(server):
        async with Student(server) as first:
            await first.snapshot(SCREEN)
            turn = await first.ask("Why?")
            await first.socket.close(1001)
        await asyncio.sleep(0.3)
        async with Student(server, hello={"resume": first.resumption(seq=0)}) as second:
            assert second.welcome["session"] == first.welcome["session"]
            assert second.welcome["resumed"] == "replay"
            while not second.history.ends:
                await second.receive()
            assert second.history.ends["t1"]["answer"] == turn.text

    with ServerProcess(CHALKLINE_DATA=str(data), CHALKLINE_SESSION_MEMORY_MS="0") as server:
        run(body(server))


def test_many_clients_at_once_load_a_session_once(data):
    async def body(server):
        async with Student(server) as first:
            await first.snapshot(SCREEN)
            await first.ask("Why?")
            await asyncio.sleep(0.3)
            server.kill()
        server.restart()

        async def come():
            student = Student(server, hello={"resume": first.resumption()})
            await student.__aenter__()
            return student

        students = await asyncio.gather(*(come() for _ in range(8)))
        assert {student.welcome["session"] for student in students} == {first.welcome["session"]}
        # One owner: all were given the same epoch, so the session was loaded once.
        assert len({student.welcome["epoch"] for student in students}) == 1
        for student in students:
            await student.socket.close()

    with ServerProcess(CHALKLINE_DATA=str(data), CHALKLINE_SHARDS="3") as server:
        run(body(server))


# F29
def test_locked_file_degrades_and_heals(data):
    async def body(server):
        async with Student(server) as student:
            await student.snapshot(SCREEN)
            await student.ask("Why?")
            await asyncio.sleep(0.3)
            lock = sqlite3.connect(file_of(data), isolation_level=None)
            lock.execute("BEGIN EXCLUSIVE")
            await student.send({"type": "ask", "id": "q2", "text": "And this?"})
            error = await student.next("error")
            assert (error["code"], error["fatal"]) == ("storage_degraded", False)
            assert len(student.history.starts) == 1, "an ask was acknowledged before anything was kept"
            turn = await student.turn()
            assert turn.end["status"] == "done" and turn[0]["re"] == "q2"
            third = await student.ask("And that?", id="q3")
            assert third.end["status"] == "done"
            assert [f["code"] for f in student.frames if f["type"] == "error"] == ["storage_degraded"]
            lock.execute("ROLLBACK")
            lock.close()
            await until(lambda: "kept again" in server.read_log(), 20)
            await student.ask("Last?", id="q4")
            await asyncio.sleep(0.3)
            server.kill()
        server.restart()
        async with Student(server, after=student) as second:
            assert second.welcome["resumed"] == "replay"
            assert second.welcome["last_seq"] == student.history.seq

    with ServerProcess(CHALKLINE_DATA=str(data), CHALKLINE_STORE_WAIT_MS="400") as server:
        run(body(server))


# F28
def test_full_disk_degrades_and_heals(tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("this machine does not let us mount a small disk")

    async def body(server):
        async with Student(server) as student:
            await student.snapshot(SCREEN)
            await student.ask("Why?")
            await asyncio.sleep(0.3)
            filler = folder / "filler"
            with open(filler, "wb", buffering=0) as file:
                try:
                    while True:
                        file.write(b"x" * 4_096)
                except OSError:
                    pass
            turn, number = None, 1
            while not any(f["type"] == "error" for f in student.frames):
                # Space in the file that was had before the disk was full is used up first.
                number += 1
                assert number < 15, "the disk never got full"
                turn = await student.ask("And this? " + "?" * 7_000, id=f"q{number}")
                if turn.end["type"] == "error":
                    turn = await student.turn()
                await asyncio.sleep(0.05)
            [error] = [f for f in student.frames if f["type"] == "error"]
            assert error["code"] == "storage_degraded" and not error["fatal"]
            assert turn.end["status"] == "done"
            filler.unlink()
            await until(lambda: "kept again" in server.read_log(), 30)
            await student.ask("Last?", id="last")
            await asyncio.sleep(0.3)
            server.kill()
        server.restart()
        async with Student(server, after=student) as second:
            assert second.welcome["resumed"] == "replay"
            assert second.welcome["last_seq"] == student.history.seq

    try:
        with ServerProcess(CHALKLINE_DATA=str(folder)) as server:
            run(body(server))
    finally:
        subprocess.run(["umount", str(folder)], check=False)


def test_forgotten_session_is_gone_from_disk(data):
    async def body(server):
        async with Student(server) as first:
            await first.snapshot(SCREEN)
            await first.ask("Is marker-4711 on the disk?")
            await first.send({"type": "feedback", "id": "f", "turn": "t1", "value": 1, "text": "marker-4712"})
            assert (await first.next("ok", "error"))["type"] == "ok"
            await first.send({"type": "forget", "id": "x"})
            assert await first.next("ok", "error") == {"type": "ok", "re": "x"}
            await first.socket.close(1000)
        assert server.terminate() == 0
        for path in data.iterdir():
            content = path.read_bytes()
            assert b"marker-4711" not in content and b"marker-4712" not in content, path
        server.restart()

    with ServerProcess(CHALKLINE_DATA=str(data)) as server:
        run(body(server))
