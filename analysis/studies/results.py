"""The results of a study, as measures with intervals: those of `houle sweep` that a tally knows.

Finished cells give the same numbers and digests as `houle simulate`. An unfinished cell shows the games counted so far
and is marked as unfinished.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.arguments import checked
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import has_measure, in_tally, is_tallied, possible_measures, usual_measures
from houle.analysis.measures.targets import Target, worst
from houle.analysis.result import Facts, Record, Result, flat, setup_as_json
from houle.analysis.sampling.grid import Arm, Grid
from houle.analysis.sampling.simulate import Simulation
from houle.analysis.stats.estimate import Estimate
from houle.analysis.studies.cell import Cell, Study
from houle.analysis.studies.log import Logged, codes_of, refuse_database
from houle.solver.rules import digest
from houle.solver.run.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

MEANS = ("moves", "turns", "rounds")


@dataclass(frozen=True)
class CellResult:
    """A cell, and what its games so far say."""

    number: int  # from 1
    cell: Cell
    arm: Arm
    label: str
    tally: Tally
    targets: tuple[Target, ...] = ()  # that apply to it

    @cached_property
    def games(self) -> int:
        return self.tally.games

    @property
    def done(self) -> bool:
        return self.games == self.cell.games

    @cached_property
    def simulation(self) -> Simulation:
        """Its games as `houle simulate` gives them."""
        return Simulation(self.cell.run(self.tally))

    @property
    def digest(self) -> str | None:
        """That of `houle simulate`; None while the cell is unfinished."""
        return self.simulation.digest if self.done else None

    @cached_property
    def measures(self) -> dict[str, Estimate]:
        """Every measure that a tally knows, and those of the targets; none before the first game."""
        wanted = [target.measure for target in self.targets]
        names = dict.fromkeys([*filter(is_tallied, possible_measures(self.cell.setup)), *wanted])
        return {name: in_tally(self.tally, name) for name in names} if self.games else {}

    @property
    def target(self) -> str | None:
        """Whether it meets its targets: inside, perhaps or outside; None without targets or games."""
        return worst(target.holds(self.measures[target.measure]) for target in self.targets) if self.games else None

    @property
    def reached(self) -> Estimate:
        """What the first side wins, or scores if that is the goal."""
        return self.measures[Goal(self.cell.setup).pick("win", "score")]

    def more_games(self, half: float) -> int:
        """About how many more games would give this half-width; it shrinks with the root of the games."""
        return math.ceil(self.games * max(0.0, (self.reached.half / half) ** 2 - 1))

    def record(self) -> Record:
        """The cell for JSON: as in the JSON of a sweep, with every side."""
        setup = self.cell.setup
        return {
            "cell": self.number,
            "label": self.label,
            "done": self.done,
            **setup_as_json(setup),
            "strategies": list(self.cell.strategies),
            "seed": self.cell.seed,
            "games": self.games,
            "score_name": setup.score,
            "measures": self.measures,
            "sides": self.simulation.records() if self.games else [],
            "target": self.target,
            "rules_digest": setup.digest,
            "result_digest": self.digest,
        }

    def row(self) -> dict[str, Any]:
        """The cell as a row of the frame: the columns of a sweep, and the mean length of a game."""
        games = {"seed": self.cell.seed, "games": self.games, "score_name": self.cell.setup.score}
        measured = {name.replace("-", "_").replace(":", "_"): value for name, value in self.measures.items()}
        means = {name: self.simulation.mean(name) for name in MEANS}
        ends = {"rules_digest": self.cell.setup.digest, "result_digest": self.digest}
        return {
            "cell": self.number,
            "done": self.done,
            **self.arm.columns,
            **games,
            **flat(measured),
            **means,
            "target": self.target,
            **ends,
        }


@dataclass(frozen=True, repr=False)
class StudyResult(Result):
    """A study so far. Its setup, strategies and seed are those of the first cell, its games those of all cells."""

    folder: str
    version: str  # of houle, that played it
    study: Study
    cells: tuple[CellResult, ...]
    changed: tuple[str, ...] = ()  # games whose code is not the code that played them

    command = "study"
    rows_key = "cells"

    @property
    def name(self) -> str:
        return self.study.name

    @property
    def targets(self) -> tuple[Target, ...]:
        return self.study.targets

    @property
    def games_of_setups(self) -> list[tuple[Grid, list[CellResult]]]:
        """The cells of each game, and the grid that they make."""
        return [(grid, [self.cells[number - 1] for number in own]) for grid, own in self.study.grids]

    @property
    def ended(self) -> int:
        """How many cells have all their games."""
        return sum(cell.done for cell in self.cells)

    @property
    def headline(self) -> str:
        return f"{self.ended} of {len(self.cells)} cells finished"

    @cached_property
    def study_digest(self) -> str | None:
        """Identifies the results of a whole study, wherever it was played; None while a cell is unfinished."""
        return None if self.interrupted else digest([cell.digest for cell in self.cells])

    @cached_property
    def facts(self) -> Facts:
        first = self.cells[0].cell
        games, asked = sum(cell.games for cell in self.cells), sum(cell.cell.games for cell in self.cells)
        return Facts(
            first.setup,
            strategies=first.strategies,
            seed=first.seed,
            games=games,
            asked=asked,
            seconds=0.0,
            digest=self.study_digest or "",
        )

    @property
    def interrupted(self) -> bool:
        """Whether some cell is not finished."""
        return self.ended < len(self.cells)

    @property
    def code_notes(self) -> list[str]:
        """Which games have changed since they were played."""
        why = "has changed since these games were played, so the study cannot be continued here"
        return [f"the code of {game} {why}" for game in self.changed]

    @property
    def notes(self) -> list[str]:
        return [*super().notes, *self.code_notes]

    def repeat(self) -> str:
        """The command that shows the study; its TOML file plays it again."""
        return f"houle study show {self.folder}"

    def frame(self, whole: bool = False) -> pd.DataFrame:
        """One row per cell with games, with a column `set.KNOB` for every knob that varies."""
        import pandas as pd

        rows = [cell.row() for cell in self.cells if cell.games]
        frame = pd.DataFrame(rows, columns=None if rows else ["cell", "done"])
        frame.attrs.update(name=self.name, houle=self.version)
        return frame

    def records(self) -> list[Record]:
        return [cell.record() for cell in self.cells]

    def summary(self) -> Record:
        """The name, digest and targets; the setup in the head is that of the first cell."""
        name, targets = self.study_digest, [target.text for target in self.targets]
        return {"name": self.name, "digest": name, "result_digest": name, "targets": targets}


def shown_measures(cells: Sequence[CellResult], targets: Sequence[Target]) -> tuple[str, ...]:
    """What pages and figures show of the cells of a game: measures of targets, the goal, then the usual ones."""
    setups = [one.cell.setup for one in cells]
    goal = "score" if all(setup.goal == "score" for setup in setups) else "win"
    names = dict.fromkeys([*(target.measure for target in targets), goal, *usual_measures(setups)])
    return tuple(name for name in names if is_tallied(name) and all(has_measure(setup, name) for setup in setups))


@checked
def read_study(folder: str | Path) -> StudyResult:
    """Read the results of a study, also while it runs.

    Parameters
    ----------
    folder : path
        The folder of the study: all its logs (`*.jsonl`) are added up.

    Returns
    -------
    StudyResult
        With `.cells`, `.frame()` (one row per cell) and `.as_json()`.

    Examples
    --------
    >>> import houle
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> spec = Path(mkdtemp(), "waves.toml")
    >>> _ = spec.write_text('game = "wave"\\nplayers = [2, 3]\\nstrategies = "thumb"\\ngames = 200\\n')
    >>> _ = houle.study(spec)
    >>> houle.read_study(spec.with_suffix("")).frame()[["cell", "players", "games"]].values.tolist()
    [[1, 2, 200], [2, 3, 200]]
    """
    refuse_database(folder)
    logged = Logged(folder)
    study, now = logged.head.study, codes_of(logged.head.study)
    changed = tuple(game for game, code in logged.codes.items() if now.get(game) != code)
    arms = {number: arm for grid, own in study.grids for number, arm in zip(own, grid.arms, strict=True)}
    results = []
    for number, cell in enumerate(study.cells, 1):
        sums = logged.cells.get(number)
        tally = sums.tally(cell) if sums else Tally.empty(cell.setup)
        own = tuple(target for target in study.targets if target.is_for(cell.strategies))
        results.append(
            CellResult(number=number, cell=cell, arm=arms[number], label=study.labels[number], tally=tally, targets=own)
        )
    return StudyResult(
        folder=str(folder), version=logged.head.houle, study=study, cells=tuple(results), changed=changed
    )
