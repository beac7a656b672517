"""The same with an OpenAI-compatible endpoint: streaming, targets, usage, summaries, cancel, the key."""

import asyncio
import json
import time

from student import Student, derivation, line
from server import ServerProcess

SCREEN = derivation("2x + 3 = 7", "2x = 5") + [
    line("answer", "", 0.4, "input", placeholder="Answer"), line("go", "Submit", 0.5, "button")]


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


def alias(request, content):
    """The number that stands for a text in the prompt's rows."""
    import re

    prompt = request["body"]["messages"][-1]["content"]
    found = re.search(r"(?m)(?:^|\| )(\d+)[a-z!*>#-]*[ _=]*" + re.escape(content), prompt)
    assert found, prompt
    return int(found.group(1))


async def until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        await asyncio.sleep(0.005)


async def aliases(student, endpoint, *contents):
    """Asks once to learn the numbers, which stay their elements' own."""
    endpoint.load([{"say": "One moment.\n[[sum: probe]]"}])
    await student.ask("What is on the screen?", id="probe")
    return [alias(endpoint.requests[-1], content) for content in contents]


def test_text_highlight_and_action_arrive_while_the_stream_is_running(model_server, endpoint):
    async def body():
        async with Student(model_server) as student:
            await student.snapshot(SCREEN)
            wrong, answer = await aliases(student, endpoint, "2x = 5", "Answer")
            endpoint.load([{"steps": [
                {"text": "Look at the second line "}, {"text": f"[[{wrong}]]"}, {"pause_ms": 1000},
                {"text": f" and try again [[{answer} type:2]]"}, {"pause_ms": 1000},
                {"text": ".\n[[sum: second line]]"}, {"finish": "stop"}, {"usage": True}, {"done": True}]}])
            await student.send({"type": "ask", "id": "q1", "text": "Why is this wrong?"})
            highlight = await student.next("highlight")
            assert not endpoint.requests[-1]["answered"], "the stream was over before the highlight came"
            assert (highlight["element"], highlight["at"]) == ("l2", len("Look at the second line"))
            action = await student.next("next_action")
            assert not endpoint.requests[-1]["answered"]
            assert (action["element"], action["verb"], action["text"], action["step"]) == ("answer", "type", "2", 1)
            end = await student.next("turn.end")
            assert end["status"] == "done" and end["summary"] == "second line"
            assert "[[" not in end["answer"] and "sum:" not in end["answer"]
            assert end["usage"] == {"input": 100, "cached": 64, "output": 20, "estimated": False}

    run(body())


def test_invented_alias_is_dropped_and_named(model_server, endpoint):
    async def body():
        async with Student(model_server) as student:
            await student.snapshot(SCREEN)
            [wrong] = await aliases(student, endpoint, "2x = 5")
            endpoint.load([{"say": f"See [[{wrong}]] and [[987]] and [[988 tap]].\n[[sum: s]]"}])
            turn = await student.ask("Why?")
            assert turn.highlighted == ["l2"] and not turn.of("next_action")
            assert [d["why"] for d in turn.end["dropped"]] == ["unknown", "unknown"]
            assert "987" in turn.end["dropped"][0]["element"]
            assert "[[" not in turn.text

    run(body())


def test_target_that_changes_while_the_model_answers_is_stale(model_server, endpoint):
    async def body():
        async with Student(model_server) as student:
            await student.snapshot(SCREEN)
            wrong, first = await aliases(student, endpoint, "2x = 5", "2x + 3 = 7")
            endpoint.load([{"steps": [
                {"text": "Look "}, {"pause_ms": 1000}, {"text": f"here [[{wrong}]] and there [[{first}]]."},
                {"finish": "stop"}, {"done": True}]}])
            await student.send({"type": "ask", "id": "q1", "text": "Why?"})
            await student.next("answer.delta")
            await student.delta(update=[{"id": "l2", "content": "2x = 4"}], move=[{"by": [0, 0.1], "ids": ["l1"]}])
            turn_end = await student.next("turn.end")
            rings = {f["element"]: f for f in student.frames if f["type"] == "highlight"}
            assert set(rings) == {"l1"} and abs(rings["l1"]["box"][1] - 0.2) < 1e-6
            assert turn_end["dropped"] == [{"element": "l2", "why": "stale"}]

    run(body())


