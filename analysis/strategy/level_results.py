"""What people reached, as a table: one row a game, with players, variant and result; faults are told by their lines."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from houle.solver.errors import InputError
from houle.solver.ruleset import Setup, make_setup, nearest

COLUMNS = ("result", "players", "variant")
WON, LOST = ("win", "won"), ("loss", "lost")
MOST_RESULTS = 1_000_000
BASE = ("", "base")

Results = str | Path | Iterable[Mapping[str, Any]]


@dataclass
class TableResults:
    """What people reached at one table."""

    setup: Setup
    won: int = 0
    lost: int = 0
    scores: Counter[int] = field(default_factory=Counter)

    @property
    def number(self) -> int:
        return self.won + self.lost + self.scores.total()


def read_results(results: Results, setup: Setup) -> list[TableResults]:
    """Results by the tables they came from; a RulesetError with file and line where one cannot be read.

    Where a row names no players or no variant those of `table` are meant; its other rules hold for all rows.
    """
    place, rows = _rows(results)
    tables: dict[tuple[int, tuple[str, ...]], TableResults] = {}
    for number, (line, row) in enumerate(rows, 1):
        where = f"{place}: {'line' if isinstance(results, str | Path) else 'row'} {line}"
        if number > MOST_RESULTS:
            raise InputError(f"{where}: more than {MOST_RESULTS:,} results")
        key = (_players(row.get("players", ""), setup, where), _variants(row.get("variant"), setup))
        if key not in tables:
            tables[key] = TableResults(_setup(setup, *key, where))
        _count(row["result"], tables[key], where)
    if not tables:
        raise InputError(f"{place}: no results; allowed: one row a game")
    return list(tables.values())


def _rows(results: Results) -> tuple[str, Iterable[tuple[int, dict[str, str]]]]:
    """Where results come from, and rows with their numbers."""
    if not isinstance(results, str | Path):
        return "results", (
            (number, {key: str(row[key]).strip() for key in _known(row, "results") if row[key] is not None})
            for number, row in enumerate(results, 1)
        )
    return str(results), _read(Path(results))


def _read(path: Path) -> Iterable[tuple[int, dict[str, str]]]:
    """The rows of a file, each under its line."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, strict=True)
            heads: list[str] = []
            for cells in lines:
                told = [cell.strip() for cell in cells]
                if not any(told):
                    continue
                if not heads:
                    heads = _known([cell.lower() for cell in told], f"{path}: line {lines.line_num}")
                    continue
                if len(told) != len(heads):
                    columns = f"{len(heads)} columns: {', '.join(heads)}"
                    raise InputError(f"{path}: line {lines.line_num}: {len(told)} cells, but {columns}")
                yield lines.line_num, dict(zip(heads, told, strict=True))
    except OSError as fault:
        raise InputError(f"{path}: {fault.strerror or fault}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: this is no text; allowed: a table of comma-separated values in UTF-8") from None
    except csv.Error as fault:
        raise InputError(f"{path}: line {lines.line_num}: {fault}") from None


def _known(columns: Iterable[str], where: str) -> list[str]:
    """The columns, if each is one that somebody reads and the result is there."""
    found = list(columns)
    for name in found:
        if name not in COLUMNS:
            raise InputError(f"{where}: unknown column {name[:40]!r}{nearest(name, COLUMNS)}")
    if "result" not in found or len({*found}) < len(found):
        raise InputError(f"{where}: columns: {', '.join(found)}; allowed: result, and players and variant, each once")
    return found


def _players(text: str, setup: Setup, where: str) -> int:
    if not text:
        return setup.players
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise InputError(f"{where}: players: {text[:40]!r} is not allowed; allowed: a whole number")
    return int(text)


def _variants(text: str | None, setup: Setup) -> tuple[str, ...]:
    if text is None:
        return setup.variants
    return () if text in BASE else tuple(part.strip() for part in text.split("+"))


def _setup(setup: Setup, players: int, variants: Sequence[str], where: str) -> Setup:
    """The table of a row: what was changed by hand holds for it too."""
    if (players, tuple(variants)) == (setup.players, setup.variants):
        return setup
    changed = {knob: value for knob, _, value in setup.differences}
    try:
        return make_setup(setup.ruleset.name, players, tuple(variants), changed, None)
    except InputError as fault:
        raise InputError(f"{where}: {fault}") from None


def _count(text: str, results: TableResults, where: str) -> None:
    """One result: a win, a loss, or a score."""
    if text.lower() in (*WON, *LOST):
        if not results.setup.one_sided:
            raise InputError(
                f"{where}: result: {text!r}: players compete, and equal ones win in turn whatever they know; "
                f"give the {results.setup.score} of one player"
            )
        results.won += text.lower() in WON
        results.lost += text.lower() in LOST
        return
    low, high = results.setup.score_range
    score = int(text) if text.removeprefix("-").isdecimal() and text.isascii() and len(text) < 10 else None
    if score is None or not low <= score <= high:
        raise InputError(
            f"{where}: result: {text[:40]!r} is not allowed; allowed: win, loss, or {results.setup.score} "
            f"from {low} to {high}"
        )
    results.scores[score] += 1
