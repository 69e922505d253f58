"""Measures: means over games, and rates between 0 and 1, from a tally or from single games."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from houle.analysis.measures.measures import MEASURES, estimate
from houle.analysis.sampling.experiment import NAMES
from houle.analysis.stats.intervals import wilson
from tests.support.synthetic import SETUP, played, rows_of

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("share", [0, 0.05, 0.95, 1])
@pytest.mark.parametrize("name", [name for name, measure in MEASURES.items() if measure.rate])
def test_every_rate_is_between_0_and_1(name: str, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if it is read from single games, as a new measure that no tally knows."""
    rows = rows_of(np.zeros(40, np.int64), np.zeros(40, np.int64))
    rows[: round(40 * share), NAMES.index(MEASURES[name].over)] = MEASURES[name].unit
    games = played([rows])
    monkeypatch.setitem(MEASURES, "untallied", replace(MEASURES[name], tallied=None))
    rate = estimate(games, 0, "untallied")
    assert 0 <= rate.low <= rate.value == share <= rate.high <= 1
    assert rate.text().startswith(f"{100 * share:.0f}%")
    assert (rate.low, rate.high) == pytest.approx((wilson(share, 40).low, wilson(share, 40).high), abs=0.02)
    tallied, shift = estimate(games, 0, name), 1 / int(SETUP.rules[0].sides) if name == "first-seat" else 0
    assert 0 <= tallied.low + shift <= tallied.high + shift <= 1


def test_length_is_the_mean_number_of_turns() -> None:
    rows = rows_of(wins=np.zeros(40, np.int64), points=np.zeros(40, np.int64))
    rows[:, NAMES.index("turns")] = [10, 20] * 20
    length = estimate(played([rows]), 0, "length")
    assert length.low < length.value == 15 < length.high
