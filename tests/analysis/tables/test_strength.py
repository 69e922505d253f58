"""Strength: one better player among weaker ones, on the same deals; players left out and weak searches are named."""

from __future__ import annotations

import pytest

from houle import strength
from houle.analysis.blocks import sentence
from houle.analysis.players.line_ups import playable
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.tables.strength import doubt, pair_of, play_strength
from houle.solver.errors import StrategyError
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled


def test_better_players_win_more_in_wave() -> None:
    setup = make_setup("wave", 3)
    strategies, left_out = playable(setup, ("random", "family", "thumb"))
    assert left_out == []
    found = play_strength(setup, strategies, RunSpec(1500, seed=3))
    random, family, thumb = found.of("win")
    assert random.value.high < family.value.low < family.value.high < thumb.value.low
    assert random.change is None
    for row, weaker in ((family, random), (thumb, family)):
        assert row.change is not None
        assert row.change.low > 0
        assert row.change.value == pytest.approx(row.value.value - weaker.value.value)
        assert row.against == weaker.label
    points = found.row("thumb", "score")
    assert points is not None
    assert points.change is not None
    assert points.change.high < 0


@pytest.mark.quick
def test_players_left_out_are_named() -> None:
    setup = make_setup("wave", 3)
    players, left_out = playable(setup, ("random", "thumb[weights=nobody]"))
    assert [one.text for one in players] == ["random"]
    assert left_out[0][0] == "thumb[weights=nobody]"
    assert "no weights 'nobody'" in left_out[0][1]


def test_every_weaker_player_is_met() -> None:
    """A search meets only the next weaker one, on fewer deals."""
    setup = make_setup("vague-verte", 3)
    players, _ = playable(setup, ("random", "family", "seasoned", "flat:4"))
    found = play_strength(setup, players, RunSpec(60, seed=3), searched=6)
    assert [(row.label, row.against) for row in found.of("win")] == [
        ("family", "random"),
        ("seasoned", "random"),
        ("seasoned", "family"),
        ("flat:4", "seasoned"),
    ]
    pair = pair_of(found, "seasoned", "family")
    assert pair is not None
    again = strength(setup, strategies="family,seasoned", games=60, seed=3).of("win")[0]
    assert (again.value, again.change) == (pair.value, pair.change)
    assert found.of("win")[-1].value.n == 6
    said = [sentence(block) for block in found.sentences]
    assert said[0].startswith("A seasoned player wins ")
    assert said[0].endswith(" of games against two family players; an equal share is 33.3%.")
    assert len(said) == 2  # and the search


@pytest.mark.quick
def test_one_player_cannot_be_compared_with_rivals() -> None:
    with pytest.raises(StrategyError, match="give at least two, the weakest first; given: family"):
        strength(make_setup("land-unter", 4), strategies="family", games=10)


def test_competitors_play_from_every_seat() -> None:
    found = strength(make_setup("land-unter", 4), strategies=["random", "random"], games=200)
    assert found.sample.games == 800
    (only,) = found.of("win")
    assert only.value.value == pytest.approx(0.25)
    assert (only.value.low, only.value.high) == pytest.approx((0.25, 0.25))  # equal players share every win


def test_gains_are_above_a_fair_share() -> None:
    """Of games that somebody wins: games without a winner are no loss."""
    equal = strength(make_setup("vague-verte", 3), strategies=["thumb", "thumb"], games=300).of("win")[0]
    assert equal.change is not None
    assert equal.value.high < 1 / 3
    assert equal.change.value == pytest.approx(0)
    better = strength(make_setup("land-unter", 4), strategies=["random", "thumb"], games=100).of("win")[0]
    assert better.change is not None
    assert better.change.value == pytest.approx(better.value.value - 0.25)
    assert better.change.low == pytest.approx(better.value.low - 0.25, abs=0.02)


WAVE = make_setup("wave", 3)  # fewer cards left are better

LESS, MORE, UNSURE = (
    Estimate(*ends, 100, POINTS) for ends in ((-0.05, -0.08, -0.02), (0.05, 0.02, 0.08), (0.0, -0.1, 0.1))
)

FEWER, FURTHER, EITHER = Estimate(-3, -5, -1, 100), Estimate(30, 20, 40, 100), Estimate(0, -1, 1, 100)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("strategy", "below", "wins", "score", "part"),
    [
        ("flat:20", "thumb", LESS, EITHER, "its wins differ by -5 points (-8 to -2)."),
        ("flat:20", "thumb", UNSURE, FURTHER, "its cards left differs by 30 (20 to 40)"),
        ("ismcts:50", "thumb", LESS, None, "its options: houle players wave"),
        ("flat:20", "thumb", MORE, FEWER, ""),
        ("flat:20", "thumb", UNSURE, EITHER, ""),
        ("flat:20", "thumb", None, None, ""),
        ("flat:20", "", LESS, FURTHER, ""),
        ("thumb", "random", LESS, FURTHER, ""),
        ("ismcts:50", "flat:20", LESS, FURTHER, ""),
    ],
)
def test_the_warning_of_a_weak_search_needs_certainty(
    strategy: str, below: str, wins: Estimate | None, score: Estimate | None, part: str
) -> None:
    said = doubt(WAVE, strategy, below, wins, more_score=score)
    assert part in said
    assert bool(said) == bool(part)
