"""The results of a study, as numbers with intervals.

Finished cells give the same numbers and digests as `houle simulate`. An unfinished cell shows the games counted so far
and is marked as unfinished.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.arguments import checked
from houle.analysis.measures.measures import beyond_share, in_tally
from houle.analysis.measures.targets import INSIDE, Target, worst
from houle.analysis.result import Facts, Record, Result, command_line, flat
from houle.analysis.sampling.simulate import PreciseSimulation
from houle.analysis.sampling.simulation import Side, Simulation
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import draw_rate, mean_score, win_rate
from houle.analysis.stats.sequential_tests import AT_STOP
from houle.analysis.studies.cell import Cell
from houle.analysis.studies.cell_progress import check_end, stop_of
from houle.analysis.studies.database import reading
from houle.analysis.studies.serialize import tally_from
from houle.analysis.studies.spec import read_targets
from houle.analysis.studies.status import Status, status_of
from houle.analysis.studies.stopping import AtDecision, AtWidth
from houle.analysis.studies.store import CellRow, Store
from houle.solver.rules import Setup, differences_line, rule_changes, value_shown
from houle.solver.rules.files import parse_toml
from houle.solver.run.tally import Tally

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class CellResult:
    """A cell and its result; None if no game is counted yet."""

    row: CellRow
    simulation: Simulation | None
    targets: tuple[Target, ...] = ()  # that apply to it
    stop: AtDecision | None = None  # the tests of its targets, if it is played until they are decided

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
        """Whether it meets its targets: inside, perhaps or outside; None without targets or games."""
        if self.simulation is None:
            return None
        if self.stop is not None:
            return self.stop.target
        return worst(target.holds(measured(self.simulation, target.measure)) for target in self.targets)

    def as_json(self) -> dict[str, Any]:
        """The cell as `houle simulate` would give it."""
        head: dict[str, Any] = {"cell": self.row.id, "done": self.done, "label": self.row.label}
        if self.simulation is None:
            return head
        # A cell is played in parts, perhaps on several machines, so it has no time of its own.
        timed = ("seconds", "games_per_second")
        data = {key: value for key, value in self.simulation.as_json().items() if key not in timed}
        return head | data | ({"target": self.target} if self.targets else {})

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the frame, one per side."""
        simulation = self.simulation
        if simulation is None:
            return []
        shared = {
            **simulation.draws.columns("draws"),
            **{name: simulation.mean(name) for name in ("moves", "turns", "rounds")},
            "precision": self.row.precision,
            "margin": self.row.margin,
            **{f"set.{knob}": text for knob, text in self.settings.items()},
        }
        begins = {"cell": self.row.id, "done": self.done, **simulation.setup_columns()}
        digests = simulation.digest_columns() | ({} if self.done else {"result_digest": None})
        return [{**begins, **flat(record), **digests, **shared} for record in simulation.records()]


@dataclass(frozen=True, repr=False)
class DecidedSimulation(Simulation):
    """A cell that is played until its targets are decided; its intervals allow for that."""

    @cached_property
    def sides(self) -> list[Side]:
        tally = self.run.tally
        return [
            replace(side, win=win_rate(tally, i, AT_STOP), score=mean_score(tally, i, AT_STOP))
            for i, side in enumerate(super().sides)
        ]

    @cached_property
    def draws(self) -> Estimate:
        return draw_rate(self.run.tally, AT_STOP)


def measured(simulation: Simulation, measure: str) -> Estimate:
    """The measure of a target, of the first side."""
    side = simulation.sides[0]
    if measure == "first-seat":
        return beyond_share(side.win, len(simulation.sides))
    own = {"win": side.win, "draws": simulation.draws, "score": side.score.interval}
    return own[measure] if measure in own else in_tally(simulation.run.tally, measure)


