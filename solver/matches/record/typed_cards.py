"""Cards of an opening that a user types in: some cards are placed as wished, the rest is dealt at random.

Games are dealt as usual. Then each wished card is exchanged with a random card of its place that no wish put there; if
it is there already, nothing happens. Deals are uniform, and such exchanges keep all other cards uniform. Places and
card names come from the game's words.py.

Seats count from 1 in texts and from 0 in words.py. The lines `dealt PLACE` of a record (dealt_cards.py) are such
wishes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from houle.solver.errors import PositionError
from houle.solver.language.seats import from_1
from houle.solver.matches.opening import Board, board_of
from houle.solver.matches.record.line_parser import Lines
from houle.solver.matches.record.named_cards import NamedCards
from houle.solver.rules import Setup, nearest


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
    board, kind_of, lines = board_of(setup), setup.game.openings.kind_of, Lines({}, what)
    known = {face: name for names in board.names.values() for name, face in names.items()}
    faces = [int(board.faces[card]) for card in dealt]
    kinds: dict[int, list[int]] = {}  # positions by kind; they count the cards, as equal ones may have one number
    for position, face in enumerate(faces):
        kinds.setdefault(kind_of(face), []).append(position)
    decks = {kind: NamedCards(lines, here, lambda position: known[faces[position]]) for kind, here in kinds.items()}
    wishes: list[PlacedCard] = []
    for typed, names in named:
        place = _counted_from_0(typed, what)
        if place not in board.places:
            places = {from_1(name): name for name in board.places}
            raise PositionError(f"{what}: unknown place {typed!r}{_meant(typed, places)}{', '.join(places)}")
        called = {name: face for name, face in board.names[place].items() if face in faces}
        before = sum(wish.place == place for wish in wishes)
        for number, name in enumerate(name for name in names if name):
            face = lines.card(from_1(place), name, called)
            decks[kind_of(face)].take(from_1(place), known[face])
            where = board.places[place]
            where = where[before + number : before + number + 1] if place in board.ordered else where
            fitting = tuple(position for position in where if kind_of(faces[position]) == kind_of(face))
            wishes.append(PlacedCard(place, name, face, fitting))
    _check_room(wishes, what)
    return sorted(wishes, key=lambda wish: len(wish.positions))  # small places first: large ones contain them


def _counted_from_0(place: str, what: str) -> str:
    """Counts seats from 0: `seat 1` becomes `seat 0`."""
    if re.search(r"\bseat 0\b", place):
        raise PositionError(f"{what}: {place}: seats count from 1")
    return re.sub(r"\bseat (\d{1,9})\b", lambda match: f"seat {int(match[1]) - 1}", place)


def _meant(name: str, known: Iterable[str]) -> str:
    """A suggestion if a name is similar."""
    hint = nearest(name, known)
    return f"{hint} Allowed: " if "did you mean" in hint else "; allowed: "


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


def arrange(cards: Sequence[int], root: int, board: Board, wishes: Sequence[PlacedCard]) -> list[int]:
    """A deal that fulfils the wishes: the cards in their positions. Its luck comes from the key of the deal."""
    cards, free, random = list(cards), set(range(len(cards))), Random(root)
    for wish in wishes:
        source = random.choice([place for place in sorted(free) if board.faces[cards[place]] == wish.face])
        target = source
        if source not in wish.positions:
            target = random.choice([place for place in wish.positions if place in free])
        cards[source], cards[target] = cards[target], cards[source]
        free.remove(target)
    return cards
