"""What a result says, as plain data: sentences, notes, lists and tables.

A result says each fact once, beside its numbers. The terminal and the report show the same blocks.
Sentences and tables take estimates and keep them as values, so page, CSV files and JSON always agree: what people read
is rendered from the data only. Names that come from users or analyses are values too, never part of the words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from houle.analysis.stats.estimate import Estimate
from houle.solver.language.seats import from_1
from houle.solver.texts import as_sentence

Block = dict[str, Any]

OWN = "own"  # a column whose numbers each have their own unit
SEATS = "seats"  # a column of words that name seats or teams
MINUS = "\u2212"  # a real minus sign


def exact(value: float, unit: str = "") -> Estimate:
    """A number that is known without an interval."""
    return Estimate(value, value, value, n=0, unit=unit)


def with_word(estimate: Estimate, word: str) -> dict[str, Any] | None:
    """An estimate with a word shown under it in a table."""
    shown = _plain(estimate)
    return shown and {**shown, "word": word}


def _plain(value: Any) -> Any:
    """A value of a sentence or table as plain data; an estimate that is unknown is None."""
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if not isinstance(value, Estimate):
        return value
    if not math.isfinite(value.value):
        return None
    if not value.n and value.low == value.high:
        return {"value": value.value, "unit": value.unit}
    return {**value.as_json(), "unit": value.unit}


def seat_words(words: str) -> dict[str, str]:
    """Words that name seats or teams. Data counts them from 0, the page from 1."""
    return {"seats": words}


def text(words: str, **values: Any) -> Block:
    """A paragraph; `{name}` in the words is replaced by a value.

    A value is an estimate, seat words, a whole number, a word, a paragraph, or a list of those.
    """
    return {"kind": "text", "words": words, "values": {name: _plain(value) for name, value in values.items()}}


def about(block: Block, player: str, measure: str) -> Block:
    """A sentence with whose games its numbers are about and what they measure, kept in the data of a report."""
    return {**block, "player": player, "measure": measure, "n": least_games(block)}


def least_games(block: Mapping[str, Any]) -> int | None:
    """The fewest games behind a number of a sentence; None if it has no estimate."""
    counts = [number["n"] for number in numbers_of(block)]
    return min(counts, default=None)


def numbers_of(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every estimate with an interval in a sentence, also in the sentences that it contains."""
    if isinstance(value, Mapping):
        if "low" in value:
            yield value
        elif "values" in value:
            yield from numbers_of(list(value["values"].values()))
    elif isinstance(value, list):
        for one in value:
            yield from numbers_of(one)


def whole(part: Block) -> Block:
    """A part of a sentence, which begins with a fixed word, as a sentence of its own."""
    return {**part, "words": as_sentence(part["words"])}


def lead(words: str, **values: Any) -> Block:
    """A paragraph that carries the verdict."""
    return {**text(words, **values), "kind": "lead"}


def note(words: str, **values: Any) -> Block:
    """A remark in small print."""
    return {**text(words, **values), "kind": "note"}


def bullets(items: Sequence[Block], numbered: bool = False) -> Block:
    """Paragraphs as a list."""
    return {"kind": "list", "numbered": numbered, "items": list(items)}


def answer(label: str, words: Block) -> Block:
    """A paragraph of a list that begins with the question it answers."""
    return {**words, "label": label}


@dataclass(frozen=True)
class Column:
    """A column of a table: its name in files, its head on the page, the unit of its numbers."""

    key: str
    title: str
    unit: str = ""  # by default the unit of its first estimate


def table(
    name: str,
    caption: str,
    columns: Sequence[Column],
    rows: Iterable[Mapping[str, Any] | Sequence[Any]],
    shown: bool = True,
) -> Block:
    """Rows of words, whole numbers and estimates; `None` for an empty cell.

    A row is a list of cells, or a record of a result, of which the columns pick their keys. A table that is not shown
    is only written as CSV, because a figure shows the same numbers.
    """
    cells = [
        _plain([row.get(column.key) for column in columns] if isinstance(row, Mapping) else list(row)) for row in rows
    ]
    heads = [
        {"key": column.key, "title": column.title, "unit": column.unit or _unit(row[i] for row in cells)}
        for i, column in enumerate(columns)
    ]
    return {"kind": "table", "name": name, "caption": caption, "shown": shown, "columns": heads, "rows": cells}


def _unit(cells: Iterable[Any]) -> str:
    return next((str(cell["unit"]) for cell in cells if isinstance(cell, Mapping)), "")


def estimate_of(data: Mapping[str, Any]) -> Estimate:
    """The estimate that plain data of a sentence or table means."""
    if "low" not in data:
        return exact(data["value"], data["unit"])
    low, high = data["low"], data["high"]
    ends = (-math.inf if low is None else low, math.inf if high is None else high)
    return Estimate(data["value"], *ends, data["n"], data["unit"])


def shown_value(value: Any, minus: str = MINUS) -> str:
    """A value in a sentence: `29.0% (27.1 to 31.1)`, `20,000`, or a word unchanged; seats are counted from 1."""
    if value is None:
        return "unknown"
    if isinstance(value, list):
        return "; ".join(shown_value(one, minus) for one in value)
    if isinstance(value, Mapping):
        if "words" in value:
            return sentence(value, minus)
        return from_1(value["seats"]) if "seats" in value else estimate_of(value).text().replace("-", minus)
    return f"{value:,}" if isinstance(value, int) else str(value)


def sentence(block: Mapping[str, Any], minus: str = MINUS) -> str:
    """A block of words with its values filled in; braces in values are kept. A terminal takes `-` as the minus sign."""
    return str(block["words"]).format(**{name: shown_value(value, minus) for name, value in block["values"].items()})
