"""What a study has come to so far, in one SQLite file that is right at every moment.

A chunk's row and the tally it was added to change in one transaction, so a game is counted once or not at
all, whatever kills the process. Nothing is added to a file made from another spec or by other rules, and only
one process at a time may add; readers come and go as they like.
"""

from __future__ import annotations

import json
import math
import os
import platform
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from houle.analysis.limits import MOST_GAMES
from houle.analysis.studies import database
from houle.analysis.studies.cells import Cell, Pace, expected_games
from houle.analysis.studies.database import at_rest, reading, telling
from houle.analysis.studies.serialize import rules_code, setup_from, setup_text
from houle.analysis.studies.spec import Study
from houle.solver.errors import StudyError
from houle.solver.ruleset.texts import visible


def package_version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True)
class Row:
    """A cell as the file keeps it."""

    id: int
    label: str
    setup: str
    rules_digest: str
    code: str
    strategies: tuple[str, ...]
    seed: int
    games: int
    precision: float | None
    margin: float | None
    own_chunk: int | None
    chunk: int
    rate: float
    expected: int
    ended: int | None
    result_digest: str | None

    def cell(self) -> Cell:
        """The cell, checked against the rules that are here now."""
        setup = setup_from(self.setup, self.rules_digest)
        return Cell(setup, self.strategies, self.seed, self.games, self.precision, self.own_chunk, self.margin)


@dataclass(frozen=True)
class Change:
    """What a transaction adds to one stretch: its new chunks, and its tally before (games) and after."""

    cell: int
    stretch: int
    chunks: list[tuple[int, int, int]]  # number, first, games
    before: int
    games: int
    tally: str


@dataclass(frozen=True)
class Ending:
    """A cell that is finished."""

    cell: int
    games: int
    result_digest: str
    stretches: int  # how many count; played ahead of a stop beyond these is dropped
    chunks: int


def create(path: str | Path, study: Study, paces: Sequence[Pace]) -> None:
    """The file of a new study, with nothing played yet; one that exists is left alone."""
    facts = {
        "name": study.name,
        "spec": study.text,
        "spec_digest": study.digest,
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "houle": package_version("houle"),
        "numba": package_version("numba"),
        "python": platform.python_version(),
    }

    def fill(db: sqlite3.Connection) -> None:
        db.executemany("INSERT INTO study VALUES (?, ?)", facts.items())
        for number, (cell, pace) in enumerate(zip(study.cells, paces, strict=True), 1):
            setup = cell.setup
            told = (number, cell.label, setup_text(setup), setup.digest, rules_code(setup.ruleset.name))
            goal = (json.dumps(cell.strategies), str(cell.seed), cell.games, cell.precision, cell.margin, cell.chunk)
            speed = (pace.chunk, pace.rate, expected_games(cell, pace))
            marks = ", ".join("?" * 14)
            db.execute(f"INSERT INTO cell VALUES ({marks}, NULL, NULL)", (*told, *goal, *speed))

    database.create(str(path), fill)


def _text(value: Any) -> str:
    return visible(str(value))


def _row(row: Sequence[Any]) -> Row:
    """A row of the table `cell`; SQLite itself lets any value stand in any column."""
    found = Row(row[0], visible(row[1]), *row[2:5], tuple(json.loads(row[5])), int(row[6]), *row[7:])  # type: ignore[call-arg]
    texts = (found.setup, found.rules_digest, found.code, *found.strategies)
    wholes = (found.id, found.games, found.chunk, found.expected, found.own_chunk or 1)
    if not all(isinstance(text, str) for text in texts) or not all(isinstance(number, int) for number in wholes):
        raise TypeError("a value of another type")
    goals, ended = (found.precision or 1.0, found.margin or 1.0), found.ended or 0
    sound = all(0 < goal <= 100 for goal in goals) and found.games <= MOST_GAMES
    if not sound or min(wholes) < 1 or not 0 <= ended <= found.games:
        raise ValueError("a number that no study has")
    if not 0 < found.rate < math.inf or not isinstance(found.result_digest, str | None):
        raise ValueError("no rate or digest")
    return found


