"""What a plain game came to, as its `result()` tells it, in the house's numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from houle.analysis.stats.intervals import WHOLE_WIN

MOST_SIDES = 8


@dataclass(frozen=True)
class Outcome:
    """One game that is over: by side its share of the win in 1/840, and its score."""

    shares: tuple[int, ...]
    scores: tuple[int, ...]
    players: int
    moves: int
    turns: int
    rounds: int
    lower: bool  # whether low scores are good
    counts: Mapping[str, int] = field(default_factory=dict)

    def of_seat(self, seat: int, game: Any) -> tuple[int, int]:
        """What a search maximises for a seat: its side's share, then how far its score is ahead of the others'."""
        side = side_of(seat, len(self.scores), self.players, game)
        sign = -1 if self.lower else 1
        others = [sign * score for i, score in enumerate(self.scores) if i != side]
        return self.shares[side], sign * self.scores[side] - (max(others) if others else 0)


def side_of(seat: int, sides: int, players: int, game: Any) -> int:
    """Everyone together, everyone alone, or as the class's `sides` (a list, a side per seat) has it."""
    if sides == 1:
        return 0
    return seat if sides == players else int(game.sides[seat])


def side_names(sides: int, players: int, game: Any) -> list[tuple[str, list[int]]]:
    """Who is scored: names and seats."""
    if sides == 1 and players > 1:
        return [("team", list(range(players)))]
    if sides == players:
        return [(f"seat {seat}", [seat]) for seat in range(players)]
    return [
        (f"team {side}", [seat for seat in range(players) if side_of(seat, sides, players, game) == side])
        for side in range(sides)
    ]


def read_result(found: Any, players: int, moves: int, lower: bool) -> Outcome:
    """Checks what `result()` returned; a ValueError in words where it cannot be a result."""
    if not isinstance(found, Mapping) or "scores" not in found:
        raise ValueError('must return a dict with "scores", a whole number per side; and "winners", a list of sides')
    scores = _whole(found["scores"], "scores")
    if not 1 <= len(scores) <= MOST_SIDES:
        raise ValueError(f"has {len(scores)} scores; allowed: 1 to {MOST_SIDES}")
    shares = _shares(found, scores, lower)
    turns, rounds, made = (
        _number(found, name, other) for name, other in (("turns", moves), ("rounds", 1), ("moves", moves))
    )
    counts = {str(name): int(number) for name, number in dict(found.get("counts", {})).items()}
    return Outcome(shares, scores, players, made, turns, rounds, lower, counts)


def _shares(found: Mapping[str, Any], scores: tuple[int, ...], lower: bool) -> tuple[int, ...]:
    if "shares" in found:
        shares = _whole(found["shares"], "shares")
        if len(shares) != len(scores) or min(shares) < 0 or sum(shares) > WHOLE_WIN:
            raise ValueError(
                f"has shares {list(shares)}; allowed: one per score, in all at most {WHOLE_WIN}, a whole win"
            )
        return shares
    if "winners" in found:
        winners = _whole(found["winners"], "winners")
        if any(not 0 <= side < len(scores) for side in winners) or len(set(winners)) < len(winners):
            raise ValueError(f"has winners {list(winners)}; allowed: sides from 0 to {len(scores) - 1}, each once")
        return tuple(WHOLE_WIN // len(winners) if side in winners else 0 for side in range(len(scores)))
    if len(scores) == 1:
        raise ValueError('must say whether the team won: "winners": [0] or "winners": []')
    best = min(scores) if lower else max(scores)
    return tuple(WHOLE_WIN // scores.count(best) if score == best else 0 for score in scores)


def _whole(values: Any, name: str) -> tuple[int, ...]:
    items = list(values) if isinstance(values, list | tuple) else [values]
    if any(isinstance(item, bool) or not isinstance(item, int) for item in items):
        raise ValueError(f"has {name} {values!r}; allowed: a list of whole numbers")
    return tuple(items)


def _number(found: Mapping[str, Any], name: str, other: int) -> int:
    return _whole(found.get(name, other), name)[0]
