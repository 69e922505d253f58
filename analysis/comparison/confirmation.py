"""Confirmation on fresh games: what was picked for being the largest, or the nearest, is measured again.

The largest of many differences is usually larger than the truth, and a cell in the middle of a target may be there by
luck. Both numbers are shown: that of the games that picked it, and that of fresh games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from houle.analysis.comparison.compare import Comparison
from houle.analysis.measures.measures import estimate
from houle.analysis.measures.targets import INSIDE, Target, worst
from houle.analysis.result import Record
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.group_points import at_points
from houle.analysis.sampling.paired_arms import play_arms
from houle.analysis.stats.differences import near_end
from houle.analysis.stats.estimate import Estimate
from houle.solver.run.tally import result_digest

if TYPE_CHECKING:
    from houle.analysis.comparison.open_rules import Turn


@dataclass(frozen=True)
class Confirmed:
    """The changed rule with the largest effect: its effect in the games that picked it, and in as many new games."""

    turn: Turn
    measure: str
    picked: Estimate
    fresh: Estimate
    comparison: Comparison  # of the fresh games

    @property
    def again(self) -> bool:
        """Whether the fresh games by themselves show the same."""
        return near_end(self.fresh) > 0 and self.fresh.value * self.picked.value > 0

    @property
    def record(self) -> Record:
        return {
            "turn": self.turn.label,
            "measure": self.measure,
            "picked": self.picked,
            "fresh": self.fresh,
            "first": self.comparison.first,
            "confirmed": self.again,
        }


@dataclass(frozen=True)
class ConfirmedCell:
    """The cell of a sweep that fits its targets best, on the games that picked it and on as many fresh games."""

    arm: Arm
    number: int  # its index in the grid
    picked: Mapping[str, Estimate]  # by measure of a target
    fresh: Mapping[str, Estimate]
    target: str  # by the fresh games: inside, perhaps or outside
    games: int
    first: int
    digest: str  # as `houle simulate` gives it for the fresh games

    @property
    def again(self) -> bool:
        """Whether the fresh games by themselves put it inside."""
        return self.target == INSIDE

    @property
    def record(self) -> Record:
        return {
            "cell": self.arm.label,
            "picked": self.picked,
            "fresh": self.fresh,
            "target": self.target,
            "games": self.games,
            "first": self.first,
            "confirmed": self.again,
            "result_digest": self.digest,
        }


def confirm_cell(
    arm: Arm, number: int, measured: Mapping[str, Estimate], targets: Sequence[Target], spec: RunSpec
) -> ConfirmedCell | None:
    """Play the picked cell on fresh games; None after Ctrl-C."""
    played = at_points(play_arms((arm,), spec, pairs=False), spec, pairs=False)
    if played.interrupted:
        return None
    wanted = [target for target in targets if target.is_for(arm.strategies)]
    names = tuple(dict.fromkeys(target.measure for target in wanted))
    fresh = {name: estimate(played, 0, name) for name in names}
    hit = worst(target.holds(fresh[target.measure]) for target in wanted)
    name = result_digest(arm.setup, arm.line_up.digests, spec.seed, spec.first, played.tally(0))
    picked = {name: measured[name] for name in names}
    return ConfirmedCell(arm, number, picked, fresh, hit or INSIDE, spec.games, spec.first, name)
