"""Whose files are run: folders with code are used only where nobody but this user can have put a file into them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def distrust(path: str, facts: os.stat_result) -> str:
    """Why a file or folder may hold what another user wrote; empty where it cannot."""
    if not hasattr(os, "getuid"):  # Windows: a user's own folders are closed to others unless they were opened
        return ""
    if facts.st_uid != os.getuid():
        return f"{path} belongs to another user"
    if stat.S_ISLNK(facts.st_mode):
        return f"{path} is a link"
    return f"others may write to {path}; chmod go-w closes it" if facts.st_mode & OTHERS_WRITE else ""


def replaceable(parent: Path) -> str:
    """Why another user might put a folder of theirs in the place of ours; in a sticky folder, as /tmp, nobody can."""
    mode = parent.stat().st_mode
    open_to_all = hasattr(os, "getuid") and mode & OTHERS_WRITE and not mode & stat.S_ISVTX
    return f"others may write to {parent}; chmod go-w closes it" if open_to_all else ""


def distrusted_code(folder: Path) -> str:
    """Why a folder whose code is to be run may hold what another user wrote; hidden folders are no part of it."""
    problem = replaceable(folder.parent) or distrust(str(folder), folder.stat())
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in (*folders, *files):
            path = os.path.join(place, name)
            problem = problem or distrust(path, os.lstat(path))
    return problem
