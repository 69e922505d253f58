"""Named players: what `-s thumb` or `-s expert` means, the same in every analysis. The data is players.toml.

A named player is a strategy under a name, with a description. Names may be typed wherever a strategy is, also with
options in brackets: `expert[never=swap]`. What a reader is depends on the game, see readers.py.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from houle.analysis.limits import shown
from houle.analysis.sampling.readers import (
    NAME,
    WORLDS,
    calibrated,
    is_reader,
    no_reader,
    reads_as_reader,
    resolve_reader,
)
from houle.solver.errors import InputError, StrategyError
from houle.solver.players.names import KINDS, OPTIONS, RANDOM, Strategy, parse
from houle.solver.players.player import weights_entry
from houle.solver.rules import Setup, nearest

FILE = Path(__file__).parent / "players.toml"
NO_SOLVER = "the game has no exact solver"
EXPERT = "expert"


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
    level: bool = False  # whether it is a level of people, see levels.py

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> NamedPlayer:
        """A player from its entry in the file."""
        texts = {key: " ".join(entry[key].split()) for key in ("name", "strategy", "who", "what", "made")}
        is_not, used_in = " ".join(entry["not"].split()), tuple(entry["used_in"])
        return cls(**texts, is_not=is_not, used_in=used_in, level=entry.get("level", False))


@lru_cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@lru_cache
def named_players() -> tuple[NamedPlayer, ...]:
    """All named players, from weak to strong."""
    return tuple(map(NamedPlayer.of, _data()["player"]))


def calibration_note() -> str:
    """How far the named players are calibrated to people."""
    return " ".join(_data()["calibration"].split())


def options_explained() -> dict[str, str]:
    """Every option of a strategy, with its explanation."""
    return {name: " ".join(text.split()) for name, text in _data()["options"].items()}


def usual_players(analysis: str) -> tuple[str, ...]:
    """The strategies that play in an analysis by default, from weak to strong."""
    return tuple(player.strategy for player in named_players() if analysis in player.used_in)


def expert() -> str:
    """The strategy of the expert, the player that plans ahead, in all reports."""
    return next(player.strategy for player in named_players() if player.name == EXPERT)


def resolve(text: str, setup: Setup | None = None) -> str:
    """A strategy as typed, with the name of a player replaced by its strategy. A reader needs the setup."""
    if is_reader(text):
        return resolve_reader(text, setup)
    name, bracket, options = text.strip().partition("[")
    player = _named(name)
    if player is None:
        return text.strip()
    if not bracket or "[" not in player.strategy:
        return f"{player.strategy}{bracket}{options}"
    return f"{player.strategy[:-1]},{options}"


def read_strategy(text: str, setup: Setup | None = None) -> Strategy:
    """One strategy as typed, named players included; StrategyError if there is no such player."""
    resolved = resolve(text, setup)
    name = resolved.partition(":")[0].partition("[")[0].strip()
    if name not in KINDS:
        if _named(name):
            raise StrategyError(f"strategy {shown(text)}: {name} takes no number")
        names = {*(player.name for player in named_players()), *KINDS}
        raise StrategyError(f"unknown strategy {shown(name)}{nearest(name, names)}")
    return parse(resolved)


def _named(name: str) -> NamedPlayer | None:
    return next((player for player in named_players() if player.name == name.strip()), None)


def player_of(strategy: str) -> NamedPlayer | None:
    """The named player with this strategy; None if it has no name."""
    name = NAME if strategy.startswith("flat") and reads_as_reader(parse(strategy)) else None
    return next((player for player in named_players() if player.strategy == strategy or player.name == name), None)


def shown_player(strategy: str) -> str:
    """A strategy for people: `family`, `expert (flat:50)`, `thumb`; a strategy without a name stays as it is."""
    player = player_of(strategy)
    if player is not None and player.level:
        return player.name
    return strategy if player is None or player.name == strategy else f"{player.name} ({strategy})"


def shown_line_up(strategies: Sequence[str]) -> str:
    """A line-up for people: one name if all players are the same, else one per seat."""
    names = [strategies[0]] if len(set(strategies)) == 1 else strategies
    return ", ".join(map(shown_player, names))


def role(strategy: str) -> str:
    """Who a strategy stands for, to complete "hard for ..."; an unnamed strategy is described."""
    player = player_of(strategy)
    if player is not None:
        return player.who
    kind = parse(strategy)
    searches = {"flat": "imagined deals", "ismcts": "imagined lines of play"}
    if kind.name in searches:
        return f"a search of {kind.budget:,} {searches[kind.name]} per move"
    if kind.name == "clairvoyant":
        return "the bound: all cards known"
    return f"players of strategy {strategy}"


def playable(setup: Setup, names: Iterable[str]) -> tuple[list[Strategy], list[tuple[str, str]]]:
    """The strategies that can play this setup, and why the others cannot."""
    strategies, left_out = [], []
    for name in names:
        if is_reader(name) and not calibrated(setup):
            left_out.append((name, no_reader(setup)))
            continue
        strategy = read_strategy(name, setup)
        why = _missing(strategy, setup)
        if why:
            left_out.append((strategy.text, why))
        else:
            strategies.append(strategy)
    return strategies, left_out


def usual(setup: Setup, analysis: str) -> tuple[list[Strategy], list[tuple[str, str]]]:
    """Who plays in an analysis of a setup by default, and why others cannot. A missing reader is not mentioned."""
    names = [name for name in usual_players(analysis) if calibrated(setup) or not is_reader(name)]
    strategies, left_out = playable(setup, names)
    if not setup.game.has_solver:
        left_out += [(each.text, NO_SOLVER) for each in strategies if each.name == "clairvoyant"]
        strategies = [each for each in strategies if each.name != "clairvoyant"]
    return strategies, left_out


def _missing(strategy: Strategy, setup: Setup) -> str:
    """Why a strategy cannot play a setup; empty if it can."""
    try:
        if KINDS[strategy.name] != RANDOM:
            weights_entry(strategy, setup)
    except InputError as fault:
        return str(fault)
    return ""


@dataclass(frozen=True)
class SeatedPlayer:
    """A named player in a setup: whether it can play there, and what its weights reached."""

    player: NamedPlayer
    options: tuple[str, ...]  # allowed in brackets
    missing: str  # why it cannot play; empty if it can
    reach: str  # what its weights reached when they were tuned, on other games

    def as_json(self) -> dict[str, Any]:
        player = self.player
        return {
            "name": player.name,
            "strategy": player.strategy,
            "who": player.who,
            "what": player.what,
            "made": player.made,
            "is_not": player.is_not,
            "used_in": list(player.used_in),
            "level": player.level,
            "options": list(self.options),
            "reach": self.reach or None,
            "missing": self.missing or None,
        }


def players_at(setup: Setup) -> list[SeatedPlayer]:
    """Every named player in a setup."""
    seated = []
    for player in named_players():
        missing = no_reader(setup) if player.name == NAME and not calibrated(setup) else ""
        if player.name == NAME and not missing:
            player = replace(player, strategy=read_strategy(NAME, setup).text)
        strategy = parse(player.strategy if not missing else f"flat:{WORLDS}")
        missing = missing or _missing(strategy, setup)
        if not missing and strategy.name == "clairvoyant" and not setup.game.has_solver:
            missing = NO_SOLVER
        if strategy.name == "clairvoyant" and setup.ruleset.all_open:
            player = replace(player, is_not=_data()["all_open"])
        entry = {} if missing or KINDS[strategy.name] == RANDOM else weights_entry(strategy, setup)
        options = tuple(option for option in OPTIONS[strategy.name] if option in _data()["options"])
        reach = entry.get("tuned", {}).get("reach", "") if player.name == "thumb" else ""
        seated.append(SeatedPlayer(player, options, missing, str(reach)))
    return seated
