"""Safety of the cache of compiled code: which folders are trusted, and how damaged files are handled.

numba unpickles the files of its cache, and unpickling can run any code. So a folder is used only if no other user can
have written to it; otherwise one warning says why, and nothing is cached. Files carry a checksum: a damaged file is
compiled again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

from houle.solver.trust import distrust, replaceable

PRIVATE = 0o700

_warned: set[str] = set()


def make_private(root: Path, folder: Path) -> bool:
    """Creates root and folder for this user only, if missing; returns whether both can be trusted."""
    try:
        root.parent.mkdir(PRIVATE, parents=True, exist_ok=True)
        problem = replaceable(root.parent)
        for path in (root, folder):
            path.mkdir(PRIVATE, exist_ok=True)
            problem = problem or distrust(str(path), path.stat())
        os.utime(folder)
        with os.scandir(folder) as files:
            for file in files:
                with suppress(FileNotFoundError):  # another process has just replaced it
                    problem = problem or distrust(file.path, file.stat(follow_symlinks=False))
    except (OSError, ValueError) as fault:
        problem = f"{root}: {getattr(fault, 'strerror', None) or fault}"
    return without(root, problem) if problem else True


def without(root: Path, problem: str) -> bool:
    """Warns once why there is no cache; returns False."""
    if str(root) not in _warned:
        _warned.add(str(root))
        warnings.warn(f"compiled code is not cached: {problem}", stacklevel=2)
    return False


def sealed(parts: Any) -> tuple[str, bytes]:
    """The data that numba stores of a compiled entry, with a checksum."""
    from numba.core.serialize import dumps  # a private name of numba

    content = dumps(parts)
    return hashlib.sha256(content).hexdigest(), content


def opened(payload: tuple[str, bytes]) -> Any:
    """The data of `sealed`; ValueError if it was damaged."""
    seal, content = payload
    if hashlib.sha256(content).hexdigest() != seal:
        raise ValueError("damaged since it was written")
    return pickle.loads(content)


def load(folder: Any, signature: Any, context: Any) -> Any:
    """numba's `load_overload`; None if the files are missing or damaged."""
    try:
        return folder.load_overload(signature, context)
    except Exception:  # a damaged pickle may fail in any way
        with suppress(OSError):
            folder.flush()  # numba reads a damaged index again before it writes
        return None


def save(folder: Any, signature: Any, data: Any) -> None:
    """numba's `save_overload`; a failure only means that the next run compiles again."""
    try:
        folder.save_overload(signature, data)
    except (OSError, EOFError, pickle.UnpicklingError) as fault:
        without(Path(folder.cache_path), f"{folder.cache_path}: {fault}")
