"""The results of a study in one SQLite file that is consistent at every moment.

A tally and the list of its games are one row with a digest, so a game is counted once or not at all, even if the
process is killed or the file is damaged. Nothing is added to a file made from another spec or with other rules. Only
one process at a time may write; any number may read.
"""

from __future__ import annotations

import json
import math
import os
import platform
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houle.analysis.limits import MOST_GAMES
from houle.analysis.studies import database
from houle.analysis.studies.cell import WHOLE, Cell, CellPlan, Pace, StudyPart, expected_games
from houle.analysis.studies.database import at_rest, one_line_errors, reading
from houle.analysis.studies.serialize import line_up_from, package_version, rules_code, setup_text
from houle.analysis.studies.spans import Spans
from houle.analysis.studies.spec import Study
from houle.solver.errors import StudyError
from houle.solver.players.names import parse_portable
from houle.solver.run.tally import Tally
from houle.solver.texts import digest, visible


@dataclass(frozen=True)
class CellRow:
    """A cell as stored in the file."""

    id: int
    label: str
    setup: str
    rules_digest: str
    code: str
    portable: tuple[str, ...]  # strategies
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
    start: int  # of the games that this file is to hold; a part of a study holds some of them
    stop: int

    @property
    def plan(self) -> CellPlan:
        return CellPlan(self.start, self.stop, self.precision, self.margin)

    @property
    def strategies(self) -> tuple[str, ...]:
        """The players by name."""
        return tuple(parse_portable(strategy).text for strategy in self.portable)

    def cell(self) -> Cell:
        """The cell, checked against the rules installed here."""
        line_up = line_up_from(self.setup, self.rules_digest, self.portable)
        return Cell(line_up, self.seed, self.games, self.precision, self.own_chunk, self.margin)


Chunk = tuple[int, int, str]  # first game, number of games, digest of its tally


@dataclass(frozen=True)
class Change:
    """What a transaction adds to one stretch: new chunks, the games before, and the spans and the tally after."""

    cell: int
    stretch: int
    chunks: list[Chunk]
    before: int
    games: int
    spans: str
    tally: str


@dataclass(frozen=True)
class CellEnd:
    """The end of a finished cell."""

    cell: int
    games: int
    result_digest: str
    stretches: int  # that count; games played beyond them are dropped
    end: int  # one beyond the last game


def create(path: str | Path, study: Study, paces: Sequence[Pace], part: StudyPart = WHOLE) -> None:
    """Create the file of a new study or of a part, with nothing played; an existing file is not changed."""
    origin = {
        "name": study.name,
        "spec": study.text,
        "spec_file": study.file,
        "spec_digest": study.digest,
        "part": str(part),
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "houle": package_version("houle"),
        "numba": package_version("numba"),
        "python": platform.python_version(),
    }

    def fill(db: sqlite3.Connection) -> None:
        db.executemany("INSERT INTO study VALUES (?, ?)", origin.items())
        for number, (cell, pace) in enumerate(zip(study.cells, paces, strict=True), 1):
            setup = cell.setup
            facts = (number, cell.label, setup_text(setup), setup.digest, rules_code(setup.ruleset.name))
            players = json.dumps([strategy.portable for strategy in cell.line_up.strategies])
            goal = (players, str(cell.seed), cell.games, cell.precision, cell.margin, cell.chunk)
            start, stop = part.share(number, cell.games, cell.may_stop)
            speed = (pace.chunk, pace.rate, max(1, min(expected_games(cell, pace), stop - start)))
            nothing = cell.run(Tally.empty(setup), 0, start).digest
            end = (0, nothing) if start == stop else (None, None)  # another part plays it
            marks = ", ".join("?" * 16)
            db.execute(f"INSERT INTO cell VALUES ({marks})", (*facts, *goal, *speed, *end))

    database.create(str(path), fill)


def _text(value: Any) -> str:
    return visible(str(value))


