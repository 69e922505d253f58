"""Observations of declared games: what the fields show to a seat, as numbers, and the names of these numbers.

Public fields and the seat's own are written in full: a set has a place per card, a row 1 + the card in each place. Of
the cards of others and of hidden cards only the number is written. Hidden numbers are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from houle.solver.compiler import cardsets, rows
from houle.solver.compiler.bits import ONE, U8
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.observing import ahead, put, seat_ahead
from houle.solver.compiler.types import Number, Numbers, Rules, Seat, State
from houle.solver.interface.declare import Fields, Part
from houle.solver.interface.declared_kernels import in_each
from houle.solver.interface.game import Parts, from_observer

Function = Callable[..., Any]


def make_observe(declared: Fields) -> Function:
    """Makes `observe`."""
    steps = [_put_number(name) for name in _counts(declared)]
    for name, part in declared.public.items():
        steps.append(_put_seats(name, _value(part), 0) if part.by_seat else _put_field(name, _value(part)))
    for name, part in declared.own.items():
        steps.append(_put_own(name, _value(part)))
        steps += [_put_seats(name, _size(part), 1)] if _is_counted(part) else []
    for name, part in declared.hidden.items():
        if _is_counted(part):
            steps.append(_put_seats(name, _size(part), 0) if part.by_seat else _put_field(name, _size(part)))

    def after(first: Function, second: Function) -> Function:
        @kernel
        def both(state: State, rules: Rules, seat: Seat, out: Numbers, at: Number) -> Number:
            return second(state, rules, seat, out, first(state, rules, seat, out, at))

        return both

    written = reduce(after, steps)

    @outlined
    def observe(state: State, rules: Rules, seat: Seat, out: Numbers) -> Number:
        at = put(out, 0, seat)
        at = put(out, at, ahead(state.mover, seat, rules.seats))
        return written(state, rules, seat, out, at)

    return observe


def make_observation_parts(declared: Fields) -> Function:
    """Makes `observation_parts`: the names of what `make_observe` writes."""

    def observation_parts(setup: Any) -> Parts:
        seats = from_observer(setup.players)
        parts: Parts = [(name, 1) for name in ("seat", "to move", *_counts(declared))]
        for name, part in declared.public.items():
            parts += [(f"{who} {name}".strip(), _width(part)) for who in (seats if part.by_seat else [""])]
        for name, part in declared.own.items():
            parts.append((f"own {name}", _width(part)))
            parts += [(f"{who} {name}", _number(part)) for who in seats[1:]] if _is_counted(part) else []
        for name, part in declared.hidden.items():
            if _is_counted(part):
                parts += [(f"{who} {name}".strip(), _number(part)) for who in (seats if part.by_seat else [""])]
        return parts

    return observation_parts


def _counts(declared: Fields) -> list[str]:
    return ["moves", "turns", *(["rounds"] if declared.rounds else [])]


def _is_counted(part: Part) -> bool:
    """Whether a seat that does not see the field knows its size; arrays of more dimensions have their own `knows`."""
    return part.cards > 0 and len(part.places) <= 1


def _number(part: Part) -> int:
    """The sets, rows or numbers in one entry of a field."""
    return int(np.prod(part.places, dtype=int))


def _width(part: Part) -> int:
    """The numbers that are written for one entry of a field."""
    return (part.most or part.cards or 1) * _number(part)


# Each field has a small kernel (state, rules, seat, out, at) -> at, and they are chained. `one` writes one entry of it:
# (value, out, at) -> at.


def _put_number(name: str) -> Function:
    @kernel
    def step(state: State, rules: Rules, seat: Seat, out: Numbers, at: Number) -> Number:
        return put(out, at, state[name])

    return step


def _put_field(name: str, one: Function) -> Function:
    @kernel
    def step(state: State, rules: Rules, seat: Seat, out: Numbers, at: Number) -> Number:
        return one(state[name], out, at)

    return step


def _put_own(name: str, one: Function) -> Function:
    @kernel
    def step(state: State, rules: Rules, seat: Seat, out: Numbers, at: Number) -> Number:
        return one(state[name][seat], out, at)

    return step


def _put_seats(name: str, one: Function, first: int) -> Function:
    """Writes the entries of the seats from so many after the observer on."""

    @kernel
    def step(state: State, rules: Rules, seat: Seat, out: Numbers, at: Number) -> Number:
        for number in range(first, rules.seats):
            at = one(state[name][seat_ahead(number, seat, rules.seats)], out, at)
        return at

    return step


def _size(part: Part) -> Function:
    return in_each(part, _put_length if part.most else _put_size)


@kernel
def _put_size(cards: Any, out: Numbers, at: Number) -> Number:
    return put(out, at, cardsets.count(cards))


@kernel
def _put_length(row: Any, out: Numbers, at: Number) -> Number:
    return put(out, at, rows.length(row))


@kernel
def _put_value(value: Any, out: Numbers, at: Number) -> Number:
    return put(out, at, value)


def _value(part: Part) -> Function:
    """Writes the numbers, sets or rows of an entry."""
    if not part.cards and not part.places:
        return _put_value
    first, size, words = 1 if part.cards else 0, part.cards, cardsets.words(part.cards)

    @kernel
    def numbers(value: Any, out: Numbers, at: Number) -> Number:
        for number in value.flat:
            at = put(out, at, np.int64(number) + first)
        return at

    @kernel
    def sets(value: Any, out: Numbers, at: Number) -> Number:
        word = 0
        for bits in value.flat:
            inside = min(size - cardsets.WORD * word, cardsets.WORD)
            for card in range(inside):
                out[at + card] = (bits >> U8(card)) & ONE
            at += inside
            word = word + 1 if word + 1 < words else 0
        return at

    return sets if part.cards and not part.most else numbers
