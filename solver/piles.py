"""What games share of luck with cards: drawing from a face-down pile, and one of a set at random.

A pile is never shuffled: which card comes next is decided when it is drawn, so a game pays for the cards it sees.
The state holds it as `pile`, an unordered array of places, and `pile_left`, how many cards are still there.

Variants stay in step: the i-th card drawn does not depend on how many others there are. So the places are those of the
printed deck. A card that a variant leaves out, or takes out of the pile, leaves a gap (`gaps` of them); who hits a gap
draws another card by luck apart, and the gap goes where that card was: one card differs, all others come as they
would. Cards that a variant adds (`added`) lie apart, at the far end of the array; luck apart says whether the next
card is one of them. Either way every card left is equally likely to be the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from houle.solver.bitset import ONE, U8, ZERO, count, nth
from houle.solver.kernels import kernel, outlined
from houle.solver.streams import advance, apart, at, below
from houle.solver.types import Card, Number, State, States, Stream

GAP = 255  # a place without a card

# Numbers of what is drawn apart; 1 to 64 say whether the next card is one of so many added ones.
OTHER, ASIDE = U8(1 << 8), U8(1 << 16)

# What STATE has of a pile beside `pile` and `pile_left`. They come last: what a turn reads had better lie together.
PILE_FIELDS = [
    ("gaps", "u1"),  # places without a card
    ("added", "u1"),  # cards of a variant that lie apart, at the end of the array
]


def full_pile(most: int) -> np.dtype[Any]:
    """A record for RULES: a pile with all its cards, of which there are at most so many."""
    return np.dtype(
        [
            ("places", "u1"),  # places of the printed deck
            ("gaps", "u1"),  # those of them whose card is not in this deck
            ("added", "u1"),  # cards that the printed deck does not have
            ("cards", "u1", most),  # the places, or GAP; at the end what is added
        ]
    )


def lay_out_pile(pile: Any, printed: Sequence[Hashable], cards: Mapping[Any, int]) -> None:
    """Puts the cards where they lie in the printed deck, and those it does not have at the end.

    Cards go by what is printed on them. A deck that is hardly the printed one fills the places in its own order.
    """
    places = [cards.get(name, GAP) for name in printed]
    added = [card for name, card in cards.items() if name not in printed]
    if len(places) + len(added) > len(pile.cards) or 2 * len(added) > len(cards):
        places, added = list(cards.values()), []
    pile.places, pile.gaps, pile.added = len(places), places.count(GAP), len(added)
    pile.cards[: len(places)] = places
    pile.cards[len(pile.cards) - len(added) :] = added[::-1]


def numbered(names: Iterable[Hashable]) -> list[tuple[Hashable, int]]:
    """Names for cards of which there are several: the how-many-th of its kind each one is."""
    seen: Counter[Hashable] = Counter()
    found = []
    for name in names:
        found.append((name, seen[name]))
        seen[name] += 1
    return found


@kernel
def open_pile(state: State, full: Any) -> None:
    """All cards lie in the pile."""
    for i in range(full.places):
        state.pile[i] = full.cards[i]
    end, last = len(state.pile), len(full.cards)
    for i in range(1, full.added + 1):
        state.pile[end - i] = full.cards[last - i]
    state.gaps = full.gaps
    state.added = full.added
    state.pile_left = full.places - full.gaps + full.added


@kernel
def count_places(state: State) -> Number:
    """How many places of the array are in use, gaps included."""
    return U8(state.pile_left) - U8(state.added) + U8(state.gaps)


@kernel
def count_in_use(state: State) -> Number:
    """How many places there are to look for cards: of the deck, gaps included, then of those added."""
    return count_places(state) + U8(state.added)


@kernel
def card_at(state: State, i: Number) -> Card:
    """The card in the i-th place in use, or GAP."""
    i, places = U8(i), count_places(state)
    return state.pile[i if i < places else U8(len(state.pile)) - ONE - (i - places)]


@kernel
def next_card(state: State) -> Card:
    """Draws the next card of the pile, from the `deal` stream; the pile must not be empty."""
    left, added = U8(state.pile_left), U8(state.added)
    state.pile_left = left - ONE
    if added > ZERO:
        i = below(apart(state.deal, added), left)
        if i < added:
            return _take_added(state, i)
    last = left + U8(state.gaps) - added - ONE
    stream = advance(state.deal)
    state.deal = stream
    i = below(stream, last + ONE)
    card = state.pile[i]
    if card == GAP:
        card = _take_other(state, apart(stream, OTHER), last + ONE)
    state.pile[i] = state.pile[last]
    return card


@kernel
def _take_added(state: State, i: Number) -> Card:
    end, last = U8(len(state.pile)) - ONE, U8(state.added) - ONE
    card = state.pile[end - i]
    state.pile[end - i] = state.pile[end - last]
    state.added = last
    return card


@outlined
def _take_other(state: State, stream: Stream, places: Number) -> Card:
    """Any card of the pile but the added ones, at random; it leaves a gap. There must be one."""
    i = below(stream, places)
    while state.pile[i] == GAP:
        stream = advance(stream)
        i = below(stream, places)
    card = state.pile[i]
    state.pile[i] = GAP
    return card


@kernel
def add_card(state: State, card: Card) -> None:
    """Adds a card to the pile."""
    state.added += 1
    state.pile[U8(len(state.pile)) - U8(state.added)] = card
    state.pile_left += 1


@kernel
def take_aside(state: State) -> Card:
    """Takes a card of the pile, by luck apart: the others come as they would, whether one is taken or not."""
    left, places = U8(state.pile_left), count_places(state)
    stream = apart(state.deal, ASIDE)
    state.pile_left = left - ONE
    i = below(stream, left)
    if i < U8(state.added):
        return _take_added(state, i)
    state.gaps += 1
    return _take_other(state, advance(stream), places)


def cards_in_pile(state: State) -> list[int]:
    """The cards that lie in the pile, ascending; for traces and tests."""
    added = int(state.added)
    places = int(state.pile_left) + int(state.gaps) - added  # as count_places has it, which Python would call slowly
    return sorted(int(card) for card in [*state.pile[:places], *state.pile[len(state.pile) - added :]] if card != GAP)


def cards_in_piles(states: States, most: int) -> Any:
    """The cards up to `most` that lie in the piles of states, a row each, GAP behind the last."""
    columns, width = np.arange(states.pile.shape[1]), states.pile.shape[1]
    left, gaps, added = (number.astype(int)[:, None] for number in (states.pile_left, states.gaps, states.added))
    lies_there = ((columns < left - added + gaps) | (columns >= width - added)) & (states.pile <= most)
    cards = np.where(lies_there, states.pile, GAP)
    return np.take_along_axis(cards, np.argsort(~lies_there, axis=1, kind="stable"), axis=1)


@kernel
def one_of(state: State, things: Any, moment: Number) -> Any:
    """One of a set (of cards or seats) at random, from the moment of the `chance` stream."""
    return nth(things, below(at(state.chance, moment), count(things)))
