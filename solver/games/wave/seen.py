"""WAVE: what a seat sees.

A card of a hand is known by its place in it. What the others could conclude about a place is known to all, the
signals too. The first kernels say which cards of a hand a seat does not see.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, has, lowest, single, without_lowest
from houle.solver.cards.piles import card_at, count_in_use, count_places
from houle.solver.cards.write_numbers import mark_cards
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Card, Cards, Flag, Label, Number, Numbers, Rules, Seat, State
from houle.solver.games.wave.board import named, slots_of
from houle.solver.games.wave.state import (
    AT_NONE,
    DUMMY,
    FACEDOWN,
    HIDE,
    INVERT_COLOURS,
    INVERT_NUMBERS,
    KNOWN,
    NO_SWAP,
    NONE,
    OPEN,
    POINT,
    SWAP,
)
from houle.solver.interface.seen import cards, choice, each_seat, mark, number, numbers, row, seat_number, seen


@kernel
def unseen(state: State, rules: Rules, holder: Seat, seat: Seat) -> Any:
    """The cards in the holder's hand that `seat` does not know."""
    if rules.dummy and holder == DUMMY:
        return state.back[holder]
    if rules.talk == OPEN:
        return ZERO
    if holder == seat:
        return state.back[holder] & ~state.public if rules.talk < KNOWN else ZERO
    return state.front[holder] & ~state.public


@kernel
def unlocated(state: State, rules: Rules, seat: Seat) -> Any:
    """Every card whose location `seat` does not know: in hands, face down in the wave, in the pile."""
    cards = state.sunk & ~sunk_known(state, rules, seat)
    for holder in range(rules.seats):
        cards |= unseen(state, rules, holder, seat)
    for i in range(count_in_use(state)):
        card = card_at(state, i)
        cards |= single(card) if card < INVERT_COLOURS else ZERO
    return cards


@kernel
def sunk_known(state: State, rules: Rules, seat: Seat) -> Any:
    return state.sunk if rules.talk == OPEN else state.sunk_known[seat]


@kernel
def learn(state: State, cards: Any, seat: Seat, fits: Any) -> None:
    """Notes for the slot of each of these cards whether it fits, for seats that cannot see it."""
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        state.may[seat, state.slot[card]] &= fits if has(fits, card) else ~fits


@kernel
def sink(state: State, rules: Rules, seat: Seat, card: Card, from_back: Any) -> None:
    """Notes who has seen a card that goes face down: its owner or the others, or everyone if it was public."""
    bit = single(card)
    dummy = rules.dummy and seat == DUMMY
    public = dummy or has(state.public, card) or (from_back == ONE and rules.talk >= KNOWN)
    state.facedown += 1
    state.sunk |= bit
    for other in range(rules.seats):
        if public or (other == seat) != (from_back == ONE):
            state.sunk_known[other] |= bit


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """What `seat` sees of an action before it is taken: the card, or only the slot if it goes face down unseen.

    Players choose their own back cards by slot, before anyone shows them.
    """
    if action == NO_SWAP or action >= POINT:
        return U8(2048) + U8(action)
    acting = state.acting
    own = state.mover == seat
    card = named(state, action)
    if own or (HIDE <= action < SWAP and has(unseen(state, rules, acting, seat), card)):
        return U8(512) + U8(action) if own else U8(1024) + U8(state.slot[card])
    return U8(action & ~(HIDE - 1)) + U8(card)


DIRECTIONS = ("clockwise", "anticlockwise")
ORDERS = ("colours", "numbers")


def _deck(rules: Rules) -> Number:
    return rules.width


def _largest_hand(rules: Rules) -> Number:
    return max(rules.places[0], rules.places[DUMMY])


