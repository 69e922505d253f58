"""Hanabi: the rules: what a state holds, the deal, the legal moves, what a move does, and the score."""

import numpy as np

from houle.own_game import (
    ONE,
    U8,
    UTILITY,
    ZERO,
    KnobError,
    about,
    add,
    bits,
    cards,
    copy,
    count,
    draw,
    fields,
    has,
    kernel,
    number,
    ordered,
    outlined,
    per_seat,
    put,
    rows,
)

# ---- Its fields, who sees them, and what each clue touches. plain.py says what the numbers mean


SEATS, SUITS, HAND = 5, 6, 6
DECK, KINDS = 10 * SUITS, 5 * SUITS
NUMBERS = (1, 1, 1, 2, 2, 3, 3, 4, 4, 5)
CLUES = SUITS + 5  # a colour each, then a number each
DISCARD, CLUE = HAND, 2 * HAND  # the first actions of these kinds; before them, play a card
MAX_MOVES = CLUE + (SEATS - 1) * CLUES
FRESH = 1 << CLUES  # of `told`: a clue touched the card since its player's last turn

FIELDS = fields(
    public={
        "laid": cards(DECK),
        "gone": cards(DECK),
        "half_clues": number(),
        "lives": number(),
        "turns_left": number(),  # once the last card is drawn; -1 before
        "told": per_seat(number(HAND, dtype="i2")),  # the clues that touched each card
    },
    others={"hand": per_seat(ordered(DECK, HAND))},  # everybody but its player sees it
    hidden={"pile": cards(DECK)},
    facts={"may": about("hand")},
    tables={"deck": cards(DECK), "kind": cards(DECK, KINDS), "touch": cards(DECK, CLUES)},
    seats=SEATS,
)


def score_range(setup):
    return 0, 5 * setup.options["suits"]


def make_tables(rules, options, players):
    """The deck, the copies of each kind, and the cards that each clue touches."""
    codes = [0] * (rules.suits - 2) + [int(rules.second_special), int(rules.special)]
    deck = [10 * suit + i for suit, code in enumerate(codes) for i in ((0, 3, 5, 7, 9) if code >= 9 else range(10))]
    if players * options["hand"] >= len(deck):
        raise KnobError("hand", f"{len(deck)} cards are too few to deal {options['hand']} to each and draw")
    put(rules.deck, deck)
    for kind in range(5 * len(codes)):
        put(rules.kind[kind], [card for card in deck if 5 * (card // 10) + NUMBERS[card % 10] - 1 == kind])
    for clue in range(CLUES):
        put(rules.touch[clue], [card for card in deck if is_touched(card, clue, codes)])


def is_touched(card, clue, codes):
    """Whether a clue touches a card. A code has two digits to the base of 3 that say how: 0 own, 1 all, 2 none."""
    suit = card // 10
    if clue >= SUITS:
        how, own = codes[suit] % 3, NUMBERS[card % 10] == clue - SUITS + 1
    else:
        how, own = codes[suit] // 3 % 3, suit == clue
    can_be_said = clue >= SUITS or (clue < len(codes) and codes[clue] // 3 % 3 == 0)
    return can_be_said and (how == 1 or (how == 0 and own))


# ---- The deal, the legal moves, clues, plays and discards


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


# ---- The points, and what a search expects of a game that it does not play to the end


# A search looks some moves ahead, because the rest of a game is mostly luck. Then it expects the points so far and, in
# hundredths of a point: least squares over 11,504 positions of 240 games (80 each with 2, 4 and 5 players, more than
# eight turns before the end), all played with the weights for 2 players. Eight moves were not compared with others.
AHEAD = 8
PER_POSSIBLE, PER_TURN, PER_CLUE, PER_LIFE, LESS = 52, 18, 16, 178, 545


@kernel
def reachable(state, rules):
    """The most points that are still possible: a suit ends below a number whose copies are all gone."""
    total = 0
    for suit in range(rules.suits):
        number = laid_in(state, suit)
        while number < 5 and rules.kind[5 * suit + number, 0] & ~state.gone[0] != ZERO:
            number += 1
        total += number
    return total


@kernel
def round_scores(state, rules, scores):
    scores[0] = count(state.laid) if state.lives > 0 or rules.keeps_points else 0


@kernel
def search_over(state, root):
    return state.mover < 0 or state.moves - root.moves >= AHEAD


@kernel
def utility(state, rules, out):
    """The share of all points. The win itself does not count more: it is too rare for a search to aim at."""
    points = count(state.laid)
    possible = reachable(state, rules) - points
    scored = 100 * points if state.lives > 0 or rules.keeps_points else 0
    if state.mover >= 0:
        turns = count(state.pile) + rules.seats if state.turns_left < 0 else state.turns_left
        more = (
            PER_POSSIBLE * possible
            + PER_TURN * turns
            + PER_CLUE * state.half_clues // 2
            + PER_LIFE * state.lives
            - LESS
        )
        scored += max(0, min(more, 100 * possible))
    out[0] = UTILITY * scored // (500 * rules.suits)
