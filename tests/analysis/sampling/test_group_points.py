"""Groups of people in comparisons, sweeps and designs: their own uncertainty goes with every number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import houle
from houle.analysis.comparison.confirmation import confirm_cell
from houle.analysis.measures.measures import difference, estimate
from houle.analysis.measures.targets import PERHAPS, parse_target
from houle.analysis.players.groups import Group, save_group
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.plane import DRAWN
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.group_points import STRIDES, at_points, games_per_point
from houle.analysis.sampling.paired_arms import play_arms
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.spread import spread
from houle.solver.errors import InputError
from houle.solver.rules import make_setup

pytestmark = pytest.mark.quick

# A quick group: it never thinks, but how much it slips is open.
POINTS = tuple((60.0 - 3 * one, 0.0) for one in range(DRAWN))


@pytest.fixture(autouse=True)
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOULE_CONFIG_DIR", str(tmp_path))
    save_group(Group("open", 30, 0, POINTS, 0, 10))
    save_group(Group("sure", 30, 0, ((30.0, 0.0),) * DRAWN, 0, 10_000))


def arms(*players: str) -> list[Arm]:
    setups = make_setup("wave", 3), make_setup("wave", 3, (), {"hand.back": 4})
    return [Arm(line_up(setup, who)) for who in players for setup in setups]


def test_spread_holds_every_point_and_the_noise() -> None:
    rng = np.random.default_rng(2)
    truth, held = 0.3, []
    for _ in range(400):  # without doubt about the group only the noise of its games is left
        rates = rng.binomial(50, truth, DRAWN) / 50
        each = 1.96 * np.sqrt(rates * (1 - rates) / 50)
        whole = spread([Estimate(rate, rate - half, rate + half, 50, PERCENT)
                        for rate, half in zip(rates, each, strict=True)])  # fmt: skip
        held.append(whole.low <= truth <= whole.high)
    assert np.mean(held) >= 0.95


def test_points_share_the_games_of_a_player() -> None:
    assert games_per_point(20_000) * DRAWN == 20_000
    assert games_per_point(200) == 50
    assert games_per_point(10) == 10
    assert all(len({one * stride % DRAWN for one in range(DRAWN)}) == DRAWN for stride in STRIDES)


@pytest.mark.compiled
def test_estimates_have_the_uncertainty_of_the_group() -> None:
    spec = RunSpec(500)
    plain = play_arms(arms("open", "sure", "family"), spec)
    played = at_points(plain, spec)
    narrow, wide, known = (estimate(one, number, "win") for one, number in ((plain, 1), (played, 1), (played, 3)))
    assert wide.half > 3 * narrow.half
    assert known.half < wide.half / 2
    assert difference(played, 1, "win").interval.half > 2 * difference(plain, 1, "win").interval.half
    assert at_points(play_arms(arms("family"), RunSpec(10)), RunSpec(10)).points == ()


@pytest.mark.compiled
def test_a_target_is_not_certain_for_a_group_that_is_not_known() -> None:
    (_, arm), spec = arms("open"), RunSpec(2_000)
    measured = {"win": estimate(play_arms([arm], spec), 0, "win")}
    middle = 100 * measured["win"].value
    target = parse_target(f"win={middle - 4:.0f}..{middle + 4:.0f}%@open")
    cell = confirm_cell(arm, 0, measured, [target], spec)
    assert cell is not None
    assert cell.target == PERHAPS


def test_a_run_that_stops_when_decided_refuses_groups() -> None:
    with pytest.raises(InputError, match="until_decided: not possible for open: more games do not tell more"):
        houle.compare("wave", strategies=["open", "family"], until_decided=True)
