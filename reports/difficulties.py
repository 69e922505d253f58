"""Reading results of `difficulty`: the row of a strategy, the strongest fair player, for whom a variant is harder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from houle.analysis.blocks import Block, text
from houle.analysis.difficulty.difficulty import Difficulty, Level
from houle.analysis.players.named_players import player_kind
from houle.analysis.stats.estimate import Estimate
from houle.solver.texts import capital


def strategies_of(difficulties: Sequence[Difficulty]) -> list[str]:
    return list(dict.fromkeys(level.strategy for difficulty in difficulties for level in difficulty.levels))


def level_of(difficulty: Difficulty, strategy: str | None) -> Level | None:
    return next((level for level in difficulty.levels if level.strategy == strategy), None)


def strongest_fair(difficulty: Difficulty) -> Level:
    """The strongest player that does not cheat, by its kind: the highest win rate might only be the luckiest."""
    return [level for level in difficulty.levels if not level.strategy.startswith("clairvoyant")][-1]


@dataclass(frozen=True)
class Opposed:
    """A variant that is certainly harder for one kind of player and easier for another."""

    variant: str
    changes: tuple[tuple[str, Estimate], ...]  # strategy, and what it wins more than in the main setup

    def as_json(self) -> dict[str, Any]:
        changes = [{"strategy": strategy, "difference": change.as_json()} for strategy, change in self.changes]
        return {"variant": self.variant, "changes": changes}

    @property
    def sentence(self) -> Block:
        (harder, less), (easier, more) = sorted(self.changes, key=lambda change: change[1].value)
        return text(
            "{variant} is harder for {one} players, {less}, and easier for {other} players, {more}.",
            variant=capital(self.variant),
            one=player_kind(harder),
            less=less,
            other=player_kind(easier),
            more=more,
        )


def opposed(name: str, variant: Difficulty, main: Difficulty, usual: str) -> Opposed | None:
    """What a variant changes for the usual player and for the strongest, if that is opposed."""
    changes = []
    for strategy in dict.fromkeys((usual, strongest_fair(main).strategy)):
        here, there = level_of(variant, strategy), level_of(main, strategy)
        if here and there:
            changes.append((strategy, here.win.difference(there.win)))
    signs = {change.value > 0 for _, change in changes if change.differs}
    return Opposed(name, tuple(changes)) if len(signs) > 1 else None
