"""Read and keep the results of people's games: a CSV file or rows, one per game.

Columns: `result` (win, loss or the score), and where they differ `game`, `players`, `variant`, `rules` (a rules file),
`seats` (those of the group, as 1 or 1+2; all by default) and `others` (who plays the other seats).
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from houle.analysis.players.line_ups import has_search, line_up
from houle.solver.errors import FileError, InputError, StrategyError
from houle.solver.players.names import split
from houle.solver.players.player import LineUp
from houle.solver.rules import SET, Setup, make_setup, nearest, read_custom
from houle.solver.rules.files import file_error, open_plain
from houle.solver.rules.game_folders import game_name
from houle.solver.texts import typed_number

COLUMNS = ("game", "players", "variant", "rules", "seats", "others", "result")
WON, LOST = ("win", "won"), ("loss", "lost")
MOST_RESULTS = 1_000_000
BASE = ("", "base")

Results = str | Path | Iterable[Mapping[str, Any] | str | Path]


@dataclass
class SetupResults:
    """The results of people's games in one setup, with the same players in the other seats."""

    setup: Setup
    seats: tuple[int, ...] = ()  # of the group, from 0; none for all seats
    others: str = ""  # who plays the other seats
    won: int = 0
    lost: int = 0
    scores: Counter[int] = field(default_factory=Counter)

    @property
    def number(self) -> int:
        return self.won + self.lost + self.scores.total()

    @property
    def side(self) -> int | None:
        """The side whose results these are; None if they are those of any side, because the group has all seats."""
        return int(self.setup.rules[0].side[self.seats[0]]) if self.seats else None

    def line_up(self, strategy: str) -> LineUp:
        """The players, with this strategy in the seats of the group."""
        if not self.seats:
            return line_up(self.setup, strategy)
        free = [seat for seat in range(self.setup.players) if seat not in self.seats]
        named = split(self.others)
        if len(named) not in (1, len(free)):
            raise StrategyError(f"{len(named)} players for {len(free)} seats; give one for all, or one each")
        rest = iter(named * len(free) if len(named) == 1 else named)
        return line_up(
            self.setup, [strategy if seat in self.seats else next(rest) for seat in range(self.setup.players)]
        )


def read_results(results: Results, setup: Setup) -> tuple[list[SetupResults], int]:
    """Results grouped by setup, and how many of other games were left out.

    A row without game, players or variant takes those of `setup`. Its other rules hold for all rows. An InputError
    names the file and line of a row that cannot be read.
    """
    as_typed: dict[tuple[object, ...], SetupResults] = {}
    by_setup: dict[tuple[str, tuple[int, ...], str], SetupResults] = {}
    number = left_out = 0
    for where, folder, row in _rows(results):
        number += 1
        if number > MOST_RESULTS:
            raise FileError(f"{where}: more than {MOST_RESULTS:,} results")
        if row.get("game") and game_name(row["game"]).casefold() != setup.ruleset.name.casefold():
            left_out += 1
            continue
        key = (folder, *(row.get(column, "\0") for column in COLUMNS[:-1]))
        if key not in as_typed:
            group = _group(row, setup, where, folder)
            as_typed[key] = by_setup.setdefault((group.setup.digest, group.seats, group.others), group)
        _count(row["result"], as_typed[key], where)
    if not by_setup:
        source = ", ".join(files_of(results)) or "results"
        raise FileError(f"{source}: no results of {setup.ruleset.name}; allowed: one row per game")
    return list(by_setup.values()), left_out


def files_of(results: Results) -> tuple[str, ...]:
    """The names of the files that results come from; none for rows."""
    listed = [results] if isinstance(results, str | Path) else results
    return tuple(str(one) for one in listed if isinstance(one, str | Path))


def add_result(file: str | Path, row: Mapping[str, object]) -> None:
    """Append one game to a results file, which is created if it does not exist."""
    path = Path(file)
    try:
        fresh = not path.exists() or path.stat().st_size == 0
        heads = list(COLUMNS)
        if not fresh:
            with path.open(encoding="utf-8-sig", newline="") as lines:
                heads = _known([cell.strip().lower() for cell in next(csv.reader(lines), [])], f"{path}: line 1")
        if missing := [name for name, value in row.items() if value and name not in heads]:
            raise FileError(f"{path}: line 1: there is no column {missing[0]}; add it, or choose another file")
        text = io.StringIO()
        writer = csv.DictWriter(text, heads, extrasaction="ignore", lineterminator="\n")
        if fresh:
            writer.writeheader()
        writer.writerow(dict(row))
        with path.open("a", encoding="utf-8", newline="") as lines:
            lines.write(text.getvalue())
    except OSError as fault:
        raise FileError(f"{path}: {fault.strerror or fault}") from None
    except UnicodeDecodeError:
        raise FileError(f"{path}: not a text file; allowed: comma-separated values in UTF-8") from None


