"""VAGUE VERTE: samples random worlds from what a seat cannot see."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, lowest, nth, single, without_lowest
from houle.solver.cards.streams import advance, below, derive, start_world
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.local_arrays import local_empty, local_zeros
from houle.solver.compiler.types import Flag, Key, Rules, Seat, State
from houle.solver.games.vague_verte.seen import hidden_in_hand, unlocated
from houle.solver.games.vague_verte.state import MAX_CARDS, NONE

MAX_TRIES = 10_000


@kernel
def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
    """Samples uniformly a world that `seat` cannot tell from the real one.

    Every hidden place of a hand takes one of its candidates; places with few candidates come first. A place draws among
    as many numbers as it could have candidates left at most. A number beyond those it really has starts all over again,
    which makes every consistent world equally likely.
    """
    start_world(state, key)
    stream = derive(key, U8(9))
    places = local_zeros(MAX_CARDS, np.uint8)
    candidates = local_zeros(MAX_CARDS, np.uint64)
    offered = local_zeros(MAX_CARDS, np.uint64)
    chosen = local_zeros(MAX_CARDS, np.uint8)
    hidden = unlocated(state, rules, seat)
    number = _list_places(state, rules, seat, hidden, places, candidates, offered)
    for i in range(number):
        offered[i] = count(candidates[i])
        for earlier in range(i):
            if candidates[earlier] & ~candidates[i] == ZERO:
                offered[i] -= ONE
    for _ in range(MAX_TRIES):
        taken, exact = ZERO, True
        for i in range(number):
            stream = advance(stream)
            free = candidates[i] & ~taken
            n = below(stream, offered[i])
            if n >= count(free):
                exact = False
                break
            chosen[i] = nth(free, n)
            taken |= single(chosen[i])
        if exact:
            _rearrange(state, rules, seat, hidden & ~taken, number, places, chosen)
            return True
    return False


@kernel
def _list_places(state: State, rules: Rules, seat: Seat, hidden: Any, places: Any, candidates: Any, ranks: Any) -> Any:
    """Lists the hidden places of hands (named by the card that is there) and their candidates, fewest first.

    Places of equal rank are the same to `seat`, so the order does not depend on what it cannot see.
    """
    number = 0
    while hidden != ZERO:
        age = _same_age(state, hidden)
        hidden &= ~age
        for holder in range(rules.seats):
            cards = hidden_in_hand(state, holder, seat) & age
            while cards != ZERO:
                card = lowest(cards)
                cards = without_lowest(cards)
                may = age & ~state.not_in[card]
                rank = derive(
                    derive(derive(U8(holder), state.last_seen[card]), state.not_in[card]), card == state.drawn
                )
                rank = count(may) << U8(56) | rank >> U8(8)
                i = number
                while i > 0 and ranks[i - 1] > rank:
                    places[i], candidates[i], ranks[i] = places[i - 1], candidates[i - 1], ranks[i - 1]
                    i -= 1
                places[i], candidates[i], ranks[i] = card, may, rank
                number += 1
    return number


@kernel
def _rearrange(state: State, rules: Rules, seat: Seat, rest: Any, number: Any, places: Any, chosen: Any) -> None:
    """Puts the chosen cards into their places with what is known of the places; the rest becomes the stock."""
    becomes = local_zeros(MAX_CARDS, np.uint8)
    ruled_out = local_empty(MAX_CARDS, np.uint64)
    for i in range(number):
        ruled_out[i] = state.not_in[places[i]]
    for i in range(number):
        becomes[places[i]] = chosen[i]
        state.not_in[chosen[i]] = ruled_out[i]
    for holder in range(rules.seats):
        cards = hidden_in_hand(state, holder, seat)
        hand = state.hand[holder] & ~cards
        if holder == state.seat and state.drawn != NONE and has(cards, state.drawn):
            state.drawn = becomes[state.drawn]
        while cards != ZERO:
            hand |= single(becomes[lowest(cards)])
            cards = without_lowest(cards)
        state.hand[holder] = hand
    state.gaps = state.added = 0
    for i in range(state.pile_left):
        state.pile[i] = lowest(rest)
        state.not_in[lowest(rest)] = ZERO
        rest = without_lowest(rest)


@kernel
def _same_age(state: State, cards: Any) -> Any:
    """Those of the cards that were last seen at the same reshuffle as the lowest of them."""
    age, same = state.last_seen[lowest(cards)], ZERO
    while cards != ZERO:
        if state.last_seen[lowest(cards)] == age:
            same |= single(lowest(cards))
        cards = without_lowest(cards)
    return same
