"""The lines of a game's positions as fields of a form: what may be written in each.

The fields are what the game's reader asks for when it reads the position of a new game: cards, a number, one of some
words. Drawings of cards come from the hands of some deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from houle.solver.matches.match import Match
from houle.solver.matches.record.line_parser import Lines, Places
from houle.solver.matches.record.position import read_state, write_position
from houle.solver.matches.views import Face, view_of
from houle.solver.rules import Setup

DEALS = 12  # whose hands show how cards look
MOST_WORDS = 3  # lines of a new game with so few words are shown first
MOST_KEPT = 32  # setups
DRAWN = ("name", "top", "paint", "mark", "icon", "lamp")  # what shows which card it is
CARDS, NUMBER, WORD, TEXT = "cards", "number", "word", "text"


@dataclass
class Field:
    """A line of a position."""

    place: str
    kind: str = TEXT
    allowed: tuple[str, ...] = ()  # words
    limits: tuple[int, int] = (0, 0)  # of a number
    example: str = ""
    usual: bool = False  # shown first
    names: dict[str, None] = field(default_factory=dict)  # of cards, in order


@dataclass
class Form:
    """All lines of a setup, and how its cards look."""

    fields: list[Field]
    faces: dict[str, Face]  # by the name of the card; not every card has one


_KEPT: dict[str, Form] = {}


class _Asked(Lines):
    """Lines that note what is asked of them."""

    def __init__(self, places: Places, fields: dict[str, Field]) -> None:
        super().__init__(places, "position")
        self.fields = fields

    def _note(self, place: str, kind: str = TEXT) -> Field:
        one = self.fields.setdefault(place, Field(place))
        if kind != TEXT:
            one.kind = kind
        return one

    def words(self, place: str) -> list[str] | None:
        self._note(place)
        return super().words(place)

    def card_words(self, place: str, names: Mapping[str, int]) -> list[str]:
        self._note(place, CARDS).names |= _once(names)
        return super().card_words(place, names)

    def says_cards(self, place: str, names: Mapping[str, int]) -> bool:
        self._note(place, CARDS).names |= _once(names)
        return super().says_cards(place, names)

    def word(self, place: str, allowed: Iterable[str], default: str) -> str:
        allowed = list(allowed)
        self._note(place, WORD).allowed = tuple(filter(None, allowed))
        return super().word(place, allowed, default)

    def choices(self, place: str, allowed: Sequence[str]) -> list[str]:
        self._note(place, CARDS).names |= dict.fromkeys(allowed)
        return super().choices(place, allowed)

    def number(self, place: str, least: int, most: int, default: int) -> int:
        self._note(place, NUMBER).limits = (least, most)
        return super().number(place, least, most, default)

    def seat(self, place: str, players: int, default: int | None = None) -> int:
        self._note(place, NUMBER).limits = (1, players)
        return super().seat(place, players, default)

    def card(self, place: str, name: str, names: Mapping[str, int]) -> int:
        self._note(place, CARDS).names |= _once(names)
        return super().card(place, name, names)

    def cards(self, place: str, names: Mapping[str, int]) -> list[int] | None:
        self._note(place, CARDS).names |= _once(names)
        return super().cards(place, names)


def _once(names: Mapping[str, int]) -> dict[str, None]:
    """One name of every card: the first in words, `lighthouse (a)` rather than `place 1a`, or the first."""
    best: dict[int, str] = {}
    for name, card in names.items():
        if card not in best or (has_number(best[card]) and not has_number(name)):
            best[card] = name
    return dict.fromkeys(best.values())


def has_number(name: str) -> bool:
    return any(sign.isdigit() for sign in name)


def position_form(setup: Setup) -> Form:
    """The fields of a setup, in the order in which its lines are written, then the others."""
    if setup.digest not in _KEPT:
        if len(_KEPT) >= MOST_KEPT:
            _KEPT.clear()
        _KEPT[setup.digest] = _find(setup)
    return _KEPT[setup.digest]


def _find(setup: Setup) -> Form:
    deals = [Match(setup, number) for number in range(DEALS)]
    match = next((deal for deal in deals if deal.to_move() >= 0), deals[0])  # some deals are lost at once
    written, found = write_position(match).places, dict[str, Field]()
    read_state(_Asked({place: list(words) for place, words in written.items()}, found), setup, match.to_move())
    for place, words in written.items():
        found[place].example, found[place].usual = ", ".join(words), len(place.split()) <= MOST_WORDS
    faces: dict[str, Face] = {}
    for deal in deals:
        for seat in range(setup.players):
            faces |= _faces(deal, seat)
    return Form([found[place] for place in dict.fromkeys([*written, *found])], faces)


def _faces(match: Match, seat: int) -> dict[str, Face]:
    """The cards that a seat sees, by their names in positions. Cards of words are not drawn: their name says enough."""
    shown = [card for row in view_of(match.state, match.setup, seat) for card in row["cards"]]
    faces: dict[str, Face] = {}
    for card in shown:
        if card.get("typed") and not card.get("wide"):
            faces[card["typed"]] = cast(Face, {part: value for part, value in card.items() if part in DRAWN})
    return faces
