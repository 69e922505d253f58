"""Formats the numbers and sentences of a report's plain data for people.

The width of its interval decides how many digits an estimate has. The numbers of a table column line up at the decimal
point, padded with spaces as wide as a digit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from houle.analysis.result import shown_side
from houle.reports.blocks import OWN, SEATS

MOST_DIGITS = 4
BLANK = "\u2007"  # as wide as a digit
SCALES = {"%": 100.0, "points": 100.0, "in 100": 100.0}
SIGNS = {"%": "%", "points": " points", "in 100": " games in 100"}
SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def digits_of(number: Mapping[str, Any]) -> int:
    """The number of decimals: to the first digit of the interval's half-width, or to the second."""
    scale = SCALES.get(number["unit"], 1.0)
    low, high = number.get("low"), number.get("high")
    if low is None or high is None:
        value = abs(number["value"]) * scale
        whole = not number["unit"] and value == round(value)
        return 0 if value >= 100 or whole else 1 if value >= 10 else 2
    if not number["unit"] and all(float(end).is_integer() for end in (number["value"], low, high)):
        return 0  # a median of whole numbers
    half = scale * (high - low) / 2
    if half <= 0:
        return digits_of({"value": number["value"], "unit": number["unit"]})
    place = math.floor(math.log10(half))
    # A half-width of 0.12 says more about the second figure than one of 0.9 does.
    digits = -place + int(half < 2 * 10.0**place)
    # More than two decimals are useful only for small numbers.
    most = 2 if abs(number["value"]) * scale >= 1 else MOST_DIGITS
    return int(max(0, min(most, digits)))


def parts_of(number: Mapping[str, Any], digits: int | None = None) -> tuple[str, str]:
    """The estimate and its interval: `29.0`, `27.1 to 31.1`."""
    scale = SCALES.get(number["unit"], 1.0)
    places = digits_of(number) if digits is None else digits
    low, high = number.get("low"), number.get("high")
    value = _fixed(scale * number["value"], places, number["unit"])
    if low is None or high is None or low == high:
        return value, ""
    return value, f"{_fixed(scale * low, places, number['unit'])} to {_fixed(scale * high, places, number['unit'])}"


def _fixed(value: float, digits: int, unit: str) -> str:
    shown = f"{value:+,.{digits}f}" if unit == "points" else f"{value:,.{digits}f}"
    zero = not any(digit in "123456789" for digit in shown)
    return shown.lstrip("+-") if zero else shown.replace("-", "\u2212")


def shown_value(value: Any) -> str:
    """A value in a sentence: `29.0% (27.1 to 31.1)`, `20,000`, or a word unchanged; seats are counted from 1."""
    if value is None:
        return "unknown"
    if isinstance(value, list):
        return "; ".join(map(shown_value, value))
    if isinstance(value, Mapping):
        if "words" in value:
            return sentence(value)
        if "seats" in value:
            return shown_side(value["seats"])
        shown, span = parts_of(value)
        shown += SIGNS.get(value["unit"], "")
        return f"{shown} ({span})" if span else shown
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
    places = [digits_of(cell) for cell in cells if isinstance(cell, Mapping)]
    most = max(places, default=0)
    unit = block["columns"][index]["unit"]
    if unit == SEATS:
        cells = [shown_side(cell) if isinstance(cell, str) else cell for cell in cells]
    return [_own_cell(cell) if unit == OWN else _cell(cell, most) for cell in cells]


def _own_cell(cell: Any) -> dict[str, str]:
    """A number followed by its own unit."""
    if not isinstance(cell, Mapping):
        return _cell(cell, 0)
    shown, span = parts_of(cell)
    return {"text": shown + SIGNS.get(cell["unit"], ""), "span": span, "word": cell.get("word", ""), "align": "number"}


def _cell(cell: Any, most: int) -> dict[str, str]:
    if isinstance(cell, Mapping):
        digits = digits_of(cell)
        shown, span = parts_of(cell)
        # Without decimals, the decimal point is missing too.
        pad = BLANK * (most - digits) + ("\u2008" if digits == 0 and most else "")
        return {"text": shown + pad, "span": span, "word": cell.get("word", ""), "align": "number"}
    if isinstance(cell, int) and not isinstance(cell, bool):
        return {"text": f"{cell:,}", "span": "", "word": "", "align": "number"}
    words = "" if cell is None else str(cell)
    return {"text": words, "span": "", "word": "", "align": "word" if cell is not None else "number"}


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
