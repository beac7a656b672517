"""Short forms of the trials of Tests/reliability; the long ones are targets of the Makefile (docs/reliability.md)."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "reliability"))

import kill  # noqa: E402
import markers  # noqa: E402
import power  # noqa: E402
import storm  # noqa: E402

SEED = int(os.environ.get("TRIAL_SEED", 0)) or int.from_bytes(os.urandom(4))


# F22, A15, A16, A17
def test_twenty_kills_under_load_lose_double_and_reorder_nothing():
    assert kill.run(kills=20, sessions=30, seed=SEED, gap=(0.3, 2.0)) == []


# F23
def test_copies_of_the_disk_at_random_moments_hold_what_was_acknowledged():
    assert power.run(SEED, copies=3, sessions=15) == []


# F19: a tenth of the crowd.
def test_crowd_that_is_dropped_at_once_comes_back_with_everything():
    assert storm.run_storm(SEED, sockets=200, streaming=50, pieces=30) == []


# F24: a fifth of the crowd.
def test_answers_in_flight_outlive_a_drain_and_a_restart():
    assert storm.run_drain(SEED, sessions=100, in_flight=20) == []


# F44
def test_no_byte_of_another_session_is_received():
    assert markers.run(SEED, sessions=150, seconds=8) == []
