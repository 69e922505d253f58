"""VAGUE VERTE: what a seat sees.

Equal cards are counted in the place of the first of them; copies of a card have numbers next to each other. Players
remember at which reshuffle everyone last saw a card. With forced play, a player who lays a card on the pile shows that
no card of the hand could be played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import U8, ZERO, has, lowest, single, without_lowest
from houle.solver.cards.bits import count as size
from houle.solver.cards.piles import GAP, card_at, count_in_use
from houle.solver.cards.write_numbers import mark_cards, put
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty
from houle.solver.compiler.types import Action, Card, Cards, Flag, Label, Number, Numbers, Rules, Seat, State
from houle.solver.games.vague_verte.board import RING
from houle.solver.games.vague_verte.state import DRAW_STOCK, LIT, MAX_CARDS, MAX_ROAD, NONE
from houle.solver.interface.seen import (
    cards,
    choice,
    each_other,
    each_seat,
    mark,
    number,
    numbers,
    row,
    seat_number,
    seen,
)


@kernel
def _stock(state: State) -> Any:
    cards = ZERO
    for i in range(count_in_use(state)):
        card = card_at(state, i)
        cards |= single(card) if card != GAP else ZERO
    return cards


@kernel
def hidden_in_hand(state: State, holder: Seat, seat: Seat) -> Any:
    """The cards of a hand that `seat` does not see and has not seen taken."""
    return ZERO if holder == seat else state.hand[holder] & ~state.shown[holder]


@kernel
def unlocated(state: State, rules: Rules, seat: Seat) -> Any:
    """Every card whose location `seat` does not know."""
    cards = _stock(state)
    for holder in range(rules.seats):
        cards |= hidden_in_hand(state, holder, seat)
    return cards


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """What `seat` sees of an action: where a card is taken or laid, and the face of a card that is laid."""
    return kind(state, rules, action)


@kernel
def kind(state: State, rules: Rules, action: Action) -> Label:
    """Equal cards on the same target are the same action."""
    code = U8(action)
    return code if action >= DRAW_STOCK else code & ~RING | U8(rules.face[code & RING])


MOST_MISSED, MOST_RESHUFFLES = 99, 2**16 - 1
ROWS, FIRST_ROW = [str(1 + i) for i in range(MAX_ROAD)], U8(LIT + 1)


def _deck(rules: Rules) -> Number:
    return rules.deck_size


def _squares(rules: Rules) -> Number:
    return rules.road


def _drawn(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """The card drawn this turn, if `seat` sees it."""
    if state.drawn != NONE and not has(hidden_in_hand(state, state.seat, seat), state.drawn):
        out[at] = np.int64(rules.face[state.drawn]) + 1


@kernel
def _in_pile(state: State, rules: Rules, i: Number) -> Card:
    """The i-th card of the face-up pile, from below."""
    return rules.face[state.faceup[(U8(state.bottom) + U8(i)) & RING]]


def _top(state: State, rules: Rules, seat: Seat, who: Seat) -> Card:
    return _in_pile(state, rules, np.int64(state.faceup_left) - 1) if state.faceup_left > 0 else NONE


def _pile(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    for i in range(np.int64(state.faceup_left)):
        out[at + i] = np.int64(_in_pile(state, rules, i)) + 1


def _last(state: State, rules: Rules, seat: Seat, who: Seat) -> Card:
    return rules.face[state.last[who]] if state.last[who] != NONE else NONE


def _road(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    for square in range(np.int64(state.filled[who])):
        out[at + square] = np.int64(rules.face[state.road[who, square]]) + 1


@kernel
def _count_faces(rules: Rules, some: Cards, out: Numbers, at: Number) -> None:
    while some != ZERO:
        out[at + np.int64(rules.face[lowest(some)])] += 1
        some = without_lowest(some)


def _hand(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    _count_faces(rules, state.hand[who] & ~hidden_in_hand(state, who, seat), out, at)


def _shown(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """The cards of the own hand that the others saw taken."""
    _count_faces(rules, state.hand[seat] & state.shown[seat], out, at)


@outlined
def _ages(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """For every hidden card 1 + the reshuffle at which all last saw it, rising among copies of a card."""
    left = unlocated(state, rules, seat)
    while left != ZERO:
        card = lowest(left)
        left = without_lowest(left)
        age, place = np.int64(state.last_seen[card]) + 1, at + np.int64(rules.face[card])
        while out[place] != 0 and out[place] <= age:
            place += 1
        while age != 0:  # moves the later ones on
            later = np.int64(out[place])
            out[place] = age
            age = later
            place += 1


@kernel
def _is_before(state: State, card: Card, other: Card) -> Flag:
    if state.last_seen[card] != state.last_seen[other]:
        return state.last_seen[card] < state.last_seen[other]
    return state.not_in[card] < state.not_in[other]


@outlined
def _hidden(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    """For every hidden card of a hand 1 + the reshuffle at which all last saw it, and with forced play what it is not.

    They are listed by what is known of them, so the order does not tell what they are.
    """
    listed, left, n = local_empty(MAX_CARDS, np.uint64), hidden_in_hand(state, who, seat), 0
    while left != ZERO:
        card = lowest(left)
        left = without_lowest(left)
        i = n
        while i > 0 and _is_before(state, card, listed[i - 1]):
            listed[i] = listed[i - 1]
            i -= 1
        listed[i] = card
        n += 1
    for i in range(min(np.int64(n), np.int64(rules.hand) + 1)):
        at = put(out, at, np.int64(state.last_seen[listed[i]]) + 1)
        if rules.forced_play:
            at = mark_cards(out, at, state.not_in[listed[i]], np.int64(rules.deck_size))


def _about_hidden(rules: Rules) -> Number:
    """A hand holds one card more after a draw."""
    return (np.int64(rules.hand) + 1) * (1 + np.int64(rules.deck_size) * np.int64(rules.forced_play))


SEEN = seen(
    seat_number("to move", "mover"),
    seat_number("active", "seat"),
    choice("step", ("draw", "play"), "stage", line="step"),
    number("turns", line="turn", first=1, most=lambda rules: rules.max_turns, fact="turn"),
    number("plays"),
    number("discards"),
    seat_number(
        "winner", lambda state, rules, seat, who: np.int64(-1) if state.winner == NONE else np.int64(state.winner)
    ),
    row("drawn", _drawn, 1, line="drawn", optional=True),
    number("stock", "pile_left", line="stock", most=MAX_CARDS),
    mark("top of the face-up pile", _top, _deck),
    row("face-up pile", _pile, _deck, line="face-up"),
    cards(
        "red lights", lambda state, rules, seat, who: state.targets >> FIRST_ROW, _squares, said=ROWS, line="red lights"
    ),
    numbers("shown", _shown, _deck),
    each_seat(
        row("road", _road, _squares),
        mark("last card", _last, _deck),
        number("squares", "filled", fact="squares"),
        number("misses", "missed", line="misses", most=MOST_MISSED, optional=True),
        numbers("hand", _hand, _deck),
        number("cards", lambda state, rules, seat, who: size(state.hand[who]), fact="cards"),
    ),
    each_other(numbers("hidden in hand", _hidden, _about_hidden)),
    number("reshuffles", line="reshuffles", most=MOST_RESHUFFLES, optional=True),
    numbers("hidden cards", _ages, _deck),
)
