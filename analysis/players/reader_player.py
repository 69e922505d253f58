"""`reader:N`: flat search that reads the others and lets the exact solver judge, with options set for its game.

It stands for `flat:N[judge=NODES,reads=T]`. The options are in the section [reader] of the game's weights.toml; a game
without that section has no reader. Options in brackets take precedence: `reader:100[reads=0]` judges and does not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from houle.solver.errors import StrategyError
from houle.solver.players.player import READERS, weights_file
from houle.solver.players.weights import read_weights
from houle.solver.rules import Setup

NAME, WORLDS = "reader", 20  # the default number of worlds takes about as long as flat:200
CALIBRATED = (*READERS, "caution")  # options that [reader] may set
_SHAPE = re.compile(rf"^{NAME}(?::([0-9_]+))?(?:\[(.*)\])?$")


def is_reader(text: str) -> bool:
    """Whether a strategy as typed is meant as a reader."""
    return re.match(rf"{NAME}\s*([:\[]|$)", text.strip()) is not None


def resolve_reader(text: str, setup: Setup | None) -> str:
    """A reader as typed -> the flat search that it stands for in this game; StrategyError if there is none."""
    match = _SHAPE.match(text.strip())
    if match is None:
        raise StrategyError(f"strategy {text[:60]!r}: write {NAME}, {NAME}:N or {NAME}[key=value,...]")
    if setup is None:
        raise StrategyError(f"{NAME}: not possible here, because it depends on the game; write flat:N[reads=T]")
    if not calibrated(setup):
        raise StrategyError(no_reader(setup))
    typed = [part.strip() for part in (match[2] or "").split(",") if part.strip()]
    named = {part.partition("=")[0].strip() for part in typed}
    usual = [f"{key}={value:g}" for key, value in calibrated(setup).items() if key not in named]
    return f"flat:{match[1] or WORLDS}[{','.join([*usual, *typed])}]"


def calibrated(setup: Setup) -> Mapping[str, float]:
    """The options of the reader in this game; empty if it has none."""
    return _calibrated(setup.ruleset.name)


@lru_cache
def _calibrated(game: str) -> Mapping[str, float]:
    path = weights_file(game)
    options = read_weights(path).get(NAME, {}) if path.exists() else {}
    return {key: float(options[key]) for key in CALIBRATED if key in options}


def no_reader(setup: Setup) -> str:
    """Why the game has no reader."""
    return f"{setup.ruleset.name} has no reader: its weights.toml has no section [reader]"