def _rows(results: Results) -> Iterable[tuple[str, Path, dict[str, str]]]:
    """The rows of all sources: where each is, the folder of its file, and its cells."""
    listed = [results] if isinstance(results, str | Path) else results
    for number, one in enumerate(listed, 1):
        if isinstance(one, str | Path):
            yield from ((f"{one}: line {line}", Path(one).parent, row) for line, row in _read(Path(one)))
        else:
            cells = {key: str(one[key]).strip() for key in _known(one, "results") if one[key] is not None}
            yield f"results: row {number}", Path(), cells


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
    """The columns, checked: `result` is required, the others are optional."""
    names = list(columns)
    for name in names:
        if name not in COLUMNS:
            raise FileError(f"{where}: unknown column {name[:40]!r}{nearest(name, COLUMNS)}")
    if "result" not in names or len({*names}) < len(names):
        raise FileError(
            f"{where}: columns: {', '.join(names)}; allowed: result and {', '.join(COLUMNS[:-1])}, each once"
        )
    return names


def _group(row: Mapping[str, str], setup: Setup, where: str, folder: Path) -> SetupResults:
    """The setup and the seats of a row, without results."""
    try:
        own = _setup(row, setup, folder)
    except InputError as fault:
        raise type(fault)(f"{where}: {fault}") from None
    seats, others = _seats(row.get("seats", ""), own, where), row.get("others", "")
    if bool(seats) != bool(others):
        missing = "others: say who plays the other seats" if seats else "seats: say which seats your group plays"
        raise FileError(f"{where}: {missing}")
    results = SetupResults(own, seats, others)
    if others:
        try:
            searching = has_search(results.line_up("thumb"))
        except InputError as fault:
            raise type(fault)(f"{where}: others: {fault}") from None
        if searching:
            raise FileError(
                f"{where}: others: {others!r} searches, which takes too long here; allowed: levels, thumb, random"
            )
        if len({int(own.rules[0].side[seat]) for seat in seats}) > 1:
            raise FileError(f"{where}: seats: they compete with each other; give one row for each of them")
    return results


def _seats(text: str, setup: Setup, where: str) -> tuple[int, ...]:
    """The seats of the group, from 0; none for all of them."""
    numbers = [typed_number(word) or 0 for word in map(str.strip, text.split("+")) if word]
    if any(not 1 <= number <= setup.players for number in numbers):
        raise FileError(
            f"{where}: seats: {text[:40]!r} is not allowed; allowed: seats from 1 to {setup.players}, as 1+2"
        )
    seats = tuple(sorted({number - 1 for number in numbers}))
    return () if len(seats) == setup.players else seats


def _setup(row: Mapping[str, str], setup: Setup, folder: Path) -> Setup:
    """The setup of a row: knobs changed in `setup` stay changed.

    A rules file is found beside the results, and replaces these knobs. A row without a number of players has that of
    its rules file, else that of `setup`.
    """
    fields = setup.fields()
    fields |= {"players": row["players"]} if row.get("players") else {}
    fields |= {"variants": row["variant"]} if "variant" in row else {}
    if not row.get("rules"):
        made = Setup.read(fields, setup)
        return setup if made.digest == setup.digest else made
    file = folder / row["rules"]
    if not row.get("players"):
        fields["players"] = str(read_custom(file, setup.ruleset).get("players", setup.players))
    made = Setup.read({name: text for name, text in fields.items() if not name.startswith(SET)})
    return make_setup(made.ruleset.name, made.players, made.variants, file=file)


def _count(text: str, results: SetupResults, where: str) -> None:
    """Count one result: a win, a loss or a score."""
    if text.lower() in (*WON, *LOST):
        if not results.setup.one_sided and results.side is None:
            raise FileError(
                f"{where}: result: {text!r} is not allowed; where everyone is of your group, somebody always wins. "
                f"Give the {results.setup.score} of one player, or say who else played (columns seats and others)"
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
