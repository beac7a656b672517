"""What one client sent and saw, in the order in which it did. The checker reads nothing else."""

import json
import time
from collections import deque

KINDS = ("open", "hello", "sent", "got", "foreign", "lost")


class History:
    """Entries `(seconds, connection, kind, data)`.

    `keep` bounds how many are held (None: all). `judge`, if any, sees every entry at once: long trials judge as they go
    and keep only the newest entries, for reading after a failure.
    """

    def __init__(self, name, marker, keep=None, judge=None):
        self.name, self.marker, self.judge = name, marker, judge
        self.entries, self.connection = deque(maxlen=keep), 0

    def add(self, kind, data=None):
        if kind == "open":
            self.connection += 1
        entry = (time.monotonic(), self.connection, kind, data)
        self.entries.append(entry)
        if self.judge:
            self.judge.see(kind, data)

    def save(self, folder):
        """Writes NAME.jsonl, one entry a line. Resume keys are left out."""
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{self.name}.jsonl").open("w") as file:
            for moment, connection, kind, data in list(self.entries):
                file.write(json.dumps([round(moment, 4), connection, kind, without_keys(data)]) + "\n")


def without_keys(data):
    if isinstance(data, dict):
        return {name: without_keys(value) for name, value in data.items() if name != "key"}
    return data
