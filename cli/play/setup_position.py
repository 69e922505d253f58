"""Set up a position in the browser by clicking cards into places, then ask for advice or play on from there.

The places are the lines of the game's position format (record/position_form.py). The page writes the text of
the position, which can be copied, edited and read back; only the text is sent.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

import houle
from houle.analysis.play.seat_view import position_of
from houle.analysis.play.table_game import Course, Sitting, people_and
from houle.cli.framework.advice import plain_reason, verdict
from houle.cli.play.forms import MOST_NEW_SEED, setup_data
from houle.cli.play.pages import STEPS, Query, reader, render
from houle.cli.web.languages import here
from houle.reports.cards import face
from houle.solver.errors import InputError, PositionError
from houle.solver.language.seats import from_1
from houle.solver.matches.record.line_parser import CARDS, Field, as_text, read_lines
from houle.solver.matches.record.position import Position, read_position
from houle.solver.matches.record.position_form import position_form
from houle.solver.matches.record.setup_head import fields_of
from houle.solver.rules import Setup
from houle.solver.texts import typed_number

MOST_TEXT = 20_000  # characters of a position
MOST_EXAMPLE = 36
AFTER = ("luck", "moves")
HEAD = ("game", "players", "variants", "rules", "seat", *AFTER)


class SetUp:
    """The page; `first` is the game that the server was started with."""

    def __init__(self, first: Sitting) -> None:
        self.first = first

    def of_game(self, course: Course, query: Query) -> str:
        """The form with the position of a game."""
        if course.over:
            raise PositionError("position: the game is over")
        reader(course, query, "position")
        return self._show(course.setup, _known(position_of(course)))

    def page(self, form: Mapping[str, str]) -> str:
        """The empty form."""
        setup = Setup.read(form, self.first.setup, "position")
        return self._show(setup, as_text({**_head(setup), "seat": ["1"]}))

    def answer(self, form: Mapping[str, str], part: bool) -> str:
        """The form with advice on the position, or what is wrong with it; only the answer with `part`."""
        text, answer, fault = form.get("text", ""), None, ""
        try:
            position = self.read(text)
            text = text if form.get("do") == "advice" else _known(position)
            if form.get("do") == "advice":
                answer = _advice(position, typed_number(form.get("worlds", "")) or STEPS[0])
        except InputError as problem:
            fault = str(problem)
        if part:
            return render("setup_answer.html.j2", answer=answer, fault=fault)
        try:
            setup = self._setup(text)
        except InputError:
            setup = self.first.setup
        return self._show(setup, text, answer, fault)

    def sitting(self, form: Mapping[str, str]) -> Sitting:
        """A game from the position: a person in the seat to move, the usual player in the others."""
        position = self.read(form.get("text", ""))
        setup = position.setup
        seed = secrets.randbelow(MOST_NEW_SEED)
        seats = people_and(setup, [position.seat], ())
        return Course(Sitting(setup, seed, 0, seats, start=_known(position))).go_on().sitting

    def read(self, text: str) -> Position:
        return read_position(text, self._setup(text))

    def _setup(self, text: str) -> Setup:
        """The setup that a text names; its own one if it is that of this server."""
        if len(text) > MOST_TEXT:
            raise PositionError(f"position: longer than {MOST_TEXT:,} characters")
        lines, near = read_lines(text), self.first.setup
        if (lines.words("rules") or [""])[0] == near.digest:
            return near
        return Setup.read(fields_of(lines), near, "position")

    def _show(self, setup: Setup, text: str, answer: Any = None, fault: str = "") -> str:
        form = position_form(setup)
        given: Mapping[str, list[str]] = {}
        try:
            given = read_lines(text).places
        except InputError as problem:
            fault = fault or str(problem)
        palettes: dict[tuple[str, ...], int] = {}
        known = {*HEAD, *_head(setup), *(one.place for one in form.fields)}
        further = [Field(place) for place in given if place not in known]
        fields = [_field(one, given, palettes) for one in (*form.fields, *further)]
        palette_data = [
            {"number": number, "cards": [{"name": name, "svg": _drawn(form.faces, name)} for name in names]}
            for names, number in palettes.items()
        ]
        return render(
            "setup_position.html.j2",
            title="Set up a position",
            subtitle=setup.ruleset.title,
            **setup_data(setup),
            number=setup.players,
            head=as_text(_head(setup)),
            seat=" ".join(given.get("seat", ["1"])),
            usual=[one for one in fields if one["usual"] or one["value"]],
            others=[one for one in fields if not (one["usual"] or one["value"])],
            palettes=palette_data,
            text=text,
            answer=answer,
            fault=fault,
            steps=" ".join(map(str, STEPS)),
        )


def _known(position: Position) -> str:
    """The text of a position without the luck of its game."""
    return as_text({name: words for name, words in position.lines().items() if name not in AFTER})


def _head(setup: Setup) -> dict[str, list[str]]:
    return {name: [text] for name, text in setup.fields().items()}


def _field(one: Field, given: Mapping[str, list[str]], palettes: dict[tuple[str, ...], int]) -> dict[str, Any]:
    """A field for the template; places with the same cards share a palette."""
    cards = one.kind == CARDS
    palette = palettes.setdefault(tuple(one.names), len(palettes) + 1) if cards else 0
    return {
        "place": one.place,
        "kind": one.kind,
        "allowed": one.allowed,
        "limits": one.limits,
        "palette": palette,
        "example": _short(one.example),
        "usual": one.usual,
        "value": ", ".join(given.get(one.place, [])),
    }


def _short(example: str) -> str:
    """The first cards of an example."""
    return example if len(example) <= MOST_EXAMPLE else example[:MOST_EXAMPLE].rpartition(",")[0]


def _drawn(faces: Mapping[str, Mapping[str, Any]], name: str) -> Markup | str:
    known = faces.get(name)
    return Markup(face(known, here().say)) if known else ""


def _advice(position: Position, worlds: int) -> dict[str, Any]:
    if not 1 <= worlds <= STEPS[-1]:
        raise PositionError(f"worlds: allowed: 1 to {STEPS[-1]:,}")
    advice = houle.advise(position, worlds=worlds)
    return {
        "verdict": verdict(advice, more=False),
        "why": [*filter(None, [plain_reason(advice)])],
        "rows": [{"words": from_1(move.name), "win": move.win.text()} for move in advice.moves],
        "worlds": advice.games,
        "seat": position.seat + 1,
    }
