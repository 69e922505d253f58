"""Copies and clears records.

An assignment copies the whole record, also the bytes that a game does not use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from houle.solver.compiler.kernels import JIT, kernel
from houle.solver.compiler.types import Number, State, States


@intrinsic  # type: ignore[untyped-decorator]
def _copy(context: Any, target: Any, source: Any, wanted: Any) -> Any:
    size = target.size

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        *places, part = values
        whole = context.get_constant(types.intp, size)
        part = builder.select(builder.icmp_signed(">", part, context.get_constant(types.intp, 0)), part, whole)
        cgutils.raw_memcpy(builder, *places, part, 1)
        return context.get_dummy_value()

    return types.none(target, source, types.intp), generate


def _put(states: States, place: Number, state: State, size: Number) -> None:
    _copy(states[place], state, size)


def _assign(states: States, place: Number, state: State, size: Number) -> None:
    states[place] = state


# (states, place, state, size): copies the first `size` bytes of the state to that place; 0: all of it (see `in_use`).
put: Callable[[States, Number, State, Number], None] = kernel(_put) if JIT else _assign


def filler(dtype: np.dtype[Any], values: Mapping[str, int]) -> Callable[[State], None]:
    """A function that fills fields of a record of this dtype, each with 0 or -1.

    A kernel for each field would take a tenth of the time in which random play is compiled.
    """
    fields: Mapping[str, Any] = dtype.fields or {}
    runs: list[tuple[int, int, int]] = []  # start, end and value of neighbouring fields
    for name in sorted(values, key=lambda name: fields[name][1]):
        kind, start = fields[name][:2]
        end, value = start + kind.itemsize, values[name]
        if runs and runs[-1][1:] == (start, value):
            start = runs.pop()[0]
        runs.append((start, end, value))

    def fill_plainly(state: State) -> None:
        for name, value in values.items():
            state[name] = np.int64(value)  # -1 is all ones in a set of cards

    @intrinsic  # type: ignore[untyped-decorator]
    def fill(context: Any, state: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            first = builder.bitcast(arguments[0], ir.IntType(8).as_pointer())
            for start, end, value in runs:
                place = builder.gep(first, [context.get_constant(types.intp, start)])
                cgutils.memset(builder, place, context.get_constant(types.intp, end - start), value)
            return context.get_dummy_value()

        return types.none(state), generate

    return fill if JIT else fill_plainly
