"""The setup and the players of an analysis, from what the caller gave: the first arguments of every function."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from houle.analysis.arguments import checked
from houle.analysis.limits import LEAST_THINKING, SEARCH_DEALS, THINKING_GAMES, THINKING_IN_ALL, shown
from houle.analysis.players.named_players import FAMILY, strategy_of
from houle.analysis.players.read_players import read_strategy
from houle.solver.errors import InputError, StrategyError
from houle.solver.players.names import KINDS, LEVEL, THUMB, Strategy, parse, split
from houle.solver.players.player import LineUp, seat
from houle.solver.rules import Setup, make_setup
from houle.solver.rules.game_folders import name_plain

Strategies = str | Iterable[str] | None


def is_search(strategy: Strategy) -> bool:
    """Whether a strategy searches at every move. People think at some moves, which takes a hundredth of the time."""
    return THUMB < KINDS[strategy.name] < LEVEL


def has_search(line_up: LineUp) -> bool:
    """Whether any player searches, so that only few games can be played."""
    return any(map(is_search, line_up.strategies))


def thinks(line_up: LineUp) -> bool:
    """Whether any player is a person who thinks, which takes about ten times as long as a habit."""
    return any(KINDS[one.name] == LEVEL and one.options.get("thought", 0) > 0 for one in line_up.strategies)


def habit_of(line_up: LineUp) -> str:
    """The first person of a line-up without thought: a quick player who errs alike."""
    person = next(one for one in line_up.strategies if KINDS[one.name] == LEVEL)
    return strategy_of(person.options.get("slips", 0), 0)


def usual_games(line_ups: Iterable[LineUp], games: int) -> int:
    """The default number of games of each: fewer if people think, and if many of them do; very few if all search."""
    seated = list(line_ups)
    if all(map(has_search, seated)):
        return min(games, SEARCH_DEALS)
    thinking = sum(map(thinks, seated))
    return min(games, THINKING_GAMES, max(LEAST_THINKING, THINKING_IN_ALL // thinking)) if thinking else games


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
    return make_setup(game, players, names, set, rules, place="set")


def as_setup(given: Setup | str) -> Setup:
    """A setup as it is, or the default setup of the game with this name."""
    if not isinstance(given, Setup | str):
        allowed = "a Setup (see houle.setup) or the name of a game"
        raise InputError(f"setup: {shown(given)} is not allowed; allowed: {allowed}")
    return setup(given) if isinstance(given, str) else given


def usual_strategy(setup: Setup) -> str:
    """The default player of a setup: the thumb, or random play in a game without rules of thumb."""
    return "thumb" if setup.game.has("features") else "random"


def usual_people(setup: Setup) -> str:
    """The default players of comparisons, sweeps and designs: families, or random play without rules of thumb."""
    return FAMILY if usual_strategy(setup) == "thumb" else "random"


def line_up(setup: Setup, strategies: Strategies = None) -> LineUp:
    """Who plays: one strategy for all players, one each, or None for the default player.

    This is the door: texts become strategies here, once, and everything behind it passes line-ups on.
    """
    read = [read_strategy(name, setup) for name in names_of(strategies)]
    return seat(setup, read or [parse(usual_strategy(setup))])


def names_of(strategies: Strategies) -> list[str]:
    """Strategies one by one, split at commas; none for None."""
    allowed = "allowed: the name of a player, as 'thumb', or a list of them"
    if isinstance(strategies, Mapping) or not isinstance(strategies, Iterable | None):
        raise StrategyError(f"strategies: {shown(strategies)} is not allowed; {allowed}")
    names = (strategies,) if isinstance(strategies, str) else tuple(strategies or ())
    for name in names:
        if not isinstance(name, str) or not split(name):
            raise StrategyError(f"strategies: {shown(name)} is not allowed; {allowed}")
    return [part for name in names for part in split(name)]


def one_strategy(what: str, strategies: Strategies, usual: str, setup: Setup) -> Strategy:
    """The one strategy that an analysis is about, in every seat."""
    names = names_of(strategies) or [usual]
    if len(set(names)) > 1:
        raise StrategyError(f"{what}: {len(names)} strategies are given; allowed: one, for every seat")
    return read_strategy(names[0], setup)
