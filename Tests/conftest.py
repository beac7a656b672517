"""What every end-to-end test needs: the server as a process, a student over a WebSocket, the scripted endpoint."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "Tests" / "endpoint"), str(ROOT / "Tests" / "support")]

from endpoint import Endpoint  # noqa: E402
from server import ServerProcess  # noqa: E402


@pytest.fixture(scope="session")
def server():
    """One server with the built-in tutor for all tests that change no setting."""
    with ServerProcess() as running:
        yield running


@pytest.fixture
def endpoint():
    """A scripted endpoint in a thread; tests load their own answers."""
    running = Endpoint.in_thread()
    yield running
    running.stop()


@pytest.fixture
def model_server(endpoint):
    """A server whose model is the scripted endpoint."""
    with ServerProcess(
        CHALKLINE_MODEL="openai", CHALKLINE_MODEL_BASE_URL=f"http://127.0.0.1:{endpoint.port}/v1",
        CHALKLINE_MODEL_NAME="scripted-model", CHALKLINE_MODEL_KEY=SECRET_KEY,
    ) as running:
        yield running


SECRET_KEY = "key-planted-4711-not-to-be-seen"


@pytest.fixture(scope="session")
def secret_key():
    return SECRET_KEY


def pytest_report_header():
    binary = os.environ.get("CHALKLINE_BINARY", str(ROOT / ".build" / "release" / "chalkline"))
    version = subprocess.run([binary, "version"], capture_output=True, text=True, check=False).stdout.strip()
    return f"server under test: {version}"
