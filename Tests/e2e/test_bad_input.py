"""Bad input gets a typed error with a path, changes nothing, and the next message works."""

import asyncio
import json

import pytest
import websockets

from student import Student, derivation, line

GOOD = derivation("2x + 3 = 7", "2x = 4")


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


def snapshot(*elements, **fields):
    return {"type": "screen.snapshot", "id": "m1", "revision": 2, "elements": list(elements), **fields}


CASES = {
    "not JSON": ("{", "bad_frame", None),
    "an array": ("[]", "bad_frame", None),
    "a repeated key": ('{"type":"ping","t":1,"t":2}', "bad_frame", None),
    "nested 100 000 deep": ('{"type":"ping","x":' + "[" * 100_000 + "]" * 100_000 + "}", "bad_frame", None),
    "unknown type": ({"type": "sing", "id": "m1"}, "unknown_type", "type"),
    "type is a number": ({"type": 7, "id": "m1"}, "bad_message", "type"),
    "revision is a text": ({**snapshot(*GOOD), "revision": "2"}, "bad_message", "revision"),
    "elements is an object": ({**snapshot(), "elements": {}}, "bad_message", "elements"),
    "a duplicate id": (snapshot(line("a", "1", 0.1), line("b", "2", 0.2), line("a", "3", 0.3)),
                       "bad_message", "elements[2].id"),
    "an id outside the alphabet": (snapshot(line("a b", "1", 0.1)), "bad_message", "elements[0].id"),
    "a box that is no number": (json.dumps(snapshot(line("a", "1", 0.1))).replace("0.4", "NaN"), "bad_frame", None),
    "a box of null": (snapshot({**line("a", "1", 0.1), "box": [0, None, 1, 1]}), "bad_message", "elements[0].box"),
    "a box too large for a number": (json.dumps(snapshot(line("a", "1", 0.1))).replace("0.4", "1e400"), None, None),
    "a negative size": (snapshot({**line("a", "1", 0.1), "box": [0, 0, -1, 1]}), "bad_message", "elements[0].box"),
    "three numbers": (snapshot({**line("a", "1", 0.1), "box": [0, 0, 1]}), "bad_message", "elements[0].box"),
    "a screen too far away": (snapshot({**line("a", "1", 0.1), "box": [0, 5000, 1, 1]}), "bad_message",
                              "elements[0].box"),
    "content too long": (snapshot(line("a", "x" * 2001, 0.1)), "bad_message", "elements[0].content"),
    "an ask without id": ({"type": "ask", "text": "why?"}, "bad_message", "id"),
    "an ask without text": ({"type": "ask", "id": "m1"}, "bad_message", "text"),
    "a hint level of 9": ({"type": "ask", "id": "m1", "text": "why?", "hint_level": 9}, "bad_message", "hint_level"),
    "a skill": ({"type": "skill.result", "id": "m1", "call": "c", "ok": True}, "unsupported", None),
    "a room": ({"type": "watch", "id": "m1", "session": "s"}, "unsupported", None),
    "feedback of 2": ({"type": "feedback", "id": "m1", "turn": "t1", "value": 2}, "bad_message", "value"),
    "an image": ({"type": "image.begin", "id": "m1", "image": "i", "mime": "image/png", "bytes": 3, "use": "read"},
                 "unsupported", None),
}


@pytest.mark.parametrize("name", CASES)
def test_is_refused_and_changes_nothing(server, name):
    message, code, path = CASES[name]

    async def body():
        async with Student(server) as student:
            await student.snapshot(GOOD)
            await student.send(message)
            error = await student.next("error")
            if code:
                assert error["code"] == code, error
            assert error["code"] in ("bad_frame", "bad_message", "unknown_type", "unsupported")
            if path:
                assert error["path"] == path, error
            if isinstance(message, dict) and "id" in message and message["id"] == "m1":
                assert error["re"] == "m1"
            assert error["fatal"] is False
            # Still the first screen, and still a working session.
            ack = await student.delta(update=[{"id": "l2", "content": "2x = 5"}])
            assert ack == {"type": "screen.ack", "revision": 2, "elements": 2}

    run(body())


def test_message_of_a_mebibyte_is_refused_and_the_next_one_works(server):
    async def body():
        async with Student(server) as student:
            await student.snapshot(GOOD)
            await student.send(json.dumps(snapshot(*[line(f"e{i}", "x" * 1500, 0.1) for i in range(700)])))
            error = await student.next("error")
            assert error["code"] == "too_large", error
            ack = await student.delta(update=[{"id": "l2", "content": "2x = 5"}])
            assert ack["revision"] == 2

    run(body())


def test_delta_on_another_revision_asks_for_a_snapshot_once(server):
    async def body():
        async with Student(server) as student:
            await student.snapshot(GOOD)
            await student.send({"type": "screen.delta", "base": 7, "revision": 8, "remove": ["l1"]})
            resync = await student.next("screen.resync")
            assert (resync["revision"], resync["why"]) == (1, "gap")
            await student.send({"type": "screen.delta", "base": 8, "revision": 9, "remove": ["l2"]})
            ack = await student.snapshot(GOOD, revision=10)
            assert ack["revision"] == 10 and ack["elements"] == 2
            assert [f["type"] for f in student.frames].count("screen.resync") == 1

    run(body())


def test_everything_before_hello_but_ping_is_refused(server):
    async def body():
        async with websockets.connect(server.ws, subprotocols=["chalkline.v1"]) as socket:
            await socket.send('{"type":"ask","id":"q","text":"why?"}')
            error = json.loads(await socket.recv())
            assert (error["type"], error["code"], error["re"]) == ("error", "bad_message", "q")
            await socket.send('{"type":"ping","t":5}')
            assert json.loads(await socket.recv())["t"] == 5

    run(body())


def test_binary_message_closes_with_1003(server):
    async def body():
        async with Student(server) as student:
            await student.send(b"\x00\x01")
            with pytest.raises(websockets.ConnectionClosed) as closed:
                while True:
                    await student.receive()
            assert closed.value.rcvd.code == 1003

    run(body())


def test_silence_before_hello_closes_with_4408():
    from server import ServerProcess

    async def body(server):
        async with websockets.connect(server.ws, subprotocols=["chalkline.v1"]) as socket:
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await asyncio.wait_for(socket.recv(), 15)
            assert closed.value.rcvd.code == 4408

    with ServerProcess(CHALKLINE_HELLO_MS="300") as server:
        run(body(server))


def test_teacher_is_told_that_there_are_no_rooms(server):
    async def body():
        async with websockets.connect(server.ws, subprotocols=["chalkline.v1"]) as socket:
            await socket.send('{"type":"hello","role":"teacher","room":"R"}')
            error = json.loads(await socket.recv())
            assert (error["code"], error["fatal"]) == ("unsupported", True)
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await asyncio.wait_for(socket.recv(), 15)
            assert closed.value.rcvd.code == 4503

    run(body())
