"""LAND UNTER: what a seat knows as numbers, and the list of actions, for learners."""

from __future__ import annotations

import numpy as np

from houle.solver.compiler.bits import U8, count, has
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.observing import ahead, mark_cards, put, seat_ahead
from houle.solver.compiler.piles import GAP, card_at, count_in_use
from houle.solver.compiler.types import Number, Numbers, Rules, Seat, State
from houle.solver.games.land_unter.knowledge import holding, known, secret
from houle.solver.games.land_unter.play import lifebelts
from houle.solver.games.land_unter.state import TAKE
from houle.solver.interface.game import Parts, from_observer
from houle.solver.rules import Setup


@outlined
def observe(state: State, rules: Rules, seat: Seat, out: Numbers) -> Number:
    """Nobody knows who has already chosen a card in secret, so all that depends on it is left out."""
    seats, hidden = np.int64(rules.seats), secret(state, rules)
    at = put(out, 0, seat)
    at = put(out, at, -1 if hidden else ahead(state.mover, seat, seats))
    at = put(out, at, ahead(state.leader, seat, seats) if rules.open else 0)
    at = put(out, at, state.taking)
    at = put(out, at, state.mover < 0)
    at = put(out, at, state.rounds)
    at = put(out, at, state.trick)
    at = put(out, at, state.tricks)
    at = put(out, at, state.moves)
    at = put(out, at, state.eliminations)
    at = put(out, at, state.water[0])
    at = put(out, at, state.water[1])
    for i in range(count_in_use(state)):
        value = card_at(state, i)
        if value != GAP:
            out[at + np.int64(value)] += 1
    at += _highest(rules) + 1
    for number in range(seats):
        at = _observe_seat(state, rules, seat_ahead(number, seat, seats), seat, hidden, out, at)
    return at


@outlined
def _observe_seat(
    state: State, rules: Rules, holder: Seat, seat: Seat, hidden: Number, out: Numbers, at: Number
) -> Number:
    width, sure = np.int64(rules.weather), known(state, rules, holder, seat)
    cards = holding(state, rules, holder)
    at = put(out, at, has(U8(state.out), holder))
    at = put(out, at, 0 if hidden else state.committed[holder])
    at = put(out, at, 0 if hidden else np.int64(has(U8(state.waiting), holder)))
    at = put(out, at, state.level[holder])
    at = put(out, at, state.belts[holder])
    at = put(out, at, lifebelts(rules, state.pack[holder]))
    at = put(out, at, state.points[holder])
    at = put(out, at, count(cards))
    at = mark_cards(out, at, sure, width)
    at = mark_cards(out, at, sure & cards, width)
    return mark_cards(out, at, state.seen[holder], width)


@kernel
def _highest(rules: Rules) -> Number:
    """The highest water card."""
    highest = np.int64(0)
    for i in range(rules.water_cards):
        highest = max(highest, np.int64(rules.water[i]))
    return highest


def observation_parts(setup: Setup) -> Parts:
    rules = setup.rules[0]
    width = int(rules.weather)
    parts: Parts = [(name, 1) for name in (
        "seat", "to move", "leader", "taking", "over", "rounds", "tricks of the round", "tricks", "cards played",
        "eliminations", "water 1", "water 2",
    )]  # fmt: skip
    parts.append(("water left", int(_highest(rules)) + 1))
    for who in from_observer(int(rules.seats)):
        parts += [(f"{who} {what}", 1) for what in (
            "out", "card", "is to choose", "level", "lifebelts", "lifebelts of the pack", "points", "cards",
        )]  # fmt: skip
        parts += [(f"{who} {what}", width) for what in ("pack", "hand", "seen before")]
    return parts


def action_kinds(setup: Setup, seat: int) -> list[int]:
    rules = setup.rules[0]
    water = sorted({int(value) for value in rules.water[: int(rules.water_cards)]}) if rules.choice else []
    return [*range(int(rules.weather)), *(TAKE + value for value in water)]
