"""The named players of players.toml: what `family` or `expert` stands for, and what it is not."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from houle.solver.errors import StrategyError
from houle.solver.players.names import POINT, parse

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
    level: bool = False  # whether it is a point on the line of levels

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


def seated_players(strategies: Sequence[str]) -> str:
    """The players of a game in a sentence: `families`; `these players` if they are not alike."""
    return players_of(strategies[0]) if len(set(strategies)) == 1 else "these players"


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


NAME = "level"
FAMILY, SEASONED = "family", "seasoned"  # the level that pages are about unless asked, and the end of the line
THUMB = "thumb"  # the player that advice and judged positions are about: every rule of thumb, and no thought
CLOSE = 0.05  # of a step: a point nearer to a level than this is called that level
DIGITS = 3  # of slips and thought, as players are stored


@lru_cache
def levels() -> tuple[NamedPlayer, ...]:
    """Every level, from the weakest."""
    return tuple(player for player in named_players() if player.level)


def top() -> int:
    """The end of the line."""
    return len(levels()) - 1


def level_strategy(point: float) -> str:
    """The strategy at a point on the line of levels: slips and thought are interpolated.

    >>> level_strategy(1), level_strategy(1.5)
    ('level[slips=20,thought=1]', 'level[slips=15,thought=1.5]')
    """
    lower = min(int(point), top() - 1)
    part = point - lower
    below, above = (parse(level.strategy).options for level in levels()[lower : lower + 2])
    mixed = {key: (1 - part) * below.get(key, 0) + part * above.get(key, 0) for key in {**below, **above}}
    return strategy_of(**mixed)


def strategy_of(slips: float = 0.0, thought: float = 0.0) -> str:
    """The strategy of a person with so many slips and so much thought.

    >>> strategy_of(20, 1.5), strategy_of(0, 4), strategy_of(0, 0)
    ('level[slips=20,thought=1.5]', 'level[thought=4]', 'level[slips=0]')
    """
    pairs = [(key, round(value, DIGITS)) for key, value in zip(POINT, (slips, thought), strict=True)]
    return f"{NAME}[{','.join(f'{key}={value:g}' for key, value in pairs if value) or f'{POINT[0]}=0'}]"


def level_name(point: float) -> str:
    """A point as a player's name: `level:2.3`."""
    return f"{NAME}:{point:g}"


def read_point(text: str) -> float:
    """The point of `level:2.3`, from what is typed after the colon."""
    try:
        point = float(text)
    except ValueError:
        point = -1.0
    if not 0 <= point <= top():
        allowed = f"a number from 0 to {top()} ({line_words()})"
        raise StrategyError(f"{NAME}: {text[:40]!r} is not allowed; allowed: {allowed}")
    return point


def level_words(point: float) -> str:
    """A point on the line in words: `between family and regular`."""
    names = [level.name for level in levels()]
    nearest = round(point)
    if abs(point - nearest) < CLOSE:
        return f"at the {names[nearest]} level"
    return f"between {names[math.floor(point)]} and {names[math.ceil(point)]}"


def line_words() -> str:
    """The line of levels in words: `0 first-game, 1 family, 2 regular, 3 seasoned`."""
    return ", ".join(f"{point} {level.name}" for point, level in enumerate(levels()))
