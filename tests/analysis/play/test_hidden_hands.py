"""The table of a game in which everybody but its player sees a hand: backs with facts and moves, names of cards."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from houle.analysis.play.seat_view import seat_view
from houle.analysis.play.table_game import PERSON, Course, Sitting
from houle.cli.play.table import spoken_name
from houle.reports.cards import face
from houle.solver.compiler.kernels import JIT
from houle.solver.matches.match import Match
from houle.solver.matches.record.notes import seen_rows
from houle.solver.rules import Setup, make_setup
from houle.solver.rules.game_folders import VARIABLE, _homes

pytestmark = [pytest.mark.quick, pytest.mark.skipif(JIT, reason="compiling the game takes longer than all of it")]

FOLDER = Path(__file__).parents[3] / "examples" / "games" / "parcels" / "parcels"


@pytest.fixture
def parcels(monkeypatch: pytest.MonkeyPatch) -> Setup:
    monkeypatch.setenv(VARIABLE, str(FOLDER))
    monkeypatch.delitem(sys.modules, "parcels", raising=False)
    _homes.cache_clear()
    return make_setup("parcels", 2)


def course(setup: Setup, *wanted: str) -> Course:
    """A game of two people after these moves."""
    match, places = Match(setup, 4), list[int]()
    for name in wanted:
        places.append(match.names().index(name))
        match.apply(match.moves()[places[-1]])
    return Course(Sitting(setup, 4, 0, (PERSON, PERSON), tuple(places)))


def test_own_cards_are_backs_with_facts(parcels: Setup) -> None:
    """Seat 1 has told seat 2 a town; seat 2 sees backs with it, and the cards of seat 1."""
    told = next(name for name in Match(parcels, 4).names() if name.startswith("tell seat 2"))
    view = seat_view(course(parcels, told))
    rows = {row["label"]: row for row in view.rows}
    own, others = rows["your hand"]["cards"], rows["hand of player 1"]["cards"]
    assert [card["top"] for card in own] == ["1", "2", "3", "4", "5"]
    assert all(card["hidden"] and card["known"] in (told[-1], f"not {told[-1]}", "B|C|D") for card in own)
    assert not {"name", "typed"} & {key for card in own for key in card}
    assert all(len(card["top"]) == 2 and card["top"] == card["typed"] and "known" not in card for card in others)
    assert [heard.words for heard in view.news] == [told]
    assert spoken_name(own[0]) == f"face-down card 1, known: {own[0]['known']}"
    assert f">{own[0]['known']}</text>" in face(own[0])
    assert f"? [{own[0]['known']}] ? [" in seen_rows(course(parcels, told).match, 1)["your hand"]


def test_backs_carry_the_moves_of_their_place(parcels: Setup) -> None:
    view = seat_view(course(parcels))
    own = next(row["cards"] for row in view.rows if row["label"] == "your hand")
    by_kind = {choice.kind: choice.words for choice in view.choices}
    for place, card in enumerate(own, 1):
        words = {by_kind[kind] for kind in card["moves"]}
        assert words == {*(f"load {place} for {town}" for town in "ABCD"), f"send back {place}"}
