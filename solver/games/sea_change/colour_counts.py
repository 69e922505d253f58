"""SEA CHANGE: how many cards of each colour go to the hands that are known to lack some, exactly at random.

Hands that lack the same colours are a group. Every way to give the unseen cards out is equally likely, so a
table of shares (cards of a colour in a group) is as likely as there are ways to fill it. Groups are filled
one after another with any cards they may hold; that may leave more ways or fewer for the groups after them,
and a table is kept with the chance that makes up for that. Where voids are so many that this keeps too few,
the ways are counted instead, from the last group back to the first.

With two players a hand draws: a colour its owner could not follow may come back, in cards drawn since then.
"""

from __future__ import annotations

from math import comb, inf
from typing import Any

import numpy as np

from houle.solver.bitset import U8
from houle.solver.games.sea_change.state import MAX_COLOURS, MAX_SEATS, MAX_VALUES
from houle.solver.kernels import allocating, kernel, outlined
from houle.solver.local_arrays import local_zeros
from houle.solver.streams import advance, below, mix
from houle.solver.types import Number, Numbers, Rules, Seat, State, Stream

GROUPS = 1 << MAX_COLOURS  # a group of hands per set of colours they lack
CHOOSE = np.array([[float(comb(n, k)) for k in range(MAX_VALUES + 1)] for n in range(MAX_VALUES + 1)])
FRACTION_BITS = U8(12)
FRACTION = 2.0**-52

# Quick tries before the ways are counted, and counted cells that cost as much as one more try.
MIN_TRIES = 8
CELLS_PER_TRY = 8


@kernel
def _fraction(stream: Stream) -> Any:
    """Uniform in [0, 1) at the stream's position."""
    return np.float64(mix(stream) >> FRACTION_BITS) * FRACTION


@kernel
def group_of(state: State, rules: Rules, holder: Seat, left: Any) -> Any:
    """Hands of one group are known to lack the same colours (a bit each); group 0 may hold any unseen card.

    A hand that draws lacks no colour for sure; it is in group 1 if it may not be just anything.
    """
    group = np.int64(0)
    for colour in range(rules.colours):
        if rules.stock:
            group |= np.int64(state.barred[holder, colour] > 0)
        elif left[colour] > 0:
            group |= np.int64(state.void[holder]) & np.int64(1 << colour)
    return group


