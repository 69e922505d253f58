"""The results of a study as files one can read: a folder with a log for each part, a line of JSON for each chunk.

The first line of a log says which study it is, with everything that is needed to read it; other targets of the same
study add such a line. A line for each chunk of games is appended and flushed to the disk when the chunk is played:

    {"study": "9f2c", "code": "71ab", "cell": 17, "first": 50000, "games": 50000, "tally": {...}, "sum": "c0ffee"}

Reading takes every *.jsonl of the folder, so parts from several machines are put together by copying. A last line
without its end was cut off by a kill or a full disk; it is dropped, and its chunk is played again. Everything else that
does not fit is an error with file and line. Adding tallies is exact in any order, so the result has the digest of one
uninterrupted run.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from houle.analysis.measures.targets import parse_target
from houle.analysis.studies.cell import Cell, Chunk, Study, StudyPart
from houle.analysis.studies.serialize import Data, cell_data, cell_from, package_version, rules_code, tally_from
from houle.solver.errors import InputError, StudyError
from houle.solver.os_calls import lock_file
from houle.solver.rules.files import file_error, open_plain
from houle.solver.rules.game_folders import portable_name
from houle.solver.run.tally import Tally
from houle.solver.texts import visible

FORMAT = 1
TOGETHER = 16  # tallies of a cell that are added up at once
SUM = b',"sum":"'  # what stands between a line and its checksum
SQLITE = b"SQLite format 3\0"
MALFORMED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)  # in JSON of a log


@dataclass(frozen=True)
class Head:
    """What a log says of its study; other targets or another name add a head to it."""

    study: Study
    houle: str  # the version that began the log
    time: float


def codes_of(study: Study) -> dict[str, str]:
    """The digest of the code of each game, by its portable name."""
    codes: dict[str, str] = {}
    for game in dict.fromkeys(cell.setup.ruleset.name for cell in study.cells):
        if codes.setdefault(portable_name(game), code := rules_code(game)) != code:
            raise StudyError(f"{game}: two games of the study have a file of this name; rename one")
    return codes


def head_of(study: Study) -> Data:
    """What the first line of a log says: the study, its cells, and the code that plays them."""
    return {
        "format": FORMAT,
        "study": study.digest,
        "name": study.name,
        "houle": package_version("houle"),
        "time": round(time.time(), 3),
        "targets": [target.text for target in study.targets],
        "codes": codes_of(study),
        "cells": [cell_data(cell) for cell in study.cells],
    }


def sealed(record: Data) -> bytes:
    """A record as one line with its checksum."""
    text = json.dumps(record, separators=(",", ":"))[:-1].encode()
    return b"".join((text, SUM, _checksum(text), b'"}\n'))


def _checksum(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:16].encode()


def _opened(line: bytes) -> Data:
    """The record of a line; refuses one that was changed."""
    text, mark, end = line.rpartition(SUM)
    if not mark or end != _checksum(text) + b'"}':
        raise StudyError("the line was changed or is damaged; delete it, and its games are played again")
    record: Data = json.loads(text.decode() + "}")
    return record


@dataclass
class CellSums:
    """What the logs have of a cell: the chunks with their checksums, and their tallies, most of them added up."""

    chunks: dict[int, bytes] = field(default_factory=dict)  # by first game
    games: int = 0
    tallies: list[Data] = field(default_factory=list)

    def add(self, tally: Data) -> None:
        self.tallies.append(tally)
        if len(self.tallies) == TOGETHER:
            self.tallies = [_total(self.tallies)]

    def tally(self, cell: Cell) -> Tally:
        try:
            return tally_from(cell.setup, _total(self.tallies))
        except MALFORMED as fault:
            raise StudyError(f"not tallies of one setup: {fault}") from None


class Logged:
    """All logs of a folder, checked and added up."""

    def __init__(self, folder: str | Path, study: Study | None = None) -> None:
        """Reads a folder; the logs must be of `study` and its code, or all of one study."""
        self.folder = Path(folder)
        self.study = study
        self.codes = codes_of(study) if study else dict[str, str]()
        self.heads: dict[str, Head] = {}  # the last of each file
        self.cells: dict[int, CellSums] = {}
        for path in self._files():
            self._read(path)

    def _files(self) -> list[Path]:
        try:
            return sorted(path for path in self.folder.iterdir() if path.suffix == ".jsonl")
        except FileNotFoundError:
            return []
        except OSError as fault:
            raise file_error(self.folder, fault) from None

    @property
    def head(self) -> Head:
        """The head that was written last."""
        if not self.heads:
            raise StudyError(f"{self.folder}: no log of a study here; `houle study run study.toml -o FOLDER` makes one")
        return max(self.heads.values(), key=lambda head: head.time)

    def has(self, chunk: Chunk) -> bool:
        return chunk.cell in self.cells and chunk.first in self.cells[chunk.cell].chunks

    def _read(self, path: Path) -> None:
        for number, line in enumerate(_lines(path), 1):
            try:
                record = _opened(line)
                if "cells" in record:
                    self.heads[path.name] = self._head(record)
                elif number == 1:
                    raise StudyError("not the first line of a log; restore the file, or delete it")
                else:
                    self._add(record, line[-18:-2])
            except (InputError, *MALFORMED) as fault:
                why = str(fault) if isinstance(fault, InputError) else f"not a line of a study's log: {fault}"
                raise StudyError(f"{path}, line {number}: {why}") from None

    def _head(self, record: Data) -> Head:
        if self.study is None:
            self.study, self.codes = Study("", tuple(map(cell_from, record["cells"]))), dict(record["codes"])
        for game, code in self.codes.items():  # first: other defaults of a game of your own make another study too
            if record["codes"].get(game, code) != code:
                raise StudyError(
                    f"{game} was played by other code than this; use the same version of houle, or another folder"
                )
        if (record["format"], record["study"], {*record["codes"]}) != (FORMAT, self.study.digest, {*self.codes}):
            name = visible(record["name"])
            raise StudyError(f"the log of another study ({name}); move the file to another folder")
        targets = tuple(parse_target(text, "targets") for text in record["targets"])
        study = Study(visible(record["name"]), self.study.cells, targets)
        return Head(study, visible(record["houle"]), float(record["time"]))

    def _add(self, record: Data, seal: bytes) -> None:
        assert self.study is not None
        number, first, games = record["cell"], record["first"], record["games"]
        if record["study"] != self.study.digest or not 1 <= number <= len(self.study.cells):
            raise StudyError("a chunk of another study")
        game, every, size = self.study.sizes[number - 1]
        if record["code"] != self.codes[game]:
            raise StudyError(f"{game} was played by other code than the rest")
        if not 0 <= first < every or first % size or games != min(size, every - first):
            raise StudyError("not a chunk of this study")
        sums = self.cells.setdefault(number, CellSums())
        if first in sums.chunks:
            if sums.chunks[first] != seal:
                which = f"games {first:,} to {first + games - 1:,} of cell {number}"
                raise StudyError(f"{which} were logged before with another result; one of the logs is wrong")
            return
        sums.chunks[first] = seal
        sums.games += games
        sums.add(record["tally"])


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of a log without their ends; a last line without its end was cut off and is dropped."""
    try:
        with open_plain(path) as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line[:-1]
    except OSError as fault:
        raise file_error(path, fault) from None


