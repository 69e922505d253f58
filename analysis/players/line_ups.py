"""Who plays what: the setup and the players of an analysis, from what the caller gave.

This is the door: texts become players here, once, and everything behind it passes line-ups on. A name is that of a
player of players.toml, of a player or of weights of the game, or of a strategy of the solver. It may have options in
brackets: `expert[never=swap]`. The strategy keeps the name that was typed, and everything that people read shows this
name. What `expert` stands for depends on the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from houle.analysis.arguments import checked
from houle.analysis.limits import LEAST_THINKING, SEARCH_DEALS, THINKING_GAMES, THINKING_IN_ALL, shown
from houle.analysis.players.experts import config_folder, kept_expert
from houle.analysis.players.named_players import (
    FAMILY,
    level_name,
    level_strategy,
    named_player,
    named_players,
    read_point,
    usual_players,
)
from houle.analysis.players.named_players import NAME as LEVEL_NAME
from houle.solver.errors import StrategyError
from houle.solver.players.kinds import LEVEL, RANDOM, THUMB
from houle.solver.players.names import KINDS, POINT, Strategy, parse, split
from houle.solver.players.player import LineUp, best_fitting, named_in, seat, weights_entry, weights_file, weights_of
from houle.solver.players.weights import read_weights
from houle.solver.rules import Setup, make_setup, nearest
from houle.solver.rules.game_folders import name_plain

Strategies = str | Iterable[str] | None

NO_SOLVER = "the game has no exact solver"
EXPERT = "expert"
_SHAPE = re.compile(r"([^:\[]*)(?::([^\[]*))?(?:\[(.*)\])?", re.DOTALL)


@checked
def setup(
    game: str,
    *,
    players: int | None = None,
    variants: str | Iterable[str] = (),
    set: Mapping[str, Any] | None = None,
    rules: str | Path | Iterable[str | Path] | None = None,
) -> Setup:
    """A game with its players and rules: what every analysis takes as its first argument.

    Parameters
    ----------
    players : int, optional
        Number of players; 3 if the game allows it.
    variants : str or iterable of str
        Names of variants; `"virage+nazare"` is both of them.
    set : mapping, optional
        Rules to change, such as `{"hand.front": 4}`.
    rules : path or iterable of paths, optional
        Rules files with variants of your own.

    Returns
    -------
    Setup
        The setup, checked. Anything that does not fit raises `InputError`.

    Examples
    --------
    >>> import houle
    >>> wave = houle.setup("wave", players=2, variants="virage", set={"hand.front": 4})
    >>> wave
    Setup(wave, 2 players, virage, hand.front=4)
    >>> wave.options["hand.front"]
    4
    """
    name_plain(game)
    names = (variants,) if isinstance(variants, str) else tuple(variants)
    return make_setup(game, players, names, set, file=rules, place="set")


def as_setup(given: Setup | str) -> Setup:
    """A setup as it is, or the default setup of the game with this name."""
    return setup(given) if isinstance(given, str) else given


def usual_strategy(setup: Setup) -> str:
    """The default player of a setup: the thumb, or random play in a game without rules of thumb."""
    return "thumb" if setup.game.has("features") else "random"


def usual_people(setup: Setup) -> str:
    """The default players of comparisons, sweeps and designs: families, or random play without rules of thumb."""
    return FAMILY if usual_strategy(setup) == "thumb" else "random"


def line_up(setup: Setup, strategies: Strategies = None) -> LineUp:
    """Who plays: one strategy for all players, one each, or None for the default players."""
    return seat(setup, [read_strategy(name, setup) for name in names_of(strategies) or [usual_people(setup)]])


def names_of(strategies: Strategies) -> list[str]:
    """Strategies one by one, split at commas; none for None."""
    names = (strategies,) if isinstance(strategies, str) else tuple(strategies or ())
    for name in names:
        if not split(name):
            raise StrategyError(f"strategies: {shown(name)} is not allowed; allowed: the name of a player, as 'thumb'")
    return [part for name in names for part in split(name)]


def read_strategy(text: str, setup: Setup | None = None) -> Strategy:
    """One strategy as typed; StrategyError if there is no such player. `expert` needs the setup."""
    label = "".join(text.split())
    match = _SHAPE.fullmatch(label)
    name, number, options = match.groups() if match else (label.partition(":")[0].partition("[")[0], None, None)
    anywhere = any(option.partition("=")[0] in POINT for option in (options or "").split(","))
    if name in KINDS and (name != LEVEL_NAME or (number is None and anywhere)):
        return parse(text)
    if name == LEVEL_NAME and match:
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
        return _changed(expert_strategy(setup), options).called(label)
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
    return label if label.partition("[")[0] == EXPERT else read_strategy(text).text


def expert_strategy(setup: Setup) -> str:
    """The search that plays as expert in a setup.

    That is the best fitting [[expert]] of the game's weights.toml, else what was found for the setup (experts.py), else
    the search of all games. All of these take about as long per move.
    """
    own = expert_of_game(setup)
    return own or kept_expert(setup) or next(one.strategy for one in named_players() if one.name == EXPERT)


def expert_of_game(setup: Setup) -> str:
    """The expert that comes with the game; empty if it has none."""
    entry = best_fitting(_experts(setup.ruleset.name), setup)
    return str(entry["strategy"]) if entry else ""


@lru_cache
def _experts(game: str) -> list[Mapping[str, Any]]:
    path = weights_file(game)
    return list(read_weights(path).get(EXPERT, [])) if path.exists() else []


def playable(setup: Setup, names: Iterable[str]) -> tuple[list[Strategy], list[tuple[str, str]]]:
    """The strategies that can play this setup, and why the others cannot."""
    strategies, left_out = [], []
    for name in names:
        strategy = read_strategy(name, setup)
        why = missing_in(strategy, setup)
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


def missing_in(strategy: Strategy, setup: Setup) -> str:
    """Why a strategy cannot play a setup; empty if it can."""
    try:
        if KINDS[strategy.name] != RANDOM:
            weights_entry(strategy, setup)
    except StrategyError as fault:  # any other error is that of a broken file
        return str(fault)
    return ""


def is_search(strategy: Strategy) -> bool:
    """Whether a strategy searches at every move. People think at some moves, which takes a hundredth of the time."""
    return THUMB < KINDS[strategy.name] < LEVEL


def has_search(line_up: LineUp) -> bool:
    """Whether any player searches, so that only few games can be played."""
    return any(map(is_search, line_up.strategies))


def thinks(line_up: LineUp) -> bool:
    """Whether any player is a person who thinks, which takes about ten times as long as a habit."""
    return any(KINDS[one.name] == LEVEL and one.options.get("thought", 0) > 0 for one in line_up.strategies)


def usual_games(line_ups: Iterable[LineUp], games: int) -> int:
    """The default number of games of each: fewer if people think, and if many of them do; very few if all search."""
    seated = list(line_ups)
    if all(map(has_search, seated)):
        return min(games, SEARCH_DEALS)
    thinking = sum(map(thinks, seated))
    return min(games, THINKING_GAMES, max(LEAST_THINKING, THINKING_IN_ALL // thinking)) if thinking else games
