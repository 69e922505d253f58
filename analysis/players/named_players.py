"""The named players of players.toml: what `family` or `expert` stands for, and what it is not."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "players.toml"


@dataclass(frozen=True)
class NamedPlayer:
    """One player of players.toml."""

    name: str
    strategy: str  # as -s takes it
    who: str  # completes "hard for ..."
    what: str
    made: str
    is_not: str
    used_in: tuple[str, ...]  # analyses in which it plays by default
    level: bool = False  # whether it is a point on the line of levels, see levels.py

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> NamedPlayer:
        """A player from its entry in the file."""
        texts = {key: " ".join(entry[key].split()) for key in ("name", "strategy", "who", "what", "made")}
        is_not, used_in = " ".join(entry["not"].split()), tuple(entry["used_in"])
        return cls(**texts, is_not=is_not, used_in=used_in, level=entry.get("level", False))


@lru_cache
def players_data() -> Mapping[str, Any]:
    """The whole file."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@lru_cache
def named_players() -> tuple[NamedPlayer, ...]:
    """All named players, from weak to strong."""
    return tuple(map(NamedPlayer.of, players_data()["player"]))


def named_player(name: str) -> NamedPlayer | None:
    """The player of this name; None if there is none."""
    return next((player for player in named_players() if player.name == name), None)


def players_of(name: str) -> str:
    """Several players of a kind: `families`, `experts`, `flat:50 players`."""
    player = named_player(name)
    return player.who.partition(",")[0] if player else f"{name} players"


def player_kind(name: str) -> str:
    """The name of a player before the word `player`: `family`, `rule-of-thumb`."""
    return "rule-of-thumb" if name == "thumb" else name


def calibration_note() -> str:
    """How far the named players are calibrated to people."""
    return " ".join(players_data()["calibration"].split())


def options_explained() -> dict[str, str]:
    """Every option of a strategy, with its explanation."""
    return {name: " ".join(text.split()) for name, text in players_data()["options"].items()}


def usual_players(analysis: str) -> tuple[str, ...]:
    """The players of an analysis by default, from weak to strong."""
    return tuple(player.name for player in named_players() if analysis in player.used_in)
