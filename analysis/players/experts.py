"""Experts: those that were found for games without one, and `reader:N`, whose options are set for its game.

An expert is found once per setup (find_expert.py) and kept in experts.toml in the user's configuration folder,
so it is the same player in every command. A setup whose rules or weights change gets a new one. A reader is flat search
that reads the others and lets the exact solver judge.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from houle.solver.errors import FileError, StrategyError
from houle.solver.players.names import parse
from houle.solver.players.player import READERS, player_digest, weights_file
from houle.solver.players.weights import read_weights
from houle.solver.rules import Setup, digest
from houle.solver.rules.files import read_toml, write_whole

FILE = "experts.toml"


def config_folder() -> Path:
    """Where the user's own data is kept."""
    if chosen := os.environ.get("HOULE_CONFIG_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")) / "houle"


def kept_expert(setup: Setup) -> str:
    """The expert that was found for a setup; empty if none was."""
    return _kept().get(_key(setup), "")


def keep_expert(setup: Setup, strategy: str) -> Path:
    """Write the expert of a setup into the user's file."""
    path = config_folder() / FILE
    lines = [f"{json.dumps(key)} = {json.dumps(text)}\n" for key, text in {**_kept(), _key(setup): strategy}.items()]
    write_whole(path, lambda beside: beside.write_text("".join(lines), encoding="utf-8"))
    return path


def _key(setup: Setup) -> str:
    """Names the game for people, and tells its rules and weights apart."""
    return f"{setup.ruleset.name} {digest([setup.digest, player_digest(parse('thumb'), setup)])}"


def _kept() -> dict[str, str]:
    path = config_folder() / FILE
    data = read_toml(path) if path.exists() else {}
    for key, text in data.items():
        if not isinstance(text, str):
            raise FileError(f'{path}: {key}: {text!r} is not allowed; allowed: a strategy, as "flat:200[caution=2]"')
        try:
            parse(text)
        except StrategyError as fault:
            raise FileError(f"{path}: {key}: {fault}") from None
    return data


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
