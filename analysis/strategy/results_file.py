"""Read the results of people's games from a CSV file or from rows: one row per game, with players and variant."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from houle.solver.errors import FileError, InputError
from houle.solver.rules import Setup, make_setup, nearest
from houle.solver.rules.files import file_error, open_plain
from houle.solver.rules.texts import typed_number

COLUMNS = ("result", "players", "variant")
WON, LOST = ("win", "won"), ("loss", "lost")
MOST_RESULTS = 1_000_000
BASE = ("", "base")

Results = str | Path | Iterable[Mapping[str, Any]]


@dataclass
class SetupResults:
    """The results of people's games in one setup."""

    setup: Setup
    won: int = 0
    lost: int = 0
    scores: Counter[int] = field(default_factory=Counter)

    @property
    def number(self) -> int:
        return self.won + self.lost + self.scores.total()


def read_results(results: Results, setup: Setup) -> list[SetupResults]:
    """Results grouped by setup; an InputError names the file and line of a row that cannot be read.

    A row without players or variant takes those of `setup`. Its other rules hold for all rows.
    """
    source, rows = _rows(results)
    by_setup: dict[tuple[int, tuple[str, ...]], SetupResults] = {}
    for number, (line, row) in enumerate(rows, 1):
        where = f"{source}: {'line' if isinstance(results, str | Path) else 'row'} {line}"
        if number > MOST_RESULTS:
            raise FileError(f"{where}: more than {MOST_RESULTS:,} results")
        key = (_players(row.get("players", ""), setup, where), _variants(row.get("variant"), setup))
        if key not in by_setup:
            by_setup[key] = SetupResults(_setup(setup, *key, where))
        _count(row["result"], by_setup[key], where)
    if not by_setup:
        raise FileError(f"{source}: no results; allowed: one row per game")
    return list(by_setup.values())


def _rows(results: Results) -> tuple[str, Iterable[tuple[int, dict[str, str]]]]:
    """The name of the source, and its rows with their numbers."""
    if not isinstance(results, str | Path):
        return "results", (
            (number, {key: str(row[key]).strip() for key in _known(row, "results") if row[key] is not None})
            for number, row in enumerate(results, 1)
        )
    return str(results), _read(Path(results))


def _read(path: Path) -> Iterable[tuple[int, dict[str, str]]]:
    """The rows of a file with their line numbers."""
    try:
        with TextIOWrapper(open_plain(path), encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, strict=True)
            heads: list[str] = []
            for cells in lines:
                row = [cell.strip() for cell in cells]
                if not any(row):
                    continue
                if not heads:
                    heads = _known([cell.lower() for cell in row], f"{path}: line {lines.line_num}")
                    continue
                if len(row) != len(heads):
                    columns = f"{len(heads)} columns: {', '.join(heads)}"
                    raise FileError(f"{path}: line {lines.line_num}: {len(row)} cells, but {columns}")
                yield lines.line_num, dict(zip(heads, row, strict=True))
    except OSError as fault:
        raise file_error(path, fault) from None
    except UnicodeDecodeError:
        raise FileError(f"{path}: not a text file; allowed: comma-separated values in UTF-8") from None
    except csv.Error as fault:
        raise FileError(f"{path}: line {lines.line_num}: {fault}") from None


def _known(columns: Iterable[str], where: str) -> list[str]:
    """The columns, checked: `result` is required, `players` and `variant` are optional."""
    names = list(columns)
    for name in names:
        if name not in COLUMNS:
            raise FileError(f"{where}: unknown column {name[:40]!r}{nearest(name, COLUMNS)}")
    if "result" not in names or len({*names}) < len(names):
        raise FileError(f"{where}: columns: {', '.join(names)}; allowed: result, and players and variant, each once")
    return names


def _players(text: str, setup: Setup, where: str) -> int:
    if not text:
        return setup.players
    players = typed_number(text)
    if players is None:
        raise FileError(f"{where}: players: {text[:40]!r} is not allowed; allowed: a whole number")
    return players


def _variants(text: str | None, setup: Setup) -> tuple[str, ...]:
    if text is None:
        return setup.variants
    return () if text in BASE else tuple(part.strip() for part in text.split("+"))


def _setup(setup: Setup, players: int, variants: Sequence[str], where: str) -> Setup:
    """The setup of a row: knobs changed in `setup` stay changed."""
    if (players, tuple(variants)) == (setup.players, setup.variants):
        return setup
    changed = {knob: value for knob, _, value in setup.differences}
    try:
        return make_setup(setup.ruleset.name, players, tuple(variants), changed, None)
    except InputError as fault:
        raise type(fault)(f"{where}: {fault}") from None


def _count(text: str, results: SetupResults, where: str) -> None:
    """Count one result: a win, a loss or a score."""
    if text.lower() in (*WON, *LOST):
        if not results.setup.one_sided:
            raise FileError(
                f"{where}: result: {text!r} is not allowed; in a competitive game wins say nothing about the level. "
                f"Give the {results.setup.score} of one player"
            )
        results.won += text.lower() in WON
        results.lost += text.lower() in LOST
        return
    low, high = results.setup.score_range
    score = typed_number(text, signed=True)
    if score is None or not low <= score <= high:
        raise FileError(
            f"{where}: result: {text[:40]!r} is not allowed; allowed: win, loss, or {results.setup.score} "
            f"from {low} to {high}"
        )
    results.scores[score] += 1
