"""What a report is made of: sections of blocks, with figures, drawn positions, commands and folds.

Sentences and tables are those of analysis/blocks.py. The page is rendered from the JSON only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from houle.analysis.blocks import Block

Draw = Callable[[], Any]  # draws a figure

# Keys of results that differ from run to run.
TIMES = ("seconds", "games_per_second")


def commands(lines: Sequence[str]) -> Block:
    """Command lines, as they are typed."""
    return {"kind": "commands", "lines": list(lines)}


def figure(name: str, caption: str, alt: str) -> Block:
    """The place of a picture; the section keeps the function that draws it."""
    return {"kind": "figure", "name": name, "caption": caption, "alt": alt}


def position(
    caption: Block, rows: Sequence[Mapping[str, Any]], alt: str, moves: Sequence[tuple[str, Block]] = ()
) -> Block:
    """A position drawn as cards: rows of {"label", "cards", "text"}; see reports/cards.py.

    The moves are listed below it, each with the ring that it has in the drawing.
    """
    listed = [{"ring": ring, **words} for ring, words in moves]
    return {"kind": "position", "caption": caption, "rows": [dict(row) for row in rows], "alt": alt, "moves": listed}


def fold(title: str, blocks: Sequence[Block]) -> Block:
    """Details that only some readers want: the page shows the title, the rest opens on a click."""
    return {"kind": "fold", "title": title, "blocks": list(blocks)}


def as_files(blocks: Sequence[Block], name: str = "") -> list[Block]:
    """The blocks with tables that are only written as CSV, because a figure or another table shows their numbers.

    With a `name` the tables are called so, each with its number.
    """
    made = []
    for block in blocks:
        named = {"name": f"{name}-{block['name'].rpartition('-')[2]}"} if name and block["kind"] == "table" else {}
        made.append({**block, "shown": False, **named} if block["kind"] == "table" else block)
    return made


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
class ReportPart:
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
    parts: list[ReportPart]
    notices: list[Block] = field(default_factory=list)  # what readers must know first
    rules_files: Mapping[str, str] = field(default_factory=dict)  # texts of your own rules, so a folder can be repeated

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
            "rules_files": dict(self.rules_files),
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
