"""Openings that a user types in: some cards are placed as wished, the rest is dealt at random.

    top: white 3; seat 1: navy 4, red 1

Games are dealt as usual. Then each wished card is exchanged with a random card of its place that no wish put there; if
it is there already, nothing happens. Deals are uniform, and such exchanges keep all other cards uniform. Places and
card names come from the game's opening.py.

Seats count from 1 in texts and from 0 in opening.py. `houle openings --deal` reads such a text; the lines
`dealt PLACE` of a record (dealt.py) are wishes too.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from houle.solver.errors import InputError, PositionError
from houle.solver.language.seats import from_1
from houle.solver.matches.opening import Board, Values, board_of, luck, one_of
from houle.solver.rules import Setup, nearest
from houle.solver.rules.files import read_text
from houle.solver.texts import capital


@dataclass(frozen=True)
class PlacedCard:
    """One card in one place."""

    place: str
    card: str
    face: int
    positions: tuple[int, ...]


def read_wishes(setup: Setup, text: str, dealt: Any) -> list[PlacedCard]:
    """Reads wishes from a text or a file; `dealt` is any opening. Raises PositionError for impossible ones."""
    board = board_of(setup)
    cards = setup.game.openings.take_apart(dealt, setup)[0]
    example = f"write a place and its cards, as {_example(board, cards)}"
    named = []
    for line in _lines(text):
        place, colon, names = line.partition(":")
        if not colon:
            raise PositionError(f"opening: {line!r}: {example}")
        named.append((" ".join(place.lower().split()), [" ".join(name.split()) for name in names.split(",")]))
    wishes = check_wishes(setup, named, dealt)
    if not wishes:
        raise PositionError(f"opening: no card is named; {example}")
    return wishes


def check_wishes(
    setup: Setup, named: Iterable[tuple[str, Sequence[str]]], dealt: Any, what: str = "opening"
) -> list[PlacedCard]:
    """Checks wishes for places and their cards; `what` starts every error message."""
    board, kind_of = board_of(setup), setup.game.openings.kind_of
    cards = setup.game.openings.take_apart(dealt, setup)[0]
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


def wishes_as_text(wishes: list[PlacedCard]) -> str:
    """The wishes as text, with seats counted from 0."""
    places: dict[str, list[str]] = {}
    for wish in wishes:
        places.setdefault(wish.place, []).append(wish.card)
    return "; ".join(f"{place}: {', '.join(cards)}" for place, cards in places.items())


def _lines(text: str) -> list[str]:
    if ":" not in text or ("\n" not in text and os.path.isfile(text)):
        try:
            text = read_text(text)
        except InputError as fault:
            raise PositionError(
                f"opening: {text!r} is neither a readable file nor a text such as `seat 1: card`"
            ) from fault
    parts = [part.partition("#")[0].strip() for line in text.splitlines() for part in line.split(";")]
    return [part for part in parts if part]


def _example(board: Board, cards: Values) -> str:
    """A valid wish: a card of the deck in the first place."""
    place = next(iter(board.places))
    here = int(board.faces[cards[board.places[place][0]]])
    named = next(name for name, face in board.names[place].items() if face == here)
    return f"`{from_1(place)}: {named}`"


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


def arrange(openings: Any, setup: Setup, wishes: list[PlacedCard]) -> None:
    """Changes every opening to fulfil the wishes."""
    board = board_of(setup)
    cards = setup.game.openings.take_apart(openings, setup)
    fixed = np.zeros(cards.shape, bool)
    rows = np.arange(len(cards))
    for number, wish in enumerate(wishes):
        here = np.zeros(cards.shape[1], bool)
        here[list(wish.positions)] = True
        source = one_of((board.faces[cards] == wish.face) & ~fixed, luck(openings.root, 2 * number))
        target = np.where(here[source], source, one_of(here & ~fixed, luck(openings.root, 2 * number + 1)))
        cards[rows, source], cards[rows, target] = cards[rows, target], cards[rows, source]
        fixed[rows, target] = True
    setup.game.openings.put_together(openings, setup, cards)
