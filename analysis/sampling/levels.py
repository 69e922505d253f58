"""Levels of people: a line from a first game to an expert, along which the lapses of a thumb get rarer.

The levels are players of players.toml. A place on the line is a number: 0 the first level, 1 the next, and between two
of them the chances of their lapses are mixed. None is calibrated: what people reach says where they are, see
strategy/level_fit.py.
"""

from __future__ import annotations

import math
from functools import lru_cache

from houle.analysis.sampling.players import NamedPlayer, named_players
from houle.solver.strategies.names import parse

CLOSE = 0.05  # of a step between two levels: nearer than that is the level itself
DIGITS = 3  # of a percent, as players keep it


@lru_cache
def levels() -> tuple[NamedPlayer, ...]:
    """Every level, from the weakest."""
    return tuple(player for player in named_players() if player.level)


def level_strategy(place: float) -> str:
    """The thumb at a place of the line, as -s takes it.

    >>> level_strategy(1), level_strategy(1.5)
    ('thumb[forgets=15,loses_count=15,nearsighted=40]', 'thumb[forgets=10,loses_count=10,nearsighted=30]')
    """
    lower = min(int(place), len(levels()) - 2)
    part = place - lower
    below, above = (parse(level.strategy).options for level in levels()[lower : lower + 2])
    mixed = {key: (1 - part) * below.get(key, 0) + part * above.get(key, 0) for key in {**below, **above}}
    pairs = [f"{key}={round(value, DIGITS):g}" for key, value in sorted(mixed.items()) if round(value, DIGITS)]
    return f"thumb[{','.join(pairs)}]" if pairs else "thumb"


def level_words(place: float) -> str:
    """Where a place lies: `like between family and regular`; at the ends of the line anything beyond may be meant."""
    last = len(levels()) - 1
    names = [level.name for level in levels()]
    if place <= 0:
        return f"like {names[0]}, or worse"
    if place >= last:
        return f"like {names[last]}, or better"
    nearest = round(place)
    if abs(place - nearest) < CLOSE:
        return f"like {names[nearest]}"
    return f"like between {names[math.floor(place)]} and {names[math.ceil(place)]}"


def line_words() -> str:
    """The line as a reader needs it beside a place: `0 first-game, 1 family, 2 regular, 3 expert`."""
    return ", ".join(f"{place} {level.name}" for place, level in enumerate(levels()))