def _signal(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    """1 + the code of a card; 0: not given, -1: no card."""
    code = np.int64(state.signals[who])
    return np.int64(0) if code == NONE else np.int64(-1) if code == AT_NONE else code + 1


def _wave(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """1 + the card of each cell; -1 for a face-down card."""
    for cell in range(np.int64(state.laid) + 1):
        card = np.int64(state.cells[cell])
        out[at + cell] = -1 if card == FACEDOWN else card + 1


def _seen_face_down(state: State, rules: Rules, seat: Seat, who: Seat) -> Cards:
    return sunk_known(state, rules, seat) & sunk_known(state, rules, who) & state.sunk


@kernel
def _inversions(state: State, rules: Rules, first: Card, last: Card) -> Number:
    """How many inversion cards of these sorts are in the pile; they are among its added cards."""
    found = np.int64(0)
    if rules.tide_colours or rules.tide_numbers:
        for i in range(count_places(state), count_in_use(state)):
            found += 1 if first <= card_at(state, i) <= last else 0
    return found


def _pile(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    return np.int64(state.pile_left) - _inversions(state, rules, INVERT_COLOURS, INVERT_NUMBERS)


def _places(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """1 + the card in each place of a hand; 0: no card, -1: an unseen card."""
    hidden = unseen(state, rules, who, seat)
    for place in range(np.int64(rules.places[who])):
        card = U8(state.held[who, place])
        if card != U8(NONE):
            out[at + place] = -1 if has(hidden, card) else np.int64(card) + 1


def _may_be(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """For each place of a hand the cards that it may hold for those who do not see it."""
    width = np.int64(rules.width)
    for place in range(np.int64(rules.places[who])):
        if state.held[who, place] != NONE:
            mark_cards(out, at + place * width, state.may[who, place] & rules.cards, width)


def _with_tide(rules: Rules) -> Flag:
    return rules.tide_colours or rules.tide_numbers


def _with_virage(rules: Rules) -> Flag:
    return rules.virage


def _with_nazare(rules: Rules) -> Flag:
    return rules.nazare


SEEN = seen(
    seat_number("to move", "mover"),
    seat_number("turn", "acting"),
    seat_number("last surfer", "surfer", line="last surfer", when=lambda rules: rules.dummy),
    each_seat(number("signal", _signal), when=lambda rules: rules.signals),
    row("wave", _wave, lambda rules: rules.deck_size, line="wave", when=_with_nazare),
    each_seat(cards("seen face down", _seen_face_down, _deck), when=_with_nazare),
    number("cards face down", "facedown", when=_with_nazare),
    number("cards laid", "laid"),
    mark("top", "top", _deck),
    cards("laid", "seen", _deck),
    number("pile", _pile, line="pile", fact="pile"),
    choice("direction", DIRECTIONS, "turned", line="direction", fact="play goes"),
    cards("inverted", "order", len(ORDERS), when=_with_tide),
    number(
        "inversions of colours",
        lambda state, rules, seat, who: _inversions(state, rules, INVERT_COLOURS, INVERT_COLOURS),
        fact="inversions of colours left",
        when=lambda rules: rules.tide_colours,
    ),
    number(
        "inversions of numbers",
        lambda state, rules, seat, who: _inversions(state, rules, INVERT_NUMBERS, INVERT_NUMBERS),
        fact="inversions of numbers left",
        when=lambda rules: rules.tide_numbers,
    ),
    mark("virage", "virage", _deck, line="virage", when=_with_virage),
    choice("swap", ("open", "closed"), "asked", line="swap", when=_with_virage),
    mark("taken", "taken", _deck, line="taken", optional=True, when=_with_virage),
    cards("known to all", "public", _deck, line="known to all", optional=True, when=_with_virage),
    each_seat(
        cards("front", lambda state, rules, seat, who: state.front[who] & ~unseen(state, rules, who, seat), _deck),
        cards("back", lambda state, rules, seat, who: state.back[who] & ~unseen(state, rules, who, seat), _deck),
        numbers("places", _places, _largest_hand),
        cards("back places", lambda state, rules, seat, who: slots_of(state, state.back[who]), _largest_hand),
    ),
    each_seat(
        numbers("may be", _may_be, lambda rules: max(rules.places[0], rules.places[DUMMY]) * np.int64(rules.width)),
        when=lambda rules: rules.tracks,
    ),
)
