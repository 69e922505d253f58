"""Cards of an opening that a user types in: some cards are placed as wished, the rest is dealt at random.

Games are dealt as usual. Then each wished card is exchanged with a random card of its place that no wish put there; if
it is there already, nothing happens. Deals are uniform, and such exchanges keep all other cards uniform. Places and
card names come from the game's words.py.

Seats count from 1 in texts and from 0 in words.py. The lines `dealt PLACE` of a record (dealt_cards.py) are such
wishes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from houle.solver.errors import PositionError
from houle.solver.language.seats import from_1
from houle.solver.matches.opening import Board, Values, board_of, luck, one_of
from houle.solver.rules import Setup, nearest
from houle.solver.texts import capital


@dataclass(frozen=True)
class PlacedCard:
    """One card in one place."""

    place: str
    card: str
    face: int
    positions: tuple[int, ...]


def check_wishes(
    setup: Setup, named: Iterable[tuple[str, Sequence[str]]], dealt: Sequence[int], what: str = "opening"
) -> list[PlacedCard]:
    """Checks wishes for places and their cards; `dealt` are the cards in their positions, `what` starts every error."""
    board, kind_of, cards = board_of(setup), setup.game.openings.kind_of, np.array(dealt)
    wishes: list[PlacedCard] = []
    for typed, names in named:
        place = _counted_from_0(typed, what)
        if place not in board.places:
            known = {from_1(name): name for name in board.places}
            raise PositionError(
                f"{what}: unknown place {typed!r}{_meant(typed, known, '; allowed: ')}{', '.join(known)}"
            )
        before = sum(wish.place == place for wish in wishes)
        for number, name in enumerate(name for name in names if name):
            face = _face(board, cards, place, name.lower(), what)
            where = board.places[place]
            where = where[before + number : before + number + 1] if place in board.ordered else where
            kind = kind_of(face)
            fitting = tuple(position for position in where if kind_of(int(board.faces[cards[position]])) == kind)
            wishes.append(PlacedCard(place, name, face, fitting))
    _check_copies(wishes, board, cards, what)
    _check_room(wishes, what)
    return sorted(wishes, key=lambda wish: len(wish.positions))  # small places first: large ones contain them


def _counted_from_0(place: str, what: str) -> str:
    """Counts seats from 0: `seat 1` becomes `seat 0`."""
    if re.search(r"\bseat 0\b", place):
        raise PositionError(f"{what}: {place}: seats count from 1")
    return re.sub(r"\bseat (\d{1,9})\b", lambda match: f"seat {int(match[1]) - 1}", place)


def _face(board: Board, cards: Values, place: str, name: str, what: str) -> int:
    names = board.names[place]
    if name in board.absent:
        raise PositionError(f"{what}: {from_1(place)}: {name}: {board.absent[name]}")
    if name not in names:
        dealt = set(board.faces[cards].tolist())
        known = [other for other, face in names.items() if face in dealt]
        example = ", ".join(known[:: max(1, len(known) // 3)][:3])
        meant = _meant(name, known, "; cards are written as: ")
        raise PositionError(f"{what}: {from_1(place)}: unknown card {name!r}{meant}{example}")
    return names[name]


def _meant(name: str, known: Iterable[str], then: str) -> str:
    """A suggestion if a name is similar, followed by `then`; the names of a whole deck would not fit into a line."""
    hint = nearest(name, known)
    return f"{hint} {capital(then.lstrip('; '))}" if "did you mean" in hint else then


def _check_copies(wishes: list[PlacedCard], board: Board, cards: Values, what: str) -> None:
    there = Counter(board.faces[cards].tolist())
    for face, times in Counter(wish.face for wish in wishes).items():
        name = next(wish.card for wish in wishes if wish.face == face)
        if there[face] == 0:
            raise PositionError(f"{what}: {name}: this card is not in the deck")
        if times > there[face]:
            raise PositionError(f"{what}: {name}: named {times} times, but there is {there[face]} in the deck")


def _check_room(wishes: list[PlacedCard], what: str) -> None:
    """Checks that every place has room for the cards wished into it and into the places inside it."""
    for wish in wishes:
        room = set(wish.positions)
        inside = sum(bool(other.positions) and set(other.positions) <= room for other in wishes)
        if not wish.positions:
            raise PositionError(f"{what}: {from_1(wish.place)}: {wish.card} cannot lie there at the start")
        if inside > len(room):
            raise PositionError(
                f"{what}: {from_1(wish.place)}: {inside} cards named; room for {len(room)} of this kind"
            )


def arrange(cards: Values, roots: NDArray[np.uint64], board: Board, wishes: Sequence[PlacedCard]) -> Values:
    """Deals that fulfil the wishes: a row of cards in their positions for each deal, whose luck comes from its root."""
    cards, fixed, rows = cards.copy(), np.zeros(cards.shape, bool), np.arange(len(cards))
    for number, wish in enumerate(wishes):
        here = np.zeros(cards.shape[1], bool)
        here[list(wish.positions)] = True
        source = one_of((board.faces[cards] == wish.face) & ~fixed, luck(roots, 2 * number))
        target = np.where(here[source], source, one_of(here & ~fixed, luck(roots, 2 * number + 1)))
        cards[rows, source], cards[rows, target] = cards[rows, target], cards[rows, source]
        fixed[rows, target] = True
    return cards
