"""Which table is meant and who plays at it: the first arguments of every analysis, checked."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from houle.analysis.sampling.players import read_strategy
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup, make_setup
from houle.solver.strategies.names import Strategy, parse, split
from houle.solver.strategies.player import LineUp, seat_strategies, weights_entry

Strategies = str | Iterable[str] | None


def setup(
    game: str,
    *,
    players: int | None = None,
    variants: str | Iterable[str] = (),
    set: Mapping[str, Any] | None = None,
    rules: str | Path | Iterable[str | Path] | None = None,
) -> Setup:
    """A table of a game: how many players, which variants, which knobs are turned.

    Parameters
    ----------
    game : str
        A game's name, as `houle games` lists it.
    players : int, optional
        How many; 3 where the game allows it.
    variants : str or iterable of str
        Names of variants; `"virage+nazare"` is both of them.
    set : mapping, optional
        Knobs turned by hand, such as `{"hand.front": 4}`.
    rules : path or iterable of paths, optional
        A file with a variant of one's own.

    Returns
    -------
    Setup
        What all analyses take as their first argument. A fault in any part is a RulesetError of one line.

    Examples
    --------
    >>> import houle
    >>> wave = houle.setup("wave", players=2, variants="virage", set={"hand.front": 4})
    >>> wave.players, wave.variants, wave.options["hand.front"]
    (2, ('virage',), 4)
    """
    names = (variants,) if isinstance(variants, str) else tuple(variants)
    return make_setup(game, players, names, set, rules, place="set")


def as_setup(table: Setup | str, old: Mapping[str, Any] | None = None) -> Setup:
    """A setup, or a game's name for its usual table; `old`: keywords of 0.1.0, which still work for one release."""
    if old:
        unknown = [name for name in old if name not in ("players", "variants", "set", "rules")]
        if unknown or isinstance(table, Setup):
            raise TypeError(f"unknown argument {(unknown or list(old))[0]!r}")
        warnings.warn(
            'give the table as houle.setup("game", players=...), not as keywords of its own',
            DeprecationWarning,
            stacklevel=3,
        )
        return setup(table, **old)
    return setup(table) if isinstance(table, str) else table


def usual_strategy(setup: Setup) -> str:
    """Who plays where nobody is named: the thumb, or random play where a game has no rules of thumb or no weights."""
    if not setup.game.has_features:
        return "random"
    try:
        weights_entry(parse("thumb"), setup)
    except InputError:
        return "random"
    return "thumb"


def line_up(setup: Setup, strategies: Strategies = None) -> LineUp:
    """One strategy per player: one name for all of them, one each, or None for the usual player."""
    names = [read_strategy(name, setup).text for name in names_of(strategies)]
    return seat_strategies(setup, names or [usual_strategy(setup)])


def names_of(strategies: Strategies) -> list[str]:
    """Strategies one by one, wherever commas stand between them; none for None."""
    names = (strategies,) if isinstance(strategies, str) else tuple(strategies or ())
    return [part for name in names for part in split(name)]


def one_strategy(what: str, strategies: Strategies, usual: str) -> Strategy:
    """The one strategy that an analysis is about, in every seat."""
    names = names_of(strategies) or [usual]
    if len(set(names)) > 1:
        raise InputError(f"{what}: {len(names)} strategies are given; allowed: one, for every seat")
    return read_strategy(names[0])
