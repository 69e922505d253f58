"""How far a study is: finished cells, games so far, time left."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houle.analysis.studies import database
from houle.analysis.studies.runner import study_digest
from houle.analysis.studies.store import CellRow, Store


@dataclass(frozen=True)
class Status:
    """How far a study is."""

    name: str
    running: bool
    rows: list[CellRow]
    games: dict[int, int]  # counted, by cell
    sessions: list[dict[str, Any]]

    @property
    def ended(self) -> int:
        return sum(row.ended is not None for row in self.rows)

    @property
    def digest(self) -> str | None:
        return study_digest(self.rows)

    def goal(self, row: CellRow) -> int:
        """Games that a cell will have in the end."""
        return max(self.games.get(row.id, 0), row.expected) if row.ended is None else row.ended

    @property
    def rate(self) -> float | None:
        """Games per second of the running session."""
        last = self.sessions[-1] if self.sessions else None
        if not self.running or last is None or last["seen"] <= last["started"]:
            return None
        return float(last["games"]) / (float(last["seen"]) - float(last["started"]))

    @property
    def left(self) -> float | None:
        """Seconds until it is complete, at the pace of the running session."""
        if not self.rate or time.time() - self.sessions[-1]["seen"] > 600:
            return None
        pace = {row.id: 1 / row.rate for row in self.rows}
        done = sum(self.games.get(row.id, 0) * pace[row.id] for row in self.rows)
        whole = sum(self.goal(row) * pace[row.id] for row in self.rows)
        counted = sum(self.games.values())
        # Work of this session: its share of all games counted.
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


def status_of(store: Store) -> Status:
    return Status(store.facts()["name"], database.running(store.path), store.rows(), store.games(), store.sessions())


def read_status(db: str | Path) -> Status:
    """How far a study is, also while it runs."""
    with Store(db, write=False) as store:
        return status_of(store)
