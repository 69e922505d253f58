"""Finds games: those shipped with houle, those of installed packages, and those in folders that users name.

A package provides a game by an entry point of the group `houle.games`: the name of the game, and the module that
defines it. A game that is not installed is found by its folder, from `--game-path` or HOULE_GAMES. Listing games
imports none of them. A game that cannot be used is listed with the reason and does not stop the others.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
import traceback
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from houle.solver.errors import FileError, InputError, RulesError
from houle.solver.sources import about_to_run, sources_of, spec_of
from houle.solver.texts import nearest
from houle.solver.trusted_code import distrusted_code

if TYPE_CHECKING:
    from houle.solver.interface import Game

GAMES = Path(__file__).parent.parent / "games"
SOLVER, SHIPPED = "houle.solver", "houle"
GROUP = "houle.games"
VARIABLE = "HOULE_GAMES"  # folders, separated as in PATH
RULES, WEIGHTS = "rules.toml", "weights.toml"
LINK = re.compile("[?&]|game=")  # in the address of a game that is being played


@dataclass(frozen=True)
class Home:
    """Where a game is: the folder with its rules and weights, and the module that defines it."""

    name: str  # as users write it
    module: str
    folder: Path
    source: Path | None = None  # the file of a module that is not installed
    origin: str = SHIPPED  # houle, a package with its version, or the folder
    plain: tuple[Any, Any] | None = None  # ruleset and game of a class in plain Python

    @property
    def rules(self) -> Path:
        return self.folder / RULES

    @property
    def weights(self) -> Path:
        return self.folder / WEIGHTS

    @property
    def is_outside(self) -> bool:
        return self.origin != SHIPPED


@dataclass(frozen=True)
class Broken:
    """A game that cannot be used, with the reason in one line."""

    name: str
    origin: str
    problem: str


@dataclass(frozen=True)
class Homes:
    games: dict[str, Home]
    broken: tuple[Broken, ...]


# The files of such classes that the user named. They are code, so a study or a record cannot name another one.
named_plain: set[Path] = set()


def is_plain(text: str) -> bool:
    """Whether a text names a class in plain Python: `my_game.py`, or `my_game.py:ClassName`. A link never does."""
    file, _, name = text.rpartition(":")
    return (text.endswith(".py") or (file.endswith(".py") and name.isidentifier())) and not LINK.search(text)


def name_plain(text: str) -> bool:
    """Allows the class in a file that the user named: as GAME, with --game-path, or in Python; whether it is one."""
    if is_plain(text) and (file := _file_of(text)):
        named_plain.add(file)
    return is_plain(text)


def game_name(text: str) -> str:
    """The name of a game as houle writes it: `sea-change`, or the file of a class."""
    return text if is_plain(text) else text.replace("_", "-")


def portable_name(name: str) -> str:
    """The name of a game on any machine: the file of a class without its folder."""
    return Path(name).name if is_plain(name) else name


def local_name(name: str) -> str:
    """The name of a game here, from its portable name: a class in a file that the user named."""
    if not is_plain(name) or is_named(name):
        return name
    file = _path_of(name).name
    same = (path for path in sorted(named_plain) if path.name == file)
    return next((f"{path}{portable_name(name).removeprefix(file)}" for path in same), name)


def found(name: str) -> Home | None:
    """The home of a game; None if there is no game of this name."""
    return home(name) if is_plain(name) else homes().games.get(game_name(name))


def is_named(text: str) -> bool:
    """Whether a text names a class in plain Python that the user named too."""
    return is_plain(text) and _file_of(text) in named_plain


def _file_of(text: str) -> Path | None:
    """The file as the system finds it; None if there is none. A name alone must not stand for a file."""
    try:
        return _path_of(text).resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        return None


def _path_of(text: str) -> Path:
    return Path(text if text.endswith(".py") else text.rpartition(":")[0])


def homes() -> Homes:
    """Every game that can be found."""
    return _homes(os.environ.get(VARIABLE, ""))


def home(name: str) -> Home:
    """The home of a game by its name. The name is looked up; a path must be one that the user named."""
    if is_plain(name):
        file = _file_of(name)
        if file is None:
            raise FileError(f"{name}: no such file")
        if file not in named_plain:
            raise RulesError(f"{name}: its code runs only if you name the file yourself; add --game-path {name}")
        if problem := distrusted_code(_path_of(name)):
            raise RulesError(f"{name}: {problem}")
        # Loaded by name, as the games are: it is above the rules, which it imports.
        made: Home = importlib.import_module(f"{SOLVER}.plain.as_game").game_of(name)
        return made
    known, wanted = homes(), name.replace("_", "-")
    for broken in known.broken:
        if broken.name == wanted and wanted not in known.games:
            raise RulesError(f"{wanted} ({broken.origin}): {broken.problem}")
    if wanted not in known.games:
        raise RulesError(f"unknown game {name!r}{nearest(name, known.games)}")
    return known.games[wanted]


def game_paths() -> tuple[str, ...]:
    """The folders that are searched for games."""
    return tuple(part for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part)


def look_in(folder: str | Path) -> None:
    """Adds a folder to search for games, in this process and those it starts.

    Parameters
    ----------
    folder : path
        The folder of a game, or of several.

    Returns
    -------
    None

    Examples
    --------
    >>> import houle
    >>> houle.look_in("my-games")  # doctest: +SKIP
    """
    if not isinstance(folder, str | Path):
        raise InputError(f"folder: {folder!r} is not allowed; allowed: a path")
    path = os.path.abspath(folder)
    known = game_paths()
    if path not in known:
        os.environ[VARIABLE] = os.pathsep.join([*known, path])


@lru_cache
def _homes(paths: str) -> Homes:
    games = {home.name: home for home in map(_shipped, sorted(GAMES.glob(f"*/{RULES}")))}
    broken: list[Broken] = []
    candidates = [_of_a_package(point) for point in entry_points(group=GROUP)]
    candidates += [_of_a_folder(folder) for path in paths.split(os.pathsep) if path for folder in _folders(Path(path))]
    for candidate in candidates:
        same = games.get(candidate.name)
        if same is not None and not _is_same(candidate, same):
            taken = f"there is already a game of that name, from {same.origin}"
            broken.append(Broken(candidate.name, candidate.origin, taken))
        elif isinstance(candidate, Broken):
            broken.append(candidate)
        elif same is None:
            games[candidate.name] = candidate
    return Homes(games, tuple(broken))


def _is_same(candidate: Home | Broken, other: Home) -> bool:
    return isinstance(candidate, Home) and candidate.folder.resolve() == other.folder.resolve()


def _shipped(rules: Path) -> Home:
    folder = rules.parent
    return Home(folder.name.replace("_", "-"), f"{SOLVER}.games.{folder.name}", folder)


def _of_a_package(point: EntryPoint) -> Home | Broken:
    name, module = point.name.replace("_", "-"), point.value.partition(":")[0].strip()
    origin = f"{point.dist.name} {point.dist.version}" if point.dist else module
    spec = spec_of(module)
    if spec is None or spec.origin is None:
        return Broken(name, origin, f"there is no module {module}")
    if module.rpartition(".")[2].replace("_", "-") != name:
        return Broken(name, origin, f"the module of {name} must be called {name.replace('-', '_')}, not {module}")
    return Home(name, module, Path(spec.origin).parent, origin=origin)


def _folders(path: Path) -> list[Path]:
    """The folder itself if it is a game, else the games in it."""
    inside = sorted(rules.parent for rules in path.glob(f"*/{RULES}"))
    return [path] if (path / RULES).is_file() or not inside else inside


def _of_a_folder(folder: Path) -> Home | Broken:
    name, module = folder.name.replace("_", "-"), folder.name.replace("-", "_")
    origin = str(folder)
    try:
        sources = [
            path for path in (folder / "__init__.py", folder / f"{module}.py", folder / "game.py") if path.is_file()
        ]
        problem = _unfit(folder, module, sources) or distrusted_code(folder)
    except (OSError, ValueError) as fault:
        problem = str(getattr(fault, "strerror", None) or fault)
    return (
        Broken(name, origin, problem)
        if problem
        else Home(name, module=module, folder=folder, source=sources[0], origin=origin)
    )


def _unfit(folder: Path, module: str, sources: list[Path]) -> str:
    """Why a folder is not a game that can be imported; empty if it is."""
    if not folder.is_dir():
        return "there is no such folder"
    if not (folder / RULES).is_file():
        return f"there is no {RULES} in it"
    if not sources:
        return f"there is no __init__.py, {module}.py or game.py in it"
    if not module.isidentifier():
        return f"{module!r} cannot be the name of a module"
    loaded = sys.modules.get(module)  # a plain folder on the path is a namespace package without origin
    other = loaded.__spec__ if loaded else importlib.util.find_spec(module)
    if other is not None and other.origin and Path(other.origin).resolve() != sources[0].resolve():
        return f"another module is called {module} ({other.origin}); give the folder another name"
    return ""


def find_game(name: str) -> Game:
    """A game by its name. The first use imports it, and with it the compiler."""
    place = home(name)
    if place.plain is not None:
        return place.plain[1]  # type: ignore[no-any-return]
    module = _import(place)
    game: Game = module.GAME
    return game


def _import(home: Home) -> ModuleType:
    """Imports the module that defines a game. An error in a user's game becomes one line with file and line."""
    if not home.is_outside:
        return importlib.import_module(home.module)
    try:
        if home.module not in sys.modules:
            about_to_run[home.module] = sources_of(home.folder)
        module = importlib.import_module(home.module) if home.source is None else _load(home.module, home.source)
        if not isinstance(getattr(module, "GAME", None), _game_class()):
            problem = "is not a game" if hasattr(module, "GAME") else "is missing"
            raise RulesError(f"{module.__file__}: GAME {problem}; write GAME = define(__name__)")
        return module
    except BaseException as fault:  # a game may also leave by SystemExit; only Ctrl-C is not its own
        if not isinstance(fault, Exception | SystemExit) and not _raised_in(fault, home.folder):
            raise
        sys.modules.pop(home.module, None)
        raise RulesError(f"{home.name} ({home.origin}): {fault_line(fault, home.folder)}") from fault


