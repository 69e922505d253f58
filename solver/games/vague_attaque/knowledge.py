"""VAGUE & ATTAQUE: who knows what, and what is seen of an action.

Zones, discards and hand sizes are open, and everyone remembers. The backs of the cards are visible too: everyone sees
from which pile a card is drawn, and which card of a hand goes to another hand, but not its face. So everyone knows of a
card in a hand its pile and its batch (the shuffle since which it had been in the pile). A card that was seen stays
known wherever it goes. Everyone has seen gold encounters (shown when drawn), cards taken by the hook and cards won in a
duel; the two players have seen a card that went from hand to hand. So unseen cards are exchangeable within a batch.

In teams, more is visible: what the partner is asked for shows whether a souvenir in the hand fits (`clues`).
"""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import ONE, U8, ZERO, has, single
from houle.solver.cards.streams import derive
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Card, Label, Rules, Seat, State
from houle.solver.games.vague_attaque.clues import clues_about
from houle.solver.games.vague_attaque.state import (
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    SHIP,
    SPOT,
    SPOTS,
    SPYGLASS,
    V_DISCARD,
    V_DROP,
    V_DUEL,
    V_EXTRA,
    V_GIVE,
    V_KEEP,
    V_LAY,
    V_LOSE,
    V_PLACE,
    V_RETAIN,
    V_SWAP,
    VERB,
)


@kernel
def unseen(state: State, holder: Seat, seat: Seat) -> Any:
    """The souvenirs and places in the holder's hand whose faces `seat` does not know."""
    return ZERO if holder == seat else state.hand[holder] & ~(state.public | state.known[seat])


@kernel
def in_hands(state: State, rules: Rules, seat: Seat) -> Any:
    """The same in all hands."""
    cards = ZERO
    for holder in range(rules.seats):
        cards |= unseen(state, holder, seat)
    return cards


@kernel
def under_glass(state: State, seat: Seat) -> Any:
    """Whether someone else is looking at two souvenirs through the spyglass."""
    return state.phase == SPYGLASS and state.mover != seat


@kernel
def knowers(state: State, rules: Rules, card: Card) -> Any:
    """The seats that saw this card go from hand to hand, as a set."""
    seats = ZERO
    for seat in range(rules.seats):
        if has(state.known[seat], card):
            seats |= single(seat)
    return seats


@kernel
def mark(state: State, rules: Rules, card: Card) -> Any:
    """What the back of a card shows: pile, batch, who has seen it, what it cannot be, which clues are about it."""
    souvenir = card < U8(FIRST_PLACE)
    shown = derive(U8(state.batch[card]), ONE if souvenir else ZERO)
    shown = derive(shown, knowers(state, rules, card))
    if not souvenir:
        return shown
    shown = derive(shown, state.barred[card])
    return derive(shown, clues_about(state, card)) if state.clues > 0 else shown


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """What `seat` sees of an action before it is taken: all of it, except cards kept or given out of its sight."""
    verb = action >> VERB
    card = U8(action & 127)
    if state.mover == seat:
        return U8(action)
    if verb == V_KEEP:
        other = state.drawn[1] if U8(state.drawn[0]) == card else state.drawn[0]
        return U8(V_KEEP << VERB) + U8(other)
    elsewhere = seat != (state.mover + 1) % rules.seats
    if verb == V_GIVE and elsewhere and card < U8(FIRST_ENCOUNTER) and has(unseen(state, state.mover, seat), card):
        # A spot that no action has, and the back of the card.
        return U8(V_GIVE << VERB) + U8(SPOTS << SPOT) + (mark(state, rules, card) << U8(VERB + 8))
    return U8(action)


@kernel
def kind(state: State, rules: Rules, action: Action) -> Label:
    """Equal for cards of the hand that do the same, and for a souvenir on either of two empty copies of a place."""
    verb = action >> VERB
    card = U8(action & 127)
    spot = U8((action >> SPOT) & 31)
    if verb == V_DUEL and card >= U8(FIRST_PLACE):
        return U8(V_DUEL << VERB) + U8(FIRST_PLACE) + _first_bare(state, card - U8(FIRST_PLACE))
    if verb in (V_LAY, V_EXTRA):
        return U8(verb << VERB) + (_first_bare(state, spot) << U8(SPOT)) + U8(rules.twin[card])
    if _about_hand(verb):
        return U8(verb << VERB) + U8(rules.twin[card])
    return U8(action)


@kernel
def _about_hand(verb: Any) -> Any:
    """Verbs about a card of the player's own hand."""
    return verb in (V_SWAP, V_PLACE, V_DISCARD, V_LOSE, V_DROP, V_KEEP, V_GIVE, V_RETAIN)


@kernel
def _first_bare(state: State, spot: Any) -> Any:
    """The lower of two copies of a place in one zone if both are empty, else the spot itself."""
    if spot == U8(SHIP):
        return spot
    other = spot ^ ONE
    same = state.owner[other] == state.owner[spot] and state.on[other] | state.on[spot] == ZERO
    return min(spot, other) if same else spot
