#!/usr/bin/env python3
"""A model endpoint in a process of its own that answers what `markers_of.answer_to` says, word by word.

    echo_model.py          prints its port; ends with its parent
"""

import asyncio
import re
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent / "endpoint")]

from endpoint import Endpoint  # noqa: E402
from markers_of import answer_to  # noqa: E402


class EchoModel(Endpoint):
    """Keeps no requests, so that it can run for hours."""

    def choose(self, text, body):
        self.requests.clear()
        found = answer_to(text)
        if not found:
            return {"say": "No question.\n[[sum: none]]"}
        answer, pause = found
        steps = [{"role": "assistant"}]
        for word in re.findall(r"\S+\s*", answer):
            steps += [{"text": word}] + ([{"pause_ms": pause}] if pause else [])
        # What the tutor keeps of the turn, and does not show.
        steps += [{"text": "\n[[sum: talked]]"}, {"finish": "stop"}, {"usage": True}, {"done": True}]
        return {"steps": steps}


async def main():
    async with EchoModel() as model:
        print(model.port, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)


if __name__ == "__main__":
    asyncio.run(main())
