"""Shows the plain data of a report to people: sentences with their values, and tables with aligned numbers.

`Estimate` writes the numbers. Those of a table column line up at the decimal point, padded with spaces as wide as a
digit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from houle.analysis.stats.estimate import Estimate
from houle.reports.blocks import OWN, SEATS, exact
from houle.solver.language.seats import from_1

BLANK, BLANK_POINT = "\u2007", "\u2008"  # as wide as a digit, and as a decimal point
SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def estimate_of(data: Mapping[str, Any]) -> Estimate:
    """The estimate that plain data of a sentence or table means."""
    if "low" not in data:
        return exact(data["value"], data["unit"])
    low, high = data["low"], data["high"]
    ends = (-math.inf if low is None else low, math.inf if high is None else high)
    return Estimate(data["value"], *ends, data["n"], data["unit"])


def _printed(number: str) -> str:
    """A number with a real minus sign."""
    return number.replace("-", "\u2212")


def shown_value(value: Any) -> str:
    """A value in a sentence: `29.0% (27.1 to 31.1)`, `20,000`, or a word unchanged; seats are counted from 1."""
    if value is None:
        return "unknown"
    if isinstance(value, list):
        return "; ".join(map(shown_value, value))
    if isinstance(value, Mapping):
        if "words" in value:
            return sentence(value)
        return from_1(value["seats"]) if "seats" in value else _printed(estimate_of(value).text())
    return f"{value:,}" if isinstance(value, int) else str(value)


def sentence(block: Mapping[str, Any]) -> str:
    """A block of words with its values filled in; braces in values are kept."""
    return str(block["words"]).format(**{name: shown_value(value) for name, value in block["values"].items()})


def as_sentence(words: str) -> str:
    """A remark as a sentence, with a capital letter and a full stop."""
    return f"{words[:1].upper()}{words[1:]}" + ("" if words.endswith(".") else ".")


def in_words(number: int) -> str:
    """Small numbers as words: `three players`."""
    return SMALL_NUMBERS[number] if 0 <= number < len(SMALL_NUMBERS) else f"{number:,}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)


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
        return {"text": _printed(shown), "span": _printed(interval), "word": cell.get("word", ""), "align": "number"}
    number = cell is None or (isinstance(cell, int) and not isinstance(cell, bool))
    shown = "" if cell is None else f"{cell:,}" if number else str(cell)
    return {"text": shown, "span": "", "word": "", "align": "number" if number else "word"}


def head_of(column: Mapping[str, str]) -> str:
    """The heading of a column with its unit."""
    return column["title"] + {"%": ", %", "points": ", points"}.get(column["unit"], "")


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
