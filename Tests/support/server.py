"""The server under test as a process of its own."""

import os
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("CHALKLINE_BINARY") or str(ROOT / ".build" / "release" / "chalkline")


class ServerProcess:
    """`with ServerProcess(CHALKLINE_MODEL="builtin") as s:` listens on `s.port` until the block ends."""

    def __init__(self, prepare=None, **settings):
        """`prepare` runs in the new process before the server does, to bound what it may use."""
        self.prepare, self.has_settled = prepare, False
        self.settings = {"CHALKLINE_LISTEN": "127.0.0.1:0", "CHALKLINE_PUBLIC": str(ROOT / "public"), **settings}
        self.log = ""

    def __enter__(self):
        self.log_file = tempfile.TemporaryFile("w+")
        return self.start()

    def start(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("CHALKLINE_")}
        environment |= {"SWIFT_BACKTRACE": "enable=no", **self.settings}
        self.process = subprocess.Popen(
            [BINARY, "serve"], env=environment, stdout=subprocess.PIPE, stderr=self.log_file, text=True,
            preexec_fn=self.prepare)
        line = self.process.stdout.readline()
        found = re.search(r"http(s?)://127\.0\.0\.1:(\d+)", line)
        if not found:
            self.process.kill()
            self.log_file.seek(0)
            raise RuntimeError(f"the server did not start: {line!r}\n{self.log_file.read()}")
        secure, self.port = found.group(1), int(found.group(2))
        self.http = f"http{secure}://127.0.0.1:{self.port}"
        self.ws = f"ws{secure}://127.0.0.1:{self.port}/v1/ws"
        return self

    def kill(self):
        """Ends the process as a crash does."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def restart(self):
        """Another process, with the same settings and on the same port; after `kill` or `terminate`."""
        self.settings["CHALKLINE_LISTEN"] = f"127.0.0.1:{self.port}"
        return self.start()

    def terminate(self, timeout=35):
        """Stops the process in order; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout)
        self.process.stdout.close()
        return code

    def __exit__(self, *_):
        running = self.process.poll() is None
        if running:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.log_file.seek(0)
        self.log = self.log_file.read()
        self.log_file.close()
        assert running, f"the server died by itself ({self.process.returncode}):\n{self.log}"
        assert self.process.returncode == 0, f"stopped with {self.process.returncode}:\n{self.log}"

    def read_log(self):
        """What the server has logged so far."""
        with open(f"/proc/self/fd/{self.log_file.fileno()}") as copy:
            return copy.read()

    def cpu_seconds(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def settled_descriptors(self):
        """The number to compare with later: the process opens its last ones a little after it says that it is ready."""
        steady = 0
        while not self.has_settled and steady < 30:
            before = self.descriptors()
            time.sleep(0.01)
            steady = steady + 1 if self.descriptors() == before else 0
        self.has_settled = True
        return self.descriptors()

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def is_alive(self):
        return self.process.poll() is None

    def threads(self):
        return self._status("Threads")

    def resident_bytes(self):
        """Memory in use, exactly; the number in `status` is a sum that lags by up to 64 pages a thread."""
        return self._kibibytes("smaps_rollup", "Rss")

    def peak_bytes(self):
        """The most memory in use since `forget_peak`."""
        return self._kibibytes("status", "VmHWM")

    def forget_peak(self):
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def _status(self, name):
        return int(self._line("status", name).split()[1])

    def _kibibytes(self, file, name):
        return 1024 * int(self._line(file, name).split()[1])

    def _line(self, file, name):
        lines = Path(f"/proc/{self.process.pid}/{file}").read_text().splitlines()
        return next(line for line in lines if line.startswith(name + ":"))
