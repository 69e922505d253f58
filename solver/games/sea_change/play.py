"""SEA CHANGE: the rules of play.

For speed, playing a card reads each field once, and random facts (follow, sea change, trump or not) are computed rather
than branched on. The solo game, the stock and a fifth colour are branches on fixed knobs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, left_of, list_cards, nth, single
from houle.solver.cards.piles import next_card, open_pile
from houle.solver.cards.streams import advance, below, start_round
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Card, Moves, Number, Rules, Seat, State
from houle.solver.games.sea_change.score import score_round
from houle.solver.games.sea_change.state import (
    AI,
    COLOUR,
    IN_WORD,
    MAX_COLOURS,
    NO_COLOUR,
    NO_VALUE,
    PLAYER,
    VALUE,
    WORD,
)
from houle.solver.rules import Setup


@kernel
def deal(state: State, rules: Rules) -> None:
    for side in range(rules.sides):
        state.vp[side] = state.scores[side] = 0
    state.moves = state.turns = state.rounds = state.all_changes = 0
    state.won = state.ended = 0
    _deal_round(state, rules, 0)


@outlined
def _deal_round(state: State, rules: Rules, starter: Any) -> None:
    """Deals hands card by card around the table; the rest stays in the pile.

    The first seat always gets the first card, so a round's hands do not depend on how the last round ended.
    """
    start_round(state, state.rounds)
    open_pile(state, rules.pile)
    for holder in range(rules.seats):
        state.hand[holder, 0] = state.hand[holder, 1] = ZERO
        state.void[holder] = 0
        if rules.stock:
            for colour in range(MAX_COLOURS):
                state.barred[holder, colour] = 0
    for side in range(rules.sides):
        state.captured[side, 0] = state.captured[side, 1] = ZERO
        state.points[side] = 0
    printed = not state.gaps | state.added
    stream, left = state.deal, U8(state.pile_left)
    for _ in range(rules.hand):
        for seat in range(U8(rules.seats)):
            if printed:  # the same as next_card, with the numbers in registers
                stream = advance(stream)
                i = below(stream, left)
                left -= ONE
                card = U8(state.pile[i])
                state.pile[i] = state.pile[left]
            else:
                card = U8(next_card(state))
            state.hand[seat, card >> WORD] |= single(card & IN_WORD)
    if printed:
        state.deal = stream
        state.pile_left = left
    state.starter = starter
    state.changes = 0
    state.trump = NO_COLOUR
    state.tricks_left = rules.tricks
    _begin_trick(state, rules, starter)


@kernel
def _begin_trick(state: State, rules: Rules, leader: Any) -> None:
    state.leader = leader
    state.laid = 0
    state.led = NO_COLOUR
    state.value = NO_VALUE
    state.mover = leader
    if rules.solo:
        state.leader = AI
        state.mover = PLAYER
        if state.tricks_left > 0:
            _lay(state, U8(next_card(state)))


@kernel
def _lay(state: State, card: Card) -> Any:
    """Adds a card to the trick, with a sea change if it has the value of the card before; True if it shows a void."""
    colour, value = card >> COLOUR, card & VALUE
    laid = U8(state.laid)
    led = colour if laid == ZERO else U8(state.led)
    trump = U8(state.trump)
    changes = value == U8(state.value)
    state.trick[laid] = card
    state.laid = laid + ONE
    state.led = led
    state.value = value
    state.trump = colour if changes or trump == U8(NO_COLOUR) else trump
    state.changes += U8(changes)
    return colour != led and not changes


@kernel
def playable(state: State, rules: Rules, word: Any) -> Any:
    """The cards of one word that may be played: the led colour and the value just played, or all if none follows."""
    seat = U8(state.mover)
    led, value = U8(state.led), U8(state.value)
    follows = state.hand[seat, 0] & rules.of_colour[led, 0]
    if rules.wide:
        follows |= state.hand[seat, 1] & rules.of_colour[led, 1]
    cards = state.hand[seat, word]
    return cards & (rules.of_colour[led, word] | rules.of_value[value, word]) if follows != ZERO else cards


@kernel
def legal(state: State, rules: Rules, moves: Moves) -> Number:
    if state.mover < 0:
        return 0
    n = 0
    for word in range(2 if rules.wide else 1):
        n = list_cards(playable(state, rules, word), word << 6, moves, n)
    return n


@kernel
def random_move(state: State, rules: Rules) -> Action:
    stream = advance(state.choice)
    state.choice = stream
    cards = playable(state, rules, 0)
    number = count(cards)
    if rules.wide:
        more = playable(state, rules, 1)
        i = below(stream, number + count(more))
        return np.int64(nth(cards, i)) if i < number else np.int64(64) + np.int64(nth(more, i - number))
    return np.int64(nth(cards, below(stream, number)))


@kernel
def apply(state: State, rules: Rules, action: Action) -> None:
    card = U8(action)
    seat = U8(state.mover)
    led = U8(state.led)
    state.ended = 0
    state.hand[seat, card >> WORD] &= ~single(card & IN_WORD)
    void = U8(_lay(state, card)) << led
    if rules.stock:
        _bar(state, rules, seat, card, led, void != ZERO)
        if state.pile_left > 0:
            drawn = U8(next_card(state))
            state.hand[seat, drawn >> WORD] |= single(drawn & IN_WORD)
            state.void[seat] = 0
            void = ZERO
    state.void[seat] |= void
    if rules.solo:
        _lay(state, U8(next_card(state)))
    if state.laid == rules.in_trick:
        _finish_trick(state, rules)
    else:
        state.mover = left_of(rules, seat)


@kernel
def _bar(state: State, rules: Rules, seat: Seat, card: Card, led: Any, void: Any) -> None:
    """Notes what a hand that draws is known not to hold.

    Order a hand by when its cards came. The first `barred` of them came before their owner last failed to follow a
    colour, so they are not of that colour. The card played now counts as the oldest it may have been, because that
    leaves the widest choice to the other cards.
    """
    place = state.barred[seat, card >> COLOUR]
    for colour in range(rules.colours):
        if state.barred[seat, colour] > place:
            state.barred[seat, colour] -= 1
    if void:
        state.barred[seat, led] = count(state.hand[seat, 0]) + count(state.hand[seat, 1])


@kernel
def _finish_trick(state: State, rules: Rules) -> None:
    """The highest trump takes the trick, else the highest card of the led colour; the winner leads."""
    led, trump = U8(state.led), U8(state.trump)
    low, high = ZERO, ZERO
    best = ZERO
    points = 0
    in_trick = U8(rules.in_trick)
    for i in range(in_trick):
        card = U8(state.trick[i])
        colour, value = card >> COLOUR, card & VALUE
        strength = value | U8(colour == led) << U8(4) | U8(colour == trump) << U8(5)
        best = max(best, strength << COLOUR | U8(i))
        points += rules.points[value]
        if rules.wide:
            red = U8(colour == U8(4))
            high |= red << value
            low |= (ONE - red) << (card & IN_WORD)
        else:
            low |= single(card)
    winner = best & VALUE
    if rules.solo:
        side = U8(PLAYER) if winner == ONE else U8(AI)
        seat = U8(PLAYER)
    else:
        seat = U8(state.leader) + winner
        seat = seat - in_trick if seat >= in_trick else seat
        side = U8(rules.side[seat])
    state.captured[side, 0] |= low
    if rules.wide:
        state.captured[side, 1] |= high
    state.points[side] += points
    state.moves += in_trick
    state.turns += 1
    state.tricks_left -= 1
    _begin_trick(state, rules, seat)
    if state.tricks_left == 0:
        state.mover = -1
        _finish_round(state, rules)


@outlined
def _finish_round(state: State, rules: Rules) -> None:
    """Scores a round and deals the next one, unless the game is over."""
    over = score_round(state, rules)
    state.ended = 1
    state.rounds += 1
    state.all_changes += state.changes
    if not over:
        _deal_round(state, rules, left_of(rules, U8(state.starter)))


def action_kinds(setup: Setup, seat: int) -> list[int]:
    """Every card of the deck."""
    rules = setup.rules[0]
    return [int(card) for card in rules.deck[: int(rules.deck_size)]]
