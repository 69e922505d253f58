"""SEA CHANGE: what a seat knows as numbers, and the list of actions, for learners."""

from __future__ import annotations

import numpy as np

from houle.solver.compiler.bits import count
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.observing import ahead, mark_card, mark_cards, put, seat_ahead
from houle.solver.compiler.types import Cards, Number, Numbers, Rules, Seat, State
from houle.solver.games.sea_change.state import MAX_VALUES, NO_COLOUR
from houle.solver.interface.game import Parts, from_observer
from houle.solver.rules import Setup

FOUR = 64  # places of four colours, the first word of a set


@outlined
def observe(state: State, rules: Rules, seat: Seat, out: Numbers) -> Number:
    seats, colours = np.int64(rules.seats), np.int64(rules.colours)
    at = put(out, 0, seat)
    at = put(out, at, ahead(state.mover, seat, seats))
    at = put(out, at, ahead(state.leader, seat, seats))
    at = put(out, at, ahead(state.starter, seat, seats))
    at = put(out, at, state.rounds)
    at = put(out, at, state.tricks_left)
    at = put(out, at, state.changes)
    at = put(out, at, state.all_changes)
    at = put(out, at, state.moves)
    at = put(out, at, state.pile_left)
    at = put(out, at, state.ended)
    at = mark_card(out, at, state.led, NO_COLOUR)
    at = mark_card(out, at, state.trump, NO_COLOUR)
    at = mark_card(out, at, state.value, MAX_VALUES)
    for i in range(np.int64(rules.in_trick)):
        if i < state.laid:
            out[at] = np.int64(state.trick[i] >> 4) + 1
            out[at + 1] = np.int64(state.trick[i] & 15) + 1
        at += 2
    at = _mark_set(rules, state.hand[seat], out, at)
    sides, own = np.int64(rules.sides), np.int64(rules.side[seat])
    for number in range(sides):
        side = seat_ahead(number, own, sides)
        at = put(out, at, state.vp[side])
        at = put(out, at, state.points[side])
        at = put(out, at, state.scores[side])
        at = put(out, at, (state.won >> side) & 1)
        at = _mark_set(rules, state.captured[side], out, at)
    for number in range(seats):
        holder = seat_ahead(number, seat, seats)
        at = put(out, at, ahead(rules.side[holder], own, sides))
        at = put(out, at, count(state.hand[holder, 0]) + count(state.hand[holder, 1]))
        for colour in range(colours):
            at = put(out, at, (state.void[holder] >> colour) & 1)
        if rules.stock:
            for colour in range(colours):
                at = put(out, at, state.barred[holder, colour])
    return at


@kernel
def _mark_set(rules: Rules, cards: Cards, out: Numbers, at: Number) -> Number:
    at = mark_cards(out, at, cards[0], min(np.int64(rules.colours) * MAX_VALUES, FOUR))
    return mark_cards(out, at, cards[1], MAX_VALUES) if rules.wide else at


def observation_parts(setup: Setup) -> Parts:
    rules = setup.rules[0]
    width = int(rules.colours) * MAX_VALUES
    parts: Parts = [(name, 1) for name in (
        "seat", "to move", "leader", "first leader", "rounds", "tricks left", "sea changes", "sea changes before",
        "cards played", "pile", "round ended",
    )]  # fmt: skip
    parts += [("led", NO_COLOUR), ("trump", NO_COLOUR), ("value", MAX_VALUES)]
    for card in range(int(rules.in_trick)):
        parts += [(f"trick {card + 1} colour", 1), (f"trick {card + 1} value", 1)]
    parts.append(("own hand", width))
    for side in range(int(rules.sides)):
        who = f"next side {side}" if side else "own side"
        parts += [(f"{who} {what}", 1) for what in ("victory points", "points", "last points", "won last")]
        parts.append((f"{who} captured", width))
    for who in from_observer(int(rules.seats)):
        parts += [(f"{who} side", 1), (f"{who} cards", 1), (f"{who} void", int(rules.colours))]
        parts += [(f"{who} not of colour", int(rules.colours))] if rules.stock else []
    return parts


def action_kinds(setup: Setup, seat: int) -> list[int]:
    rules = setup.rules[0]
    return [int(card) for card in rules.deck[: int(rules.deck_size)]]
