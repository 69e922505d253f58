"""Sets of any number of cards: arrays of 64-bit words with one bit per card.

A field declared by `cards(n)` is such a set (`state.pile`), or one per seat (`state.hand[seat]`). Functions named
by verbs change the set; functions named by nouns return something. Games with at most 64 cards can use the faster
`bits`, whose sets are plain numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from houle.solver.cards import bits
from houle.solver.cards.bits import ONE, U8, ZERO
from houle.solver.cards.streams import advance, below
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Card, Flag, Moves, Number, State, Stream

WORD = 64
SHIFT, INSIDE = U8(6), U8(63)


def words(n: int) -> int:
    """The number of words of a set of n cards."""
    return max(1, -(-n // WORD))


@kernel
def has(cards: Any, card: Card) -> Flag:
    return (cards[U8(card) >> SHIFT] >> (U8(card) & INSIDE)) & ONE != ZERO


@kernel
def add(cards: Any, card: Card) -> None:
    cards[U8(card) >> SHIFT] |= ONE << (U8(card) & INSIDE)


@kernel
def remove(cards: Any, card: Card) -> None:
    cards[U8(card) >> SHIFT] &= ~(ONE << (U8(card) & INSIDE))


@kernel
def count(cards: Any) -> Number:
    """How many cards."""
    total = np.int64(0)
    for word in range(len(cards)):
        total += np.int64(bits.count(cards[word]))
    return total


@kernel
def count_both(cards: Any, others: Any) -> Number:
    """How many cards are in both sets."""
    total = np.int64(0)
    for word in range(len(cards)):
        total += np.int64(bits.count(cards[word] & others[word]))
    return total


@kernel
def is_inside(cards: Any, others: Any) -> Flag:
    """Whether all cards of the set are in the other set."""
    return count_both(cards, others) == count(cards)


@kernel
def is_same(cards: Any, others: Any) -> Flag:
    """Whether both sets have the same cards."""
    return is_inside(cards, others) and is_inside(others, cards)


@kernel
def following(cards: Any, card: Card) -> Card:
    """The next card above this one, or -1. `following(cards, -1)` is the lowest card."""
    begin = np.int64(card) + 1
    for word in range(begin >> 6, len(cards)):
        left = cards[word]
        if word == begin >> 6:
            left &= ~((ONE << (U8(begin) & INSIDE)) - ONE)
        if left != ZERO:
            return np.int64(WORD * word) + np.int64(bits.lowest(left))
    return np.int64(-1)


@kernel
def list_cards(cards: Any, moves: Moves) -> Number:
    """Writes all cards, ascending, into `moves`; returns how many. The `legal` of a game in which every card may go."""
    n = np.int64(0)
    for word in range(len(cards)):
        n = bits.list_cards(cards[word], WORD * word, moves, n)
    return n


@kernel
def nth(cards: Any, n: Number) -> Card:
    """The n-th lowest card, from 0; n must be below count(cards)."""
    n = np.int64(n)
    for word in range(len(cards)):
        inside = np.int64(bits.count(cards[word]))
        if n < inside:
            return np.int64(WORD * word) + np.int64(bits.nth(cards[word], U8(n)))
        n -= inside
    return np.int64(-1)


@kernel
def nth_of_both(cards: Any, others: Any, n: Number) -> Card:
    """The n-th lowest of the cards that are in both sets, from 0; n must be below count_both(cards, others)."""
    n = np.int64(n)
    for word in range(len(cards)):
        inside = np.int64(bits.count(cards[word] & others[word]))
        if n < inside:
            return np.int64(WORD * word) + np.int64(bits.nth(cards[word] & others[word], U8(n)))
        n -= inside
    return np.int64(-1)


@kernel
def clear(cards: Any) -> None:
    for word in range(len(cards)):
        cards[word] = ZERO


@kernel
def fill(cards: Any, n: Number) -> None:
    """Makes it the set of the cards 0 to n - 1."""
    for word in range(len(cards)):
        inside = np.int64(n) - WORD * word
        cards[word] = ~ZERO if inside >= WORD else (ONE << U8(inside)) - ONE if inside > 0 else ZERO


@kernel
def copy(cards: Any, others: Any) -> None:
    """Makes it equal to the other set."""
    for word in range(len(cards)):
        cards[word] = others[word]


@kernel
def add_all(cards: Any, others: Any) -> None:
    for word in range(len(cards)):
        cards[word] |= others[word]


@kernel
def remove_all(cards: Any, others: Any) -> None:
    for word in range(len(cards)):
        cards[word] &= ~others[word]


@kernel
def keep(cards: Any, others: Any) -> None:
    """Removes the cards that are not in the other set."""
    for word in range(len(cards)):
        cards[word] &= others[word]


@kernel
def random_card(cards: Any, stream: Stream) -> Card:
    """A random card of the set, by the stream's position; the set must not be empty."""
    return nth(cards, np.int64(below(stream, count(cards))))


@kernel
def draw(state: State, cards: Any) -> Card:
    """Takes a random card out of the set, by the next number of `state.deal`; the set must not be empty.

    Where a record says which cards come next, it is the last one of `state.stack`.
    """
    if state.stacked > 0:
        state.stacked -= 1
        card = np.int64(state.stack[state.stacked])
        if has(cards, card):
            remove(cards, card)
            return card
        state.stacked = 0
    state.deal = advance(state.deal)
    card = random_card(cards, state.deal)
    remove(cards, card)
    return card


@kernel
def move_all(cards: Any, others: Any) -> None:
    """Empties the set into the other set: a discard pile becomes the pile."""
    add_all(others, cards)
    clear(cards)


@kernel
def deal_again(cards: Any, others: Any, stream: Stream) -> Stream:
    """Replaces the set by as many random cards, which it takes from the others; returns the stream."""
    left, wanted = count(others), count(cards)
    clear(cards)
    for _ in range(wanted):
        stream = advance(stream)
        card = nth(others, np.int64(below(stream, left)))
        remove(others, card)
        add(cards, card)
        left -= 1
    return stream


def put(cards: Any, numbers: Iterable[int]) -> None:
    """Makes it the set of these cards. For plain Python, as in `make_tables`."""
    cards[:] = ZERO
    for card in numbers:
        cards[card // WORD] |= ONE << U8(card % WORD)
