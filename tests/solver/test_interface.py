"""The game interface: a game is collected from its files, and one that does not fit is refused in one line."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from houle.solver import interface
from houle.solver.games import define
from houle.solver.interface import GameError
from houle.solver.interface.files import FILES, TableView, provided
from houle.solver.rules import find_game, game_names
from tests.support.toys import coin

pytestmark = pytest.mark.quick

Define = Callable[..., interface.Game]


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> Define:
    """Defines the coin game again with some names changed; None removes one."""

    def attempt(**names: Any) -> interface.Game:
        module = ModuleType("twin.coin")
        vars(module).update({name: value for name, value in vars(coin).items() if not name.startswith("__")})
        for name, value in names.items():
            setattr(module, name, value)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return define(module.__name__)

    return attempt


def fields(dtype: np.dtype[Any], *more: Any, without: str = "") -> np.dtype[Any]:
    """A dtype with further fields at its end."""
    return np.dtype([*((name, dtype[name]) for name in dtype.names or () if name != without), *more])


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        ({"deal": None, "show": None}, "coin lacks words.show, rules.deal"),
        ({"STATE": fields(coin.STATE, without="coin")}, "STATE needs a byte named coin"),
        ({"RULES": fields(coin.RULES, ("coin", "u2"), without="coin")}, "RULES needs a byte named coin"),
        ({"STATE": fields(coin.STATE, ("size", "u1"))}, "STATE: size is an attribute of numpy records"),
        ({"RULES": fields(coin.RULES, ("take", "u1"))}, "RULES: take is an attribute of numpy records"),
        ({"STATE": fields(coin.STATE, ("deal", "u8"), without="deal")}, "STATE must start with the streams root, deal"),
        ({"RULES": fields(coin.RULES, without="sides")}, "RULES needs a field sides"),
        ({"RULES": fields(coin.RULES, ("side", "u1", 11), without="side")}, "side has 11 places; allowed: at most 10"),
        ({"MAX_MOVES": 0}, "MAX_MOVES is 0; allowed: 1 to 4096"),
        ({"MAX_MOVES": 4097}, "MAX_MOVES is 4097; allowed: 1 to 4096"),
        ({"COUNTS": ("turns", "moves", "rounds")}, "COUNTS must start with moves, turns, rounds, not with turns"),
        ({"RATES": {"tosses": ("coins", "games")}}, "RATES: coins is not in COUNTS"),
        ({"FEATURES": [("a", "Toss.")] * 33}, "33 FEATURES; allowed: at most 32"),
        ({"FEATURES": ["right"]}, "FEATURES: right has no sentence, here or in advice.toml"),
        ({"CATEGORIES": ["toss"] * 65}, "65 CATEGORIES; allowed: at most 64"),
        ({"CATEGORIES": [("a", "a toss")]}, "CATEGORIES: write the names alone, without sentences"),
        ({"LONGEST_LINE": 129}, "LONGEST_LINE of the solver is 129; allowed: at most 128"),
        ({}, "STATE has the same fields as that of coin"),
    ],
)
def test_games_that_do_not_fit_are_refused(changed: Define, names: dict[str, Any], complaint: str) -> None:
    with pytest.raises(GameError) as fault:
        changed(**names)
    assert complaint in str(fault.value)
    assert "\n" not in str(fault.value)


def test_missing_parts_get_defaults(changed: Define) -> None:
    names = ("features", "FEATURES", "category_bits", "CATEGORIES", "solve", "solver_memory")
    plain = changed(STATE=fields(coin.STATE, ("bare", "u1")), **dict.fromkeys(names))
    assert (plain.has("features"), plain.has("solve"), plain.FEATURES, plain.CATEGORIES) == (False, False, (), ())
    assert set(plain.functions) == set(coin.GAME.functions)
    assert plain.openings.board is None
    assert coin.GAME.has("features")
    assert coin.GAME.has("solve")
    assert not coin.GAME.has("standing")


def test_plain_files_of_shipped_games_fit() -> None:
    """Every optional name is spelt as houle looks for it and takes the arguments that houle gives."""
    shipped = [game for game in map(find_game, game_names()) if game.package.startswith("houle.solver.games.")]
    assert len(shipped) == 5
    for game in shipped:
        for kind in FILES:
            provided(kind, game.package)
        assert game.table.view is not None
        assert game.positions.read is not None


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("def last_trik(a, b, c, d, e): ...", "words.py: houle looks for no last_trik; did you mean last_trick?"),
        ("def chapter(state): ...", "words.py: chapter does not take 2 arguments"),
        ("chapter = 'round 1'", "words.py: chapter is no function"),
        ("def CALLED(): ...", "words.py: CALLED is a function; houle reads a value"),
    ],
)
def test_plain_files_that_do_not_fit_are_refused(
    source: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "misfit"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "words.py").write_text(f"{source}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("misfit")
    try:
        with pytest.raises(GameError) as fault:
            provided(TableView, "misfit")
    finally:
        for name in ("misfit", "misfit.words"):
            sys.modules.pop(name, None)
    assert str(fault.value) == f"misfit: {complaint}"


def test_a_folder_of_0_4_0_says_what_to_rename(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "older"
    folder.mkdir()
    for name in ("__init__", "state", "play", "worlds"):
        (folder / f"{name}.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("older")
    try:
        with pytest.raises(GameError) as fault:
            define("older")
    finally:
        sys.modules.pop("older", None)
    renamed = "rules.py has what was in state.py, play.py; knows.py has what was in worlds.py"
    assert str(fault.value) == f"older: rename its files: {renamed}"
