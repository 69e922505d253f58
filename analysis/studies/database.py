"""The SQLite file of a study: how it is created, opened, locked, and inspected before use.

A file is inspected without any write, because SQLite would treat an emptied file as a new one. Only a
transaction that a kill interrupted is undone. Every error of the disk or the file becomes one line that says what is
wrong and that finished games are kept.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from houle.solver.errors import DiskError, FileError, InputError, StudyError
from houle.solver.os_calls import place_new
from houle.solver.rules.files import open_plain

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
MAGIC = b"SQLite format 3\0"
DRAFT = "-new"  # after the name: a file that is being created
PATIENCE = 10.0  # seconds to wait for another program's short transaction
FIRST_READ = "SELECT count(*) FROM sqlite_master"  # any read makes SQLite look for a journal
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
    margin REAL,                 -- percentage points, if it is played until its targets are decided
    own_chunk INTEGER,           -- games per chunk, if the spec sets it
    chunk INTEGER NOT NULL,      -- games per chunk
    rate REAL NOT NULL,          -- games per second on one thread, as measured
    expected INTEGER NOT NULL,   -- games it will probably need
    ended INTEGER,               -- games counted when it ended
    result_digest TEXT
);
CREATE TABLE chunk (             -- what was played, to play some of it again for an audit; not needed to continue
    cell INTEGER NOT NULL REFERENCES cell, first INTEGER NOT NULL, games INTEGER NOT NULL,
    digest TEXT NOT NULL,        -- of its tally
    PRIMARY KEY (cell, first)
) WITHOUT ROWID;
CREATE TABLE stretch (           -- tally of the games between two looks
    cell INTEGER NOT NULL REFERENCES cell, number INTEGER NOT NULL,
    games INTEGER NOT NULL,
    spans TEXT NOT NULL,         -- which games are counted: 0-499,1000-1499
    tally TEXT NOT NULL,
    seal TEXT NOT NULL,          -- digest of the row: SQLite does not notice a changed digit
    PRIMARY KEY (cell, number)
) WITHOUT ROWID;
CREATE TABLE session (           -- each run of the study
    id INTEGER PRIMARY KEY, started REAL NOT NULL, seen REAL NOT NULL, games INTEGER NOT NULL,
    houle TEXT NOT NULL, numba TEXT NOT NULL, python TEXT NOT NULL,
    workers TEXT NOT NULL, process INTEGER NOT NULL
);
"""


APPLICATION, SCHEMA = 0x486F756C, 4  # marks the file as a study; version of its tables

FAULTS = {
    sqlite3.SQLITE_FULL: "the disk is full; finished games are kept. Free some space, then resume",
    sqlite3.SQLITE_READONLY: "the file is read-only; its content is kept",
    sqlite3.SQLITE_IOERR: "the disk cannot be written; finished games are kept. Resume when it works again",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; nothing was written to it. Restore a copy",
    sqlite3.SQLITE_NOTADB: "the file is damaged or not a study; nothing was written to it",
    sqlite3.SQLITE_BUSY: "another program keeps the file locked; try again later",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened; check that you may write in its folder",
}


@contextmanager
def one_line_errors(path: str) -> Iterator[None]:
    """Turn errors of SQLite into a StudyError or DiskError of one line."""
    try:
        yield
    except sqlite3.Error as fault:
        # The low byte is the error, the rest its subtype.
        code = (getattr(fault, "sqlite_errorcode", None) or 0) & 0xFF
        kind = DiskError if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR) else StudyError
        raise kind(f"{path}: {FAULTS.get(code, f'database error: {fault}')}") from None


@contextmanager
def reading(path: str) -> Iterator[None]:
    """As one_line_errors, also for values that no study has: the file may come from anywhere."""
    try:
        with one_line_errors(path):
            yield
    except InputError:
        raise
    except (ValueError, TypeError, LookupError, OverflowError, RecursionError):
        raise StudyError(f"{path}: {FAULTS[sqlite3.SQLITE_CORRUPT]}") from None


def connect(path: str, mode: str, timeout: float = PATIENCE) -> sqlite3.Connection:
    """A connection with autocommit; `mode` is ro, rw or rwc."""
    address = Path(path).absolute().as_uri()
    # Reading with a write-ahead log needs a writable folder; in a read-only folder without a log, open as immutable.
    still = mode == "ro" and not os.access(Path(path).absolute().parent, os.W_OK) and not _has_log(path)
    return sqlite3.connect(
        f"{address}?mode={mode}" + ("&immutable=1" if still else ""), timeout=timeout, isolation_level=None, uri=True
    )


