"""Reading brackets: the row of a strategy, and the strongest player that does not cheat."""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.difficulty.bracket import Bracket, Level


def strategies_of(brackets: Sequence[Bracket]) -> list[str]:
    return list(dict.fromkeys(level.strategy for bracket in brackets for level in bracket.levels))


def level_of(bracket: Bracket, strategy: str) -> Level | None:
    return next((level for level in bracket.levels if level.strategy == strategy), None)


def strongest_fair(bracket: Bracket) -> Level:
    """The strongest player that does not cheat: chosen by its kind, for the greatest number would be the luckiest."""
    return [level for level in bracket.levels if not level.strategy.startswith("clairvoyant")][-1]
