"""The Game: the rules of thumb, computed from what the deciding player sees."""

import numpy as np

from houle.own_game import (
    ONE,
    U8,
    WORD,
    ZERO,
    bits,
    count,
    fill,
    following,
    has,
    kernel,
    local_empty,
    remove,
    remove_all,
    words,
)
from the_game.rules import LARGEST_HAND, NUMBERS, PILES, RISING, STOP, ahead

FEATURES = (
    ("gap", "Lay a card that is close to the top of its pile.", "Lay cards far beyond the top."),
    ("passed", "Do not pass numbers that others may still hold.", "Pass numbers that are still out."),
    ("passed_own", "Do not pass cards of your own.", "Pass cards of your own."),
    ("back", "Go back by ten whenever you can.", "Do not go back by ten."),
    ("pair", "Lay a card from which your own hand can go back by ten.", "Keep cards that are ten apart."),
    ("rescue", "Leave piles from which others may go back by ten.", "Leave no pile from which others may go back."),
    ("spoils", "Do not cover a pile that your own hand could take back by ten.", "Cover piles you could take back."),
    ("stop", "Stop when you have laid what you must.", "Go on when you have laid what you must."),
    ("more_gap", "If you lay more than you must, lay a close card.", "If you lay more than you must, lay a far card."),
    (
        "must",
        "First lay the card that brings your next card of the turn closer.",
        "Ignore your other card of the turn.",
    ),
    ("next", "Keep a close card for the next turn.", "Do not save close cards for the next turn."),
    ("rest", "Leave your hand close to the piles.", "Leave your hand far from the piles."),
    ("late", "Once nothing is left to draw, lay close cards.", "Once nothing is left to draw, lay far cards."),
    ("last_more", "Go on laying once nothing is left to draw.", "Save cards once nothing is left to draw."),
    ("one_way", "Keep both directions open for the cards that are still out.", "Use up one direction."),
    ("dead", "Leave no card without a pile to go to.", "Ignore cards that fit nowhere."),
)
(
    GAP,
    PASSED,
    PASSED_OWN,
    BACK,
    PAIR,
    RESCUE,
    SPOILS,
    STOPS,
    MORE_GAP,
    MUST,
    NEXT,
    REST,
    LATE,
    LAST_MORE,
    ONE_WAY,
    DEAD,
) = range(len(FEATURES))
FAR = 40  # the greatest distance that counts
WORDS = words(NUMBERS)


@kernel
def features(state, rules, moves, n, table):
    hand = state.hand[state.mover]
    drawing = count(state.pile) > 0
    unseen = local_empty(WORDS, np.uint64)  # cards of the others and cards still to draw
    fill(unseen, rules.highest + 1)
    remove(unseen, 0)
    remove(unseen, 1)
    remove_all(unseen, state.laid)
    remove_all(unseen, hand)
    held = local_empty(LARGEST_HAND, np.int64)
    elsewhere = local_empty((LARGEST_HAND, PILES), np.int64)  # how close a card is to the other piles
    size = nearness(state, rules, hand, held, elsewhere)
    for i in range(n):
        row = table[i]
        for j in range(len(FEATURES)):
            row[j] = 0
        if moves[i] == STOP:
            row[STOPS] = 1
            rate_hand(rules, np.int64(-1), np.int64(0), state.top[0], held, elsewhere, size, NEXT, row)
            rate_directions(state, hand, unseen, np.int64(0), np.int64(state.top[0]), row)
            continue
        card, pile = moves[i] // PILES, moves[i] % PILES
        top = np.int64(state.top[pile])
        skip = np.int64(ahead(state, card, pile))
        up = 1 if pile < RISING else -1
        sign = -1 if skip > 0 else 1
        row[GAP] = -skip
        row[PASSED] = sign * between(unseen, min(card, top), max(card, top))
        row[PASSED_OWN] = sign * between(hand, min(card, top), max(card, top))
        row[BACK] = skip < 0
        if rules.step > 0:
            before, after = top - up * rules.step, card - up * rules.step
            row[PAIR] = is_in(hand, after, rules)
            row[RESCUE] = np.int64(is_in(unseen, after, rules)) - np.int64(is_in(unseen, before, rules))
            row[SPOILS] = -np.int64(before != card and is_in(hand, before, rules))
        if state.need == 0:
            row[MORE_GAP] = -skip
            row[LAST_MORE] = not drawing
        if not drawing:
            row[LATE] = -skip
        rate_hand(rules, card, pile, card, held, elsewhere, size, MUST if state.need > 1 else NEXT, row)
        rate_directions(state, hand, unseen, pile, card, row)


@kernel
def is_in(cards, card, rules):
    return 1 < card <= rules.highest and has(cards, card)


@kernel
def below(card, word):
    """The bits of a word that stand for lower cards."""
    places = np.int64(card) - WORD * word
    return ~ZERO if places >= WORD else (ONE << U8(places)) - ONE if places > 0 else ZERO


@kernel
def between(cards, low, high):
    """How many cards of a set are above one number and below another."""
    total = np.int64(0)
    for word in range(WORDS):
        total += np.int64(bits.count(cards[word] & below(high, word) & ~below(low + 1, word)))
    return total


@kernel
def distance(rules, card, pile, top):
    """How close a card is to the top of a pile; a card that does not fit is far."""
    skip = np.int64(card) - np.int64(top) if pile < RISING else np.int64(top) - np.int64(card)
    return min(skip, FAR) if skip > 0 or (skip == -rules.step and rules.step > 0) else np.int64(FAR)


@kernel
def nearness(state, rules, hand, held, elsewhere):
    """Lists the cards of a hand, and how close each is to the nearest pile other than one; returns how many."""
    size = 0
    card = following(hand, -1)
    while card >= 0:
        held[size] = card
        for pile in range(PILES):
            elsewhere[size, pile] = FAR
        for pile in range(PILES):
            skip = distance(rules, card, pile, state.top[pile])
            for other in range(PILES):
                if other != pile:
                    elsewhere[size, other] = min(elsewhere[size, other], skip)
        size += 1
        card = following(hand, card)
    return size


@kernel
def rate_hand(rules, card, pile, top, held, elsewhere, size, soon, row):
    """Rates how close the cards that stay in the hand are to the piles after a card is laid on one of them."""
    near, total = np.int64(FAR), np.int64(0)
    for i in range(size):
        if held[i] != card:
            best = min(elsewhere[i, pile], distance(rules, held[i], pile, top))
            near = min(near, best)
            total += best
    row[soon] = -near
    row[REST] = -total // 4


@kernel
def rate_directions(state, hand, unseen, pile, top, row):
    """Counts the remaining cards that fit only one direction, and those that fit none, with this top of a pile."""
    twin = np.int64(state.top[pile ^ 1])
    rising, falling = min(state.top[0], state.top[1]), max(state.top[2], state.top[3])
    if pile < RISING:
        rising = min(np.int64(top), twin)
    else:
        falling = max(np.int64(top), twin)
    too_low = between(unseen, 1, rising) + between(hand, 1, rising)
    too_high = between(unseen, falling, NUMBERS) + between(hand, falling, NUMBERS)
    row[ONE_WAY] = -(too_low + too_high)
    if falling < rising:
        row[DEAD] = -(between(unseen, falling, rising) + between(hand, falling, rising))