def connect_to_read(path: str) -> sqlite3.Connection:
    """A connection that reads only; first undoes a transaction that a kill interrupted.

    A process killed while it turned the write-ahead log on or off leaves a journal. SQLite undoes the half-written
    transaction before anything is read, but a connection that reads only may not do that.
    """
    connection = connect(path, "ro")
    try:
        connection.execute(FIRST_READ).fetchone()
    except sqlite3.OperationalError as fault:
        connection.close()
        if fault.sqlite_errorcode != sqlite3.SQLITE_READONLY_ROLLBACK:
            raise
        writer = connect(path, "rw")
        try:
            writer.execute(FIRST_READ).fetchone()
        finally:
            writer.close()
        connection = connect(path, "ro")
    except BaseException:
        connection.close()
        raise
    return connection


def _has_log(path: str) -> bool:
    """Whether some pages may not be in the file: they are in its write-ahead log or its journal."""
    return any(os.path.exists(f"{path}-{kind}") for kind in ("wal", "journal"))


def inspect(path: str) -> None:
    """Refuse a file that is not a complete study with a known schema, without writing to it."""
    if os.path.isdir(path):
        raise StudyError(f"{path}: is a folder, not a study")
    try:
        with open_plain(path) as opened:
            head = opened.read(100)
            size = os.fstat(opened.fileno()).st_size
    except FileNotFoundError:
        raise StudyError(f"{path}: no such study; start one with houle study run SPEC --db {path}") from None
    except FileError as fault:
        raise StudyError(str(fault)) from None
    except OSError as fault:
        raise StudyError(f"{path}: {fault.strerror or fault}") from None
    if len(head) < 100 or not head.startswith(MAGIC):
        damage = "empty or cut short" if len(head) < 100 else "not an SQLite file"
        raise StudyError(f"{path}: {damage}, so it is not a study; nothing was written to it")
    page = int.from_bytes(head[16:18], "big")
    needed = int.from_bytes(head[28:32], "big") * (65_536 if page == 1 else page)
    waiting = Path(f"{path}-wal")
    # With a write-ahead log, some pages may not be in the file yet.
    if size < needed and not (waiting.exists() and waiting.stat().st_size):
        raise StudyError(f"{path}: cut short ({size:,} of {needed:,} bytes); nothing was written to it")
    with reading(path):
        connection = connect_to_read(path)
        try:
            _inspect(path, lambda pragma: connection.execute(f"PRAGMA {pragma}").fetchone()[0])
        finally:
            connection.close()


def _inspect(path: str, ask: Callable[[str], int | str]) -> None:
    if ask("application_id") != APPLICATION:
        raise StudyError(f"{path}: not a study, but a database of another program")
    schema = int(ask("user_version"))
    if schema != SCHEMA:
        age = "a newer" if schema > SCHEMA else "an older"
        raise StudyError(
            f"{path}: was made by {age} houle (schema {schema}, known here: {SCHEMA}); nothing was changed"
        )
    if ask("quick_check(1)") != "ok":
        raise StudyError(f"{path}: {FAULTS[sqlite3.SQLITE_CORRUPT]}")


def create(path: str, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Create a file, complete or not at all; an existing file is not changed."""
    file, draft = Path(path), f"{path}{DRAFT}"
    if not file.parent.is_dir():
        raise StudyError(f"{path}: no folder {file.parent}")
    with closing(lock(path)), one_line_errors(path), suppress(FileExistsError):
        tidy(path)
        try:
            connection = connect(draft, "rwc")
            try:
                connection.executescript(f"BEGIN; {TABLES}")
                fill(connection)
                connection.execute(f"PRAGMA application_id={APPLICATION}")
                connection.execute(f"PRAGMA user_version={SCHEMA}")
                connection.execute("COMMIT")
            finally:
                connection.close()
            place_new(draft, file)
        except PermissionError as fault:
            raise StudyError(f"{path}: {fault.strerror or fault}") from None
        finally:
            tidy(path)


def tidy(path: str) -> None:
    """Delete what a killed process left of a study that it was creating. Needs the lock."""
    for left in (f"{path}{DRAFT}", f"{path}{DRAFT}-journal"):
        with suppress(OSError):
            os.unlink(left)


def lock(path: str) -> sqlite3.Connection:
    """The exclusive right to write to a file; the system releases it when the process ends."""
    with one_line_errors(path):
        # A transaction on a separate empty database works on every system and ends with the process.
        connection = connect(f"{path}-lock", "rwc", timeout=1.0)
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as fault:
            connection.close()
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            raise StudyError(f"{path}: another process is running this study; see houle study status {path}") from None
    return connection


def at_rest(db: sqlite3.Connection) -> None:
    """Merge the write-ahead log into the file, so that it can be copied."""
    with suppress(sqlite3.Error):  # a reader has it open, or the disk is full: the log stays, nothing is lost
        db.execute("PRAGMA busy_timeout=200")
        db.execute("PRAGMA journal_mode=DELETE")


def running(path: str) -> bool:
    """Whether a process is running the study now."""
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
