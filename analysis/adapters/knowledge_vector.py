"""What a seat knows as a vector of fixed length, for learners.

It is made from the lines of a position (`houle position`), which hold what the seat knows and nothing else, so a vector
can tell no more than a fair player sees. Seats are counted from the observer: `own hand`, `next 1 hand`. Every word of
a line is counted in the place that a hash of line and word gives it, a number that stands alone with its value too
("feature hashing": no list of words is needed, so every variant, own deck and game with positions has a vector of the
same form).
"""

from __future__ import annotations

import re
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from houle.solver.match import Match
from houle.solver.record.position import words_of

SIZE = 4096  # places of the vector; a position has some dozens to some hundreds of words
SEAT = re.compile(r"\bseat (\d+)")
UNSEEN = re.compile(r"(\d+) (.*\?)")  # `5 ?`: five cards that the seat cannot see
NUMBER = re.compile(r"-?\d+")

Vector = NDArray[np.float32]


def knowledge_vector(match: Match, seat: int, size: int = SIZE) -> Vector:
    """What `seat`, counted from 0, knows at a table: every word of a line, and every word where it stands in it."""
    found = np.zeros(size, np.float32)
    players = match.setup.players
    lines = words_of(match.setup).write(match.state, match.setup, seat)
    lines["to move"] = [f"seat {match.to_move() + 1}"]
    for place, words in lines.items():
        line = relative(place, seat, players)
        if not words:
            found[_index(line, "", size)] += 1
        elif len(words) == 1 and NUMBER.fullmatch(words[0]):
            found[_index(line, "number", size)] += float(words[0])
        for number, word in enumerate(words):
            name, many = _token(relative(word, seat, players))
            found[_index(line, name, size)] += many
            if len(words) > 1:
                found[_index(f"{line} {number}", name, size)] += many
    return found


@lru_cache(100_000)
def relative(text: str, seat: int, players: int) -> str:
    """Seats as the observer counts them: own, next 1, next 2."""

    def name(found: re.Match[str]) -> str:
        ahead = (int(found[1]) - 1 - seat) % players
        return f"next {ahead}" if ahead else "own"

    return SEAT.sub(name, text)


@lru_cache(100_000)
def _token(word: str) -> tuple[str, float]:
    """What is counted, and how often: `5 ?` is five of `?`."""
    many = UNSEEN.fullmatch(word)
    return (many[2], float(many[1])) if many else (word, 1.0)


@lru_cache(1_000_000)
def _index(line: str, word: str, size: int) -> int:
    return crc32(f"{line}: {word}".encode()) % size
