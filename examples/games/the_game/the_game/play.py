"""The Game: the deal, what fits, laying a card and ending a turn."""

import numpy as np

from houle.own_game import add, advance, below, count, fill, following, kernel, outlined, random_card, remove
from the_game.state import PILES, RISING, STOP


@kernel
def draw(state, rules, seat):
    state.deal = advance(state.deal)
    card = random_card(state.pile, state.deal)
    remove(state.pile, card)
    add(state.hand[seat], card)


@kernel
def ahead(state, card, pile):
    """How far a card is beyond the top of a pile; below 0 it goes back."""
    return card - state.top[pile] if pile < RISING else state.top[pile] - card


@kernel
def fits(state, rules, card, pile):
    skip = ahead(state, card, pile)
    return skip > 0 or (skip == -rules.step and rules.step > 0)


@kernel
def can_lay(state, rules):
    """Whether the player to move holds a card that fits."""
    hand = state.hand[state.mover]
    card = following(hand, -1)
    while card >= 0:
        for pile in range(PILES):
            if fits(state, rules, card, pile):
                return True
        card = following(hand, card)
    return False


@kernel
def end_if_stuck(state, rules):
    if state.need > 0 and not can_lay(state, rules):
        state.stuck = state.mover
        state.mover = -1


@kernel
def begin_turn(state, rules):
    asked = rules.turn if count(state.pile) > 0 else rules.last
    state.need = min(asked, count(state.hand[state.mover]))
    end_if_stuck(state, rules)


@kernel
def deal(state, rules):
    fill(state.pile, rules.highest + 1)
    remove(state.pile, 0)
    remove(state.pile, 1)
    for pile in range(PILES):
        state.top[pile] = 1 if pile < RISING else rules.highest + 1
    for _ in range(rules.hand):
        for seat in range(rules.seats):
            draw(state, rules, seat)
    state.mover, state.stuck = 0, -1
    begin_turn(state, rules)


@kernel
def legal(state, rules, moves):
    n = 0
    if state.mover < 0:
        return n
    hand = state.hand[state.mover]
    card = following(hand, -1)
    while card >= 0:
        for pile in range(PILES):
            if fits(state, rules, card, pile):
                moves[n] = PILES * card + pile
                n += 1
        card = following(hand, card)
    if state.need == 0:
        moves[n] = STOP
        n += 1
    return n


@kernel
def random_move(state, rules):
    """A random legal move, found by its index without listing the moves."""
    hand = state.hand[state.mover]
    n = 1 if state.need == 0 else 0
    card = following(hand, -1)
    while card >= 0:
        for pile in range(PILES):
            n += fits(state, rules, card, pile)
        card = following(hand, card)
    state.choice = advance(state.choice)
    place = np.int64(below(state.choice, n))
    card = following(hand, -1)
    while card >= 0:
        for pile in range(PILES):
            if fits(state, rules, card, pile):
                if place == 0:
                    return PILES * card + pile
                place -= 1
        card = following(hand, card)
    return np.int64(STOP)


@kernel
def apply(state, rules, action):
    if action == STOP:
        end_turn(state, rules)
        return
    card, pile = action // PILES, action % PILES
    hand = state.hand[state.mover]
    remove(hand, card)
    add(state.laid, card)
    state.top[pile] = state.last = card
    state.need = max(0, state.need - 1)
    if count(hand) > 0:
        end_if_stuck(state, rules)
    else:
        end_turn(state, rules)


@outlined
def end_turn(state, rules):
    """Fills up the hand; the next player with cards moves. If nobody has cards, all are laid."""
    seat = state.mover
    left = count(state.pile)
    for _ in range(min(left, rules.hand - count(state.hand[seat]))):
        draw(state, rules, seat)
    state.need = 0
    state.ended += 1
    for _ in range(rules.seats):
        seat = (seat + 1) % rules.seats
        if count(state.hand[seat]) > 0:
            state.mover = seat
            begin_turn(state, rules)
            return
    state.mover = -1


def action_kinds(setup, seat):
    """For learners: every card on every pile, and the end of a turn."""
    return range(STOP + 1)
