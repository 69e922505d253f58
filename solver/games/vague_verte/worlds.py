"""VAGUE VERTE: worlds drawn at random from what a seat cannot see."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.bitset import ONE, U8, ZERO, count, has, lowest, nth, single, without_lowest
from houle.solver.games.vague_verte.board import RING
from houle.solver.games.vague_verte.knowledge import unlocated
from houle.solver.games.vague_verte.state import DRAW, MAX_CARDS, NONE
from houle.solver.kernels import kernel, outlined
from houle.solver.local_arrays import local_empty, local_zeros
from houle.solver.streams import advance, below, derive, start_world
from houle.solver.types import Flag, Key, Rules, Seat, State

MAX_TRIES = 10_000


@kernel
def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
    """A world that `seat` cannot tell from the real one, uniform among all of them.

    Every hidden place of a hand takes one of its candidates, the places with few candidates first. A place is
    offered as many numbers as it could have candidates left at most; a number beyond those it really has
    starts all over again, which makes every consistent world equally likely.
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


@outlined
def recall(past: State, rules: Rules, seat: Seat, now: State, world: State) -> Flag:
    """The state before an earlier decision, had the imagined world been the real one.

    Who draws from the stock mixes what nobody saw with the hand, so what it held can be said only since: what somebody
    laid in the last turn tells something, and that the face-up card was taken before it, if it is still held. What the
    others held then is dealt out anew: who decided did not know it.
    """
    holder = np.int64(past.seat)
    if holder == seat or past.reshuffles != now.reshuffles or now.turns >= past.turns + rules.seats:
        return False
    top = past.faceup[(U8(past.bottom) + U8(past.faceup_left) - ONE) & RING]
    if past.stage == DRAW and not has(now.shown[holder], top):
        return False
    hidden = unlocated(past, rules, seat)
    then, since = _that_changed(past, now, hidden, unlocated(now, rules, seat))
    hand = past.hand[holder] & ~past.shown[holder]
    kept = _as_then(past, rules, now, now.hand[holder] & ~now.shown[holder], then, since)
    cards = _as_then(past, rules, now, world.hand[holder] & ~world.shown[holder], then, since)
    if count(hand) > count(kept):
        laid = lowest(hand & ~kept)
        cards |= single(lowest(_of_age(past, then & rules.same[laid] & ~cards, past.last_seen[laid])))
    if past.drawn != NONE and has(hand, past.drawn):
        past.drawn = lowest(cards)  # any of them: no rule of thumb asks which it was
    _deal_then(past, rules, seat, holder, cards, hidden & ~cards)
    return kept != ZERO


@kernel
def _that_changed(past: State, now: State, hidden: Any, hidden_now: Any) -> Any:
    """The cards hidden then that are not hidden any more, and those hidden now that were not.

    A card that was seen in between and is hidden again counts as both: now it stands for another of its face.
    """
    both = hidden & hidden_now
    then, since = hidden & ~both, hidden_now & ~both
    while both != ZERO:
        card = lowest(both)
        both = without_lowest(both)
        if past.last_seen[card] != now.last_seen[card]:
            then |= single(card)
            since |= single(card)
    return then, since


@kernel
def _as_then(past: State, rules: Rules, now: State, cards: Any, then: Any, since: Any) -> Any:
    """Hidden cards of today by the numbers that they had.

    Who lays a card while an equal one is known to be in the hand is taken to lay the known one. The card that stays is
    hidden from then on (`_leave_hand` in play.py): it has the place of one with the same face before.
    """
    found = cards & ~since
    while since != ZERO:
        card = lowest(since)
        since = without_lowest(since)
        before = lowest(_of_age(past, then & rules.same[card], now.last_seen[card]))
        then &= ~single(before)
        if has(cards, card):
            found |= single(before)
    return found


@kernel
def _deal_then(past: State, rules: Rules, seat: Seat, holder: Seat, cards: Any, rest: Any) -> None:
    """Gives these cards to who decided, and of the rest to the others and the stock, with what was known of places."""
    owners = local_zeros(MAX_CARDS, np.uint8)
    ages = local_zeros(MAX_CARDS, np.uint16)
    ruled_out = local_zeros(MAX_CARDS, np.uint64)
    number = 0
    for owner in range(rules.seats):
        places = past.hand[owner] & ~past.shown[owner] if owner != seat else ZERO
        past.hand[owner] &= ~places
        while places != ZERO:
            owners[number] = owner
            ages[number] = past.last_seen[lowest(places)]
            ruled_out[number] = past.not_in[lowest(places)]
            places = without_lowest(places)
            number += 1
    for i in range(number):
        card = lowest(_of_age(past, cards if owners[i] == holder else rest, ages[i]))
        past.hand[owners[i]] |= single(card)
        past.not_in[card] = ruled_out[i]
        cards &= ~single(card)
        rest &= ~single(card)
    _fill_stock(past, rest)


@kernel
def _list_places(state: State, rules: Rules, seat: Seat, hidden: Any, places: Any, candidates: Any, ranks: Any) -> Any:
    """The hidden places of hands (named by the card that is there) and their candidates, fewest first.

    Places of equal rank are the same to `seat`, so the order does not depend on what it cannot see.
    """
    number = 0
    while hidden != ZERO:
        age = _same_age(state, hidden)
        hidden &= ~age
        for holder in range(rules.seats):
            cards = state.hand[holder] & ~state.shown[holder] & age if holder != seat else ZERO
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
    """Puts the chosen cards into their places, with what is known of the places; the rest is the stock."""
    becomes = local_zeros(MAX_CARDS, np.uint8)
    ruled_out = local_empty(MAX_CARDS, np.uint64)
    for i in range(number):
        ruled_out[i] = state.not_in[places[i]]
    for i in range(number):
        becomes[places[i]] = chosen[i]
        state.not_in[chosen[i]] = ruled_out[i]
    for holder in range(rules.seats):
        if holder == seat:
            continue
        cards = state.hand[holder] & ~state.shown[holder]
        hand = state.hand[holder] & state.shown[holder]
        if holder == state.seat and state.drawn != NONE and has(cards, state.drawn):
            state.drawn = becomes[state.drawn]
        while cards != ZERO:
            hand |= single(becomes[lowest(cards)])
            cards = without_lowest(cards)
        state.hand[holder] = hand
    _fill_stock(state, rest)


@kernel
def _fill_stock(state: State, rest: Any) -> None:
    state.gaps = state.added = 0
    for i in range(state.pile_left):
        state.pile[i] = lowest(rest)
        state.not_in[lowest(rest)] = ZERO
        rest = without_lowest(rest)


@kernel
def _same_age(state: State, cards: Any) -> Any:
    """Those of the cards that were last seen when the lowest of them was."""
    return _of_age(state, cards, state.last_seen[lowest(cards)])


@kernel
def _of_age(state: State, cards: Any, age: Any) -> Any:
    """Those of the cards that were last seen at this reshuffle."""
    found = ZERO
    while cards != ZERO:
        if state.last_seen[lowest(cards)] == age:
            found |= single(lowest(cards))
        cards = without_lowest(cards)
    return found
