"""A cooperative trick game: all cards are dealt, and everybody remembers who could not follow and what was shown.

So the hands that may be are few, and those of two seats depend on each other.
"""

import numpy as np

from houle.own_game import (
    WIN,
    about,
    add,
    cards,
    count,
    define,
    draw,
    fields,
    fill,
    following,
    keep,
    kernel,
    list_cards,
    local_zeros,
    luck,
    number,
    ordered,
    per_seat,
    remove,
    remove_all,
    rows,
)

SUITS, RANKS, SEATS = 4, 13, 4
DECK = SUITS * RANKS
TRUMP = SUITS - 1
MAX_MOVES = 18

FEATURES = (("high", "Play high cards.", "Play low cards."), ("task", "Play task cards.", "Keep task cards."))

FIELDS = fields(
    public={
        "trick": ordered(DECK, SEATS),
        "leader": number(),
        "gone": cards(DECK),
        "wanted": number(DECK),  # the seat that must take a card, from 1; 0: nobody, -1: done
        "failed": number(),
    },
    own={"hand": per_seat(cards(DECK))},
    facts={"may": about("hand")},
)


@kernel
def deal(state, rules):
    """Deals all cards; each seat shows its lowest card, so that no other seat may hold it."""
    pile = local_zeros(1, np.uint64)
    for suit in range(SUITS):
        for rank in range(rules.ranks):
            add(pile, suit * RANKS + rank)
    for card in range(SUITS * rules.ranks):
        add(state.hand[card % rules.seats], draw(state, pile))
    for seat in range(rules.seats):
        for other in range(rules.seats):
            if other != seat:
                remove(state.may[other], following(state.hand[seat], -1))
    for task in range(rules.tasks):
        state.wanted[luck(state, TRUMP) * RANKS + luck(state, rules.ranks)] = 1 + task
    state.leader = state.mover = 0


@kernel
def suit_of(card, suit):
    """Makes it the set of the cards of a card's suit."""
    fill(suit, card // RANKS * RANKS + RANKS)
    lower = local_zeros(1, np.uint64)
    fill(lower, card // RANKS * RANKS)
    remove_all(suit, lower)


@kernel
def legal(state, rules, moves):
    if state.mover < 0:
        return 0
    fitting = local_zeros(1, np.uint64)
    if state.trick[0] >= 0:
        suit_of(state.trick[0], fitting)
        keep(fitting, state.hand[state.mover])
    return list_cards(fitting if count(fitting) > 0 else state.hand[state.mover], moves)


@kernel
def apply(state, rules, action):
    seat = state.mover
    remove(state.hand[seat], action)
    rows.append(state.trick, action)
    if action // RANKS != state.trick[0] // RANKS:
        suit = local_zeros(1, np.uint64)
        suit_of(state.trick[0], suit)
        remove_all(state.may[seat], suit)  # it holds no card of the suit
    state.mover = (seat + 1) % rules.seats
    if rows.length(state.trick) == rules.seats:
        take_trick(state, rules)
    if count(state.hand[state.mover]) == 0:
        state.mover = -1


@kernel
def take_trick(state, rules):
    best = 0
    for place in range(rules.seats):
        card, high = state.trick[place], state.trick[best]
        same = card // RANKS == high // RANKS
        best = place if (card > high if same else card // RANKS == TRUMP) else best
    taker = (state.leader + best) % rules.seats
    for place in range(rules.seats):
        card = state.trick[place]
        add(state.gone, card)
        if state.wanted[card] > 0:
            state.failed += state.wanted[card] != taker + 1
            state.wanted[card] = -1 if state.wanted[card] == taker + 1 else 0
    for place in range(rules.seats):
        state.trick[place] = -1
    state.leader = state.mover = taker


@kernel
def round_scores(state, rules, scores):
    scores[0] = 0
    for card in range(DECK):
        scores[0] += state.wanted[card] < 0


@kernel
def outcome(state, rules, shares):
    shares[0] = WIN if state.failed == 0 else 0
    return False


@kernel
def features(state, rules, moves, n, table):
    for i in range(n):
        table[i, 0], table[i, 1] = moves[i] % RANKS, state.wanted[moves[i]] > 0


def card_name(setup, card):
    return "RGBT"[card // RANKS] + "23456789XJQKA"[card % RANKS]


def action_name(state, setup, action):
    return f"play {card_name(setup, action)}"


def number_of_cards(seen):
    return len(seen["gone"]) + len(seen["trick"]) + sum(map(len, seen["hand"]))


GAME = define(__name__, is_cooperative=True)
