"""What a report is made of, as plain data: sections of sentences, lists, tables, figures and drawn positions.

Sentences and tables keep their numbers as values, so the page, the CSV files and the JSON always agree: the page is
rendered from the JSON only. Names that come from users or analyses are values too, never part of the words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from houle.analysis.result import known
from houle.analysis.stats.estimate import Estimate

Block = dict[str, Any]
Draw = Callable[[Path], Any]  # draws a figure into a file and returns it

PERCENT = "%"  # a share, shown in percent
POINTS = "points"  # a difference of shares, shown in percentage points
IN_100 = "in 100"  # a difference of shares, shown as `5 games in 100`
PLAIN = ""
OWN = "own"  # a column whose numbers each have their own unit
SEATS = "seats"  # a column of words that name seats or teams

# Keys of results that differ from run to run.
TIMES = ("seconds", "games_per_second")


def number(estimate: Estimate | float | None, unit: str = PLAIN) -> dict[str, Any] | None:
    """An estimate with its interval and n, or a bare number, as a value of a sentence or table."""
    if estimate is None:
        return None
    if not isinstance(estimate, Estimate):
        return {"value": known(float(estimate)), "unit": unit} if math.isfinite(estimate) else None
    if not math.isfinite(estimate.value):
        return None
    ends = {"low": known(estimate.low), "high": known(estimate.high)}
    return {"value": estimate.value, **ends, "n": estimate.n, "unit": unit}


def with_word(estimate: dict[str, Any] | None, word: str) -> dict[str, Any] | None:
    """An estimate with a word shown under it in a table."""
    return None if estimate is None else {**estimate, "word": word}


def seat_words(words: str) -> dict[str, str]:
    """Words that name seats or teams. Data counts them from 0, the page from 1."""
    return {"seats": words}


def text(words: str, **values: Any) -> Block:
    """A paragraph; `{name}` in the words is replaced by a value.

    A value is the result of `number` or `seat_words`, a whole number, a word, a paragraph, or a list of those.
    """
    return {"kind": "text", "words": words, "values": values}


def lead(words: str, **values: Any) -> Block:
    """A paragraph that carries the verdict."""
    return {**text(words, **values), "kind": "lead"}


def note(words: str, **values: Any) -> Block:
    """A remark in small print."""
    return {**text(words, **values), "kind": "note"}


def bullets(items: Sequence[Block], numbered: bool = False) -> Block:
    """Paragraphs as a list."""
    return {"kind": "list", "numbered": numbered, "items": list(items)}


def commands(lines: Sequence[str]) -> Block:
    """Command lines, as they are typed."""
    return {"kind": "commands", "lines": list(lines)}


@dataclass(frozen=True)
class Column:
    """A column of a table: its name in files, its head on the page, the unit of its numbers."""

    key: str
    title: str
    unit: str = PLAIN


def table(
    name: str, caption: str, columns: Sequence[Column], rows: Sequence[Sequence[Any]], shown: bool = True
) -> Block:
    """Rows of words, whole numbers and estimates; `None` for an empty cell.

    A table that is not shown is only written as CSV, because a figure shows the same numbers.
    """
    return {
        "kind": "table",
        "name": name,
        "caption": caption,
        "shown": shown,
        "columns": [{"key": column.key, "title": column.title, "unit": column.unit} for column in columns],
        "rows": [list(row) for row in rows],
    }


def figure(name: str, caption: str, alt: str) -> Block:
    """The place of a picture; the section keeps the function that draws it."""
    return {"kind": "figure", "name": name, "caption": caption, "alt": alt}


def position(
    caption: Block, rows: Sequence[Mapping[str, Any]], alt: str, moves: Sequence[tuple[str, Block]] = ()
) -> Block:
    """A position drawn as cards: rows of {"label", "cards", "text"}; see reports/html/positions.py.

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
    results: dict[str, Any] = field(default_factory=dict)  # of its analyses, as plain data
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
            "results": without_times(self.results),
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


def without_times(data: Any) -> Any:
    """Plain data without run times, so that the same seed gives the same report."""
    if isinstance(data, Mapping):
        return {str(key): without_times(value) for key, value in data.items() if key not in TIMES}
    if isinstance(data, list | tuple):
        return [without_times(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data
