"""SEA CHANGE: what a seat sees.

Players remember every card played. Of another hand they know how many cards it holds and which colours its owner could
not follow; with two players, how many of its cards cannot be of a colour.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import U8, ZERO, single
from houle.solver.cards.bits import count as size
from houle.solver.cards.piles import GAP, card_at, count_in_use
from houle.solver.cards.write_numbers import ahead, put
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Flag, Number, Numbers, Rules, Seat, State
from houle.solver.games.sea_change.state import COLOURS, IN_WORD, MAX_VALUES, NO_COLOUR, WORD
from houle.solver.interface.seen import (
    cards,
    count,
    each_seat,
    each_side,
    flag,
    mark,
    number,
    numbers,
    row,
    seat_number,
    seen,
)

MOST_ROUNDS, MOST_CHANGES = 60_000, 255


def _deck(rules: Rules) -> Number:
    return np.int64(rules.colours) * MAX_VALUES


def _colours(rules: Rules) -> Number:
    return rules.colours


def _trick(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    for i in range(np.int64(state.laid)):
        put(out, at + i, np.int64(state.trick[i]) + 1)


def _in_hand(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    return size(state.hand[who, 0]) + size(state.hand[who, 1])


def _barred(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    for colour in range(np.int64(rules.colours)):
        put(out, at + colour, state.barred[who, colour])


def _below_target(rules: Rules) -> Number:
    return rules.target - 1


def _with_pile(rules: Rules) -> Flag:
    return rules.stock


SEEN = seen(
    seat_number("to move", "mover"),
    number("rounds", line="round", first=1, most=MOST_ROUNDS, fact="round"),
    seat_number("leader", fact="leads", when=lambda rules: rules.solo == 0),
    seat_number("first leader", "starter", line="first leader"),
    mark("led", "led", NO_COLOUR),
    mark("trump", "trump", NO_COLOUR, said=COLOURS, line="trump"),
    mark("value", "value", MAX_VALUES),
    number("sea changes", "changes", line="sea changes", most=MOST_CHANGES),
    number("sea changes before", "all_changes"),
    row("trick", _trick, lambda rules: rules.in_trick, line="trick"),
    number("tricks left"),
    number("cards played", "moves"),
    flag("round ended", "ended"),
    each_seat(
        cards("hand", "hand", _deck, words=2, line="hand", others=count("hand", _in_hand, line="hand")),
        number("cards", _in_hand, fact="cards"),
        number("side", lambda state, rules, seat, who: ahead(rules.side[who], rules.side[seat], rules.sides)),
        cards("void", "void", _colours, said=COLOURS, line="void", optional=True),
        numbers("not of colour", _barred, _colours, when=_with_pile),
    ),
    each_side(
        cards("captured", "captured", _deck, words=2, line="captured"),
        number("victory points", "vp", line="victory points", most=_below_target, fact="victory points"),
        number("points", fact="points"),
        number("last points", "scores"),
        flag("won last", lambda state, rules, seat, who: (state.won >> who) & 1),
    ),
    number("pile", "pile_left", line="pile"),
)


@kernel
def unlocated(state: State, rules: Rules, seat: Seat, unseen: Any) -> None:
    """Writes, by word, the cards whose location `seat` does not know: in the other hands and in the pile."""
    for word in range(2):
        unseen[word] = ZERO
        for holder in range(rules.seats):
            unseen[word] |= state.hand[holder, word] if holder != seat else ZERO
    for i in range(count_in_use(state)):
        card = U8(card_at(state, i))
        if card != U8(GAP):
            unseen[card >> WORD] |= single(card & IN_WORD)
