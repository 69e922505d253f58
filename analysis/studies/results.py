"""What a study has come to, as numbers with intervals.

Cells that ended give the same numbers, and the same digests, as `houle simulate` would. Of a cell under way
the games counted so far are shown, and marked as unfinished.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.arguments import checked
from houle.analysis.comparison.targets import Target, worst
from houle.analysis.result import Facts, Result, command_line, interval_columns
from houle.analysis.sampling.precision import PreciseSimulation
from houle.analysis.sampling.simulation import Side, Simulation
from houle.analysis.stats.intervals import Interval, draw_rate, mean_score, win_rate
from houle.analysis.stats.sequential import AT_STOP
from houle.analysis.studies.cell_run import stop_of
from houle.analysis.studies.cells import Plan
from houle.analysis.studies.database import reading
from houle.analysis.studies.serialize import tally_from
from houle.analysis.studies.spec import read_targets
from houle.analysis.studies.status import Status, status_of
from houle.analysis.studies.stopping import AtDecision, AtWidth
from houle.analysis.studies.store import Row, Store
from houle.solver.ruleset import Setup, differences_line, rule_changes, value_shown
from houle.solver.ruleset.files import parse_toml
from houle.solver.tally import Tally

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class CellResult:
    """A cell and what its games came to; none where nothing is counted yet."""

    row: Row
    simulation: Simulation | None
    targets: tuple[Target, ...] = ()  # what is wanted of it
    stop: AtDecision | None = None  # what its targets' tests say, where it is played until they are decided

    @property
    def done(self) -> bool:
        return self.row.ended is not None

    @cached_property
    def settings(self) -> dict[str, str]:
        """The knobs that the study set, as text."""
        setup = self.row.cell().setup
        return {knob: str(setup.options[knob]) for knob in setup.changed}

    @property
    def target(self) -> str | None:
        """Whether it is as wanted: inside, perhaps or outside; None where nothing is wanted, or known."""
        if self.simulation is None:
            return None
        if self.stop is not None:
            return self.stop.target
        return worst(target.holds(measured(self.simulation, target.measure)) for target in self.targets)

    def as_json(self) -> dict[str, Any]:
        head: dict[str, Any] = {"cell": self.row.id, "done": self.done, "label": self.row.label}
        if self.simulation is None:
            return head
        data = self.simulation.as_json()
        # Played in parts, here and there: no time of its own.
        del data["seconds"], data["games_per_second"]
        return head | data | ({"target": self.target} if self.targets else {})

    def frame(self) -> pd.DataFrame | None:
        """One row per side."""
        if self.simulation is None:
            return None
        part = self.simulation.frame().assign(
            **interval_columns("draws", self.simulation.draws),
            **{name: self.simulation.mean(name) for name in ("moves", "turns", "rounds")},
        )
        if not self.done:
            part["result_digest"] = None
        part.insert(0, "cell", self.row.id)
        part.insert(1, "done", self.done)
        part["precision"] = self.row.precision
        part["margin"] = self.row.margin
        return part.assign(**{f"set.{knob}": text for knob, text in self.settings.items()})


@dataclass(frozen=True, repr=False)
class DecidedSimulation(Simulation):
    """A cell that is played until its targets are decided: its intervals hold at such a stop."""

    @cached_property
    def sides(self) -> list[Side]:
        tally = self.run.tally
        return [
            replace(side, win=win_rate(tally, i, AT_STOP), score=mean_score(tally, i, AT_STOP))
            for i, side in enumerate(super().sides)
        ]

    @cached_property
    def draws(self) -> Interval:
        return draw_rate(self.run.tally, AT_STOP)


def measured(found: Simulation, measure: str) -> Interval:
    """What a target is about, of the first side."""
    side = found.sides[0]
    if measure in ("win", "first-seat"):
        share = 1 / len(found.sides) if measure == "first-seat" else 0.0
        return Interval(side.win.value - share, side.win.low - share, side.win.high - share, side.win.n)
    return found.draws if measure == "draws" else side.score.interval


@dataclass(frozen=True, repr=False)
class StudyResult(Result):
    """A study so far. What a result tells of its table, this one tells of the first cell; games are those of all."""

    path: str
    status: Status
    cells: tuple[CellResult, ...]
    origin: Mapping[str, str]  # name, versions and times
    targets: tuple[Target, ...]

    command = "study"

    @cached_property
    def facts(self) -> Facts:
        first, status = self.cells[0].row, self.status
        games, asked = sum(status.games.values()), sum(status.goal(row) for row in status.rows)
        seconds = sum(session["seen"] - session["started"] for session in status.sessions)
        return Facts(first.cell().setup, first.strategies, first.seed, games, asked, seconds, status.digest or "")

    @property
    def name(self) -> str:
        return self.status.name

    @cached_property
    def own_rules(self) -> list[str]:
        """How the tables of the cells differ from print, a line each; empty where none does."""
        setups = list({setup.digest: setup for setup in (cell.row.cell().setup for cell in self.cells)}.values())
        named = [differences_line(setup) for setup in setups if setup.title]
        by_hand = [setup for setup in setups if not setup.title]
        lines = list(dict.fromkeys(differences_line(setup) for setup in by_hand))
        return [*dict.fromkeys(named), *(filter(None, lines) if len(lines) == 1 else _settings(by_hand))]

    @property
    def interrupted(self) -> bool:
        """Whether there is still something to play."""
        return self.status.digest is None

    def repeat(self, setup_words: Sequence[str] | None = None) -> str:
        """The command that goes on with the study; a finished one says so."""
        return command_line(["study", "resume", self.path], *(cell.row.cell().setup for cell in self.cells))

    def frame(self) -> pd.DataFrame:
        """One row per cell and side; a column `set.KNOB` for every knob that any cell sets; `attrs`: its origin."""
        import pandas as pd

        parts = [part for cell in self.cells if (part := cell.frame()) is not None]
        whole = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame({"cell": [], "done": []})
        if self.targets:
            told = {cell.row.id: cell.target for cell in self.cells}
            whole["target"] = pd.Series([told[cell] for cell in whole["cell"]], dtype=object)
        whole.attrs.update(self.origin)
        return whole

    def as_json(self) -> dict[str, Any]:
        """The object that `houle study show --json` prints; what it says beside `cells` is of the first of them."""
        return {
            "name": self.name,
            "digest": self.status.digest,
            **self.head(),
            "result_digest": self.status.digest,
            "targets": [target.text for target in self.targets],
            "cells": [cell.as_json() for cell in self.cells],
        }


def _settings(setups: Sequence[Setup]) -> list[str]:
    """What was set on the axes of a study, knob by knob: `hand.front = 2 or 4 in some cells, not 3 (printed)`."""
    changes = [(setup.ruleset.title, change) for setup in setups for change in rule_changes(setup)]
    games = {setup.ruleset.title for setup in setups}
    lines = []
    for game, knob in dict.fromkeys((game, change.knob) for game, change in changes):
        own = [change for title, change in changes if (title, change.knob) == (game, knob)]
        values = " or ".join(dict.fromkeys(value_shown(change.now) for change in own))
        every = len(own) == sum(setup.ruleset.title == game for setup in setups)
        printed = " or ".join(dict.fromkeys(value_shown(change.printed) for change in own))
        where = "every cell" if every else "some cells"
        head = f"{game}: " if len(games) > 1 else ""
        lines.append(f"{head}{knob} = {values} in {where}, not {printed} ({own[0].provenance})")
    return lines


def _read(row: Row, store: Store, targets: tuple[Target, ...]) -> CellResult:
    cell = row.cell()
    stretches = {number: tally_from(cell.setup, data) for number, data in store.stretches(row.id).items()}
    stop = stop_of(row, store, cell)
    total = Tally.empty(cell.setup)
    if stop is None:
        for tally in stretches.values():
            total.add(tally)
    else:
        plan = Plan(row.games, row.precision, row.chunk, row.margin)
        # What may stop speaks of the first games without a gap: up to the last look that is complete.
        for number, (start, end) in enumerate(zip(plan.starts, plan.ends, strict=True)):
            if number not in stretches or stretches[number].games < end - start:
                break
            stop.add(stretches[number])
            total.add(stretches[number])
    if total.games == 0:
        return CellResult(row, None, targets)
    run = cell.run(total, row.ended or row.expected)
    if isinstance(stop, AtWidth):
        return CellResult(row, PreciseSimulation(run, stop.prefix), targets)
    if isinstance(stop, AtDecision):
        return CellResult(row, DecidedSimulation(run), targets, stop)
    return CellResult(row, Simulation(run), targets)


@checked
def read_study(db: str | Path) -> StudyResult:
    """Read what a study has come to, also while it runs.

    Parameters
    ----------
    db : path
        The study's file.

    Returns
    -------
    StudyResult
        With `.cells`, `.frame()` (one row per cell and side) and `.as_json()`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import houle
    >>> spec = Path(tempfile.mkdtemp()) / "study.toml"
    >>> _ = spec.write_text('game = "wave"\\nplayers = [2, 3]\\nstrategies = "random"\\ngames = 200\\n')
    >>> _ = houle.study(spec, db=spec.with_name("waves.db"))
    >>> houle.read_study(spec.with_name("waves.db")).frame()[["cell", "players", "games"]].values.tolist()
    [[1, 2, 200], [2, 3, 200]]
    """
    with Store(db, write=False) as store:
        facts = store.facts()
        with reading(str(db)):
            wanted = read_targets(parse_toml(facts["spec"], str(db)))
        cells = tuple(
            _read(row, store, tuple(one for one in wanted if one.is_for(row.strategies))) for row in store.rows()
        )
        origin = {key: value for key, value in facts.items() if key != "spec"}
        return StudyResult(str(db), status_of(store), cells, origin, wanted)
