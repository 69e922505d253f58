"""Which rules matter in a setup: what one step of each knob does, measured on a few games on the same deals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from houle.analysis.designing.space import Change, Space, make_space
from houle.analysis.measures.measures import difference
from houle.analysis.measures.words import words
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired_arms import GrowingArms
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.multiplicity import near_end
from houle.solver.errors import InputError
from houle.solver.players.player import seat
from houle.solver.rules import Knob, Setup

GAMES = 200  # of each change
LISTED = 6  # entries of a list that are tried


@dataclass(frozen=True)
class Effect:
    """What the strongest of the tried steps of a knob does."""

    size: tuple[float, float]  # certain, then measured, in units of what matters
    change: str  # `hand.back=3`
    what: Mapping[str, Estimate]  # by measure
    alive: bool  # whether any game changed


def knob_effects(setup: Setup, strategies: str, seed: int = 1) -> dict[str, Effect]:
    """The effect of every knob of a setup that can be turned; knobs that no game notices are not alive."""
    seated = line_up(setup, strategies)
    measures = ("win", "length") if setup.one_sided else ("first-seat", "length")
    tried: list[tuple[str, Space, Change]] = []
    for knob in setup.ruleset.knobs.values():
        if knob.in_force(setup.options):
            tried += [(knob.name, space, change) for space, change in _steps(setup, knob)]
    arms = [
        Arm(seated),
        *(Arm(seat(space.setup(frozenset({change})), seated.strategies)) for _, space, change in tried),
    ]
    growing = GrowingArms(arms, RunSpec(GAMES, seed), pairs=False, crossed=True)
    growing.play(range(len(arms)), GAMES)
    played = growing.played
    found: dict[str, Effect] = {}
    for number, (name, space, change) in enumerate(tried, 1):
        changed = bool(played.sums(number).changed.any()) if number < 64 else True
        what = {measure: difference(played, number, measure).interval for measure in measures}
        size = (
            max(near_end(one) / _matters(measure) for measure, one in what.items()),
            max(abs(one.value) / _matters(measure) for measure, one in what.items()),
        )
        effect = Effect(size, space.words(change), what, changed)
        if name not in found or (changed, size) > (found[name].alive, found[name].size):
            found[name] = effect
    return found


def _matters(measure: str) -> float:
    return float(words()["measures"][measure]["margin"])


def _steps(setup: Setup, knob: Knob) -> list[tuple[Space, Change]]:
    """The nearest other values of a knob; some entries of a list."""
    try:
        space = make_space(setup, [knob.name])
    except InputError:
        return []
    axis = space.axes[0]
    numbers = list(range(1, len(axis.values)))
    if knob.type == "int":
        now = axis.values[0]
        numbers.sort(key=lambda number: abs(axis.values[number] - now))
        numbers = numbers[:2]
    return [(space, (0, number)) for number in numbers[:LISTED]]
