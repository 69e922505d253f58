"""How likely players make the moves of people, in nats per move: -ln of the chance of the move that was made.

Each person counts once, with the mean over that person's moves. Intervals come from resampling people. All players
share one floor, so that no move is impossible (analysis/advice/move_chances.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import houle
from houle.analysis.stats.estimate import Estimate
from tools.people.games import Decision

RESAMPLES = 2_000
GROUPS: dict[str, Callable[[Decision], bool]] = {
    "first games": lambda decision: decision.nth == 1,
    "later games": lambda decision: decision.nth > 1,
    "all games": lambda decision: True,
}


@dataclass(frozen=True)
class Score:
    """The nats per move of one player in one group of games; less is better."""

    player: str
    group: str
    people: int
    decisions: int
    nats: Estimate
    beside: Estimate  # its difference from the first player, on the same moves


def nats_of(
    decisions: Sequence[Decision],
    player: str,
    repeats: int,
    floor: float,
    seed: int,
    progress: Callable[[int, float], None] | None = None,
) -> NDArray[np.float64]:
    """The nats of every decision for one player."""
    matches = [decision.match for decision in decisions]
    chances = houle.move_chances(matches, player, repeats=repeats, floor=floor, seed=seed, progress=progress)
    made = [here.of(decision.action) for here, decision in zip(chances, decisions, strict=True)]
    nats: NDArray[np.float64] = -np.log(np.array(made))
    return nats


def scores(decisions: Sequence[Decision], nats: dict[str, NDArray[np.float64]], seed: int) -> list[Score]:
    """The table of all players and groups of games."""
    rows = []
    for group, belongs in GROUPS.items():
        chosen = np.array([belongs(decision) for decision in decisions], bool)
        people, member = np.unique(
            [one.person for one, wanted in zip(decisions, chosen, strict=True) if wanted], return_inverse=True
        )
        if not len(people):
            continue
        draws = np.random.default_rng(seed).integers(0, len(people), (RESAMPLES, len(people)))
        first: NDArray[np.float64] | None = None
        for player, values in nats.items():
            means = np.bincount(member, values[chosen]) / np.bincount(member)
            first = means if first is None else first
            each = _estimated(means, draws), _estimated(means - first, draws)
            rows.append(Score(player, group, len(people), int(chosen.sum()), *each))
    return rows


def _estimated(means: NDArray[np.float64], draws: NDArray[np.int64]) -> Estimate:
    """The mean over people, with a 95% interval by resampling them."""
    low, high = np.quantile(means[draws].mean(axis=1), (0.025, 0.975))
    return Estimate(float(means.mean()), float(low), float(high), len(means), "nats")


def table(rows: Sequence[Score]) -> list[str]:
    """The scores for people, a block for each group of games."""
    lines = []
    for group in dict.fromkeys(row.group for row in rows):
        some = [row for row in rows if row.group == group]
        width = max(len(row.player) for row in some)
        lines += [f"{group}: {some[0].people} people, {some[0].decisions:,} moves"]
        for row in some:
            nats = f"{row.nats.value:.4f} ({row.nats.low:.4f} to {row.nats.high:.4f}) nats per move"
            beside = f"{row.beside.value:+.4f} ({row.beside.low:+.4f} to {row.beside.high:+.4f})"
            compared = f"; beside {some[0].player} {beside}" if row is not some[0] else ""
            lines.append(f"  {row.player:<{width}}  {nats}{compared}")
    return lines
