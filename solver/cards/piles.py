"""Draw piles: random draws from a face-down pile, and a random element of a set.

A pile is never shuffled. Each card is chosen when it is drawn, so a game pays only for the cards it sees. The state
holds `pile`, an unordered array of places, and `pile_left`, the number of cards left.

Variants of a game draw the same cards as far as possible, so that they can be compared on the same deals. The places
are those of the printed deck. A card that a variant leaves out, or that is removed from the pile, leaves a gap (`gaps`
counts them). A draw that hits a gap takes another card, chosen from a separate stream, and the gap moves to the place
of that card: one card differs and all others come as before. Cards that a variant adds (`added`) lie at the far end of
the array, and a separate stream decides whether the next card is one of them. In every case each card left is equally
likely to be next.

The next cards of a real game are known where a record says them. They lie on the `stack`: a draw takes its last card
out of the pile, wherever that is. GAP on the stack means that the cards after it are drawn once the pile is full again.
An imagined world has no stack (`determinize`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, nth
from houle.solver.cards.streams import advance, apart, at, below
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Card, Number, State, Stream

GAP = 255  # a place without a card

# Numbers of the separate streams; 1 to 64 decide whether the next card is one of that many added cards.
OTHER, ASIDE = U8(1 << 8), U8(1 << 16)


def pile_fields(most: int) -> list[Any]:
    """Fields of STATE beside `pile` and `pile_left`, for records of at most `most` cards in all piles.

    Put them last: fields that every turn reads should lie together.
    """
    return [
        ("gaps", "u1"),  # places without a card
        ("added", "u1"),  # added cards of a variant, at the end of the array
        ("stacked", "u1"),  # cards on the stack
        ("stack", "u1", most),  # cards that are drawn next, the first one last
    ]


def full_pile(most: int) -> np.dtype[Any]:
    """The dtype of a field of RULES: a full pile of at most `most` cards."""
    return np.dtype(
        [
            ("places", "u1"),  # places of the printed deck
            ("gaps", "u1"),  # places whose card is not in this deck
            ("added", "u1"),  # cards that the printed deck does not have
            ("cards", "u1", most),  # the card of each place, or GAP; added cards at the end
        ]
    )


def lay_out_pile(pile: Any, printed: Sequence[Hashable], cards: Mapping[Any, int]) -> None:
    """Puts the cards at their places in the printed deck, and new cards at the end.

    Cards are identified by what is printed on them. A deck that has little in common with the printed one fills the
    places in its own order.
    """
    places = [cards.get(name, GAP) for name in printed]
    added = [card for name, card in cards.items() if name not in printed]
    if len(places) + len(added) > len(pile.cards) or 2 * len(added) > len(cards):
        places, added = list(cards.values()), []
    pile.places, pile.gaps, pile.added = len(places), places.count(GAP), len(added)
    pile.cards[: len(places)] = places
    pile.cards[len(pile.cards) - len(added) :] = added[::-1]


def numbered(names: Iterable[Hashable]) -> list[tuple[Hashable, int]]:
    """Pairs each name with the number of equal names before it, to tell copies of a card apart."""
    seen: Counter[Hashable] = Counter()
    pairs = []
    for name in names:
        pairs.append((name, seen[name]))
        seen[name] += 1
    return pairs


@kernel
def open_pile(state: State, full: Any) -> None:
    """Puts all cards into the pile."""
    if state.stacked:
        _next_stack(state)
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
    """The number of places of the printed deck in use, gaps included."""
    return U8(state.pile_left) - U8(state.added) + U8(state.gaps)


@kernel
def count_in_use(state: State) -> Number:
    """The number of places in use, added cards included; see `card_at`."""
    return count_places(state) + U8(state.added)


@kernel
def card_at(state: State, i: Number) -> Card:
    """The card in the i-th place in use, or GAP."""
    i, places = U8(i), count_places(state)
    return state.pile[i if i < places else U8(len(state.pile)) - ONE - (i - places)]


@kernel
def next_card(state: State) -> Card:
    """Draws the next card by the `deal` stream; the pile must not be empty."""
    left, added = U8(state.pile_left), U8(state.added)
    if added | U8(state.stacked) > ZERO:
        card = take_stacked(state)
        if card != GAP:
            return card
        state.pile_left = left - ONE
        i = below(apart(state.deal, added), left)
        if i < added:
            return _take_added(state, i)
    state.pile_left = left - ONE
    last = left + U8(state.gaps) - added - ONE
    stream = advance(state.deal)
    state.deal = stream
    i = below(stream, last + ONE)
    card = state.pile[i]
    if card == GAP:
        card = _take_other(state, apart(stream, OTHER), last + ONE)
    state.pile[i] = state.pile[last]
    return card


@outlined
def take_stacked(state: State) -> Card:
    """Draws the next card of the stack; GAP if there is none or it is not in the pile."""
    if state.stacked == 0 or state.stack[state.stacked - 1] == GAP:
        return np.uint8(GAP)  # of the same type as a card
    state.stacked -= 1
    card = state.stack[state.stacked]
    for i in range(count_in_use(state)):
        if card_at(state, i) == card:
            places = count_places(state)
            if i < places:
                state.pile[i] = state.pile[places - ONE]
            else:
                _take_added(state, U8(i) - places)
            state.pile_left -= 1
            return card
    state.stacked = 0
    return np.uint8(GAP)


@outlined
def _next_stack(state: State) -> None:
    """Goes to the cards that are drawn from the full pile."""
    while state.stacked > 0:
        state.stacked -= 1
        if state.stack[state.stacked] == GAP:
            return


@kernel
def _take_added(state: State, i: Number) -> Card:
    end, last = U8(len(state.pile)) - ONE, U8(state.added) - ONE
    card = state.pile[end - i]
    state.pile[end - i] = state.pile[end - last]
    state.added = last
    return card


@outlined
def _take_other(state: State, stream: Stream, places: Number) -> Card:
    """Draws a random card that is not an added one and leaves a gap. There must be one."""
    i = below(stream, places)
    while state.pile[i] == GAP:
        stream = advance(stream)
        i = below(stream, places)
    card = state.pile[i]
    state.pile[i] = GAP
    return card


@kernel
def add_card(state: State, card: Card) -> None:
    """Shuffles a card into the pile."""
    state.stacked = 0
    state.added += 1
    state.pile[U8(len(state.pile)) - U8(state.added)] = card
    state.pile_left += 1


@kernel
def take_aside(state: State) -> Card:
    """Removes a random card by a separate stream, so that later draws stay the same."""
    left, places = U8(state.pile_left), count_places(state)
    if state.stacked:
        card = take_stacked(state)
        if card != GAP:
            return card
    stream = apart(state.deal, ASIDE)
    state.pile_left = left - ONE
    i = below(stream, left)
    if i < U8(state.added):
        return _take_added(state, i)
    state.gaps += 1
    return _take_other(state, advance(stream), places)


def pile_as_it_lies(state: State) -> list[int]:
    """The cards in the pile in the order of their places, added cards last. For plain Python."""
    added = int(state.added)
    places = int(state.pile_left) + int(state.gaps) - added  # as `count_places`, which is slow to call from Python
    return [int(card) for card in (*state.pile[:places], *state.pile[len(state.pile) - added :]) if card != GAP]


def cards_in_pile(state: State) -> list[int]:
    """The cards in the pile, ascending. For plain Python."""
    return sorted(pile_as_it_lies(state))


def lay_pile(state: State, cards: Sequence[int], added: Sequence[int] = ()) -> None:
    """Makes a pile of these cards, GAP for a place without a card, and added ones at the end. For plain Python."""
    state.pile[: len(cards)] = cards
    state.pile[len(state.pile) - len(added) :] = added
    gaps = list(cards).count(GAP)
    state.pile_left, state.gaps, state.added = len(cards) - gaps + len(added), gaps, len(added)


def lay_stack(state: State, cards: Sequence[int]) -> None:
    """Lays cards on the stack, the first one on top. For plain Python."""
    state.stacked = len(cards)
    state.stack[: len(cards)] = np.array(cards[::-1]).astype(state.stack.dtype)


@kernel
def one_of(state: State, things: Any, moment: Number) -> Any:
    """A random element of a set of cards or seats, by the moment of the `chance` stream."""
    return nth(things, below(at(state.chance, moment), count(things)))
