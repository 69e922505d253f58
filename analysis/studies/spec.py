"""The spec of a study: a TOML file that describes grids of cells. All of it is checked before anything is played.

    name = "Cards in front"
    seed = 1
    games = 100_000            # or: precision = 0.3
    search_games = 400         # at most so many if a player searches
    targets = ["win=40%"]      # what every cell should reach, as in `houle sweep --target`
    until_decided = true       # play every cell until that is known; then games is the maximum
    margin = 0.5               # points: closer to an edge of a target counts as at the edge

    [[grid]]
    game = "wave"
    players = [2, 3, 4]
    variants = ["base", "virage+nazare"]
    rules = ["base", "my.toml"]  # rules files; "base" stands for the printed rules
    strategies = ["thumb"]     # the thumb by default
    [grid.set]
    hand.front = [3, 4]        # or "3..4"

Keys before the first [[grid]] apply to every grid. A list gives several values, and a grid has one cell for every
combination of values. For a knob whose value is itself a list, write a list of lists.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from houle.analysis.limits import MOST_GAMES, MOST_SEED, SEED, check_int
from houle.analysis.measures.measures import has_measure, in_studies, is_tallied
from houle.analysis.measures.targets import Target, parse_target
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.players.line_ups import has_search
from houle.analysis.sampling.alternatives import PRINTED, combinations, knob_values, several
from houle.analysis.sampling.simulate import check_precision
from houle.analysis.studies.cell import Cell
from houle.solver.errors import InputError, StudyError
from houle.solver.rules import Ruleset, digest, load, nearest
from houle.solver.rules.files import parse_toml, read_text
from houle.solver.rules.rules_file import flat

KEYS = (
    "game", "players", "variants", "rules", "set", "strategies", "seed", "games", "search_games", "precision", "chunk",
    "until_decided", "margin",
)  # fmt: skip
MOST_CELLS = 100_000
MOST_GRIDS = 1_000
MOST_PLAYERS = 99
MOST_MARGIN = 50.0  # percentage points
MOST_FAULTS = 9  # reported at once
TOO_MANY = f"more than {MOST_CELLS:,} cells; split the study"


@dataclass(frozen=True)
class Study:
    """A checked spec."""

    name: str
    text: str  # the file as it was
    cells: tuple[Cell, ...]
    targets: tuple[Target, ...] = ()
    file: str = ""  # its name, without the folder

    @property
    def digest(self) -> str:
        """Equal for specs that mean the same, however they are written."""
        return digest([cell.identity for cell in self.cells])


@dataclass
class Faults:
    """Collects everything that is wrong with a spec, so that it can be reported at once."""

    found: list[str] = field(default_factory=list)

    def met(self, check: Callable[[], Any], otherwise: Any, place: str = "") -> Any:
        """The result of a check; if it fails, the error is kept and `otherwise` returned."""
        try:
            return check()
        except InputError as fault:
            self.add(str(fault), place)
            return otherwise

    def add(self, fault: str, place: str = "") -> None:
        text = f"{place}: {fault}" if place else fault
        if text not in self.found and len(self.found) < MOST_FAULTS:
            self.found.append(text)

    def __str__(self) -> str:
        if len(self.found) == 1:
            return self.found[0]
        number = f"{len(self.found)} errors" + (" or more" if len(self.found) == MOST_FAULTS else "")
        return f"{number}: " + "; ".join(f"({i}) {fault}" for i, fault in enumerate(self.found, 1))


def read_spec(path: str | Path) -> Study:
    """The study that a file describes; all errors in it are one StudyError of one line."""
    file = Path(path)
    try:
        text = read_text(file)
        data = parse_toml(text, str(path))
    except InputError as fault:
        raise StudyError(str(fault)) from None
    faults = Faults()
    name: str = faults.met(lambda: _name(data, file), "")
    targets: tuple[Target, ...] = faults.met(lambda: read_targets(data), ())
    cells: tuple[Cell, ...] = faults.met(lambda: tuple(_cells(data, file.parent, faults)), ())
    study = Study(name, text, cells, targets, file.name)
    if not faults.found:
        faults.met(lambda: _check_targets(study), None)
    if faults.found:
        raise StudyError(f"{path}: {faults}")
    if not study.cells:
        raise StudyError(f"{path}: no setup to play, because one of the lists is empty")
    return study


def _name(data: Mapping[str, Any], file: Path) -> str:
    name = data.get("name", file.stem)
    if not isinstance(name, str):
        raise StudyError(f"name: {name!r} is not allowed; allowed: text in quotes")
    return " ".join(name.split())


def read_targets(data: Mapping[str, Any]) -> tuple[Target, ...]:
    """The targets of a spec."""
    targets = tuple(parse_target(text, "targets") for text in _texts("targets", data.get("targets", [])))
    for target in targets:
        if not is_tallied(target.measure):
            raise StudyError(f"targets: {target.text!r}: a study has no {target.measure}; allowed: {in_studies()}")
    return targets


@lru_cache(maxsize=1)
def _targets_of(text: str) -> tuple[Target, ...]:
    return read_targets(parse_toml(text, "spec"))


def wanted_of(text: str, strategies: tuple[str, ...]) -> list[Target]:
    """The targets of a spec that apply to these players."""
    return [target for target in _targets_of(text) if target.is_for(strategies)]


def _check_targets(study: Study) -> None:
    """Refuse targets for players who do not play, and for measures that a cell does not have."""
    if not study.targets and any(cell.margin is not None for cell in study.cells):
        raise StudyError("until_decided: there are no targets to decide; add targets = [...]")
    for target in study.targets:
        wanted = [cell for cell in study.cells if target.is_for(cell.strategies)]
        if not wanted:
            raise StudyError(f"targets: {target.text!r}: nobody plays {target.player} in this study")
        for cell in wanted:
            if not has_measure(cell.setup, target.measure):
                raise StudyError(f"targets: {target.text!r}: {cell.label} has no {target.measure}")


def _cells(data: Mapping[str, Any], folder: Path, faults: Faults) -> Iterator[Cell]:
    """Every cell once; grids may overlap if they agree on the goal."""
    common = {key: value for key, value in data.items() if key not in ("name", "grid", "targets")}
    _check_keys(common, ("name", "grid", "targets", *KEYS), faults)
    grids = data.get("grid", [{}])
    if not isinstance(grids, list) or not grids or not all(isinstance(grid, dict) for grid in grids):
        raise StudyError("grid: not a list of tables; write [[grid]] before the keys of each grid")
    if len(grids) > MOST_GRIDS:
        raise StudyError(f"more than {MOST_GRIDS:,} grids; write lists of values in fewer of them")
    known: dict[str, Cell] = {}
    made = 0  # with those that several grids have
    for number, grid in enumerate(grids, 1):
        if grid in grids[: number - 1]:
            continue
        place = f"grid {number}"
        _check_keys(grid, KEYS, faults, place)
        try:
            for cell in _grid(_merged(common, grid), folder, faults, place):
                same = digest({**cell.identity, "games": 0, "precision": 0, "chunk": 0, "margin": 0})
                earlier = known.setdefault(same, cell)
                if earlier is cell:
                    yield cell
                elif earlier.identity != cell.identity:
                    raise StudyError(f"{cell.label}: an earlier grid has this cell with another goal")
                made += 1
                if made > MOST_CELLS:
                    raise StudyError(TOO_MANY)
        except InputError as fault:
            raise StudyError(f"{place}: {fault}") from None


def _check_keys(table: Mapping[str, Any], allowed: tuple[str, ...], faults: Faults, place: str = "") -> None:
    for key in table:
        if key not in allowed:
            faults.add(f"unknown key {key!r}{nearest(key, allowed)}", place)


def _merged(common: Mapping[str, Any], grid: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a grid over the common ones; its goal also replaces a common goal of another kind."""
    merged = {**common, **grid}
    for goal, other in (("games", "precision"), ("precision", "games"), ("until_decided", "precision")):
        if goal in grid and other not in grid:
            merged.pop(other, None)
    if "precision" in grid and "until_decided" not in grid:
        merged = {key: value for key, value in merged.items() if key not in ("until_decided", "margin")}
    if "set" in common and "set" in grid:
        merged["set"] = {**_set(common["set"]), **_set(grid["set"])}
    return merged


