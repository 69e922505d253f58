"""Adds up the files of a study that was played in parts, and plays some chunks again to check the machines.

Nothing in a part is taken on trust: every row is sealed, every part must be of the same study and code, and no game may
be counted twice. The result is the file of an ordinary study; what is missing can be resumed there.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from houle.analysis.arguments import checked
from houle.analysis.result import command_line
from houle.analysis.sampling.alternatives import several
from houle.analysis.studies.cell import WHOLE, Pace, StudyPart
from houle.analysis.studies.cell_progress import CellRun, check_end, check_stretch
from houle.analysis.studies.executors import Task, Threads
from houle.analysis.studies.results import StudyResult, read_study
from houle.analysis.studies.serialize import rules_code, tally_from
from houle.analysis.studies.spans import OverlapError, Spans
from houle.analysis.studies.spec import Study
from houle.analysis.studies.store import CellRow, Change, Chunk, Store, create
from houle.solver.errors import StudyError
from houle.solver.os_calls import default_threads
from houle.solver.rules.files import check_writable, file_error, unusable
from houle.solver.run.tally import Tally
from houle.solver.texts import digest

ONE_IN = 500  # chunks that an audit plays again, and at least one of each file
DRAFT = "-merging"  # after the name: a study that is being written
WAIT_SECONDS = 1.0


@dataclass(frozen=True)
class Merged:
    """A study that was added up from parts."""

    result: StudyResult
    parts: int  # files that were read
    missing: tuple[tuple[str, str], ...]  # what is missing, and the command that plays it
    chunks: int  # that were played
    audited: int  # of them played again, with the same result

    def as_json(self) -> dict[str, Any]:
        missing = [{"part": part, "command": command} for part, command in self.missing]
        audit = {"chunks": self.chunks, "played_again": self.audited}
        return {**self.result.status.as_json(), "parts": self.parts, "missing": missing, "audit": audit}


@checked
def merge_study(
    parts: str | Path | Iterable[str | Path],
    *,
    db: str | Path = "merged.db",
    audit: bool = False,
    replace: bool = False,
) -> Merged:
    """Add up the files of a study that was played in parts.

    Files of another study, of other code, or with games that another file holds too are refused. Missing parts are
    listed; the new file is an ordinary study, so `houle.study` and `houle study resume` can play what is missing.

    Parameters
    ----------
    parts : path or iterable of paths
        The files that `houle.study(spec, part="3/20")` wrote.
    db : path
        The file for the whole study.
    audit : bool
        Play one chunk in 500 again on this machine, at least one of each file, and refuse a file that differs.
    replace : bool
        Replace the file if it exists.

    Returns
    -------
    Merged
        With `.result` (as `houle.read_study` returns it), `.missing` and `.audited`.

    Examples
    --------
    >>> import houle
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> spec = Path(mkdtemp(), "waves.toml")
    >>> _ = spec.write_text('game = "wave"\\nplayers = [2, 3]\\nstrategies = "random"\\ngames = 200\\n')
    >>> parts = [houle.study(spec, part=f"{number}/3").path for number in (1, 2, 3)]
    >>> merged = houle.merge_study(parts, db=spec.with_suffix(".db"), audit=True)
    >>> merged.result.games, merged.missing, merged.audited
    (400, (), 3)
    """
    files, target = [str(part) for part in several(parts)], str(db)
    if not files:
        raise StudyError("merge: no files are given; give the files of the parts")
    if os.path.exists(target) and not replace:
        raise StudyError(f"--db: {target} exists already; give another name, or --force to replace it")
    if any(os.path.exists(target) and os.path.samefile(target, file) for file in files if os.path.exists(file)):
        raise StudyError(f"--db: {target} is one of the parts; give another name")
    if problem := unusable(target):
        raise StudyError(f"--db: {target}: {problem}")
    check_writable(target, f"--db: {target}")
    whole = _Sum(files[0])
    for file in files:
        whole.add(file)
    audited = _audit(whole) if audit else 0
    whole.write(target)
    result = read_study(target)
    missing = tuple(whole.missing()) if result.interrupted else ()
    return Merged(result, len(files), missing, sum(map(len, whole.chunks.values())), audited)


class _Sum:
    """The games of several files of one study."""

    def __init__(self, first: str) -> None:
        self.first = first  # the file that the others are compared with
        with Store(first, write=False) as store:
            self.facts = store.facts()
            both = store.cells()
        self.rows, self.cells = [row for row, _ in both], [cell for _, cell in both]
        self.spec_file = self.facts.get("spec_file") or "study.toml"
        self.spans: dict[tuple[int, int], Spans] = {}  # by cell and stretch
        self.tallies: dict[tuple[int, int], Tally] = {}
        self.chunks: dict[str, list[tuple[int, Chunk]]] = {}  # by file, each with its cell
        self.owners: dict[int, list[tuple[Spans, str]]] = {}  # which file holds which games of a cell
        self.parts: list[tuple[str, StudyPart, bool]] = []  # file, part, whether it is complete

    def add(self, file: str) -> None:
        with Store(file, write=False) as store:
            rows = self._checked(store)
            for row, cell in zip(rows, self.cells, strict=True):
                total = Tally.empty(cell.setup)
                for number, (spans, data) in store.stretches(row.id).items():
                    tally, key = tally_from(cell.setup, data), (row.id, number)
                    check_stretch(row, number, spans, tally)
                    self._claim(file, row, key, spans)
                    self.tallies.setdefault(key, Tally.empty(cell.setup)).add(tally)
                    total.add(tally)
                check_end(row, cell, total)
            self.chunks[file] = [(row.id, chunk) for row in rows for chunk in store.chunks(row.id)]
            self.parts.append((file, store.part(), all(row.ended is not None for row in rows)))

    def _checked(self, store: Store) -> list[CellRow]:
        """The rows of a file of the same study and code; a StudyError names the difference."""
        rows, facts = store.rows(), store.facts()
        if facts["spec_digest"] != self.facts["spec_digest"]:
            names = f"{facts['name']!r} here, {self.facts['name']!r} in {self.first}"
            raise StudyError(f"{store.path}: is a part of another study ({names}); merge the parts of one study")
        if digest([cell.identity for _, cell in store.cells()]) != self.facts["spec_digest"]:
            raise StudyError(f"{store.path}: its cells were changed after it was created; restore a copy")
        for row, other in zip(rows, self.rows, strict=True):
            if row.code != other.code:
                game, made = self.cells[row.id - 1].setup.ruleset.name, (facts["houle"], self.facts["houle"])
                raise StudyError(
                    f"{store.path}: was played with other code for {game} than {self.first} (houle {made[0]} and"
                    f" {made[1]}); play it again with the same version"
                )
        return rows

    def _claim(self, file: str, row: CellRow, key: tuple[int, int], spans: Spans) -> None:
        counted = self.spans.setdefault(key, Spans())
        for first, end in spans:
            try:
                counted.add(first, end)
            except OverlapError as fault:
                before = next(
                    other for held, other in self.owners[row.id] if held.gaps(fault.first, fault.first + 1) == []
                )
                both = f"{before} and {file}" if before != file else f"{file}, given twice,"
                games = f"games {fault.first:,} to {fault.last:,} of cell {row.id}"
                raise StudyError(f"{both} hold the same games ({games}); leave one out") from None
        self.owners.setdefault(row.id, []).append((spans, file))

    def write(self, target: str) -> None:
        """Write the study as a new file, which appears only when it is complete."""
        draft = f"{target}{DRAFT}"
        paces = [Pace(row.chunk, row.rate, ()) for row in self.rows]
        chunks: dict[int, list[Chunk]] = {}
        for cell, chunk in chain.from_iterable(self.chunks.values()):
            chunks.setdefault(cell, []).append(chunk)
        changes = [
            Change(*key, chunks.pop(key[0], []), 0, tally.games, str(self.spans[key]), json.dumps(tally.as_data()))
            for key, tally in self.tallies.items()
        ]
        study = Study(self.facts["name"], self.facts["spec"], tuple(self.cells), file=self.spec_file)
        try:
            _discard(draft)
            create(draft, study, paces, WHOLE)
            with Store(draft, write=True) as store:
                store.begin_session(f"{len(self.parts)} parts")
                store.add(changes, (), 0)
                ends = [end for row in store.rows() if (end := CellRun(row, store).judge())]
                store.add((), ends, 0)
            os.replace(draft, target)
        except OSError as fault:
            raise file_error(target, fault) from None
        finally:
            _discard(draft)

    def missing(self) -> Iterator[tuple[str, str]]:
        """The parts that were not given or are not complete, each with the command that plays it."""
        games = {cell.setup.ruleset.name: cell.setup for cell in self.cells}.values()
        for file, part, complete in self.parts:
            if not complete:
                name = f"part {part} ({file} is unfinished)" if part != WHOLE else f"the rest of {file}"
                yield name, command_line(["study", "resume", file], *games)
        for of in sorted({part.of for _, part, _ in self.parts}):
            given = {part.number for _, part, _ in self.parts if part.of == of}
            for number in sorted(set(range(1, of + 1)) - given):
                words = ["study", "run", self.spec_file, "--part", f"{number}/{of}"]
                yield f"part {number}/{of}", command_line(words, *games)


def _discard(draft: str) -> None:
    for left in ("", "-lock", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            os.unlink(f"{draft}{left}")


def _audit(whole: _Sum) -> int:
    """Play some chunks again here; returns their number. A StudyError names a file whose chunk differs."""
    rows = {row.id: row for row in whole.rows}
    for row, cell in zip(whole.rows, whole.cells, strict=True):
        if rules_code(cell.setup.ruleset.name) != row.code:
            raise StudyError(
                f"--audit: {whole.first}: was played with other code for {cell.setup.ruleset.name} than is installed"
                " here; audit it with that version"
            )
    dice = random.Random(whole.facts["spec_digest"])
    chosen: dict[Task, tuple[str, str]] = {}
    for file, _, _ in whole.parts:
        own = whole.chunks[file]
        for number, (first, games, made) in dice.sample(own, -(-len(own) // ONE_IN)):
            row = rows[number]
            rules = (row.setup, row.rules_digest, row.code)
            chosen[Task(number, first, games, *rules, strategies=row.portable, seed=row.seed)] = file, made
    waiting = list(chosen)
    with closing(Threads(default_threads())) as crew:
        left = len(chosen)
        while left:
            while waiting and crew.room() > 0:
                crew.submit(waiting.pop())
            for task, tally in crew.finished(WAIT_SECONDS):
                left -= 1
                file, made = chosen[task]
                if digest(tally.as_data()) != made:
                    which = f"games {task.first:,} to {task.first + task.games - 1:,} of cell {task.cell}"
                    raise StudyError(f"{file}: {which} give another result here; play that part again")
    return len(chosen)
