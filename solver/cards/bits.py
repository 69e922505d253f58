"""Sets of up to 64 cards in one unsigned integer: count, lowest, nth, without.

Every function also exists in plain Python for runs without the compiler (NUMBA_DISABLE_JIT=1), with equal results.
All arithmetic stays in uint64: numba makes `u8 - 1` and `u8 & i8` signed, so constants are wrapped in U8.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from houle.solver.compiler.kernels import JIT, kernel
from houle.solver.compiler.types import Card, Cards, Flag, Moves, Number, Rules, Seat

U8 = np.uint64
ZERO = U8(0)
ONE = U8(1)
TWO = U8(2)
THREE = U8(3)
FOUR = U8(4)
ALL = U8(0xFFFF_FFFF_FFFF_FFFF)

if TYPE_CHECKING:

    def count(cards: Any) -> Any: ...

    def lowest(cards: Any) -> Any: ...

    def high_product(a: Any, b: Any) -> Any: ...

elif JIT:

    @intrinsic
    def count(typing: Any, cards: Any) -> Any:
        """How many cards."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), code

    @intrinsic
    def lowest(typing: Any, cards: Any) -> Any:
        """Index of the lowest card; the set must not be empty."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.uint64(types.uint64), code

    @intrinsic
    def high_product(typing: Any, a: Any, b: Any) -> Any:
        """Upper 64 bits of a 64 x 64 bit product."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            wide = ir.IntType(128)
            product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
            return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

        return types.uint64(types.uint64, types.uint64), code

else:
    # Random streams rely on overflow; without the compiler numpy would warn. The first holds in this thread only.
    np.seterr(over="ignore")
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)

    def count(cards: Any) -> Any:
        return U8(int(cards).bit_count())

    def lowest(cards: Any) -> Any:
        bits = int(cards)
        return U8((bits & -bits).bit_length() - 1)

    def high_product(a: Any, b: Any) -> Any:
        return U8(int(a) * int(b) >> 64)


if TYPE_CHECKING or JIT:

    @kernel
    def single(card: Card) -> Cards:
        """The set of one card."""
        return ONE << U8(card)

else:

    def single(card: Card) -> Cards:
        """The set of one card. Checks the range, which compiled code does not."""
        if not 0 <= int(card) < 64:
            raise IndexError(f"card {int(card)} does not fit into a set of 64 cards; use cardsets.py for larger sets")
        return ONE << U8(card)


@kernel
def has(cards: Any, card: Card) -> Flag:
    return (cards >> U8(card)) & ONE != ZERO


@kernel
def without_lowest(cards: Any) -> Cards:
    return cards & (cards - ONE)


@kernel
def list_cards(cards: Any, base: Any, moves: Moves, n: Any) -> Any:
    """Writes base + card for every card, ascending, into `moves` from place n on; returns the next place."""
    while cards != ZERO:
        moves[n] = base + np.int64(lowest(cards))
        cards = without_lowest(cards)
        n += 1
    return n


# A hand rarely has more than five playable cards. The first steps are arithmetic instead of branches, because n is
# random and branch prediction would fail half of the time.
@kernel
def nth(cards: Any, n: Number) -> Card:
    """Index of the n-th lowest card (from 0); n must be below count(cards)."""
    n = U8(n)
    cards &= (cards - ONE) | (U8(n > ZERO) - ONE)
    cards &= (cards - ONE) | (U8(n > ONE) - ONE)
    cards &= (cards - ONE) | (U8(n > TWO) - ONE)
    cards &= (cards - ONE) | (U8(n > THREE) - ONE)
    while n > FOUR:
        cards &= cards - ONE
        n -= ONE
    return lowest(cards)


def members(cards: Any) -> list[int]:
    """The cards of a set of one or several words, ascending. For plain Python."""
    words = [int(word) for word in np.atleast_1d(cards)]
    return [64 * i + card for i, word in enumerate(words) for card in range(word.bit_length()) if word >> card & 1]


@kernel
def left_of(rules: Rules, seat: Seat) -> Seat:
    """The seat after an unsigned `seat`, clockwise."""
    return ZERO if seat + ONE == U8(rules.seats) else seat + ONE


@kernel
def next_of(seats: Number, seat: Seat) -> Seat:
    """The first seat of a set, clockwise after `seat`; the set must not be empty."""
    later = (seats >> seat) >> ONE
    return lowest(later) + seat + ONE if later != ZERO else lowest(seats)
