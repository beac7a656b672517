"""Resuming: every way back to a session, each with an exact history, and every way that is not one."""

import asyncio
import json
import time

import pytest

from server import ServerProcess
from student import Student, derivation
from wire import Wire, hello

SCREEN = derivation("2x + 3 = 7", "2x = 5")
LONG = "word " * 400


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


@pytest.fixture(scope="module")
def slow_server():
    """Its answers take a second or two, so that connections can be lost in the middle."""
    with ServerProcess(CHALKLINE_BUILTIN_PAUSE_MS="30", CHALKLINE_SHARDS="3") as running:
        yield running


async def begin_answer(student, id="q1"):
    """Asks and waits until the answer is coming."""
    await student.snapshot(SCREEN)
    await student.send({"type": "ask", "id": id, "text": "Why is this wrong?"})
    return (await student.next("answer.delta"))["turn"]


# A15
def test_session_in_which_nothing_happened_is_resumed(server):
    async def body():
        async with Student(server) as first:
            first.drop()
        async with Student(server, after=first) as second:
            assert second.welcome["resumed"] == "replay" and second.welcome["why"] is None
            assert second.welcome["session"] == first.welcome["session"]
            assert second.welcome["last_seq"] == 0
            assert (await second.snapshot(SCREEN))["type"] == "screen.ack"

    run(body())


# F21
def test_answer_goes_on_over_lost_connections_with_an_exact_history(slow_server):
    async def body():
        student = Student(slow_server)
        async with student:
            turn = await begin_answer(student)
            student.drop()
        for _ in range(5):
            following = Student(slow_server, after=student)
            async with following:
                assert following.welcome["resumed"] == "replay"
                assert following.welcome["session"] == student.welcome["session"]
                if turn not in following.history.ends:
                    await following.receive()
                following.drop()
            student = following
        async with Student(slow_server, after=student) as last:
            while turn not in last.history.ends:
                await last.receive()
            assert last.history.ends[turn]["status"] == "done"

    run(body())


# A16
@pytest.mark.parametrize("changes", [{"seq": 10_000}, {"epoch": "e_another"}])
def test_place_that_the_log_does_not_have_gets_a_snapshot(server, changes):
    async def body():
        async with Student(server) as first:
            await first.snapshot(SCREEN)
            turn = await first.ask("Why is this wrong?")
            first.drop()
        resume = first.resumption(**changes)
        async with Student(server, hello={"resume": resume}) as second:
            assert second.welcome["resumed"] == "snapshot"
            snapshot = await second.next("session.snapshot")
            assert snapshot["last_seq"] == turn.end["seq"] == second.welcome["last_seq"]
            assert snapshot["turns"][-1]["answer"] == turn.text
            second.revision = second.welcome["screen_revision"]
            again = await second.ask("And now?", id="q2")
            assert again[0]["seq"] == turn.end["seq"] + 1

    run(body())


# A17
def test_question_sent_again_after_a_lost_connection_runs_once(model_server, endpoint):
    async def body():
        endpoint.load([{"say": "Two times two is four.\n[[sum: s]]"}])
        async with Student(model_server) as first:
            await first.snapshot(SCREEN)
            await first.send({"type": "ask", "id": "q-7", "text": "Why?"})
            first.drop()
        async with Student(model_server, after=first) as second:
            await second.send({"type": "ask", "id": "q-7", "text": "Why?"})
            while not second.history.ends:
                await second.receive()
            # What is sent again is the same turn.
            await second.send({"type": "ping", "t": 1})
            await second.next("pong")
            assert len(second.history.starts) == 1
            assert [frame["re"] for frame in second.frames if frame["type"] == "turn.end"].count("q-7") >= 1
        assert len(endpoint.requests) == 1

    run(body())


# A18
def test_question_right_behind_a_stop_is_answered(slow_server):
    async def body():
        async with Student(slow_server) as student:
            await student.snapshot(SCREEN)
            for round in range(8):
                await student.send({"type": "ask", "id": f"a{round}", "text": "Why?"})
                await asyncio.sleep(0.005)
                await student.send({"type": "cancel", "ask": f"a{round}"})
                await student.send({"type": "ask", "id": f"b{round}", "text": "hint, please"})
                while not any(end["re"] == f"b{round}" for end in student.history.ends.values()):
                    await student.receive()
                statuses = {end["re"]: end["status"] for end in student.history.ends.values()}
                assert statuses[f"b{round}"] == "done" and statuses[f"a{round}"] in ("cancelled", "done")

    run(body())


# A19
def test_silent_old_socket_does_not_hold_the_new_one(slow_server):
    async def body():
        old = Wire(slow_server, behind=hello())
        welcome = old.read_message("welcome")
        resume = {"session": welcome["session"], "key": welcome["key"], "epoch": welcome["epoch"], "seq": 0}
        begun = time.monotonic()
        # The old one neither reads nor answers from here on.
        async with Student(slow_server, hello={"resume": resume}) as new:
            assert new.welcome["resumed"] == "replay"
            assert time.monotonic() - begun < 2
            bye = old.read_message("bye")
            assert bye["reason"] == "replaced"
            assert old.read_close() == 4505
            await new.snapshot(SCREEN)
            assert (await new.ask("Why?")).end["status"] == "done"

    run(body())


