"""VAGUE VERTE: who knows what.

A seat knows its hand, the board, the face-up pile in order, and the cards that others took from that pile and still
hold. It also remembers. A reshuffled stock consists of cards everyone has seen, so a card last seen at one reshuffle
cannot be in the place of a card last seen at another (or never). With forced_play, a player who lays a card on the pile
shows that no card of the hand could be played.
"""

from __future__ import annotations

from typing import Any

from houle.solver.compiler.bits import ONE, U8, ZERO, count, has, lowest, single, without_lowest
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.piles import GAP, card_at, count_in_use
from houle.solver.compiler.streams import derive
from houle.solver.compiler.types import Action, Key, Label, Rules, Seat, State
from houle.solver.games.vague_verte.board import RING
from houle.solver.games.vague_verte.state import DRAW_STOCK, MAX_CARDS, NONE


@kernel
def _stock(state: State) -> Any:
    cards = ZERO
    for i in range(count_in_use(state)):
        card = card_at(state, i)
        cards |= single(card) if card != GAP else ZERO
    return cards


@kernel
def _hidden_in_hands(state: State, rules: Rules, seat: Seat) -> Any:
    """Every card in another hand that `seat` has not seen taken."""
    cards = ZERO
    for holder in range(rules.seats):
        if holder != seat:
            cards |= state.hand[holder] & ~state.shown[holder]
    return cards


@kernel
def unlocated(state: State, rules: Rules, seat: Seat) -> Any:
    """Every card whose location `seat` does not know."""
    return _hidden_in_hands(state, rules, seat) | _stock(state)


@kernel
def _faces(rules: Rules, cards: Any) -> Any:
    """A mix of the faces of some cards, regardless of their order and of which of equal cards they are."""
    total = ZERO
    while cards != ZERO:
        total += derive(U8(MAX_CARDS), rules.face[lowest(cards)])
        cards = without_lowest(cards)
    return total


@kernel
def knows(state: State, rules: Rules, seat: Seat) -> Label:
    """A 64-bit mix of all that `seat` knows: equal in every world it cannot tell apart."""
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
def _road(state: State, rules: Rules, owner: Any, key: Key) -> Any:
    """A mix of a road from its first square: the faces, and which breakdowns are covered."""
    filled = state.filled[owner]
    for square in range(filled):
        key = derive(key, rules.face[state.road[owner, square]])
    return derive(key, state.last[owner] != NONE and has(rules.tows, state.last[owner]))


@kernel
def _memory(state: State, rules: Rules, seat: Seat) -> Any:
    """A mix of when hidden cards were last seen, how many of each age a hand holds, and what they cannot be."""
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
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """What `seat` sees of an action: where a card is taken or laid, and the face of a card that is laid."""
    return kind(state, rules, action)


@kernel
def kind(state: State, rules: Rules, action: Action) -> Label:
    """Equal cards on the same target are the same action."""
    code = U8(action)
    return code if action >= DRAW_STOCK else code & ~RING | U8(rules.face[code & RING])
