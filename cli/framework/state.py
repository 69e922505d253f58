"""The folder for what houle remembers between runs."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path:
    """Where houle keeps what it must remember between runs: HOULE_STATE_DIR, or the user's state folder."""
    if chosen := os.environ.get("HOULE_STATE_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")) / "houle"
