"""Reads strategies as typed: the one parser of names. What `-s family` or `-s level:2.3` plays.

A name is that of a player of players.toml, of a player or of weights of the game, or of a strategy of the solver. It
may have options in brackets: `expert[never=swap]`. The strategy keeps the name that was typed, and everything that
people read shows this name. What `expert` and `reader` stand for depends on the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from houle.analysis.limits import shown
from houle.analysis.players.experts import (
    NAME,
    calibrated,
    config_folder,
    is_reader,
    kept_expert,
    no_reader,
    resolve_reader,
)
from houle.analysis.players.named_players import NAME as LEVEL
from houle.analysis.players.named_players import (
    NamedPlayer,
    level_name,
    level_strategy,
    level_words,
    named_player,
    named_players,
    players_data,
    read_point,
    usual_players,
)
from houle.solver.errors import StrategyError
from houle.solver.players.names import KINDS, OPTIONS, POINT, RANDOM, Strategy, parse
from houle.solver.players.player import best_fitting, named_in, weights_entry, weights_file, weights_of
from houle.solver.players.weights import read_weights
from houle.solver.rules import Setup, nearest, printed

NO_SOLVER = "the game has no exact solver"
EXPERT = "expert"
NEEDS_A_GAME = (EXPERT, NAME)
_SHAPE = re.compile(r"([^:\[]*)(?::([^\[]*))?(?:\[(.*)\])?", re.DOTALL)


def read_strategy(text: str, setup: Setup | None = None) -> Strategy:
    """One strategy as typed; StrategyError if there is no such player. `expert` and `reader` need the setup."""
    label = "".join(text.split())
    match = _SHAPE.fullmatch(label)
    name, number, options = match.groups() if match else (label.partition(":")[0].partition("[")[0], None, None)
    anywhere = any(option.partition("=")[0] in POINT for option in (options or "").split(","))
    if name in KINDS and (name != LEVEL or (number is None and anywhere)):
        return parse(text)
    if name == NAME:
        return parse(resolve_reader(text, setup)).called(label)
    if name == LEVEL and match:
        point = read_point(number or "")
        label = level_name(point) + label[match.end(2) :]
        return _changed(level_strategy(point), options).called(label)
    player, own = named_player(name), players_of_game(setup) if setup else []
    if player is None and name not in own:
        if is_saved_group(name):
            raise StrategyError(
                f"{name}: groups are no players any more; houle players GAME --fit FILE names their level"
            )
        names = {*(player.name for player in named_players()), *KINDS, *own}
        raise StrategyError(f"unknown strategy {shown(name)}{nearest(name, names)}")
    if number is not None:
        raise StrategyError(f"strategy {shown(text)}: {name} takes no number")
    if match is None:
        raise StrategyError(f"strategy {shown(text)}: write {name} or {name}[key=value,...]")
    if player is not None and name in own:
        raise StrategyError(f"{name} is a player of houle and one of the game; give that of the game another name")
    if player is None:
        return _changed(f"thumb[weights={name}]", options).called(label)
    if name == EXPERT:
        if setup is None:
            raise StrategyError(f"{EXPERT}: not possible here, because it depends on the game; write flat:N")
        strategy = expert_strategy(setup)
        return _changed(resolve_reader(strategy, setup) if is_reader(strategy) else strategy, options).called(label)
    return _changed(player.strategy, options).called(label)


def is_saved_group(name: str) -> bool:
    """Whether houle 0.4.0 saved a group of people under this name; it is no player any more."""
    path = config_folder() / "groups.toml"
    return path.is_file() and f"[{name}]" in path.read_text(encoding="utf-8", errors="replace").splitlines()


def _changed(strategy: str, options: str | None) -> Strategy:
    """A strategy with more options; those typed last count."""
    if not options:
        return parse(strategy)
    return parse(f"{strategy[:-1]},{options}]" if strategy.endswith("]") else f"{strategy}[{options}]")


def players_of_game(setup: Setup) -> list[str]:
    """The players that come with the game: those that a class names, and the names of its weights."""
    weights = (str(entry["name"]) for entry in weights_of(setup.ruleset.name))
    return list(dict.fromkeys((*named_in(setup), *(name for name in weights if name != "thumb"))))


def read_name(text: str, setup: Setup | None = None) -> str:
    """The name of a player as it will be shown, checked as far as that is possible without a game."""
    label = "".join(text.split())
    if setup is not None and label in players_of_game(setup):
        return label
    return label if label.partition(":")[0].partition("[")[0] in NEEDS_A_GAME else read_strategy(text).text


def expert_strategy(setup: Setup) -> str:
    """The search that plays as expert in a setup.

    That is the best fitting [[expert]] of the game's weights.toml, else its reader, else what was found for the setup
    (experts.py), else the search of all games. All of these take about as long per move.
    """
    own = expert_of_game(setup)
    return own or kept_expert(setup) or next(one.strategy for one in named_players() if one.name == EXPERT)


def expert_of_game(setup: Setup) -> str:
    """The expert that comes with the game; empty if it has none."""
    entry = best_fitting(_experts(setup.ruleset.name), setup)
    return str(entry["strategy"]) if entry else NAME if calibrated(setup) else ""


@lru_cache
def _experts(game: str) -> list[Mapping[str, Any]]:
    path = weights_file(game)
    return list(read_weights(path).get(EXPERT, [])) if path.exists() else []


def role(strategy: Strategy) -> str:
    """Who a strategy stands for, to complete "hard for ..."; an unnamed strategy is described."""
    if player := named_player(strategy.text):
        return player.who
    if strategy.text.startswith(f"{LEVEL}:") and "[" not in strategy.text:
        return f"players {level_words(read_point(strategy.text.partition(':')[2]))}"
    searches = {"flat": "imagined deals", "ismcts": "imagined lines of play"}
    if strategy.name in searches:
        return f"a search of {strategy.budget:,} {searches[strategy.name]} per move"
    if strategy.name == "clairvoyant":
        return "the bound: all cards known"
    return f"players of strategy {strategy.text}"


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
    """Who plays in an analysis of a setup by default, and why others cannot."""
    strategies, left_out = playable(setup, usual_players(analysis) if setup.game.has("features") else ("random",))
    if not setup.game.has("solve"):
        left_out += [(each.text, NO_SOLVER) for each in strategies if each.name == "clairvoyant"]
        strategies = [each for each in strategies if each.name != "clairvoyant"]
    return strategies, left_out


def _missing(strategy: Strategy, setup: Setup) -> str:
    """Why a strategy cannot play a setup; empty if it can."""
    try:
        if KINDS[strategy.name] != RANDOM:
            weights_entry(strategy, setup)
    except StrategyError as fault:  # any other error is that of a broken file
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
    """Every named player in a setup, and what stands behind its name there."""
    seated = []
    for player in named_players():
        if not setup.game.has("features") and KINDS.get(player.name) != RANDOM:
            continue  # all others play by rules of thumb or search with them
        missing = no_reader(setup) if player.name == NAME and not calibrated(setup) else ""
        strategy = read_strategy(player.name if not missing else "flat", setup)
        missing = missing or _missing(strategy, setup)
        if not missing:
            behind = expert_strategy(setup) if player.name == EXPERT else strategy.code
            player = replace(player, strategy=behind)
        if not missing and strategy.name == "clairvoyant" and not setup.game.has("solve"):
            missing = NO_SOLVER
        if strategy.name == "clairvoyant" and setup.ruleset.all_open:
            player = replace(player, is_not=players_data()["all_open"])
        entry = {} if missing or KINDS[strategy.name] == RANDOM else weights_entry(strategy, setup)
        if player.name == "thumb" and not (missing or setup.refit or "tuned" in entry):
            by_hand = setup.game.class_view is not None and not hasattr(setup.game.class_view.made, "features")
            player = replace(player, made=players_data()["plain" if by_hand else "untuned"])
        options = tuple(option for option in OPTIONS[strategy.name] if option in players_data()["options"])
        reach = entry.get("tuned", {}).get("reach", "") if player.name == "thumb" else ""
        if reach and setup.digest != printed(setup).digest:
            reach = f"{reach}, in the setup that it was tuned for; yours differs"
        seated.append(SeatedPlayer(player, options, missing, str(reach)))
    texts = players_data()["by_name"]
    for name in named_in(setup):
        player = NamedPlayer(name, name, f"players who play as {name}", **texts, is_not="", used_in=())
        seated.append(SeatedPlayer(player, (), "", ""))
    return seated
