"""The SQLite file under a study or a design: how it is made, opened, locked, and inspected before use.

A file is inspected without a single write, since SQLite itself would take an emptied file for a new one. What
can go wrong with a disk or a file becomes one line that says what, and that nothing finished is lost.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from houle.solver.errors import StudyError

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
MAGIC = b"SQLite format 3\0"
PATIENCE = 10.0  # seconds to wait for another program's short transaction
TABLES = """
CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cell (
    id INTEGER PRIMARY KEY,      -- 1, 2, ... in the order of the spec
    label TEXT NOT NULL,
    setup TEXT NOT NULL,         -- JSON: game, players, variants, every effective knob
    rules_digest TEXT NOT NULL,
    code TEXT NOT NULL,          -- digest of the code that plays it
    strategies TEXT NOT NULL,    -- JSON, one per player
    seed TEXT NOT NULL,          -- up to 2^64 - 1, more than an INTEGER holds
    games INTEGER NOT NULL,      -- to play; with a precision or a margin, at most
    precision REAL,              -- percentage points
    margin REAL,                 -- percentage points, where it is played until its targets are decided
    own_chunk INTEGER,           -- games per chunk where the spec says so
    chunk INTEGER NOT NULL,      -- games per chunk
    rate REAL NOT NULL,          -- games a second on one thread, as measured
    expected INTEGER NOT NULL,   -- games it will probably take
    ended INTEGER,               -- games counted when it ended
    result_digest TEXT
);
CREATE TABLE chunk (
    cell INTEGER NOT NULL REFERENCES cell, number INTEGER NOT NULL,
    first INTEGER NOT NULL, games INTEGER NOT NULL, PRIMARY KEY (cell, number)
) WITHOUT ROWID;
CREATE TABLE stretch (           -- what the finished chunks between two looks came to
    cell INTEGER NOT NULL REFERENCES cell, number INTEGER NOT NULL,
    games INTEGER NOT NULL, tally TEXT NOT NULL, PRIMARY KEY (cell, number)
) WITHOUT ROWID;
CREATE TABLE session (           -- who worked on it, with what
    id INTEGER PRIMARY KEY, started REAL NOT NULL, seen REAL NOT NULL, games INTEGER NOT NULL,
    houle TEXT NOT NULL, numba TEXT NOT NULL, python TEXT NOT NULL,
    workers TEXT NOT NULL, process INTEGER NOT NULL
);
"""


@dataclass(frozen=True)
class Kind:
    """What a file is for: its name, the mark that tells it from any other SQLite file, its tables, how to begin one."""

    name: str
    application: int
    schema: int
    tables: str
    begin: str  # what makes one, before its path
    see: str  # what looks at one, before its path; empty where nothing does


STUDY = Kind("study", 0x486F756C, 2, TABLES, "houle study run SPEC --db", "houle study status")

FAULTS = {
    sqlite3.SQLITE_FULL: "the disk is full; what was finished is kept: make room, then resume",
    sqlite3.SQLITE_READONLY: "the file is read-only; what is in it is kept",
    sqlite3.SQLITE_IOERR: "the disk refuses to write; what was finished is kept: resume when it is mended",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; nothing was written to it: restore a copy",
    sqlite3.SQLITE_NOTADB: "the file is damaged or no study; nothing was written to it",
    sqlite3.SQLITE_BUSY: "another program keeps the file locked; try again when it is done",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened; may this user write in its folder?",
}


@contextmanager
def telling(path: str) -> Iterator[None]:
    """Turns what SQLite complains about into one line."""
    try:
        yield
    except sqlite3.Error as fault:
        # The low byte is the fault, the rest its finer kind.
        code = (getattr(fault, "sqlite_errorcode", None) or 0) & 0xFF
        raise StudyError(f"{path}: {FAULTS.get(code, f'the database says: {fault}')}") from None


@contextmanager
def reading(path: str) -> Iterator[None]:
    """As telling, and values that are none of a study's become one line too: anybody may have made the file."""
    try:
        with telling(path):
            yield
    except StudyError:
        raise
    except (ValueError, TypeError, LookupError, OverflowError, RecursionError):
        raise StudyError(f"{path}: {FAULTS[sqlite3.SQLITE_CORRUPT]}") from None


def connect(path: str, mode: str, timeout: float = PATIENCE) -> sqlite3.Connection:
    """Autocommit; `mode` is ro, rw or rwc."""
    address = Path(path).absolute().as_uri()
    # A reader of a write-ahead log needs a file beside it; in a folder it may not write there is then no log.
    waiting = Path(f"{path}-wal")
    still = mode == "ro" and not os.access(Path(path).absolute().parent, os.W_OK) and not waiting.exists()
    return sqlite3.connect(
        f"{address}?mode={mode}" + ("&immutable=1" if still else ""), timeout, isolation_level=None, uri=True
    )


