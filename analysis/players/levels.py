"""Levels of people: a line from a first game to seasoned players, along which the lapses of a thumb get rarer.

The levels are players of players.toml. A point on the line is a number: 0 is the first level, 1 the next. Between two
levels the chances of their lapses are interpolated. `level:2.3` plays at a point of the line. Experts, who plan ahead,
are above the line. The levels are not calibrated to people; `houle calibrate` places real results on the line.
"""

from __future__ import annotations

import math
from functools import lru_cache

from houle.analysis.players.named_players import NamedPlayer, named_players
from houle.solver.errors import StrategyError
from houle.solver.players.names import parse

NAME = "level"
CLOSE = 0.05  # of a step: a point nearer to a level than this is called that level
DIGITS = 3  # of a percentage, as players are stored


@lru_cache
def levels() -> tuple[NamedPlayer, ...]:
    """Every level, from the weakest."""
    return tuple(player for player in named_players() if player.level)


def top() -> int:
    """The end of the line."""
    return len(levels()) - 1


def level_strategy(point: float) -> str:
    """The strategy at a point on the line of levels.

    >>> level_strategy(1), level_strategy(1.5)
    ('thumb[forgets=15,loses_count=15,nearsighted=40]', 'thumb[forgets=10,loses_count=10,nearsighted=30]')
    """
    lower = min(int(point), top() - 1)
    part = point - lower
    below, above = (parse(level.strategy).options for level in levels()[lower : lower + 2])
    mixed = {key: (1 - part) * below.get(key, 0) + part * above.get(key, 0) for key in {**below, **above}}
    pairs = [f"{key}={round(value, DIGITS):g}" for key, value in sorted(mixed.items()) if round(value, DIGITS)]
    return f"thumb[{','.join(pairs)}]" if pairs else "thumb"


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


def nearest_level(point: float) -> str:
    return levels()[round(point)].name


def line_words() -> str:
    """The line of levels in words: `0 first-game, 1 family, 2 regular, 3 seasoned`."""
    return ", ".join(f"{point} {level.name}" for point, level in enumerate(levels()))