@outlined
def split(rules: Rules, barred: Any, left: Any, sizes: Any, shares: Numbers, stream: Stream) -> Any:
    """Writes the shares of every group but the first; returns the stream and whether it could.

    left: unseen cards per colour; sizes: cards per group; barred: of the one hidden hand, with two players.
    """
    who = local_zeros(MAX_SEATS, np.int64)
    room = local_zeros((MAX_SEATS, MAX_COLOURS), np.int64)
    size = local_zeros(MAX_SEATS, np.int64)
    groups = np.int64(0)
    for group in range(GROUPS - 1, 0, -1):
        if sizes[group] > 0:
            who[groups] = group
            groups += 1
    # The most restricted group first: the later ones then depend least on the earlier.
    for k in range(1, groups):
        group, place = who[k], k
        while place > 0 and _open(rules, left, who[place - 1]) > _open(rules, left, group):
            who[place] = who[place - 1]
            place -= 1
        who[place] = group
    for k in range(groups):
        size[k] = sizes[who[k]]
        for colour in range(rules.colours):
            room[k, colour] = left[colour] if rules.stock or (who[k] >> colour) & 1 == 0 else 0
    if groups == 0:
        return stream, True
    share = local_zeros((MAX_SEATS, MAX_COLOURS), np.int64)
    stride = local_zeros(MAX_COLOURS, np.int64)
    cells = _lay_out(left, rules.colours, stride)
    done = False
    for _ in range(0 if rules.stock else MIN_TRIES + cells * groups // CELLS_PER_TRY):
        stream, done = _try(rules.colours, groups, left, size, room, share, stream)
        if done:
            break
    if not done:
        stream, done = _count_and_choose(rules, groups, barred, left, size, room, share, stride, cells, stream)
    for k in range(groups):
        for colour in range(rules.colours):
            shares[who[k], colour] = share[k, colour]
    return stream, done


@kernel
def _open(rules: Rules, left: Any, group: Any) -> Any:
    """Unseen cards that the hands of a group may hold."""
    number = 0
    for colour in range(rules.colours):
        number += left[colour] if (group >> colour) & 1 == 0 else 0
    return number


@kernel
def _most_frequent(left: Any) -> Any:
    best = 0
    for colour in range(1, MAX_COLOURS):
        best = colour if left[colour] > left[best] else best
    return best


@kernel
def _lay_out(left: Any, colours: Any, stride: Any) -> Any:
    """Numbers what may be taken of all colours but the most frequent, which follows (its stride is 0)."""
    spared = _most_frequent(left)
    cells = np.int64(1)
    for colour in range(colours):
        if colour != spared:
            stride[colour] = cells
            cells *= left[colour] + 1
    return cells


@kernel
def _try(colours: Any, groups: Any, left: Any, size: Any, room: Any, share: Any, stream: Stream) -> Any:
    """Fills the groups in order with cards they may hold.

    A group that may choose among `free` cards has been left fewer ways than the `most` it could have;
    keeping it only so often gives every table its due.
    """
    taken = local_zeros(MAX_COLOURS, np.int64)
    for k in range(groups):
        free, most = 0, 0
        for colour in range(colours):
            share[k, colour] = 0
            most += room[k, colour]
            free += left[colour] - taken[colour] if room[k, colour] > 0 else 0
        for earlier in range(k):
            elsewhere = 0
            for colour in range(colours):
                elsewhere += room[earlier, colour] if room[k, colour] == 0 else 0
            most -= max(0, size[earlier] - elsewhere)
        if free < size[k]:
            return stream, False
        if free < most:
            chance = 1.0
            for i in range(size[k]):
                chance *= (free - i) / (most - i)
            stream = advance(stream)
            if _fraction(stream) >= chance:
                return stream, False
        for i in range(size[k]):
            stream = advance(stream)
            card = np.int64(below(stream, free - i))
            colour = 0
            here = left[0] - taken[0] if room[k, 0] > 0 else 0
            while card >= here:
                card -= here
                colour += 1
                here = left[colour] - taken[colour] if room[k, colour] > 0 else 0
            taken[colour] += 1
            share[k, colour] += 1
    return stream, True


@allocating
def _count_and_choose(
    rules: Rules,
    groups: Any,
    barred: Any,
    left: Any,
    size: Any,
    room: Any,
    share: Any,
    stride: Any,
    cells: Any,
    stream: Stream,
) -> Any:
    """Counts the ways to fill the groups from k on, whatever those before have taken; then draws one."""
    ways = np.ones((groups + 1, cells))
    taken = local_zeros(MAX_COLOURS, np.int64)
    spared = _most_frequent(left)
    before = np.int64(0)
    for k in range(groups):
        before += size[k]
    for k in range(groups - 1, 0, -1):
        before -= size[k]
        for cell in range(cells):
            rest = before
            for colour in range(rules.colours):
                if colour != spared:
                    taken[colour] = cell // stride[colour] % (left[colour] + 1)
                    rest -= taken[colour]
            ways[k, cell] = 0.0
            if 0 <= rest <= left[spared]:
                taken[spared] = rest
                ways[k, cell] = _walk(
                    rules, barred, left, taken, size[k], room[k], ways[k + 1], stride, cell, inf, share[k]
                )
    for colour in range(rules.colours):
        taken[colour] = 0
    at = np.int64(0)
    for k in range(groups):
        total = _walk(rules, barred, left, taken, size[k], room[k], ways[k + 1], stride, at, inf, share[k])
        if total == 0.0:
            return stream, False
        stream = advance(stream)
        limit = _fraction(stream) * total
        _walk(rules, barred, left, taken, size[k], room[k], ways[k + 1], stride, at, limit, share[k])
        for colour in range(rules.colours):
            taken[colour] += share[k, colour]
            at += share[k, colour] * stride[colour]
    return stream, True


@outlined
def _walk(
    rules: Rules,
    barred: Any,
    left: Any,
    taken: Any,
    size: Any,
    room: Any,
    after: Any,
    stride: Any,
    cell: Any,
    limit: Number,
    share: Any,
) -> Any:
    """Adds up the ways of one group, share by share, until they pass the limit; stops with that `share`."""
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
    """The first share of a walk, in the first `colours` colours: as much as there is, lowest colour first."""
    rest = size
    for colour in range(colours):
        share[colour] = min(rest, left[colour] - taken[colour]) if room[colour] > 0 else 0
        rest -= share[colour]
    return rest


@kernel
def _may_hold(barred: Any, colours: Any, size: Any, share: Any) -> Any:
    """Two players: all cards that must have come late, by whatever colour, find room among those that did."""
    for colour in range(colours):
        late = 0
        for other in range(colours):
            late += share[other] if barred[other] >= barred[colour] else 0
        if late > size - np.int64(barred[colour]):
            return False
    return True
