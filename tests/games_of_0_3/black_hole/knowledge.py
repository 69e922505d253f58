"""Black Hole: everything is open, so a player knows the whole state."""

from __future__ import annotations

from houle.solver.compiler.bits import U8
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.streams import derive
from houle.solver.compiler.types import Label, Rules, Seat, State


@kernel
def knows(state: State, rules: Rules, seat: Seat) -> Label:
    key = derive(U8(state.hole), state.laid)
    for pile in range(rules.piles):
        for i in range(state.left[pile]):
            key = derive(key, state.cards[pile * rules.height + i])
        key = derive(key, 255)
    return key
