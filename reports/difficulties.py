"""Reading results of `difficulty`: the row of a strategy, and the strongest player that does not cheat."""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.difficulty.difficulty import Difficulty, Level


def strategies_of(difficulties: Sequence[Difficulty]) -> list[str]:
    return list(dict.fromkeys(level.strategy for difficulty in difficulties for level in difficulty.levels))


def level_of(difficulty: Difficulty, strategy: str | None) -> Level | None:
    return next((level for level in difficulty.levels if level.strategy == strategy), None)


def strongest_fair(difficulty: Difficulty) -> Level:
    """The strongest player that does not cheat, by its kind: the highest win rate might only be the luckiest."""
    return [level for level in difficulty.levels if not level.strategy.startswith("clairvoyant")][-1]
