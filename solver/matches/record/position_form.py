"""The lines of a game's positions as fields of a form: what may be written in each.

The fields are what the game's reader asks for when it reads the position of a new game: cards, a number, one of some
words. Drawings of cards come from the hands of some deals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from houle.solver.matches.match import Match
from houle.solver.matches.record.line_parser import Field, Lines
from houle.solver.matches.record.position import read_state, write_position
from houle.solver.matches.views import Face, view_of
from houle.solver.rules import Setup

DEALS = 12  # whose hands show how cards look
MOST_WORDS = 3  # lines of a new game with so few words are shown first
MOST_KEPT = 32  # setups
DRAWN = ("name", "top", "paint", "mark", "icon", "lamp")  # what shows which card it is


@dataclass
class Form:
    """All lines of a setup, and how its cards look."""

    fields: list[Field]
    faces: dict[str, Face]  # by the name of the card; not every card has one


_KEPT: dict[str, Form] = {}


def _once(names: Mapping[str, int]) -> dict[str, int]:
    """One name of every card: the first in words, `lighthouse (a)` rather than `place 1a`, or the first."""
    best: dict[int, str] = {}
    for name, card in names.items():
        if card not in best or (has_number(best[card]) and not has_number(name)):
            best[card] = name
    return {name: card for card, name in best.items()}


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
    lines = Lines(write_position(match).places, "position")
    read_state(lines, setup, match.to_move())
    found = lines.fields
    for one in found.values():
        one.names = _once(one.names)
    for place, words in lines.places.items():
        found[place].example, found[place].usual = ", ".join(words), len(place.split()) <= MOST_WORDS
    faces: dict[str, Face] = {}
    for deal in deals:
        for seat in range(setup.players):
            faces |= _faces(deal, seat)
    return Form([found[place] for place in dict.fromkeys([*lines.places, *found])], faces)


def _faces(match: Match, seat: int) -> dict[str, Face]:
    """The cards that a seat sees, by their names in positions. Cards of words are not drawn: their name says enough."""
    shown = [card for row in view_of(match.state, match.setup, seat) for card in row["cards"]]
    faces: dict[str, Face] = {}
    for card in shown:
        if card.get("typed") and not card.get("wide"):
            faces[card["typed"]] = cast(Face, {part: value for part, value in card.items() if part in DRAWN})
    return faces
