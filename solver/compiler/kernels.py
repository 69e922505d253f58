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
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config, types
from numba.extending import overload

from houle.solver.compiler import cache
from houle.solver.compiler.linking import ENTRY_PIPELINE, NEVER_INLINED, PIPELINE, POSSIBLE, directly, linked
from houle.solver.portable import user_id

try:  # private names of numba: without them nothing is cached on disk
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
except ImportError as fault:
    MOVED = f"{fault}; every run compiles again"
    CompileResultCacheImpl = FunctionCache = _CacheLocator = object
else:
    MOVED = ""

F = TypeVar("F", bound=Callable[..., Any])

JIT: bool = not config.DISABLE_JIT
SOLVER = Path(__file__).parent.parent
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
NO_COUNTING: dict[str, Any] = {"_nrt": False}  # no reference counting of arrays: it costs a quarter of a search
UNUSED_DAYS = 30

# Sources in the digest: folders and files that all games share, and all files of a game's folder but these.
SHARED = ("compiler", "interface", "players", "run/batch", "run/playout", "run/tally")
PLAIN_OF_A_GAME = ("opening", "text", "view")

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


def stands_for(plain: Callable[..., Any], choose: Callable[[Any], Any] | None = None) -> Callable[[F], F]:
    """Decorator: the function picks, by the types of its arguments, the kernel that runs where kernels call `plain`.

    Where it only calls one kernel, `choose` finds that by the type of the first argument, which saves compilation.
    """
    options = {**OPTIONS, **NO_COUNTING, "forceinline": True, "pipeline_class": PIPELINE}
    if choose is None or not POSSIBLE:
        return cast(Callable[[F], F], overload(plain, jit_options=options))
    return lambda overloaded: directly(plain, overloaded, choose, options)


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


def _games_in(signature: Any) -> tuple[str, ...]:
    """The games of a signature: every STATE and RULES record has a marker field named after its game."""
    known = {path.parent.name for path in SOLVER.glob("games/*/__init__.py")} | outside.keys()
    games = set()
    for argument in signature if isinstance(signature, tuple) else signature.args:
        record = argument.dtype if isinstance(argument, types.Array) else argument
        if isinstance(record, types.Record):
            games |= known & set(record.fields)
    return tuple(sorted(games))


def _remove_unused(root: Path, keep: Path) -> None:
    """Removes folders that no process has used for a month. Races with other processes are harmless."""
    horizon = time.time() - UNUSED_DAYS * 86_400
    for folder in root.iterdir():
        if folder != keep and folder.is_dir() and folder.stat().st_mtime < horizon:
            shutil.rmtree(folder, ignore_errors=True)


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Tells numba which folder holds an entry. The folder's name ensures that it is up to date."""

    def __init__(self, folder: Path, line: int) -> None:
        self.folder, self.line = folder, line

    def get_cache_path(self) -> str:
        return str(self.folder)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return str(self.line)

    @classmethod
    def from_function(cls, function: Any, path: str) -> _Locator:
        return cls(_Folder.opening, function.__code__.co_firstlineno)


class _Impl(CompileResultCacheImpl):  # type: ignore[misc]
    """Seals compiled code on disk with a checksum: a damaged file would otherwise run as machine code."""

    _locator_classes = (_Locator,)

    def reduce(self, result: Any) -> Any:
        return cache.sealed(super().reduce(result))

    def rebuild(self, context: Any, payload: Any) -> Any:
        return super().rebuild(context, cache.opened(payload))


class _Folder(FunctionCache):  # type: ignore[misc]
    """numba's cache of one function, in one of our folders."""

    _impl_class = _Impl
    opening = Path()  # read by the locator, which numba constructs without arguments

    def __init__(self, function: Any, folder: Path) -> None:
        _Folder.opening = folder
        super().__init__(function)


class SourceCache:
    """The cache of an entry's dispatcher: finds the folder of each signature by the digest of its sources."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.folders: dict[str, _Folder] = {}

    @property
    def cache_path(self) -> str:
        return str(cache_root())

    def _folder(self, signature: Any) -> _Folder | None:
        """The folder of a signature; None where the cache cannot be trusted."""
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
            self.folders[name] = _Folder(self.function, path)
        return self.folders[name]

    def load_overload(self, signature: Any, context: Any) -> Any:
        folder = self._folder(signature)
        compiled = cache.load(folder, signature, context) if folder else None
        if compiled is None:
            for listener in announce:
                listener(self.function.__name__, "+".join(_games_in(signature)))
        return compiled

    def save_overload(self, signature: Any, data: Any) -> None:
        folder = self._folder(signature)
        if folder:
            cache.save(folder, signature, data)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None:
        for folder in self.folders.values():
            folder.flush()
