"""SEA CHANGE: the rules of play.

Fast where it matters: a card played reads each field once, and what is random (follow, sea change, trump or
not) is computed rather than branched on. Solo game, stock and a fifth colour are branches on fixed knobs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.bitset import ONE, U8, ZERO, count, has, lowest, nth, single, without_lowest
from houle.solver.games.sea_change.state import AI, MAX_COLOURS, NO_COLOUR, NO_VALUE, PLAYER, SOLO_DUTY
from houle.solver.kernels import kernel, outlined
from houle.solver.piles import next_card
from houle.solver.streams import advance, below, start_round

WORD = U8(6)  # card >> WORD: the word of a set that holds it
IN_WORD = U8(63)
COLOUR = U8(4)  # card >> COLOUR: its colour
VALUE = U8(15)
WIN = 840
LOWEST = np.int64(-1_000_000)  # below every score
CLOSE = 6.0  # a lead of so many points is half of the most a lead can be worth
PER_POINT = 3.0  # a victory point makes the odds to win the game so many times as good


@kernel
def deal(state: Any, rules: Any) -> None:
    for side in range(rules.sides):
        state.vp[side] = state.scores[side] = 0
    state.moves = state.turns = state.rounds = state.all_changes = 0
    state.won = state.ended = 0
    _deal_round(state, rules, 0)


@outlined
def _deal_round(state: Any, rules: Any, starter: Any) -> None:
    """Hands card by card around the table, from the seat that will lead; the rest stays in the pile."""
    start_round(state, state.rounds)
    for i in range(rules.deck_size):
        state.pile[i] = rules.deck[i]
    for holder in range(rules.seats):
        state.hand[holder, 0] = state.hand[holder, 1] = ZERO
        state.void[holder] = 0
        if rules.stock:
            for colour in range(MAX_COLOURS):
                state.barred[holder, colour] = 0
    for side in range(rules.sides):
        state.captured[side, 0] = state.captured[side, 1] = ZERO
        state.points[side] = 0
    stream, left = state.deal, U8(rules.deck_size)
    seats = U8(rules.seats)
    seat = U8(starter)
    for _ in range(rules.hand * rules.seats):
        stream = advance(stream)
        i = below(stream, left)
        left -= ONE
        card = U8(state.pile[i])
        state.pile[i] = state.pile[left]
        state.hand[seat, card >> WORD] |= single(card & IN_WORD)
        seat += ONE
        seat = ZERO if seat == seats else seat
    state.deal = stream
    state.pile_left = left
    state.starter = starter
    state.changes = 0
    state.trump = NO_COLOUR
    state.tricks_left = rules.tricks
    _begin_trick(state, rules, starter)


@kernel
def _begin_trick(state: Any, rules: Any, leader: Any) -> None:
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
def _lay(state: Any, card: Any) -> Any:
    """Puts a card into the trick, a sea change if the card before has its value; True if it shows a void."""
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
def to_move(state: Any) -> Any:
    return state.mover


@kernel
def playable(state: Any, rules: Any, word: Any) -> Any:
    """The cards, in one word, that may be played: the led colour and the value just played, else all."""
    seat = U8(state.mover)
    led, value = U8(state.led), U8(state.value)
    follows = state.hand[seat, 0] & rules.of_colour[led, 0]
    if rules.wide:
        follows |= state.hand[seat, 1] & rules.of_colour[led, 1]
    cards = state.hand[seat, word]
    return cards & (rules.of_colour[led, word] | rules.of_value[value, word]) if follows != ZERO else cards


@kernel
def legal(state: Any, rules: Any, moves: Any) -> Any:
    if state.mover < 0:
        return 0
    n = 0
    for word in range(2 if rules.wide else 1):
        cards = playable(state, rules, word)
        while cards != ZERO:
            moves[n] = (word << 6) + np.int64(lowest(cards))
            cards = without_lowest(cards)
            n += 1
    return n


@kernel
def random_move(state: Any, rules: Any) -> Any:
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
def apply(state: Any, rules: Any, action: Any) -> None:
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
        seat += ONE
        state.mover = ZERO if seat == U8(rules.seats) else seat


@kernel
def _bar(state: Any, rules: Any, seat: Any, card: Any, led: Any, void: Any) -> None:
    """Keeps what a hand that draws is known not to hold.

    Order a hand by when its cards came: the first `barred` of them came before their owner last could not
    follow a colour, so they are not of it. The card now played counts as the oldest that it may have been: of
    all the places it may have had, that leaves the widest choice to the cards that stay.
    """
    place = state.barred[seat, card >> COLOUR]
    for colour in range(rules.colours):
        if state.barred[seat, colour] > place:
            state.barred[seat, colour] -= 1
    if void:
        state.barred[seat, led] = count(state.hand[seat, 0]) + count(state.hand[seat, 1])


@kernel
def _finish_trick(state: Any, rules: Any) -> None:
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


@kernel
def _has_trump_zero(state: Any, side: Any) -> Any:
    card = U8(state.trump) << COLOUR
    return has(state.captured[side, card >> WORD], card & IN_WORD)


@kernel
def _captured_of(state: Any, rules: Any, side: Any, value: Any) -> Any:
    """How many cards of a value a side captured in this round."""
    low = state.captured[side, 0] & rules.of_value[value, 0]
    return count(low) + count(state.captured[side, 1] & rules.of_value[value, 1])


@outlined
def _finish_round(state: Any, rules: Any) -> None:
    """Settles the zeros, gives the best sides a victory point, deals the next round unless that ends it."""
    best = LOWEST
    for side in range(rules.sides):
        score = np.int64(state.points[side])
        if rules.zero != 0:
            score += np.int64(rules.zero) * np.int64(_captured_of(state, rules, side, 0))
        if _has_trump_zero(state, side):
            score += np.int64(rules.trump_zero) - np.int64(rules.zero)
        state.scores[side] = score
        best = max(best, score)
    won = np.int64(0)
    for side in range(rules.sides):
        won |= np.int64(state.scores[side] == best) << side
    if rules.solo and _captured_of(state, rules, PLAYER, SOLO_DUTY) == ZERO:
        won = np.int64(1 << AI)
    over = False
    for side in range(rules.sides):
        state.vp[side] += won >> side & 1
        over = over or state.vp[side] >= rules.target
    state.won = won
    state.ended = 1
    state.rounds += 1
    state.all_changes += state.changes
    if not over:
        starter = U8(state.starter) + ONE
        _deal_round(state, rules, ZERO if starter == U8(rules.seats) else starter)


@kernel
def round_over(state: Any) -> Any:
    return state.ended != 0


@kernel
def round_scores(state: Any, rules: Any, scores: Any) -> None:
    for side in range(rules.sides):
        scores[side] = state.scores[side]


@kernel
def standing(state: Any, rules: Any, out: Any) -> None:
    """Victory points first, then the points of the round under way."""
    for side in range(rules.sides):
        out[side] = 1000 * np.int64(state.vp[side]) + (0 if state.mover < 0 else np.int64(state.points[side]))


@kernel
def _tie_break(state: Any, side: Any) -> Any:
    """Breaks a tie at the target, least first: who has the trump's zero, else who captured fewest cards."""
    cards = ONE + count(state.captured[side, 0]) + count(state.captured[side, 1])
    return ZERO if _has_trump_zero(state, side) else cards


