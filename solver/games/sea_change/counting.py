"""SEA CHANGE: how many cards of each colour go to the hands that are known to lack some: counted or sampled."""

from __future__ import annotations

from math import comb, inf
from typing import Any

import numpy as np

from houle.solver.cards.bits import U8
from houle.solver.cards.streams import advance, below, mix
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import borrow, give_back, local_zeros
from houle.solver.compiler.types import Number, Numbers, Rules, Seat, State, Stream
from houle.solver.games.sea_change.rules import MAX_COLOURS, MAX_SEATS, MAX_VALUES

# ---- Counts the ways to give colours to groups of hands, from the last group back, then samples one
#
# `count_and_choose` does it when there are so many voids that randomly drawn shares rarely fit. There is one count per
# way to take cards of every colour except one: some thousands, so their memory is borrowed.


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
    """Counts the ways to fill the groups from k on for all that earlier groups may have taken; then samples one."""
    ways = borrow((groups + 1) * cells)
    _count(rules, groups, barred, left, size, room, share, stride, cells, ways)
    stream, done = _choose(rules, groups, barred, left, size, room, share, stride, cells, ways, stream)
    give_back(ways)
    return stream, done


@kernel
def _count(
    rules: Rules,
    groups: Any,
    barred: Any,
    left: Any,
    size: Any,
    room: Any,
    share: Any,
    stride: Any,
    cells: Any,
    ways: Any,
) -> None:
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
    rules: Rules,
    groups: Any,
    barred: Any,
    left: Any,
    size: Any,
    room: Any,
    share: Any,
    stride: Any,
    cells: Any,
    ways: Any,
    stream: Stream,
) -> Any:
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


# ---- Samples how many cards of each colour go to the hands that are known to lack some, exactly
#
# Hands that lack the same colours form a group. Every way to deal the unseen cards is equally likely, so a table of
# shares (cards of a colour in a group) is as likely as the number of ways to fill it. Groups are filled one after
# another with any cards they may hold. That leaves more or fewer ways for the groups after them, and a table is
# accepted with the probability that corrects for this. If voids are so many that too few tables are accepted, the
# ways are counted instead (`split`).
#
# With two players a hand draws, so a colour its owner could not follow may come back among cards drawn since then.


GROUPS = 1 << MAX_COLOURS  # one group of hands per set of colours that they lack

# Quick tries before the ways are counted, and how many counted cells cost as much as one more try.
MIN_TRIES = 8
CELLS_PER_TRY = 8


@kernel
def group_of(state: State, rules: Rules, holder: Seat, left: Any) -> Any:
    """The group of a hand: the colours it is known to lack, one bit each. Group 0 may hold any unseen card.

    A hand that draws lacks no colour for sure. It is in group 1 if some of its cards cannot be of some colour.
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
    """Writes the shares of every group except group 0; returns the stream and whether it succeeded.

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
    # The most restricted group comes first, because the later groups then depend least on the earlier ones.
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
        stream, done = count_and_choose(rules, groups, barred, left, size, room, share, stride, cells, stream)
    for k in range(groups):
        for colour in range(rules.colours):
            shares[who[k], colour] = share[k, colour]
    return stream, done


@kernel
def _open(rules: Rules, left: Any, group: Any) -> Any:
    """How many unseen cards the hands of a group may hold."""
    number = 0
    for colour in range(rules.colours):
        number += left[colour] if (group >> colour) & 1 == 0 else 0
    return number


@kernel
def _lay_out(left: Any, colours: Any, stride: Any) -> Any:
    """Numbers the ways to take cards of all colours except the most frequent one, which follows (its stride is 0)."""
    spared = most_frequent(left)
    cells = np.int64(1)
    for colour in range(colours):
        if colour != spared:
            stride[colour] = cells
            cells *= left[colour] + 1
    return cells


@kernel
def _try(colours: Any, groups: Any, left: Any, size: Any, room: Any, share: Any, stream: Stream) -> Any:
    """Fills the groups in order with cards they may hold; returns the stream and whether the result is accepted.

    A group that can choose among `free` cards has fewer ways than the `most` it could have had. Accepting it with the
    matching probability makes every table as likely as it should be.
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
            if fraction(stream) >= chance:
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
