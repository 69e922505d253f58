"""SHED: a game of 70 cards in one file. Lay a card close to the last one, or draw; the first without cards wins."""

import numpy as np

from houle.solver.cards.cardsets import add, count, fill, following, has, random_card, remove
from houle.solver.cards.streams import advance
from houle.solver.compiler.kernels import kernel
from houle.solver.games import define
from houle.solver.interface.declare import cards, fields, number, per_seat

DECK = 70
DRAW = DECK  # the move of a player who cannot lay a card
MAX_MOVES = DECK

FIELDS = fields(
    public={"top": number(), "laid": cards(DECK), "passes": number()},
    own={"hand": per_seat(cards(DECK))},
    hidden={"pile": cards(DECK)},
)

FEATURES = (
    ("lonely", "Lay the card with the fewest of your other cards close to it.", "Keep cards with none of yours close."),
    ("middle", "Lay cards of the middle.", "Lay high and low cards first."),
)


@kernel
def draw(state, rules):
    """A card from the pile, if it has one."""
    state.deal = advance(state.deal)
    card = random_card(state.pile, state.deal)
    remove(state.pile, card)
    return card


@kernel
def fits(state, rules, card):
    return abs(card - state.top) <= rules.reach


@kernel
def deal(state, rules):
    fill(state.pile, rules.cards)
    state.mover = 0
    state.top = draw(state, rules)
    add(state.laid, state.top)
    for _ in range(rules.hand):
        for seat in range(rules.seats):
            add(state.hand[seat], draw(state, rules))


@kernel
def legal(state, rules, moves):
    n = 0
    if state.mover < 0:
        return n
    card = following(state.hand[state.mover], -1)
    while card >= 0:
        if fits(state, rules, card):
            moves[n] = card
            n += 1
        card = following(state.hand[state.mover], card)
    if n == 0:
        moves[0] = DRAW
        n = 1
    return n


@kernel
def apply(state, rules, action):
    hand = state.hand[state.mover]
    if action == DRAW:
        if count(state.pile) > 0:
            add(hand, draw(state, rules))
            state.passes = 0
        else:
            state.passes += 1
    else:
        remove(hand, action)
        add(state.laid, action)
        state.top = action
        state.passes = 0
    over = count(hand) == 0 or state.passes == rules.seats
    state.mover = -1 if over else (state.mover + 1) % rules.seats


@kernel
def round_scores(state, rules, scores):
    for seat in range(rules.seats):
        scores[seat] = count(state.hand[seat])


@kernel
def features(state, rules, moves, n, table):
    for i in range(n):
        near = np.int64(0)
        for card in range(rules.cards):
            near += has(state.hand[state.mover], card) and abs(card - moves[i]) <= rules.reach
        table[i, 0] = -near
        table[i, 1] = -abs(moves[i] - rules.cards // 2)


def action_name(state, setup, action):
    return "draw" if action == DRAW else f"lay {action}"


def number_of_cards(seen):
    return len(seen["pile"]) + len(seen["laid"]) + sum(map(len, seen["hand"]))


GAME = define(__name__)
