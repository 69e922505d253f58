"""What houle remembers between runs, in the user's state folder: how long it takes to compile a game."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from houle.cli.framework.text import duration

FILE = "compile-seconds.json"
ALL, QUICK, SEARCH = "", " quick", " search"  # which kernels of a game: all, without searches, only searches
USUAL = {ALL: 60.0, QUICK: 20.0, SEARCH: 40.0}  # seconds, until some were compiled on this machine


def state_folder() -> Path:
    """Where houle keeps what it must remember between runs: HOULE_STATE_DIR, or the user's state folder."""
    if chosen := os.environ.get("HOULE_STATE_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")) / "houle"


def _seconds() -> dict[str, float]:
    try:
        data = json.loads((state_folder() / FILE).read_text(encoding="utf-8"))
        return {str(game): float(seconds) for game, seconds in data.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def usual_seconds(game: str, kernels: str = ALL) -> float:
    """How long it takes to compile kernels of a game: as long as last time, or as those of the others took."""
    known = _seconds()
    others = [seconds for name, seconds in known.items() if (name.endswith(kernels) if kernels else " " not in name)]
    return known.get(game + kernels) or (sum(others) / len(others) if others else USUAL[kernels])


def note_seconds(game: str, seconds: float, kernels: str = ALL) -> None:
    """Remembers how long it took to compile kernels of a game."""
    with suppress(OSError):
        folder = state_folder()
        folder.mkdir(0o700, parents=True, exist_ok=True)
        text = json.dumps(_seconds() | {game + kernels: round(seconds, 1)})
        (folder / FILE).write_text(text, encoding="utf-8")


def time_left(game: str, spent: float, kernels: str = ALL) -> str:
    """How long compiling will still take, in words."""
    usual = usual_seconds(game, kernels)
    return f"about {duration(usual - spent, 0)} left" if spent < usual else "longer than usual on a busy machine"
