"""What a report is made of, as plain data: sections of sentences, lists, tables, figures and drawn positions.

Nothing here is text with numbers or names baked in. A sentence keeps its values apart, a table its estimates, so that
the page, the CSV files and the JSON all say the same: the page is rendered from the JSON and from nothing else. The
words of a sentence are the report's own; what users or analyses say is a value, never part of the words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from houle.analysis.result import known
from houle.analysis.stats.intervals import Interval

Block = dict[str, Any]
Draw = Callable[[Path], Any]  # draws a figure into a picture file, as its ending says, and returns it

PERCENT = "%"  # a share, shown in percent
POINTS = "points"  # a difference of shares, shown in percentage points
IN_100 = "in 100"  # a difference of shares, shown as games in 100
PLAIN = ""
OWN = "own"  # of a column whose numbers each have their own unit
SEATS = "seats"  # of a column of words that name seats or teams

# What differs from run to run without being a result.
TIMES = ("seconds", "games_per_second")


def number(estimate: Interval | float | None, unit: str = PLAIN) -> dict[str, Any] | None:
    """An estimate with its interval and its n, or a bare number."""
    if estimate is None:
        return None
    if not isinstance(estimate, Interval):
        return {"value": known(float(estimate)), "unit": unit} if math.isfinite(estimate) else None
    if not math.isfinite(estimate.value):
        return None
    ends = {"low": known(estimate.low), "high": known(estimate.high)}
    return {"value": estimate.value, **ends, "n": estimate.n, "unit": unit}


def with_word(estimate: dict[str, Any] | None, word: str) -> dict[str, Any] | None:
    """An estimate with a word that stands under it in a table."""
    return None if estimate is None else {**estimate, "word": word}


def seat_words(words: str) -> dict[str, str]:
    """Words that name seats or teams, counted from 0 as data does; the page counts from 1."""
    return {"seats": words}


def text(words: str, **values: Any) -> Block:
    """A paragraph; `{name}` in the words stands for a value.

    A value is a number of `number`, a whole number, a word, words of `seat_words`, a paragraph, or a list of those.
    """
    return {"kind": "text", "words": words, "values": values}


def lead(words: str, **values: Any) -> Block:
    """A paragraph that carries the verdict."""
    return {**text(words, **values), "kind": "lead"}


def note(words: str, **values: Any) -> Block:
    """What must be known to read the rest, in small print."""
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
    """Rows of words, whole numbers and estimates; `None` where there is nothing to say.

    One that is not shown has its file and no place on the page: its figure says the same.
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
    """Where the picture of that name stands; the section keeps how to draw it."""
    return {"kind": "figure", "name": name, "caption": caption, "alt": alt}


def position(
    caption: Block, rows: Sequence[Mapping[str, Any]], alt: str, moves: Sequence[tuple[str, Block]] = ()
) -> Block:
    """A position drawn as cards: rows of {"label", "cards", "text"}; see reports/html/positions.py.

    The moves it is about are told below it, each with the ring it has in the drawing.
    """
    told = [{"ring": ring, **words} for ring, words in moves]
    return {"kind": "position", "caption": caption, "rows": [dict(row) for row in rows], "alt": alt, "moves": told}


def fold(title: str, blocks: Sequence[Block]) -> Block:
    """What only some readers want: its title stands on the page, the rest opens at a touch."""
    return {"kind": "fold", "title": title, "blocks": list(blocks)}


def every_block(blocks: Sequence[Block]) -> Iterator[Block]:
    """All blocks as they are read, those in folds among them."""
    for block in blocks:
        yield block
        if block["kind"] == "fold":
            yield from every_block(block["blocks"])


@dataclass
class Section:
    """One heading of the report."""

    name: str  # its anchor, and the stem of its files
    title: str
    blocks: list[Block] = field(default_factory=list)
    drawings: dict[str, Draw] = field(default_factory=dict)  # by the name of the figure
    results: dict[str, Any] = field(default_factory=dict)  # the analyses behind it, as plain data
    repeat: list[str] = field(default_factory=list)  # commands that give its numbers again

    def add(self, *blocks: Block) -> None:
        self.blocks += blocks

    def add_figure(self, block: Block, draw: Draw) -> None:
        """Adds a figure and how to draw it."""
        self.blocks.append(self.drawn(block, draw))

    def drawn(self, block: Block, draw: Draw) -> Block:
        """A figure whose drawing the section keeps, to be put where it belongs."""
        self.drawings[block["name"]] = draw
        return block

    def add_fold(self, title: str, *blocks: Block) -> None:
        """Adds what only some readers want; nothing where there is nothing in it."""
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
    """A page of a report: the designer's, or the player's."""

    title: str  # whom it is for
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
    """The whole: a head, and parts with their sections."""

    game: str
    title: str
    subtitle: str
    facts: Mapping[str, Any]  # seed, effort, versions; what names the report
    date: str
    parts: list[Part]
    notices: list[Block] = field(default_factory=list)  # what every reader must know first

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
    """Plain data without run times: the same seed gives the same report."""
    if isinstance(data, Mapping):
        return {str(key): without_times(value) for key, value in data.items() if key not in TIMES}
    if isinstance(data, list | tuple):
        return [without_times(value) for value in data]
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data
