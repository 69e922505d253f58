"""Tables of docs/data and the parts of pages that tools write: rows of words by column."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

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


def write_part(page: Path, begin: str, end: str, text: str) -> None:
    """Replaces what stands between two lines of a page."""
    head, _, rest = page.read_text(encoding="utf-8").partition(begin)
    page.write_text(f"{head}{begin}\n{text}\n\n{end}{rest.partition(end)[2]}", encoding="utf-8")
