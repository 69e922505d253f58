"""Entries of weights files: an entry as TOML, replacing an entry in a file, and results that are such an entry.

Only the entry with the same name and conditions is replaced. The rest of the file stays as it was written.
"""

from __future__ import annotations

import json
import re
import tomllib
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from houle.analysis.result import Finished
from houle.solver.errors import FileError, InputError
from houle.solver.players.player import unmet, weights_file, weights_of
from houle.solver.rules import Setup, make_setup
from houle.solver.rules.files import write_whole

HEAD = "[[player]]"


@dataclass(frozen=True, repr=False)
class TunedPlayer(Finished):
    """A tuned player: an entry of the weights file of its game."""

    written: Path | None = field(default=None, kw_only=True)  # the weights file, if it was updated

    command = "tune"

    @property
    @abstractmethod
    def entry(self) -> dict[str, Any]:
        """The player as an entry of a weights file."""

    @property
    @abstractmethod
    def improved(self) -> bool:
        """Whether the entry should replace the present one."""

    @property
    def how(self) -> str:
        """The command that found it, without the folder of the game, because the weights file lies there."""
        return self.repeat().partition(" --game-path ")[0]

    @property
    def toml(self) -> str:
        """The player as an entry of a weights file, in TOML."""
        return as_toml(self.entry)

    def store(self) -> Self:
        """Write the entry into the weights file of the game if it is better than the present one."""
        return replace(self, written=store(self.setup.ruleset.name, self.entry)) if self.improved else self


def conditions(setup: Setup, present: Mapping[str, Any], for_this_setup: bool) -> dict[str, Any]:
    """The setups that new weights are for: the number of players, and the conditions of the entry that they replace.

    With `for_this_setup` instead every knob that differs from the base game. An entry that was only the nearest is not
    replaced.
    """
    if not for_this_setup:
        return {**({} if unmet(present, setup) else present.get("when", {})), "players": setup.players}
    plain = make_setup(setup.ruleset.name, setup.players).shown_options if _possible(setup) else {}
    return {
        "players": setup.players,
        **{knob: value for knob, value in setup.shown_options.items() if plain.get(knob) != value},
    }


def _possible(setup: Setup) -> bool:
    """Whether there is a base game with this number of players; some numbers need a variant."""
    try:
        make_setup(setup.ruleset.name, setup.players)
    except InputError:
        return False
    return True


def as_toml(player: Mapping[str, Any]) -> str:
    """An entry of a weights file as TOML."""
    lines = [HEAD]
    for key, value in player.items():
        if key != "weights":
            lines.append(f"{key} = {_value(value)}")
    lines.append("[player.weights]")
    lines += [f"{name} = {weight}" for name, weight in player["weights"].items()]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON's escapes are TOML's.
        return json.dumps(str(value), ensure_ascii=False)
    return repr(value)


def _key(key: str) -> str:
    """Quoted if it has a dot, which would otherwise start a nested table."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def store(game: str, player: Mapping[str, Any], file: Path | None = None) -> Path:
    """Write an entry into a game's weights file, replacing the one with the same name and conditions."""
    path = file or weights_file(game)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    head, *blocks = re.split(rf"^(?={re.escape(HEAD)})", text, flags=re.MULTILINE)
    kept: list[str] = []
    place = None
    for block in blocks:
        entry = tomllib.loads(block)["player"][0]
        if (entry["name"], entry.get("when", {})) == (player["name"], player.get("when", {})):
            place = len(kept) if place is None else place
        else:
            kept.append(block.rstrip() + "\n")
    kept.insert(len(kept) if place is None else place, as_toml(player))
    whole = (head.rstrip() + "\n\n" if head.strip() else "") + "\n".join(kept)
    tomllib.loads(whole)  # raises before a file is written that cannot be read
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise FileError(f"{path}: {fault.strerror or fault}") from None
    write_whole(path, lambda beside: beside.write_text(whole, encoding="utf-8"))
    weights_of.cache_clear()
    return path
