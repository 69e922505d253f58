"""How many cards of each kind go to each group of hands, evenly over all deals: by quick tries, else by counting.

A group is hands about which the same is known. A kind is cards that the same groups may hold. Every way to deal the
cards is equally likely, so a table of shares (cards of a kind in a group) is as likely as the number of ways to fill
it. `split` samples such a table; which cards of a kind a group gets is open.
"""

from __future__ import annotations

from math import comb, inf
from typing import Any, NamedTuple

import numpy as np

from houle.solver.cards.bits import U8
from houle.solver.cards.streams import advance, below, mix
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import borrow, give_back, local_zeros
from houle.solver.compiler.types import Flag, Number, Numbers, Real, Stream

MAX_KINDS = 16
MAX_CARDS = 64  # of a kind

# Quick tries before the ways are counted, and how many counted cells cost as much as one more try.
MIN_TRIES = 8
CELLS_PER_TRY = 8


class Groups(NamedTuple):
    """The groups, and what each may hold. The arrays may have more entries than there are groups and kinds."""

    number: Number
    kinds: Number
    left: Numbers  # cards of each kind
    size: Numbers  # cards of each group
    room: Any  # for each group and kind 0 if the group may hold no card of it, else `left`
    late: Numbers  # of one hand that draws: the first `late[kind]` of its cards are not of the kind; else empty


