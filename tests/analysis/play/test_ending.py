"""Why a game was won or lost, in one sentence to a player."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.measures.goal import Goal
from houle.analysis.play.ending import because, side_results
from houle.analysis.play.link import link_of, read_link
from houle.analysis.play.table_game import sit_down
from houle.solver.errors import InputError
from houle.solver.language.seats import seat_names, with_names
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import read_record

pytestmark = pytest.mark.compiled


def ended(game: str) -> Match:
    return (
        read_record(
            houle.trace(game, strategies="thumb[forgets=15,nearsighted=40,loses_count=15]", seed=7, game=3)
            .record()
            .as_text()
        )
        .played()
        .match
    )


@pytest.mark.parametrize(
    ("game", "seat", "sentence"),
    [
        ("wave", 0, "You lost because you are stuck with "),
        ("wave", 1, "You lost because surfer 1 is stuck with "),
        ("sea-change", 1, "You won because you reached 3 victory points."),
        ("land-unter", 2, "You lost because player 2 has 5 points, you have 3 points."),
        ("land-unter", 1, "You won because you have 5 points, player 1 has 3 points."),
        ("vague-verte", 0, "You lost because player 2 reaches the end of the road in turn 20."),
        ("vague-attaque", 2, "You won because you win with 2 validated places in turn 33."),
    ],
)
def test_why_it_was_won_or_lost(game: str, seat: int, sentence: str) -> None:
    assert because(ended(game), seat).startswith(sentence)


def test_scores_are_not_won(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the score is the goal, the end says the score, and nobody has won or lost."""
    monkeypatch.setattr(Goal, "is_score", True)
    match = ended("land-unter")
    assert because(match, 1) == "You scored 5 points."
    assert {side.verdict for side in side_results(match.setup, match.result())} == {""}


@pytest.mark.quick
def test_a_seat_is_addressed_as_you() -> None:
    names = ["you", "Ana", *(f"player {seat}" for seat in range(3, 13))]
    words = "seat 1 takes it, seat 2 has 3, seat 12 misses, a point for seat 1, seat 1's card, the hand of seat 1"
    heard = "you take it, Ana has 3, player 12 misses, a point for you, your card, your hand"
    assert with_names(words, names) == heard
    assert with_names("seat 1 misses a turn and seat 1 passes", names) == "you miss a turn and you pass"
    assert with_names("seat 1 has level 7 and loses a belt", names) == "you have level 7 and lose a belt"
    assert with_names("seat 1 has no cards and is skipped", names) == "you have no cards and are skipped"


@pytest.mark.quick
def test_names_are_for_people() -> None:
    wave = houle.setup("wave")
    assert seat_names(wave, 1, ["Ana", "Bob"]) == ["Ana", "you", "surfer 3"]
    sitting = sit_down(wave, ("person", "thumb", "thumb"), 7, names=["", " Ana  Lu "])
    assert sitting.names == ("", "Ana Lu")
    assert sitting.called == ("", "Ana Lu", "Malo")
    assert sit_down(wave, ("person", "thumb", "thumb"), 7, names=["Malo"]).called == ("Malo", "Moana", "")
    assert read_link(link_of(sitting)) == sitting
    for name in ("x" * 21, "a,b", "<b>", "seat 2"):
        with pytest.raises(InputError, match="names: "):
            sit_down(wave, ("person", "thumb", "thumb"), 7, names=[name])
