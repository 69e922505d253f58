"""A game is gathered from its files, checked, and found by its name."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numba
import numpy as np

from houle.solver import defaults
from houle.solver.capacities import faults
from houle.solver.definition import DECLARED, from_declaration
from houle.solver.errors import InputError
from houle.solver.interface.functions import BY_DTYPE, BY_TYPE, FUNCTIONS, GameFunction, random_move_among
from houle.solver.interface.game import Function, Game, GameError, held
from houle.solver.kernels import outside
from houle.solver.ruleset import home
from houle.solver.ruleset.homes import RULES as RULES_FILE
from houle.solver.ruleset.homes import import_home

HOUSE_GAMES = "houle.solver.games."


def game(name: str) -> Game:
    """A game by its name, wherever it lives; imported on first use."""
    found: Game = import_home(home(name)).GAME
    return found


def define(package: str, *, is_cooperative: bool = False, hands_rotate: bool = False) -> Game:
    """Gathers a game from the files of its folder, checks it and makes the verbs find its kernels."""
    own = package.rpartition(".")[2]
    files = {part.name: part.metadata["file"] for part in fields(Game) if part.metadata}
    files |= {name: verb.file for name, verb in FUNCTIONS.items()} | DECLARED
    found = {name: value for name, file in files.items() if (value := held(package, file, name)) is not None}
    try:
        found = from_declaration(own, found, is_cooperative)
    except InputError as fault:
        raise GameError(f"{own}: {fault}") from None
    optional = {part.name for part in fields(Game) if not (part.default is part.default_factory is MISSING)}
    answers = {name: found.pop(name, None) or _default(verb, found) for name, verb in FUNCTIONS.items()}
    if "MAX_MOVES" in found:
        answers["random_move"] = answers["random_move"] or random_move_among(int(found["MAX_MOVES"]))
    missing = [name for name in files if name not in (*DECLARED, *answers, *found, *optional)]
    missing += [name for name, answer in answers.items() if answer is None]
    if missing:
        raise GameError(f"{own} lacks {', '.join(f'{files[name]}.{name}' for name in missing)}")
    functions = {name: answer for name, answer in answers.items() if answer is not None}
    rules = [(name, *(said if len(said) > 1 else (said[0], f"The other way round: {said[0]}")))
             for name, *said in found.pop("FEATURES", ())]  # fmt: skip
    defined = Game(
        name=own.replace("_", "-"),
        package=package,
        functions=functions,
        FEATURES=tuple((name, more) for name, more, _ in rules),
        advice={name: (more, less) for name, more, less in rules},
        has_features=functions["features"] is not defaults.features,
        has_solver=functions["solve"] is not defaults.solve,
        has_standing=functions["standing"] is not defaults.standing,
        can_be_read=functions["recall"] is not defaults.recall,
        has_tricks=functions["tricks_to_come"] is not defaults.tricks_to_come,
        is_cooperative=is_cooperative,
        hands_rotate=hands_rotate,
        **found,
    )
    for problem in (*faults(defined, own), *_taken(defined)):
        raise GameError(f"{own}: {problem}")
    if not package.startswith(HOUSE_GAMES):
        outside[own] = _sources(defined)
    BY_DTYPE[defined.STATE] = BY_DTYPE[np.dtype((np.record, defined.STATE))] = defined
    BY_TYPE[numba.from_dtype(defined.STATE)] = defined
    return defined


def _default(verb: GameFunction, found: Mapping[str, Any]) -> Function | None:
    """What stands in for a verb, if the records of the game have the fields that it reads."""
    asked = (("STATE", verb.state), ("RULES", verb.rules))
    there = all({*names} <= {*(getattr(found.get(record), "names", None) or ())} for record, names in asked if names)
    return verb.default if there else None


def _taken(game: Game) -> Iterator[str]:
    other = BY_TYPE.get(numba.from_dtype(game.STATE))
    if other is not None and other.package != game.package:
        yield f"STATE is the same as that of {other.name}"


def _sources(defined: Game) -> Path:
    """What the kernels of a game from outside are made from: its folder, or its file if no rules lie beside it."""
    module = sys.modules[defined.package]
    deal = defined.functions["deal"]
    file = Path(getattr(module, "__file__", None) or getattr(deal, "py_func", deal).__code__.co_filename)
    if not file.is_file():
        raise GameError(f"{defined.name}: kernels are kept by the sources they are made from; write the game to a file")
    return file.parent if hasattr(module, "__path__") or (file.parent / RULES_FILE).exists() else file


def blank(dtype: np.dtype[Any], number: int | tuple[int, ...] = 1) -> Any:
    """Zeroed records that kernels and plain Python address alike (`record.field`)."""
    return np.zeros(number, dtype).view(np.recarray)
