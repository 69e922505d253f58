"""Compiled code on disk is code: which folders may be used for it, and what is done about damaged files.

numba unpickles what it finds in its cache, and an unpickled file may run anything. So a folder is used only where
nobody but this user can have put a file; otherwise one warning says why, and entries are compiled anew. What is used
was sealed when it was written, so that a damaged file is compiled again instead of run.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

from houle.solver.ruleset.trust import distrust, replaceable

PRIVATE = 0o700

_warned: set[str] = set()


def make_private(root: Path, folder: Path) -> bool:
    """Makes root and folder for this user alone where they are missing; whether both can be trusted and used."""
    try:
        root.parent.mkdir(PRIVATE, parents=True, exist_ok=True)
        problem = replaceable(root.parent)
        for path in (root, folder):
            path.mkdir(PRIVATE, exist_ok=True)
            problem = problem or distrust(str(path), path.stat())
        os.utime(folder)
        with os.scandir(folder) as files:
            for file in files:
                with suppress(FileNotFoundError):  # another process has just put it in its place
                    problem = problem or distrust(file.path, file.stat(follow_symlinks=False))
    except (OSError, ValueError) as fault:
        problem = f"{root}: {getattr(fault, 'strerror', None) or fault}"
    return without(root, problem) if problem else True


def without(root: Path, problem: str) -> bool:
    """Says once why there is no cache."""
    if str(root) not in _warned:
        _warned.add(str(root))
        warnings.warn(f"compiled code is not kept: {problem}", stacklevel=2)
    return False


def sealed(parts: Any) -> tuple[str, bytes]:
    """What numba would keep of a compiled entry, with a digest."""
    from numba.core.serialize import dumps  # a name that numba does not promise to keep

    content = dumps(parts)
    return hashlib.sha256(content).hexdigest(), content


def opened(payload: tuple[str, bytes]) -> Any:
    """What was sealed; a ValueError where it was damaged since."""
    seal, content = payload
    if hashlib.sha256(content).hexdigest() != seal:
        raise ValueError("damaged since it was written")
    return pickle.loads(content)


def load(folder: Any, signature: Any, context: Any) -> Any:
    """numba's `load_overload`; None, as for an entry that is not there, where the files are damaged."""
    try:
        return folder.load_overload(signature, context)
    except Exception:  # a damaged pickle may fail in any way
        with suppress(OSError):
            folder.flush()  # numba reads a damaged index again before it writes
        return None


def save(folder: Any, signature: Any, data: Any) -> None:
    """numba's `save_overload`; a full disk costs the next run its time, nothing else."""
    try:
        folder.save_overload(signature, data)
    except (OSError, EOFError, pickle.UnpicklingError) as fault:
        without(Path(folder.cache_path), f"{folder.cache_path}: {fault}")
