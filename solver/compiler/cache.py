"""The files of the kernel cache, and how a file shows that it holds the right kernel.

Reading a kernel unpickles it, and unpickling can run any code. So only a plain file of this user that nobody else may
write is read. It holds one kernel: a checksum, then the key (what was compiled, for which arguments, CPU and versions),
then the kernel. Checksum and key are compared before anything is unpickled. Any other file is compiled again.

The name of a file is a digest of the key and files are replaced in one step, so two processes that save at the same
time need no lock: they write different files, or the same kernel.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import uuid
import warnings
from pathlib import Path
from typing import Any

import numba

from houle.solver.os_calls import READ_NO_LINK
from houle.solver.trusted_code import distrust

PRIVATE = 0o700
ENDING = ".kernel"

_warned: set[str] = set()


def make_private(root: Path, folder: Path) -> bool:
    """Creates root and folder for this user only, if missing; returns whether there are such folders."""
    try:
        root.parent.mkdir(PRIVATE, parents=True, exist_ok=True)
        root.mkdir(PRIVATE, exist_ok=True)
        folder.mkdir(PRIVATE, exist_ok=True)
        os.utime(folder)
    except (OSError, ValueError) as fault:
        return without(root, f"{root}: {getattr(fault, 'strerror', None) or fault}")
    return True


def without(root: Path, problem: str) -> bool:
    """Warns once why there is no cache; returns False."""
    if str(root) not in _warned:
        _warned.add(str(root))
        warnings.warn(f"compiled code is not cached: {problem}", stacklevel=2)
    return False


def file_of(folder: Path, name: str, key: str) -> Path:
    """The file of the kernel with this key."""
    return folder / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:24]}{ENDING}"


def sealed(key: str, parts: Any) -> bytes:
    """The content of a file: checksum, key (one line) and the parts of a compiled kernel."""
    content: bytes = key.encode() + b"\n" + numba.core.serialize.dumps(parts)  # a private name
    return hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def opened(data: bytes, key: str) -> Any:
    """The parts that `sealed` stored under this key; ValueError if the data is damaged or has another key."""
    seal, _, content = data.partition(b"\n")
    if hashlib.sha256(content).hexdigest().encode() != seal:
        raise ValueError("is damaged")
    stored, _, parts = content.partition(b"\n")
    if stored != key.encode():
        raise ValueError("holds another kernel")
    return pickle.loads(parts)


def load(path: Path, key: str) -> Any:
    """The parts of a stored kernel; None if there is no file, or a wrong one, which a warning names."""
    try:
        return opened(_content(path), key)
    except FileNotFoundError:
        return None
    except Exception as fault:  # a pickle may fail in any way
        problem = str(fault) if isinstance(fault, ValueError) else f"cannot be read ({fault})"
        warnings.warn(f"{path} {problem}; it is compiled again", stacklevel=2)
        return None


def _content(path: Path) -> bytes:
    """The content of a plain file that only this user can have written; ValueError for any other."""
    with open(os.open(path, READ_NO_LINK), "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise ValueError("is not a plain file")
        if distrust(str(path), facts):
            raise ValueError("may have been written by another user")
        return file.read()


def save(path: Path, key: str, parts: Any) -> None:
    """Stores the parts of a kernel; a failure only means that the next run compiles again."""
    beside = path.with_name(f".{uuid.uuid4().hex[:12]}")
    try:
        try:
            with open(beside, "xb", opener=_private) as file:
                file.write(sealed(key, parts))
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as fault:
        without(path.parent, f"{path.parent}: {fault.strerror or fault}")


def _private(path: str, flags: int) -> int:
    """Opens a file for this user only, whatever the umask: one that others may write would stop the cache."""
    return os.open(path, flags, 0o600)
