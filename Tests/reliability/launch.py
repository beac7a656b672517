"""The processes of a trial: a server that may be killed and started again on the same port, and a model."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "Tests" / "support"), str(ROOT / "Tests" / "endpoint")]

from server import BINARY, ServerProcess  # noqa: E402

# Trials ask faster and from one address. Settings that this server does not have are left out.
WIDE = {
    "asks_per_minute": 100_000, "model_calls": 5_000, "deltas_per_second": 1_000, "delta_burst": 1_000,
    "connections_per_address": 0, "asks_per_minute_address": 0, "asks_per_minute_room": 0, "asks_per_day": 0,
    "tokens_per_day_subject": 0, "tokens_per_day_room": 0, "tokens_per_day_process": 0, "messages_per_10s": 1_000_000,
    "log_level": "notice",
}


def known_settings():
    printed = subprocess.run(
        [BINARY, "config", "print"], capture_output=True, text=True, check=True,
        env={"SWIFT_BACKTRACE": "enable=no"}).stdout
    return {line.split(" = ", 1)[0] for line in printed.splitlines() if " = " in line}


class TrialServer(ServerProcess):
    """A server on `folder`/data. `start` and `kill` may come in any order; the port stays the same."""

    def __init__(self, folder, **settings):
        self.folder, self.known = Path(folder), known_settings()
        self.data, self.log_path = self.folder / "data", self.folder / "server.log"
        self.data.mkdir(parents=True, exist_ok=True)
        self.wanted = {**WIDE, "data": str(self.data), "public": str(ROOT / "public"), **settings}
        self.port, self.process, self.starts, self.has_settled = 0, None, 0, False

    @property
    def keeps(self):
        """Whether this server can keep sessions at all."""
        return "data" in self.known

    def spawn(self):
        """Begins to start, without waiting."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("CHALKLINE_")}
        environment |= {"SWIFT_BACKTRACE": "enable=no", "CHALKLINE_LISTEN": f"127.0.0.1:{self.port}"}
        environment |= {f"CHALKLINE_{name.upper()}": str(value) for name, value in self.wanted.items()
                        if name in self.known}
        with self.log_path.open("a") as log:
            self.process = subprocess.Popen(
                [BINARY, "serve"], env=environment, stdout=subprocess.PIPE, stderr=log, text=True)
        self.starts += 1

    def start(self):
        self.spawn()
        return self.wait_ready()

    def wait_ready(self):
        line = self.process.stdout.readline()
        found = re.search(r"127\.0\.0\.1:(\d+)", line)
        if not found:
            code = self.process.wait()
            raise RuntimeError(f"the server did not start ({code}): {self.log_path.read_text()[-2000:]}")
        self.port = int(found.group(1))
        return self

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def stop(self, seconds=40):
        """SIGTERM; the exit code and how long it took."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(seconds)
        self.process.stdout.close()
        return code, time.monotonic() - begun

    def write_ahead_bytes(self):
        return sum(path.stat().st_size for path in self.data.glob("*-wal"))

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            try:
                self.stop()
            except subprocess.TimeoutExpired:
                self.kill()


class Model:
    """The echoing model as a process."""

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "echo_model.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()

    @property
    def settings(self):
        return {"model": "openai", "model_base_url": f"http://127.0.0.1:{self.port}/v1", "model_name": "echo"}
