"""Plays what a study still lacks, with any crew: largest chunks first, results stored as they come in.

Only a few chunks are under way at a time and finished ones are a byte each, so a million chunks take hardly
more memory than a hundred. A cell with a precision sends the chunks up to its next look, then leaves the crew
to the others until those are in; only workers that would have nothing to do play ahead of a look.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from houle.analysis.studies.cell_run import Work
from houle.analysis.studies.executors import Crew
from houle.analysis.studies.store import Ending, Row, Store
from houle.solver.errors import StudyError
from houle.solver.ruleset import digest

COMMIT_SECONDS = 0.2  # what a kill may cost
REPORT_SECONDS = 0.1
WAIT_SECONDS = 0.1


@dataclass(frozen=True)
class Progress:
    """How far a study is, told after every step."""

    cells: int
    ended: int
    games: int  # in all, earlier sessions too
    played: int  # by this session
    seconds: float  # of this session
    work: float  # seconds of one thread that are done
    total: float  # that it will take


Report = Callable[[Progress], None]
Finish = Callable[[Work, Ending], None]


def execute(
    store: Store,
    crew: Crew,
    report: Report | None = None,
    finish: Finish | None = None,
    stopping: Callable[[], bool] = bool,
) -> bool:
    """Plays until every cell has ended, or until `stopping`; True where the study is complete."""
    rows = store.rows()
    works = {row.id: Work(row, store) for row in rows if row.ended is None}
    ended = {row.id: row.ended / row.rate for row in rows if row.ended is not None}
    before = sum(store.games().values())
    store.begin_session(crew.name)
    run = _Run(store, crew, works)
    start = told = time.perf_counter()

    def tell() -> None:
        for ending in run.commit(now=not run.open or stopping()):
            if finish:
                finish(works[ending.cell], ending)
        if report:
            work = sum(ended.values()) + sum(work.games / work.row.rate for work in works.values())
            total = sum(ended.values()) + sum(work.expected / work.row.rate for work in works.values())
            seconds = time.perf_counter() - start
            counts = (len(rows), len(rows) - run.open, before + run.played, run.played)
            report(Progress(*counts, seconds, work, max(work, total)))

    try:
        while run.open and not stopping():
            run.send()
            run.collect()
            if run.endings or time.perf_counter() - told > REPORT_SECONDS:
                told = time.perf_counter()
                tell()
    except StudyError:
        with suppress(StudyError):  # the crew is lost, perhaps the disk too: what came in is kept if it can be
            run.commit(now=True)
        raise
    tell()
    return run.open == 0


class _Run:
    """The traffic between the cells, the crew and the store."""

    def __init__(self, store: Store, crew: Crew, works: dict[int, Work]) -> None:
        self.store, self.crew, self.works = store, crew, works
        self.played = 0
        self.open = len(works)
        self.endings: list[Ending] = []
        self._dirty: set[int] = set()
        self._committed = time.monotonic()
        self._heap: list[tuple[float, int]] = []
        for cell in works:
            self._judge(cell)
            self._offer(cell)

    def _offer(self, cell: int) -> None:
        if self.works[cell].ready():
            heapq.heappush(self._heap, (-self.works[cell].weight, cell))

    def _choose(self) -> Work | None:
        """The cell with the largest chunk to send; one that plays ahead only where there is no other."""
        while self._heap:
            work = self.works[heapq.heappop(self._heap)[1]]
            if work.ready():
                return work
        ahead = [work for work in self.works.values() if work.ready(ahead=True)]
        return max(ahead, key=lambda work: work.weight, default=None)

    def send(self) -> None:
        for _ in range(self.crew.room()):
            work = self._choose()
            if work is None:
                return
            self.crew.submit(work.take())
            self._offer(work.row.id)

    def collect(self) -> None:
        touched = set()
        for task, tally in self.crew.finished(WAIT_SECONDS):
            if self.works[task.cell].add(task, tally):
                self.played += task.games
                touched.add(task.cell)
        self._dirty |= touched
        for cell in touched:
            look = self.works[cell].stretch
            self._judge(cell)
            if self.works[cell].stretch != look:
                self._offer(cell)

    def _judge(self, cell: int) -> None:
        ending = self.works[cell].judge()
        if ending:
            self.endings.append(ending)
            self._dirty.add(cell)
            self.open -= 1

    def commit(self, now: bool = False) -> list[Ending]:
        """Stores what is new, now and then, and whenever a cell has ended."""
        due = time.monotonic() - self._committed > COMMIT_SECONDS
        if not self._dirty or not (now or due or self.endings):
            return []
        works = [self.works[cell] for cell in self._dirty]
        self.store.add([change for work in works for change in work.changes()], self.endings, self.played)
        for work in works:
            work.settle()
        endings, self.endings = self.endings, []
        self._dirty = set()
        self._committed = time.monotonic()
        return endings


def study_digest(rows: list[Row]) -> str | None:
    """Names the results of a whole study; none while a cell is open."""
    if any(row.ended is None for row in rows):
        return None
    return digest([row.result_digest for row in rows])
