"""Random numbers for games in plain Python: the same streams as the compiled kernels, number by number.

A plain game draws only from the luck it is given. So game i of a seed is always the same game, and the compiled version
of the same rules can be compared with it, see solver/cards/streams.py and solver/cards/piles.py.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")

MASK = (1 << 64) - 1
STEP, FOLD, APART = 0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB, 0x8EBC_6AF0_9C88_C6E3
DEAL, CHANCE, CHOICE, SEARCH = 1, 2, 3, 4
LARGEST = 1 << 32  # n of a number below n


def mix(counter: int) -> int:
    """64 random bits from a counter."""
    product = counter * (counter ^ FOLD)
    return (product >> 64 ^ product) & MASK


def derive(key: int, part: int) -> int:
    """The key of a part, such as a game of a seed or a world of a game."""
    return mix((mix(key ^ part * STEP & MASK) + STEP) & MASK)


def scaled(bits: int, n: int) -> int:
    """A number below n."""
    if not 0 < n <= LARGEST:
        raise ValueError(f"luck({n}): allowed: whole numbers from 1 to {LARGEST:,}")
    return (bits >> 32) * n >> 32


class Luck:
    """A stream of random numbers: `luck(6)` is the next number below 6."""

    def __init__(self, key: int) -> None:
        self.position = self.key = key

    def __call__(self, n: int) -> int:
        """The next number below n."""
        self.position = self.position + STEP & MASK
        return scaled(mix(self.position), n)

    def take(self, cards: MutableSequence[Thing]) -> Thing:
        """Take a random card out of an unshuffled pile; out of a sorted one the card that `draw` takes in kernels."""
        return cards.pop(self(len(cards)))

    def shuffle(self, cards: MutableSequence[Thing]) -> None:
        """Shuffle in place; all orders are equally likely."""
        for i in range(len(cards) - 1, 0, -1):
            j = self(i + 1)
            cards[i], cards[j] = cards[j], cards[i]

    def one_of(self, things: Sequence[Thing]) -> Thing:
        return things[self(len(things))]

    def start_round(self, number: int) -> None:
        """Start the stream of a round, whatever was drawn before."""
        self.position = derive(self.key, number)

    def apart(self, n: int, number: int) -> int:
        """A number below n that does not advance the stream."""
        return scaled(mix((self.position ^ APART) + number * STEP & MASK), n)


class Chance:
    """The luck of a moment (a turn, a trick), independent of what was drawn before."""

    def __init__(self, key: int) -> None:
        self.key = key

    def __call__(self, n: int, moment: int) -> int:
        """A number below n."""
        return scaled(mix(self.key + moment * STEP & MASK), n)

    def line(self, number: int) -> Luck:
        """A separate stream, for a reshuffle."""
        return Luck(derive(self.key, number))


def game_key(seed: int, game: int) -> int:
    """The key from which all luck of a game comes."""
    return derive(derive(seed, DEAL), game)
