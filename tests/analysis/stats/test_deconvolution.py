"""Deconvolution: the share of true gains beyond a size does not depend on the noise."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.stats import deconvolution
from houle.analysis.stats.deconvolution import Gains, share_beyond
from tests.support.repeated import repeated

pytestmark = pytest.mark.quick


@pytest.fixture(autouse=True)
def few_resamples(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rougher intervals are enough here, except in slow tests."""
    if request.node.get_closest_marker("slow") is None:
        monkeypatch.setattr(deconvolution, "RESAMPLES", 20)


def measured(draws: np.random.Generator, values: np.ndarray, worlds: int, noise: float) -> Gains:
    """True values of options, a row per choice: the best is chosen on some worlds and measured on as many others."""
    error = noise / np.sqrt(worlds)
    chosen = (values + draws.normal(0, error, values.shape)).argmax(axis=1)
    gains = values[np.arange(len(values)), chosen] - values.mean(axis=1)
    options = np.full(len(values), values.shape[1])
    return Gains(gains + draws.normal(0, error, len(values)), options, error, error)


@pytest.mark.compiled
@repeated(1200, 2400)
@pytest.mark.parametrize("shape", ["few large", "many small", "spread out"])
def test_the_share_is_the_same_at_any_budget(shape: str, runs: int) -> None:
    """Choices of four options; at 20 worlds the error is larger than a gain that matters."""
    draws = np.random.default_rng(3)
    found = []
    for worlds in (20, 50, 200):
        size = {
            "few large": np.where(draws.random((runs, 1)) < 0.3, 0.15, 0.005),
            "many small": np.full((runs, 1), 0.03),
            "spread out": draws.exponential(0.06, (runs, 1)),
        }[shape]
        values = size * draws.normal(size=(runs, 4))
        truth = float((values.max(axis=1) - values.mean(axis=1) >= 0.05).mean())
        share, each = share_beyond(measured(draws, values, worlds, 0.3), np.arange(runs) // 20, runs // 20, 0.05)
        assert share.value == pytest.approx(truth, abs=0.1), worlds
        assert each.value == pytest.approx(20 * share.value)
        found.append(share)
    loud = [float((gains.values >= 0.05).mean()) for gains in (measured(draws, np.zeros((runs, 4)), 20, 0.3),)]
    assert loud[0] > 0.15  # what counting would say of choices that are worth nothing
    assert found[0].half > found[2].half


def test_equal_options_give_a_share_of_zero() -> None:
    draws = np.random.default_rng(4)
    for worlds in (20, 200):
        share, each = share_beyond(measured(draws, np.zeros((800, 3)), worlds, 0.3), np.arange(800) // 20, 40, 0.05)
        assert share.low == 0
        assert share.value < 0.001
        assert 0 < share.high < 0.1  # as of 40 games none of which had such a choice
        assert each.low == 0


@pytest.mark.compiled
def test_large_errors_do_not_halve_the_share() -> None:
    """As in Sea Change: most choices gain little, a few gain much, and errors are three times the gains."""
    draws = np.random.default_rng(6)
    found = []
    for worlds in (20, 50, 200):
        values = draws.gamma(0.5, 0.04, (2000, 1)) * draws.normal(size=(2000, 4))
        found.append(share_beyond(measured(draws, values, worlds, 0.26), np.arange(2000) // 160, 13, 0.05)[0])
    truth = float((values.max(axis=1) - values.mean(axis=1) >= 0.05).mean())
    for one in found:
        assert one.low <= truth <= one.high
        assert all(one.low <= other.value <= one.high for other in found)


def test_no_choices_give_no_estimate() -> None:
    nothing = Gains(np.zeros(0), np.zeros(0, np.int64), 0.1, 0.1)
    share, _ = share_beyond(nothing, np.zeros(0, np.int64), 5, 0.05)
    assert (share.low, share.high, share.n) == (0, 1, 0)
