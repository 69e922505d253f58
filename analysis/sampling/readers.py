"""`reader:N`: flat search that reads the others and lets the exact solver judge, as calibrated for its game.

It is `flat:N[judge=NODES,reads=T]` under a name that is the same in every game. T, NODES and what else it does stand in
the head of the game's weights.toml, in [reader]; a game without that has no reader. Options may follow, and have the
last word: `reader:100[reads=0]` judges and does not read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache

from houle.solver.errors import InputError
from houle.solver.ruleset import Setup
from houle.solver.strategies.names import Strategy
from houle.solver.strategies.player import READERS, weights_file

NAME, WORLDS = "reader", 20  # worlds of a reader whose number is not typed: about the time of flat:200
CALIBRATED = (*READERS, "caution")  # what a game's weights may say of its reader
_SHAPE = re.compile(rf"^{NAME}(?::([0-9_]+))?(?:\[(.*)\])?$")


def is_reader(text: str) -> bool:
    """Whether a strategy as typed is a reader, well written or not."""
    return re.match(rf"{NAME}\s*([:\[]|$)", text.strip()) is not None


def resolve_reader(text: str, setup: Setup | None) -> str:
    """A reader as typed -> the flat search that it is at a table; a RulesetError of one line if there is none."""
    match = _SHAPE.match(text.strip())
    if match is None:
        raise InputError(f"strategy {text[:60]!r}: write {NAME}, {NAME}:N or {NAME}[key=value,...]")
    if setup is None:
        raise InputError(f"{NAME}: what it is depends on its game; write flat:N[judge=NODES,reads=T] here")
    if not calibrated(setup):
        raise InputError(no_reader(setup))
    typed = [part.strip() for part in (match[2] or "").split(",") if part.strip()]
    named = {part.partition("=")[0].strip() for part in typed}
    usual = [f"{key}={value:g}" for key, value in calibrated(setup).items() if key not in named]
    return f"flat:{match[1] or WORLDS}[{','.join([*usual, *typed])}]"


def calibrated(setup: Setup) -> Mapping[str, float]:
    """How a reader reads and judges in the game of a table; empty if nothing is said."""
    return _calibrated(setup.ruleset.name)


@lru_cache
def _calibrated(game: str) -> Mapping[str, float]:
    path = weights_file(game)
    found = tomllib.loads(path.read_text(encoding="utf-8")).get(NAME, {}) if path.exists() else {}
    return {key: float(found[key]) for key in CALIBRATED if key in found}


def no_reader(setup: Setup) -> str:
    """Why there is none."""
    return f"{setup.ruleset.name} has no reader: nothing is calibrated in its weights.toml ([reader])"


def reads_as_reader(strategy: Strategy) -> bool:
    """Whether a flat search does what a reader of the usual size does: it reads and judges, and nothing else is set."""
    asked = {key for key, value in strategy.options.items() if value}
    return strategy.name == "flat" and strategy.budget == WORLDS and {"reads", "judge"} <= asked <= {*CALIBRATED}