# F27
def test_newest_of_many_connections_wins_wherever_it_was_accepted(slow_server):
    """Three loops accept: most of the moves are from one to another, in the middle of an answer."""
    async def body():
        students = [Student(slow_server)]
        await students[0].__aenter__()
        turn = await begin_answer(students[0])
        history = students[0].history
        for _ in range(30):
            newer = Student(slow_server, after=students[-1])
            await newer.__aenter__()
            assert newer.welcome["resumed"] == "replay", newer.welcome
            assert await students[-1].closed() == 4505
            assert students[-1].frames[-1] == {
                "type": "bye", "reason": "replaced", "in_ms": 0, "resumable": False}
            students.append(newer)
        while turn not in history.ends:
            await students[-1].receive()
        assert history.ends[turn]["status"] == "done"
        await students[-1].socket.close()

    run(body())


# F21
def test_resumes_of_one_session_at_once_leave_one_connection(slow_server):
    async def body():
        async with Student(slow_server) as first:
            await first.snapshot(SCREEN)
            turn = await first.ask("Why?")
            first.drop()

        async def come():
            student = Student(slow_server, hello={"resume": first.resumption(seq=0)})
            await student.__aenter__()
            return student

        students = await asyncio.gather(*(come() for _ in range(8)))
        assert {student.welcome["session"] for student in students} == {first.welcome["session"]}

        async def end(student):
            try:
                return await student.closed(1)
            except asyncio.TimeoutError:
                return None

        ends = await asyncio.gather(*map(end, students))
        assert ends.count(None) == 1 and ends.count(4505) == 7, ends
        newest = students[ends.index(None)]
        assert newest.history.ends[turn[0]["turn"]]["answer"] == turn.text
        await newest.socket.close()

    run(body())


# F21
def test_foreign_session_and_unknown_session_get_the_same_answer(server):
    """Compared byte for byte, but for what is new in every welcome."""
    async def body():
        async with Student(server) as owner:
            await owner.snapshot(SCREEN)
            await owner.ask("Why?")
            answers = []
            foreign = owner.resumption(key=owner.welcome["key"][:-1] + ("A" if owner.welcome["key"][-1] != "A" else "B"))
            unknown = {**foreign, "session": "s_" + "0" * 22}
            for resume in [foreign, unknown]:
                async with Student(server, hello={"resume": resume}) as other:
                    assert other.welcome["session"] != owner.welcome["session"]
                    await other.send({"type": "ping", "t": 1})
                    await other.next("pong")
                    for frame in other.frames:
                        frame.pop("now", None)
                    assert other.frames[0]["resumed"] == "new" and other.frames[0]["why"] == "unknown"
                    text = json.dumps(other.frames)
                    for name in ["session", "key", "epoch"]:
                        text = text.replace(other.welcome[name], "*" * len(other.welcome[name]))
                    answers.append(text)
            assert answers[0] == answers[1]
            # The owner's connection was not touched.
            assert (await owner.ask("And?", id="q2")).end["status"] == "done"

    run(body())


def test_key_is_good_until_the_next_one_is_used(server):
    async def body():
        async with Student(server) as first:
            first.drop()
        old = first.resumption()
        # The welcome is lost: the same key again.
        for _ in range(2):
            async with Student(server, hello={"resume": old}) as lost:
                assert lost.welcome["resumed"] == "replay"
                lost.drop()
        async with Student(server, hello={"resume": lost.resumption()}) as second:
            assert second.welcome["resumed"] == "replay"
            async with Student(server, hello={"resume": old}) as thief:
                assert thief.welcome["resumed"] == "new" and thief.welcome["why"] == "unknown"
            await second.send({"type": "ping", "t": 1})
            assert await second.next("pong")

    run(body())


def test_session_that_is_gone_is_called_expired_to_its_owner():
    async def body(server):
        async with Student(server) as first:
            await first.socket.close(1001)
        await asyncio.sleep(0.3)
        async with Student(server, after=first) as second:
            assert second.welcome["resumed"] == "new" and second.welcome["why"] == "expired"
            assert second.welcome["session"] != first.welcome["session"]

    with ServerProcess(CHALKLINE_SESSION_MEMORY_MS="50") as server:
        run(body(server))


def test_what_is_sent_behind_hello_is_handled_after_the_welcome(slow_server):
    async def body():
        async with Student(slow_server) as first:
            first.drop()
        behind = [
            {"type": "screen.snapshot", "id": "s", "revision": 1, "elements": SCREEN},
            {"type": "ask", "id": "q1", "text": "Why?"}]
        async with Student(slow_server, after=first, behind=behind) as second:
            assert second.frames[0]["type"] == "welcome" and second.welcome["resumed"] == "replay"
            turn = await second.turn()
            assert turn[0]["re"] == "q1" and turn[0]["revision"] == 1 and turn.end["status"] == "done"

    run(body())
