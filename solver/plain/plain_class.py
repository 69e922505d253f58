"""A game as one Python class in a user's file: what it must have, and its errors in one line with file and line.

    class Game:
        def __init__(self, players, luck, hand=6): ...   # luck(n) is the next number below n; `hand` is an option
        def to_move(self): ...                           # the seat that decides, from 0; -1 when the game is over
        def legal(self): ...                             # its moves, as texts or other values that can be compared
        def apply(self, move): ...                       # makes one of them, with everything that follows from it
        def result(self): ...                            # {"scores": [12, 7], "winners": [0]}, once the game is over

The constructor gets what it asks for by name: `players`, `luck` or `deal` (a Luck), `chance` (a Chance), `knobs` (all
options as one dict); its other parameters are options. A class may also have `imagine(seat, luck)`, a world that fits
what the seat knows; `view(seat)`, what it sees; `rules_of_thumb()`, the move of a sensible player; and `snapshot()` or
`show()` for traces. PLAYERS_BY_NAME names more players: functions (view, moves, luck) that return one of the moves.
"""

from __future__ import annotations

import inspect
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any
from zlib import crc32

from houle.solver.errors import FileError, InputError, RulesError
from houle.solver.interface.functions import WIN
from houle.solver.interface.limits import MAX_SIDES
from houle.solver.plain.modules_beside import ModulesBeside
from houle.solver.plain.random_streams import Chance, Luck
from houle.solver.players.names import KINDS
from houle.solver.rules import nearest
from houle.solver.rules.files import read_toml
from houle.solver.sources import Sources, digest_of, sources_of

METHODS = {
    "to_move": "the seat that decides, from 0, or -1 when the game is over",
    "legal": "the list of moves of the seat to move",
    "apply": "makes a move",
    "result": "scores and winners of a game that is over",
}
# What houle gives to each method that it calls.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("to_move", "legal", "result", "rules_of_thumb", "standing", "snapshot", "show"), ()),
    **dict.fromkeys(("apply", "features"), ("move",)),
    "view": ("seat",),
    "imagine": ("seat", "luck"),
}
GIVEN = ("players", "knobs", "deal", "luck", "chance")  # to the constructor, by these names
RULES = "rules.toml"
USUAL_PLAYERS = tuple(range(1, 9))
NAME = re.compile(r"[a-z][a-z0-9_-]*")

Chooser = Callable[[Any, list[Any], Luck], Any]  # (what the seat sees, its legal moves, luck) -> one of the moves


