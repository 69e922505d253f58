"""VAGUE & ATTAQUE: how useful a card is to a hand, from what its player may see.

The usefulness of a souvenir depends on where it could be laid: from nowhere to third on a place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, lowest, single, without_lowest
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Card, Rules, Seat, State
from houle.solver.games.vague_attaque.piles import can_draw
from houle.solver.games.vague_attaque.seen import unseen
from houle.solver.games.vague_attaque.state import ALL_SOUVENIRS, FIRST_PLACE, SOUVENIRS

USELESS, WAITING = 4, 8  # a souvenir in hand that fits nothing; one for a place in the hand
BEGINS, SECOND, THIRD = 12, 20, 36  # the first, second or third souvenir on a place that may be loaded


@kernel
def open_spots_by_load(state: State, seat: Seat) -> Any:
    """The spots that a seat may load, by what is there: nothing, one souvenir, two."""
    empty, one, two = ZERO, ZERO, ZERO
    spots = state.open[seat]
    while spots != ZERO:
        spot = lowest(spots)
        bit = single(spot)
        lying = count(state.on[spot])
        if lying == ZERO:
            empty |= bit
        elif lying == ONE:
            one |= bit
        else:
            two |= bit
        spots = without_lowest(spots)
    return empty, one, two


@kernel
def use_of(state: State, rules: Rules, souvenir: Card, levels: Any, held: Any) -> Any:
    """How useful a souvenir is in the hand; `held`: the spots of places in the hand."""
    bears = rules.bears[souvenir]
    fits = bears & ~(state.needy & rules.shared[souvenir])
    if fits & levels[2] != ZERO:
        return THIRD
    if fits & levels[1] != ZERO:
        return SECOND
    if fits & levels[0] != ZERO:
        return BEGINS
    return WAITING if bears & held != ZERO else USELESS


@kernel
def count_matching(rules: Rules, souvenirs: Any, spot: Any) -> Any:
    """How many of these souvenirs match a place."""
    n = 0
    while souvenirs != ZERO:
        n += 1 if has(rules.bears[lowest(souvenirs)], spot) else 0
        souvenirs = without_lowest(souvenirs)
    return n


@outlined
def mean_use(state: State, rules: Rules, seat: Seat, levels: Any, held: Any) -> Any:
    """How useful a souvenir from the pile is on average; any that the seat has not located may be there."""
    if not can_draw(state, SOUVENIRS):
        return 0
    cards = ZERO
    if state.left[SOUVENIRS] > 0:
        for i in range(state.left[SOUVENIRS]):
            cards |= single(state.pile[SOUVENIRS, i])
        for other in range(rules.seats):
            cards |= unseen(state, other, seat) & ALL_SOUVENIRS
    else:
        for i in range(state.thrown[SOUVENIRS]):
            cards |= single(state.discard[SOUVENIRS, i])
    n, total, symbols = np.int64(count(cards)), 0, cards & rules.on_ship
    while cards != ZERO:
        # In the solo game a souvenir with the ship's symbol is lost when drawn.
        if not rules.solo or not has(symbols, lowest(cards)):
            total += use_of(state, rules, lowest(cards), levels, held)
        cards = without_lowest(cards)
    return total // n


@kernel
def use_on_table(state: State, rules: Rules, seat: Seat, card: Card, levels: Any, held: Any) -> Any:
    """How useful a souvenir or place in a zone would be to a seat."""
    if card < U8(FIRST_PLACE):
        return use_of(state, rules, card, levels, held)
    mates = count_matching(rules, state.hand[seat] & ALL_SOUVENIRS, card - U8(FIRST_PLACE))
    return BEGINS if mates > 0 else WAITING