class Store:
    """An open study file."""

    def __init__(self, path: str | Path, write: bool) -> None:
        self.path = str(path)
        self.session: int | None = None
        self._lock: sqlite3.Connection | None = None
        self._db: sqlite3.Connection | None = None
        database.inspect(self.path)
        try:
            if write:
                self._lock = database.lock(self.path)
            with telling(self.path):
                self._db = database.connect(self.path, "rw" if write else "ro")
                for pragma in database.PRAGMAS if write else ():
                    self._db.execute(f"PRAGMA {pragma}")
        except BaseException:
            self.close()
            raise

    @property
    def db(self) -> sqlite3.Connection:
        assert self._db is not None
        return self._db

    def close(self) -> None:
        if self._lock is not None and self._db is not None:
            at_rest(self._db)
        for connection in (self._db, self._lock):
            if connection is not None:
                connection.close()
        self._db = self._lock = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def facts(self) -> dict[str, str]:
        """Name, spec, versions and times."""
        with reading(self.path):
            facts = {str(key): visible(value) for key, value in self.db.execute("SELECT key, value FROM study")}
            return facts | {key: facts[key] for key in ("name", "spec_digest", "houle")}  # that everybody relies on

    def rows(self) -> list[Row]:
        with reading(self.path):
            return [_row(row) for row in self.db.execute("SELECT * FROM cell ORDER BY id")]

    def chunks(self, cell: int) -> Iterator[int]:
        """Numbers of the finished chunks of a cell, one by one: there may be a million."""
        with reading(self.path):
            for (number,) in self.db.execute("SELECT number FROM chunk WHERE cell=?", (cell,)):
                yield number

    def stretches(self, cell: int) -> dict[int, dict[str, Any]]:
        with reading(self.path):
            rows = self.db.execute("SELECT number, tally FROM stretch WHERE cell=? ORDER BY number", (cell,))
            return {int(number): json.loads(tally) for number, tally in rows}

    def games(self) -> dict[int, int]:
        """Games that are in, by cell."""
        with reading(self.path):
            rows = self.db.execute("SELECT cell, SUM(games) FROM stretch GROUP BY cell")
            return {int(cell): int(games) for cell, games in rows}

    def check_rules(self) -> None:
        """Refuses to go on with other rules or other code than the study began with."""
        for row in self.rows():
            cell = row.cell()
            if rules_code(cell.setup.ruleset.name) != row.code:
                made = self.facts()["houle"]
                raise StudyError(
                    f"{self.path}: was begun by houle {made} with other code for {cell.setup.ruleset.name};"
                    " results of two versions are not mixed; go on with that version, or begin a new --db"
                )

    def check_spec(self, study: Study) -> None:
        """Refuses a spec that is not the one the file was made from; keeps its latest wording."""
        if self.facts()["spec_digest"] == study.digest:
            with telling(self.path):  # it may be written otherwise, or want something else of the same cells
                self.db.execute("UPDATE study SET value=? WHERE key='spec'", (study.text,))
            return
        rows = self.rows()
        changed = f"{len(study.cells)} cells instead of {len(rows)}"
        for row, cell in zip(rows, study.cells, strict=False):
            if row.cell().identity != cell.identity:
                changed = f"cell {row.id} was {row.label}"
                break
        raise StudyError(f"{self.path}: was made from another spec ({changed}); give a new --db, or the old spec")

    def begin_session(self, workers: str) -> None:
        now = time.time()
        facts = (now, now, package_version("houle"), package_version("numba"), platform.python_version())
        with telling(self.path):
            cursor = self.db.execute(
                "INSERT INTO session (started, seen, games, houle, numba, python, workers, process)"
                " VALUES (?, ?, 0, ?, ?, ?, ?, ?)",
                (*facts, workers, os.getpid()),
            )
        self.session = cursor.lastrowid

    def sessions(self) -> list[dict[str, Any]]:
        names = ("started", "seen", "games", "houle", "numba", "python", "workers", "process")
        with reading(self.path):
            rows = self.db.execute(f"SELECT {', '.join(names)} FROM session ORDER BY id")
            kinds: tuple[Callable[[Any], Any], ...] = (float, float, int, _text, _text, _text, _text, int)
            return [{name: kind(value) for name, kind, value in zip(names, kinds, row, strict=True)} for row in rows]

    def add(self, changes: Iterable[Change], endings: Iterable[Ending], games: int) -> None:
        """Chunks, their tallies and what ended by them: all together, or nothing."""
        with telling(self.path):
            self.db.execute("BEGIN IMMEDIATE")
            try:
                for change in changes:
                    self._add(change)
                for ending in endings:
                    self._end(ending)
                seen = (time.time(), games, self.session)
                self.db.execute("UPDATE session SET seen=?, games=? WHERE id=?", seen)
                self.db.execute("COMMIT")
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise

    def _add(self, change: Change) -> None:
        rows = [(change.cell, *chunk) for chunk in change.chunks]
        self.db.executemany("INSERT INTO chunk VALUES (?, ?, ?, ?)", rows)
        cursor = self.db.execute(
            "INSERT INTO stretch VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE"
            " SET games=excluded.games, tally=excluded.tally WHERE stretch.games=?",
            (change.cell, change.stretch, change.games, change.tally, change.before),
        )
        if cursor.rowcount != 1:
            raise StudyError(f"{self.path}: another program has changed the study meanwhile; resume it")

    def _end(self, ending: Ending) -> None:
        self.db.execute("DELETE FROM chunk WHERE cell=? AND number>=?", (ending.cell, ending.chunks))
        self.db.execute("DELETE FROM stretch WHERE cell=? AND number>=?", (ending.cell, ending.stretches))
        facts = (ending.games, ending.result_digest, ending.cell)
        self.db.execute("UPDATE cell SET ended=?, result_digest=? WHERE id=?", facts)
