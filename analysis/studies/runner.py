"""Play the missing games of a study: largest chunks first, results stored as they come.

Only a few chunks are active at a time and finished ones take one byte each, so a million chunks need hardly more memory
than a hundred. A cell that may stop early sends the chunks up to its next look and then waits, while other cells use
the workers; only idle workers play beyond a look.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from houle.analysis.studies.cell_progress import CellRun, check_ended
from houle.analysis.studies.executors import Crew
from houle.analysis.studies.store import CellEnd, CellRow, Store
from houle.solver.errors import InputError
from houle.solver.rules import digest

COMMIT_SECONDS = 0.2  # of work that a kill may lose
REPORT_SECONDS = 0.1
WAIT_SECONDS = 0.1


@dataclass(frozen=True)
class Progress:
    """How far a study is."""

    cells: int
    ended: int
    games: int  # in all, including earlier sessions
    played: int  # in this session
    seconds: float  # of this session
    work: float  # done, in seconds of one thread
    total: float  # expected, in seconds of one thread
    note: str = ""  # what the user should know now, such as that there are no workers


Report = Callable[[Progress], None]
Finish = Callable[[CellRun, CellEnd], None]


def execute(
    store: Store,
    crew: Crew,
    report: Report | None = None,
    finish: Finish | None = None,
    stopping: Callable[[], bool] = bool,
) -> bool:
    """Play until every cell has ended or `stopping` is true; returns whether the study is complete."""
    rows = store.rows()
    cells = {row.id: CellRun(row, store) for row in rows if row.ended is None}
    done_before = 0.0  # seconds of one thread
    for row in rows:
        if row.ended is not None:
            check_ended(row, store)
            done_before += row.ended / row.rate
    before = sum(store.games().values())
    crew.expect({cell.cell.setup.ruleset.name: cell.row.code for cell in cells.values()})
    store.begin_session(crew.name)
    run = _Run(store, crew, cells)
    start = reported = time.perf_counter()

    def save_and_report() -> None:
        for end in run.commit(now=not run.open or stopping()):
            if finish:
                finish(cells[end.cell], end)
        if report:
            work, total = run.work + done_before, run.total + done_before
            seconds = time.perf_counter() - start
            counts = (len(rows), len(rows) - run.open, before + run.played, run.played)
            report(Progress(*counts, seconds, work, max(work, total), crew.note))

    try:
        while run.open and not stopping():
            run.send()
            run.collect()
            if time.perf_counter() - reported > REPORT_SECONDS:
                reported = time.perf_counter()
                save_and_report()
    except InputError:
        with suppress(InputError):  # the workers or the disk failed: keep what can be kept
            run.commit(now=True)
        raise
    save_and_report()
    return run.open == 0


class _Run:
    """Moves chunks and results between the cells, the workers and the store."""

    def __init__(self, store: Store, crew: Crew, cells: dict[int, CellRun]) -> None:
        self.store, self.crew, self.cells = store, crew, cells
        self.played = 0
        self.open = len(cells)
        self.work = self.total = 0.0  # done and expected, in seconds of one thread
        self._weighed: dict[int, tuple[float, float]] = {}  # the part of each cell
        self.ends: list[CellEnd] = []
        self._dirty: set[int] = set()
        self._committed = time.monotonic()
        self._heap: list[tuple[float, int]] = []
        for cell in cells:
            self._judge(cell)
            self._weigh(cell)
            self._offer(cell)

    def _weigh(self, cell: int) -> None:
        """Add what is new of a cell to the work of all. Adding up all cells for every report would take too long."""
        one = self.cells[cell]
        work, total = one.games / one.row.rate, one.expected / one.row.rate
        before = self._weighed.get(cell, (0.0, 0.0))
        self.work, self.total = self.work + work - before[0], self.total + total - before[1]
        self._weighed[cell] = work, total

    def _offer(self, cell: int) -> None:
        if self.cells[cell].ready():
            heapq.heappush(self._heap, (-self.cells[cell].weight, cell))

    def _choose(self) -> CellRun | None:
        """The cell with the largest chunk to send; one beyond its next look only if there is no other."""
        while self._heap:
            cell = self.cells[heapq.heappop(self._heap)[1]]
            if cell.ready():
                return cell
        ahead = [cell for cell in self.cells.values() if cell.ready(ahead=True)]
        return max(ahead, key=lambda cell: cell.weight, default=None)

    def send(self) -> None:
        for _ in range(self.crew.room()):
            cell = self._choose()
            if cell is None:
                return
            self.crew.submit(cell.take())
            self._offer(cell.row.id)

    def collect(self) -> None:
        touched = set()
        for task, tally in self.crew.finished(WAIT_SECONDS):
            if self.cells[task.cell].add(task, tally):
                self.played += task.games
                touched.add(task.cell)
        self._dirty |= touched
        for cell in touched:
            look = self.cells[cell].stretch
            self._judge(cell)
            self._weigh(cell)
            if self.cells[cell].stretch != look:
                self._offer(cell)

    def _judge(self, cell: int) -> None:
        end = self.cells[cell].judge()
        if end:
            self.ends.append(end)
            self._dirty.add(cell)
            self.open -= 1

    def commit(self, now: bool = False) -> list[CellEnd]:
        """Store what is new, now and then; returns the cells that ended."""
        due = time.monotonic() - self._committed > COMMIT_SECONDS
        if not self._dirty or not (now or due):
            return []
        changed = [self.cells[cell] for cell in self._dirty]
        self.store.add([change for cell in changed for change in cell.changes()], self.ends, self.played)
        for cell in changed:
            cell.settle()
        ends, self.ends = self.ends, []
        self._dirty = set()
        self._committed = time.monotonic()
        return ends


def study_digest(rows: list[CellRow]) -> str | None:
    """Identifies the results of a whole study; None while a cell is unfinished."""
    if any(row.ended is None for row in rows):
        return None
    return digest([row.result_digest for row in rows])
