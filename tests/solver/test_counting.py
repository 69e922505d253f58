"""Shares of kinds of cards in groups of hands: quick tries and counting are even over all deals."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from houle.solver.cards.bits import U8
from houle.solver.cards.counting import MAX_KINDS, Groups, count_and_choose, lay_out, try_once
from houle.solver.compiler.kernels import entry
from houle.solver.compiler.local_arrays import local_zeros
from tests.support.scenes import all_deals, assert_even

LEFT, SIZE, ROOM = [3, 2, 3], [2, 2, 2], [[3, 0, 0], [3, 2, 0], [0, 2, 3]]


@pytest.mark.compiled
@pytest.mark.parametrize("counted", [False, True], ids=["tries", "counting"])
def test_shares_come_as_often_as_they_can_be_filled(counted: bool) -> None:
    exact: Counter[tuple[Any, ...]] = Counter()
    cards = [kind for kind in range(3) for _ in range(LEFT[kind])]
    for hands in all_deals(range(8), SIZE, lambda group, hand: all(ROOM[group][cards[i]] for i in hand)):
        exact[tuple(tuple([cards[i] for i in hand].count(kind) for kind in range(3)) for hand in hands)] += 1
    drawn = np.zeros((40_000, 3, 3), np.int64)
    number = _shares(counted, np.array(LEFT), np.array(SIZE), np.array(ROOM), drawn)
    assert number == 40_000 or not counted
    assert_even(Counter(tuple(map(tuple, shares)) for shares in drawn[:number].tolist()), exact)


@entry
def _shares(counted: Any, left: Any, size: Any, room: Any, drawn: Any) -> Any:
    """Writes tables of shares as long as there is room; returns how many were accepted."""
    stream = U8(12345)
    stride = local_zeros(MAX_KINDS, np.int64)
    groups = Groups(3, 3, left, size, room, left[:0])
    cells = lay_out(groups, stride)
    number = 0
    for _ in range(len(drawn)):
        if counted:
            stream, done = count_and_choose(groups, drawn[number], stride, cells, stream)
        else:
            stream, done = try_once(groups, drawn[number], stream)
        number += 1 if done else 0
    return number