def _grid(table: Mapping[str, Any], folder: Path, faults: Faults, place: str) -> Iterator[Cell]:
    def met(check: Callable[[], Any], otherwise: Any) -> Any:
        return faults.met(check, otherwise, place)

    margin: float | None = met(lambda: _margin(table), None)
    if "games" not in table and "precision" not in table and not table.get("until_decided"):
        faults.add("the goal is missing; add games = 100_000 or precision = 0.3", place)
    precision: float | None = met(lambda: check_precision(table["precision"]) if "precision" in table else None, None)
    games: int = met(lambda: check_int("games", table.get("games", MOST_GAMES), 1, MOST_GAMES), 1)
    searched: int = met(lambda: check_int("search_games", table.get("search_games", MOST_GAMES), 1, MOST_GAMES), 1)
    chunk: int | None = met(
        lambda: check_int("chunk", table["chunk"], 1, MOST_GAMES) if "chunk" in table else None, None
    )
    seeds: list[int] = met(
        lambda: [check_int("seed", seed, 0, MOST_SEED) for seed in several(table.get("seed", SEED))], []
    )
    readers: dict[str, Callable[[Any], list[Any]]] = {
        "players": lambda value: [check_int("players", count, 1, MOST_PLAYERS) for count in several(value)],
        "rules": lambda value: [name if name == PRINTED else str(folder / name) for name in _texts("rules", value)],
        "variants": partial(_texts, "variants"),
        "strategies": partial(_texts, "strategies"),
    }
    given = {axis: met(partial(read, table[axis]), []) for axis, read in readers.items() if axis in table}
    line_ups = {"strategies": given.pop("strategies")} if "strategies" in given else {}
    if "game" not in table:
        raise StudyError('the game is missing; add game = "..."')
    for game in _texts("game", table["game"]):
        knobs: dict[str, list[Any]] = met(partial(_knobs, load(game), table.get("set", {})), {"set": []})
        axes = {**given, **knobs, **line_ups}  # in the order of the cells; an axis without values makes none
        if math.prod(map(len, axes.values())) * len(seeds) > MOST_CELLS:
            raise StudyError(TOO_MANY)
        for _, seated in combinations(game, axes, "set"):
            if isinstance(seated, InputError):
                faults.add(str(seated), place)
                continue
            number = min(games, searched) if has_search(seated) else games
            yield from (Cell(seated, seed, number, precision, chunk, margin) for seed in seeds)


