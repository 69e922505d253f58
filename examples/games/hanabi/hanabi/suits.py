"""Kinds of suits: which clues touch their cards, and how many copies there are. Facts of the rules that all know."""

from __future__ import annotations

SUITS = ("red", "yellow", "green", "blue", "purple", "teal")
NUMBERS = (1, 1, 1, 2, 2, 3, 3, 4, 4, 5)
ONCE = (0, 3, 5, 7, 9)  # the first card of each number
# Kind 9 * one copy + 3 * colour + number, where colour and number are OWN, ALL or NONE.
KINDS = (
    "plain",
    "pink",
    "brown",
    "rainbow",
    "omni",
    "muddy",
    "white",
    "light-pink",
    "null",
    "black",
    "dark-pink",
    "dark-brown",
    "dark-rainbow",
    "dark-omni",
    "cocoa",
    "gray",
    "gray-pink",
    "dark-null",
)
OWN, ALL, NONE = range(3)


def cards_of(kinds: list[str]) -> list[int]:
    """All cards of suits of these kinds."""
    return [10 * suit + i for suit, kind in enumerate(kinds) for i in (ONCE if KINDS.index(kind) // 9 else range(10))]


def touches(kinds: list[str]) -> dict[int, int]:
    """Each clue with the kinds of cards that it touches, a bit each: 0 to 5 is a colour, 5 + n the number n."""
    special = [KINDS.index(kind) for kind in kinds]
    colours = [suit for suit, kind in enumerate(special) if kind // 3 % 3 == OWN]
    return {clue: touched_by(clue, special) for clue in [*colours, *range(6, 11)]}


def touched_by(clue: int, special: list[int]) -> int:
    """The kinds of cards that a clue touches."""
    mask = 0
    for suit, kind in enumerate(special):
        how = kind // 3 % 3 if clue < 6 else kind % 3
        for number in range(1, 6):
            own = clue == (suit if clue < 6 else 5 + number)
            mask |= (how == ALL or (how == OWN and own)) << suit * 5 + number - 1
    return mask
