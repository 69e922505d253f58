"""`make coverage`: how often the intervals of houle hold the truth, written to docs/method/coverage.md.

Every cell has 1,000 runs. A cell that holds the truth in less than 93% of them is repeated with 4,000 runs on other
seeds, and only the repetition counts. It fails if a cell stays below 93%, if a cell is above 98% without a reason, or
if an interval has a width of 0.
"""

from __future__ import annotations

import csv
import re
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.coverage.cells import Cell, cells
from tests.coverage.looks import looks_lines

RUNS, MORE = 1000, 4  # runs of a cell, and how many times as many for a repetition
LEAST, MOST = 0.93, 0.98
DOCS = Path(__file__).parents[2] / "docs"
FILE, DATA = DOCS / "method" / "coverage.md", DOCS / "data" / "coverage.csv"
COLUMNS = ("interval", "case", "runs", "held", "width_0", "why")  # held: percent of the runs

HEAD = """# How often the intervals hold the truth

`make coverage` writes this page, of 95% intervals; `docs/data/coverage.csv` has every case.
A run is drawn from games that were played once, whose mean is then the truth, or from a distribution that is known.
A case has {runs:,} runs, of a design fewer; one that held the truth in less than {least:.0%} of them was run again,
{more:,} times with other seeds. More than {most:.0%} is allowed if a reason is given: too wide is better than too
narrow.

| interval | cases | holds the truth | above {most:.0%}, because |
| --- | ---: | ---: | --- |
"""

LOOKS = """
## Runs that are looked at

A run with fixed looks holds if every number lies in its interval at every look. Runs with `--until-sure` stop
themselves (margin 0.5 points); pairs vary as in WAVE, where 38% of them have different winners. A false verdict is a
difference where there is none, or in the wrong direction.

| run | runs | all looks hold | false verdicts | games, mean |
| --- | ---: | ---: | ---: | ---: |
"""

Row = dict[str, str]


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
    def row(self) -> Row:
        """The line of docs/data/coverage.csv."""
        cell = self.cell
        values = (cell.interval, cell.case, self.runs, f"{100 * self.rate:.1f}", self.points)
        return dict(zip(COLUMNS, map(str, (*values, cell.conservative or cell.warning)), strict=True))


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
    return Covered(cell=cell, runs=runs, held=held, points=points, none=none)


def run_cells(every: Iterable[Cell], runs: int) -> tuple[list[Row], list[str]]:
    """The rows of cells, and what is wrong; the number of a cell sets its seed."""
    rows, faults = [], []
    for number, cell in enumerate(every):
        covered = cover(cell, runs // cell.slow, 100 + number)
        if covered.rate < LEAST and not cell.warning:
            covered = cover(cell, MORE * runs // cell.slow, 10_000 + number)
        rows.append(covered.row)
        print(*covered.row.values(), covered.fault, sep=" | ", flush=True)
        if covered.fault:
            faults.append(f"{cell.interval}, {cell.case}: {covered.fault}")
    return rows, faults


def main(runs: int = RUNS) -> int:
    start = time.process_time()
    rows, faults = run_cells(cells(), runs)
    looks = "\n".join(looks_lines(10 * runs))
    print(looks)
    if runs == RUNS:
        write(rows, f"{looks}\n\nOne run of all of it took {time.process_time() - start:.0f} s of CPU.\n")
    print(f"{time.process_time() - start:.0f} s of CPU; {len(faults)} faults", *faults, sep="\n")
    return bool(faults)


def kept() -> list[Row]:
    with DATA.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(rows: list[Row], looks: str) -> None:
    with DATA.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    FILE.write_text(page(rows, looks), encoding="utf-8")


def page(rows: list[Row], looks: str) -> str:
    """The page: one line per interval, from the rows of all its cases that houle shows."""
    by_interval: dict[str, list[Row]] = {}
    for row in rows:
        if not row["why"].startswith("not shown"):
            by_interval.setdefault(row["interval"], []).append(row)
    lines = []
    for interval, own in by_interval.items():
        held = sorted(float(row["held"]) for row in own)
        span = f"{held[0]}%" if held[0] == held[-1] else f"{held[0]} to {held[-1]}%"
        wide = [row["why"] for row in own if float(row["held"]) > 100 * MOST]
        named = re.sub(r"--[a-z-]+( [\d.]+)?", r"`\g<0>`", interval)  # the site would print a dash
        lines.append(f"| {named} | {len(own)} | {span} | {'; '.join(dict.fromkeys(wide))} |")
    head = HEAD.format(runs=RUNS, more=MORE * RUNS, least=LEAST, most=MOST)
    return head + "\n".join(lines) + "\n" + LOOKS + looks


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
