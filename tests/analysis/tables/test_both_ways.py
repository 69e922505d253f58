"""Deals that two rules share: won both ways, only before, only now, never."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from houle.analysis.blocks import sentence
from houle.analysis.tables.both_ways import both_ways
from houle.solver.rules import make_setup
from tests.support.synthetic import played, rows_of

pytestmark = pytest.mark.quick

NOTHING = np.zeros(300, np.int64)


def test_deals_are_counted_by_who_wins_them() -> None:
    before, now = np.arange(300) < 60, (np.arange(300) >= 40) & (np.arange(300) < 70)  # 20 shared of 60 and 30
    pair = both_ways(played([rows_of(before, NOTHING), rows_of(now, NOTHING)], labels=["printed rules", "Storm"]), 1)
    assert pair is not None
    assert [round(300 * one.value) for one in (pair.both, pair.only_before, pair.only_now, pair.never)] == [
        20, 40, 10, 230,
    ]  # fmt: skip
    assert pair.counts == (7, 13, 3, 77)
    said = sentence(pair.sentence())
    assert (
        "7 with both rules, 13 only with the printed rules, 3 only with Storm, and 77 in neither of the two games"
        in said
    )
    assert pair.sentence()["n"] == 300
    assert "13 only with hand.back=2, 3" in sentence(replace(pair, before="hand.back=2").sentence())


@pytest.mark.parametrize("wins", [(1, 1, 1), (33, 33, 33), (50, 1, 2), (99, 100, 99)])
def test_counts_add_up_to_a_hundred(wins: tuple[int, int, int]) -> None:
    before, now, shift = wins
    first = np.arange(300) < before
    other = np.roll(np.arange(300) < now, shift)
    pair = both_ways(played([rows_of(first, NOTHING), rows_of(other, NOTHING)]), 1)
    assert pair is not None
    assert sum(pair.counts) == 100


def test_rivals_have_no_shared_wins() -> None:
    setups = [make_setup("land-unter", 3)] * 2
    arms = played([rows_of(NOTHING, NOTHING), rows_of(NOTHING, NOTHING)], setups=setups)
    assert both_ways(arms, 1) is None
