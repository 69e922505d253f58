"""A small finished study, and its file with wrong values or changed bytes."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import houle
from tools.fuzz.formats import SPEC

SQLITE_VALUES: list[Any] = [None, -1, 2**62, 1.5, "", "x", b"", b"\x80\x04", "[" * 5_000, "9" * 5_000]


@dataclass(frozen=True)
class StudyFile:
    content: bytes
    columns: list[tuple[str, str]]  # table and column, of all that the file has


@cache
def small_study() -> StudyFile:
    """The file of a study of two cells that is finished."""
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder, "spec.toml")
        spec.write_text(SPEC, encoding="utf-8")
        houle.study(spec, threads=1)
        path = spec.with_suffix(".db")
        db = sqlite3.connect(path)
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")]
        columns = [(table, row[1]) for table in tables for row in db.execute(f"PRAGMA table_info({table})")]
        db.close()
        return StudyFile(path.read_bytes(), columns)


def with_value(study: StudyFile, table: str, column: str, value: Any) -> bytes:
    """The file with a value in one column of all rows, or of the first if the column must be unique."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "study.db")
        path.write_bytes(study.content)
        db = sqlite3.connect(path)
        try:
            for where in ("", f" WHERE {column} IN (SELECT {column} FROM {table} LIMIT 1)"):
                try:
                    db.execute(f"UPDATE {table} SET {column}=?{where}", (value,))
                    break
                except sqlite3.IntegrityError:
                    continue
            db.commit()
        finally:
            db.close()
        return path.read_bytes()


def damaged(study: StudyFile, seed: int) -> bytes:
    """The file with up to 20 changed bytes."""
    luck = random.Random(seed)
    content = bytearray(study.content)
    for _ in range(luck.randrange(1, 21)):
        content[luck.randrange(len(content))] ^= luck.randrange(1, 256)
    return bytes(content)
