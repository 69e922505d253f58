"""Game functions of declared games: `counts`, `knows`, `determinize`, and wrappers of `apply` and `deal`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from houle.solver.compiler import cardsets
from houle.solver.compiler.bits import U8
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.streams import derive, start_world
from houle.solver.compiler.types import Action, Flag, Key, Label, Numbers, Rules, Seat, State, Stream
from houle.solver.interface import defaults
from houle.solver.interface.declare import Fields

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


def clearing_deal(declared: Fields, deal: Function) -> Function:
    """Wraps `deal` to clear all declared fields first."""
    steps = [
        _clear_array(name, part.empty) if part.field else _clear_number(name) for name, part in declared.all.items()
    ]
    clear = _in_turn(steps + ([_clear_number("rounds")] if declared.rounds else []))

    @kernel
    def deal_anew(state: State, rules: Rules) -> None:
        state.moves = 0
        state.turns = 0
        clear(state, rules, 0, 0)
        deal(state, rules)

    return deal_anew


def _clear_number(name: str) -> Function:
    @kernel
    def step(state: State, rules: Rules, seat: Seat, value: Any) -> Any:
        state[name] = 0
        return value

    return step


def _clear_array(name: str, empty: int) -> Function:
    @kernel
    def step(state: State, rules: Rules, seat: Seat, value: Any) -> Any:
        state[name][:] = empty
        return value

    return step


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


def make_knows(declared: Fields) -> Function:
    """Makes `knows`: a hash of public fields, the seat's own sets, and the sizes of all other sets."""
    steps = [_mix_numbers(name) if part.field else _mix_number(name) for name, part in declared.public.items()]
    steps += [_mix_number("rounds")] if declared.rounds else []
    for name in declared.own:
        steps += [_mix_own(name), _mix_counts(name)]
    steps += [_mix_counts(name) if part.by_seat else _mix_count(name) for name, part in declared.hidden.items()]
    mixed = _in_turn(steps)

    @outlined
    def knows(state: State, rules: Rules, seat: Seat) -> Label:
        return mixed(state, rules, seat, derive(U8(state.mover + 1), U8(state.moves)))

    return knows


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


def _mix_number(name: str) -> Function:
    @kernel
    def step(state: State, rules: Rules, seat: Seat, key: Key) -> Key:
        return derive(key, U8(state[name]))

    return step


def _mix_numbers(name: str) -> Function:
    @kernel
    def step(state: State, rules: Rules, seat: Seat, key: Key) -> Key:
        for value in state[name].flat:
            key = derive(key, U8(value))
        return key

    return step


def _mix_own(name: str) -> Function:
    @kernel
    def step(state: State, rules: Rules, seat: Seat, key: Key) -> Key:
        for word in state[name][seat]:
            key = derive(key, word)
        return key

    return step


def _mix_count(name: str) -> Function:
    @kernel
    def step(state: State, rules: Rules, seat: Seat, key: Key) -> Key:
        return derive(key, U8(cardsets.count(state[name])))

    return step


def _mix_counts(name: str) -> Function:
    @kernel
    def step(state: State, rules: Rules, seat: Seat, key: Key) -> Key:
        for other in range(rules.seats):
            key = derive(key, U8(cardsets.count(state[name][other])))
        return key

    return step


def _dealing(declared: Fields, size: int) -> Function:
    """Deals again all sets of this size that the seat does not see; the value passed on is the stream."""
    secret = {name: part for name, part in {**declared.own, **declared.hidden}.items() if part.cards == size}
    zones = [(name, part.by_seat, name in declared.own) for name, part in secret.items()]
    # The last set takes what is left; usually it is the pile, the largest.
    last, by_seat, _ = zones[-1]
    steps = [_gather(*zone) for zone in zones] + [_share(*zone) for zone in zones[:-1]]
    steps.append(_share(*zones[-1]) if by_seat else _take_rest(last))
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


def _gather(name: str, by_seat: bool, own: bool) -> Function:
    """Adds the cards of a field to the cards left to deal."""

    @kernel
    def of_seats(state: State, rules: Rules, seat: Seat, stream: Stream, left: Any) -> Stream:
        for other in range(rules.seats):
            if not own or other != seat:
                cardsets.add_all(left, state[name][other])
        return stream

    @kernel
    def of_all(state: State, rules: Rules, seat: Seat, stream: Stream, left: Any) -> Stream:
        cardsets.add_all(left, state[name])
        return stream

    return of_seats if by_seat else of_all


def _share(name: str, by_seat: bool, own: bool) -> Function:
    """Deals a field as many cards as it holds, from the cards left."""

    @kernel
    def of_seats(state: State, rules: Rules, seat: Seat, stream: Stream, left: Any) -> Stream:
        for other in range(rules.seats):
            if not own or other != seat:
                stream = cardsets.deal_again(state[name][other], left, stream)
        return stream

    @kernel
    def of_all(state: State, rules: Rules, seat: Seat, stream: Stream, left: Any) -> Stream:
        return cardsets.deal_again(state[name], left, stream)

    return of_seats if by_seat else of_all


def _take_rest(name: str) -> Function:
    @kernel
    def step(state: State, rules: Rules, seat: Seat, stream: Stream, left: Any) -> Stream:
        cardsets.copy(state[name], left)
        return stream

    return step
