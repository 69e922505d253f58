"""Moves that are hardly ever the best, with joint intervals."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.blocks import sentence
from houle.analysis.sampling.judged_positions import JudgedPosition
from houle.analysis.strategy.seldom_best import seldom_best, sentence_of

pytestmark = pytest.mark.quick


def position(names: tuple[str, ...], best: int) -> JudgedPosition:
    gains = np.zeros(len(names))
    gains[best] = 1.0
    return JudgedPosition(0, 0, 0, tuple(range(len(names))), names, np.zeros((len(names), 1), np.int64), gains, {})


def test_move_that_is_never_best_is_named() -> None:
    every = [position(("play red 1", "swap red 1"), 0) for _ in range(300)]
    every += [position(("play red 1", "play red 2"), i % 2) for i in range(300)]
    found = {one.move: one.best for one in seldom_best(every)}
    assert set(found) == {"swap", "swap red 1"}
    assert found["swap"].n == 300
    assert 0 < found["swap"].high < 0.1
    said = sentence_of(seldom_best(every))
    assert said is not None
    assert "games of seasoned players: swap in 0.0%" in sentence(said)


def test_few_chances_show_nothing() -> None:
    assert seldom_best([position(("play red 1", "swap red 1"), 0) for _ in range(20)]) == []
    assert sentence_of([]) is None
