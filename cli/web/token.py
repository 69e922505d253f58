"""The secret token of local pages. It is kept, so that a server that is started again has the same address."""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path

from houle.cli.framework.streams import complain
from houle.solver.errors import InputError
from houle.solver.trusted_code import distrust

VARIABLE = "HOULE_TOKEN"
ALLOWED = re.compile(r"[A-Za-z0-9_-]{16,64}")
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def state_folder() -> Path:
    """Where houle keeps what it must remember between runs: HOULE_STATE_DIR, or the user's state folder."""
    if chosen := os.environ.get("HOULE_STATE_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")) / "houle"


def kept_token() -> str:
    """The token of HOULE_TOKEN, or that of the user's state folder; a new one if there is none."""
    given = os.environ.get(VARIABLE, "")
    if given and not ALLOWED.fullmatch(given):
        raise InputError(f"{VARIABLE}: not allowed; allowed: 16 to 64 letters, digits, - or _")
    if given:
        return given
    new = secrets.token_urlsafe(16)
    file = state_folder() / "token"
    try:
        return _read(file) or _write(file, new)
    except (OSError, ValueError) as fault:
        complain(f"the address is new this time: {file}: {getattr(fault, 'strerror', None) or fault}")
        return new


def _read(file: Path) -> str:
    """The token in a file that only this user can read; empty if there is none."""
    try:
        facts = os.lstat(file)
    except FileNotFoundError:
        return ""
    if problem := distrust(str(file), facts):
        raise ValueError(problem)
    word = file.read_text(encoding="ascii", errors="replace").strip()
    # Make a new token if others could read this one, or if the file does not hold a token.
    if facts.st_mode & OTHERS or not ALLOWED.fullmatch(word):
        file.unlink()
        return ""
    return word


def _write(file: Path, word: str) -> str:
    file.parent.mkdir(0o700, parents=True, exist_ok=True)
    try:
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:  # another server has just written its own
        return _read(file) or word
    with os.fdopen(opened, "w", encoding="ascii") as written:
        written.write(f"{word}\n")
    return word
