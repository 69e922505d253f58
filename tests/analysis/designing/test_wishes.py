"""Targets as typed."""

from __future__ import annotations

import math

import pytest

from houle.analysis.designing.wishes import read_wishes
from houle.analysis.measures.measures import BALANCE, MEASURES, has_measure
from houle.analysis.measures.targets import parse_target
from houle.analysis.players.line_ups import setup
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.solver.errors import InputError

pytestmark = pytest.mark.quick

WAVE, VERTE = setup("wave", players=3), setup("vague-verte", players=4)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("length:p90<=45", -math.inf, 45), ("win<80%@expert", 0, 0.8), ("win>=0.3", 0.3, 1), ("score>=3", 3, math.inf),
        ("first-seat<=2%", -1, 0.02), ("balance<=2%", 0, 0.02),
    ],
)  # fmt: skip
def test_limits_are_targets(text: str, low: float, high: float) -> None:
    target = parse_target(text)
    assert (target.low, target.high) == pytest.approx((low, high))


def test_one_target_may_join_several() -> None:
    family, expert = read_wishes(WAVE, ["win=30..45%@family and win<=80%@expert"])
    assert (family.who, expert.who) == ("family", "expert")
    assert family.sentence(WAVE, Estimate(0.4, 0.39, 0.41, 100, PERCENT)) == "families win 40.0% (39.0 to 41.0)"
    assert expert.strategies == "expert"


@pytest.mark.parametrize("measure", [*MEASURES, BALANCE])
def test_every_measure_has_a_sentence(measure: str) -> None:
    for base in (WAVE, VERTE):
        if has_measure(base, measure):
            (wish,) = read_wishes(base, [f"{measure}>=0"])
            said = wish.sentence(base, Estimate(0.4, 0.3, 0.5, 100))
            assert "families" in said
            assert "0.40 (0.30 to 0.50)" in said


@pytest.mark.parametrize(
    ("base", "text", "error"),
    [
        (VERTE, "family game", "write MEASURE=VALUE"), (WAVE, "5 points easier", "write MEASURE=VALUE"),
        (WAVE, "balance<=2%", "not a measure of wave"), (WAVE, "win<=20..30%", "one number after <="),
        (WAVE, "length:p900<=3", "unknown measure"),
    ],
)  # fmt: skip
def test_wrong_targets_are_refused(base: object, text: str, error: str) -> None:
    with pytest.raises(InputError, match=error):
        read_wishes(base, [text])  # type: ignore[arg-type]


def test_wishes_are_for_families_by_default() -> None:
    (wish,) = read_wishes(VERTE, ["balance<=2%"])
    assert wish.strategies == "family"


def test_effects_have_sign_and_unit() -> None:
    (wish,) = read_wishes(VERTE, ["length<=30"])
    assert wish.change(VERTE, Estimate(4.0, 3.0, 5.0, 100)) == "+4 (3 to 5) turns"
