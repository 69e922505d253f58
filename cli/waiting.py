"""First use: a game is compiled for this machine once, in about half a minute, and this is the one way to wait for it.

What the first number needs is compiled by the process that shows it: `compile_families` in the studio and the demo, or
simply the command. All the rest is compiled by `Compiling`, in two processes that let others go first. How long both
take is estimated in one place: as long as last time. A terminal shows that in a line, the studio and tables on several
screens as a page with a bar.

Two things do not wait: a table, and the first sentence of the demo. Kernels are also plain Python, slow but with equal
results, so `without_compiler` runs the same command in a process that compiles nothing. The demo reads what it prints.
A table gives it the socket of the server: it answers at the same address until the compiled pages are loaded, which
then take the socket over. Every address holds the whole game, so no move is lost. What only compiled code can do, such
as a hint, is answered with how long it will take, and the page asks again by itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from contextlib import suppress
from typing import Any

from houle.cli.framework.files import state_folder
from houle.cli.framework.text import roughly
from houle.solver.os_calls import patient
from houle.solver.plain.processes import PARENT
from houle.solver.trusted_code import python_module

DOOR = "HOULE_DOOR"  # the environment variable with the open socket at which a process without the compiler answers
PROGRAM = "houle.cli.main"
FILE = "compile-seconds.json"
FAMILIES, ALL = "families", "all"  # what is waited for: what families need, or the whole game
USUAL = {FAMILIES: 15.0, ALL: 30.0}  # seconds, until a game was compiled on this machine


class Compiling:
    """A game that other processes compile; they end with this one."""

    def __init__(self, game: str) -> None:
        from houle.cli.warm import HALVES, MODULE

        self.game, self.began = game, time.monotonic()
        environment = os.environ | {PARENT: str(os.getpid())}
        self.halves = [
            subprocess.Popen(patient(python_module(MODULE, game, half)), stderr=subprocess.DEVNULL, env=environment)
            for half in HALVES
        ]

    def wait(self) -> None:
        """Waits for both halves. An error shows up again when the game is used."""
        try:
            codes = [half.wait() for half in self.halves]
        finally:
            self.end()
        if not any(codes):
            _note_seconds(self.game, ALL, time.monotonic() - self.began)

    def end(self) -> None:
        for half in self.halves:
            half.kill()  # no effect on one that has ended


def compile_families(game: str) -> None:
    """Compiles or loads what families need, in this process."""
    from houle.cli import warm

    known = any(warm.mark(game, part).exists() for part in (warm.FAMILIES, warm.SEARCH))
    began = time.monotonic()
    warm.warm(game, (warm.FAMILIES,))
    if not known:
        _note_seconds(game, FAMILIES, time.monotonic() - began)


def without_compiler(*words: str, **process: Any) -> subprocess.Popen[str]:
    """Runs a command of houle in a process that compiles nothing and ends with this one."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", PARENT: str(os.getpid())} | process.pop("variables", {})
    return subprocess.Popen(
        python_module(PROGRAM, *words),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        encoding="utf-8",
        errors="replace",
        **process,
    )


def _known_seconds() -> dict[str, dict[str, float]]:
    """Seconds by what was waited for, and by game."""
    try:
        data = json.loads((state_folder() / FILE).read_text(encoding="utf-8"))
        return {part: {str(game): float(data[part][game]) for game in data[part]} for part in USUAL if part in data}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def usual_seconds(game: str, part: str = ALL) -> float:
    """How long it takes to compile a game: as long as last time, or as the others took."""
    known = _known_seconds().get(part, {})
    return known.get(game) or (sum(known.values()) / len(known) if known else USUAL[part])


def _note_seconds(game: str, part: str, seconds: float) -> None:
    with suppress(OSError):
        folder = state_folder()
        folder.mkdir(0o700, parents=True, exist_ok=True)
        known = _known_seconds()
        text = json.dumps(known | {part: known.get(part, {}) | {game: round(seconds, 1)}})
        (folder / FILE).write_text(text, encoding="utf-8")


def time_left(game: str, part: str, spent: float = 0.0) -> str:
    """How long compiling will still take, in words."""
    usual = usual_seconds(game, part)
    return f"about {roughly(usual - spent)} left" if spent < usual else "longer than usual on a busy machine"
