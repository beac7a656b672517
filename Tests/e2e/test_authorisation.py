"""The matrix of what a client may do: role × message × whose session it is about. Every cell has an expected answer."""

import asyncio
import itertools
import json

import pytest
import websockets

from student import Student, derivation
from tokens import TokenServer, bearer, mint

ROLES = ["student", "teacher", "observer", "admin"]
SCREEN = derivation("2x + 3 = 7", "2x = 5")

# Every message of a client, with what a student's own session answers. SESSION stands for a session's name.
MESSAGES = {
    "ping": ({"t": 1}, "pong"),
    "screen.snapshot": ({"revision": 9, "elements": SCREEN}, "screen.ack"),
    "screen.delta": ({"base": 1, "revision": 2, "update": [{"id": "l1", "content": "x"}]}, "screen.ack"),
    "ask": ({"text": "Why?"}, "turn.start"),
    "cancel": ({"turn": "t99"}, "ok"),
    "highlight.missed": ({"turn": "t99", "element": "l1", "why": "x"}, "unknown_turn"),
    "step.result": ({"turn": "t99", "step": 1, "ok": True}, "unknown_turn"),
    "feedback": ({"turn": "t99", "value": 1}, "unknown_turn"),
    "forget": ({"all": True}, "ok"),
    "auth.refresh": ({"token": "TOKEN"}, "ok"),
    "hello": ({"role": "student"}, "bad_message"),
    "confirm": ({"call": "k1", "digest": "9f", "allow": True}, "unsupported"),
    "skill.result": ({"call": "k1", "ok": True, "data": {}}, "unsupported"),
    "hand": ({"up": True}, "unsupported"),
    "image.begin": ({"image": "i1", "mime": "image/png", "bytes": 1, "use": "read"}, "unsupported"),
    # What only teachers may, and what no student learns of.
    "watch": ({"session": "SESSION"}, "unsupported"),
    "unwatch": ({"session": "SESSION"}, "unsupported"),
    "note": ({"session": "SESSION", "text": "x"}, "unsupported"),
    "steer": ({"session": "SESSION", "text": "x"}, "unsupported"),
    "policy": ({"session": "SESSION", "paused": True}, "unsupported"),
}
# Whose session: the client's own, that of another student, one that never was.
SCOPES = ["own", "foreign", "absent"]


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


@pytest.fixture(scope="module")
def token_server(tmp_path_factory):
    with TokenServer(tmp_path_factory.mktemp("keys"), CHALKLINE_SHARDS="2") as running:
        yield running


@pytest.fixture(scope="module")
def victim(token_server):
    """Another student's session, with its keys, as a thief would have them."""
    async def body():
        async with Student(token_server, **bearer(mint(sub="victim", room="r1"))) as student:
            await student.snapshot(SCREEN)
            await student.ask("Why? victim-marker")
            return student.resumption()

    return run(body())


def filled(value, session):
    text = json.dumps(value).replace("SESSION", session)
    return json.loads(text.replace("TOKEN", mint(sub="li", room="r1")))


async def answer(socket, re):
    """The direct answer to a message: its type, or the code of its error."""
    while True:
        frame = json.loads(await asyncio.wait_for(socket.recv(), 15))
        assert "victim-marker" not in json.dumps(frame)
        if frame.get("re") == re:
            return frame


def outcome(frame):
    return frame["code"] if frame["type"] == "error" else frame["type"]


