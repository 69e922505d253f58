"""What a report is made of, as plain data: sections of sentences, lists, tables, figures and drawn positions.

Sentences and tables take estimates and keep them as values, so the page, the CSV files and the JSON always agree: the
page is rendered from the JSON only. Names that come from users or analyses are values too, never part of the words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from houle.analysis.result import Record
from houle.analysis.stats.estimate import Estimate

Block = dict[str, Any]
Draw = Callable[[Path], Any]  # draws a figure into a file and returns it

OWN = "own"  # a column whose numbers each have their own unit
SEATS = "seats"  # a column of words that name seats or teams

# Keys of results that differ from run to run.
TIMES = ("seconds", "games_per_second")


def exact(value: float, unit: str = "") -> Estimate:
    """A number that is known without an interval."""
    return Estimate(value, value, value, 0, unit)


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


def commands(lines: Sequence[str]) -> Block:
    """Command lines, as they are typed."""
    return {"kind": "commands", "lines": list(lines)}


@dataclass(frozen=True)
class Column:
    """A column of a table: its name in files, its head on the page, the unit of its numbers."""

    key: str
    title: str
    unit: str = ""  # by default the unit of its first estimate


def table(
    name: str, caption: str, columns: Sequence[Column], rows: Iterable[Record | Sequence[Any]], shown: bool = True
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


def figure(name: str, caption: str, alt: str) -> Block:
    """The place of a picture; the section keeps the function that draws it."""
    return {"kind": "figure", "name": name, "caption": caption, "alt": alt}


def position(
    caption: Block, rows: Sequence[Mapping[str, Any]], alt: str, moves: Sequence[tuple[str, Block]] = ()
) -> Block:
    """A position drawn as cards: rows of {"label", "cards", "text"}; see reports/positions.py.

    The moves are listed below it, each with the ring that it has in the drawing.
    """
    listed = [{"ring": ring, **words} for ring, words in moves]
    return {"kind": "position", "caption": caption, "rows": [dict(row) for row in rows], "alt": alt, "moves": listed}


def fold(title: str, blocks: Sequence[Block]) -> Block:
    """Details that only some readers want: the page shows the title, the rest opens on a click."""
    return {"kind": "fold", "title": title, "blocks": list(blocks)}


def every_block(blocks: Sequence[Block]) -> Iterator[Block]:
    """All blocks in reading order, including those in folds."""
    for block in blocks:
        yield block
        if block["kind"] == "fold":
            yield from every_block(block["blocks"])


@dataclass
class Section:
    """One section of a report."""

    name: str  # its anchor on the page and its key in data.json
    title: str
    blocks: list[Block] = field(default_factory=list)
    drawings: dict[str, Draw] = field(default_factory=dict)  # by the name of the figure
    results: dict[str, Any] = field(default_factory=dict)  # of its analyses
    repeat: list[str] = field(default_factory=list)  # commands that repeat its numbers

    def add(self, *blocks: Block) -> None:
        self.blocks += blocks

    def add_figure(self, block: Block, draw: Draw) -> None:
        """Add a figure and the function that draws it."""
        self.blocks.append(self.drawn(block, draw))

    def drawn(self, block: Block, draw: Draw) -> Block:
        """Keep the function that draws a figure, and return the figure's block."""
        self.drawings[block["name"]] = draw
        return block

    def add_fold(self, title: str, *blocks: Block) -> None:
        """Add a fold, unless it is empty."""
        if blocks:
            self.blocks.append(fold(title, blocks))

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "blocks": self.blocks,
            "repeat": self.repeat,
            "results": result_data(self.results),
        }


@dataclass
class Part:
    """A page of a report: for the designer or for the player."""

    title: str
    sections: list[Section]
    headline: str = ""
    page: str = "index.html"  # its file

    def as_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "headline": self.headline,
            "page": self.page,
            "sections": [section.as_json() for section in self.sections],
        }


@dataclass
class Report:
    """A whole report: its head, and parts with their sections."""

    game: str
    title: str
    subtitle: str
    facts: Mapping[str, Any]  # seed, effort, version: shown at the foot of the page
    date: str
    parts: list[Part]
    notices: list[Block] = field(default_factory=list)  # what readers must know first

    @property
    def sections(self) -> list[Section]:
        return [section for part in self.parts for section in part.sections]

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "title": self.title,
            "subtitle": self.subtitle,
            "facts": dict(self.facts),
            "date": self.date,
            "notices": self.notices,
            "parts": [part.as_json() for part in self.parts],
        }


def result_data(value: Any) -> Any:
    """Results as plain data, without run times, so that the same seed gives the same report."""
    if hasattr(value, "as_json"):
        value = value.as_json()
    if isinstance(value, Mapping):
        return {str(key): result_data(one) for key, one in value.items() if key not in TIMES}
    if isinstance(value, list | tuple):
        return [result_data(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
