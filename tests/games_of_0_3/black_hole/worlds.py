"""Black Hole: nothing is hidden, so every world is the position itself."""

from __future__ import annotations

from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.streams import start_world
from houle.solver.compiler.types import Flag, Key, Rules, Seat, State


@kernel
def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
    start_world(state, key)
    return True
