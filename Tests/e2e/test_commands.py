"""The commands beside `serve`."""

import json
import os
import subprocess
from pathlib import Path

from server import BINARY, ROOT

SCREEN = {"elements": [
    {"id": "e1", "type": "text", "content": "Total price", "box": [0.1, 0.1, 0.3, 0.04]},
    {"id": "e2", "type": "text", "content": "$12.50", "box": [0.6, 0.1, 0.2, 0.04]},
    {"id": "e3", "type": "button", "content": "Checkout", "box": [0.1, 0.8, 0.3, 0.06]}]}


def chalkline(*arguments, stdin=None, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("CHALKLINE_")}
    return subprocess.run([BINARY, *arguments], input=stdin, capture_output=True, text=True, timeout=60,
                          env={**clean, **environment})


def test_select_batch_answers_each_line_in_order():
    lines = [{"screen": SCREEN, "question": "What is the total price?"},
             {"screen": SCREEN, "question": "Where do I check out?", "budget": 30, "last_touched": "e3",
              "changed": ["e2"], "focus": {"point": [0.2, 0.8]}}]
    done = chalkline("select", "--batch", stdin="\n".join(map(json.dumps, lines)) + "\n")
    assert done.returncode == 0, done.stderr
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["elements"][0]["id"] == "e2"
    assert set(first["elements"][0]) == {"id", "score", "tokens", "sent", "reasons"}
    assert all(e["sent"] for e in first["elements"]) and "$12.50" in first["prompt"] and first["tokens"] > 0
    assert second["elements"][0]["id"] == "e3"


def test_select_batch_names_what_is_wrong_with_a_line_and_goes_on():
    bad = json.dumps({"screen": {"elements": [{"id": "a", "type": "text", "box": [0, 0, 1]}]}, "question": "x"})
    good = json.dumps({"screen": SCREEN, "question": "price"})
    done = chalkline("select", "--batch", stdin=f"{bad}\nnot json\n{good}\n")
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 1
    assert first["error"]["path"] == "elements[0].box" and second["error"]["code"] == "bad_frame"
    assert third["elements"]


def test_select_prints_a_table_for_people(tmp_path):
    file = tmp_path / "screen.json"
    file.write_text(json.dumps(SCREEN))
    done = chalkline("select", "--screen", str(file), "--question", "What is the total price?")
    assert done.returncode == 0 and "e2" in done.stdout and "$12.50" in done.stdout
    as_json = chalkline("select", "--screen", str(file), "--question", "What is the total price?", "--json")
    assert json.loads(as_json.stdout)["elements"]


def test_wrong_usage_is_status_2_and_says_where_to_look():
    for arguments in ([], ["sing"], ["select"], ["select", "--screen"], ["select", "--batch", "--what", "1"]):
        done = chalkline(*arguments)
        assert done.returncode == 2 and "chalkline help" in done.stderr, arguments


def test_config_check_names_the_nearest_setting():
    done = chalkline("config", "check", CHALKLINE_LISTN="127.0.0.1:1")
    assert done.returncode == 1 and "CHALKLINE_LISTEN" in done.stderr
    done = chalkline("config", "check", "--modle-name", "x")
    assert done.returncode == 1 and "--model-name" in done.stderr
    assert chalkline("config", "check").returncode == 0


def test_config_print_shows_no_secret_and_flags_beat_environment_beat_file(tmp_path):
    key = tmp_path / "key"
    key.write_text("sk-planted\n")
    file = tmp_path / "chalkline.conf"
    file.write_text("# a comment\nmodel_name = from-file\r\nscreen_budget = 300\nlog_level = debug\n")
    done = chalkline("config", "print", "--config", str(file), "--screen-budget", "500",
                     CHALKLINE_MODEL_NAME="from-environment", CHALKLINE_MODEL_KEY_FILE=str(key))
    values = dict(line.split(" = ", 1) if " = " in line else (line.rstrip(" ="), "") for line in done.stdout.splitlines())
    assert values["model_name"] == "from-environment" and values["screen_budget"] == "500"
    assert values["log_level"] == "debug" and values["model_key"] == "<redacted>"
    assert "planted" not in done.stdout + done.stderr


def test_documentation_of_settings_is_in_step():
    done = chalkline("config", "reference")
    assert done.stdout == (ROOT / "docs" / "configuration.md").read_text()


def test_server_without_tokens_listens_on_loopback_only():
    done = chalkline("serve", "--listen", "0.0.0.0:0")
    assert done.returncode == 1 and "loopback" in done.stderr


def test_port_in_use_is_said_plainly(server):
    done = chalkline("serve", "--listen", f"127.0.0.1:{server.port}", "--public", str(ROOT / "public"))
    # The port is shared among the shards of one server, never among servers.
    assert done.returncode == 1 and "in use" in done.stderr, done.stderr


def test_missing_pages_are_said_plainly(tmp_path):
    done = chalkline("serve", "--listen", "127.0.0.1:0", "--public", str(tmp_path / "nowhere"))
    assert done.returncode == 1 and "nowhere" in done.stderr


def test_scripted_model_plays_a_recorded_stream():
    import asyncio

    from server import ServerProcess
    from student import Student, derivation

    script = Path(__file__).parent / "fixtures" / "recorded.sse"

    async def body(server):
        async with Student(server) as student:
            await student.snapshot(derivation("2x + 3 = 7"))
            turn = await student.ask("Why?")
            assert turn.text == "Move the 3 first." and turn.end["usage"]["output"] == 6
            assert turn.highlighted == ["l1"] and turn[0]["model"] == "scripted"

    with ServerProcess(CHALKLINE_MODEL="scripted", CHALKLINE_MODEL_SCRIPT=str(script)) as server:
        asyncio.run(asyncio.wait_for(body(server), 30))