def test_all_targets_dead_is_repaired_once(model_server, endpoint):
    async def body():
        async with Student(model_server) as student:
            await student.snapshot(SCREEN)
            [wrong] = await aliases(student, endpoint, "2x = 5")
            endpoint.load([{"say": "See [[987]].\n[[sum: s]]"}, {"say": f"[[{wrong}]] more words"}])
            before = len(endpoint.requests)
            turn = await student.ask("Why?")
            assert len(endpoint.requests) == before + 2
            assert turn.highlighted == ["l2"] and "more words" not in turn.text
            assert turn.end["usage"]["input"] == 200

    run(body())


def test_prompt_holds_no_box_no_client_id_and_no_old_screen(model_server, endpoint, secret_key):
    async def body():
        async with Student(model_server) as student:
            elements = [line("client-id-alpha", "2x + 3 = 7", 0.123456), line("client-id-beta", "2x = 5", 0.234567)]
            await student.snapshot(elements, title="Algebra")
            endpoint.load([{"say": "Fine.\n[[sum: s]]"}])
            await student.ask("Why?", id="q1")
            await student.delta(update=[{"id": "client-id-beta", "content": "2x = 4"}])
            await student.ask("And now?", id="q2")
            request = endpoint.requests[-1]
            sent = json.dumps(request["body"])
            for never in ("client-id", "0.123", "0.234", "123456", secret_key):
                assert never not in sent
            assert "2x = 4" in sent and "2x = 5" not in request["body"]["messages"][-1]["content"].split("s\n")[-1]
            assert request["headers"]["authorization"] == f"Bearer {secret_key}"
            assert request["body"]["model"] == "scripted-model" and request["body"]["stream"] is True

    run(body())


def test_prompt_keeps_only_the_last_summaries_and_a_stable_prefix(model_server, endpoint):
    async def body():
        async with Student(model_server) as student:
            await student.snapshot(SCREEN)
            endpoint.load([{"say": f"Answer {i}.\n[[sum: summary-number-{i}]]"} for i in range(10)])
            for i in range(10):
                await student.ask(f"Question {i}?", id=f"q{i}")
            prompts = [json.dumps(r["body"]["messages"], ensure_ascii=False) for r in endpoint.requests]
            last = prompts[-1]
            kept = [i for i in range(10) if f"summary-number-{i}" in last]
            assert kept == list(range(9 - len(kept), 9)) and 3 <= len(kept) <= 5
            assert "Question 8?" not in last and "Answer 8." not in last
            systems = {json.dumps(r["body"]["messages"][0]) for r in endpoint.requests}
            assert len(systems) == 1
            assert max(map(len, prompts)) < 2 * min(map(len, prompts))

    run(body())


def test_cancel_closes_the_upstream_connection(model_server, endpoint):
    async def body():
        async with Student(model_server) as student:
            await student.snapshot(SCREEN)
            endpoint.load([{"steps": [{"text": "Let me "}, {"pause_ms": 20_000}, {"text": "think"}]}])
            await student.send({"type": "ask", "id": "q1", "text": "Why?"})
            await student.next("answer.delta")
            await student.send({"type": "cancel", "id": "c1", "ask": "q1"})
            end = await student.next("turn.end")
            assert (end["status"], end["answer"]) == ("cancelled", "Let me")
            await until(lambda: endpoint.requests[-1]["closed_by_client"])
            endpoint.load([{"say": "Fresh answer.\n[[sum: s]]"}])
            turn = await student.ask("Again?", id="q2")
            assert turn.text == "Fresh answer."

    run(body())


