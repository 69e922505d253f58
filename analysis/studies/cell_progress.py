"""One cell of a running study: which games are counted, their tallies, and whether that is enough."""

from __future__ import annotations

import json
from collections.abc import Iterator

from houle.analysis.studies.cell import Cell
from houle.analysis.studies.executors import Task
from houle.analysis.studies.serialize import tally_from
from houle.analysis.studies.spans import OverlapError, Spans
from houle.analysis.studies.spec import wanted_of
from houle.analysis.studies.stopping import AtDecision, AtWidth, Stopping
from houle.analysis.studies.store import CellEnd, CellRow, Change, Chunk, Store
from houle.solver.errors import StudyError
from houle.solver.run.tally import Tally
from houle.solver.texts import digest


def stop_of(row: CellRow, store: Store, cell: Cell) -> Stopping | None:
    """The rule that ends a cell early; None if its number of games is fixed."""
    if row.precision is not None:
        return AtWidth(row.precision, Tally.empty(cell.setup))
    if row.margin is not None:
        return AtDecision(row.margin, wanted_of(store.facts()["spec"], row.strategies), Tally.empty(cell.setup))
    return None


def check_end(row: CellRow, cell: Cell, total: Tally) -> None:
    """Refuse a cell that has ended with other counts than its digest says."""
    if row.ended is None:
        return
    if (total.games, cell.run(total, row.ended, row.start).digest) != (row.ended, row.result_digest):
        raise StudyError(f"cell {row.id}: its tally does not match its digest; the file was changed, restore a copy")


def check_stretch(row: CellRow, stretch: int, spans: Spans, tally: Tally) -> None:
    """Refuse a stretch whose spans and tally hold different games, or games that do not belong there."""
    plan = row.plan
    fits = 0 <= stretch < len(plan.ends) and spans.within(plan.starts[stretch], plan.ends[stretch])
    if not fits or spans.games != tally.games:
        raise StudyError(f"cell {row.id}: its games and its tally differ; the file is damaged")


def check_ended(row: CellRow, store: Store) -> None:
    """Refuse a cell that has ended, if its stored tallies do not match its digest."""
    cell = row.cell()
    total = Tally.empty(cell.setup)
    for _, data in store.stretches(row.id).values():
        total.add(tally_from(cell.setup, data))
    check_end(row, cell, total)


class CellRun:
    """Gives out the missing games of a cell, collects the played ones, and decides at every look whether to stop."""

    def __init__(self, row: CellRow, store: Store) -> None:
        self.row = row
        self.cell: Cell = row.cell()
        self.plan = row.plan
        self.ended = row.ended
        self.expected = row.expected
        self.stretch = 0  # the first that is not complete
        self._spans: dict[int, Spans] = {}  # games counted, by stretch
        self._tallies: dict[int, Tally] = {}
        self._unsaved: dict[int, list[Chunk]] = {}  # not yet stored, by stretch
        self._stored: dict[int, int] = {}  # games of each stretch in the store
        self._stop = stop_of(row, store, self.cell)
        for number, (spans, data) in store.stretches(row.id).items():
            tally = tally_from(self.cell.setup, data)
            check_stretch(row, number, spans, tally)
            self._spans[number], self._tallies[number], self._stored[number] = spans, tally, tally.games
        self._queue = self._pending()
        self._next = next(self._queue, None)

    @property
    def games(self) -> int:
        return sum(tally.games for tally in self._tallies.values())

    @property
    def weight(self) -> float:
        """Seconds per chunk."""
        return self.row.chunk / self.row.rate

    def _pending(self) -> Iterator[tuple[int, int]]:
        """First game and number of games of every chunk that is missing."""
        for stretch, (start, end) in enumerate(zip(self.plan.starts, self.plan.ends, strict=True)):
            for first, stop in self._spans.get(stretch, Spans()).gaps(start, end):
                for game in range(first, stop, self.row.chunk):
                    yield game, min(self.row.chunk, stop - game)

    def ready(self, ahead: bool = False) -> bool:
        """Whether there is a chunk to send; with `ahead` also one beyond the next look."""
        if self.ended is not None or self._next is None:
            return False
        return ahead or self.plan.stretch(self._next[0]) <= self.stretch

    def take(self) -> Task:
        """The next chunk to send."""
        assert self._next is not None
        (first, games), row = self._next, self.row
        self._next = next(self._queue, None)
        rules = (row.setup, row.rules_digest, row.code)
        return Task(row.id, first, games, *rules, strategies=row.portable, seed=row.seed)

    def add(self, task: Task, tally: Tally) -> bool:
        """Add a finished chunk; False if the cell ended without it."""
        if self.ended is not None:
            return False
        if tally.games != task.games:
            raise StudyError(f"cell {self.row.id}: a worker counted {tally.games} games instead of {task.games}")
        stretch = self.plan.stretch(task.first)
        try:
            self._spans.setdefault(stretch, Spans()).add(task.first, task.first + task.games)
        except OverlapError as fault:
            raise StudyError(f"cell {self.row.id}: {fault}") from None
        self._tallies.setdefault(stretch, Tally.empty(self.cell.setup)).add(tally)
        self._unsaved.setdefault(stretch, []).append((task.first, task.games, digest(tally.as_data())))
        return True

    def changes(self) -> list[Change]:
        """What is not stored yet."""
        changes = []
        for stretch, chunks in self._unsaved.items():
            tally, spans = self._tallies[stretch], str(self._spans[stretch])
            before, text = self._stored.get(stretch, 0), json.dumps(tally.as_data())
            changes.append(Change(self.row.id, stretch, chunks, before, tally.games, spans, text))
        return changes

    def settle(self) -> None:
        """Note that the changes are stored."""
        for stretch in self._unsaved:
            self._stored[stretch] = self._tallies[stretch].games
        self._unsaved = {}

    def _complete(self, stretch: int) -> bool:
        return stretch in self._spans and self._spans[stretch].games == self.plan.size(stretch)

    def judge(self) -> CellEnd | None:
        """Look at every completed stretch; returns the end if the cell has just ended."""
        while self.ended is None and self._complete(self.stretch):
            end, last = self.plan.ends[self.stretch], self.stretch + 1 == len(self.plan.ends)
            enough = last
            if self._stop is not None:
                self._stop.add(self._tallies[self.stretch])
                if self._stop.may_stop(end, self.row.games):
                    enough = last or self._stop.reached
                    self.expected = self._stop.expected(self.row.games)
            self.stretch += 1
            if enough:
                return self._end(end)
        return None

    def _end(self, end: int) -> CellEnd:
        self._tallies = {number: self._tallies[number] for number in range(self.stretch)}
        self._unsaved = {number: chunks for number, chunks in self._unsaved.items() if number < self.stretch}
        total = Tally.empty(self.cell.setup)
        for tally in self._tallies.values():
            total.add(tally)
        games = end - self.row.start
        if total.games != games:
            raise StudyError(f"cell {self.row.id}: {total.games:,} games were counted instead of {games:,}")
        self.ended = self.expected = games
        return CellEnd(self.row.id, games, self.cell.run(total, games, self.row.start).digest, self.stretch, end)
