"""What a seat knows as a vector of fixed length, for machine learning.

It is made from the lines of a position (`houle position`), which hold only what the seat knows, so the vector reveals
no more than a fair player sees. Seats are named from the observer: `own hand`, `next 1 hand`. Each word of a line is
counted at the index that a hash of line and word gives ("feature hashing"); a line with a single number also adds its
value. No list of words is needed, so every variant, deck and game has a vector of the same form.
"""

from __future__ import annotations

import re
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from houle.solver.matches.match import Match
from houle.solver.matches.record.position import words_of

SIZE = 4096  # length of the vector; a position has dozens to hundreds of words
SEAT = re.compile(r"\bseat (\d+)")
UNSEEN = re.compile(r"(\d+) (.*\?)")  # `5 ?`: five cards that the seat cannot see
NUMBER = re.compile(r"-?\d+")

Vector = NDArray[np.float32]


def knowledge_vector(match: Match, seat: int, size: int = SIZE) -> Vector:
    """What `seat`, counted from 0, knows: counts of words per line, and of words by their position in a line."""
    vector = np.zeros(size, np.float32)
    players = match.setup.players
    lines = words_of(match.setup).write(match.state, match.setup, seat)
    lines["to move"] = [f"seat {match.to_move() + 1}"]
    for place, words in lines.items():
        line = relative(place, seat, players)
        if not words:
            vector[_index(line, "", size)] += 1
        elif len(words) == 1 and NUMBER.fullmatch(words[0]):
            vector[_index(line, "number", size)] += float(words[0])
        for number, word in enumerate(words):
            name, many = _token(relative(word, seat, players))
            vector[_index(line, name, size)] += many
            if len(words) > 1:
                vector[_index(f"{line} {number}", name, size)] += many
    return vector


@lru_cache(100_000)
def relative(text: str, seat: int, players: int) -> str:
    """Seats named from the observer: own, next 1, next 2."""

    def name(typed: re.Match[str]) -> str:
        ahead = (int(typed[1]) - 1 - seat) % players
        return f"next {ahead}" if ahead else "own"

    return SEAT.sub(name, text)


@lru_cache(100_000)
def _token(word: str) -> tuple[str, float]:
    """A word and its count: `5 ?` is five of `?`."""
    many = UNSEEN.fullmatch(word)
    return (many[2], float(many[1])) if many else (word, 1.0)


@lru_cache(1_000_000)
def _index(line: str, word: str, size: int) -> int:
    return crc32(f"{line}: {word}".encode()) % size
