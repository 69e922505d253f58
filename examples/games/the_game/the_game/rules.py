"""The Game: the rules: what a state holds, the deal, the legal moves, what a move does, and the score."""

import numpy as np

from houle.own_game import (
    SHIFT,
    UTILITY,
    WORD,
    EndReader,
    GameEnds,
    add,
    advance,
    below,
    cards,
    count,
    draw,
    fields,
    fill,
    following,
    kernel,
    number,
    outlined,
    per_seat,
    remove,
)

# ---- Its fields, and who sees them


NUMBERS = 100  # a card is its number
PILES = 4
RISING = 2  # the first two piles rise
STOP = 4 * NUMBERS  # the action that ends a turn; others are 4 x card + pile
LARGEST_HAND = 10
MAX_MOVES = LARGEST_HAND * PILES + 1

FIELDS = fields(
    public={
        "top": number(PILES),
        "laid": cards(NUMBERS),
        "last": number(),
        "need": number(),
        "ended": number(),
        "stuck": number(),
    },
    own={"hand": per_seat(cards(NUMBERS))},
    hidden={"pile": cards(NUMBERS)},
    seats=5,
)


# ---- The deal, what fits, laying a card and ending a turn


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
            add(state.hand[seat], draw(state, state.pile))
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
        add(state.hand[seat], draw(state, state.pile))
    state.need = 0
    state.ended += 1
    for _ in range(rules.seats):
        seat = (seat + 1) % rules.seats
        if count(state.hand[seat]) > 0:
            state.mover = seat
            begin_turn(state, rules)
            return
    state.mover = -1


# ---- The score (cards not laid), the utility for a search, and how lost games end


# How many turns a search looks ahead, and the cards it expects to be left then, in hundredths of a card: least squares
# over 18,920 turns of thumbs.
TURNS = 6
EXPECTED, PER_CARD, PER_ROOM = 600, 86, 18


@kernel
def round_scores(state, rules, scores):
    scores[0] = rules.highest - 1 - count(state.laid)


@kernel
def search_over(state, root):
    """Stops a search after some turns, as the rest of a long game is mostly luck, unless nothing is left to draw."""
    return state.mover < 0 or (state.ended - root.ended >= TURNS and count(state.pile) > 0)


@kernel
def utility(state, rules, out):
    """The share of cards laid at the end; before the end, the cards that the room on the piles promises.

    The win itself does not count: too few games are won for one move to make a visible difference.
    """
    left = rules.highest - 1 - count(state.laid)
    lost = 100 * left
    if state.mover >= 0:
        room = np.int64(0)
        for pile in range(PILES):
            top = np.int64(state.top[pile])
            room += rules.highest - top if pile < RISING else top - 2
        lost = max(np.int64(0), min(lost, EXPECTED + PER_CARD * left - PER_ROOM * room))
    out[0] = UTILITY - UTILITY * lost // (100 * (rules.highest - 1))


@kernel
def counts(state, rules, out):
    """Counts finished turns; a single player has them too."""
    out[0] += state.moves
    out[1] += state.ended
    out[2] += 1


def end_reader(setup):
    """Reads the card that was laid last, and who could not lay another."""
    cards = np.arange(NUMBERS, dtype=np.uint64)

    def read(states):
        seen = (states["laid"][:, cards >> SHIFT] >> cards % np.uint64(WORD)) & np.uint64(1) != 0
        stuck = np.where(states["stuck"] < 0, setup.players, states["stuck"])
        return GameEnds(seen.sum(axis=1), states["last"], stuck, seen)

    highest = setup.options["highest"]
    return EndReader(
        most=highest - 1,
        cards={card: str(card) for card in range(2, highest + 1)},
        who=(*(f"seat {seat}" for seat in range(setup.players)), ""),
        read=read,
        size=NUMBERS,
    )
