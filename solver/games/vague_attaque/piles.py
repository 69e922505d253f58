"""VAGUE & ATTAQUE: how cards move between piles, hands and discards, and who sees them."""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import ONE, TWO, U8, ZERO, count, lowest, nth, single, without_lowest
from houle.solver.cards.streams import advance, at, below, derive
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Card, Number, Rules, Seat, State, Stream
from houle.solver.games.vague_attaque.clues import drop_shuffled
from houle.solver.games.vague_attaque.state import (
    ENCOUNTERS,
    FIRST_ENCOUNTER,
    FIRST_PLACE,
    NONE,
    PLACES,
    SOUVENIRS,
)

GOLD_BASE = U8(FIRST_ENCOUNTER)

# Chance events of a turn: first the throws of a duel, then these.
TURN = U8(8)
PICK = U8(8)  # + seat: a card of each hand
SHIP_DIE, SHIP_DISCARDS, SHIP_SINKS = U8(16), U8(17), U8(18)
THEFT = U8(32)  # + earlier thefts in this turn


@kernel
def shuffle(cards: Any, n: Number, stream: Stream) -> Any:
    """Shuffles the first n cards in place; returns the stream after it."""
    i = U8(n)
    while i > ONE:
        stream = advance(stream)
        j = below(stream, i)
        i -= ONE
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
    return stream


@kernel
def draw(state: State, rules: Rules, pile: Any) -> Any:
    """Draws the top card of a pile; NONE if its discard is empty too."""
    left = U8(state.left[pile])
    if left == ZERO:
        left = _reshuffle(state, rules, pile)
        if left == ZERO:
            return U8(NONE)
    left -= ONE
    state.left[pile] = left
    return U8(state.pile[pile, left])


@outlined
def _reshuffle(state: State, rules: Rules, pile: Any) -> Any:
    """The sorted and shuffled discard becomes the pile; returns how many cards it has."""
    base = U8(FIRST_ENCOUNTER) if pile == ENCOUNTERS else ZERO
    cards = ZERO
    thrown = U8(state.thrown[pile])
    for i in range(thrown):
        cards |= single(U8(state.discard[pile, i]) - base)
    state.thrown[pile] = 0
    state.shuffles[pile] += 1
    if pile != ENCOUNTERS:
        state.public &= ~cards
        for seat in range(rules.seats):
            state.known[seat] &= ~cards
    if pile == SOUVENIRS and state.clues > 0:
        drop_shuffled(state, cards)
    i = 0
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        state.pile[pile, i] = card + base
        if pile != ENCOUNTERS:
            state.batch[card] = state.shuffles[pile]
        if pile == SOUVENIRS:
            state.barred[card] = ZERO
        i += 1
    shuffle(state.pile[pile], thrown, derive(state.chance, (U8(state.shuffles[pile]) << TWO) + U8(pile)))
    state.left[pile] = thrown
    return thrown


@kernel
def can_draw(state: State, pile: Any) -> Any:
    return U8(state.left[pile]) + U8(state.thrown[pile]) > ZERO


@kernel
def draw_to_hand(state: State, rules: Rules, seat: Seat, pile: Any) -> None:
    """Draws a souvenir or a place."""
    card = draw(state, rules, pile)
    if card != U8(NONE):
        state.hand[seat] |= single(card)


@kernel
def discard(state: State, card: Card) -> None:
    pile = SOUVENIRS if card < U8(FIRST_PLACE) else PLACES if card < GOLD_BASE else ENCOUNTERS
    n = U8(state.thrown[pile])
    state.discard[pile, n] = card
    state.thrown[pile] = n + ONE


@kernel
def take_out(state: State, seat: Seat, card: Card) -> None:
    """Takes a card of any kind out of a hand."""
    if card < GOLD_BASE:
        state.hand[seat] &= ~single(card)
    else:
        state.gold[seat] &= ~single(card - GOLD_BASE)


@kernel
def put_in(state: State, seat: Seat, card: Card) -> None:
    if card < GOLD_BASE:
        state.hand[seat] |= single(card)
    else:
        state.gold[seat] |= single(card - GOLD_BASE)


@kernel
def discard_from_hand(state: State, seat: Seat, card: Card) -> None:
    take_out(state, seat, card)
    discard(state, card)


@kernel
def spend_gold(state: State, seat: Seat, cards: Any) -> None:
    """Discards the lowest of these gold cards."""
    e = lowest(cards)
    state.gold[seat] &= ~single(e)
    discard(state, e + GOLD_BASE)


@kernel
def hand_size(state: State, seat: Seat) -> Any:
    return count(state.hand[seat]) + count(state.gold[seat])


@kernel
def nth_in_hand(state: State, seat: Seat, n: Number) -> Any:
    """The n-th card of a hand, in rising order."""
    cards = state.hand[seat]
    plain = count(cards)
    return nth(cards, n) if n < plain else GOLD_BASE + nth(state.gold[seat], n - plain)


@kernel
def random_index(state: State, n: Number, what: Number) -> Any:
    """A random number below n; `what` distinguishes the chance events of one turn."""
    return below(at(state.chance, (U8(state.turns) << TURN) + U8(what)), n)


@kernel
def random_in_hand(state: State, seat: Seat, what: Number) -> Any:
    """A random card of a hand, which must not be empty."""
    return nth_in_hand(state, seat, random_index(state, hand_size(state, seat), what))


@kernel
def hand_over(state: State, giver: Any, taker: Any, card: Card) -> None:
    """Moves a card from hand to hand; both players have seen it."""
    take_out(state, giver, card)
    put_in(state, taker, card)
    if card < GOLD_BASE:
        state.known[giver] |= single(card)
        state.known[taker] |= single(card)