@pytest.mark.parametrize("role, kind, scope", list(itertools.product(ROLES, MESSAGES, SCOPES)))
def test_cell(token_server, victim, role, kind, scope):
    """A student does what is a student's; nobody else gets in, as long as there are no rooms; whose session a message
    names makes no difference to the answer."""
    fields, expected = MESSAGES[kind]

    async def body():
        async with websockets.connect(
                token_server.ws, subprotocols=["chalkline.v1"], **bearer(mint(sub="li", role=role, room="r1"))) as socket:
            await socket.send(json.dumps({"type": "hello", "id": "h", "role": role, "room": "r1"}))
            if role != "student":
                # What is sent in the same breath is not looked at.
                await socket.send(json.dumps({"type": kind, "id": "m", **filled(fields, victim["session"])}))
            welcome = await answer(socket, "h")
            if role != "student":
                assert (outcome(welcome), welcome["fatal"]) == ("unsupported", True)
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await asyncio.wait_for(socket.recv(), 15)
                assert closed.value.rcvd.code == 4503
                return
            await socket.send(json.dumps({"type": "screen.snapshot", "id": "s", "revision": 1, "elements": SCREEN}))
            await answer(socket, "s")
            session = {"own": welcome["session"], "foreign": victim["session"], "absent": "s_0000000000000000000000"}
            await socket.send(json.dumps({"type": kind, "id": "m", **filled(fields, session[scope])}))
            assert outcome(await answer(socket, "m")) == expected

    run(body())


def test_matrix_has_every_message_of_the_contract(token_server):
    """A message type that is new is not forgotten here: the server does not know any that is not in the list."""
    from pathlib import Path
    import re
    source = (Path(__file__).parents[2] / "Sources/TutorProtocol/Decoding/MessageType.swift").read_text()
    known = {raw or name for name, raw in re.findall(r'case (\w+)(?: = "([\w.]+)")?', source)}
    assert known == set(MESSAGES)


RESUMES = {
    "own key": ("victim", lambda r: r, "replay", None),
    "another subject with the right key": ("li", lambda r: r, "new", "unknown"),
    "another subject with a wrong key": ("li", lambda r: {**r, "key": "k_1_wrong"}, "new", "unknown"),
    "a wrong key": ("victim", lambda r: {**r, "key": r["key"][:-1] + "!"}, "new", "unknown"),
    "no such session": ("victim", lambda r: {**r, "session": "s_0000000000000000000000"}, "new", "unknown"),
    "key of another session": ("li", lambda r: {**r, "session": "s_0000000000000000000000"}, "new", "unknown"),
}


@pytest.mark.parametrize("case", RESUMES)
def test_session_is_resumed_by_its_subject_alone(token_server, case):
    subject, change, resumed, why = RESUMES[case]

    async def body():
        async with Student(token_server, **bearer(mint(sub="victim"))) as first:
            await first.snapshot(SCREEN)
            await first.ask("Why? victim-marker")
            first.drop()
        async with Student(token_server, {"resume": change(first.resumption(seq=0))}, **bearer(mint(sub=subject))) as s:
            assert (s.welcome["resumed"], s.welcome["why"]) == (resumed, why)
            assert (s.welcome["session"] == first.welcome["session"]) is (resumed == "replay")
            if resumed == "new":
                # Absent and forbidden are the same answer, but for the new session's own names.
                assert set(s.welcome) == {"type", "session", "key", "epoch", "resumed", "why", "last_seq",
                                          "screen_revision", "limits", "policy", "watchers", "token_expires_at", "version"}
                assert s.welcome["last_seq"] == 0
                await s.send({"type": "ping", "id": "p"})
                await s.next("pong")
                assert "victim-marker" not in json.dumps(s.frames)
        # Whoever tried: the owner still has it.
        if resumed == "new":
            async with Student(token_server, {"resume": first.resumption(seq=0)}, **bearer(mint(sub="victim"))) as owner:
                assert owner.welcome["resumed"] == "replay"

    run(body())


def test_connected_owner_is_not_thrown_out_by_a_thief(token_server):
    async def body():
        async with Student(token_server, **bearer(mint(sub="victim"))) as owner:
            async with Student(token_server, {"resume": owner.resumption()}, **bearer(mint(sub="li"))) as thief:
                assert thief.welcome["why"] == "unknown"
            await owner.snapshot(SCREEN)
            assert (await owner.ask("Why?")).end["status"] == "done"

    run(body())
