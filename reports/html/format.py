"""Tables of a report for people and as CSV files: aligned numbers, one column for each end of an interval.

`Estimate` writes the numbers. Those of a table column line up at the decimal point, padded with spaces as wide as a
digit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from houle.analysis.blocks import MINUS, OWN, SEATS, estimate_of
from houle.analysis.stats.estimate import PERCENT, PERCENTAGE_POINTS, POINTS
from houle.solver.language.seats import from_1

BLANK, BLANK_POINT = "\u2007", "\u2008"  # as wide as a digit, and as a decimal point


def shown_rows(block: Mapping[str, Any]) -> list[list[dict[str, str]]]:
    """The cells of a table as {"text", "span", "word", "align"}, with aligned numbers."""
    return [list(row) for row in zip(*(_column(block, i) for i in range(len(block["columns"]))), strict=True)]


def _column(block: Mapping[str, Any], index: int) -> list[dict[str, str]]:
    cells = [row[index] for row in block["rows"]]
    unit = block["columns"][index]["unit"]
    if unit == SEATS:
        cells = [from_1(cell) if isinstance(cell, str) else cell for cell in cells]
    most = max((estimate_of(cell).digits for cell in cells if isinstance(cell, Mapping)), default=0)
    return [_cell(cell, most, unit == OWN) for cell in cells]


def _cell(cell: Any, most: int, own_unit: bool) -> dict[str, str]:
    """A cell: a number with its own unit, or padded to `most` decimals, or words."""
    if isinstance(cell, Mapping):
        estimate = estimate_of(cell)
        digits, (value, interval) = estimate.digits, estimate.parts()
        # Without decimals, the decimal point is missing too.
        pad = BLANK * (most - digits) + BLANK_POINT * (digits == 0 and most > 0)
        shown = estimate.short() if own_unit else value + pad
        shown, span = (number.replace("-", MINUS) for number in (shown, interval))
        return {"text": shown, "span": span, "word": cell.get("word", ""), "align": "number"}
    number = cell is None or (isinstance(cell, int) and not isinstance(cell, bool))
    shown = "" if cell is None else f"{cell:,}" if number else str(cell)
    return {"text": shown, "span": "", "word": "", "align": "number" if number else "word"}


def head_of(column: Mapping[str, str]) -> str:
    """The heading of a column with its unit."""
    return column["title"] + {PERCENT: ", %", POINTS: ", points", PERCENTAGE_POINTS: ", percentage points"}.get(
        column["unit"], ""
    )


def csv_rows(block: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """A table as columns of a CSV file: every estimate as x, x_low, x_high, x_n; shares from 0 to 1."""
    heads: list[str] = []
    columns: list[list[Any]] = []
    for i, column in enumerate(block["columns"]):
        cells = [row[i] for row in block["rows"]]
        estimates = [cell for cell in cells if isinstance(cell, Mapping)]
        heads.append(column["key"])
        columns.append([cell["value"] if isinstance(cell, Mapping) else cell for cell in cells])
        if any("low" in cell for cell in estimates):
            for end in ("low", "high", "n"):
                heads.append(f"{column['key']}_{end}")
                columns.append([cell.get(end) if isinstance(cell, Mapping) else None for cell in cells])
        for extra in ("unit",) * (column["unit"] == OWN) + ("word",) * any("word" in cell for cell in estimates):
            heads.append(f"{column['key']}_{extra}")
            columns.append([cell.get(extra) if isinstance(cell, Mapping) else None for cell in cells])
    return heads, [list(row) for row in zip(*columns, strict=True)]
