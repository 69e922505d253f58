"""LAND UNTER: samples random worlds from what a seat cannot see.

Only this is unknown: which of the unseen cards complete each pack, and which were not dealt.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, lowest, nth, single
from houle.solver.cards.streams import advance, below, derive, mix, start_world
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty, local_zeros
from houle.solver.compiler.types import Flag, Key, Rules, Seat, State, Stream
from houle.solver.games.land_unter.play import lifebelts, playing
from houle.solver.games.land_unter.seen import holding, known, secret
from houle.solver.games.land_unter.state import MAX_CARDS, MAX_SEATS

CARELESS = U8(7)  # of SIXTEEN imagined players this many play at random
SIXTEEN = U8(16)

ENDS = MAX_SEATS + 1  # before the first pack, and after each
NUMBERS = MAX_CARDS + 1  # possible numbers of cards, including none

# Ways to choose k of n cards, as floats, because the products for a whole deal exceed 2**64.
CHOOSE = np.zeros((NUMBERS, NUMBERS))
for _n in range(NUMBERS):
    CHOOSE[_n, 0] = 1.0
    for _k in range(1, _n + 1):
        CHOOSE[_n, _k] = CHOOSE[_n - 1, _k - 1] + CHOOSE[_n - 1, _k]


@outlined
def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
    """Samples uniformly a world that `seat` cannot tell from the real one.

    Cards committed in secret are taken back and `seat` commits first, as if all chose at once.
    """
    start_world(state, key)
    stream = derive(key, U8(9))
    if secret(state, rules):
        _take_back(state, rules, seat)
    sure = local_empty(MAX_SEATS, np.uint64)
    pool = rules.cards
    for holder in range(rules.seats):
        sure[holder] = known(state, rules, holder, seat)
        pool &= ~sure[holder]
    picks = local_zeros((MAX_SEATS, 3), np.int64)
    stream = _choose_classes(state, rules, sure, pool, picks, stream)
    for holder in range(rules.seats):
        if sure[holder] != state.pack[holder]:
            stream, pool = _refill(state, rules, holder, sure[holder], pool, picks[holder], stream)
    return True


@kernel
def careless(state: State, rules: Rules, seat: Seat, key: Key) -> Any:
    """The seats that play at random in a world, never the one that imagines it.

    A search that expects only good players learns to beat only those, and loses to others.
    """
    stream = derive(key, U8(10))
    seats = ZERO
    for other in range(rules.seats):
        stream = advance(stream)
        if other != seat and below(stream, SIXTEEN) < CARELESS:
            seats |= single(other)
    return seats


@kernel
def _take_back(state: State, rules: Rules, seat: Seat) -> None:
    seats = playing(state, rules)
    for holder in range(rules.seats):
        state.hand[holder] = holding(state, rules, holder)
        state.committed[holder] = 0
    state.waiting = seats
    state.mover = np.int64(seat) if has(seats, seat) else np.int64(lowest(seats))


@kernel
def _of_class(rules: Rules, cards: Any, halves: Any) -> Any:
    """The cards with this many half lifebelts."""
    if halves == 0:
        return cards & ~(rules.half | rules.whole)
    return cards & (rules.half if halves == 1 else rules.whole)


@outlined
def _choose_classes(state: State, rules: Rules, sure: Any, pool: Any, picks: Any, stream: Stream) -> Any:
    """Samples how many cards with 0, 1 and 2 half lifebelts each unknown pack gets from the pool.

    The lifebelts of a pack leave two possible sums of halves, one apart. What the packs so far took from the pool
    follows from the whole lifebelts taken and from how many packs have the greater sum. `ways` counts the deals of the
    remaining packs from there. Sampling pack by pack in proportion to them is uniform over whole deals.
    """
    places = local_zeros(ENDS, np.int64)  # cards missing in the packs before this one
    halves = local_zeros(ENDS, np.int64)  # half lifebelts on them, if every pack has its smaller sum
    holders = local_empty(MAX_SEATS, np.int64)
    packs = 0
    for holder in range(rules.seats):
        cards = sure[holder]
        if cards != state.pack[holder]:
            printed = count(cards & rules.half) + (count(cards & rules.whole) << ONE)
            missing = np.int64(lifebelts(rules, state.pack[holder]) << ONE) - np.int64(printed)
            places[packs + 1] = places[packs] + np.int64(rules.hand) - np.int64(count(cards))
            halves[packs + 1] = halves[packs] + missing
            holders[packs] = holder
            packs += 1
    if packs == 0:
        return stream
    none = np.int64(count(_of_class(rules, pool, 0)))
    half = np.int64(count(_of_class(rules, pool, 1)))
    whole = np.int64(count(_of_class(rules, pool, 2)))
    ways = local_zeros((ENDS, ENDS, NUMBERS), np.float64)
    ways[packs, : packs + 1, : whole + 1] = 1.0
    option = local_empty((2, NUMBERS), np.float64)
    for pack in range(packs - 1, 0, -1):
        for more in range(pack + 1):
            for wholes in range(min(whole, places[pack]) + 1):
                ways[pack, more, wholes] = _weigh(ways, places, halves, pack, more, wholes, none, half, whole, option)
    more = wholes = 0
    for pack in range(packs):
        total = _weigh(ways, places, halves, pack, more, wholes, none, half, whole, option)
        stream = advance(stream)
        point = np.float64(mix(stream) >> U8(11)) * (1.0 / 9007199254740992.0) * total
        up, two = _reached(option, point, min(whole - wholes, places[pack + 1] - places[pack]))
        one = halves[pack + 1] - halves[pack] + up - 2 * two
        holder = holders[pack]
        picks[holder, 2] = two
        picks[holder, 1] = one
        picks[holder, 0] = places[pack + 1] - places[pack] - one - two
        more += up
        wholes += two
    return stream


@outlined
def _weigh(
    ways: Any,
    places: Any,
    halves: Any,
    pack: Any,
    more: Any,
    wholes: Any,
    none: Any,
    half: Any,
    whole: Any,
    option: Any,
) -> Any:
    """Counts the deals of this pack and those after it, in total and per option (greater sum or not, wholes)."""
    ones = halves[pack] + more - 2 * wholes
    zeros = places[pack] - ones - wholes
    total = 0.0
    if ones < 0 or ones > half or zeros < 0 or zeros > none:
        return total
    size = places[pack + 1] - places[pack]
    for up in range(2):
        for two in range(min(whole - wholes, size) + 1):
            one = halves[pack + 1] - halves[pack] + up - 2 * two
            zero = size - one - two
            weight = 0.0
            if 0 <= one <= half - ones and 0 <= zero <= none - zeros:
                weight = (
                    CHOOSE[none - zeros, zero]
                    * CHOOSE[half - ones, one]
                    * CHOOSE[whole - wholes, two]
                    * ways[pack + 1, more + up, wholes + two]
                )
            option[up, two] = weight
            total += weight
    return total


@kernel
def _reached(option: Any, point: Any, most: Any) -> Any:
    """The option in which a running sum of the weights exceeds the point; the last possible one if none does."""
    last_up = last_two = 0
    for up in range(2):
        for two in range(most + 1):
            weight = option[up, two]
            if weight > 0.0:
                last_up, last_two = up, two
                if point < weight:
                    return up, two
                point -= weight
    return last_up, last_two


@outlined
def _refill(state: State, rules: Rules, holder: Seat, sure: Any, pool: Any, picks: Any, stream: Stream) -> Any:
    """Completes a pack from the pool with these numbers of cards per class; cards played this round stay played."""
    played = state.pack[holder] & ~state.hand[holder]
    pack = sure
    for halves in range(3):
        cards = _of_class(rules, pool, halves)
        for _ in range(picks[halves]):
            stream = advance(stream)
            card = single(nth(cards, below(stream, count(cards))))
            cards &= ~card
            pack |= card
    state.pack[holder] = pack
    if not has(U8(state.out), holder):
        state.hand[holder] = pack & ~played
    return stream, pool & ~pack
