"""A start of one's own: some cards lie where a wish says, the rest is dealt at random.

Games are dealt as always. Then every wished card changes places with a card that lies where it is wished: one of a hand
at random, of those that no wish put there. If it lies there already nothing happens. A deal is uniform, and such an
exchange keeps what is not wished uniform. Positions, places and card names are those of the game's file.

    top: white 3; seat 1: navy 4, red 1

Seats count from 1, as people do; the places of the game's file count from 0. `houle openings --setup` reads such a text
as a whole; the lines `dealt PLACE` of a record (dealt.py) are wishes too.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from houle.solver.errors import InputError
from houle.solver.opening import Board, Values, luck, one_of, opening_of
from houle.solver.record.lines import from_1 as shown_side
from houle.solver.ruleset import Setup, nearest
from houle.solver.ruleset.files import read_text


@dataclass(frozen=True)
class Wish:
    """One card in one place."""

    place: str
    card: str
    face: int
    positions: tuple[int, ...]


def read_wishes(setup: Setup, text: str, dealt: Any) -> list[Wish]:
    """A text or a file -> wishes that can be granted, or a RulesetError of one line. `dealt`: any opening."""
    board: Board = opening_of(setup).board(setup)
    cards = opening_of(setup).take_apart(dealt, setup)[0]
    example = f"write a place, a colon and cards, as {_example(board, cards)}"
    named = []
    for line in _lines(text):
        place, colon, names = line.partition(":")
        if not colon:
            raise InputError(f"opening: {line!r}: {example}")
        named.append((" ".join(place.lower().split()), [" ".join(name.split()) for name in names.split(",")]))
    wishes = check_wishes(setup, named, dealt)
    if not wishes:
        raise InputError(f"opening: no card is named; {example}")
    return wishes


def check_wishes(
    setup: Setup, named: Iterable[tuple[str, Sequence[str]]], dealt: Any, what: str = "opening"
) -> list[Wish]:
    """Wishes for places and their cards, as typed; `what` they stand in begins every fault."""
    board: Board = opening_of(setup).board(setup)
    cards = opening_of(setup).take_apart(dealt, setup)[0]
    kind_of = getattr(opening_of(setup), "kind_of", lambda face: 0)
    wishes: list[Wish] = []
    for typed, names in named:
        place = _counted_from_0(typed, what)
        if place not in board.places:
            known = {shown_side(name): name for name in board.places}
            raise InputError(f"{what}: unknown place {typed!r}{_meant(typed, known, '; allowed: ')}{', '.join(known)}")
        before = sum(wish.place == place for wish in wishes)
        for number, name in enumerate(name for name in names if name):
            face = _face(board, cards, place, name.lower(), what)
            where = board.places[place]
            where = where[before + number : before + number + 1] if place in board.ordered else where
            kind = kind_of(face)
            fitting = tuple(position for position in where if kind_of(int(board.faces[cards[position]])) == kind)
            wishes.append(Wish(place, name, face, fitting))
    _check_copies(wishes, board, cards, what)
    _check_room(wishes, what)
    return sorted(wishes, key=lambda wish: len(wish.positions))  # narrow places first: wide ones hold them


def wishes_as_text(wishes: list[Wish]) -> str:
    """The wishes as a text, with the places as the game's file counts them."""
    places: dict[str, list[str]] = {}
    for wish in wishes:
        places.setdefault(wish.place, []).append(wish.card)
    return "; ".join(f"{place}: {', '.join(cards)}" for place, cards in places.items())


def _lines(text: str) -> list[str]:
    if ":" not in text or ("\n" not in text and os.path.isfile(text)):
        try:
            text = read_text(text)
        except InputError as fault:
            raise InputError(f"opening: {text!r} is no readable file, and no text like `seat 1: card`") from fault
    parts = [part.partition("#")[0].strip() for line in text.splitlines() for part in line.split(";")]
    return [part for part in parts if part]


def _example(board: Board, cards: Values) -> str:
    """A wish that can be granted: a card of the deck in the first place."""
    place = next(iter(board.places))
    here = int(board.faces[cards[board.places[place][0]]])
    named = next(name for name, face in board.names[place].items() if face == here)
    return f"`{shown_side(place)}: {named}`"


def _counted_from_0(place: str, what: str) -> str:
    """`seat 1` as people count -> `seat 0` as the game's file does."""
    if re.search(r"\bseat 0\b", place):
        raise InputError(f"{what}: {place}: seats count from 1")
    return re.sub(r"\bseat (\d+)\b", lambda match: f"seat {int(match[1]) - 1}", place)


def _face(board: Board, cards: Values, place: str, name: str, what: str) -> int:
    names = board.names[place]
    if name in board.absent:
        raise InputError(f"{what}: {shown_side(place)}: {name}: {board.absent[name]}")
    if name not in names:
        dealt = set(board.faces[cards].tolist())
        known = [other for other, face in names.items() if face in dealt]
        example = ", ".join(known[:: max(1, len(known) // 3)][:3])
        meant = _meant(name, known, "; cards are written as: ")
        raise InputError(f"{what}: {shown_side(place)}: unknown card {name!r}{meant}{example}")
    return names[name]


def _meant(name: str, known: Iterable[str], then: str) -> str:
    """The nearest name as a question, if any is near (a whole deck would not fit into a line), and what follows."""
    hint = nearest(name, known)
    return f"{hint} {then.lstrip('; ').capitalize()}" if "did you mean" in hint else then


def _check_copies(wishes: list[Wish], board: Board, cards: Values, what: str) -> None:
    there = Counter(board.faces[cards].tolist())
    for face, times in Counter(wish.face for wish in wishes).items():
        name = next(wish.card for wish in wishes if wish.face == face)
        if there[face] == 0:
            raise InputError(f"{what}: {name}: the deck lacks this card")
        if times > there[face]:
            raise InputError(f"{what}: {name}: named {times} times, but there is {there[face]} in the deck")


def _check_room(wishes: list[Wish], what: str) -> None:
    """Every place must hold what is wished into it and into the places that are part of it."""
    for wish in wishes:
        room = set(wish.positions)
        inside = sum(bool(other.positions) and set(other.positions) <= room for other in wishes)
        if not wish.positions:
            raise InputError(f"{what}: {shown_side(wish.place)}: {wish.card} cannot lie there at the start")
        if inside > len(room):
            raise InputError(
                f"{what}: {shown_side(wish.place)}: {inside} cards named; room for {len(room)} of this kind"
            )


def arrange(openings: Any, setup: Setup, wishes: list[Wish]) -> None:
    """Grants the wishes in every opening, in place."""
    module = opening_of(setup)
    board: Board = module.board(setup)
    cards = module.take_apart(openings, setup)
    fixed = np.zeros(cards.shape, bool)
    rows = np.arange(len(cards))
    for number, wish in enumerate(wishes):
        here = np.zeros(cards.shape[1], bool)
        here[list(wish.positions)] = True
        source = one_of((board.faces[cards] == wish.face) & ~fixed, luck(openings.root, 2 * number))
        target = np.where(here[source], source, one_of(here & ~fixed, luck(openings.root, 2 * number + 1)))
        cards[rows, source], cards[rows, target] = cards[rows, target], cards[rows, source]
        fixed[rows, target] = True
    module.put_together(openings, setup, cards)
