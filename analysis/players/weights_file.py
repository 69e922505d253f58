"""Entries of weights files: an entry as TOML, and replacing an entry in a file.

Only the entry with the same name and conditions is replaced. The rest of the file stays as it was written.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from houle.solver.errors import FileError
from houle.solver.players.player import unmet, weights_file, weights_of
from houle.solver.rules import Setup
from houle.solver.rules.files import write_whole

HEAD = "[[player]]"


def conditions(setup: Setup, present: Mapping[str, Any]) -> dict[str, Any]:
    """The setups that new weights are for: the number of players, and the conditions of the entry that they replace.

    An entry that was only the nearest is not replaced.
    """
    return {**({} if unmet(present, setup) else present.get("when", {})), "players": setup.players}


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
