"""Fast copies of a record, or of its first bytes, into an array.

An assignment copies the whole record, and CUDA compilers copy it byte by byte, which takes longer than the playout.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.cpu import CPUContext
from numba.extending import intrinsic

from houle.solver.compiler.kernels import JIT, kernel
from houle.solver.compiler.types import Number, State, States

WORD = 8  # bytes


@intrinsic  # type: ignore[untyped-decorator]
def _copy(context: Any, target: Any, source: Any, wanted: Any) -> Any:
    size = target.size

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        *places, part = values
        whole = context.get_constant(types.intp, size)
        part = builder.select(builder.icmp_signed(">", part, context.get_constant(types.intp, 0)), part, whole)
        if isinstance(context, CPUContext) or size % WORD:
            cgutils.raw_memcpy(builder, *places, part, 1)
        else:
            to, start = (builder.bitcast(place, ir.IntType(64).as_pointer()) for place in places)
            with cgutils.for_range(builder, builder.sdiv(part, context.get_constant(types.intp, WORD))) as loop:
                word = builder.load(builder.gep(start, [loop.index]), align=WORD)
                builder.store(word, builder.gep(to, [loop.index]), align=WORD)
        return context.get_dummy_value()

    return types.none(target, source, types.intp), generate


def _put(states: States, place: Number, state: State, size: Number) -> None:
    _copy(states[place], state, size)


def _assign(states: States, place: Number, state: State, size: Number) -> None:
    states[place] = state


# (states, place, state, size): copies the first `size` bytes of the state to that place; 0: all of it (see `in_use`).
put: Callable[[States, Number, State, Number], None] = kernel(_put) if JIT else _assign
