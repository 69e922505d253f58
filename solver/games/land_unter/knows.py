"""LAND UNTER: what a seat sees of a state, and the worlds that it imagines."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ALL, ONE, U8, ZERO, count, has, lowest, nth, single
from houle.solver.cards.bits import count as size
from houle.solver.cards.piles import GAP, card_at, count_in_use
from houle.solver.cards.streams import advance, below, derive, mix, start_world
from houle.solver.cards.write_numbers import put
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty, local_zeros
from houle.solver.compiler.types import Action, Cards, Flag, Key, Label, Number, Numbers, Rules, Seat, State, Stream
from houle.solver.games.land_unter.rules import MAX_CARDS, MAX_SEATS, TAKE, lifebelts, playing
from houle.solver.interface.seen import cards, choice, each_seat, flag, number, numbers, row, seat_number, seen

# ---- What a seat sees
#
# A seat knows the packs it has held and every card it saw played from the others, how many lifebelts each pack has,
# and which water cards are left. Nobody knows who has already chosen a card in secret, so all that depends on it is
# left out.


HIDDEN = U8(128)  # label of a card that another player commits in secret
REVEAL = U8(256)  # labels of the commitment that reveals all cards start here


@kernel
def secret(state: State, rules: Rules) -> Any:
    """Whether the cards committed in this trick are face down: nobody knows them, nor who has chosen already."""
    return not (rules.open or state.taking or state.mover < 0)


@kernel
def holding(state: State, rules: Rules, holder: Seat) -> Any:
    """The hand as everyone sees it: a card that is face down still belongs to it."""
    cards = state.hand[holder]
    if state.committed[holder] > 0 and secret(state, rules):
        cards |= single(U8(state.committed[holder]) - ONE)
    return cards


@kernel
def played(state: State, rules: Rules, holder: Seat) -> Any:
    """The cards played in this round; none if the holder is out, because they count as seen before."""
    out = has(U8(state.out), holder)
    return ZERO if out else state.pack[holder] & ~holding(state, rules, holder)


@kernel
def known(state: State, rules: Rules, holder: Seat, seat: Seat) -> Any:
    """The cards that `seat` knows to be in the holder's pack."""
    distance = np.int64(holder) - np.int64(seat)
    distance += np.int64(rules.seats) if distance < 0 else 0
    passed = 0 if rules.forgets else np.int64(state.rounds) - (1 if state.mover < 0 else 0)  # packs it held before
    if distance <= passed:
        return state.pack[holder]
    return state.seen[holder] | played(state, rules, holder)


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """What `seat` sees of an action before it is taken.

    A card committed in secret shows nothing. The last commitment reveals all cards. The player who commits last still
    chooses without seeing the others, so your own action is always just itself.
    """
    if action >= TAKE or rules.open or state.mover == seat:
        return U8(action)
    if count(U8(state.waiting)) > ONE:
        return HIDDEN
    key = U8(action)
    for holder in range(rules.seats):
        key = derive(key, U8(state.committed[holder]))
    return key & (ALL >> ONE) | REVEAL


@kernel
def kind(state: State, rules: Rules, action: Action) -> Label:
    """Weather cards are unique; two water cards of the same value are the same."""
    return U8(TAKE) + U8(state.water[action - TAKE]) if action >= TAKE else U8(action)


HIGHEST = GAP - 1  # value of a water card


def _mover(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    return np.int64(-1) if secret(state, rules) else np.int64(state.mover)


def _water(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    put(out, put(out, at, state.water[0]), state.water[1])


def _pile(state: State, rules: Rules, seat: Seat, who: Seat, out: Numbers, at: Number) -> None:
    for i in range(count_in_use(state)):
        out[at + np.int64(i)] = np.int64(card_at(state, i)) + 1


def _hand(state: State, rules: Rules, seat: Seat, who: Seat) -> Cards:
    """The known cards of a hand; if its holder is out, those that are left of the pack."""
    held = ~state.seen[who] if has(U8(state.out), who) else holding(state, rules, who)
    return known(state, rules, who, seat) & held


def _played(state: State, rules: Rules, seat: Seat, who: Seat) -> Cards:
    return played(state, rules, who)


def _card(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    return np.int64(0) if secret(state, rules) else np.int64(state.committed[who])


def _is_to_choose(state: State, rules: Rules, seat: Seat, who: Seat) -> Number:
    return np.int64(0) if secret(state, rules) else np.int64(has(U8(state.waiting), who))


SEEN = seen(
    number("rounds", line="round", first=1, most="rounds"),
    number("tricks of the round", "trick", line="trick", first=1, most="hand"),
    numbers("water", _water, 2, line="water"),
    row("water left", _pile, lambda rules: np.int64(rules.water_pile.places) + np.int64(rules.water_pile.added)),
    number("water added", "added"),  # how many of those left, the last ones, are in no place of the printed pile
    seat_number("leader", line="leader", fact="leads", when="open"),
    choice("taking", ("play", "take"), line="step", optional=True),
    seat_number("to move", _mover),
    flag("over", lambda state, rules, seat, who: state.mover < 0),
    number("tricks"),
    number("cards played", "moves"),
    number("eliminations"),
    each_seat(
        cards("hand", _hand, "weather"),
        cards("played", _played, "weather", line="played", optional=True),
        cards("seen before", "seen", "weather", line="seen before", optional=True),
        flag("out", lambda state, rules, seat, who: has(U8(state.out), who), line="out"),
        number("card", _card, line="card", optional=True),
        number("level", line="level", most=HIGHEST),
        number("lifebelts", "belts", line="lifebelts", most="hand"),
        number("lifebelts of the pack", lambda state, rules, seat, who: lifebelts(rules, state.pack[who]), line="pack"),
        number("points", lambda state, rules, seat, who: state.points[who], line="points", fact="points"),
        number("cards", lambda state, rules, seat, who: size(holding(state, rules, who))),
        flag("is to choose", _is_to_choose),
    ),
)


# ---- Samples random worlds from what a seat cannot see
#
# Only this is unknown: which of the unseen cards complete each pack, and which were not dealt.


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
    state.stacked = 0
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
