"""Collects a game from its files, fills in the defaults and checks it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numba
import numpy as np

from houle.solver.declared.records import DECLARED, from_declaration
from houle.solver.errors import InputError, RulesError
from houle.solver.interface import defaults
from houle.solver.interface.files import FILES, GameError, provided, refuse_misspelt, refuse_older_files
from houle.solver.interface.folder import value_in_files
from houle.solver.interface.functions import observed_unless, random_move_among
from houle.solver.interface.game import BY_DTYPE, BY_TYPE, FUNCTIONS, Function, Game, GameFunction
from houle.solver.interface.limits import faults
from houle.solver.matches.record.card_names import show_declared
from houle.solver.rules import Setup
from houle.solver.rules.files import read_toml
from houle.solver.rules.game_folders import RULES as RULES_FILE
from houle.solver.sources import about_to_run, kernel_syntax, outside, sources_of

SHIPPED_GAMES = "houle.solver.games."


def define(package: str, *, is_cooperative: bool = False, hands_rotate: bool = False) -> Game:
    """Collects a game from the files of its folder, checks it and registers its kernels."""
    own = package.rpartition(".")[2]
    refuse_older_files(package)
    files = {part.name: part.metadata["file"] for part in fields(Game) if part.metadata}
    files |= {name: function.file for name, function in FUNCTIONS.items()} | DECLARED | {"SEEN": "knows"}
    given = {name: value for name, file in files.items() if (value := value_in_files(package, file, name)) is not None}
    written, advice = {*given}, _read_advice(package)
    try:
        given = from_declaration(own, given, is_cooperative)
    except InputError as fault:
        raise GameError(f"{own}: {fault}") from None
    given = {function.__name__: function for function in (side_names, score_range, action_name, house_rules)} | given
    if "declared" in given:
        given.setdefault("show", show_declared)
    optional = {part.name for part in fields(Game) if not (part.default is part.default_factory is MISSING)}
    kernels = {name: given.pop(name, None) or _default(function, given) for name, function in FUNCTIONS.items()}
    secret, mover = kernels["is_secret"], kernels["to_move"]
    if secret and mover and secret is not defaults.is_secret and kernels["observed"] is defaults.observed:
        kernels["observed"] = observed_unless(secret, mover)
    if "MAX_MOVES" in given:
        kernels["random_move"] = kernels["random_move"] or random_move_among(int(given["MAX_MOVES"]))
    seen = given.pop("SEEN", None)
    missing = [name for name in files if name not in (*DECLARED, *kernels, *given, *optional, "SEEN")]
    missing += [name for name, kernel in kernels.items() if kernel is None] + ["SEEN"] * (seen is None)
    if missing:
        raise GameError(f"{own} lacks {', '.join(f'{files[name]}.{name}' for name in missing)}")
    functions = {name: kernel for name, kernel in kernels.items() if kernel is not None}
    rules = [_rule_of_thumb(own, one, advice) for one in given.pop("FEATURES", ())]
    for name in advice.keys() - {name for name, *_ in rules}:
        raise GameError(f"{own}: advice.toml: there is no rule of thumb {name!r}")
    defined = Game(
        name=own.replace("_", "-"),
        package=package,
        functions=functions,
        seen=seen,
        FEATURES=tuple((name, more) for name, more, _ in rules),
        advice={name: (more, less) for name, more, less in rules},
        is_cooperative=is_cooperative,
        hands_rotate=hands_rotate,
        **given,
    )
    for problem in (*faults(defined, own), *_taken(defined)):
        raise GameError(f"{own}: {problem}")
    if not package.startswith(SHIPPED_GAMES):  # tests check the shipped ones, which need not be read at every start
        _note_sources(own, defined)
        for kind in FILES:
            provided(kind, package)
        for file in {*files.values()}:
            refuse_misspelt(package, file, [name for name in files if files[name] == file and name not in written])
        if not hasattr(sys.modules[package], "__path__"):  # helpers may be named like functions that games must have
            refuse_misspelt(package, "", DECLARED.keys() - written)
    BY_DTYPE[defined.STATE] = BY_DTYPE[np.dtype((np.record, defined.STATE))] = defined
    BY_TYPE[numba.from_dtype(defined.STATE)] = defined
    return defined


def _read_advice(package: str) -> dict[str, Any]:
    """advice.toml: the sentences of the rules of thumb that FEATURES only names. Editing them compiles nothing."""
    paths = (Path(folder) / "advice.toml" for folder in getattr(sys.modules[package], "__path__", ()))
    return next((read_toml(path) for path in paths if path.is_file()), {})


def _rule_of_thumb(own: str, rule: str | tuple[str, ...], advice: Mapping[str, Any]) -> tuple[str, str, str]:
    """The name of a rule of thumb, and what it advises with a positive and with a negative weight."""
    name, *texts = (rule, *advice.get(rule, {}).values()) if isinstance(rule, str) else rule
    if not texts:
        raise GameError(f"{own}: FEATURES: {name} has no sentence, here or in advice.toml")
    return name, texts[0], texts[1] if len(texts) > 1 else f"The other way round: {texts[0]}"


def _default(function: GameFunction, given: Mapping[str, Any]) -> Function | None:
    """The default of a game function, if the game's records have the fields that it reads."""
    needed = (("STATE", function.state), ("RULES", function.rules))
    fits = all({*names} <= {*(getattr(given.get(record), "names", None) or ())} for record, names in needed if names)
    return function.default if fits else None


