"""Hanabi: the deal, the legal moves, clues, plays and discards."""

import numpy as np

from hanabi.state import CLUE, CLUES, DISCARD, FRESH, HAND, MAX_MOVES, NUMBERS
from houle.own_game import ONE, U8, ZERO, add, bits, copy, count, draw, has, kernel, outlined, rows

SUIT = U8(1023)  # the cards of the first suit as bits


@kernel
def laid_in(state, suit):
    """The highest number laid in a suit: its cards are laid one after the other."""
    return np.int64(bits.count(state.laid[0] >> U8(10 * suit) & SUIT))


@kernel
def deal(state, rules):
    copy(state.pile, rules.deck)
    for seat in range(rules.seats):
        for _ in range(rules.hand):
            rows.append(state.hand[seat], draw(state, state.pile))
    state.half_clues, state.lives, state.turns_left, state.mover = 2 * rules.clues, rules.lives, -1, 0


@kernel
def told_seat(state, rules, clue):
    """The seat that a clue goes to; clues to the next seat come first."""
    return (state.mover + 1 + clue // CLUES) % rules.seats


@kernel
def held(hand):
    """The cards of a hand as bits."""
    cards = ZERO
    for card in hand:
        if card >= 0:
            cards |= ONE << U8(card)
    return cards


@kernel
def legal(state, rules, moves):
    if state.mover < 0:
        return 0
    size, n = rows.length(state.hand[state.mover]), 0
    for place in range(size):
        moves[n] = place
        n += 1
    if state.half_clues < 2 * rules.clues or rules.discard_with_all_clues:
        for place in range(size):
            moves[n] = DISCARD + place
            n += 1
    if state.half_clues >= 2:
        for step in range(rules.seats - 1):
            cards = held(state.hand[told_seat(state, rules, step * CLUES)])
            for clue in range(CLUES):
                if rules.touch[clue, 0] & cards != ZERO:
                    moves[n] = CLUE + step * CLUES + clue
                    n += 1
    return n


@kernel
def apply(state, rules, action):
    seat = state.mover
    if action >= CLUE:
        give(state, rules, told_seat(state, rules, action - CLUE), (action - CLUE) % CLUES)
    else:
        lay(state, rules, action)
    for place in range(HAND):
        state.told[seat, place] &= FRESH - 1
    if state.turns_left > 0:
        state.turns_left -= 1
    is_over = state.lives == 0 or state.turns_left == 0 or count(state.laid) == 5 * rules.suits
    state.mover = -1 if is_over else (seat + 1) % rules.seats


@kernel
def give(state, rules, seat, clue):
    state.half_clues -= 2
    for place in range(rows.length(state.hand[seat])):
        if has(rules.touch[clue], state.hand[seat, place]):
            state.told[seat, place] |= FRESH | 1 << clue
    rows.tell(state.hand[seat], state.may[seat], rules.touch[clue])


@outlined
def lay(state, rules, action):
    """Plays or discards a card, and draws."""
    seat, place = state.mover, action % DISCARD
    card = rows.take_known(state.hand[seat], state.may[seat], place)
    for behind in range(place, HAND - 1):
        state.told[seat, behind] = state.told[seat, behind + 1]
    state.told[seat, HAND - 1] = 0
    suit, number = card // 10, NUMBERS[card % 10]
    if action < DISCARD and laid_in(state, suit) == number - 1:
        add(state.laid, card)
        if number == 5 and rules.five_gives_clue:
            gain(state, rules)
    else:
        add(state.gone, card)
        if action < DISCARD:
            state.lives -= 1
        else:
            gain(state, rules)
    if state.lives > 0 and count(state.laid) < 5 * rules.suits and count(state.pile) > 0:
        rows.append(state.hand[seat], draw(state, state.pile))
        if count(state.pile) == 0:
            state.turns_left = rules.seats + 1  # this turn counts too


@kernel
def gain(state, rules):
    """A clue back, or half a clue; never more than there were at the start."""
    state.half_clues = min(2 * rules.clues, state.half_clues + (1 if rules.clue_starved else 2))


def action_kinds(setup, seat):
    return range(MAX_MOVES)
