"""The almanac's cells as rows of docs/almanac/GAME.csv: which there are, what each came to, whether it still stands.

A row keeps the digest of its result and that of its first games; these few are played again each time, so that a cell
is played anew as soon as rules, weights or code change what happens in it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from houle import simulate
from houle.analysis.sampling.simulation import Simulation
from houle.analysis.stats.intervals import Interval
from houle.analysis.studies.cells import Cell
from houle.analysis.studies.spec import read_spec
from houle.solver.ruleset import game_names, variant_name
from houle.solver.strategies.names import CLAIRVOYANT, KINDS, THUMB, parse

DOCS = Path(__file__).parent
SPEC, FOLDER = DOCS / "almanac.toml", DOCS / "almanac"
PROBE, PROBE_SEARCH = 20, 2  # games that are played again to see whether a cell still stands
COLUMNS = (
    "game", "players", "variant", "strategy", "win", "win_low", "win_high", "first_seat", "first_seat_low",
    "first_seat_high", "score", "score_low", "score_high", "turns", "draws", "draws_low", "draws_high", "unresolved",
    "games", "seed", "rules", "probe", "digest", "seconds", "played", "device", "command",
)  # fmt: skip

Row = dict[str, str]
Key = tuple[str, ...]


def all_cells() -> list[Cell]:
    return list(read_spec(SPEC).cells)


def key(cell: Cell) -> Key:
    return (cell.setup.ruleset.name, str(cell.setup.players), variant_name(cell.setup), cell.strategies[0])


def key_of(row: Row) -> Key:
    return (row["game"], row["players"], row["variant"], row["strategy"])


def read_rows(files: Iterable[Path]) -> dict[Key, Row]:
    rows: dict[Key, Row] = {}
    for file in files:
        with file.open() as lines:
            rows |= {key_of(row): row for row in csv.DictReader(lines)}
    return rows


def kept() -> dict[Key, Row]:
    """The rows that are there."""
    return read_rows(file for name in game_names() if (file := FOLDER / f"{name}.csv").exists())


def is_bound(strategy: str) -> bool:
    """The exact solver, with any number of nodes."""
    return KINDS[parse(strategy).name] == CLAIRVOYANT


def searches(strategy: str) -> bool:
    return THUMB < KINDS[parse(strategy).name] < CLAIRVOYANT


def probe_games(cell: Cell) -> int:
    few = 1 if is_bound(cell.strategies[0]) else PROBE_SEARCH if searches(cell.strategies[0]) else PROBE
    return min(few, cell.games)


def probe(cell: Cell) -> str:
    """The digest of a cell's first games, played now."""
    return simulate(cell.setup, strategies=cell.strategies, games=probe_games(cell), seed=cell.seed).digest


def stands(cell: Cell, row: Row | None) -> bool:
    """Whether a row is what the cell would come to today."""
    if row is None or (row["games"], row["seed"]) != (str(cell.games), str(cell.seed)):
        return False
    return row["rules"] == cell.setup.digest and row["probe"] == probe(cell)


def three(name: str, value: Interval | None) -> Row:
    if value is None:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"), "")
    return {name: f"{value.value:.6g}", f"{name}_low": f"{value.low:.6g}", f"{name}_high": f"{value.high:.6g}"}


def as_row(cell: Cell, found: Simulation, device: str) -> Row:
    """A cell as a row: the first side, and its excess over an equal share where sides of one size compete."""
    side, sides = found.sides[0], len(found.sides)
    even = sides > 1 and len({len(one.seats) for one in found.sides}) == 1
    excess = Interval(side.win.value - 1 / sides, side.win.low - 1 / sides, side.win.high - 1 / sides, side.win.n)
    data = found.as_json()
    row: Row = dict(zip(COLUMNS, key(cell), strict=False))
    row |= three("win", side.win) | three("first_seat", excess if even else None) | three("score", side.score.interval)
    row |= three("draws", found.draws if sides > 1 else None)
    row["turns"] = f"{data['turns']['mean']:.6g}" if "turns" in data else ""
    row["unresolved"] = "" if found.unresolved is None else f"{found.unresolved:.6g}"
    row |= {"games": str(found.games), "seed": str(cell.seed), "rules": cell.setup.digest, "digest": found.digest}
    row |= {"probe": probe(cell), "seconds": f"{found.seconds:.1f}", "device": device, "command": found.repeat()}
    row["played"] = datetime.now(UTC).strftime("%Y-%m-%d")
    return row


def write_rows(rows: dict[Key, Row], order: list[Cell]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for game in game_names():
        own = [rows[key(cell)] for cell in order if key(cell) in rows and key(cell)[0] == game]
        path = FOLDER / f"{game}.csv"
        if own or path.exists():
            with path.open("w", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS, restval="cpu", lineterminator="\n")
                writer.writeheader()
                writer.writerows(own)
