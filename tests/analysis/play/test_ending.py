"""Why a game was won or lost, in one sentence to a player."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.play.ending import because, to_player
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import read_record

pytestmark = pytest.mark.compiled


def ended(game: str) -> Match:
    return read_record(houle.trace(game, strategies="family", seed=7, game=3).record().as_text()).played().match


@pytest.mark.parametrize(
    ("game", "seat", "sentence"),
    [
        ("wave", 0, "You lost because you are stuck with "),
        ("wave", 1, "You lost because seat 1 is stuck with "),
        ("sea-change", 1, "You won because you reached 3 victory points."),
        ("land-unter", 2, "You lost because seat 2 has 5 points, you have 3 points."),
        ("land-unter", 1, "You won because you have 5 points, seat 1 has 3 points."),
        ("vague-verte", 0, "You lost because seat 2 reaches the end of the road in turn 20."),
        ("vague-attaque", 2, "You won because you win with 2 validated places in turn 33."),
    ],
)
def test_why_it_was_won_or_lost(game: str, seat: int, sentence: str) -> None:
    assert because(ended(game), seat).startswith(sentence)


@pytest.mark.quick
def test_a_seat_is_addressed_as_you() -> None:
    assert to_player("seat 1 takes it, seat 2 has 3, seat 12 misses", 0) == "you take it, seat 2 has 3, seat 12 misses"
    assert to_player("a point for seat 2", 1) == "a point for you"
