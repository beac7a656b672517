"""Markers: words that belong to one session, and the answers that the echoing model gives to questions with them."""

import re

MARKER = re.compile(r"mk[0-9a-f]{16}")
QUESTION = re.compile(r"(mk[0-9a-f]{16})-(\d+)-(\d+)-(\d+)")
WORDS = ("line", "sign", "both", "sides", "term", "moves", "check", "again", "half", "twice", "root", "slope")


def new_marker(rng):
    return f"mk{rng.getrandbits(64):016x}"


def question(marker, number, words, pause_ms):
    """A question that tells the echoing model how long to speak."""
    return f"Why is {marker}-{number}-{words}-{pause_ms} wrong?"


def answer_to(text):
    """What the model says to a text with a question in it; `(answer, pause_ms)`, or None without a question.

    The newest question counts, since a prompt may hold older ones. Every marker of the text is named: a session whose
    prompt holds another one's screen shows it.
    """
    found = max(QUESTION.findall(text), key=lambda parts: int(parts[1]), default=None)
    if not found:
        return None
    marker, number, words, pause = found[0], int(found[1]), int(found[2]), int(found[3])
    others = sorted(set(MARKER.findall(text)) - {marker})
    spoken = [f"w{number}.{place}{WORDS[(number + place) % len(WORDS)]}" for place in range(words)]
    return " ".join([marker, *others, *spoken]) + ".", pause


def foreign_markers(raw, own):
    """Markers in what was received that are not the session's own."""
    return [found for found in MARKER.findall(raw) if found != own]