def _margin(table: Mapping[str, Any]) -> float | None:
    """The margin of cells that are played until their targets are decided."""
    until = table.get("until_decided", False)
    if not isinstance(until, bool):
        raise StudyError(f"until_decided: {until!r} is not allowed; allowed: true or false")
    if not until:
        if "margin" in table:
            raise StudyError("margin: only allowed together with until_decided = true")
        return None
    if "precision" in table:
        raise StudyError("until_decided: not possible together with precision")
    margin = table.get("margin", 100 * margins_of()["win"])
    if isinstance(margin, bool) or not isinstance(margin, int | float) or not 0 < margin <= MOST_MARGIN:
        raise StudyError(f"margin: {margin!r} is not allowed; allowed: points above 0, at most {MOST_MARGIN:g}")
    return float(margin)


def _texts(what: str, value: Any) -> list[str]:
    texts = several(value)
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise StudyError(f"{what}: {value!r} is not allowed; allowed: a name, or a list of names")
    return texts


def _knobs(ruleset: Ruleset, table: Any) -> dict[str, list[Any]]:
    """The values of every knob that the table sets."""
    return {knob: knob_values(ruleset, knob, value, "set") for knob, value in _set(table).items()}


def _set(table: Any) -> dict[str, Any]:
    """A table of knobs by their dotted names."""
    if not isinstance(table, dict):
        raise StudyError(f"set: {table!r} is not allowed; allowed: a table of knobs, under [grid.set]")
    return flat(table)
