"""`make coverage`: how often the intervals of houle hold the truth, written to docs/method/coverage.md.

Every cell has 1,000 runs. A cell that holds the truth in less than 93% of them is repeated with 4,000 runs on other
seeds, and only the repetition counts. It fails if a cell stays below 93%, if a cell is above 98% without a reason, or
if an interval has a width of 0.

`python -m tests.coverage --only NAME` repeats the intervals of that name and rewrites only their lines.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.coverage.cells import Cell, cells
from tests.coverage.stops import stop_lines

RUNS, MORE = 1000, 4  # runs of a cell, and how many times as many for a repetition
LEAST, MOST = 0.93, 0.98
FILE = Path(__file__).parents[2] / "docs" / "method" / "coverage.md"

HEAD = """# How often the intervals hold the truth

`make coverage` writes this page; the cases are in `tests/coverage/cells.py`. All intervals are 95% intervals. A case
has {runs:,} runs; one that held the truth in less than {least:.0%} of them was run again, {more:,} times with other
seeds. More than {most:.0%} is allowed if a reason is given: such an interval is too wide rather than too narrow.
"Width 0" counts runs whose interval was a single point, which is allowed only for whole numbers. Choices that matter
and designs have fewer runs, because one run takes as long as hundreds of others. A line marked "not shown" is an
interval that houle does not use; it shows what would go wrong.

| interval | case | runs | holds the truth | width 0 | conservative, because; or not shown, because |
| --- | --- | ---: | ---: | ---: | --- |
"""


STOPS = """
## Where runs stop

How many games a run plays until it stops, and how often its verdict is false: a difference where there is none, or
none or the wrong one where there is one. Pairs vary as in WAVE, where 38% of them have different winners.

| stop | runs | games, mean | games, most | false verdicts |
| --- | ---: | ---: | ---: | ---: |
"""


@dataclass(frozen=True)
class Covered:
    """How many runs of a cell held the truth."""

    cell: Cell
    runs: int
    held: int
    points: int  # intervals without width
    none: int  # runs without an interval

    @property
    def rate(self) -> float:
        return self.held / max(self.runs - self.none, 1)

    @property
    def fault(self) -> str:
        if self.points and not self.cell.whole:
            return "width 0"
        if self.cell.warning:
            return "covers, though it should not" if self.rate >= LEAST else ""
        if self.rate < LEAST:
            return "too narrow"
        return "too wide" if self.rate > MOST and not self.cell.conservative else ""

    @property
    def line(self) -> str:
        cell = self.cell
        return f"| {cell.interval} | {cell.case} | {self.runs:,} | {100 * self.rate:.1f}% | {self.points} | " \
               f"{cell.conservative or cell.warning} |"  # fmt: skip


def cover(cell: Cell, runs: int, seed: int) -> Covered:
    """Run a cell so many times."""
    draws = np.random.default_rng(seed)
    held = points = none = 0
    for _ in range(runs):
        interval = cell.run(draws)
        if interval is None:
            none += 1
            continue
        held += interval.low <= cell.truth <= interval.high
        points += interval.high <= interval.low
    return Covered(cell, runs, held, points, none)


def run_cells(some: Iterable[tuple[int, Cell]], runs: int) -> tuple[dict[str, str], list[str]]:
    """Lines of the table by how they begin, and what is wrong; the number of a cell sets its seed."""
    lines, faults = {}, []
    for number, cell in some:
        covered = cover(cell, runs // cell.slow, 100 + number)
        if covered.rate < LEAST and not cell.warning:
            covered = cover(cell, MORE * runs // cell.slow, 10_000 + number)
        lines[f"| {cell.interval} | {cell.case} |"] = covered.line
        print(covered.line, covered.fault, flush=True)
        if covered.fault:
            faults.append(f"{cell.interval}, {cell.case}: {covered.fault}")
    return lines, faults


def main(runs: int = RUNS, only: str = "") -> int:
    start = time.process_time()
    lines, faults = run_cells(((i, cell) for i, cell in enumerate(cells()) if only in cell.interval), runs)
    head = HEAD.format(runs=RUNS, more=MORE * RUNS, least=LEAST, most=MOST)
    if only:
        FILE.write_text(head + replaced(FILE.read_text(), lines))
    else:
        stops = stop_lines()
        print(*stops, sep="\n")
        taken = f"\nOne run of all of it took {time.process_time() - start:.0f} s of CPU.\n"
        if runs == RUNS:
            FILE.write_text(head + "\n".join(lines.values()) + "\n" + STOPS + "\n".join(stops) + "\n" + taken)
    print(f"{time.process_time() - start:.0f} s of CPU; {len(faults)} faults", *faults, sep="\n")
    return bool(faults)


def replaced(page: str, lines: Mapping[str, str]) -> str:
    """The page below its head, with some lines of the first table replaced; lines of new cells are appended to it."""
    table, _, rest = page.partition(" ---: | --- |\n")[2].partition("\n\n")
    rows = table.splitlines()
    known = {start: i for start in lines for i, row in enumerate(rows) if row.startswith(start)}
    for start, line in lines.items():
        if start in known:
            rows[known[start]] = line
        else:
            rows.append(line)
    return "\n".join(rows) + "\n\n" + rest


if __name__ == "__main__":
    asked = sys.argv[1:]
    sys.exit(main(only=asked[1]) if asked[:1] == ["--only"] else main(int(asked[0]) if asked else RUNS))