@dataclass(frozen=True, repr=False)
class StudyResult(Result):
    """A study so far. Its setup, strategies and seed are those of the first cell, its games those of all cells."""

    path: str
    status: Status
    cells: tuple[CellResult, ...]
    origin: Mapping[str, str]  # name, versions and times
    targets: tuple[Target, ...]

    command = "study"
    rows_key = "cells"

    @property
    def headline(self) -> str:
        """How many cells are finished and how many meet their targets."""
        done = f"{self.status.ended} of {len(self.cells)} cells finished"
        if not self.targets:
            return done
        inside = sum(cell.target == INSIDE for cell in self.cells)
        return f"{done}, {inside} certainly meet{'s' * (inside == 1)} the targets"

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
        """How the setups of the cells differ from print, a line each; empty if none does."""
        setups = list({setup.digest: setup for setup in (cell.row.cell().setup for cell in self.cells)}.values())
        named = [differences_line(setup) for setup in setups if setup.title]
        by_hand = [setup for setup in setups if not setup.title]
        lines = list(dict.fromkeys(differences_line(setup) for setup in by_hand))
        return [*dict.fromkeys(named), *(filter(None, lines) if len(lines) == 1 else _settings(by_hand))]

    @property
    def interrupted(self) -> bool:
        """Whether some cell is not finished."""
        return self.status.digest is None

    def repeat(self, setup_words: Sequence[str] | None = None) -> str:
        """The command that continues the study."""
        return command_line(["study", "resume", self.path], *(cell.row.cell().setup for cell in self.cells))

    def frame(self, whole: bool = False) -> pd.DataFrame:
        """One row per cell and side, with a column `set.KNOB` for every knob that a cell sets; `attrs`: its origin."""
        import pandas as pd

        rows = [row for cell in self.cells for row in cell.rows()]
        frame = pd.DataFrame(rows, columns=None if rows else ["cell", "done"])
        if self.targets:
            target = {cell.row.id: cell.target for cell in self.cells}
            frame["target"] = pd.Series([target[row["cell"]] for row in rows], dtype=object)
        frame.attrs.update(self.origin)
        return frame

    def records(self) -> list[Record]:
        return [cell.as_json() for cell in self.cells]

    def summary(self) -> Record:
        """The name, digest and targets; the setup in the head is that of the first cell."""
        digest = self.status.digest
        targets = [target.text for target in self.targets]
        return {"name": self.name, "digest": digest, "result_digest": digest, "targets": targets}


def _settings(setups: Sequence[Setup]) -> list[str]:
    """The knobs that a study sets: `hand.front = 2 or 4 in some cells, not 3 (printed)`."""
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


def _read(row: CellRow, cell: Cell, store: Store, targets: tuple[Target, ...]) -> CellResult:
    stretches = {number: tally_from(cell.setup, data) for number, (_, data) in store.stretches(row.id).items()}
    stop = stop_of(row, store, cell)
    total = Tally.empty(cell.setup)
    if stop is None:
        for tally in stretches.values():
            total.add(tally)
    else:
        plan = row.plan
        # A stopping rule counts the first games without a gap: up to the last complete look.
        for number, (start, end) in enumerate(zip(plan.starts, plan.ends, strict=True)):
            if number not in stretches or stretches[number].games < end - start:
                break
            stop.add(stretches[number])
            total.add(stretches[number])
    check_end(row, cell, total)
    if total.games == 0:
        return CellResult(row, None, targets)
    run = cell.run(total, row.ended or row.expected, row.start)
    if isinstance(stop, AtWidth):
        return CellResult(row, PreciseSimulation(run, stop.prefix), targets)
    if isinstance(stop, AtDecision):
        return CellResult(row, DecidedSimulation(run), targets, stop)
    return CellResult(row, Simulation(run), targets)


@checked
def read_study(db: str | Path) -> StudyResult:
    """Read the results of a study, also while it runs.

    Parameters
    ----------
    db : path
        The file of the study.

    Returns
    -------
    StudyResult
        With `.cells`, `.frame()` (one row per cell and side) and `.as_json()`.

    Examples
    --------
    >>> import houle
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> spec = Path(mkdtemp(), "waves.toml")
    >>> _ = spec.write_text('game = "wave"\\nplayers = [2, 3]\\ngames = 200\\n')
    >>> _ = houle.study(spec)
    >>> houle.read_study(spec.with_suffix(".db")).frame()[["cell", "players", "games"]].values.tolist()
    [[1, 2, 200], [2, 3, 200]]
    """
    with Store(db, write=False) as store:
        facts = store.facts()
        with reading(str(db)):
            targets = read_targets(parse_toml(facts["spec"], str(db)))
        cells = tuple(
            _read(row, cell, store, tuple(one for one in targets if one.is_for(row.strategies)))
            for row, cell in store.cells()
        )
        origin = {key: value for key, value in facts.items() if key != "spec"}
        return StudyResult(str(db), status_of(store), cells, origin, targets)