@outlined
def split(groups: Groups, share: Any, stream: Stream) -> Any:
    """Writes the share of every group, by kind; returns the stream and whether there is a way to deal."""
    stride = local_zeros(MAX_KINDS, np.int64)
    cells = lay_out(groups, stride)
    for _ in range(0 if len(groups.late) > 0 else MIN_TRIES + cells * groups.number // CELLS_PER_TRY):
        stream, done = try_once(groups, share, stream)
        if done:
            return stream, True
    return count_and_choose(groups, share, stride, cells, stream)


# ---- Quick tries
#
# Groups are filled one after another with any cards they may hold. That leaves more or fewer ways for the groups after
# them, and a table is accepted with the probability that corrects for this.


FRACTION_BITS = U8(12)
FRACTION = 2.0**-52


@kernel
def fraction(stream: Stream) -> Real:
    """A uniform number in [0, 1) at the stream's position."""
    return np.float64(mix(stream) >> FRACTION_BITS) * FRACTION


@kernel
def try_once(groups: Groups, share: Any, stream: Stream) -> Any:
    """Fills the groups in order with cards they may hold; returns the stream and whether the result is accepted.

    A group that can choose among `free` cards has fewer ways than the `most` it could have had. Accepting it with the
    matching probability makes every table as likely as it should be.
    """
    left, room, size = groups.left, groups.room, groups.size
    taken = local_zeros(MAX_KINDS, np.int64)
    for k in range(groups.number):
        free, most = 0, 0
        for kind in range(groups.kinds):
            share[k, kind] = 0
            most += room[k, kind]
            free += left[kind] - taken[kind] if room[k, kind] > 0 else 0
        for earlier in range(k):
            elsewhere = 0
            for kind in range(groups.kinds):
                elsewhere += room[earlier, kind] if room[k, kind] == 0 else 0
            most -= max(0, size[earlier] - elsewhere)
        if free < size[k]:
            return stream, False
        if free < most:
            chance = 1.0
            for i in range(size[k]):
                chance *= (free - i) / (most - i)
            stream = advance(stream)
            if fraction(stream) >= chance:
                return stream, False
        for i in range(size[k]):
            stream = advance(stream)
            card = np.int64(below(stream, free - i))
            kind = 0
            here = left[0] - taken[0] if room[k, 0] > 0 else 0
            while card >= here:
                card -= here
                kind += 1
                here = left[kind] - taken[kind] if room[k, kind] > 0 else 0
            taken[kind] += 1
            share[k, kind] += 1
    return stream, True


# ---- Counts the ways to fill the groups, from the last one back, then samples one
#
# This is for restrictions under which tables are rarely accepted. There is one count per way to take cards of every
# kind except one: some thousands, so their memory is borrowed.


CHOOSE = np.array([[float(comb(n, k)) for k in range(MAX_CARDS + 1)] for n in range(MAX_CARDS + 1)])


@kernel
def largest(left: Numbers) -> Number:
    """The kind with the most cards."""
    best = 0
    for kind in range(1, len(left)):
        best = kind if left[kind] > left[best] else best
    return best


@kernel
def lay_out(groups: Groups, stride: Numbers) -> Number:
    """Numbers the ways to take cards of all kinds except the largest, which follows (its stride is 0)."""
    spared = largest(groups.left)
    cells = np.int64(1)
    for kind in range(groups.kinds):
        if kind != spared:
            stride[kind] = cells
            cells *= groups.left[kind] + 1
    return cells


@outlined
def count_and_choose(groups: Groups, share: Any, stride: Numbers, cells: Number, stream: Stream) -> Any:
    """Counts the ways to fill the groups from k on for all that earlier groups may have taken; then samples one."""
    ways = borrow((groups.number + 1) * cells)
    _count(groups, share, stride, cells, ways)
    stream, done = _choose(groups, share, stride, cells, ways, stream)
    give_back(ways)
    return stream, done


@kernel
def _count(groups: Groups, share: Any, stride: Numbers, cells: Number, ways: Any) -> None:
    """Writes for every group, from the last back to the second, the ways from there on by what was taken before."""
    taken = local_zeros(MAX_KINDS, np.int64)
    spared = largest(groups.left)
    before = np.int64(0)
    for k in range(groups.number):
        before += groups.size[k]
    for cell in range(cells):
        ways[groups.number * cells + cell] = 1.0
    for k in range(groups.number - 1, 0, -1):
        before -= groups.size[k]
        after = ways[(k + 1) * cells : (k + 2) * cells]
        for cell in range(cells):
            rest = before
            for kind in range(groups.kinds):
                if kind != spared:
                    taken[kind] = cell // stride[kind] % (groups.left[kind] + 1)
                    rest -= taken[kind]
            ways[k * cells + cell] = 0.0
            if 0 <= rest <= groups.left[spared]:
                taken[spared] = rest
                ways[k * cells + cell] = _walk(groups, k, taken, share[k], stride, cell, after, inf)


@kernel
def _choose(groups: Groups, share: Any, stride: Numbers, cells: Number, ways: Any, stream: Stream) -> Any:
    """Samples the share of one group after another, in proportion to the ways to go on from it."""
    taken = local_zeros(MAX_KINDS, np.int64)
    at = np.int64(0)
    for k in range(groups.number):
        after = ways[(k + 1) * cells : (k + 2) * cells]
        total = _walk(groups, k, taken, share[k], stride, at, after, inf)
        if total == 0.0:
            return stream, False
        stream = advance(stream)
        _walk(groups, k, taken, share[k], stride, at, after, fraction(stream) * total)
        for kind in range(groups.kinds):
            taken[kind] += share[k, kind]
            at += share[k, kind] * stride[kind]
    return stream, True


@outlined
def _walk(
    groups: Groups, k: Number, taken: Numbers, share: Any, stride: Numbers, cell: Number, after: Any, limit: Real
) -> Real:
    """Adds up the ways of group k, share by share, until they exceed the limit; `share` is then the last one."""
    left, room, kinds = groups.left, groups.room[k], groups.kinds
    total = 0.0
    if _fill(left, taken, room, kinds, groups.size[k], share) > 0:
        return total
    while True:
        if len(groups.late) == 0 or _may_hold(groups, groups.size[k], share):
            ways = 1.0
            to = cell
            for kind in range(kinds):
                ways *= CHOOSE[left[kind] - taken[kind], share[kind]]
                to += share[kind] * stride[kind]
            total += ways * after[to]
            if total > limit:
                return total
        lower, kind = 0, 0
        while kind < kinds and (lower == 0 or room[kind] == 0 or share[kind] == left[kind] - taken[kind]):
            lower += share[kind]
            kind += 1
        if kind == kinds:
            return total
        share[kind] += 1
        _fill(left, taken, room, kind, lower - 1, share)


@kernel
def _fill(left: Numbers, taken: Numbers, room: Any, kinds: Number, size: Number, share: Any) -> Number:
    """Writes the first share of a walk in the first `kinds` kinds: as much as there is, the lowest kind first."""
    rest = size
    for kind in range(kinds):
        share[kind] = min(rest, left[kind] - taken[kind]) if room[kind] > 0 else 0
        rest -= share[kind]
    return rest


@kernel
def _may_hold(groups: Groups, size: Number, share: Any) -> Flag:
    """Whether the cards that must have been drawn late fit among the cards that were."""
    for kind in range(groups.kinds):
        number = 0
        for other in range(groups.kinds):
            number += share[other] if groups.late[other] >= groups.late[kind] else 0
        if number > size - np.int64(groups.late[kind]):
            return False
    return True
