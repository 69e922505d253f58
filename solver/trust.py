"""Which code is trusted: a folder is used only if no other user can have written to it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from houle.solver.portable import user_id

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def distrust(path: str, facts: os.stat_result) -> str:
    """Why another user may have written a file or folder; empty if nobody can have."""
    user = user_id()
    if user is None:  # Windows: other users cannot write to a user's folders by default
        return ""
    if facts.st_uid != user:
        return f"{path} belongs to another user"
    if stat.S_ISLNK(facts.st_mode):
        return f"{path} is a link"
    return f"others may write to {path}; use chmod go-w" if facts.st_mode & OTHERS_WRITE else ""


def replaceable(parent: Path) -> str:
    """Why another user could replace a folder of ours by theirs: by a folder above it that is theirs or open to them.

    Nobody can in a sticky folder such as /tmp. Folders of the system's administrator are trusted.
    """
    user = user_id()
    if user is None:  # Windows, see distrust
        return ""
    for folder in (parent.resolve(), *parent.resolve().parents):
        facts = folder.stat()
        if facts.st_uid not in (0, user):
            return f"{folder} belongs to another user"
        if facts.st_mode & OTHERS_WRITE and not facts.st_mode & stat.S_ISVTX:
            return f"others may write to {folder}; use chmod go-w"
    return ""


def distrusted_code(folder: Path) -> str:
    """Why another user may have written code in a folder; hidden folders are ignored."""
    problem = replaceable(folder.parent) or distrust(str(folder), folder.stat())
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in (*folders, *files):
            path = os.path.join(place, name)
            problem = problem or distrust(path, os.lstat(path))
    return problem