@dataclass(frozen=True)
class PlainClass:
    """The class of a plain game, and how its games are made."""

    path: Path
    made: type
    asks: tuple[str, ...]  # names of GIVEN that its constructor has
    options: Mapping[str, Any]  # options and their defaults
    by_players: Mapping[str, Mapping[str, Any]]  # defaults that depend on the number of players
    rules: Path | None  # the rules.toml beside it, if its knobs come from there
    named: Mapping[str, Chooser]  # its players by name
    sources: Sources  # as they were read

    @property
    def file_name(self) -> str:
        """What messages about a difference call it."""
        return self.path.name

    @property
    def title(self) -> str:
        return str(getattr(self.made, "TITLE", self.path.stem if self.made.__name__ == "Game" else self.made.__name__))

    def has(self, method: str) -> bool:
        return callable(getattr(self.made, method, None))

    def open(self, players: int, settings: Mapping[str, Any], luck: Luck, chance: Chance) -> Any:
        """A new game; options not in `settings` have their defaults."""
        arguments = self.arguments(players, settings)(luck, chance)
        return self.guarded(lambda: self.made(**arguments), where=f"with {players} players")

    def arguments(self, players: int, settings: Mapping[str, Any]) -> Callable[[Luck, Chance], dict[str, Any]]:
        """What the constructor is given, for the luck of each game."""
        options = {**self.options_for(players), **settings}
        passed = {} if "knobs" in self.asks else {name: options[name] for name in {*settings, *self.by_players}}

        def given(luck: Luck, chance: Chance) -> dict[str, Any]:
            every = {"players": players, "knobs": {**options}, "deal": luck, "luck": luck, "chance": chance}
            return {name: every[name] for name in self.asks} | passed

        return given

    def options_for(self, players: int) -> dict[str, Any]:
        """The defaults of the options for a number of players."""
        by_number = {name: values[str(players)] for name, values in self.by_players.items() if str(players) in values}
        return {**self.options, **by_number}

    def chosen_by(self, name: str, played: Any, seat: int, moves: list[Any], luck: Luck) -> Any:
        """The move of a named player. It is given what its seat sees, not the game."""
        move = self.named[name](played.view(seat), list(moves), luck)
        if move not in moves:
            raise RulesError(f"{self.path}: the player {name} chose {move!r}; legal: {', '.join(map(str, moves))}")
        return move

    def guarded(self, do: Callable[..., Any], *given: Any, where: str) -> Any:
        """Call the user's class; what it raises becomes one line with the line of its file, the method and values."""
        try:
            return do(*given)
        except InputError:
            raise
        except Exception as fault:  # anything may go wrong in a user's file
            called = f"{do.__name__}({', '.join(map(repr, given))}), " if isinstance(do, MethodType) else ""
            raise RulesError(f"{place_of(fault, self.path)}: {words_of(fault)} ({called}{where})") from fault

    def legal_moves(self, played: Any, where: str) -> list[Any]:
        """The moves that legal() lists while somebody is to move: at least one."""
        moves = self.guarded(played.legal, where=where)
        if isinstance(moves, str) or not isinstance(moves, Iterable):
            raise RulesError(f"{self.path}: legal() returned {moves!r}; allowed: a list of moves ({where})")
        if not (listed := list(moves)):
            raise RulesError(f"{self.path}: legal() is empty while seat {played.to_move()} is to move ({where})")
        return listed


def load_class(text: str) -> PlainClass:
    """The class named by `my_game.py`, or by `my_game.py:ClassName` if the file has several."""
    file, colon, name = text.rpartition(":") if text.rpartition(":")[0].endswith(".py") else (text, "", "")
    path = Path(file)
    if path.is_dir() and (path / "plain.py").is_file():
        path = path / "plain.py"
    if path.suffix != ".py":
        raise FileError(f"{file}: not a Python file; allowed: a file that ends in .py")
    if not path.is_file():
        raise FileError(f"{file}: no such file")
    sources = sources_of(path.resolve())
    module = _imported(path, name, sources)
    made = _class_of(module, path, name if colon else None)
    missing = [method for method in METHODS if not callable(getattr(made, method, None))]
    if missing:
        line = inspect.getsourcelines(made)[1]
        lacks = "; ".join(f"{method}(): {METHODS[method]}" for method in missing)
        raise RulesError(f"{path}:{line}: {made.__name__} lacks {lacks}")
    _check_arguments(made, path)
    return _read_constructor(made, path, sources)


def _check_arguments(made: type, path: Path) -> None:
    """Refuses a method of the user's own that has the name of one that houle calls."""
    for method, given in ARGUMENTS.items():
        found = inspect.getattr_static(made, method, None)
        try:
            if isinstance(found, FunctionType):
                inspect.signature(found).bind(made, *given)
        except TypeError as fault:
            call = f"houle calls {method}({', '.join(given)}), but {fault}; give yours another name"
            raise RulesError(f"{path}:{found.__code__.co_firstlineno}: {call}") from None


def _imported(path: Path, name: str, sources: Sources) -> ModuleType:
    """The file as a module; it can import other files of its folder."""
    # Files of several folders may have the same name, and a file may have several classes and be read again.
    place, code = path.resolve(), digest_of({name: source.content for name, source in sources.items()})
    own = f"houle_plain_{path.stem}_{crc32(f'{place}:{name}:{code}'.encode()):08x}"
    try:
        with redirect_stdout(sys.stderr):
            return ModulesBeside(own, place, sources).module()
    except SyntaxError as fault:
        raise RulesError(f"{fault.filename or path}:{fault.lineno}: {fault.msg}") from None
    except Exception as fault:
        raise RulesError(f"{place_of(fault, path)}: {words_of(fault)} (while reading the file)") from fault


