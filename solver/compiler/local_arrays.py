"""Arrays that kernels create: on the stack with a fixed size, or borrowed with a size known only at run time.

numpy arrays are reference-counted atomically wherever a kernel touches them, which took a quarter of a search's time.
So kernels are compiled without reference counting (kernels.py) and create their arrays here. The size of a local array
is a whole number or a tuple of them, written as literals or constants of the module.

Arrays that are too large for the stack, or whose size is not constant, are borrowed (malloc) and given back (free).
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

from houle.solver.compiler.kernels import JIT

FLOAT = 8  # bytes
Make = Callable[[int | tuple[int, ...], Any], Any]


def _sizes(shape: Any) -> tuple[int, ...]:
    """The shape as constants; numba asks again with literal types where it is not constant."""
    parts = (shape,) if isinstance(shape, types.Integer) else tuple(shape)
    if not all(isinstance(part, types.IntegerLiteral) for part in parts):
        raise RequireLiteralValue("the size of a local array must be a constant")
    return tuple(part.literal_value for part in parts)


def _on_the_stack(zeroed: bool) -> Any:
    """An intrinsic that allocates an array in the frame of its caller; a function's own frame would be gone."""

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
    def array(context: Any, shape: Any, dtype: Any) -> Any:
        sizes = _sizes(shape)
        made = types.Array(dtype.dtype, len(sizes), "C")

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            item = context.get_abi_sizeof(context.get_data_type(made.dtype))
            number = reduce(operator.mul, sizes)
            with builder.goto_entry_block():  # inside a loop the stack would grow without end
                data = builder.alloca(ir.ArrayType(ir.IntType(8), item * number))
            data.align = 16
            if zeroed:
                cgutils.memset(builder, data, context.get_constant(types.intp, item * number), 0)
            array = context.make_array(made)(context, builder)
            strides = [item * reduce(operator.mul, sizes[i + 1 :], 1) for i in range(len(sizes))]
            context.populate_array(
                array,
                data=builder.bitcast(data, array.data.type),
                shape=[context.get_constant(types.intp, size) for size in sizes],
                strides=[context.get_constant(types.intp, stride) for stride in strides],
                itemsize=context.get_constant(types.intp, item),
                meminfo=None,
            )
            return array._getvalue()

        return made(shape, dtype), generate

    return array


# (shape, dtype): an array of zeros.
local_zeros: Make = _on_the_stack(zeroed=True) if JIT else np.zeros
# (shape, dtype): an uninitialised array, to be written before it is read.
local_empty: Make = _on_the_stack(zeroed=False) if JIT else np.empty


@intrinsic  # type: ignore[untyped-decorator]
def _borrowed(context: Any, number: Any) -> Any:
    made = types.Array(types.float64, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
        allocate = cgutils.get_or_insert_function(builder.module, ir.FunctionType(pointer, [word]), "malloc")
        item = context.get_constant(types.int64, FLOAT)
        array = context.make_array(made)(context, builder)
        context.populate_array(
            array,
            data=builder.bitcast(builder.call(allocate, [builder.mul(values[0], item)]), array.data.type),
            shape=[values[0]],
            strides=[item],
            itemsize=item,
            meminfo=None,
        )
        return array._getvalue()

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


# (number): an uninitialised array of floats on the heap. The allocation is not checked.
borrow: Callable[[int], Any] = _borrowed if JIT else np.empty
# (array): frees a borrowed array.
give_back: Callable[[Any], None] = _given_back if JIT else lambda array: None