def _game_class() -> type:
    from houle.solver.interface.game import Game  # with the compiler, which a game imports too

    return Game


def _raised_in(fault: BaseException, folder: Path) -> bool:
    """Whether a file of the folder raised an error itself; Ctrl-C may come while any line runs."""
    last = traceback.extract_tb(fault.__traceback__)[-1]
    return not isinstance(fault, KeyboardInterrupt) and Path(last.filename).is_relative_to(folder)


def _load(module: str, source: Path) -> ModuleType:
    """Imports a module from its file under the name of its folder, without changing sys.path."""
    if module in sys.modules:
        return sys.modules[module]
    inside = [str(source.parent)] if source.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(module, source, submodule_search_locations=inside)
    if spec is None or spec.loader is None:
        raise ImportError(f"{source} cannot be imported")
    loaded = sys.modules[module] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def fault_line(fault: BaseException, folder: Path | None = None) -> str:
    """An error as one line, `file:line: message`, with the last line of the traceback inside the folder."""
    problem = " ".join(str(fault).split()) or type(fault).__name__
    if isinstance(fault, SyntaxError):
        return f"{fault.filename}:{fault.lineno}: {fault.msg}"
    places = [
        frame
        for frame in traceback.extract_tb(fault.__traceback__)
        if folder is not None and Path(frame.filename).is_relative_to(folder)
    ]
    where = f"{places[-1].filename}:{places[-1].lineno}: " if places else ""
    kind = "" if isinstance(fault, InputError) else f"{type(fault).__name__}: "
    moved = isinstance(fault, ImportError) and (fault.name or "").startswith("houle.")
    return f"{where}{kind}{problem}{'; import all that a game needs from houle.own_game' if moved else ''}"
