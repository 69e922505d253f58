"""Game functions of declared games: `counts`, `determinize`, and wrappers of `apply` and `deal`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from houle.solver.cards import cardsets, rows
from houle.solver.cards.bits import ONE, U8, ZERO
from houle.solver.cards.streams import advance, below, derive, start_world
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.records import filler
from houle.solver.compiler.types import Action, Flag, Key, Number, Numbers, Rules, Seat, State
from houle.solver.interface import defaults
from houle.solver.interface.declare import DeclaredField, Fields

Function = Callable[..., Any]

TRIES = 10_000  # deals per world until one is possible
WORLD = U8(11)  # part of a world's key, for its cards
STREAM, MISFIT = 0, 1  # the luck of a deal: its random stream, and whether some cards do not fit the facts
NEVER = U8(2)  # MISFIT: no cards fit


def counting_apply(play: Function) -> Function:
    """Wraps `apply` to count moves and turns. A turn ends when another seat is to move."""

    @kernel
    def apply(state: State, rules: Rules, action: Action) -> None:
        before = state.mover
        play(state, rules, action)
        state.moves += 1
        state.turns += before != state.mover

    return apply


def clearing_deal(declared: Fields, dtype: np.dtype[Any], deal: Function) -> Function:
    """Wraps `deal` to clear all counts and declared fields of the state first."""
    counts = ("moves", "turns", *(("rounds",) if declared.rounds else ()))
    clear = filler(dtype, dict.fromkeys(counts, 0) | {name: part.empty for name, part in declared.all.items()})
    start_facts = make_facts(declared)

    @kernel
    def deal_anew(state: State, rules: Rules) -> None:
        clear(state)
        deal(state, rules)
        start_facts(state, rules, 0, ZERO, ZERO)

    return deal_anew


@kernel
def _counts_of_rounds(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.moves
    out[1] += state.turns
    out[2] += state.rounds


@kernel
def end_of_this_round(state: State, root: State) -> Flag:
    """The `search_over` of games of several rounds."""
    return state.mover < 0 or state.rounds != root.rounds


def make_counts(names: Sequence[str], rounds: bool) -> Function:
    """Makes `counts`: moves, turns, rounds, then the fields of these names."""

    def after(first: Function, place: int, name: str) -> Function:
        @kernel
        def both(state: State, rules: Rules, out: Numbers) -> None:
            first(state, rules, out)
            out[place] += state[name]

        return both

    counts: Function = _counts_of_rounds if rounds else defaults.counts
    for place, name in enumerate(names, 3):
        counts = after(counts, place, name)
    return counts


def make_determinize(declared: Fields, possible: Function | None) -> Function:
    """Makes `determinize`: deals the cards that the seat does not see again until the world is possible."""
    sizes = sorted({part.cards for part in declared.secret.values()})
    deal_anew = _in_turn([_dealing(declared, size) for size in sizes])
    fits = possible or _always

    @outlined
    def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
        start_world(state, key)
        state.stacked = 0
        luck = local_zeros(2, np.uint64)
        luck[STREAM] = derive(key, WORLD)
        for _ in range(TRIES):
            luck[MISFIT] = ZERO
            deal_anew(state, rules, seat, ZERO, luck)
            if luck[MISFIT] == ZERO and fits(state, rules):
                return True
            if luck[MISFIT] == NEVER:
                return False
        return False

    return determinize


@kernel
def _always(state: State, rules: Rules) -> Flag:
    return True


# Each field has a small kernel (state, rules, seat, value, beside) -> value, and they are chained. The name of the
# field is a constant to the compiler.


def _dealing(declared: Fields, size: int) -> Function:
    """Deals again all cards of sets and rows of this size that the seat does not see."""
    facts = {part.of: name for name, part in declared.facts.items()}
    zones = {name: part for name, part in declared.secret.items() if part.cards == size}
    sees = {name: (declared.sees(name, True), declared.sees(name, False)) for name in zones}
    # Cards with facts are drawn first. The last set takes what is left; usually it is the pile, the largest.
    known, free = [name for name in zones if name in facts], [name for name in zones if name not in facts]
    rest = [name for name in free[-1:] if not zones[name].most and not zones[name].shape]

    def each(names: Iterable[str], in_row: Function, in_set: Function, with_facts: bool = False) -> Function:
        return _in_turn(
            [_of_places(name, part, in_row if part.most else in_set, sees[name], facts[name] if with_facts else "")
             for name, part in zones.items() if name in names]
        )  # fmt: skip

    gather = each(zones, _gather_row, _gather_set)
    list_facts, lay = each(known, _list_row, _list_set, True), each(known, _lay_row, _lay_set, True)
    deal, take_rest = each({*free} - {*rest}, rows.deal_again, cardsets.deal_again), each(rest, _take_rest, _take_rest)
    some, words = bool(known), cardsets.words(size)
    most = min(size, sum(_most(zones[name], sees[name], declared.seats) for name in known)) or 1

    @kernel
    def step(state: State, rules: Rules, seat: Seat, value: Any, luck: Any) -> Any:
        left = local_zeros(words, np.uint64)
        gather(state, rules, seat, ZERO, left)
        if some:
            sets, drawn = local_zeros((most, words), np.uint64), local_zeros(most, np.int64)
            n = list_facts(state, rules, seat, np.int64(0), sets)
            if not draw_fitting(sets, n, left, drawn, luck):
                return value
            lay(state, rules, seat, np.int64(0), drawn)
        luck[STREAM] = deal(state, rules, seat, luck[STREAM], left)
        take_rest(state, rules, seat, ZERO, left)
        return value

    return step


def _most(part: DeclaredField, sees: tuple[bool, bool], seats: int) -> int:
    """The most cards of a field that a seat does not see."""
    return (part.most or part.cards) * (seats if part.by_seat and not sees[1] else 1)


@outlined
def draw_fitting(sets: Any, n: Number, left: Any, drawn: Numbers, luck: Any) -> Flag:
    """Tries to draw a card for each of n sets from those left; returns whether it worked.

    All ways to draw n different cards are equally likely. The smallest set comes first, and in each step every card
    that fits has the chance 1 / `room`. `room` is the most cards that any way can leave to choose from in this step:
    those of the set, less one for each earlier set inside it. Where fewer are left, the draw may fail; the caller tries
    again.
    """
    for i in range(n):
        cardsets.keep(sets[i], left)
        drawn[i] = -1
    for _ in range(n):
        chosen, room = np.int64(-1), np.int64(0)
        for i in range(n):
            if drawn[i] < 0 and (chosen < 0 or cardsets.count(sets[i]) < room):
                chosen, room = np.int64(i), cardsets.count(sets[i])
        for i in range(n):
            if drawn[i] >= 0 and cardsets.is_inside(sets[i], sets[chosen]):
                room -= 1
        if room < 1:  # fewer cards than sets inside this one
            luck[MISFIT] = NEVER
            return False
        luck[STREAM] = advance(luck[STREAM])
        place = np.int64(below(luck[STREAM], room))
        if place >= cardsets.count_both(sets[chosen], left):
            luck[MISFIT] = ONE
            return False
        drawn[chosen] = cardsets.nth_of_both(sets[chosen], left, place)
        cardsets.remove(left, drawn[chosen])
    return True


def make_facts(declared: Fields) -> Function:
    """Makes a step that starts facts after a deal: a card may be any of the game."""

    def of_size(size: int) -> Function:
        places = {name: part for name, part in declared.all.items() if part.cards == size}
        cards, facts = ([(name, part) for name, part in places.items() if bool(part.of) == of] for of in (False, True))
        gather = _in_turn([_of_places(name, part, _gather_row if part.most else _gather_set) for name, part in cards])
        start = _in_turn([_of_places(name, part, _copy_if_empty) for name, part in facts])
        words = cardsets.words(size)

        @kernel
        def step(state: State, rules: Rules, seat: Seat, value: Any, beside: Any) -> Any:
            deck = local_zeros(words, np.uint64)
            gather(state, rules, seat, ZERO, deck)
            start(state, rules, seat, ZERO, deck)
            return value

        return step

    return _in_turn([of_size(size) for size in sorted({part.cards for part in declared.facts.values()})])


def _in_turn(steps: list[Function]) -> Function:
    """One kernel that passes a value from each step to the next."""

    @kernel
    def nothing(state: State, rules: Rules, seat: Seat, value: Any, beside: Any) -> Any:
        return value

    def after(first: Function, second: Function) -> Function:
        @kernel
        def both(state: State, rules: Rules, seat: Seat, value: Any, beside: Any) -> Any:
            return second(state, rules, seat, first(state, rules, seat, value, beside), beside)

        return both

    return reduce(after, steps) if steps else nothing


def _of_places(
    name: str, part: DeclaredField, one: Function, sees: tuple[bool, bool] = (False, False), facts: str = ""
) -> Function:
    """Does something to each set or row of a field, or to those that the seat does not see.

    `sees` says whether a seat sees its own and those of others. `one` is (cards, beside, value) -> value; with facts it
    is (cards, facts, beside, value) -> value.
    """
    each, (sees_own, sees_others) = one if facts else in_each(part, one), sees

    @kernel
    def of_seats(state: State, rules: Rules, seat: Seat, value: Any, beside: Any) -> Any:
        for owner in range(rules.seats):
            if not (sees_own if owner == seat else sees_others):
                value = each(state[name][owner], beside, value)
        return value

    @kernel
    def of_one(state: State, rules: Rules, seat: Seat, value: Any, beside: Any) -> Any:
        return each(state[name], beside, value)

    @kernel
    def of_seats_with_facts(state: State, rules: Rules, seat: Seat, value: Any, beside: Any) -> Any:
        for owner in range(rules.seats):
            if not (sees_own if owner == seat else sees_others):
                value = each(state[name][owner], state[facts][owner], beside, value)
        return value

    @kernel
    def of_one_with_facts(state: State, rules: Rules, seat: Seat, value: Any, beside: Any) -> Any:
        return each(state[name], state[facts], beside, value)

    if facts:
        return of_seats_with_facts if part.by_seat else of_one_with_facts
    return of_seats if part.by_seat else of_one


# What is done to one set or row: (cards, beside, value) -> value.


def in_each(part: DeclaredField, one: Function) -> Function:
    """The same for an array of sets or rows, if the field is one."""

    def each_of(one: Function) -> Function:
        @kernel
        def each(array: Any, beside: Any, value: Any) -> Any:
            for place in range(len(array)):
                value = one(array[place], beside, value)
            return value

        return each

    for _ in part.places:
        one = each_of(one)
    return one


@kernel
def _gather_set(cards: Any, left: Any, value: Any) -> Any:
    cardsets.add_all(left, cards)
    return value


@kernel
def _gather_row(row: Any, left: Any, value: Any) -> Any:
    rows.add_to(row, left)
    return value


@kernel
def _take_rest(cards: Any, left: Any, value: Any) -> Any:
    cardsets.copy(cards, left)
    return value


@kernel
def _copy_if_empty(cards: Any, deck: Any, value: Any) -> Any:
    if cardsets.count(cards) == 0:
        cardsets.copy(cards, deck)
    return value


# With facts: the facts of each card are listed in `sets` from place n on, and the drawn cards are laid in this order.


@kernel
def _list_row(row: Any, facts: Any, sets: Any, n: Number) -> Number:
    for place in range(rows.length(row)):
        cardsets.copy(sets[n + place], facts[place])
    return n + rows.length(row)


@kernel
def _list_set(cards: Any, facts: Any, sets: Any, n: Number) -> Number:
    for place in range(cardsets.count(cards)):
        cardsets.copy(sets[n + place], facts)
    return n + cardsets.count(cards)


@kernel
def _lay_row(row: Any, facts: Any, drawn: Numbers, n: Number) -> Number:
    for place in range(rows.length(row)):
        row[place] = drawn[n + place]
    return n + rows.length(row)


@kernel
def _lay_set(cards: Any, facts: Any, drawn: Numbers, n: Number) -> Number:
    number = cardsets.count(cards)
    cardsets.clear(cards)
    for place in range(number):
        cardsets.add(cards, drawn[n + place])
    return n + number
