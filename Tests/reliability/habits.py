"""What students do under load: ask, ask again before the end, stop an answer, change the screen, lose the socket."""

import asyncio
from dataclasses import dataclass


@dataclass
class Habits:
    """Chances are for each step of a student; times in seconds, `words` and `pause_ms` of the answers."""

    think: tuple = (0.1, 1.0)
    words: tuple = (5, 60)
    pause_ms: tuple = (10, 40)
    supersede: float = 0.1
    cancel: float = 0.05
    change: float = 0.5
    drop: float = 0.02
    patience: float = 30.0


async def live(client, habits, is_over):
    """Does as the habits say until `is_over()`."""
    rng, duties = client.rng, client.duties
    while not is_over():
        await asyncio.sleep(rng.uniform(*habits.think))
        if is_over() or not duties.welcomed or client.channel is None:
            continue
        if rng.random() < habits.drop:
            if rng.random() < 0.5 and not duties.unanswered:
                # Lost between a question and its acknowledgement.
                client.send(duties.ask(rng.randint(*habits.words), rng.randint(*habits.pause_ms)))
                await asyncio.sleep(rng.uniform(0, 0.01))
            client.drop()
            continue
        if rng.random() < habits.change:
            client.send(duties.change())
        if duties.running and rng.random() < habits.cancel:
            client.send(duties.cancel())
        elif (duties.caught_up and not duties.unanswered and not duties.running) or rng.random() < habits.supersede:
            if len(duties.unanswered) < 4:
                client.send(duties.ask(rng.randint(*habits.words), rng.randint(*habits.pause_ms)))
