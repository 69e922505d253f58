"""The spec of a study: a TOML file that describes grids of cells. It is checked before anything is played.

    name = "Cards in front"
    seed = 1
    games = 100_000            # of every cell
    search_games = 400         # at most so many if a player searches
    targets = ["win=40%"]      # what every cell should reach, as in `houle sweep --target`

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
from pathlib import Path
from typing import Any

from houle.analysis.limits import MOST_GAMES, MOST_SEED, SEED, check_int
from houle.analysis.measures.measures import has_measure, in_studies, is_tallied
from houle.analysis.measures.targets import Target, parse_target
from houle.analysis.players.line_ups import has_search
from houle.analysis.sampling.alternatives import PRINTED, combinations, knob_values, several
from houle.analysis.sampling.grid import axis_text
from houle.analysis.studies.cell import Cell, Study
from houle.analysis.studies.log import refuse_database
from houle.solver.errors import InputError, StudyError
from houle.solver.rules import Ruleset, digest, load, nearest
from houle.solver.rules.files import parse_toml, read_text
from houle.solver.rules.rules_file import flat
from houle.solver.texts import visible

KEYS = ("game", "players", "variants", "rules", "set", "strategies", "seed", "games", "search_games", "chunk")
MOST_CELLS = 100_000
MOST_GRIDS = 1_000
MOST_PLAYERS = 99
NAMES = {"game": "the game", "games": "the number of games"}
TOO_MANY = f"more than {MOST_CELLS:,} cells; split the study"


def read_spec(path: str | Path) -> Study:
    """The study that a file describes; an error is a StudyError of one line that begins with the file."""
    file = Path(path)
    refuse_database(file)
    try:
        data = parse_toml(read_text(file), str(path))
    except InputError as fault:
        raise StudyError(str(fault)) from None
    try:
        study = Study(_name(data, file), tuple(_cells(data, file.parent)), _targets(data))
        _check_targets(study)
    except InputError as fault:
        raise StudyError(f"{path}: {fault}") from None
    return study


def _name(data: Mapping[str, Any], file: Path) -> str:
    name = data.get("name", file.stem)
    if not isinstance(name, str):
        raise StudyError(f"name: {name!r} is not allowed; allowed: text in quotes")
    return visible(" ".join(name.split()))


def _targets(data: Mapping[str, Any]) -> tuple[Target, ...]:
    targets = tuple(parse_target(text, "targets") for text in _texts("targets", data.get("targets", [])))
    for target in targets:
        if not is_tallied(target.measure):
            raise StudyError(f"targets: {target.text!r}: a study has no {target.measure}; allowed: {in_studies()}")
    return targets


def _check_targets(study: Study) -> None:
    """Refuse targets for players who do not play, and for measures that a cell does not have."""
    for target in study.targets:
        wanted = [cell for cell in study.cells if target.is_for(cell.strategies)]
        if not wanted:
            raise StudyError(f"targets: {target.text!r}: nobody plays {target.player} in this study")
        for cell in wanted:
            if not has_measure(cell.setup, target.measure):
                raise StudyError(f"targets: {target.text!r}: {cell.setup.summary} has no {target.measure}")


def _cells(data: Mapping[str, Any], folder: Path) -> Iterator[Cell]:
    """Every cell once; grids may overlap if they agree on the number of games."""
    common = {key: value for key, value in data.items() if key not in ("name", "grid", "targets")}
    _check_keys(common, ("name", "grid", "targets", *KEYS))
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
        try:
            _check_keys(grid, KEYS)
            for cell in _grid(_merged(common, grid), folder):
                same = digest({**cell.identity, "game": cell.setup.ruleset.name, "games": 0, "chunk": 0})
                earlier = known.setdefault(same, cell)
                if earlier is cell:
                    yield cell
                elif earlier.identity != cell.identity:
                    raise StudyError(
                        f"{cell.setup.summary}: an earlier grid has this cell with another number of games"
                    )
                made += 1
                if made > MOST_CELLS:
                    raise StudyError(TOO_MANY)
        except InputError as fault:
            raise StudyError(f"grid {number}: {fault}") from None
    if not made:
        raise StudyError("no setup to play, because one of the lists is empty")


def _check_keys(table: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
    for key in table:
        if key not in allowed:
            raise StudyError(f"unknown key {key!r}{nearest(key, allowed)}")


def _merged(common: Mapping[str, Any], grid: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a grid over the common ones."""
    merged = {**common, **grid}
    if "set" in common and "set" in grid:
        merged["set"] = {**_set(common["set"]), **_set(grid["set"])}
    return merged


def _grid(table: Mapping[str, Any], folder: Path) -> Iterator[Cell]:
    for key, example in (("game", '"..."'), ("games", "100_000")):
        if key not in table:
            raise StudyError(f"{NAMES[key]} is missing; add {key} = {example}")
    games = check_int("games", table["games"], 1, MOST_GAMES)
    searched = check_int("search_games", table.get("search_games", MOST_GAMES), 1, MOST_GAMES)
    chunk = check_int("chunk", table["chunk"], 1, MOST_GAMES) if "chunk" in table else None
    seeds = [check_int("seed", seed, 0, MOST_SEED) for seed in several(table.get("seed", SEED))]
    readers: dict[str, Callable[[Any], list[Any]]] = {
        "players": lambda value: [check_int("players", count, 1, MOST_PLAYERS) for count in several(value)],
        "rules": lambda value: [name if name == PRINTED else str(folder / name) for name in _texts("rules", value)],
        "variants": lambda value: _texts("variants", value),
    }
    given = {axis: read(table[axis]) for axis, read in readers.items() if axis in table}
    line_ups = {"strategies": _texts("strategies", table["strategies"])} if "strategies" in table else {}
    for game in _texts("game", table["game"]):
        axes = {**given, **_knobs(load(game), table.get("set", {})), **line_ups}  # in the order of the cells
        if math.prod(map(len, axes.values())) * len(seeds) > MOST_CELLS:
            raise StudyError(TOO_MANY)
        for chosen, seated in combinations(game, axes, "set"):
            if isinstance(seated, InputError):
                which = [axis_text(axis, value) for axis, value in chosen.items() if len(axes[axis]) > 1]
                raise StudyError(f"{', '.join(which)}: {seated}" if which else str(seated))
            number = min(games, searched) if has_search(seated) else games
            yield from (Cell(seated, seed, number, chunk) for seed in seeds)


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
