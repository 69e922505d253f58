"""SEA CHANGE: samples how many cards of each colour go to the hands that are known to lack some, exactly.

Hands that lack the same colours form a group. Every way to deal the unseen cards is equally likely, so a table of
shares (cards of a colour in a group) is as likely as the number of ways to fill it. Groups are filled one after another
with any cards they may hold. That leaves more or fewer ways for the groups after them, and a table is accepted with the
probability that corrects for this. If voids are so many that too few tables are accepted, the ways are counted instead
(`colour_ways`).

With two players a hand draws, so a colour its owner could not follow may come back among cards drawn since then.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.streams import advance, below
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.types import Numbers, Rules, Seat, State, Stream
from houle.solver.games.sea_change.colour_ways import count_and_choose, fraction, most_frequent
from houle.solver.games.sea_change.state import MAX_COLOURS, MAX_SEATS

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
