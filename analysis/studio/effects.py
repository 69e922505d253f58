"""Which rules matter in a setup: what one step of each knob does, measured on a few games on the same deals."""

from __future__ import annotations

from dataclasses import replace

from houle.analysis.comparison.effects import Effect, effects
from houle.analysis.designing.space import make_space
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.solver.errors import InputError
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import Knob, Setup

GAMES, AGAIN = 200, 1_000  # of each change, and of the strongest of each knob
LISTED = 6  # entries of a list that are tried


def knob_effects(setup: Setup, strategies: str, seed: int = 1) -> dict[str, Effect]:
    """The effect of every knob of a setup that can be turned, by the step that does most, measured on fresh games."""
    seated = line_up(setup, strategies)
    measures = ("win", "length") if setup.one_sided else ("first-seat", "length")
    knobs = [knob for knob in setup.ruleset.knobs.values() if knob.in_force(setup.options)]
    tried = [(knob.name, arm) for knob in knobs for arm in _steps(seated, knob)]
    first = effects(Arm(seated), [arm for _, arm in tried], measures, RunSpec(GAMES, seed))
    strongest: dict[str, Effect] = {}
    for (name, _), one in zip(tried, first.rows, strict=True):
        if name not in strongest or (not one.idle, one.size) > (not strongest[name].idle, strongest[name].size):
            strongest[name] = one
    again = effects(Arm(seated), [one.arm for one in strongest.values()], measures, RunSpec(AGAIN, seed, GAMES))
    return {
        name: replace(fresh, idle=one.idle and fresh.idle)
        for (name, one), fresh in zip(strongest.items(), again.rows, strict=True)
    }


def _steps(seated: LineUp, knob: Knob) -> list[Arm]:
    """The nearest other values of a knob; some entries of a list."""
    try:
        space = make_space(seated.setup, [knob.name])
    except InputError:
        return []
    axis = space.axes[0]
    numbers = list(range(1, len(axis.values)))
    if knob.type == "int":
        now = axis.values[0]
        numbers.sort(key=lambda number: abs(axis.values[number] - now))
        numbers = numbers[:2]
    changes = [(0, number) for number in numbers[:LISTED]]
    return [Arm(seat(space.setup(frozenset({one})), seated.strategies), {}, space.words(one)) for one in changes]
