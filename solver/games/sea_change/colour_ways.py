"""SEA CHANGE: counts the ways to give colours to groups of hands, from the last group back, then samples one.

`colour_counts` uses this when there are so many voids that randomly drawn shares rarely fit. There is one count per way
to take cards of every colour except one: some thousands, so their memory is borrowed.
"""

from __future__ import annotations

from math import comb, inf
from typing import Any

import numpy as np

from houle.solver.cards.bits import U8
from houle.solver.cards.streams import advance, mix
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import borrow, give_back, local_zeros
from houle.solver.compiler.types import Number, Rules, Stream
from houle.solver.games.sea_change.state import MAX_COLOURS, MAX_VALUES

CHOOSE = np.array([[float(comb(n, k)) for k in range(MAX_VALUES + 1)] for n in range(MAX_VALUES + 1)])
FRACTION_BITS = U8(12)
FRACTION = 2.0**-52


@kernel
def fraction(stream: Stream) -> Any:
    """A uniform number in [0, 1) at the stream's position."""
    return np.float64(mix(stream) >> FRACTION_BITS) * FRACTION


@kernel
def most_frequent(left: Any) -> Any:
    best = 0
    for colour in range(1, MAX_COLOURS):
        best = colour if left[colour] > left[best] else best
    return best


@outlined
def count_and_choose(
    rules: Rules, groups: Any, barred: Any, left: Any, size: Any, room: Any, share: Any, stride: Any, cells: Any,
    stream: Stream,
) -> Any:  # fmt: skip
    """Counts the ways to fill the groups from k on for all that earlier groups may have taken; then samples one."""
    ways = borrow((groups + 1) * cells)
    _count(rules, groups, barred, left, size, room, share, stride, cells, ways)
    stream, done = _choose(rules, groups, barred, left, size, room, share, stride, cells, ways, stream)
    give_back(ways)
    return stream, done


@kernel
def _count(
    rules: Rules, groups: Any, barred: Any, left: Any, size: Any, room: Any, share: Any, stride: Any, cells: Any,
    ways: Any,
) -> None:  # fmt: skip
    """Writes for every group, from the last back to the second, the ways from there on by what was taken before."""
    taken = local_zeros(MAX_COLOURS, np.int64)
    spared = most_frequent(left)
    before = np.int64(0)
    for k in range(groups):
        before += size[k]
    for cell in range(cells):
        ways[groups * cells + cell] = 1.0
    for k in range(groups - 1, 0, -1):
        before -= size[k]
        after = ways[(k + 1) * cells : (k + 2) * cells]
        for cell in range(cells):
            rest = before
            for colour in range(rules.colours):
                if colour != spared:
                    taken[colour] = cell // stride[colour] % (left[colour] + 1)
                    rest -= taken[colour]
            ways[k * cells + cell] = 0.0
            if 0 <= rest <= left[spared]:
                taken[spared] = rest
                ways[k * cells + cell] = _walk(
                    rules, barred, left, taken, size[k], room[k], after, stride, cell, inf, share[k]
                )


@kernel
def _choose(
    rules: Rules, groups: Any, barred: Any, left: Any, size: Any, room: Any, share: Any, stride: Any, cells: Any,
    ways: Any, stream: Stream,
) -> Any:  # fmt: skip
    """Samples the share of one group after another, in proportion to the ways to go on from it."""
    taken = local_zeros(MAX_COLOURS, np.int64)
    at = np.int64(0)
    for k in range(groups):
        after = ways[(k + 1) * cells : (k + 2) * cells]
        total = _walk(rules, barred, left, taken, size[k], room[k], after, stride, at, inf, share[k])
        if total == 0.0:
            return stream, False
        stream = advance(stream)
        limit = fraction(stream) * total
        _walk(rules, barred, left, taken, size[k], room[k], after, stride, at, limit, share[k])
        for colour in range(rules.colours):
            taken[colour] += share[k, colour]
            at += share[k, colour] * stride[colour]
    return stream, True


@outlined
def _walk(
    rules: Rules, barred: Any, left: Any, taken: Any, size: Any, room: Any, after: Any, stride: Any, cell: Any,
    limit: Number, share: Any,
) -> Any:  # fmt: skip
    """Adds up the ways of one group, share by share, until they exceed the limit; `share` is then the last one."""
    total = 0.0
    if _fill(left, taken, room, rules.colours, size, share) > 0:
        return total
    while True:
        if not rules.stock or _may_hold(barred, rules.colours, size, share):
            ways = 1.0
            to = cell
            for colour in range(rules.colours):
                ways *= CHOOSE[left[colour] - taken[colour], share[colour]]
                to += share[colour] * stride[colour]
            total += ways * after[to]
            if total > limit:
                return total
        lower, colour = 0, 0
        while colour < rules.colours and (
            lower == 0 or room[colour] == 0 or share[colour] == left[colour] - taken[colour]
        ):
            lower += share[colour]
            colour += 1
        if colour == rules.colours:
            return total
        share[colour] += 1
        _fill(left, taken, room, colour, lower - 1, share)


@kernel
def _fill(left: Any, taken: Any, room: Any, colours: Any, size: Any, share: Any) -> Any:
    """Writes the first share of a walk in the first `colours` colours: as much as there is, lowest colour first."""
    rest = size
    for colour in range(colours):
        share[colour] = min(rest, left[colour] - taken[colour]) if room[colour] > 0 else 0
        rest -= share[colour]
    return rest


@kernel
def _may_hold(barred: Any, colours: Any, size: Any, share: Any) -> Any:
    """Two players: whether the cards that must have been drawn late fit among the cards that were."""
    for colour in range(colours):
        late = 0
        for other in range(colours):
            late += share[other] if barred[other] >= barred[colour] else 0
        if late > size - np.int64(barred[colour]):
            return False
    return True
