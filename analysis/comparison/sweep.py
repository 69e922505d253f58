"""A grid of settings: every combination played, as a frame, and which of them lie in a range that is wanted.

from houle.analysis import sweep
sweep("wave", players=[2, 3, 4], set={"hand.back": range(5)}, strategies=["thumb"], targets=["win=35%..45%"]).frame()
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from houle.analysis.limits import GAMES, MOST_GAMES, MOST_SEED, SEED, check_int
from houle.analysis.sampling.grid import Arm, Grid, make_grid
from houle.analysis.stats.intervals import Interval, plain
from houle.solver.ruleset import RulesetError, nearest

if TYPE_CHECKING:
    import pandas as pd

    from houle.analysis.comparison.findings import Finding
    from houle.analysis.sampling.paired import Played
    from houle.solver.run import Progress

INSIDE, PERHAPS, OUTSIDE = "inside", "perhaps", "outside"


@dataclass(frozen=True)
class Target:
    """A range that a measure should lie in; rates as shares."""

    measure: str
    low: float
    high: float
    text: str

    def holds(self, found: Interval) -> str:
        """Whether an interval lies inside the range, overlaps it, or lies outside."""
        if self.low <= found.low and found.high <= self.high:
            return INSIDE
        return PERHAPS if found.low <= self.high and found.high >= self.low else OUTSIDE


def parse_target(text: str) -> Target:
    """`win=35%..45%`, `score=2..3.5`."""
    from houle.analysis.comparison.measures import MEASURES

    number = r"\s*(-?\d+(?:\.\d+)?)\s*(%?)\s*"
    match = re.fullmatch(rf"\s*([\w-]+)\s*={number}\.\.{number}", text)
    if match is None:
        raise RulesetError(f"--target: {text!r} is not allowed; write measure=low..high, as win=35%..45%")
    measure = match[1]
    if measure not in MEASURES:
        raise RulesetError(f"--target: unknown measure {measure!r}{nearest(measure, MEASURES)}")
    low, high = (float(match[i]) / (100 if match[i + 1] else 1) for i in (2, 4))
    if match[3] != match[5]:
        raise RulesetError(f"--target: {text!r} is not allowed; write both ends with % or both without")
    if low > high:
        raise RulesetError(f"--target: {text!r} is empty; write the smaller end first")
    return Target(measure, low, high, text)


@dataclass(frozen=True)
class CellOfSweep:
    """One combination, measured."""

    arm: Arm
    number: int
    measures: Mapping[str, Interval]
    targets: tuple[str, ...]  # for each target: inside, perhaps or outside
    digest: str  # as `houle simulate` gives it for the same games

    @property
    def target(self) -> str | None:
        """For all targets together: one miss is a miss."""
        order = (OUTSIDE, PERHAPS, INSIDE)
        return min(self.targets, key=order.index) if self.targets else None


@dataclass(frozen=True)
class Sweep:
    """A grid that was played."""

    grid: Grid
    played: Played
    measures: tuple[str, ...]  # what pages and figures show; the frame has all
    targets: tuple[Target, ...] = ()

    @property
    def interrupted(self) -> bool:
        return self.played.interrupted

    @property
    def digest(self) -> str:
        return self.played.digest

    @cached_property
    def cells(self) -> list[CellOfSweep]:
        """Cells of which at least a game was played."""
        return [self._cell(number) for number in range(len(self.grid.arms)) if self.played.tally(number).games]

    def _cell(self, number: int) -> CellOfSweep:
        from houle.analysis.comparison.measures import estimate, possible_measures
        from houle.solver.tally import result_digest

        arm, tally = self.grid.arms[number], self.played.tally(number)
        found = {name: estimate(self.played, number, name) for name in possible_measures(arm.setup)}
        hits = tuple(target.holds(found[target.measure]) for target in self.targets)
        first = self.played.firsts[number]
        name = result_digest(arm.setup, arm.line_up.digests, self.played.seed, first, tally)
        return CellOfSweep(arm, number, found, hits, name)

    @cached_property
    def findings(self) -> list[Finding]:
        from houle.analysis.comparison.findings import all_findings

        return all_findings(self.played)

    def frame(self) -> pd.DataFrame:
        """One row per cell, with every measure as x, x_low, x_high."""
        import pandas as pd

        rows = []
        for cell in self.cells:
            row = {**cell.arm.facts, "n": self.played.tally(cell.number).games, "score_name": cell.arm.setup.score}
            for name, found in cell.measures.items():
                key = name.replace("-", "_")
                row |= {key: found.value, f"{key}_low": found.low, f"{key}_high": found.high, f"{key}_n": found.n}
            if self.targets:
                row["target"] = cell.target
            facts = {"seed": self.played.seed, "first": self.played.firsts[cell.number]}
            rows.append({**row, **facts, "rules_digest": cell.arm.setup.digest, "result_digest": cell.digest})
        return pd.DataFrame(rows)

    def as_json(self) -> dict[str, Any]:
        """The object that `houle sweep --json` prints."""
        return {
            "game": self.grid.arms[0].setup.ruleset.name,
            "axes": {axis: list(values) for axis, values in self.grid.axes.items()},
            "seed": self.played.seed,
            "games": self.played.asked,
            "result_digest": self.digest,
            "notes": list(self.grid.arms[0].setup.notes),
            "targets": [target.text for target in self.targets],
            "cells": [
                {
                    "cell": cell.arm.label,
                    **cell.arm.facts,
                    "n": self.played.tally(cell.number).games,
                    "score_name": cell.arm.setup.score,
                    "measures": {name: plain(found) for name, found in cell.measures.items()},
                    "target": cell.target,
                    "rules_digest": cell.arm.setup.digest,
                    "result_digest": cell.digest,
                }
                for cell in self.cells
            ],
            "left_out": [{"cell": label, "why": why} for label, why in self.grid.left_out],
            "findings": [finding.as_json() for finding in self.findings],
            "interrupted": self.interrupted,
            "seconds": self.played.seconds,
        }


def sweep(
    game: str,
    players: Iterable[int] = (),
    variants: Iterable[str] = (),
    set: Mapping[str, Sequence[Any]] | None = None,
    games: int = GAMES,
    seed: int = SEED,
    strategies: Iterable[str] = (),
    rules: Iterable[str] = (),
    measures: Iterable[str] = (),
    targets: Iterable[str] = (),
    threads: int | None = None,
) -> Sweep:
    """Every combination of what is given; `set` takes a list of values per knob."""
    grid = make_grid(game, players, variants, strategies, rules, set)
    return sweep_grid(grid, games, seed, tuple(measures), tuple(map(parse_target, targets)), threads)


def check_sweep(grid: Grid, measures: Sequence[str], targets: Sequence[Target]) -> tuple[str, ...]:
    """The measures to show; refuses those that some cell does not have."""
    from houle.analysis.comparison.measures import check_measures, possible_measures, usual_measures

    chosen = check_measures(measures) or tuple(dict.fromkeys(target.measure for target in targets))
    chosen = chosen or usual_measures([arm.setup for arm in grid.arms])
    for name in (*chosen, *(target.measure for target in targets)):
        for arm in grid.arms:
            if name not in possible_measures(arm.setup):
                has = ", ".join(possible_measures(arm.setup))
                raise RulesetError(f"{name}: {arm.setup.ruleset.name} at this table has only {has}")
    return chosen


def sweep_grid(
    grid: Grid,
    games: int = GAMES,
    seed: int = SEED,
    measures: Sequence[str] = (),
    targets: Sequence[Target] = (),
    threads: int | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """As sweep, for a grid that is made already."""
    from houle.analysis.sampling.paired import play_arms

    chosen = check_sweep(grid, measures, targets)
    check_int("games", games, 1, MOST_GAMES)
    check_int("seed", seed, 0, MOST_SEED)
    played = play_arms(grid.arms, seed, games, threads, progress, pairs=False)
    return Sweep(grid, played, chosen, tuple(targets))
