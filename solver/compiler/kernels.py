"""Compiled functions and their cache: `@kernel` for functions that kernels call, `@entry` for those that Python calls.

Kernels are compiled into the entries that use them (linking.py); only entries are cached on disk. numba's own cache
notices changes only in the file of the entry, so an edited rule would not take effect. Here an entry is cached in a
folder named after a digest of all sources it may depend on: the shared files of the solver and the files of the games
whose records appear in its signature (sources.py).

The digest is that of the syntax, so an edited comment or docstring compiles nothing. Files that cannot change a kernel
are not in it. Files in the digest must not read constants or call kernels from files outside it, and what generates or
chooses kernels is in it. tests/solver/test_kernel_sources.py checks this.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any, TypeVar, cast

import llvmlite
import numba
from numba.core import config, types
from numba.core.typing.templates import AbstractTemplate, infer_global

from houle.solver.compiler import cache
from houle.solver.compiler.linking import ENTRY_PIPELINE, NEVER_INLINED, linked
from houle.solver.os_calls import user_id
from houle.solver.sources import digest_of, kernel_syntax, outside, syntax

try:  # private names of numba: without them nothing is cached on disk
    from numba.core.compiler import CompileResult
    from numba.core.serialize import dumps

    _reduce, _rebuild = CompileResult._reduce, CompileResult._rebuild
except (ImportError, AttributeError) as fault:
    MOVED = f"{fault}; every run compiles again"
else:
    MOVED = ""

F = TypeVar("F", bound=Callable[..., Any])

SETTINGS = ".numba_config.yaml"  # numba reads it in the current folder
JIT: bool = not config.DISABLE_JIT
if not JIT and "NUMBA_DISABLE_JIT" not in os.environ and os.path.isfile(SETTINGS):
    warnings.warn(f"{SETTINGS} in the current folder switches the compiler off, so games are slow", stacklevel=2)
SOLVER = Path(__file__).parent.parent
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
NO_COUNTING: dict[str, Any] = {"_nrt": False}  # no reference counting of arrays: it costs a quarter of a search
UNUSED_DAYS = 30

# Sources in the digest: folders and files that all games share, without these, and all files of a game's folder but its
# texts.
SHARED = ("cards", "compiler", "declared", "games/defining", "interface", "players", "run/playout", "run/tally")
WITHOUT_KERNELS = ("interface/files", "players/names", "players/player", "players/weights")
TEXTS_OF_A_GAME = ("position", "words")
DIGESTS = "digests"  # the folder of digests of syntax, by the digests of the files

# Called with (entry, game) just before an entry is compiled; the command line prints a progress line.
announce: list[Callable[[str, str], None]] = []


def kernel(function: F) -> F:
    """A compiled function that other kernels call. It is always inlined: a call costs as much as a turn of a game."""
    return cast(F, linked(function, **OPTIONS, **NO_COUNTING, forceinline=True) if JIT else function)


def outlined(function: F) -> F:
    """A kernel that is called instead of inlined: for large functions that run seldom, to save compilation.

    `forceinline=False` is explicit, because numba passes `forceinline` on to everything that an inlined kernel calls.
    A search would become one function of 60,000 lines, which takes four times as long to compile.
    """
    return cast(F, linked(function, **OPTIONS, **NO_COUNTING, forceinline=False) if JIT else function)


def never_inline(function: F) -> F:
    """A kernel that is never inlined, even if it is called in only one place.

    The code of readers, inlined into every decision, made searches that do not read a tenth slower.
    """
    NEVER_INLINED.add(function.__name__)
    return outlined(function)


def stands_for(plain: Callable[..., Any], pick: Callable[..., Any]) -> None:
    """Where kernels call `plain`, the kernel runs that `pick` returns for the types of the arguments.

    An overload would do, but it is one more kernel to compile for each function.
    """

    class Picked(AbstractTemplate):  # type: ignore[misc]
        key = plain

        def generic(self, arguments: Any, named: Any) -> Any:
            chosen = pick(*arguments)
            self.context.refresh()  # it may have been made just now
            picked = self.context.resolve_value_type(chosen)
            signature = picked.get_call_type(self.context, arguments, named)
            self.found = picked.get_impl_key(signature)
            return signature

        def get_impl_key(self, signature: Any) -> Any:
            return self.found

    infer_global(plain, types.Function(Picked))


def entry(function: F) -> F:
    """A compiled function that Python calls. It releases the GIL and is cached on disk."""
    dispatcher = numba.njit(pipeline_class=ENTRY_PIPELINE, no_cfunc_wrapper=True, **OPTIONS, **NO_COUNTING)(function)
    if JIT:
        dispatcher._cache = SourceCache(function)
    return cast(F, dispatcher)


def cache_root() -> Path:
    """The folder of compiled entries: HOULE_CACHE_DIR, else the user's cache directory."""
    if chosen := os.environ.get("HOULE_CACHE_DIR"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if base.startswith("~"):  # a user without a home
        base = os.path.join(tempfile.gettempdir(), f"cache-of-{user_id()}")
    return Path(base) / "houle" / "kernels"


def counts(parts: tuple[str, ...]) -> bool:
    """Whether a source is in the digest, by the parts of its path under solver/, without suffix."""
    if parts[0] == "games" and len(parts) > 2:
        return parts[2] not in TEXTS_OF_A_GAME
    return bool({parts[0], "/".join(parts)} & {*SHARED}) and "/".join(parts) not in WITHOUT_KERNELS


def source_digest(games: tuple[str, ...]) -> str:
    """The digest of the solver's shared sources and of the named games, by their marker fields."""
    own = {f"{game}: {name}": text for game in games if game in outside for name, text in _own_syntax(game).items()}
    return digest_of({"": _shipped_digest(tuple(game for game in games if game not in outside)).encode(), **own})


def _own_syntax(game: str) -> dict[str, bytes]:
    return kernel_syntax(outside[game])


@lru_cache
def _shipped_digest(games: tuple[str, ...]) -> str:
    """The digest of shared sources and of games of this package. Parsing takes a fifth of a second, so it is kept."""
    parts = {path: path.relative_to(SOLVER).with_suffix("").parts for path in SOLVER.rglob("*.py")}
    sources = {
        "/".join(place): path.read_bytes()
        for path, place in parts.items()
        if counts(place) and not (place[0] == "games" and len(place) > 2 and place[1] not in games)
    }
    key, folder = digest_of(sources), cache_root() / DIGESTS
    file = cache.file_of(folder, DIGESTS, key) if cache.make_private(cache_root(), folder) else None
    found = cache.load(file, key) if file is not None else None
    if found is None:
        found = digest_of({name: syntax(content) for name, content in sources.items()})
        if file is not None:
            cache.save(file, key, found)
    return str(found)


def _arguments(signature: Any) -> tuple[Any, ...]:
    return signature if isinstance(signature, tuple) else tuple(signature.args)


def _games_in(signature: Any) -> tuple[str, ...]:
    """The games of a signature: every STATE and RULES record has a marker field named after its game."""
    known = {path.parent.name for path in SOLVER.glob("games/*/__init__.py")} | outside.keys()
    games = set()
    for argument in _arguments(signature):
        record = argument.dtype if isinstance(argument, types.Array) else argument
        if isinstance(record, types.Record):
            games |= known & set(record.fields)
    return tuple(sorted(games))


def mark_of(game: str, name: str) -> Path:
    """A file beside the kernels of a game, by its marker field. It says that a part of them is compiled."""
    return cache_root() / f"{game}-{source_digest((game,))}" / name


def _remove_unused(root: Path, keep: Path) -> None:
    """Removes folders that no process has used for a month. Races with other processes are harmless."""
    horizon = time.time() - UNUSED_DAYS * 86_400
    for folder in root.iterdir():
        if folder != keep and folder.is_dir() and folder.stat().st_mtime < horizon:
            shutil.rmtree(folder, ignore_errors=True)


class SourceCache:
    """The cache of an entry's dispatcher: finds the folder of each signature by the digest of its sources."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.folders: dict[str, Path] = {}  # that exist

    @property
    def cache_path(self) -> str:
        return str(cache_root())

    def _folder(self, signature: Any) -> Path | None:
        """The folder of a signature; None where there can be none."""
        games = _games_in(signature)
        name = "-".join((*games, source_digest(games)))
        if name not in self.folders:
            path = cache_root() / name
            first_visit = not os.path.exists(path)
            if MOVED:
                cache.without(cache_root(), MOVED)
                return None
            if not cache.make_private(cache_root(), path):
                return None
            if first_visit:
                _remove_unused(cache_root(), path)
            self.folders[name] = path
        return self.folders[name]

    def _place(self, signature: Any, codegen: Any) -> tuple[Path, str] | None:
        """The file of a signature and the key of its kernel; None without a folder."""
        folder = self._folder(signature)
        if folder is None:
            return None
        arguments = list(map(str, _arguments(signature)))
        key = json.dumps([folder.name, *_identity(self.function), arguments, *_target(codegen)])
        return cache.file_of(folder, self.function.__name__, key), key

    def load_overload(self, signature: Any, context: Any) -> Any:
        context.refresh()  # as numba does: what was registered since must be known to the kernel
        place = self._place(signature, context.codegen())
        parts = cache.load(*place) if place else None
        if parts is not None:
            return _rebuild(context, *parts)
        for listener in announce:
            listener(self.function.__name__, "+".join(_games_in(signature)))
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        if compiled.library.has_dynamic_globals:
            return  # it contains addresses of this process
        if place := self._place(signature, compiled.codegen):
            cache.save(*place, _reduce(compiled))

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...


def _identity(function: Any) -> list[str]:
    """What tells an entry from all others: its name, its source file, its code and what it encloses."""
    code = function.__code__
    named = [one.co_code if isinstance(one, CodeType) else one for one in code.co_consts if one != function.__doc__]
    enclosed = tuple(cell.cell_contents for cell in function.__closure__ or ())
    source, names = _syntax_of(code.co_filename), repr((code.co_names, named)).encode()
    contents = (source, code.co_code, names, dumps(enclosed) if enclosed else b"")
    digests = [hashlib.sha256(content).hexdigest() for content in contents]
    return [f"{function.__module__}.{function.__qualname__}", *digests]


@lru_cache
def _syntax_of(file: str) -> bytes:
    return syntax(Path(file).read_bytes()) if os.path.isfile(file) else b""


def _target(codegen: Any) -> list[str]:
    """What kernels are compiled for and with: system, CPU, versions, and settings that change the code."""
    settings = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT)
    versions = (str(sys.implementation.cache_tag), numba.__version__, llvmlite.__version__)
    return [*map(str, codegen.magic_tuple()), *versions, *map(str, settings)]
