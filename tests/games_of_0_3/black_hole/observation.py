"""Black Hole: all cards as numbers, and the list of actions, for learners."""

from __future__ import annotations

from collections.abc import Iterable

from black_hole.state import NOTHING
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.observing import put
from houle.solver.compiler.types import Number, Numbers, Rules, Seat, State
from houle.solver.rules import Setup


@kernel
def observe(state: State, rules: Rules, seat: Seat, out: Numbers) -> Number:
    """The hole and every place of every pile, the bottom first: 1 + the card, 0 for none."""
    at = put(out, 0, 0 if state.hole == NOTHING else state.hole + 1)
    for pile in range(rules.piles):
        for i in range(rules.height):
            at = put(out, at, state.cards[pile * rules.height + i] + 1 if i < state.left[pile] else 0)
    return at


def observation_parts(setup: Setup) -> list[tuple[str, int]]:
    rules = setup.rules[0]
    return [("hole", 1), ("cards", int(rules.piles) * int(rules.height))]


def action_kinds(setup: Setup, seat: int) -> Iterable[int]:
    return range(int(setup.rules[0].piles))
