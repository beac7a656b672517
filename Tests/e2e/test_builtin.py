"""The built-in tutor, end to end: a screen, a question, a streamed answer that points at the right element."""

import asyncio

from student import Student, derivation, line

WRONG = ["3(x - 2) = 12", "3x - 6 = 12", "3x = 6", "x = 2"]


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 30))


def check_turn(turn):
    """The rules that every turn keeps."""
    assert [e["type"] for e in turn].count("turn.start") == 1
    assert [e["type"] for e in turn].count("turn.end") == 1
    numbered = [e for e in turn if "seq" in e]
    expected = numbered[0]["seq"]
    for event in numbered:
        assert event.get("from_seq", event["seq"]) == expected
        expected = event["seq"] + 1
    assert turn.end["answer"] == turn.text
    said = 0
    for event in turn:
        if event["type"] == "answer.delta":
            said += len(event["text"])
        elif event["type"] in ("highlight", "next_action"):
            assert event["at"] == said
    assert "[[" not in turn.text


def test_points_at_the_first_wrong_line_and_at_no_other(server):
    async def body():
        async with Student(server) as student:
            ack = await student.snapshot(derivation(*WRONG))
            assert ack == {"type": "screen.ack", "revision": 1, "elements": 4}
            turn = await student.ask("Why is this wrong?")
            check_turn(turn)
            assert turn.end["status"] == "done"
            assert "l3" in turn.highlighted
            assert not {"l1", "l2"} & set(turn.highlighted)
            assert turn[0]["model"] == "builtin" and turn[0]["context"]["elements"] == 4

    run(body())


def test_raises_no_false_alarm_once_the_lines_are_corrected(server):
    async def body():
        async with Student(server) as student:
            await student.snapshot(derivation(*WRONG))
            await student.ask("Why is this wrong?", id="q1")
            ack = await student.delta(update=[{"id": "l3", "content": "3x = 18"}, {"id": "l4", "content": "x = 6"}])
            assert ack["type"] == "screen.ack" and ack["revision"] == 2
            turn = await student.ask("And now?", id="q2")
            check_turn(turn)
            assert not {"l1", "l2", "l3"} & set(turn.highlighted), turn.text
            assert "wrong" not in turn.text.lower().replace("nothing is wrong", "")

    run(body())


def test_answers_in_chinese_when_asked_in_chinese(server):
    async def body():
        async with Student(server) as student:
            await student.snapshot(derivation(*WRONG))
            turn = await student.ask("为什么这里错了？")
            assert "l3" in turn.highlighted
            assert any("\u4e00" <= c <= "\u9fff" for c in turn.text)
            assert "x = 6" not in turn.text and "18" not in turn.text

    run(body())


def test_points_at_the_error_and_its_field(server):
    async def body():
        async with Student(server) as student:
            await student.snapshot([
                line("name", "", 0.1, "input", label="Name", value="Li"),
                line("phone", "", 0.2, "input", label="Phone", value="123", state=["invalid"]),
                line("oops", "Phone must have 11 digits", 0.25, "error"),
                line("send", "Submit", 0.4, "button"),
            ])
            turn = await student.ask("Why can't I submit?")
            assert turn.end["status"] == "done"
            assert {"oops", "phone"} & set(turn.highlighted)
            assert "name" not in turn.highlighted

    run(body())


def test_ring_follows_its_target_and_goes_with_it(server):
    async def body():
        async with Student(server) as student:
            await student.snapshot(derivation(*WRONG))
            turn = await student.ask("Why is this wrong?")
            box = next(e for e in turn.of("highlight") if e["element"] == "l3")["box"]
            await student.send({"type": "screen.delta", "base": 1, "revision": 2,
                                "move": [{"by": [0, -0.1], "ids": "all"}]})
            moved = await student.next("highlight.update")
            assert moved["element"] == "l3" and abs(moved["box"][1] - (box[1] - 0.1)) < 1e-6
            await student.send({"type": "screen.delta", "base": 2, "revision": 3, "remove": ["l3"]})
            gone = await student.next("highlight.update")
            assert gone["element"] == "l3" and gone["box"] is None

    run(body())


def test_boxes_come_back_in_the_clients_own_convention(server):
    async def body():
        hello = {"coordinates": {"origin": "bottom-left", "unit": "pixels"}}
        async with Student(server, hello=hello) as student:
            elements = [{"id": f"l{i + 1}", "type": "math", "content": text, "box": [100, 700 - 100 * i, 300, 50]}
                        for i, text in enumerate(WRONG)]
            await student.snapshot(elements, size=[1000, 800])
            turn = await student.ask("Why is this wrong?")
            box = next(e for e in turn.of("highlight") if e["element"] == "l3")["box"]
            assert [round(n, 3) for n in box] == [100, 500, 300, 50]

    run(body())


def test_same_ask_twice_runs_once_and_is_sent_again_unchanged(server):
    async def body():
        async with Student(server) as student:
            await student.snapshot(derivation(*WRONG))
            first = await student.ask("Why is this wrong?", id="same")
            again = await student.ask("Why is this wrong?", id="same")
            assert [e for e in again if "seq" in e][0]["seq"] == first[0]["seq"]
            assert again.end == first.end
            await student.send({"type": "ask", "id": "same", "text": "Another question"})
            error = await student.next("error")
            assert (error["code"], error["path"], error["re"]) == ("bad_message", "id", "same")

    run(body())


def test_second_ask_supersedes_the_first_or_is_refused_as_busy(server):
    async def body():
        async with Student(server) as student:
            await student.snapshot(derivation(*WRONG))
            await student.send({"type": "ask", "id": "a", "text": "Why is this wrong?"})
            await student.next("turn.start")
            await student.send({"type": "ask", "id": "b", "text": "And this?", "when_busy": "reject"})
            assert (await student.next("error"))["code"] == "busy"
            await student.send({"type": "ask", "id": "c", "text": "Why is this wrong?"})
            ended = await student.next("turn.end")
            assert (ended["re"], ended["status"]) == ("a", "superseded")
            turn = await student.turn()
            assert turn[0]["re"] == "c" and turn.end["status"] == "done"

    run(body())


def test_cancel_that_overtakes_its_ask_marks_it_dead(server):
    async def body():
        async with Student(server) as student:
            await student.snapshot(derivation(*WRONG))
            await student.send({"type": "cancel", "id": "c1", "ask": "q9"})
            assert (await student.next("ok"))["re"] == "c1"
            turn = await student.ask("Why is this wrong?", id="q9")
            assert turn.end["status"] == "cancelled" and turn.text == ""

    run(body())


def test_screen_without_question_and_question_without_screen(server):
    async def body():
        async with Student(server) as student:
            turn = await student.ask("What is this?")
            assert turn.end["status"] == "done" and turn.text and not turn.highlighted
            assert "revision" not in turn[0] or turn[0]["revision"] is None

    run(body())


def test_resume_says_that_the_session_is_unknown(server):
    async def body():
        hello = {"resume": {"session": "s_gone", "key": "k", "epoch": "e", "seq": 3}}
        async with Student(server, hello=hello) as student:
            assert (student.welcome["resumed"], student.welcome["why"]) == ("new", "unknown")
            assert student.welcome["session"] != "s_gone"
            assert student.welcome["limits"]["client_message_bytes"] == 262144

    run(body())
