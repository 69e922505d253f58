"""What tools share: tables of docs/data as rows of words by column, and the tables and parts of pages they write."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from houle.analysis.stats.estimate import PERCENT, Estimate

Row = dict[str, str]


def read_rows(path: Path) -> list[Row]:
    """The rows of a table; none if it was not played yet."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    with path.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def estimate(row: Row, value: str, n: str, unit: str = PERCENT, ends: Sequence[str] = ("low", "high")) -> Estimate:
    """A number of a row with its interval; all are names of columns."""
    middle, low, high = (float(row[name]) for name in (value, *ends))
    return Estimate(middle, low, high, n=int(row[n]), unit=unit)


def table(head: Sequence[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """A table of a page."""
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return lines + [
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows
    ]


def write_part(page: Path, begin: str, end: str, text: str) -> None:
    """Replaces what stands between two lines of a page."""
    head, _, rest = page.read_text(encoding="utf-8").partition(begin)
    page.write_text(f"{head}{begin}\n{text}\n\n{end}{rest.partition(end)[2]}", encoding="utf-8")