def _class_of(module: ModuleType, path: Path, name: str | None) -> type:
    own = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__
    }
    if name is not None:
        if name not in own:
            raise RulesError(f"{path}: no class {name!r}" + (nearest(name, own) if own else ""))
        return own[name]
    likely = {key: value for key, value in own.items() if key == "Game" or hasattr(value, "to_move")}
    if "Game" in likely:
        return likely["Game"]
    if len(likely) == 1:
        return next(iter(likely.values()))
    if not likely:
        raise RulesError(f"{path}: no class Game, nor one with {', '.join(METHODS)}")
    raise RulesError(f"{path}: several classes could be the game; write {path}:{next(iter(likely))}")


def _read_constructor(made: type, path: Path, sources: Sources) -> PlainClass:
    asks, options = [], {}
    for name, parameter in inspect.signature(made).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if name in GIVEN:
            asks.append(name)
        elif parameter.default is not parameter.empty:
            options[name] = parameter.default
        else:
            line = inspect.getsourcelines(made)[1]
            allowed = ", ".join(GIVEN)
            raise RulesError(f"{path}:{line}: {made.__name__} asks for {name!r} without a default; allowed: {allowed}")
    by_players: dict[str, dict[str, Any]] = {}
    rules = None
    if "knobs" in asks:
        options, by_players = _from_rules(path)
        rules = path.parent / RULES
    if rules is None and hasattr(made, "DEFAULTS"):
        by_players = _defaults(made, options, path)
    named = _named_players(made, path)
    return PlainClass(
        path=path,
        made=made,
        asks=tuple(asks),
        options=options,
        by_players=by_players,
        rules=rules,
        named=named,
        sources=sources,
    )


def _defaults(made: Any, options: Mapping[str, Any], path: Path) -> dict[str, dict[str, Any]]:
    """The defaults that DEFAULTS(players) returns: option -> number of players -> default."""
    found: dict[str, dict[str, Any]] = {}
    for players in getattr(made, "PLAYERS", USUAL_PLAYERS):
        try:
            given = dict(made.DEFAULTS(players))
        except Exception as fault:
            raise RulesError(f"{place_of(fault, path)}: {words_of(fault)} (DEFAULTS with {players} players)") from fault
        for name, value in given.items():
            if name not in options:
                raise RulesError(f"{path}: DEFAULTS: no option {name!r}" + (nearest(name, options) if options else ""))
            found.setdefault(name, {})[str(players)] = value
    return found


def _named_players(made: type, path: Path) -> dict[str, Chooser]:
    """The players of PLAYERS_BY_NAME: functions, or the names of static methods."""
    named: dict[str, Chooser] = {}
    for name, given in getattr(made, "PLAYERS_BY_NAME", {}).items():
        place = f"{path}: PLAYERS_BY_NAME: {name!r}"
        if not NAME.fullmatch(name) or name in KINDS:
            allowed = f"small letters, digits, - and _, none of {', '.join(KINDS)}"
            raise RulesError(f"{place} cannot be a name; allowed: {allowed}")
        choose = getattr(made, given, None) if isinstance(given, str) else given
        if not callable(choose) or len(inspect.signature(choose).parameters) != len(("view", "moves", "luck")):
            raise RulesError(f"{place}: allowed: a function (view, moves, luck), or the name of such a static method")
        named[name] = choose
    if named and not callable(getattr(made, "view", None)):
        raise RulesError(f"{path}: PLAYERS_BY_NAME: write view(seat) too: it is all that these players see")
    return named


