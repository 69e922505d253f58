"""`houle.compare` with several players does what the command does: each player's variants with that player's first."""

from __future__ import annotations

import pytest

import houle
from houle import Comparison, Comparisons

pytestmark = pytest.mark.quick


def test_several_players_are_compared_each() -> None:
    setups = [houle.setup("wave"), houle.setup("wave", variants="virage")]
    both = houle.compare(setups, strategies=["random", "thumb"], games=4)
    assert isinstance(both, Comparisons)
    one = houle.compare(setups, strategies="thumb", games=4)
    assert isinstance(one, Comparison)
    assert both.results[1].digest == one.digest
    assert len(both.frame()) == 2 * len(one.frame())


def test_difficulty_shows_the_columns_people_use() -> None:
    result = houle.difficulty("wave", strategies=["random", "thumb"], games=4)
    used, whole = result.frame(), result.frame(whole=True)
    assert {"strategy", "win", "win_low", "win_high"} <= set(used.columns) < set(whole.columns)
    assert len(used.columns) < 30 < len(whole.columns)
