"""Arrays of a fixed size that a kernel works in: they live on the stack and are gone when it returns.

numpy's own arrays are counted by references, atomically, wherever a kernel touches them: that was a quarter of a
search's time. So kernels are compiled without a runtime that counts (see kernels.py), and what they work in comes from
here or is handed in. The size is a whole number or a tuple of them, written out or a constant of the module.

What is too large for the stack, or of a size known only when the kernel runs, is borrowed and given back: plain memory
of the machine, which a graphics card has as well.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import RequireLiteralValue
from numba.extending import intrinsic

from houle.solver.kernels import JIT

FLOAT = 8  # bytes
Make = Callable[[int | tuple[int, ...], Any], Any]


def _sizes(shape: Any) -> tuple[int, ...]:
    """The shape as the compiler knows it."""
    parts = (shape,) if isinstance(shape, types.Integer) else tuple(shape)
    if not all(isinstance(part, types.IntegerLiteral) for part in parts):
        raise RequireLiteralValue("the size of a local array must be a constant")
    return tuple(part.literal_value for part in parts)


def _on_the_stack(zeroed: bool) -> Any:
    """What puts an array into the frame of the function that asks: not a function itself, its frame would be gone."""

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
    def array(context: Any, shape: Any, dtype: Any) -> Any:
        sizes = _sizes(shape)
        made = types.Array(dtype.dtype, len(sizes), "C")

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            item = context.get_abi_sizeof(context.get_data_type(made.dtype))
            number = reduce(operator.mul, sizes)
            with builder.goto_entry_block():  # a kernel is inlined into loops: there the stack would grow and grow
                data = builder.alloca(ir.ArrayType(ir.IntType(8), item * number))
            data.align = 16
            if zeroed:
                cgutils.memset(builder, data, context.get_constant(types.intp, item * number), 0)
            found = context.make_array(made)(context, builder)
            strides = [item * reduce(operator.mul, sizes[i + 1 :], 1) for i in range(len(sizes))]
            context.populate_array(
                found,
                data=builder.bitcast(data, found.data.type),
                shape=[context.get_constant(types.intp, size) for size in sizes],
                strides=[context.get_constant(types.intp, stride) for stride in strides],
                itemsize=context.get_constant(types.intp, item),
                meminfo=None,
            )
            return found._getvalue()

        return made(shape, dtype), generate

    return array


# (shape, dtype): an array of zeros.
local_zeros: Make = _on_the_stack(zeroed=True) if JIT else np.zeros
# (shape, dtype): an array that holds whatever lay there before, for what is written before it is read.
local_empty: Make = _on_the_stack(zeroed=False) if JIT else np.empty


@intrinsic  # type: ignore[untyped-decorator]
def _borrowed(context: Any, number: Any) -> Any:
    made = types.Array(types.float64, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
        allocate = cgutils.get_or_insert_function(builder.module, ir.FunctionType(pointer, [word]), "malloc")
        item = context.get_constant(types.int64, FLOAT)
        found = context.make_array(made)(context, builder)
        context.populate_array(
            found,
            data=builder.bitcast(builder.call(allocate, [builder.mul(values[0], item)]), found.data.type),
            shape=[values[0]],
            strides=[item],
            itemsize=item,
            meminfo=None,
        )
        return found._getvalue()

    return made(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _given_back(context: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        release = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), [pointer]), "free")
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        builder.call(release, [builder.bitcast(data, pointer)])
        return context.get_dummy_value()

    return types.none(array), generate


# (number): so many floats that hold whatever lay there before; there must be memory for them.
borrow: Callable[[int], Any] = _borrowed if JIT else np.empty
# (array): the memory of a borrowed array, which is not used any more.
give_back: Callable[[Any], None] = _given_back if JIT else lambda array: None
