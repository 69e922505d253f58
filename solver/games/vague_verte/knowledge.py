"""VAGUE VERTE: who knows what, and worlds drawn at random from what a seat cannot see.

A seat knows its hand, the board, the face-up pile in order, and the cards that others took from that pile and
still hold. It remembers, too: a reshuffled stock is made of cards all have seen, so a card seen last at one
reshuffle cannot be in the place of one seen last at another (or never). With forced_play, who lays a card on
the pile shows that no card of that hand could be played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.bitset import ONE, U8, ZERO, count, has, lowest, nth, single, without_lowest
from houle.solver.games.vague_verte.board import RING
from houle.solver.games.vague_verte.state import DRAW_STOCK, MAX_CARDS, NONE
from houle.solver.kernels import kernel
from houle.solver.streams import advance, below, derive, start_world

MAX_TRIES = 10_000


@kernel
def _stock(state: Any) -> Any:
    cards = ZERO
    for i in range(state.pile_left):
        cards |= single(state.pile[i])
    return cards


@kernel
def _hidden_in_hands(state: Any, rules: Any, seat: Any) -> Any:
    """Every card in another hand that `seat` has not seen taken."""
    cards = ZERO
    for holder in range(rules.seats):
        if holder != seat:
            cards |= state.hand[holder] & ~state.shown[holder]
    return cards


@kernel
def unlocated(state: Any, rules: Any, seat: Any) -> Any:
    """Every card of which `seat` cannot tell where it is."""
    return _hidden_in_hands(state, rules, seat) | _stock(state)


@kernel
def _same_age(state: Any, cards: Any) -> Any:
    """Those of the cards that were last seen when the lowest of them was."""
    age = state.last_seen[lowest(cards)]
    found = ZERO
    while cards != ZERO:
        if state.last_seen[lowest(cards)] == age:
            found |= single(lowest(cards))
        cards = without_lowest(cards)
    return found


@kernel
def determinize(state: Any, rules: Any, seat: Any, key: Any) -> Any:
    """A world that `seat` cannot tell from the real one, uniform among all of them.

    Every hidden place of a hand takes one of its candidates, the places with few candidates first. A place is
    offered as many numbers as it could have candidates left at most; a number beyond those it really has
    starts all over again, which makes every consistent world equally likely.
    """
    start_world(state, key)
    stream = derive(key, U8(9))
    places = np.zeros(MAX_CARDS, np.uint8)
    candidates = np.zeros(MAX_CARDS, np.uint64)
    offered = np.zeros(MAX_CARDS, np.uint64)
    chosen = np.zeros(MAX_CARDS, np.uint8)
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
def _list_places(state: Any, rules: Any, seat: Any, hidden: Any, places: Any, candidates: Any, ranks: Any) -> Any:
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
def _rearrange(state: Any, rules: Any, seat: Any, rest: Any, number: Any, places: Any, chosen: Any) -> None:
    """Puts the chosen cards into their places, with what is known of the places; the rest is the stock."""
    becomes = np.zeros(MAX_CARDS, np.uint8)
    ruled_out = state.not_in.copy()
    for i in range(number):
        becomes[places[i]] = chosen[i]
        state.not_in[chosen[i]] = ruled_out[places[i]]
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
    for i in range(state.pile_left):
        state.pile[i] = lowest(rest)
        state.not_in[lowest(rest)] = ZERO
        rest = without_lowest(rest)


@kernel
def _faces(rules: Any, cards: Any) -> Any:
    """A mix of the faces of some cards, whatever their order and whichever of equal cards they are."""
    total = ZERO
    while cards != ZERO:
        total += derive(U8(MAX_CARDS), rules.face[lowest(cards)])
        cards = without_lowest(cards)
    return total


@kernel
def knows(state: Any, rules: Any, seat: Any) -> Any:
    """All that `seat` knows, mixed into 64 bits: equal in every world it cannot tell apart."""
    key = derive(U8(state.turns) | U8(state.reshuffles) << U8(16), U8(state.seat) | U8(state.stage) << U8(8))
    key = derive(key, U8(state.pile_left) | U8(state.winner) << U8(8) | U8(state.mover < 0) << U8(16))
    key = derive(key, U8(state.plays) | U8(state.discards) << U8(16))
    key = derive(key, state.targets)
    for i in range(state.faceup_left):
        key = derive(key, rules.face[state.faceup[(U8(state.bottom) + U8(i)) & RING]])
    for holder in range(rules.seats):
        key = derive(key, U8(state.missed[holder]) | U8(state.filled[holder]) << U8(8))
        key = _road(state, rules, holder, key)
        hand = state.hand[holder]
        key = derive(key, count(hand))
        key = derive(key, _faces(rules, hand if holder == seat else hand & state.shown[holder]))
    if state.drawn != NONE:
        own = state.seat == seat or has(state.shown[state.seat], state.drawn)
        key = derive(key, rules.face[state.drawn] if own else U8(NONE))
    return derive(key, _memory(state, rules, seat))


@kernel
def _road(state: Any, rules: Any, owner: Any, key: Any) -> Any:
    """A road from its first square: faces, and which of the breakdowns are covered."""
    filled = state.filled[owner]
    for square in range(filled):
        key = derive(key, rules.face[state.road[owner, square]])
    return derive(key, state.last[owner] != NONE and has(rules.tows, state.last[owner]))


@kernel
def _memory(state: Any, rules: Any, seat: Any) -> Any:
    """When the hidden cards were seen last, how many of which age a hand holds, what they cannot be."""
    total = ZERO
    hidden = unlocated(state, rules, seat)
    while hidden != ZERO:
        card = lowest(hidden)
        total += derive(derive(ONE, rules.face[card]), state.last_seen[card])
        hidden = without_lowest(hidden)
    for holder in range(rules.seats):
        cards = state.hand[holder] & ~state.shown[holder] if holder != seat else ZERO
        while cards != ZERO:
            card = lowest(cards)
            total += derive(derive(U8(holder) + U8(2), state.last_seen[card]), state.not_in[card])
            cards = without_lowest(cards)
    return total


@kernel
def observed(state: Any, rules: Any, action: Any, seat: Any) -> Any:
    """What `seat` sees of an action: where a card is taken or laid, and the face of a card laid."""
    return kind(state, rules, action)


@kernel
def kind(state: Any, rules: Any, action: Any) -> Any:
    """Equal cards on the same target are the same action."""
    code = U8(action)
    return code if action >= DRAW_STOCK else code & ~RING | U8(rules.face[code & RING])
