"""Weighted sums of features, four products at a time.

Weights and features lie in 64 bits and must fit into 32: a processor multiplies four such pairs at once, but 64-bit
numbers only one by one. Sums have 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from houle.solver.compiler.kernels import JIT
from houle.solver.compiler.types import Features, Number, Numbers, State

LANES = 4
WORD = 8  # bytes


@cache
def weighing(width: int) -> Callable[[State, Numbers, Features, Number], Number]:
    """A function (state, weights, table, row) -> the weighted sum of the first `width` numbers of a row.

    Numbers up to the next multiple of four are read too, so the weights there must exist and be 0.
    """

    def plain(state: State, weights: Numbers, table: Features, row: Number) -> Number:
        return np.int64(sum(int(weights[k]) * int(table[row, k]) for k in range(width)))

    def compiled(typing: Any, state: Any, weights: Any, table: Any, row: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            rows = context.make_array(table)(context, builder, values[2])
            columns = builder.extract_value(rows.shape, 1)
            features = builder.gep(rows.data, [builder.mul(values[3], columns)])
            factors = context.make_array(weights)(context, builder, values[1]).data
            return _by_fours(builder, factors, features, width)

        return types.int64(state, weights, table, types.int64), generate

    return intrinsic(compiled) if JIT else plain


def _by_fours(builder: Any, factors: Any, features: Any, width: int) -> Any:
    vector, place = ir.VectorType(ir.IntType(64), LANES), ir.IntType(32)
    half = ir.Constant(vector, [32] * LANES)
    total = ir.Constant(vector, [0] * LANES)

    def numbers(array: Any, first: int) -> Any:
        start = builder.gep(array, [ir.IntType(64)(first)])
        loaded = builder.load(builder.bitcast(start, vector.as_pointer()), align=WORD)
        return builder.ashr(builder.shl(loaded, half), half)

    for first in range(0, width, LANES):
        total = builder.add(total, builder.mul(numbers(factors, first), numbers(features, first)))
    halves = (
        builder.shuffle_vector(total, total, ir.Constant(ir.VectorType(place, 2), pair)) for pair in ([0, 1], [2, 3])
    )
    pair = builder.add(*halves)
    return builder.add(*(builder.extract_element(pair, place(lane)) for lane in range(2)))
