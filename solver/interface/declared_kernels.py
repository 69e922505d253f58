"""Game functions of declared games: `counts`, `determinize`, and wrappers of `apply` and `deal`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from houle.solver.cards import cardsets, rows
from houle.solver.cards.bits import U8
from houle.solver.cards.streams import derive, start_world
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.records import filler
from houle.solver.compiler.types import Action, Flag, Key, Numbers, Rules, Seat, State, Stream
from houle.solver.interface import defaults
from houle.solver.interface.declare import Fields, Part

Function = Callable[..., Any]

TRIES = 10_000  # deals per world until one is possible
WORLD = U8(11)  # part of a world's key, for its cards


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

    @kernel
    def deal_anew(state: State, rules: Rules) -> None:
        clear(state)
        deal(state, rules)

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
    secret = {**declared.own, **declared.hidden}
    sizes = sorted({part.cards for part in secret.values()})
    deal_anew = _in_turn([_dealing(declared, size) for size in sizes])
    fits = possible or _always

    @outlined
    def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
        start_world(state, key)
        stream = derive(key, WORLD)
        for _ in range(TRIES):
            stream = deal_anew(state, rules, seat, stream)
            if fits(state, rules):
                return True
        return False

    return determinize


@kernel
def _always(state: State, rules: Rules) -> Flag:
    return True


# Each field has a small kernel (state, rules, seat, value) -> value, and they are chained. The name of the field is a
# constant to the compiler.


def _in_turn(steps: list[Function]) -> Function:
    """One kernel that passes a value from each step to the next."""

    @kernel
    def nothing(state: State, rules: Rules, seat: Seat, value: Any) -> Any:
        return value

    def after(first: Function, second: Function) -> Function:
        @kernel
        def both(state: State, rules: Rules, seat: Seat, value: Any) -> Any:
            return second(state, rules, seat, first(state, rules, seat, value))

        return both

    return reduce(after, steps, nothing)


def _dealing(declared: Fields, size: int) -> Function:
    """Deals again all cards of sets and rows of this size that the seat does not see; passes on the stream."""
    zones = [
        (name, part, name in declared.own)
        for name, part in {**declared.own, **declared.hidden}.items()
        if part.cards == size
    ]
    # The last set takes what is left; usually it is the pile, the largest.
    part = zones[-1][1]
    takes_rest = not part.most and not part.shape
    steps = [_of_zone(*zone, _gather_row if zone[1].most else _gather_set) for zone in zones]
    steps += [
        _of_zone(*zone, rows.deal_again if zone[1].most else cardsets.deal_again)
        for zone in (zones[:-1] if takes_rest else zones)
    ]
    steps += [_of_zone(*zones[-1], _take_rest)] if takes_rest else []
    deal = _in_turn_beside(steps)
    words = cardsets.words(size)

    @kernel
    def step(state: State, rules: Rules, seat: Seat, stream: Stream) -> Stream:
        left = local_zeros(words, np.uint64)
        return deal(state, rules, seat, stream, left)

    return step


def _in_turn_beside(steps: list[Function]) -> Function:
    """The same for steps with a set of cards left: (state, rules, seat, stream, left) -> stream."""

    def after(first: Function, second: Function) -> Function:
        @kernel
        def both(state: State, rules: Rules, seat: Seat, stream: Stream, left: Any) -> Stream:
            return second(state, rules, seat, first(state, rules, seat, stream, left), left)

        return both

    return reduce(after, steps)


def _of_zone(name: str, part: Part, own: bool, one: Function) -> Function:
    """Does something to each set or row of a field that the seat does not see."""
    each = in_each(part, one)

    @kernel
    def of_seats(state: State, rules: Rules, seat: Seat, stream: Stream, left: Any) -> Stream:
        for other in range(rules.seats):
            if not own or other != seat:
                stream = each(state[name][other], left, stream)
        return stream

    @kernel
    def of_all(state: State, rules: Rules, seat: Seat, stream: Stream, left: Any) -> Stream:
        return each(state[name], left, stream)

    return of_seats if part.by_seat else of_all


# What is done to one set or row: (cards, left, value) -> value.


def in_each(part: Part, one: Function) -> Function:
    """The same for an array of sets or rows, if the field is one."""
    if not part.places:
        return one

    @kernel
    def each(array: Any, left: Any, value: Any) -> Any:
        for place in range(len(array)):
            value = one(array[place], left, value)
        return value

    return each


@kernel
def _gather_set(cards: Any, left: Any, stream: Stream) -> Stream:
    cardsets.add_all(left, cards)
    return stream


@kernel
def _gather_row(row: Any, left: Any, stream: Stream) -> Stream:
    rows.add_to(row, left)
    return stream


@kernel
def _take_rest(cards: Any, left: Any, stream: Stream) -> Stream:
    cardsets.copy(cards, left)
    return stream
