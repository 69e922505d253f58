"""Moves that are hardly ever the best: kinds of moves and single cards, in positions that search judged.

A move counts where it could be made and another kind of move too. There are many moves, so the intervals are joint.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from houle.analysis.blocks import Block, about, text
from houle.analysis.players.named_players import THUMB, players_of
from houle.analysis.result import Record
from houle.analysis.sampling.judged_positions import JudgedPosition
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE, wilson

SELDOM = 0.1  # share of its chances in which a move is certainly less often the best
MOST = 5  # moves in a sentence


@dataclass(frozen=True)
class SeldomBest:
    """A move, and how often it was the best of those possible."""

    move: str
    best: Estimate  # n: its chances

    def record(self) -> Record:
        return {"move": self.move, "best": self.best, "chances": self.best.n}


def seldom_best(positions: Sequence[JudgedPosition]) -> list[SeldomBest]:
    """Moves that are certainly the best in less than a tenth of their chances, the most chances first."""
    return sorted((one for one in best_shares(positions) if one.best.high < SELDOM), key=lambda one: -one.best.n)


def best_shares(positions: Sequence[JudgedPosition]) -> list[SeldomBest]:
    """How often every move is the best, with joint intervals."""
    chances: Counter[str] = Counter()
    best: Counter[str] = Counter()
    for position in positions:
        for names in ([name.partition(" ")[0] for name in position.names], list(position.names)):
            kinds = set(names)
            if len(kinds) > 1:
                chances.update(kinds)
                best[names[position.best]] += 1
    confidence = 1 - (1 - CONFIDENCE) / max(len(chances), 1)
    return [SeldomBest(move, wilson(best[move] / number, number, confidence)) for move, number in chances.items()]


def sentence_of(found: Sequence[SeldomBest]) -> Block | None:
    """Which moves hardly matter, as a sentence; None if there are none."""
    if not found:
        return None
    moves = [
        about(text("{move} in {best} of {n} chances", move=one.move, best=one.best, n=one.best.n), THUMB, "best move")
        for one in found[:MOST]
    ]
    who = players_of(THUMB)
    return text("Hardly ever the best move, as search judges games of {who}: {moves}.", who=who, moves=moves)
