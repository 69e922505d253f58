"""The one door to numba: `@kernel` for compiled functions, `@entry` for those Python calls.

A kernel is compiled into whichever entry uses it (see linking.py); only entries are kept on disk. numba's own cache
notices changes in a kernel's own file alone, so an edited rule would silently run as it was. Here an entry
is kept in a folder named after a digest of every source it can be made from: the shared files of the solver
and the files of the games whose records appear in its signature. Change a rule and the folder's name changes.

Files that hold no kernel and feed none are left out of that digest, so that another wording compiles nothing anew. What
feeds a kernel is what it calls and the constants it reads, which are frozen into it; what is passed to an entry at run
time (rules, weights, decks) is not. So a file that counts may use names from one that is left out in plain functions
alone: never in a kernel, never for a constant, and never through a function that a constant is made with.
tests/solver/test_kernel_sources.py reads the sources and fails where one does.
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

from houle.solver import kernel_cache
from houle.solver.linking import ENTRY_PIPELINE, NEVER_INLINED, PIPELINE, linked

try:  # names that numba does not promise to keep: without them nothing is kept on disk
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
except ImportError as fault:
    MOVED = f"{fault}; entries are compiled anew in every run"
    CompileResultCacheImpl = FunctionCache = _CacheLocator = object
else:
    MOVED = ""

F = TypeVar("F", bound=Callable[..., Any])

JIT: bool = not config.DISABLE_JIT
SOLVER = Path(__file__).parent
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
NO_COUNTING: dict[str, Any] = {"_nrt": False}  # arrays are not counted by references, which costs a search a quarter
UNUSED_DAYS = 30

# Sources without kernels that feed none, see above: shared files and folders of the solver, and files of a game.
PLAIN = ("definition", "end_reader", "invariants", "opening", "record", "ruleset", "run", "views")
PLAIN_OF_A_GAME = ("opening", "text", "view")

# Games that live elsewhere, by the names that mark their records: the folder or the file of each (`define`).
outside: dict[str, Path] = {}

# Called with (entry, game) just before an entry is compiled; the command line hangs its progress line here.
announce: list[Callable[[str, str], None]] = []


def kernel(function: F) -> F:
    """A compiled function that other kernels call, always inlined: a call costs as much as a turn of a game."""
    return cast(F, linked(function, **OPTIONS, **NO_COUNTING, forceinline=True) if JIT else function)


def outlined(function: F) -> F:
    """A kernel kept as a call of its own: for what is large and seldom runs, to spare compilation and code.

    Said in so many words, because numba hands `forceinline` on to all that an inlined kernel calls; a search would be
    one function of 60,000 lines, which takes the compiler four times as long.
    """
    return cast(F, linked(function, **OPTIONS, **NO_COUNTING, forceinline=False) if JIT else function)


def never_inline(function: F) -> F:
    """A kernel that is never inlined: the compiler inlines what is called in one place, however seldom that runs.

    Readers' code inside every decision of a search made the decisions of those who do not read a tenth slower.
    """
    NEVER_INLINED.add(function.__name__)
    return outlined(function)


def stands_for(plain: Callable[..., Any]) -> Callable[[F], F]:
    """Decorates what chooses, by the types of its arguments, the kernel that is called where kernels call `plain`."""
    options = {**OPTIONS, **NO_COUNTING, "forceinline": True, "pipeline_class": PIPELINE}
    return cast(Callable[[F], F], overload(plain, jit_options=options))


def entry(function: F) -> F:
    """A compiled function that Python calls: releases the GIL and is kept in the disk cache."""
    dispatcher = numba.njit(pipeline_class=ENTRY_PIPELINE, **OPTIONS, **NO_COUNTING)(function)
    if JIT:
        dispatcher._cache = SourceCache(function)
    return cast(F, dispatcher)


def cache_root() -> Path:
    """Where compiled entries live: HOULE_CACHE_DIR, else the user's cache directory."""
    if chosen := os.environ.get("HOULE_CACHE_DIR"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if base.startswith("~"):  # a user without a home
        base = os.path.join(tempfile.gettempdir(), f"cache-of-{os.getuid()}")
    return Path(base) / "houle" / "kernels"


def counts(parts: tuple[str, ...]) -> bool:
    """Whether a source, by the parts of its path under the solver and without suffix, can be part of a kernel."""
    if parts[0] == "games" and len(parts) > 2:
        return parts[2] not in PLAIN_OF_A_GAME
    return parts[0] not in PLAIN


@lru_cache
def source_digest(games: tuple[str, ...]) -> str:
    """Digest of the solver's shared sources and those of the named games, by the names that mark their records."""
    digest = hashlib.sha256()
    for path in sorted(SOLVER.rglob("*.py")):
        parts = path.relative_to(SOLVER).with_suffix("").parts
        if not counts(parts) or (parts[0] == "games" and len(parts) > 1 and parts[1] not in (*games, "__init__")):
            continue
        digest.update("/".join(parts).encode() + b"\0" + path.read_bytes() + b"\0")
    for game in games:
        # All of their files count: nobody has read them for what feeds a kernel.
        for path in _outside_sources(game):
            digest.update(game.encode() + b"\0" + path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _outside_sources(game: str) -> list[Path]:
    """The sources of a game that lives elsewhere; none for one of the house."""
    if game not in outside:
        return []
    return sorted(outside[game].rglob("*.py")) if outside[game].is_dir() else [outside[game]]


def _games_in(signature: Any) -> tuple[str, ...]:
    """Every STATE and RULES record has a field named after its game: that is how a signature tells its games."""
    known = {path.stem for path in (SOLVER / "games").iterdir()} | outside.keys()
    found = set()
    for argument in signature if isinstance(signature, tuple) else signature.args:
        record = argument.dtype if isinstance(argument, types.Array) else argument
        if isinstance(record, types.Record):
            found |= known & set(record.fields)
    return tuple(sorted(found))


def _remove_unused(root: Path, keep: Path) -> None:
    """Removes folders that no process has opened for a month; races with other processes are harmless."""
    horizon = time.time() - UNUSED_DAYS * 86_400
    for folder in root.iterdir():
        if folder != keep and folder.is_dir() and folder.stat().st_mtime < horizon:
            shutil.rmtree(folder, ignore_errors=True)


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Tells numba which folder holds an entry; freshness is in the folder's name."""

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
    """Compiled code goes to disk sealed: a file that was damaged would run as machine code all the same."""

    _locator_classes = (_Locator,)

    def reduce(self, result: Any) -> Any:
        return kernel_cache.sealed(super().reduce(result))

    def rebuild(self, context: Any, payload: Any) -> Any:
        return super().rebuild(context, kernel_cache.opened(payload))


class _Folder(FunctionCache):  # type: ignore[misc]
    """numba's cache of one function, in one folder of ours."""

    _impl_class = _Impl
    opening = Path()  # handed to the locator, which numba constructs without arguments

    def __init__(self, function: Any, folder: Path) -> None:
        _Folder.opening = folder
        super().__init__(function)


class SourceCache:
    """What an entry's dispatcher asks for compiled code: routes every signature to its digest's folder."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.folders: dict[str, _Folder] = {}

    @property
    def cache_path(self) -> str:
        return str(cache_root())

    def _folder(self, signature: Any) -> _Folder | None:
        """The folder of a signature; none where there is no cache that can be trusted."""
        games = _games_in(signature)
        name = "-".join((*games, source_digest(games)))
        if name not in self.folders:
            path = cache_root() / name
            first_visit = not os.path.exists(path)
            if MOVED:
                kernel_cache.without(cache_root(), MOVED)
                return None
            if not kernel_cache.make_private(cache_root(), path):
                return None
            if first_visit:
                _remove_unused(cache_root(), path)
            self.folders[name] = _Folder(self.function, path)
        return self.folders[name]

    def load_overload(self, signature: Any, context: Any) -> Any:
        folder = self._folder(signature)
        found = kernel_cache.load(folder, signature, context) if folder else None
        if found is None:
            for listener in announce:
                listener(self.function.__name__, "+".join(_games_in(signature)))
        return found

    def save_overload(self, signature: Any, data: Any) -> None:
        folder = self._folder(signature)
        if folder:
            kernel_cache.save(folder, signature, data)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None:
        for folder in self.folders.values():
            folder.flush()
