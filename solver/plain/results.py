"""The result of a plain game, read from its `result()`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from houle.solver.interface.functions import WIN
from houle.solver.interface.limits import MAX_SIDES


@dataclass(frozen=True)
class Outcome:
    """A finished game: the share of the win (in 1/840) and the score of each side."""

    shares: tuple[int, ...]
    scores: tuple[int, ...]
    moves: int
    turns: int
    rounds: int


def side_of(seat: int, sides: int, players: int, game: Any) -> int:
    """The side of a seat: all together, each alone, or by the `sides` of the class (one side per seat)."""
    if sides == 1:
        return 0
    return seat if sides == players else int(game.sides[seat])


def read_result(result: Any, moves: int, lower: bool) -> Outcome:
    """The outcome that `result()` returned; a ValueError says what is wrong with it."""
    if not isinstance(result, Mapping) or "scores" not in result:
        raise ValueError('must return a dict with "scores", a whole number per side; and "winners", a list of sides')
    scores = _whole(result["scores"], "scores")
    if not 1 <= len(scores) <= MAX_SIDES:
        raise ValueError(f"has {len(scores)} scores; allowed: 1 to {MAX_SIDES}")
    shares = _shares(result, scores, lower)
    turns, rounds, made = (
        _number(result, name, other) for name, other in (("turns", moves), ("rounds", 1), ("moves", moves))
    )
    return Outcome(shares, scores, made, turns, rounds)


def _shares(result: Mapping[str, Any], scores: tuple[int, ...], lower: bool) -> tuple[int, ...]:
    if "shares" in result:
        shares = _whole(result["shares"], "shares")
        if len(shares) != len(scores) or min(shares) < 0 or sum(shares) > WIN:
            raise ValueError(f"has shares {list(shares)}; allowed: one per score, at most {WIN} (a whole win) in all")
        return shares
    if "winners" in result:
        winners = _whole(result["winners"], "winners")
        if any(not 0 <= side < len(scores) for side in winners) or len(set(winners)) < len(winners):
            raise ValueError(f"has winners {list(winners)}; allowed: sides from 0 to {len(scores) - 1}, each once")
        return tuple(WIN // len(winners) if side in winners else 0 for side in range(len(scores)))
    if len(scores) == 1:
        raise ValueError('must say whether the team won: "winners": [0] or "winners": []')
    best = min(scores) if lower else max(scores)
    return tuple(WIN // scores.count(best) if score == best else 0 for score in scores)


def _whole(values: Any, name: str) -> tuple[int, ...]:
    items = list(values) if isinstance(values, list | tuple) else [values]
    if any(isinstance(item, bool) or not isinstance(item, int) for item in items):
        raise ValueError(f"has {name} {values!r}; allowed: a list of whole numbers")
    return tuple(items)


def _number(result: Mapping[str, Any], name: str, default: int) -> int:
    return _whole(result.get(name, default), name)[0]