def test_client_that_says_goodbye_ends_the_upstream_request_too(model_server, endpoint):
    async def body():
        endpoint.load([{"steps": [{"text": "Let me "}, {"pause_ms": 20_000}, {"text": "think"}]}])
        async with Student(model_server) as student:
            await student.snapshot(SCREEN)
            await student.send({"type": "ask", "id": "q1", "text": "Why?"})
            await student.next("answer.delta")
        await until(lambda: endpoint.requests[-1]["closed_by_client"])

    run(body())


def test_failures_of_the_endpoint_are_typed_and_keep_the_partial_text(model_server, endpoint, secret_key):
    async def body():
        async with Student(model_server) as student:
            await student.snapshot(SCREEN)
            cases = [
                ({"status": 401, "body": json.dumps({"error": {"message": f"bad key {secret_key}"}})},
                 "upstream_refused", ""),
                ({"status": 429, "body": "{}", "headers": {"Retry-After": "1"}}, "upstream_rate_limited", ""),
                ({"status": 503, "body": "down"}, "upstream_unavailable", ""),
                ({"status": 200, "body": "<html>hello</html>"}, "upstream_invalid", ""),
                ({"steps": [{"text": "Half an "}], "end": "reset"}, "upstream_unavailable", "Half an "),
                ({"steps": [{"text": "Half an "}, {"data": '{"error":{"message":"queue full"}}'}]},
                 None, "Half an "),
            ]
            for number, (answer, reason, text) in enumerate(cases):
                endpoint.load([answer])
                turn = await student.ask("Why?", id=f"f{number}")
                assert turn.end["status"] == "failed", (answer, turn.end)
                assert turn.end["answer"] == text
                if reason:
                    assert turn.end["reason"] == reason, (answer, turn.end)
                else:
                    assert turn.end["reason"].startswith("upstream_")
            assert secret_key not in json.dumps(student.frames)
            endpoint.load([{"say": "Well again.\n[[sum: s]]"}])
            assert (await student.ask("Why?", id="after")).end["status"] == "done"

    run(body())
    assert secret_key not in model_server.read_log()


def test_chinese_and_emoji_survive_any_split(model_server, endpoint):
    async def body():
        async with Student(model_server) as student:
            await student.snapshot(SCREEN)
            text = "你好，看第二行 👩‍🏫 再试一次。"
            for split in (1, 2, 3, 7, "random:42"):
                endpoint.load([{"say": text + "\n[[sum: 第二行]]", "split": split}])
                turn = await student.ask("为什么？", id=f"s{split}".replace(":", ""))
                assert turn.text == text and turn.end["summary"] == "第二行"

    run(body())


def test_first_token_may_take_long_and_idle_streams_cost_nothing(endpoint):
    async def body(server):
        async with Student(server) as student:
            await student.snapshot(SCREEN)
            endpoint.load([{"steps": [{"comment": "queued"}, {"pause_ms": 1500}, {"text": "Late."},
                                      {"finish": "stop"}, {"done": True}]}])
            await student.send({"type": "ask", "id": "q", "text": "Why?"})
            await student.next("turn.start")
            before = server.cpu_seconds()
            end = await student.next("turn.end")
            assert end["answer"] == "Late." and end["first_text_ms"] >= 1400
            assert server.cpu_seconds() - before < 0.5

    with ServerProcess(CHALKLINE_MODEL="openai", CHALKLINE_MODEL_NAME="m",
                       CHALKLINE_MODEL_BASE_URL=f"http://127.0.0.1:{endpoint.port}/v1") as server:
        run(body(server))


def test_silent_endpoint_ends_in_a_time_out(endpoint):
    async def body(server):
        async with Student(server) as student:
            await student.snapshot(SCREEN)
            endpoint.load([{"steps": [{"pause_ms": 20_000}, {"text": "never"}]}])
            turn = await student.ask("Why?")
            assert (turn.end["status"], turn.end["reason"]) == ("failed", "upstream_timeout")

    with ServerProcess(CHALKLINE_MODEL="openai", CHALKLINE_MODEL_NAME="m", CHALKLINE_MODEL_FIRST_DELTA_MS="400",
                       CHALKLINE_MODEL_BASE_URL=f"http://127.0.0.1:{endpoint.port}/v1") as server:
        run(body(server))
