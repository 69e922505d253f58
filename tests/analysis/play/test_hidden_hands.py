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
from houle.solver.rules import Setup, make_setup
from houle.solver.rules.game_folders import VARIABLE, _homes
from tests.support.call import good

pytestmark = [pytest.mark.quick, pytest.mark.skipif(JIT, reason="compiling the game takes longer than all of it")]

NAME = "lamp_row"


@pytest.fixture
def clues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setup:
    """The game of clues that `houle new` writes, for two."""
    good("new", "lamp-row", "--compiled", "--like", "clues", "--in", str(tmp_path))
    monkeypatch.setenv(VARIABLE, str(tmp_path / "lamp-row" / NAME))
    monkeypatch.delitem(sys.modules, NAME, raising=False)
    _homes.cache_clear()
    return make_setup("lamp-row", 2)


def course(setup: Setup, *wanted: str) -> Course:
    """A game of two people after these moves."""
    match, places = Match(setup, 4), list[int]()
    for name in wanted:
        places.append(match.names().index(name))
        match.apply(match.moves()[places[-1]])
    return Course(Sitting(setup, seed=4, game=0, seats=(PERSON, PERSON), moves=tuple(places)))


def test_own_cards_are_backs_with_facts(clues: Setup) -> None:
    """Seat 1 has told seat 2 a limit; seat 2 sees backs with it, and the cards of seat 1."""
    told = [name for name in Match(clues, 4).names() if name.startswith("tell seat 2")][-1]
    view = seat_view(course(clues, told))
    rows = {row["label"]: row for row in view.rows}
    own, others = rows["your hand"]["cards"], rows["hand of player 1"]["cards"]
    assert [card["top"] for card in own] == [str(place + 1) for place in range(len(own))]
    assert len(own) == len(others) > 2
    assert all(card["hidden"] and card["known"] for card in own)
    assert len({card["known"] for card in own}) == 2  # below the limit, or from it
    assert not {"name", "typed"} & {key for card in own for key in card}
    assert all(card["top"] == card["typed"] and "known" not in card for card in others)
    assert [heard.words for heard in view.news] == [told]
    assert spoken_name(own[0]) == f"face-down card 1, known: {own[0]['known']}"
    assert f">{own[0]['known']}</text>" in face(own[0])


def test_backs_carry_the_moves_of_their_place(clues: Setup) -> None:
    view = seat_view(course(clues))
    own = next(row["cards"] for row in view.rows if row["label"] == "your hand")
    by_kind = {choice.kind: choice.words for choice in view.choices}
    for place, card in enumerate(own, 1):
        assert {by_kind[kind] for kind in card["moves"]} == {f"lay card {place}", f"throw card {place}"}
