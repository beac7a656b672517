"""Readers that lag: an answer leaves merged, its model is held back, and whoever takes nothing is closed with 4409 and
goes on from where it was."""

import asyncio
import json
import time

from server import ServerProcess
from student import History, Student, derivation
from wire import CLOSE, TEXT, Wire, hello, message

SCREEN = derivation("2x + 3 = 7", "2x = 5")
# Below the longest answer of 64 KiB, and much more than the small buffers that these tests ask for.
WORDS = "".join(f"word{number:05d} " for number in range(6_000)).strip()


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 90))


# A client that does not read for a while answers no ping either.
NO_PINGS = {"CHALKLINE_PING_AFTER_MS": "600000"}


def model_settings(endpoint, **settings):
    base_url = f"http://127.0.0.1:{endpoint.port}/v1"
    return {"CHALKLINE_MODEL": "openai", "CHALKLINE_MODEL_BASE_URL": base_url, **NO_PINGS, **settings}


def answers(pieces=600, padding=0):
    """One long answer; `padding` are bytes behind each piece that only the endpoint's own connection carries."""
    size = len(WORDS) // pieces
    steps = []
    for start in range(0, len(WORDS), size):
        steps.append({"text": WORDS[start:start + size]})
        if padding:
            steps.append({"comment": "." * padding})
    return [{"steps": steps + [{"finish": "stop"}, {"usage": True}, {"done": True}]}]


def read_until(wire, history, condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        frame = wire.read_frame()
        if frame.opcode == TEXT:
            history.add(frame.json)
        elif frame.opcode == CLOSE:
            return frame.code
    return None


def settled(endpoint, number):
    """The endpoint's record of the last of so many requests, once it is answered or nothing more of it is taken."""
    sent, steady, deadline = -1, 0, time.monotonic() + 30
    while time.monotonic() < deadline:
        time.sleep(0.3)
        if len(endpoint.requests) == number:
            record = endpoint.requests[-1]
            steady = steady + 1 if 0 < record["sent_bytes"] == sent else 0
            if record["answered"] or steady == 4:
                return record
            sent = record["sent_bytes"]
    raise AssertionError("the endpoint was not asked")


def ask(wire, count=1, first=1):
    for number in range(first, first + count):
        wire.send(message(type="ask", id=f"q{number}", text="Why?"))


# A22, F16
def test_slow_reader_gets_every_word(endpoint):
    endpoint.load(answers())
    with ServerProcess(**model_settings(endpoint)) as server:
        history = History()
        with Wire(server, behind=hello(), receive_buffer=32_768, timeout=30) as wire:
            ask(wire)
            # A second in which nothing is read.
            time.sleep(1)
            read_until(wire, history, lambda: history.ends)
        assert history.ends["t1"]["answer"] == history.texts["t1"] == WORDS


# F16
def test_model_is_held_back_for_a_reader_that_lags(endpoint):
    """While nobody reads, the endpoint cannot send its answer to the end; afterwards all of it comes."""
    endpoint.load(answers(pieces=3_000, padding=4_000))
    settings = model_settings(
        endpoint, CHALKLINE_PAUSE_BYTES="2048", CHALKLINE_STUCK_MS="60000", CHALKLINE_ASKS_PER_MINUTE="1000")
    with ServerProcess(**settings) as server:
        history = History()
        with Wire(server, behind=hello(), receive_buffer=32_768, timeout=30) as wire:
            # What the kernel takes for a reader is not ours to bound: a few answers fill it first.
            asked, record = 0, {"answered": True}
            while record["answered"]:
                asked += 1
                assert asked < 60, "the model was never held back"
                ask(wire, first=asked)
                record = settled(endpoint, asked)
            sent, cpu = record["sent_bytes"], server.cpu_seconds()
            time.sleep(1)
            assert server.cpu_seconds() - cpu < 0.3, "a held-back model burns CPU"
            assert record["sent_bytes"] == sent and not record["answered"]
            read_until(wire, history, lambda: f"t{asked}" in history.ends, 60)
        # An earlier one may have been superseded before its last words.
        assert history.ends[f"t{asked}"]["answer"] == WORDS

# F16
def test_reader_that_takes_nothing_is_closed_and_goes_on_later(endpoint):
    endpoint.load(answers())
    settings = model_settings(endpoint, CHALKLINE_STUCK_MS="700", CHALKLINE_ASKS_PER_MINUTE="1000")
    with ServerProcess(**settings) as server:
        history = History()
        with Wire(server, behind=hello(), receive_buffer=32_768, timeout=30) as wire:
            welcome = wire.read_message("welcome")
            asked = 0
            while "slow reader closed" not in server.read_log():
                asked += 1
                assert asked < 300, "never closed"
                if wire.send_what_it_takes(message(type="ask", id=f"q{asked}", text="Why?")):
                    time.sleep(0.5)
            # What had left is still there to read, and then the reason.
            try:
                code = read_until(wire, history, lambda: False, 10)
                assert code == 4409
            except (ConnectionError, TimeoutError, AssertionError, OSError, EOFError):
                pass  # The close frame may come too late for a reader that was given up.

        async def body():
            resume = {"session": welcome["session"], "key": welcome["key"], "epoch": welcome["epoch"],
                      "seq": history.seq}
            async with Student(server, hello={"resume": resume}) as student:
                assert student.welcome["session"] == welcome["session"]
                assert student.welcome["resumed"] in ("replay", "snapshot")
                student.history = history
                for frame in student.frames:
                    history.add(frame)
                while history.seq < student.welcome["last_seq"]:
                    await student.receive()
                turn = await student.ask("Again?", id="last", timeout=30)
                assert turn.end["status"] == "done" and turn.end["answer"] == WORDS

        run(body())


# F16
def test_readers_that_never_read_cost_little_and_slow_nobody(tmp_path):
    count, script = 20, tmp_path / "answer.sse"
    size = len(WORDS) // 200
    pieces = [WORDS[start:start + size] for start in range(0, len(WORDS), size)]
    chunks = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    script.write_text("".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n")
    settings = {
        "CHALKLINE_MODEL": "scripted", "CHALKLINE_MODEL_SCRIPT": str(script), "CHALKLINE_STUCK_MS": "60000", **NO_PINGS,
        "CHALKLINE_ASKS_PER_MINUTE": "1000"}
    with ServerProcess(**settings) as server:
        async def other():
            async with Student(server) as student:
                await student.snapshot(SCREEN)
                return (await student.ask("Why?")).end["answer"]

        assert run(other()) == WORDS
        before = server.resident_bytes()
        wires = [Wire(server, behind=hello(), receive_buffer=4_096) for _ in range(count)]
        # As much as kernels take, and more than what is kept of a session.
        for number in range(1, 120):
            for wire in wires:
                ask(wire, first=number)
            time.sleep(0.02)
        assert run(other()) == WORDS
        cost = (server.resident_bytes() - before) / count
        assert cost < 1.25 * 1_048_576, f"{cost / 1024:.0f} KiB a reader"
        for wire in wires:
            wire.reset()
