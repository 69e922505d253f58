"""A record, copied into a place of an array by whole words.

An assignment does the same, but a compiler for graphics cards makes it byte by byte: longer than what is then played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.cpu import CPUContext
from numba.extending import intrinsic

from houle.solver.kernels import JIT, kernel
from houle.solver.types import Number, State, States

WORD = 8  # bytes


@intrinsic  # type: ignore[untyped-decorator]
def _copy(context: Any, target: Any, source: Any) -> Any:
    size = target.size

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        if isinstance(context, CPUContext) or size % WORD:
            cgutils.raw_memcpy(builder, *values, context.get_constant(types.intp, size), 1)
        else:
            to, start = (builder.bitcast(value, ir.IntType(64).as_pointer()) for value in values)
            with cgutils.for_range(builder, context.get_constant(types.intp, size // WORD)) as loop:
                word = builder.load(builder.gep(start, [loop.index]), align=WORD)
                builder.store(word, builder.gep(to, [loop.index]), align=WORD)
        return context.get_dummy_value()

    return types.none(target, source), generate


def _put(states: States, place: Number, state: State) -> None:
    _copy(states[place], state)


def _assign(states: States, place: Number, state: State) -> None:
    states[place] = state


# (states, place, state): the state is copied to that place.
put: Callable[[States, Number, State], None] = kernel(_put) if JIT else _assign
