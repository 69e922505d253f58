"""VAGUE VERTE: what a seat knows as numbers, and the list of actions, for learners.

Equal cards are counted in the place of the first of them; copies of a card have numbers next to each other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.compiler.bits import U8, ZERO, count, has, lowest, without_lowest
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty
from houle.solver.compiler.observing import ahead, mark_card, mark_cards, put, seat_ahead
from houle.solver.compiler.types import Card, Cards, Number, Numbers, Rules, Seat, State
from houle.solver.games.vague_verte.board import RING
from houle.solver.games.vague_verte.knowledge import unlocated
from houle.solver.games.vague_verte.state import (
    DRAW_FACEUP,
    DRAW_STOCK,
    FACEUP,
    LIT,
    MAX_CARDS,
    NONE,
    ROAD,
    ROW,
    build_deck,
)
from houle.solver.interface.game import Parts, from_observer
from houle.solver.rules import Setup


@outlined
def observe(state: State, rules: Rules, seat: Seat, out: Numbers) -> Number:
    seats, width = np.int64(rules.seats), np.int64(rules.deck_size)
    at = put(out, 0, seat)
    at = put(out, at, ahead(state.mover, seat, seats))
    at = put(out, at, ahead(state.seat, seat, seats))
    at = put(out, at, state.stage)
    at = put(out, at, state.turns)
    at = put(out, at, state.plays)
    at = put(out, at, state.discards)
    at = put(out, at, state.reshuffles)
    at = put(out, at, state.pile_left)
    at = put(out, at, -1 if state.winner == NONE else ahead(state.winner, seat, seats))
    at = put(out, at, _drawn(state, rules, seat))
    for row in range(1, np.int64(rules.road) + 1):
        at = put(out, at, has(state.targets, LIT + row))
    left = np.int64(state.faceup_left)
    at = mark_card(out, at, _faceup(state, rules, 0) if left > 0 else NONE, width)
    for i in range(width):
        at = put(out, at, np.int64(_faceup(state, rules, i)) + 1 if i < left else 0)
    at = _observe_ages(state, rules, unlocated(state, rules, seat), out, at)
    _count_faces(rules, state.hand[seat] & state.shown[seat], out, at)
    at += width
    for number in range(seats):
        at = _observe_seat(state, rules, seat_ahead(number, seat, seats), seat, out, at)
    return at


@kernel
def _drawn(state: State, rules: Rules, seat: Seat) -> Number:
    """1 + the card drawn this turn; 0: none, -1: not seen."""
    if state.drawn == NONE:
        return np.int64(0)
    seen = state.seat == seat or has(state.shown[state.seat], state.drawn)
    return np.int64(rules.face[state.drawn]) + 1 if seen else np.int64(-1)


@kernel
def _faceup(state: State, rules: Rules, i: Number) -> Card:
    """The i-th card of the face-up pile, from its top."""
    return rules.face[state.faceup[(U8(state.bottom) + U8(np.int64(state.faceup_left) - 1 - np.int64(i))) & RING]]


@kernel
def _count_faces(rules: Rules, cards: Cards, out: Numbers, at: Number) -> None:
    while cards != ZERO:
        out[at + np.int64(rules.face[lowest(cards)])] += 1
        cards = without_lowest(cards)


@outlined
def _observe_ages(state: State, rules: Rules, hidden: Cards, out: Numbers, at: Number) -> Number:
    """For every hidden card 1 + the reshuffle at which all last saw it, rising among copies of a card."""
    while hidden != ZERO:
        card = lowest(hidden)
        hidden = without_lowest(hidden)
        age, place = np.int64(state.last_seen[card]) + 1, at + np.int64(rules.face[card])
        while out[place] != 0 and out[place] <= age:
            place += 1
        while age != 0:  # moves the later ones on
            later = np.int64(out[place])
            out[place] = age
            age = later
            place += 1
    return at + np.int64(rules.deck_size)


@outlined
def _observe_seat(state: State, rules: Rules, holder: Seat, seat: Seat, out: Numbers, at: Number) -> Number:
    width, hand, own = np.int64(rules.deck_size), state.hand[holder], holder == seat
    at = put(out, at, state.missed[holder])
    at = put(out, at, state.filled[holder])
    at = put(out, at, count(hand))
    last = state.last[holder]
    at = mark_card(out, at, rules.face[last] if last != NONE else NONE, width)
    for square in range(np.int64(rules.road)):
        laid = square < np.int64(state.filled[holder])
        at = put(out, at, np.int64(rules.face[state.road[holder, square]]) + 1 if laid else 0)
    _count_faces(rules, hand if own else hand & state.shown[holder], out, at)
    at += width
    return at if own else _observe_hidden(state, rules, hand & ~state.shown[holder], out, at)


@outlined
def _observe_hidden(state: State, rules: Rules, cards: Cards, out: Numbers, at: Number) -> Number:
    """What is known of the hidden cards of a hand: 1 + the reshuffle of each, and with forced play what it is not."""
    listed = local_empty(MAX_CARDS, np.uint64)
    n = 0
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        i = n
        while i > 0 and _is_before(state, card, listed[i - 1]):
            listed[i] = listed[i - 1]
            i -= 1
        listed[i] = card
        n += 1
    width, room = np.int64(rules.deck_size), np.int64(rules.hand) + 1
    for i in range(room):
        if i < n:
            out[at] = np.int64(state.last_seen[listed[i]]) + 1
            if rules.forced_play:
                mark_cards(out, at + 1, state.not_in[listed[i]], width)
        at += 1 + (width if rules.forced_play else 0)
    return at


@kernel
def _is_before(state: State, card: Card, other: Card) -> Any:
    if state.last_seen[card] != state.last_seen[other]:
        return state.last_seen[card] < state.last_seen[other]
    return state.not_in[card] < state.not_in[other]


def observation_parts(setup: Setup) -> Parts:
    rules = setup.rules[0]
    width = int(rules.deck_size)
    parts: Parts = [(name, 1) for name in (
        "seat", "to move", "active", "step", "turns", "plays", "discards", "reshuffles", "stock", "winner", "drawn",
    )]  # fmt: skip
    parts += [("red lights", int(rules.road)), ("top of the face-up pile", width), ("face-up pile", width)]
    parts += [("hidden cards", width), ("own shown", width)]
    for who in from_observer(int(rules.seats)):
        parts += [(f"{who} {what}", 1) for what in ("misses", "squares", "cards")]
        parts += [(f"{who} last card", width), (f"{who} road", int(rules.road)), (f"{who} hand", width)]
        for card in range(0 if who == "own" else int(rules.hand) + 1):
            parts.append((f"{who} hidden card {card + 1}", 1))
            parts += [(f"{who} hidden card {card + 1} is not", width)] if rules.forced_play else []
    return parts


def action_kinds(setup: Setup, seat: int) -> list[int]:
    """Roads are counted from the seat's own, so an action means the same for every seat."""
    names, players = build_deck(setup.options), setup.players
    kinds = [DRAW_STOCK, DRAW_FACEUP]
    for card, name in enumerate(names):
        if names.index(name) != card:
            continue
        targets = [FACEUP]
        if name.startswith(("car", "tow", "ambulance")):
            targets.append(ROAD + seat)
        elif name.startswith(("breakdown", "ducks")):
            targets += [ROAD + (seat + number) % players for number in range(players)]
        else:
            targets += [ROW + row for row in range(1, int(setup.rules[0].road) + 1)]
        kinds += [target * MAX_CARDS + card for target in targets]
    return kinds
