"""The cells of the almanac as rows of docs/data/almanac/GAME.csv.

A cell is one setup with one kind of player. Its row keeps the digest of its result and the digest of its first few
games (`probe`). The probe is played again each time, so a cell is replayed as soon as rules, weights or code change its
games.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from houle import simulate
from houle.analysis.sampling.simulate import Simulation
from houle.analysis.stats.estimate import Estimate
from houle.analysis.studies.cell import Cell
from houle.analysis.studies.spec import read_spec
from houle.solver.rules import game_names, variant_name
from tools.rows import Row, read_rows, write_rows

DOCS = Path(__file__).parents[2] / "docs"
EARLIER = DOCS / "data" / "earlier.toml"
PEOPLE = "people"  # the entry of that file about players of every game
SPEC, FOLDER = DOCS / "data" / "almanac.toml", DOCS / "data" / "almanac"
SEARCHES = ("flat", "ismcts", "expert")
PROBE, PROBE_SEARCH = 20, 2  # games that are played again to see whether a row is up to date
COLUMNS = (
    "game",
    "players",
    "variant",
    "strategy",
    "win",
    "win_low",
    "win_high",
    "first_seat",
    "first_seat_low",
    "first_seat_high",
    "score",
    "score_low",
    "score_high",
    "turns",
    "draws",
    "draws_low",
    "draws_high",
    "unresolved",
    "games",
    "seed",
    "rules",
    "probe",
    "digest",
    "seconds",
    "played",
    "version",
    "command",
)

Key = tuple[str, ...]


@cache
def all_cells() -> tuple[Cell, ...]:
    return tuple(read_spec(SPEC).cells)


def key(cell: Cell) -> Key:
    return (cell.setup.ruleset.name, str(cell.setup.players), variant_name(cell.setup), cell.strategies[0])


def key_of(row: Row) -> Key:
    return (row["game"], row["players"], row["variant"], row["strategy"])


def kept() -> dict[Key, Row]:
    """The rows that were played."""
    return {key_of(row): row for name in game_names() for row in read_rows(FOLDER / f"{name}.csv")}


def _name(strategy: str) -> str:
    return strategy.partition("[")[0].partition(":")[0]


def is_bound(strategy: str) -> bool:
    """Whether a strategy is the exact solver, with any number of nodes."""
    return _name(strategy) == "clairvoyant"


def shown_strategy(strategy: str) -> str:
    """The name of a player in tables: `clairvoyant` for the bound, or the strategy itself."""
    return _name(strategy) if is_bound(strategy) else strategy


def earlier_rules(game: str, rows: Iterable[Row]) -> list[str]:
    """A line if some of these rows of a game were played by rules that have changed since, and one for its people."""
    changes, lines = tomllib.loads(EARLIER.read_text(encoding="utf-8")), []
    rows = list(rows)
    if (change := changes.get(game)) and any(row["played"] < str(change["before"]) for row in rows):
        lines += [f"Rows from before {change['before']} {change['text']}", ""]
    people = changes[PEOPLE]
    before = str(people["before"])
    old = {row.get("strategy") for row in rows if row["played"] < before}
    names = " and ".join(f"`{name}`" for name in people["players"] if name in old)
    if names:
        lines += [f"Rows and sentences about {names} from before {before} {people['text']}", ""]
    return lines


def people_changed() -> tuple[str, str]:
    """The day from which rows have the people of today, and what is said of rows from before."""
    people = tomllib.loads(EARLIER.read_text(encoding="utf-8"))[PEOPLE]
    return str(people["before"]), str(people["text"])


def searches(strategy: str) -> bool:
    return _name(strategy) in SEARCHES


def probe_games(cell: Cell) -> int:
    few = 1 if is_bound(cell.strategies[0]) else PROBE_SEARCH if searches(cell.strategies[0]) else PROBE
    return min(few, cell.games)


def probe(cell: Cell) -> str:
    """The digest of the first games of a cell, played now."""
    return simulate(cell.setup, strategies=cell.strategies, games=probe_games(cell), seed=cell.seed).digest


def is_current(cell: Cell, row: Row | None) -> bool:
    """Whether playing the cell today would give this row."""
    if row is None or (row["games"], row["seed"]) != (str(cell.games), str(cell.seed)):
        return False
    return row["rules"] == cell.setup.digest and row["probe"] == probe(cell)


def three(name: str, value: Estimate | None) -> Row:
    if value is None:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"), "")
    return {name: f"{value.value:.6g}", f"{name}_low": f"{value.low:.6g}", f"{name}_high": f"{value.high:.6g}"}


def as_row(cell: Cell, result: Simulation) -> Row:
    """The row of a cell: results of the first side; its excess over a fair share where equal sides compete."""
    side, sides = result.sides[0], len(result.sides)
    even = sides > 1 and len({len(one.seats) for one in result.sides}) == 1
    excess = side.win.shift(-1 / sides)
    data = result.as_json()
    row: Row = dict(zip(COLUMNS, key(cell), strict=False))
    row |= three("win", side.win) | three("first_seat", excess if even else None) | three("score", side.score.interval)
    row |= three("draws", result.draws if sides > 1 else None)
    row["turns"] = f"{data['turns']['mean']:.6g}" if "turns" in data else ""
    row["unresolved"] = "" if result.unresolved is None else f"{result.unresolved:.6g}"
    row |= {"games": str(result.games), "seed": str(cell.seed), "rules": cell.setup.digest, "digest": result.digest}
    row |= {"probe": probe(cell), "seconds": f"{result.seconds:.1f}", "command": result.repeat()}
    return row | stamp()


def stamp() -> Row:
    """When a row was played, and by which version."""
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {"played": datetime.now(UTC).strftime("%Y-%m-%d"), "version": project["version"]}


def write_cells(rows: dict[Key, Row], order: Sequence[Cell]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for game in game_names():
        own = [rows[key(cell)] for cell in order if key(cell) in rows and key(cell)[0] == game]
        path = FOLDER / f"{game}.csv"
        if own or path.exists():
            write_rows(path, COLUMNS, own)