def _total(parts: list[Any]) -> Any:
    """The sum of tallies as plain data: whole numbers, in lists of one shape and tables by name."""
    if isinstance(parts[0], int):
        return sum(parts)
    if isinstance(parts[0], list):
        return [_total(each) for each in map(list, zip(*parts, strict=True))]
    names = dict.fromkeys(name for part in parts for name in part)
    return {name: _total([part[name] for part in parts if name in part]) for name in names}


class Log:
    """The log of a part, opened to append. Only one process writes a log: that lock is the only one."""

    def __init__(self, folder: str | Path, part: StudyPart, study: Study) -> None:
        self.path = Path(folder) / part.file
        self.study, self.codes = study, codes_of(study)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(self.path, "a+b", buffering=0)  # noqa: SIM115  # closed by `close`
        except OSError as fault:
            raise file_error(self.path, fault) from None
        if not lock_file(self._file.fileno()):
            self._file.close()
            raise StudyError(f"{self.path}: another process is playing this part")
        self._file.seek(0)
        self._end = self._file.read().rfind(b"\n") + 1
        self._write(b"")  # drops a line that was cut off

    def _write(self, line: bytes) -> None:
        """Appends a line, or leaves the log as it was."""
        try:
            self._file.truncate(self._end)
            written = self._file.write(line)
            if written != len(line):
                self._file.write(line[written:])  # says why, as "No space left on device"
            os.fsync(self._file.fileno())
        except OSError as fault:
            self._file.truncate(self._end)
            raise file_error(self.path, fault) from None
        self._end += len(line)

    def begin(self, before: Head | None) -> None:
        """Writes what the study is, unless the log says so already."""
        if before is None or (before.study.name, before.study.targets) != (self.study.name, self.study.targets):
            self._write(sealed(head_of(self.study)))

    def append(self, chunk: Chunk, tally: Tally) -> None:
        """Writes a chunk; when this returns, it is on the disk."""
        game = self.study.sizes[chunk.cell - 1].game
        record = {"study": self.study.digest, "code": self.codes[game], **chunk._asdict(), "tally": tally.as_data()}
        self._write(sealed(record))

    def close(self) -> None:
        self._file.close()


def refuse_database(path: str | Path) -> None:
    """Says how to go on with a study of 0.4.0, which was one SQLite file."""
    if not Path(path).is_file():
        return
    with open_plain(path) as file:
        is_database = file.read(len(SQLITE)) == SQLITE
    if is_database:
        raise StudyError(
            f"{path}: a study of houle 0.4.0; export it with that version "
            f"(houle study export {path} -o study.csv), or play it again from its TOML file"
        )
