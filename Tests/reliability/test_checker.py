"""The checker finds every fault that is planted, and none where there is none. Needs no server of ours."""

import asyncio
import random
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent / "support")]

from channels import BareChannel, LibraryChannel  # noqa: E402
from client import Client, settle  # noqa: E402
from duties import Duties  # noqa: E402
from habits import Habits, live  # noqa: E402
from history import History  # noqa: E402
from markers_of import answer_to, foreign_markers, question  # noqa: E402
from model_server import FAULTS, ModelServer  # noqa: E402

HABITS = Habits(think=(0.01, 0.08), words=(3, 25), pause_ms=(1, 4), supersede=0.1, cancel=0, change=0, drop=0.15)


async def trial(seed, fault, seconds=1.5):
    """Some students on the model server, with drops and restarts; the server and the faults that the checker names."""
    async with ModelServer(seed, fault) as server:
        rng, over = random.Random(seed), [False]
        clients = [Client(f"c{n}", server.port, seed, LibraryChannel if n % 2 else BareChannel, base=0.01, cap=0.05)
                   for n in range(6)]
        for client in clients:
            client.start()
        lives = [asyncio.ensure_future(live(client, HABITS, lambda: over[0])) for client in clients]
        for _ in range(5):
            await asyncio.sleep(seconds / 5 * rng.uniform(0.5, 1.5))
            server.restart()
        # Long enough that a question after the last restart comes to its end.
        await asyncio.sleep(seconds / 4)
        over[0] = True
        await asyncio.gather(*lives)
        await settle(clients, 1.5 if fault else 10)
        server.fault = None
        judges = [await client.audit(3) for client in clients]
        return server, [fault for judge in judges for fault in judge.faults], judges


@pytest.mark.parametrize("seed", range(3))
def test_right_server_has_no_fault(seed):
    _, faults, judges = asyncio.run(asyncio.wait_for(trial(seed, None), 60))
    assert faults == []
    assert sum(judge.counts["turns"] for judge in judges) > 20
    assert sum(judge.counts["replay"] for judge in judges) > 5
    assert sum(judge.counts["snapshot"] for judge in judges) > 0


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_fault_is_found(fault):
    # Chance may not meet a fault's moment in one run, or a later event may make it good.
    for seed in range(8):
        server, faults, _ = asyncio.run(asyncio.wait_for(trial(seed, fault), 60))
        if server.has_erred and faults:
            return
    pytest.fail(f"{fault} was not found; it happened in the last run: {server.has_erred}")


def student():
    return Duties(History("c", "mk" + "0" * 16), random.Random(1))


# A16
def test_new_epoch_is_never_kept_beside_an_old_seq():
    client = student()
    client.session, client.key, client.epoch, client.seq = "s", "k1", "e1", 41
    client.hello()
    client.receive('{"type":"welcome","session":"s","key":"k2","epoch":"e2","resumed":"snapshot","why":null,'
                   '"last_seq":30,"screen_revision":0}')
    # The connection breaks before the snapshot.
    assert client.hello()["resume"] == {"session": "s", "key": "k2", "epoch": "e1", "seq": 41}
    client.receive('{"type":"welcome","session":"s","key":"k3","epoch":"e2","resumed":"snapshot","why":null,'
                   '"last_seq":30,"screen_revision":0}')
    client.receive('{"type":"session.snapshot","last_seq":30,"part":1,"parts":1,"turns":[]}')
    assert client.hello()["resume"] == {"session": "s", "key": "k3", "epoch": "e2", "seq": 30}


# A15
def test_client_that_has_seen_nothing_resumes_all_the_same():
    client = student()
    client.receive('{"type":"welcome","session":"s","key":"k","epoch":"e","resumed":"new","why":null,"last_seq":0,'
                   '"screen_revision":0}')
    assert client.hello()["resume"]["seq"] == 0


def test_question_without_a_start_is_sent_again_with_its_id():
    client = student()
    ask = client.ask(3, 0)
    client.hello()
    sent = client.receive('{"type":"welcome","session":"s","key":"k","epoch":"e","resumed":"new","why":null,'
                          '"last_seq":0,"screen_revision":0}')
    assert [message["type"] for message in sent] == ["screen.snapshot", "ask"] and sent[1] == ask


def test_echoing_model_names_every_marker_of_a_prompt():
    own, other = "mk" + "a" * 16, "mk" + "b" * 16
    answer, pause = answer_to(f"screen of {other}\n{question(own, 3, 2, 15)}")
    assert pause == 15 and foreign_markers(answer, own) == [other]
