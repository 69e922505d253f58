"""LAND UNTER: the water cards turned up in a move, by name; and what packs held, in hindsight."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from houle.solver.compiler.types import State
from houle.solver.matches.record.line_parser import Places
from houle.solver.rules import Setup


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """The two water cards of the next trick, once a trick is over."""
    if int(after.tricks) == int(before.tricks) or int(after.mover) < 0:
        return []
    return [(str(int(value)), f"water {int(value)}") for value in after.water]


def hindsight(setup: Setup, moves: Sequence[tuple[int, str]], hands: Mapping[int, Places]) -> Places:
    """The cards that a record shows each seat was dealt. Packs travel, so this depends on who played a card when.

    `hands` says after which moves a round began, and what each seat held then; seats in the names count from 1.
    """
    packs: Places = {f"seat {seat + 1}": [] for seat in range(setup.players)}
    turns = 0  # how often packs have gone to the left
    for number, (seat, name) in enumerate(moves, 1):
        action_type, _, card = name.partition(" ")
        dealt_to = packs[f"seat {(seat - turns) % setup.players + 1}"]
        if action_type == "play" and card not in dealt_to:
            dealt_to.append(card)
        for place, cards in hands.get(number, {}).items():
            turns += place == next(iter(hands[number]))
            holder = re.fullmatch(r"seat (\d)(?: hand)?", place)
            if holder:
                pack = packs.setdefault(f"seat {(int(holder[1]) - 1 - turns) % setup.players + 1}", [])
                pack += [card for card in cards if card not in pack]
    return {place: cards for place, cards in packs.items() if cards}
