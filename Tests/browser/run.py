"""Starts the server with the built-in tutor, runs the browser tests against it, and keeps their screenshots."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

from server import ServerProcess  # noqa: E402


def main() -> int:
    shots = HERE.parent.parent / "artifacts" / "browser"
    units = subprocess.run([sys.executable, str(HERE / "test_units.py")], check=False).returncode
    with ServerProcess() as server:
        page = subprocess.run(
            [sys.executable, str(HERE / "test_page.py"), "--url", server.http + "/", "--shots", str(shots), *sys.argv[1:]],
            check=False).returncode
    return 1 if units or page else 0


if __name__ == "__main__":
    sys.exit(main())
