"""Black Hole: the two records, how knobs become RULES, and who is scored.

A card is 4 x rank + suit. A pile is a row of `cards`, its bottom first; `left` is how many are still there. `tops`
holds the piles by the rank of their top card, as sets, so what may be played is one union.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from houle.own_game import STREAM_FIELDS, KnobError, Setup, blank

RANKS, SUITS = 13, 4
DECK = RANKS * SUITS
FIRST = 0  # the ace of spades
NOTHING = 255  # in the hole
MAX_MOVES = DECK

COUNTS = ("moves", "turns", "rounds")
RATES: dict[str, tuple[str, str]] = {}

RULES = np.dtype(
    [
        ("black_hole", "u1"),  # marker
        ("piles", "u1"),
        ("height", "u1"),
        ("given", "u1"),  # 1 if the ace of spades starts in the hole
        ("wrap", "u1"),  # 1 if ace and king are neighbours
        ("seats", "u1"),
        ("sides", "u1"),
        ("side", "u1", 1),
        ("near", "u2", RANKS),  # ranks that may follow each rank, as bits
    ],
    align=True,
)

STATE = np.dtype(
    [
        *STREAM_FIELDS,
        ("tops", "u8", RANKS),  # piles whose top card has this rank
        ("mover", "i1"),  # 0, or -1 when nothing fits
        ("hole", "u1"),  # the card on top of it, or NOTHING
        ("laid", "u1"),  # cards the player put there
        ("black_hole", "u1"),  # marker
        ("left", "u1", DECK),  # cards of each pile
        ("cards", "u1", DECK),  # pile by pile, the bottom first
    ],
    align=True,
)


def make_rules(options: Mapping[str, Any], players: int) -> Any:
    all_rules = blank(RULES)
    rules = all_rules[0]
    rules.piles, rules.height = options["piles"], options["height"]
    rules.given, rules.wrap = options["first"] == "ace", options["wrap"]
    cards = DECK - int(rules.given)
    if options["piles"] * options["height"] > cards:
        raise KnobError("piles", f"{options['piles']} piles of {options['height']} need more than {cards} cards")
    rules.seats = rules.sides = players
    for rank in range(RANKS):
        near = {rank - 1, rank + 1} if not rules.wrap else {(rank - 1) % RANKS, (rank + 1) % RANKS}
        rules.near[rank] = sum(1 << other for other in near if 0 <= other < RANKS)
    return all_rules


def side_names(setup: Setup) -> list[tuple[str, list[int]]]:
    return [("player", [0])]


def score_range(setup: Setup) -> tuple[int, int]:
    return 0, int(setup.options["piles"] * setup.options["height"])