def inspect(path: str, kind: Kind = STUDY) -> None:
    """Refuses what is not a whole file of its kind and of a schema known here, without touching the file."""
    file = Path(path)
    if os.path.isdir(path):
        raise StudyError(f"{path}: is a folder")
    try:
        with file.open("rb") as opened:
            head = opened.read(100)
            size = os.fstat(opened.fileno()).st_size
    except FileNotFoundError:
        raise StudyError(f"{path}: no such {kind.name}; begin one with {kind.begin} {path}") from None
    except OSError as fault:
        raise StudyError(f"{path}: {fault.strerror or fault}") from None
    if len(head) < 100 or not head.startswith(MAGIC):
        damage = "is empty or cut short" if len(head) < 100 else "is no SQLite file"
        raise StudyError(f"{path}: {damage}, not a {kind.name}; nothing was written to it")
    page = int.from_bytes(head[16:18], "big")
    needed = int.from_bytes(head[28:32], "big") * (65_536 if page == 1 else page)
    waiting = Path(f"{path}-wal")
    # With a log waiting, pages may still be on their way into the file.
    if size < needed and not (waiting.exists() and waiting.stat().st_size):
        raise StudyError(f"{path}: is cut short ({size:,} of {needed:,} bytes); nothing was written to it")
    with reading(path):
        connection = connect(path, "ro")
        try:
            _inspect(path, kind, lambda pragma: connection.execute(f"PRAGMA {pragma}").fetchone()[0])
        finally:
            connection.close()


def _inspect(path: str, kind: Kind, ask: Callable[[str], int | str]) -> None:
    if ask("application_id") != kind.application:
        raise StudyError(f"{path}: is a database of another program, not a {kind.name}")
    schema = int(ask("user_version"))
    if schema > kind.schema:
        raise StudyError(
            f"{path}: was made by a newer houle (schema {schema}, known here: {kind.schema}); nothing was changed"
        )
    if schema < kind.schema:
        raise StudyError(
            f"{path}: was made by an older houle (schema {schema}, known here: {kind.schema}), whose looks were others;"
            " nothing was changed"
        )
    if ask("quick_check(1)") != "ok":
        raise StudyError(f"{path}: {FAULTS[sqlite3.SQLITE_CORRUPT]}")


def create(path: str, fill: Callable[[sqlite3.Connection], None], kind: Kind = STUDY) -> None:
    """A new file: complete under its name at once, or not there at all; leaves a file that exists alone."""
    file, draft = Path(path), Path(f"{path}-new{os.getpid()}")
    if not file.parent.is_dir():
        raise StudyError(f"{path}: no folder {file.parent}")
    with telling(path), suppress(FileExistsError):
        try:
            draft.unlink(missing_ok=True)
            connection = connect(str(draft), "rwc")
            try:
                connection.executescript(f"BEGIN; {kind.tables}")
                fill(connection)
                connection.execute(f"PRAGMA application_id={kind.application}")
                connection.execute(f"PRAGMA user_version={kind.schema}")
                connection.execute("COMMIT")
            finally:
                connection.close()
            os.link(draft, file)
        except PermissionError as fault:
            raise StudyError(f"{path}: {fault.strerror or fault}") from None
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def lock(path: str, kind: Kind = STUDY) -> sqlite3.Connection:
    """The right to add to a file, for this process alone; the system takes it back when the process ends."""
    with telling(path):
        # A transaction on an empty database of its own: the same on every system, and gone with the process.
        connection = connect(f"{path}-lock", "rwc", timeout=1.0)
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as fault:
            connection.close()
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            see = f"; see: {kind.see} {path}" if kind.see else ""
            raise StudyError(f"{path}: another process is working on this {kind.name}{see}") from None
    return connection


def at_rest(db: sqlite3.Connection) -> None:
    """Makes it one plain file, that can be copied, mailed and read from anywhere."""
    with suppress(sqlite3.Error):  # a reader is at it, or the disk is full: the log stays, nothing is lost
        db.execute("PRAGMA busy_timeout=200")
        db.execute("PRAGMA journal_mode=DELETE")


def running(path: str) -> bool:
    """Whether a process is working on the study just now."""
    if not Path(f"{path}-lock").exists():
        return False
    try:
        connection = connect(f"{path}-lock", "ro", timeout=0.0)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
    except sqlite3.OperationalError as fault:
        return fault.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
    return False
