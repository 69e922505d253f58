"""Named players: what `-s thumb` or `-s searcher` means, the same in every analysis. The data is players.toml.

A named player is a strategy string under a name, with what it is, how it was made and what it is not. Names may be
typed wherever a strategy is; options in brackets are handed on: `searcher[never=swap]`. What a reader is depends on the
game, see readers.py.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from houle.analysis.sampling.readers import (
    NAME,
    WORLDS,
    calibrated,
    is_reader,
    no_reader,
    reads_as_reader,
    resolve_reader,
)
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup, nearest
from houle.solver.strategies.names import KINDS, MOST_SHOWN, OPTIONS, RANDOM, Strategy, parse
from houle.solver.strategies.player import weights_entry

FILE = Path(__file__).parent / "players.toml"
NO_SOLVER = "the game has no exact solver"
SLIPS = re.compile(r"\bslips\s*=\s*([^,\]]*)")


@dataclass(frozen=True)
class NamedPlayer:
    """One player of players.toml."""

    name: str
    strategy: str  # as -s takes it
    who: str  # goes on after "hard for"
    what: str
    made: str
    is_not: str
    seats: tuple[str, ...]  # analyses that seat it unless told otherwise
    level: bool = False  # whether it is a level of people, see levels.py

    @classmethod
    def of(cls, one: Mapping[str, Any]) -> NamedPlayer:
        """An entry of the file."""
        texts = {key: one[key] for key in ("name", "strategy", "who", "what", "made")}
        return cls(**texts, is_not=one["not"], seats=tuple(one["seats"]), level=one.get("level", False))


@lru_cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@lru_cache
def named_players() -> tuple[NamedPlayer, ...]:
    """All of them, from the weakest kind."""
    return tuple(map(NamedPlayer.of, _data()["player"]))


def calibration_note() -> str:
    """What no named player is calibrated to."""
    return " ".join(_data()["calibration"].split())


def options_explained() -> dict[str, str]:
    """Every option of a strategy, in words."""
    return {name: " ".join(text.split()) for name, text in _data()["options"].items()}


def usual_players(analysis: str) -> tuple[str, ...]:
    """The strategies that an analysis seats unless told otherwise, from the weakest."""
    return tuple(player.strategy for player in named_players() if analysis in player.seats)


def searcher() -> str:
    """The one search that stands for thinking ahead, at every effort."""
    return next(player.strategy for player in named_players() if player.name == "searcher")


def resolve(text: str, setup: Setup | None = None) -> str:
    """A strategy as typed, with the name of a player replaced by what it is; anything else as it was.

    `slips=seldom` is a share of the novice's temperature at a table: it needs the table, and so does a reader.
    """
    if is_reader(text):
        return resolve_reader(text, setup)
    name, difficulty, options = text.strip().partition("[")
    found = next((player for player in named_players() if player.name == name.strip()), None)
    told = f"{found.strategy if found else name}{difficulty}{options}"
    slips = SLIPS.search(told)
    if slips is None or setup is None:
        return told
    return SLIPS.sub(f"temperature={_temperature(slips[1].strip(), told, setup):g}", told)


def _temperature(word: str, text: str, setup: Setup) -> float:
    """How hot a player is that slips so often."""
    shares = _data()["slips"]
    if word not in shares:
        raise InputError(f"strategy {text!r}: slips: {word!r} is not allowed; allowed: {', '.join(shares)}")
    plain = parse(SLIPS.sub("temperature=0", text))
    entry = weights_entry(plain, setup)
    if "novice" not in entry:
        raise InputError(f"strategy {text!r}: slips: the weights of this table name no novice to measure it by")
    return float(shares[word]) * float(entry["novice"])


def read_strategy(text: str, setup: Setup | None = None) -> Strategy:
    """One strategy as typed, named players included; a RulesetError of one line if it is none."""
    told = resolve(text, setup)
    name = told.partition(":")[0].partition("[")[0].strip()
    if name not in KINDS:
        raise InputError(f"unknown strategy {_shown(name)}{nearest(name, {*_names(), *KINDS})}")
    return parse(told)


def _shown(name: str) -> str:
    """As complaints quote it: not longer than a line."""
    return repr(name if len(name) <= MOST_SHOWN else f"{name[: MOST_SHOWN - 3]}...")


def _names() -> list[str]:
    return [player.name for player in named_players()]


def player_of(strategy: str) -> NamedPlayer | None:
    """The named player that a strategy is; None for one that has no name."""
    name = NAME if strategy.startswith("flat") and reads_as_reader(parse(strategy)) else None
    return next((player for player in named_players() if player.strategy == strategy or player.name == name), None)


def shown_player(strategy: str) -> str:
    """`searcher (flat:50)`; a strategy that is its own name, or has none, as it is; a level by its name alone."""
    player = player_of(strategy)
    if player is not None and player.level:
        return player.name
    return strategy if player is None or player.name == strategy else f"{player.name} ({strategy})"


def role(strategy: str) -> str:
    """Who a strategy stands for, after "hard for"; an unnamed one is said to be what it is."""
    player = player_of(strategy)
    if player is not None:
        return player.who
    kind = parse(strategy)
    searches = {"flat": "imagined deals", "ismcts": "imagined lines of play"}
    if kind.name in searches:
        return f"a search of {kind.budget:,} {searches[kind.name]} a move"
    if kind.name == "clairvoyant":
        return "the bound: all cards known"
    return f"{strategy}, a player without a name"


def playable(setup: Setup, names: Iterable[str]) -> tuple[list[Strategy], list[tuple[str, str]]]:
    """The strategies that have at this table what they need, and why the others cannot play."""
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
    """Who sits at a table unless told otherwise, and why others do not; nobody misses a reader where there is none."""
    names = [name for name in usual_players(analysis) if calibrated(setup) or not is_reader(name)]
    strategies, left_out = playable(setup, names)
    if not setup.game.has_solver:
        left_out += [(each.text, NO_SOLVER) for each in strategies if each.name == "clairvoyant"]
        strategies = [each for each in strategies if each.name != "clairvoyant"]
    return strategies, left_out


def _missing(strategy: Strategy, setup: Setup) -> str:
    try:
        entry = weights_entry(strategy, setup) if KINDS[strategy.name] != RANDOM else {}
    except InputError as fault:
        return str(fault)
    if strategy.name == "novice" and "temperature" not in strategy.options and "novice" not in entry:
        return "its weights name no temperature for the novice"
    return ""


@dataclass(frozen=True)
class SeatedPlayer:
    """A named player at a table: whether it can play there, and what its weights say of it."""

    player: NamedPlayer
    options: tuple[str, ...]  # that may stand in brackets
    missing: str  # why it cannot play; empty if it can
    temperature: float | None  # of the novice at this table
    reach: str  # what its weights reached when they were tuned, on other games

    def as_json(self) -> dict[str, Any]:
        player = self.player
        return {
            "name": player.name,
            "strategy": player.strategy,
            "who": player.who,
            "what": player.what,
            "made": " ".join(player.made.split()),
            "is_not": " ".join(player.is_not.split()),
            "usual_in": list(player.seats),
            "level": player.level,
            "options": list(self.options),
            "temperature": self.temperature,
            "reach": self.reach or None,
            "missing": self.missing or None,
        }


def players_at(setup: Setup) -> list[SeatedPlayer]:
    """Every named player, as it is at a table."""
    found = []
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
        options = OPTIONS[strategy.name]
        slips = ("slips",) if "temperature" in options and "novice" in entry else ()
        temperature = entry.get("novice") if player.name == "novice" else None
        reach = entry.get("tuned", {}).get("reach", "") if player.name == "thumb" else ""
        found.append(SeatedPlayer(player, (*options, *slips), missing, temperature, str(reach)))
    return found
