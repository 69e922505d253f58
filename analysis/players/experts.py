"""Experts that were found for games without one.

An expert is found once per setup (find_expert.py) and kept in experts.toml in the user's configuration folder,
so it is the same player in every command. A setup whose rules or weights change gets a new one.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from houle.solver.errors import FileError, StrategyError
from houle.solver.players.names import parse
from houle.solver.players.player import player_digest
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
