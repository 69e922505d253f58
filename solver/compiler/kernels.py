"""Compiled functions and their cache: `@kernel` for functions that kernels call, `@entry` for those that Python calls.

Kernels are compiled into the entries that use them (linking.py); only entries are cached on disk. numba's own cache
notices changes only in the file of the entry, so an edited rule would not take effect. Here an entry is cached in a
folder named after a digest of all sources it may depend on: the shared files of the solver and the files of the games
whose records appear in its signature.

Files without kernels are not in the digest, so an edit there compiles nothing. Files in the digest must not read
constants or call kernels from files outside it. tests/solver/test_kernel_sources.py checks this.
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
from typing import Any, TypeVar, cast

import llvmlite
import numba
from numba.core import config, types
from numba.core.typing.templates import AbstractTemplate, infer_global

from houle.solver.compiler import cache
from houle.solver.compiler.linking import ENTRY_PIPELINE, NEVER_INLINED, linked
from houle.solver.os_calls import user_id

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

# Sources in the digest: folders and files that all games share, and all files of a game's folder but these.
SHARED = ("cards", "compiler", "declared", "interface", "players", "run/playout", "run/tally")
PLAIN_OF_A_GAME = ("position", "words")

# Games outside this package, by their marker field: the folder or file of each (`define` fills this).
outside: dict[str, Path] = {}

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
    if parts[0] == "games":
        return len(parts) > 2 and parts[2] not in PLAIN_OF_A_GAME
    return parts[0] in SHARED or "/".join(parts) in SHARED


@lru_cache
def source_digest(games: tuple[str, ...]) -> str:
    """The digest of the solver's shared sources and of the named games, by their marker fields."""
    digest = hashlib.sha256()
    for path in sorted(SOLVER.rglob("*.py")):
        parts = path.relative_to(SOLVER).with_suffix("").parts
        if not counts(parts) or (parts[0] == "games" and parts[1] not in games):
            continue
        digest.update("/".join(parts).encode() + b"\0" + path.read_bytes() + b"\0")
    for game in games:
        # All files of such games count: nothing checks which of them kernels use.
        for path in _outside_sources(game):
            digest.update(game.encode() + b"\0" + path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _outside_sources(game: str) -> list[Path]:
    """The sources of a game outside this package; none for others."""
    if game not in outside:
        return []
    return sorted(outside[game].rglob("*.py")) if outside[game].is_dir() else [outside[game]]


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
    """What tells an entry from all others: its name and place, its source file and what it encloses."""
    code = function.__code__
    source = Path(code.co_filename)
    enclosed = tuple(cell.cell_contents for cell in function.__closure__ or ())
    contents = (code.co_code, source.read_bytes() if source.is_file() else b"", dumps(enclosed) if enclosed else b"")
    digests = [hashlib.sha256(content).hexdigest() for content in contents]
    return [f"{function.__module__}.{function.__qualname__}:{code.co_firstlineno}", *digests]


def _target(codegen: Any) -> list[str]:
    """What kernels are compiled for and with: system, CPU, versions, and settings that change the code."""
    settings = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT)
    versions = (str(sys.implementation.cache_tag), numba.__version__, llvmlite.__version__)
    return [*map(str, codegen.magic_tuple()), *versions, *map(str, settings)]