@kernel
def outcome(state: Any, rules: Any, shares: Any) -> Any:
    """One of those at the target wins by the tie-break; sides still equal share the win."""
    best = U8(255)
    for side in range(rules.sides):
        best = min(best, _tie_break(state, side)) if state.vp[side] >= rules.target else best
    winners = 0
    for side in range(rules.sides):
        winners += 1 if state.vp[side] >= rules.target and _tie_break(state, side) == best else 0
    for side in range(rules.sides):
        won = state.vp[side] >= rules.target and _tie_break(state, side) == best
        shares[side] = WIN // winners if won else 0
    return False


@kernel
def counts(state: Any, rules: Any, out: Any) -> None:
    out[0] += state.moves
    out[1] += state.turns
    out[2] += state.rounds
    out[3] += state.all_changes


@kernel
def worth(state: Any, rules: Any, out: Any) -> None:
    """Two thirds for the odds to win the game by the victory points reached, one third for the round's lead."""
    if state.mover < 0:
        outcome(state, rules, out)
    else:
        total = 0.0
        for side in range(rules.sides):
            out[side] = WIN
            for _ in range(state.vp[side]):
                out[side] *= PER_POINT
            total += out[side]
        for side in range(rules.sides):
            out[side] *= WIN / total
    for side in range(rules.sides):
        rival = LOWEST
        for other in range(rules.sides):
            rival = max(rival, np.int64(state.scores[other])) if other != side else rival
        lead = float(np.int64(state.scores[side]) - rival)
        out[side] = (2.0 * out[side] / WIN + 0.5 + 0.5 * lead / (abs(lead) + CLOSE)) / 3.0
