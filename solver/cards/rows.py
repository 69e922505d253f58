"""Rows of cards in order: arrays with a card in each place and -1 in the empty places behind them.

A field declared by `ordered(n, most)` is such a row (`state.discard`), one of several (`state.rows[2]`), or one per
seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards import cardsets
from houle.solver.cards.streams import advance
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Card, Number, Stream


@kernel
def length(row: Any) -> Number:
    """How many cards."""
    n = np.int64(0)
    while n < len(row) and row[n] >= 0:
        n += 1
    return n


@kernel
def end(row: Any) -> Card:
    """The last card; -1 if the row is empty."""
    n = length(row)
    return np.int64(row[n - 1]) if n > 0 else np.int64(-1)


@kernel
def append(row: Any, card: Card) -> None:
    """Adds a card at the end; the row must have room."""
    row[length(row)] = card


@kernel
def take_end(row: Any) -> Card:
    """Takes the last card out of the row, which must not be empty."""
    n = length(row)
    card = np.int64(row[n - 1])
    row[n - 1] = -1
    return card


@kernel
def take(row: Any, place: Number) -> Card:
    """Takes the card at a place, from 0, out of the row; the cards behind it move up."""
    card = np.int64(row[place])
    for after in range(place, len(row) - 1):
        row[after] = row[after + 1]
    row[len(row) - 1] = -1
    return card


# Facts about the cards of a row (`about`) are a set for each place: the cards that may be there. One place more
# than the row has always holds all cards of the game.


@kernel
def take_known(row: Any, facts: Any, place: Number) -> Card:
    """Takes a card out of the row with the facts about it; a card that is added later may be any card."""
    for after in range(place, len(facts) - 1):
        cardsets.copy(facts[after], facts[after + 1])
    return take(row, place)


@kernel
def tell(row: Any, facts: Any, cards: Any) -> None:
    """Everybody learns which cards of the row are in a set of cards."""
    for place in range(length(row)):
        if cardsets.has(cards, row[place]):
            cardsets.keep(facts[place], cards)
        else:
            cardsets.remove_all(facts[place], cards)


@kernel
def forget(facts: Any) -> None:
    """Makes all facts about a row unknown, as after a new deal."""
    for place in range(len(facts) - 1):
        cardsets.copy(facts[place], facts[len(facts) - 1])


@kernel
def add_to(row: Any, cards: Any) -> None:
    """Adds the cards of the row to a set of cards; the row keeps them."""
    for place in range(length(row)):
        cardsets.add(cards, row[place])


@kernel
def move_all(row: Any, cards: Any) -> None:
    """Empties the row into a set of cards."""
    add_to(row, cards)
    row[:] = -1


@kernel
def deal_again(row: Any, others: Any, stream: Stream) -> Stream:
    """Replaces the cards of the row by random ones, which it takes from a set; returns the stream."""
    for place in range(length(row)):
        stream = advance(stream)
        card = cardsets.random_card(others, stream)
        cardsets.remove(others, card)
        row[place] = card
    return stream