def _row(row: Sequence[Any], part: StudyPart) -> CellRow:
    """A checked row of the table `cell`; SQLite allows any value in any column."""
    _check_types(int, (row[0], row[7]))
    share = part.share(row[0], row[7], row[8] is not None or row[9] is not None)
    stored = CellRow(row[0], visible(row[1]), *row[2:5], tuple(json.loads(row[5])), int(row[6]), *row[7:], *share)  # type: ignore[call-arg]
    texts = (stored.setup, stored.rules_digest, stored.code, row[6], *stored.portable, _or(stored.result_digest, ""))
    wholes = (stored.id, stored.games, stored.chunk, stored.expected, _or(stored.own_chunk, 1))
    ended, most = _or(stored.ended, 0), stored.stop - stored.start
    numbers = (_or(stored.precision, 1.0), _or(stored.margin, 1.0), stored.rate)
    _check_types(str, texts)
    _check_types(int, (*wholes, ended))
    _check_types((int, float), numbers)
    sound = all(0 < goal <= 100 for goal in numbers[:2]) and 0 < stored.rate < math.inf
    if not sound or min(wholes) < 1 or not 0 <= ended <= most <= stored.games <= MOST_GAMES:
        raise ValueError("a number out of range")
    if (stored.ended is None) != (stored.result_digest is None):
        raise ValueError("an end without a digest")
    if stored.ended == 0 and most > 0:
        raise ValueError("an end without a game")
    return stored


def _seal(cell: int, number: int, games: int, spans: str, tally: str) -> str:
    """The digest of a row of the table `stretch`."""
    return digest([cell, number, games, spans, tally])


def _part(part: StudyPart) -> str:
    return f"part {part}" if part != WHOLE else "a whole study"


def _or(value: Any, otherwise: Any) -> Any:
    """The value unless it is NULL: an empty text is a wrong value, not a missing one."""
    return otherwise if value is None else value