def _taken(game: Game) -> Iterator[str]:
    other = BY_TYPE.get(numba.from_dtype(game.STATE))
    if other is not None and other.package != game.package:
        yield f"STATE has the same fields as that of {other.name}"


def _note_sources(own: str, defined: Game) -> None:
    """Notes the sources of a game, read before its module ran, unless somebody else imported it.

    Kernels that this process has compiled would play on if the sources changed.
    """
    sources = about_to_run.pop(defined.package, None) or sources_of(_place_of(defined))
    if own in outside and kernel_syntax(outside[own]) != kernel_syntax(sources):
        raise GameError(f"{own}: its code changed after it was imported; start Python again")
    outside[own] = sources


def _place_of(defined: Game) -> Path:
    """Where a game outside this package is: its folder, or its file if rules.toml is not beside it."""
    module = sys.modules[defined.package]
    deal = defined.functions["deal"]
    file = Path(getattr(module, "__file__", None) or getattr(deal, "py_func", deal).__code__.co_filename)
    if not file.is_file():
        raise GameError(f"{defined.name}: write the game to a file: kernels are cached by their sources")
    return file.parent if hasattr(module, "__path__") or (file.parent / RULES_FILE).exists() else file


# Defaults of what a game provides in plain Python.


def side_names(setup: Setup) -> list[tuple[str, list[int]]]:
    """Names and seats of the sides: one team, single seats, or several teams."""
    rules = setup.rules[0]
    sides = [int(side) for side in rules.side[: setup.players]]
    if int(rules.sides) == 1:
        return [("team", list(range(setup.players)))]
    if len(set(sides)) == setup.players:
        return [(f"seat {seat}", [seat]) for seat in range(setup.players)]
    return [(f"team {team}", [seat for seat, side in enumerate(sides) if side == team]) for team in range(rules.sides)]


def score_range(setup: Setup) -> tuple[int, int]:
    """The score range of rules.toml: `range` in [score]."""
    if setup.ruleset.score_range is None:
        raise RulesError(
            f"{setup.ruleset.name}: no score range; write range = [LEAST, GREATEST] in [score] of rules.toml"
        )
    return setup.ruleset.score_range


def action_name(state: Any, setup: Setup, action: int) -> str:
    return str(action)


def house_rules(setup: Setup) -> list[str]:
    return []
