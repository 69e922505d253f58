"""WAVE: what a seat knows as numbers, and the list of actions, for learners."""

from __future__ import annotations

import numpy as np

from houle.solver.compiler.bits import U8, has
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.observing import ahead, mark_card, mark_cards, put, seat_ahead
from houle.solver.compiler.piles import card_at, count_in_use, count_places
from houle.solver.compiler.types import Number, Numbers, Rules, Seat, State
from houle.solver.games.wave.knowledge import sunk_known, unseen
from houle.solver.games.wave.state import (
    AT_NONE,
    BACK,
    DUMMY,
    FACEDOWN,
    HIDE,
    INVERT_COLOURS,
    NO_SWAP,
    NONE,
    POINT,
    POINT_NONE,
    SWAP,
)
from houle.solver.interface.game import Parts, from_observer
from houle.solver.rules import Setup


@outlined
def observe(state: State, rules: Rules, seat: Seat, out: Numbers) -> Number:
    seats, width = np.int64(rules.seats), np.int64(rules.deck[rules.deck_size - 1]) + 1
    at = put(out, 0, seat)
    at = put(out, at, ahead(state.mover, seat, seats))
    at = put(out, at, ahead(state.acting, seat, seats))
    at = put(out, at, ahead(state.surfer, seat, seats) if rules.dummy else 0)
    at = put(out, at, state.turned)
    at = put(out, at, state.asked)
    at = put(out, at, state.order & 1)
    at = put(out, at, state.order >> 1)
    at = put(out, at, state.laid)
    at = put(out, at, state.facedown)
    at = _observe_pile(state, rules, out, at)
    at = mark_card(out, at, state.top, width)
    at = mark_cards(out, at, state.seen, width)
    if rules.virage:
        at = mark_card(out, at, state.virage, width)
        at = mark_card(out, at, state.taken, width)
        at = mark_cards(out, at, state.public, width)
    if rules.signals:
        for number in range(seats):
            at = put(out, at, _signal(state.signals[seat_ahead(number, seat, seats)]))
    if rules.nazare:
        for cell in range(np.int64(rules.deck_size)):
            card = np.int64(state.cells[cell]) if cell <= state.laid else -1
            at = put(out, at, -1 if card == FACEDOWN else card + 1)
        known = sunk_known(state, rules, seat) & state.sunk
        at = mark_cards(out, at, known, width)
        for number in range(1, seats):
            theirs = state.sunk_known[seat_ahead(number, seat, seats)]
            at = mark_cards(out, at, known & theirs, width)
    for number in range(seats):
        at = _observe_hand(state, rules, seat_ahead(number, seat, seats), seat, width, out, at)
    return at


@kernel
def _observe_pile(state: State, rules: Rules, out: Numbers, at: Number) -> Number:
    """Cards left, and the inversion cards of both sorts among them."""
    colours = numbers = 0
    if rules.tide_colours or rules.tide_numbers:
        for i in range(count_places(state), count_in_use(state)):
            card = card_at(state, i)
            colours += 1 if card == INVERT_COLOURS else 0
            numbers += 1 if card > INVERT_COLOURS else 0
    at = put(out, at, np.int64(state.pile_left) - colours - numbers)
    at = put(out, at, colours)
    return put(out, at, numbers)


@kernel
def _signal(code: Number) -> Number:
    """1 + the code of a card; 0: not given, -1: no card."""
    return np.int64(0) if code == NONE else np.int64(-1) if code == AT_NONE else np.int64(code) + 1


@outlined
def _observe_hand(
    state: State, rules: Rules, holder: Seat, seat: Seat, width: Number, out: Numbers, at: Number
) -> Number:
    hidden = unseen(state, rules, holder, seat)
    at = mark_cards(out, at, state.front[holder] & ~hidden, width)
    at = mark_cards(out, at, state.back[holder] & ~hidden, width)
    slots = _slots(rules)
    own = np.int64(rules.up) + rules.down if rules.dummy and holder == DUMMY else np.int64(rules.front) + rules.back
    for slot in range(slots):
        card = U8(state.held[holder, slot]) if slot < own else U8(NONE)
        if card != U8(NONE):
            out[at] = -1 if has(hidden, card) else np.int64(card) + 1
            out[at + 1] = has(state.back[holder], card)
            if rules.tracks:
                mark_cards(out, at + 2, state.may[holder, slot] & rules.cards, width)
        at += 2 + (width if rules.tracks else 0)
    return at


@kernel
def _slots(rules: Rules) -> Number:
    """Places of the largest hand."""
    surfer, dummy = np.int64(rules.front) + rules.back, np.int64(rules.up) + rules.down
    return max(surfer, dummy) if rules.dummy else surfer


def observation_parts(setup: Setup) -> Parts:
    rules = setup.rules[0]
    seats, width = int(rules.seats), int(rules.deck[int(rules.deck_size) - 1]) + 1
    parts: Parts = [(name, 1) for name in (
        "seat", "to move", "turn", "last surfer", "anticlockwise", "swap closed", "colours inverted",
        "numbers inverted", "cards laid", "cards face down", "pile", "colour inversions", "number inversions",
    )]  # fmt: skip
    parts += [("top", width), ("laid", width)]
    if rules.virage:
        parts += [("virage", width), ("taken", width), ("known to all", width)]
    parts += [(f"{who} signal", 1) for who in from_observer(seats)] if rules.signals else []
    if rules.nazare:
        parts += [("wave", int(rules.deck_size)), ("face down known", width)]
        parts += [(f"face down known to {who}", width) for who in from_observer(seats)[1:]]
    for who in from_observer(seats):
        parts += [(f"{who} front", width), (f"{who} back", width)]
        for slot in range(int(_slots(rules))):
            parts += [(f"{who} place {slot + 1}", 1), (f"{who} place {slot + 1} is back", 1)]
            parts += [(f"{who} place {slot + 1} may be", width)] if rules.tracks else []
    return parts


def action_kinds(setup: Setup, seat: int) -> list[int]:
    rules = setup.rules[0]
    cards = [int(card) for card in rules.deck[: int(rules.deck_size)]]
    cards += [BACK + slot for slot in range(int(rules.front) + int(rules.back))]
    kinds = list(cards)
    kinds += [HIDE + card for card in cards] if rules.nazare else []
    kinds += [NO_SWAP, *(SWAP + card for card in cards)] if rules.virage else []
    return kinds + ([POINT_NONE, *(POINT + card for card in cards)] if rules.signals else [])
