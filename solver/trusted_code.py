"""Which code is trusted: only what no other user can have written; and how houle starts itself in a new process."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from houle.solver.os_calls import is_private_group, user_id
from houle.solver.sources import is_module, sources_of


def distrust(path: str, facts: os.stat_result) -> str:
    """Why another user may have written a file or folder; empty if nobody can have."""
    user = user_id()
    if user is None:  # Windows: other users cannot write to a user's folders by default
        return ""
    if facts.st_uid != user:
        return f"{path} belongs to another user"
    if stat.S_ISLNK(facts.st_mode):
        return f"{path} is a link"
    return f"others may write to {path}; use chmod go-w" if _others_write(facts) else ""


def _others_write(facts: os.stat_result) -> bool:
    """Whether other users may write. Many systems give each user a group of their own, which may."""
    return bool(facts.st_mode & stat.S_IWOTH) or (
        bool(facts.st_mode & stat.S_IWGRP) and not is_private_group(facts.st_gid)
    )


def replaceable(path: Path) -> str:
    """Why another user could put something else in the place of a path: by a folder or link on the way to it.

    Nobody can in a sticky folder such as /tmp. Folders of the system's administrator are trusted.
    """
    user = user_id()
    if user is None:  # Windows, see distrust
        return ""
    for place in _way_to(path):
        facts = place.lstat()
        if facts.st_uid not in (0, user):
            return f"{place} belongs to another user"
        if stat.S_ISDIR(facts.st_mode) and _others_write(facts) and not facts.st_mode & stat.S_ISVTX:
            return f"others may write to {place}; use chmod go-w"
    return ""


def _way_to(path: Path) -> Iterator[Path]:
    """Every folder and link that the system passes on the way to a path, also behind links."""
    whole = Path.cwd() / path
    here, names = Path(whole.anchor), list(reversed(whole.parts[1:]))
    while names:
        yield here
        name = names.pop()
        if (here / name).is_symlink():
            yield here / name
            target = Path(os.readlink(here / name))
            here = Path(target.anchor) if target.is_absolute() else here
            names += reversed(target.parts[1:] if target.is_absolute() else target.parts)
        else:
            here = here / name


def distrusted_code(place: Path) -> str:
    """Why another user may have written code: in a folder, or in a file and the modules beside it that it imports.

    Hidden folders are ignored.
    """
    if place.is_dir():
        return replaceable(place) or distrust(str(place), place.lstat()) or _distrusted_inside(place)
    file = place.resolve()
    modules = {file, *(file.parent / name for name in sources_of(file) if is_module(name))}
    folders = {above for module in modules for above in module.parents if above.is_relative_to(file.parent)}
    problems = (distrust(str(path), path.stat()) for path in sorted(folders | modules))
    return replaceable(place) or next(filter(None, problems), "")


def _distrusted_inside(folder: Path) -> str:
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in (*folders, *files):
            path = os.path.join(place, name)
            if problem := distrust(path, os.lstat(path)):
                return problem
    return ""


def python_module(module: str, *words: str) -> list[str]:
    """The command that runs a module of houle in a new process.

    -P keeps the current folder out of its path: a file there called json.py would run instead of Python's own.
    """
    return [sys.executable, "-P", "-m", module, *words]
