"""The database of a design (`--db`): what was played, so that the next run goes on where the last one ended.

What the first so many games of a setting came to is kept at every look. The way of the search is not: from the same
games it takes the same way. So a file also serves other questions about the game, as far as they need the same games.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.growing import Growing, searches
from houle.analysis.sampling.paired import COLUMNS, Sums
from houle.analysis.studies import database
from houle.analysis.studies.database import Kind, at_rest, reading, telling
from houle.analysis.studies.serialize import rules_code, tally_from
from houle.analysis.studies.store import package_version
from houle.solver.errors import StudyError
from houle.solver.ruleset import Setup, digest

PIECES = 8  # of a stretch of games that search: what is lost when a process is killed is one of them
TABLES = """
CREATE TABLE design (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE look (
    arm TEXT NOT NULL,           -- digest of the table, who plays with which weights, the seed and the first game
    games INTEGER NOT NULL,      -- from the first one on
    label TEXT NOT NULL,         -- for readers of the file
    sums TEXT NOT NULL,          -- JSON: the tally, and sums of the columns of games
    PRIMARY KEY (arm, games)
) WITHOUT ROWID;
"""
DESIGN = Kind("design", 0x486F7564, 1, TABLES, "houle design GAME --target WANTED --db", "")


class Memory:
    """An open file of a design; one process at a time may work with it."""

    def __init__(self, path: str | Path, base: Setup) -> None:
        self.path = str(path)
        self.recalled = 0  # games that were not played again
        self._lock: sqlite3.Connection | None = None
        self._db: sqlite3.Connection | None = None
        game = base.ruleset.name
        facts = {"game": game, "code": rules_code(game), "houle": package_version("houle")}
        if not Path(path).exists():

            def fill(db: sqlite3.Connection) -> None:
                db.executemany("INSERT INTO design VALUES (?, ?)", facts.items())

            database.create(self.path, fill, DESIGN)
        database.inspect(self.path, DESIGN)
        try:
            self._lock = database.lock(self.path, DESIGN)
            with telling(self.path):
                self._db = database.connect(self.path, "rw")
                for pragma in database.PRAGMAS:
                    self._db.execute(f"PRAGMA {pragma}")
            self._check(facts)
        except BaseException:
            self.close()
            raise

    @property
    def db(self) -> sqlite3.Connection:
        assert self._db is not None
        return self._db

    def _check(self, facts: dict[str, str]) -> None:
        with reading(self.path):
            made = {str(key): str(value) for key, value in self.db.execute("SELECT key, value FROM design")}
            game, code, version = made["game"], made["code"], made["houle"]
        if game != facts["game"]:
            raise StudyError(f"{self.path}: is a design of {game}, not of {facts['game']}; give a new --db")
        if code != facts["code"]:
            raise StudyError(
                f"{self.path}: was begun by houle {version} with other code for {game}; results of two versions are not"
                " mixed; go on with that version, or begin a new --db"
            )

    def recall(self, arm: Arm, seed: int, first: int, begin: int, end: int) -> Sums | None:
        """What the most games of an arm came to that are more than `begin` and not more than `end`."""
        with reading(self.path):
            row = self.db.execute(
                "SELECT sums FROM look WHERE arm=? AND games>? AND games<=? ORDER BY games DESC LIMIT 1",
                (_name(arm, seed, first), begin, end),
            ).fetchone()
            return None if row is None else _sums(arm, json.loads(row[0]))

    def keep(self, arms: Iterable[tuple[Arm, Sums]], seed: int, first: int) -> None:
        """What arms came to so far: all of them, or nothing."""
        rows = [
            (_name(arm, seed, first), sums.tally.games, arm.label, json.dumps(_data(sums)))
            for arm, sums in arms
            if sums.tally.games
        ]
        with telling(self.path):
            self.db.execute("BEGIN IMMEDIATE")
            try:
                self.db.executemany("INSERT OR REPLACE INTO look VALUES (?, ?, ?, ?)", rows)
                self.db.execute("COMMIT")
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise

    def close(self) -> None:
        if self._lock is not None and self._db is not None:
            at_rest(self._db)
        for connection in (self._db, self._lock):
            if connection is not None:
                connection.close()
        self._db = self._lock = None

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()


def grow(growing: Growing, places: Sequence[int], end: int, memory: Memory | None) -> bool:
    """Some arms up to so many games, those that are remembered first; false after Ctrl-C."""
    if memory is None:
        return growing.play(places, end)
    first = growing.firsts[0]
    for place in places:
        arm, before = growing.arms[place], growing.games_of(place)
        known = memory.recall(arm, growing.seed, first, before, end)
        if known is not None:
            growing.put(place, known)
            memory.recalled += growing.games_of(place) - before
    whole = True
    for number in sorted({growing.games_of(place) for place in places} - {end}):
        members = [place for place in places if growing.games_of(place) == number]
        pieces = PIECES if any(searches(growing.arms[place]) for place in members) else 1
        for piece in range(1, pieces + 1):
            stop = number + (end - number) * piece // pieces
            whole = whole and (stop == growing.games_of(members[0]) or growing.play(members, stop))
            memory.keep(((growing.arms[place], growing.sums(place)) for place in members), growing.seed, first)
    return whole


def _name(arm: Arm, seed: int, first: int) -> str:
    return digest([arm.setup.digest, list(arm.line_up.digests), seed, first])


def _data(sums: Sums) -> dict[str, Any]:
    moments = [sums.moments.clusters, *sums.moments.as_data()]
    return {"tally": sums.tally.as_data(), "moments": moments, "greatest": sums.greatest.tolist()}


def _sums(arm: Arm, data: dict[str, Any]) -> Sums:
    """The sums of _data: an arm that is paired with no other."""
    found = Sums.empty(arm, False)
    found.tally = tally_from(arm.setup, data["tally"])
    clusters, totals, products = data["moments"]
    found.moments.clusters = int(clusters)
    found.moments.sums = np.array(totals, np.int64).reshape(len(COLUMNS))
    found.moments.products = np.array(products, np.int64).reshape(len(COLUMNS), len(COLUMNS))
    found.greatest = np.array(data["greatest"], np.int64).reshape(len(COLUMNS))
    if found.tally.games != found.moments.clusters:
        raise ValueError("a tally of other games than its sums")
    return found