def _from_rules(path: Path) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Defaults of the knobs in the rules.toml of the same folder, and those by number of players."""
    file = path.parent / RULES
    if not file.is_file():
        raise RulesError(f"{path}: the class asks for knobs; add a {RULES} to its folder")
    knobs = read_toml(file).get("knobs", {})
    for name, knob in knobs.items():
        if not isinstance(knob, dict) or "default" not in knob:
            raise RulesError(f"{file}: knobs.{name} has no default")
    by_players = {name: knob["by_players"] for name, knob in knobs.items() if "by_players" in knob}
    return {name: knob["default"] for name, knob in knobs.items()}, by_players


def place_of(fault: BaseException, path: Path) -> str:
    """File and line of the user's code that failed: the last one in the game's folder."""
    folder = path.resolve().parent
    for frame in reversed(traceback.extract_tb(fault.__traceback__)):
        if Path(frame.filename).resolve().is_relative_to(folder):
            return f"{Path(frame.filename).name if Path(frame.filename).name != path.name else path}:{frame.lineno}"
    return str(path)


def words_of(fault: BaseException) -> str:
    text = " ".join(str(fault).split())
    return f"{type(fault).__name__}: {text}" if text else type(fault).__name__


@dataclass(frozen=True)
class Outcome:
    """A finished game: the share of the win (in 1/840) and the score of each side."""

    shares: tuple[int, ...]
    scores: tuple[int, ...]
    moves: int
    turns: int
    rounds: int


def side_of(seat: int, sides: int, players: int, game: Any) -> int:
    """The side of a seat: all together, each alone, or by the `sides` of the class (one side per seat)."""
    if sides == 1:
        return 0
    return seat if sides == players else int(game.sides[seat])


def read_result(result: Any, moves: int, lower: bool, goal: int | None = None) -> Outcome:
    """The outcome that `result()` returned; a ValueError says what is wrong with it.

    `goal` is the score with which a team wins, if the class has one.
    """
    if not isinstance(result, Mapping) or "scores" not in result:
        raise ValueError('must return a dict with "scores", a whole number per side; and "winners", a list of sides')
    scores = _whole(result["scores"], "scores")
    if not 1 <= len(scores) <= MAX_SIDES:
        raise ValueError(f"has {len(scores)} scores; allowed: 1 to {MAX_SIDES}")
    shares = _shares(result, scores, lower, goal)
    turns, rounds, made = (
        _number(result, name, other) for name, other in (("turns", moves), ("rounds", 1), ("moves", moves))
    )
    return Outcome(shares=shares, scores=scores, moves=made, turns=turns, rounds=rounds)


def _shares(result: Mapping[str, Any], scores: tuple[int, ...], lower: bool, goal: int | None) -> tuple[int, ...]:
    if "shares" in result:
        shares = _whole(result["shares"], "shares")
        if len(shares) != len(scores) or min(shares) < 0 or sum(shares) > WIN:
            raise ValueError(f"has shares {list(shares)}; allowed: one per score, at most {WIN} (a whole win) in all")
        return shares
    if "winners" in result:
        winners = _whole(result["winners"], "winners")
        if any(not 0 <= side < len(scores) for side in winners) or len(set(winners)) < len(winners):
            raise ValueError(f"has winners {list(winners)}; allowed: sides from 0 to {len(scores) - 1}, each once")
        return tuple(WIN // len(winners) if side in winners else 0 for side in range(len(scores)))
    if len(scores) == 1 and goal is not None:
        return (WIN if (scores[0] <= goal if lower else scores[0] >= goal) else 0,)
    if len(scores) == 1:
        raise ValueError('must say whether the team won, "winners": [0] or "winners": []; or the class has a GOAL')
    best = min(scores) if lower else max(scores)
    return tuple(WIN // scores.count(best) if score == best else 0 for score in scores)


def _whole(values: Any, name: str) -> tuple[int, ...]:
    items = values if isinstance(values, list | tuple) else [values]
    if {*map(type, items)} != {int} and any(isinstance(item, bool) or not isinstance(item, int) for item in items):
        raise ValueError(f"has {name} {values!r}; allowed: a list of whole numbers")
    return tuple(items)


def _number(result: Mapping[str, Any], name: str, default: int) -> int:
    value = result.get(name, default)
    return value if type(value) is int else _whole(value, name)[0]
