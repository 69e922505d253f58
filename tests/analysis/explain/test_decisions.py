"""Decisions: equal moves do not matter, the right move does, and intervals cover."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.blocks import sentence
from houle.analysis.explain.decisions import check_judge, decisions
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.clusters import clustered_mean, per_cluster
from houle.analysis.stats.intervals import ratio
from houle.solver.errors import StrategyError
from houle.solver.players.names import parse
from houle.solver.rules import make_setup
from tests.support.repeated import check_coverage, repeated
from tests.support.toys import toy, toy_player

pytestmark = pytest.mark.compiled

FLAT = toy_player("flat:40")


@pytest.mark.quick
def test_clustered_means_are_ratio_estimates() -> None:
    draws = np.random.default_rng(3)
    sizes = draws.integers(0, 9, 50)
    cluster = np.repeat(np.arange(50), sizes)
    values = draws.integers(0, 4, len(cluster)).astype(float)
    points = np.bincount(cluster, values, minlength=50).astype(int)
    parts = (points.sum(), sizes.sum(), points @ points, points @ sizes, sizes @ sizes)
    plain, found = ratio(50, tuple(map(int, parts))), clustered_mean(values, cluster, 50)
    assert (found.value, found.low, found.high, found.n) == pytest.approx((plain.value, plain.low, plain.high, plain.n))
    assert per_cluster(values, cluster, 50).value == pytest.approx(points.mean())


@repeated(15, 60)
def test_equal_moves_do_not_matter(runs: int) -> None:
    """Moves that are equal on average but not in every world: every measure covers 0 as often as it says."""
    setup = toy("equal")
    hits = dict.fromkeys(("second", "random", "share"), 0)
    mistaken = 0.0
    for run in range(runs):
        whole = decisions(setup, FLAT, RunSpec(20, seed=run, threads=1)).whole
        assert (whole.decisions, whole.choices) == (120, 120)
        for name in hits:
            hits[name] += whole.estimates[name].low <= 0 <= whole.estimates[name].high
        mistaken += whole.estimates["matters"].value / runs
    check_coverage(min(hits.values()), runs, 0.92)
    assert mistaken < 0.01  # what a 99% interval of each decision allows


def test_the_right_move_is_all_that_matters() -> None:
    """Three moves of which one wins a point in six: it has 1/6 more utility than the others, in every world."""
    result = decisions(toy("solved"), FLAT, RunSpec(10, threads=1))
    whole = result.whole.estimates
    assert whole["second"].value == pytest.approx(1 / 6)
    assert whole["random"].value == pytest.approx(1 / 9)
    assert whole["matters"].value == pytest.approx(1)
    assert whole["matter_per_game"].value == pytest.approx(6)
    assert whole["per_game"].value == 6
    assert whole["forced"].value == 0
    (said,) = map(sentence, result.sentences())
    assert said.startswith("A game of players who follow every rule of thumb has 6.0 (4.4 to 7.6) decisions.")
    assert "Of the others at least 100% (66 to 100) matter" in said


def test_decisions_of_wave() -> None:
    setup = make_setup("wave", 3, settings={"talk": "known"})
    result = decisions(setup, parse("flat:20"), RunSpec(2, seed=5, threads=1))
    again = decisions(setup, parse("flat:20"), RunSpec(2, seed=5, threads=2))
    assert (result.log == again.log).all()
    assert result.digest == again.digest
    groups = {group.label: group for group in result.phases}
    assert sum(group.decisions for group in result.phases) == len(result.log)
    forced = (result.log.kinds == 1).mean()
    assert result.whole.estimates["forced"].value == pytest.approx(forced)
    assert groups["90 to 100%"].estimates["kinds"].value < groups["0 to 10%"].estimates["kinds"].value
    assert result.whole.estimates["random"].low > 0
    data = result.as_json()
    assert [group["group"] for group in data["groups"]][:2] == ["all", "0 to 10%"]
    assert data["groups"][0]["matters"]["n"] == result.whole.choices


def test_long_games_fit_into_the_log() -> None:
    result = decisions(toy("equal", decisions=200), toy_player("flat:20"), RunSpec(3, threads=1))
    assert len(result.log) == 600
    assert (result.log.ply.reshape(3, 200) == np.arange(200)).all()


@pytest.mark.quick
def test_only_flat_search_judges() -> None:
    with pytest.raises(StrategyError, match="'thumb' cannot judge moves; allowed: flat:N"):
        check_judge(parse("thumb"))
    with pytest.raises(StrategyError, match="flat:20 or more"):
        check_judge(parse("flat:8"))