def _check_types(kind: type | tuple[type, ...], values: Iterable[Any]) -> None:
    if not all(isinstance(value, kind) for value in values):
        raise TypeError("a value of another type")


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
                database.tidy(self.path)
            with one_line_errors(self.path):
                self._db = database.connect(self.path, "rw") if write else database.connect_to_read(self.path)
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

    def _read(self, query: str, *values: Any) -> list[Any]:
        """All rows of a query at once: an open cursor would keep the file locked if a value is refused."""
        return self.db.execute(query, values).fetchall()

    def facts(self) -> dict[str, str]:
        """Name, spec, versions and times."""
        with reading(self.path):
            facts = {str(key): visible(value) for key, value in self._read("SELECT key, value FROM study")}
            return facts | {key: facts[key] for key in ("name", "spec_digest", "houle", "part")}  # these must exist

    def part(self) -> StudyPart:
        """The part of the study that this file holds."""
        with reading(self.path):
            return StudyPart.parse(self.facts()["part"])

    def rows(self) -> list[CellRow]:
        part = self.part()
        with reading(self.path):
            return [_row(row, part) for row in self._read("SELECT * FROM cell ORDER BY id")]

    def chunks(self, cell: int) -> Iterator[Chunk]:
        """The chunks of a cell as they were played, as an iterator: there may be a million."""
        with reading(self.path):
            for first, games, made in self.db.execute("SELECT first, games, digest FROM chunk WHERE cell=?", (cell,)):
                _check_types(int, (first, games))
                yield first, games, visible(made)

    def stretches(self, cell: int) -> dict[int, tuple[Spans, dict[str, Any]]]:
        """The games that are counted and their tally, by stretch."""
        with reading(self.path):
            rows = self._read("SELECT * FROM stretch WHERE cell=? ORDER BY number", cell)
            return {row[1]: (Spans.parse(row[3]), json.loads(row[4])) for row in rows if self._sealed(row)}

    def games(self) -> dict[int, int]:
        """Games counted, by cell."""
        with reading(self.path):
            games: Counter[int] = Counter()
            for row in self._read("SELECT * FROM stretch"):
                self._sealed(row)
                games[row[0]] += row[2]
            return dict(games)

    def _sealed(self, row: Sequence[Any]) -> bool:
        """Refuse a tally that was changed since it was written."""
        if _seal(*row[:5]) != row[5]:
            raise StudyError(f"{self.path}: cell {row[0]}: its tally was changed after it was written; restore a copy")
        return True

    def cells(self) -> list[tuple[CellRow, Cell]]:
        """All cells, checked against the rules installed here and against the spec."""
        both = [(row, row.cell()) for row in self.rows()]
        if digest([cell.identity for _, cell in both]) != self.facts()["spec_digest"]:
            raise StudyError(f"{self.path}: its cells were changed after it was created; restore a copy")
        return both

    def check_rules(self) -> None:
        """Refuse to continue with other rules or other code than the study started with."""
        for row, cell in self.cells():
            if rules_code(cell.setup.ruleset.name) != row.code:
                made = self.facts()["houle"]
                raise StudyError(
                    f"{self.path}: was started with houle {made}, which has other code for {cell.setup.ruleset.name};"
                    " continue with that version, or start a new --db"
                )

    def check_spec(self, study: Study, part: StudyPart) -> None:
        """Refuse a spec with other cells than the file was made from, or another part; else store its current text."""
        if self.part() != part:
            raise StudyError(f"{self.path}: holds {_part(self.part())}, not {_part(part)}; use another --db")
        if self.facts()["spec_digest"] == study.digest:
            with one_line_errors(self.path):  # the text may differ, and the targets of the same cells too
                self.db.execute("UPDATE study SET value=? WHERE key='spec'", (study.text,))
            return
        rows = self.rows()
        changed = f"{len(study.cells)} cells instead of {len(rows)}"
        for row, cell in zip(rows, study.cells, strict=False):
            if row.cell().identity != cell.identity:
                changed = f"cell {row.id} was {row.label}"
                break
        raise StudyError(f"{self.path}: was made from another spec ({changed}); use a new --db, or the old spec")

    def begin_session(self, workers: str) -> None:
        now = time.time()
        facts = (now, now, package_version("houle"), package_version("numba"), platform.python_version())
        with one_line_errors(self.path):
            cursor = self.db.execute(
                "INSERT INTO session (started, seen, games, houle, numba, python, workers, process)"
                " VALUES (?, ?, 0, ?, ?, ?, ?, ?)",
                (*facts, workers, os.getpid()),
            )
        self.session = cursor.lastrowid

    def sessions(self) -> list[dict[str, Any]]:
        names = ("started", "seen", "games", "houle", "numba", "python", "workers", "process")
        with reading(self.path):
            rows = self._read(f"SELECT {', '.join(names)} FROM session ORDER BY id")
            kinds: tuple[Callable[[Any], Any], ...] = (float, float, int, _text, _text, _text, _text, int)
            return [{name: kind(value) for name, kind, value in zip(names, kinds, row, strict=True)} for row in rows]

    def add(self, changes: Iterable[Change], ends: Iterable[CellEnd], games: int) -> None:
        """Store chunks, tallies and ended cells in one transaction."""
        with one_line_errors(self.path):
            self.db.execute("BEGIN IMMEDIATE")
            try:
                for change in changes:
                    self._add(change)
                for end in ends:
                    self._end(end)
                seen = (time.time(), games, self.session)
                self.db.execute("UPDATE session SET seen=?, games=? WHERE id=?", seen)
                self.db.execute("COMMIT")
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise

    def _add(self, change: Change) -> None:
        rows = [(change.cell, *chunk) for chunk in change.chunks]
        content = (change.cell, change.stretch, change.games, change.spans, change.tally)
        # Chunks are only kept for audits: a row that somebody changed must not stop a study.
        self.db.executemany("INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?)", rows)
        cursor = self.db.execute(
            "INSERT INTO stretch VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET games=excluded.games,"
            " spans=excluded.spans, tally=excluded.tally, seal=excluded.seal WHERE stretch.games=?",
            (*content, _seal(*content), change.before),
        )
        if cursor.rowcount != 1:
            raise StudyError(f"{self.path}: another program changed the study; resume it")

    def _end(self, end: CellEnd) -> None:
        self.db.execute("DELETE FROM chunk WHERE cell=? AND first>=?", (end.cell, end.end))
        self.db.execute("DELETE FROM stretch WHERE cell=? AND number>=?", (end.cell, end.stretches))
        facts = (end.games, end.result_digest, end.cell)
        self.db.execute("UPDATE cell SET ended=?, result_digest=? WHERE id=?", facts)
