"""The seat gap: its interval, what it says about fairness, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import houle
from houle.analysis.blocks import sentence
from houle.analysis.explain.seats import fairness
from houle.analysis.stats.estimate import GAP, POINTS, Estimate
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.analysis.stats.moments import Moments
from houle.analysis.stats.seat_gap import SeatGap, fair_margin, seat_gap, seat_gap_of
from houle.solver.errors import InputError
from houle.solver.run.tally import Tally
from tests.support.amounts import check_coverage, repeated

pytestmark = pytest.mark.quick


def games_of(games: int, generator: np.random.Generator, odds: Sequence[float]) -> Any:
    """Shares of the win, a row for each game: one in five is shared by two sides, one in ten has no winner."""
    rows = np.zeros((games, len(odds)), np.int64)
    for game in range(games):
        kind = generator.random()
        if kind < 0.7:
            rows[game, generator.choice(len(odds), p=odds)] = WHOLE_WIN
        elif kind < 0.9:
            rows[game, generator.choice(len(odds), 2, replace=False, p=odds)] = WHOLE_WIN // 2
    return rows


def gap_of(rows: Any) -> SeatGap:
    return seat_gap(Moments.of(range(rows.shape[1]), rows))


def tally_of(rows: Any) -> Tally:
    moments = np.rec.fromarrays([rows.sum(axis=0), (rows**2).sum(axis=0)], names="share,share_squared")
    return SimpleNamespace(games=len(rows), draws=int((rows.sum(axis=1) == 0).sum()), moments=moments)  # type: ignore[return-value]


@repeated(100, 400)
def test_interval_holds_the_true_gap(runs: int) -> None:
    """Of equal seats it reaches down to 0; of a seat that wins 10 points more it holds these."""
    generator = np.random.default_rng(5)
    for odds, truth in (([1 / 3] * 3, 0.0), ([0.4, 0.3, 0.3], 0.9 * 0.1)):
        found = [gap_of(games_of(120, generator, odds)).interval for _ in range(runs)]
        check_coverage(sum(one.low <= truth + 0.005 and truth - 0.005 <= one.high for one in found), runs, 0.9, 1.0)


def test_a_better_seat_is_named() -> None:
    gap = gap_of(games_of(900, np.random.default_rng(6), [0.25, 0.5, 0.25]))
    assert (gap.best, gap.verdict()) == (1, "unfair")
    assert gap.worst in (0, 2)


def test_a_tally_of_two_sides_gives_the_same_gap() -> None:
    """All that is won is won by these two, so the products that a tally lacks are known."""
    rows = games_of(300, np.random.default_rng(7), [0.45, 0.55])
    assert seat_gap_of(tally_of(rows)) == gap_of(rows)


def test_a_tally_of_three_sides_gives_a_wider_gap() -> None:
    rows = games_of(300, np.random.default_rng(7), [0.2, 0.5, 0.3])
    wide, narrow = seat_gap_of(tally_of(rows)).interval, gap_of(rows).interval
    assert 0 < wide.low < narrow.low < narrow.high < wide.high


def test_one_game_says_nothing() -> None:
    found = gap_of(games_of(1, np.random.default_rng(1), [1 / 3] * 3)).interval
    assert (found.low, found.high) == (0, 1)


@pytest.mark.parametrize(
    ("low", "high", "players", "words"),
    [
        (0.0, 0.03, 3, "the seats are fair: {} the best seat wins at most 3.0 points more than the worst {}"),
        (0.005, 0.023, 3, "the seats are fair: {} the best seat wins 0.5 to 2.3 points more than the worst {}"),
        (0.031, 0.0801, 3, "the seats are not fair: {} seat 3 wins 3 to 9 points more than seat 1 {}"),
        (
            0.01,
            0.041,
            3,
            "the seats differ; whether by more than 3 points these games do not say: {} the best seat wins 1.0 to 4.1 "
            "points more than the worst. About 15,000 games would tell.",
        ),
        (
            0.0,
            0.041,
            3,
            "not known yet whether the seats are fair: {} the best seat wins at most 4.1 points more than the worst "
            "{}. About 15,000 games would tell.",
        ),
        (0.0, 0.02, 6, "the seats are fair: {} the best seat wins at most 2.0 points more than the worst {}"),
    ],
)
def test_sentence_follows_from_the_interval(low: float, high: float, players: int, words: str) -> None:
    gap = SeatGap(Estimate((low + high) / 2, low, high, n=1_000, unit=GAP), best=2, worst=0, sides=players)
    counts = "(up to 3 counts as fair)" if players < 6 else "(up to 3 counts as fair, of an equal share of 16.7%)"
    setup = houle.setup("sea-change", players=players)
    assert sentence(fairness(gap, setup, ["family"] * players, 0.03)) == words.format("between families", counts)


def test_sentence_about_teams_and_mixed_players() -> None:
    gap = SeatGap(Estimate(0.1, 0.05, 0.15, n=1_000, unit=GAP), best=1, worst=0, sides=2)
    teams = houle.setup("sea-change", players=4, variants=["2v2"])
    assert "the teams are not fair: between families team 2 wins 5 to 15 points" in sentence(
        fairness(gap, teams, ["family"] * 4, 0.03)
    )
    mixed = sentence(fairness(gap, teams, ["family", "expert"] * 2, 0.03))
    assert mixed.startswith("the teams or their players make a difference: between ")


def test_more_games_are_asked_for_where_these_did_not_tell() -> None:
    for games, needed in ((1_000, 12_000), (40_000, 160_000)):
        assert SeatGap(Estimate(0.02, 0.0, 0.04, n=games, unit=GAP), 0, 1, 4).games_needed() == needed


def test_a_gap_shows_no_value() -> None:
    gap = Estimate(0.02, 0.01, 0.03, n=500, unit=GAP)
    assert gap.as_json() == {"value": None, "low": 0.01, "high": 0.03, "n": 500}
    assert math.isnan(gap.columns("gap")["gap"])  # type: ignore[arg-type]
    assert gap.difference(Estimate(0.01, 0.0, 0.02, n=400, unit=GAP)) == Estimate(0.01, -0.01, 0.03, n=400, unit=POINTS)


@pytest.mark.parametrize("margin", [0, -1, 101, math.nan, True])
def test_an_impossible_margin_is_refused(margin: float) -> None:
    with pytest.raises(InputError, match=r"--margin: .* is not allowed; allowed: a number above 0, at most 100"):
        fair_margin(margin)
