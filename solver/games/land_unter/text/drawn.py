"""LAND UNTER: water cards that were turned up in a move, by all names they go by; what packs held, in hindsight."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from houle.solver.record.lines import Places
from houle.solver.ruleset import Setup
from houle.solver.types import State


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """The two water cards of the next trick, once a trick is over."""
    if int(after.tricks) == int(before.tricks) or int(after.mover) < 0:
        return []
    return [(str(int(value)), f"water {int(value)}") for value in after.water]


def hindsight(setup: Setup, moves: Sequence[tuple[int, str]], hands: Mapping[int, Places]) -> Places:
    """Cards that a record shows to have been dealt to each seat: packs travel, so whoever played a card in a round.

    `hands` says after which moves a round began, and what somebody held then; seats of places count from 1.
    """
    found: Places = {f"seat {seat + 1}": [] for seat in range(setup.players)}
    turns = 0  # that packs have gone to the left
    for number, (seat, name) in enumerate(moves, 1):
        verb, _, card = name.partition(" ")
        dealt_to = found[f"seat {(seat - turns) % setup.players + 1}"]
        if verb == "play" and card not in dealt_to:
            dealt_to.append(card)
        for place, cards in hands.get(number, {}).items():
            turns += place == next(iter(hands[number]))
            holder = re.fullmatch(r"seat (\d)(?: hand)?", place)
            if holder:
                pack = found.setdefault(f"seat {(int(holder[1]) - 1 - turns) % setup.players + 1}", [])
                pack += [card for card in cards if card not in pack]
    return {place: cards for place, cards in found.items() if cards}
