"""One cell of a running study: which chunks are finished, their tallies, and whether that is enough."""

from __future__ import annotations

import json
from collections.abc import Iterator

from houle.analysis.studies.cells import Cell, Plan
from houle.analysis.studies.executors import Task
from houle.analysis.studies.serialize import tally_from
from houle.analysis.studies.spec import wanted_of
from houle.analysis.studies.stopping import AtDecision, AtWidth, Stopping
from houle.analysis.studies.store import CellEnd, Change, Row, Store
from houle.solver.errors import StudyError
from houle.solver.run.tally import Tally


def stop_of(row: Row, store: Store, cell: Cell) -> Stopping | None:
    """The rule that ends a cell early; None if its number of games is fixed."""
    if row.precision is not None:
        return AtWidth(row.precision, Tally.empty(cell.setup))
    if row.margin is not None:
        return AtDecision(row.margin, wanted_of(store.facts()["spec"], row.strategies), Tally.empty(cell.setup))
    return None


def check_end(row: Row, cell: Cell, total: Tally) -> None:
    """Refuse a cell that has ended with other counts than its digest says."""
    if row.ended is not None and (total.games, cell.run(total, row.ended).digest) != (row.ended, row.result_digest):
        raise StudyError(f"cell {row.id}: its tally does not match its digest; the file was changed, restore a copy")


def check_ended(row: Row, store: Store) -> None:
    """Refuse a cell that has ended, if its stored tallies do not match its digest."""
    cell = row.cell()
    total = Tally.empty(cell.setup)
    for data in store.stretches(row.id).values():
        total.add(tally_from(cell.setup, data))
    check_end(row, cell, total)


class CellRun:
    """Gives out the missing chunks of a cell, collects the played ones, and decides at every look whether to stop."""

    def __init__(self, row: Row, store: Store) -> None:
        self.row = row
        self.cell: Cell = row.cell()
        self.plan = Plan(row.games, row.precision, row.chunk, row.margin)
        self.ended = row.ended
        self.expected = row.expected
        self.stretch = 0  # the first that is not complete
        self._done: dict[int, bytearray] = {}  # per started stretch, one byte per chunk
        self._left: dict[int, int] = {}
        self._tallies: dict[int, Tally] = {}
        self._unsaved: dict[int, list[tuple[int, int, int]]] = {}  # chunks not yet stored, by stretch
        self._stored: dict[int, int] = {}  # games of each stretch in the store
        self._stop = stop_of(row, store, self.cell)
        for number, data in store.stretches(row.id).items():
            self._tallies[number] = tally_from(self.cell.setup, data)
            self._stored[number] = self._tallies[number].games
        for number in store.chunks(row.id):
            self._mark(number)
        self._check()
        self._queue = self._pending()
        self._next = next(self._queue, None)

    @property
    def games(self) -> int:
        return sum(tally.games for tally in self._tallies.values())

    @property
    def weight(self) -> float:
        """Seconds per chunk."""
        return self.row.chunk / self.row.rate

    def _mark(self, number: int) -> None:
        stretch = self.plan.stretch(number)
        if stretch not in self._done:
            self._done[stretch] = bytearray(self.plan.size(stretch))
            self._left[stretch] = self.plan.size(stretch)
        position = number - self.plan.offsets[stretch]
        if self._done[stretch][position]:
            raise StudyError(f"cell {self.row.id}: chunk {number} is stored twice; the file is damaged")
        self._done[stretch][position] = 1
        self._left[stretch] -= 1

    def _check(self) -> None:
        """Check that the rows of the chunks and the tallies hold the same games."""
        for stretch in self._done.keys() | self._stored.keys():
            done, offset = self._done.get(stretch, bytearray()), self.plan.offsets[stretch]
            spans = (self.plan.span(offset + position)[1] for position, bit in enumerate(done) if bit)
            if sum(spans) != self._stored.get(stretch, 0):
                raise StudyError(f"cell {self.row.id}: its chunks and its tally differ; the file is damaged")

    def _pending(self) -> Iterator[int]:
        for number in range(self.plan.chunks):
            stretch = self.plan.stretch(number)
            done = self._done.get(stretch)
            if done is None or not done[number - self.plan.offsets[stretch]]:
                yield number

    def ready(self, ahead: bool = False) -> bool:
        """Whether there is a chunk to send; with `ahead` also one beyond the next look."""
        if self.ended is not None or self._next is None:
            return False
        return ahead or self.plan.stretch(self._next) <= self.stretch

    def take(self) -> Task:
        """The next chunk to send."""
        number, row = self._next, self.row
        assert number is not None
        self._next = next(self._queue, None)
        first, games = self.plan.span(number)
        rules = (row.setup, row.rules_digest, row.code)
        return Task(row.id, number, first, games, *rules, strategies=row.portable, seed=row.seed)

    def add(self, task: Task, tally: Tally) -> bool:
        """Add a finished chunk; False if the cell ended without it."""
        if self.ended is not None:
            return False
        if tally.games != task.games:
            raise StudyError(f"cell {self.row.id}: a worker counted {tally.games} games instead of {task.games}")
        self._mark(task.number)
        stretch = self.plan.stretch(task.number)
        self._tallies.setdefault(stretch, Tally.empty(self.cell.setup)).add(tally)
        self._unsaved.setdefault(stretch, []).append((task.number, task.first, task.games))
        return True

    def changes(self) -> list[Change]:
        """What is not stored yet."""
        changes = []
        for stretch, chunks in self._unsaved.items():
            tally = self._tallies[stretch]
            before, text = self._stored.get(stretch, 0), json.dumps(tally.as_data())
            changes.append(Change(self.row.id, stretch, chunks, before, tally.games, text))
        return changes

    def settle(self) -> None:
        """Note that the changes are stored."""
        for stretch in self._unsaved:
            self._stored[stretch] = self._tallies[stretch].games
        self._unsaved = {}

    def judge(self) -> CellEnd | None:
        """Look at every completed stretch; returns the end if the cell has just ended."""
        while self.ended is None and self._left.get(self.stretch) == 0:
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

    def _end(self, games: int) -> CellEnd:
        self._tallies = {number: self._tallies[number] for number in range(self.stretch)}
        self._unsaved = {number: chunks for number, chunks in self._unsaved.items() if number < self.stretch}
        total = Tally.empty(self.cell.setup)
        for tally in self._tallies.values():
            total.add(tally)
        if total.games != games:
            raise StudyError(f"cell {self.row.id}: {total.games:,} games were counted instead of {games:,}")
        self.ended = self.expected = games
        return CellEnd(
            self.row.id,
            games,
            self.cell.run(total, games).digest,
            self.stretch,
            self.plan.offsets[self.stretch],
        )
