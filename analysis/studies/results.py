"""What a study has come to, as numbers with intervals: `from houle.analysis import read_study`.

Cells that ended give the same numbers, and the same digests, as `houle simulate` would. Of a cell under way
the games counted so far are shown, and marked as unfinished.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.sampling.precision import PreciseSimulation
from houle.analysis.sampling.simulation import Simulation
from houle.analysis.stats.sequences import Prefix
from houle.analysis.studies import database
from houle.analysis.studies.cells import Plan
from houle.analysis.studies.run import study_digest
from houle.analysis.studies.serialize import tally_from
from houle.analysis.studies.store import Row, Store
from houle.solver.tally import Tally

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class CellResult:
    """A cell and what its games came to; none where nothing is counted yet."""

    row: Row
    simulation: Simulation | None

    @property
    def done(self) -> bool:
        return self.row.ended is not None

    @cached_property
    def settings(self) -> dict[str, str]:
        """The knobs that the study set, as text."""
        setup = self.row.cell().setup
        return {knob: str(setup.options[knob]) for knob in setup.changed}

    def as_json(self) -> dict[str, Any]:
        head: dict[str, Any] = {"cell": self.row.id, "done": self.done, "label": self.row.label}
        if self.simulation is None:
            return head
        data = self.simulation.as_json()
        # Played in parts, here and there: no time of its own.
        del data["seconds"], data["games_per_second"]
        return head | data


def results(store: Store) -> list[CellResult]:
    """Every cell of a study, in the order of its spec."""
    return [CellResult(row, _simulation(row, store)) for row in store.rows()]


def _simulation(row: Row, store: Store) -> Simulation | None:
    cell = row.cell()
    total = Tally.empty(cell.setup)
    stretches = {number: tally_from(cell.setup, data) for number, data in store.stretches(row.id).items()}
    if row.precision is None:
        for tally in stretches.values():
            total.add(tally)
    else:
        prefix = Prefix(row.precision, total)
        plan = Plan(row.games, row.precision, row.chunk)
        # A sequence speaks of the first games without a gap: up to the last look that is complete.
        for number, (start, end) in enumerate(zip(plan.starts, plan.ends, strict=True)):
            if number not in stretches or stretches[number].games < end - start:
                break
            prefix.add(stretches[number])
    if total.games == 0:
        return None
    run = cell.run(total, row.ended or row.expected)
    return Simulation(run) if row.precision is None else PreciseSimulation(run, prefix)


def frame(store: Store) -> pd.DataFrame:
    """One row per cell and side; a column `set.KNOB` for every knob that any cell sets."""
    import pandas as pd

    parts = []
    for result in results(store):
        if result.simulation is None:
            continue
        part = result.simulation.frame()
        draws = result.simulation.draws
        part = part.assign(
            draws=draws.value, draws_low=draws.low, draws_high=draws.high,
            **{name: result.simulation.mean(name) for name in ("moves", "turns", "rounds")},
        )  # fmt: skip
        if not result.done:
            part["result_digest"] = None
        part.insert(0, "cell", result.row.id)
        part.insert(1, "done", result.done)
        part["precision"] = result.row.precision
        parts.append(part.assign(**{f"set.{knob}": text for knob, text in result.settings.items()}))
    whole = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame({"cell": [], "done": []})
    whole.attrs = {key: value for key, value in store.facts().items() if key != "spec"}
    return whole


def read_study(path: str | Path) -> pd.DataFrame:
    """A study's file as a frame, also while it runs: one row per cell and side; `attrs` tells its origin."""
    with Store(path, write=False) as store:
        return frame(store)


@dataclass(frozen=True)
class Status:
    """How far a study is."""

    name: str
    running: bool
    rows: list[Row]
    games: dict[int, int]  # counted, by cell
    sessions: list[dict[str, Any]]

    @property
    def ended(self) -> int:
        return sum(row.ended is not None for row in self.rows)

    @property
    def digest(self) -> str | None:
        return study_digest(self.rows)

    def goal(self, row: Row) -> int:
        """Games a cell will come to."""
        return max(self.games.get(row.id, 0), row.expected) if row.ended is None else row.ended

    @property
    def rate(self) -> float | None:
        """Games a second of the session that is running."""
        last = self.sessions[-1] if self.sessions else None
        if not self.running or last is None or last["seen"] <= last["started"]:
            return None
        return float(last["games"]) / (float(last["seen"]) - float(last["started"]))

    @property
    def left(self) -> float | None:
        """Seconds until it is complete, at the pace of the session that is running."""
        if not self.rate or time.time() - self.sessions[-1]["seen"] > 600:
            return None
        pace = {row.id: 1 / row.rate for row in self.rows}
        done = sum(self.games.get(row.id, 0) * pace[row.id] for row in self.rows)
        whole = sum(self.goal(row) * pace[row.id] for row in self.rows)
        counted = sum(self.games.values())
        # What this session counted took its share of all the work that is done.
        seconds = self.sessions[-1]["seen"] - self.sessions[-1]["started"]
        work = done * self.sessions[-1]["games"] / counted if counted else 0.0
        return float((whole - done) * seconds / work) if work else None

    def as_json(self) -> dict[str, Any]:
        cells = [
            {
                "cell": row.id,
                "label": row.label,
                "done": row.ended is not None,
                "games": self.games.get(row.id, 0),
                "expected": self.goal(row),
                "precision": row.precision,
                "chunk": row.chunk,
                "result_digest": row.result_digest,
            }
            for row in self.rows
        ]
        return {
            "name": self.name,
            "running": self.running,
            "cells": cells,
            "ended": self.ended,
            "games": sum(self.games.values()),
            "games_per_second": self.rate,
            "seconds_left": self.left,
            "digest": self.digest,
            "sessions": self.sessions,
        }


def read_status(path: str | Path) -> Status:
    """How far a study is, also while it runs."""
    with Store(path, write=False) as store:
        facts = store.facts()
        state = (store.rows(), store.games(), store.sessions())
        return Status(facts["name"], database.running(str(path)), *state)
