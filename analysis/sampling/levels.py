"""Levels of people: a line from a first game to seasoned players, along which the lapses of a thumb get rarer.

The levels are players of players.toml. A point on the line is a number: 0 is the first level, 1 the next. Between two
levels the chances of their lapses are interpolated. The levels are not calibrated to people; `houle calibrate`
places real results on the line.
"""

from __future__ import annotations

import math
from functools import lru_cache

from houle.analysis.sampling.players import NamedPlayer, named_players
from houle.solver.players.names import parse

CLOSE = 0.05  # of a step: a point nearer to a level than this is called that level
DIGITS = 3  # of a percentage, as players are stored


@lru_cache
def levels() -> tuple[NamedPlayer, ...]:
    """Every level, from the weakest."""
    return tuple(player for player in named_players() if player.level)


def level_strategy(point: float) -> str:
    """The strategy at a point on the line of levels, as -s takes it.

    >>> level_strategy(1), level_strategy(1.5)
    ('thumb[forgets=15,loses_count=15,nearsighted=40]', 'thumb[forgets=10,loses_count=10,nearsighted=30]')
    """
    lower = min(int(point), len(levels()) - 2)
    part = point - lower
    below, above = (parse(level.strategy).options for level in levels()[lower : lower + 2])
    mixed = {key: (1 - part) * below.get(key, 0) + part * above.get(key, 0) for key in {**below, **above}}
    pairs = [f"{key}={round(value, DIGITS):g}" for key, value in sorted(mixed.items()) if round(value, DIGITS)]
    return f"thumb[{','.join(pairs)}]" if pairs else "thumb"


def level_words(point: float) -> str:
    """A point on the line in words: `between family and regular`; the ends of the line include all beyond them."""
    last = len(levels()) - 1
    names = [level.name for level in levels()]
    if point <= 0:
        return f"at the {names[0]} level or below"
    if point >= last:
        return f"at the {names[last]} level or above"
    nearest = round(point)
    if abs(point - nearest) < CLOSE:
        return f"at the {names[nearest]} level"
    return f"between {names[math.floor(point)]} and {names[math.ceil(point)]}"


def line_words() -> str:
    """The line of levels in words: `0 first-game, 1 family, 2 regular, 3 seasoned`."""
    return ", ".join(f"{point} {level.name}" for point, level in enumerate(levels()))
