"""Decisions: nothing hangs on equal moves, everything on the right one, and intervals hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.stats.clusters import clustered_mean, clustered_share, per_cluster
from houle.analysis.stats.intervals import ratio
from houle.analysis.strategy.decisions import note_decisions, searching
from houle.solver.errors import InputError
from houle.solver.ruleset import make_setup
from tests.support.toys import toy, toy_player

FLAT = toy_player("flat:80")


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


def test_clustered_shares_cover_as_often_as_they_say() -> None:
    """40 games of 6 decisions that are alike within a game; 1,000 runs."""
    draws = np.random.default_rng(4)
    cluster = np.repeat(np.arange(40), 6)
    covered = 0
    for _ in range(1000):
        chances = np.repeat(draws.beta(1, 3, 40), 6)
        found = clustered_share((draws.random(240) < chances).astype(float), cluster, 40)
        covered += found.low <= 0.25 <= found.high
    assert 0.93 <= covered / 1000 <= 0.985


def test_equal_moves_read_nothing() -> None:
    """Moves that are equal on average but not in every world: every measure covers 0 as often as it says."""
    setup = toy("equal")
    hits = dict.fromkeys(("second", "random", "thumb", "share", "matters", "matter_per_game"), 0)
    runs = 60
    for run in range(runs):
        whole = note_decisions(setup, FLAT, 20, seed=run, threads=1).whole
        assert (whole.decisions, whole.choices) == (120, 120)
        for name in hits:
            hits[name] += whole.estimates[name].low <= 0 <= whole.estimates[name].high
    assert min(hits.values()) >= 0.9 * runs, hits


def test_moves_that_never_differ_read_nothing_at_all() -> None:
    whole = note_decisions(toy("dealt"), FLAT, 20, threads=1).whole
    for name in ("second", "random", "thumb", "share", "matters", "matter_per_game"):
        assert whole.estimates[name].value == pytest.approx(0, abs=1e-6)
    assert whole.estimates["matters"].high > 0.01  # 20 games are no proof of never


def test_the_right_move_is_all_that_matters() -> None:
    """Three moves of which one wins a point in six: it is worth 1/6 more than the others, in every world."""
    found = note_decisions(toy("solved"), FLAT, 10, threads=1)
    whole = found.whole.estimates
    assert whole["second"].value == pytest.approx(1 / 6)
    assert whole["random"].value == pytest.approx(1 / 9)
    assert whole["thumb"].value == pytest.approx(0)
    assert whole["matters"].value == pytest.approx(1)
    assert whole["matter_per_game"].value == pytest.approx(6)
    assert whole["per_game"].value == 6
    assert whole["forced"].value == 0
    assert [group.label for group in found.groups if group.part == "seat"] == ["seat 0", "seat 1"]
    assert [group.decisions for group in found.groups if group.part == "seat"] == [30, 30]


def test_a_game_of_the_house() -> None:
    setup = make_setup("wave", 3)
    found = note_decisions(setup, "flat:20", 12, seed=5, threads=1)
    again = note_decisions(setup, "flat:20", 12, seed=5, threads=2)
    assert (found.log == again.log).all()
    assert found.digest == again.digest
    groups = {group.label: group for group in found.groups}
    assert sum(group.decisions for group in found.groups if group.part == "phase") == len(found.log)
    assert sum(group.decisions for group in found.groups if group.part == "seat") == len(found.log)
    forced = (found.log.kinds == 1).mean()
    assert found.whole.estimates["forced"].value == pytest.approx(forced)
    assert groups["90 to 100%"].estimates["kinds"].value < groups["0 to 10%"].estimates["kinds"].value
    assert found.whole.estimates["random"].low > 0
    frame = found.frame()
    assert len(frame) == 1 + 10 + 3
    assert set(frame["part"]) == {"all", "phase", "seat"}
    assert frame["matters_low"].notna().all()
    assert found.as_json()["groups"][0]["matters"]["n"] == found.whole.choices


def test_long_games_find_room_for_their_notes() -> None:
    found = note_decisions(toy("equal", decisions=200), toy_player("flat:20"), 3, threads=1)
    assert len(found.log) == 600
    assert (found.log.ply.reshape(3, 200) == np.arange(200)).all()


def test_only_flat_search_can_say() -> None:
    with pytest.raises(InputError, match="'thumb' cannot say what a move is worth; allowed: flat:N"):
        searching("thumb")
    with pytest.raises(InputError, match="flat:20 or more"):
        searching("flat:8")
