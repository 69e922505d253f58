"""Question a: how likely players make the moves of people, in nats per move: -ln of the chance of the move made.

Each person counts once, with the mean over that person's moves. Intervals come from resampling people. All players
share one floor, so that no move is impossible (move_chances.py). docs/method/people.md says what was
asked, and what is free in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from houle.analysis.run_options import OnGames
from houle.analysis.stats.estimate import Estimate
from houle.solver.matches.match import Match
from tools.people.games import Decision
from tools.people.move_chances import chances_at

Nats = NDArray[np.float64]
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
    players: Sequence[str],
    repeats: int,
    floor: float,
    seed: int,
    shown: Callable[[str, int], Callable[[int, float], None]],
) -> dict[str, Nats]:
    """The nats of every decision, for each player."""
    matches, actions, nats = [one.match for one in decisions], [one.action for one in decisions], dict[str, Nats]()
    for number, player in enumerate(players, 1):
        progress = shown(f"player {number} of {len(players)}, {player}", len(decisions))
        chance, error = made_chances(matches, actions, player, repeats, floor=floor, seed=seed, progress=progress)
        nats[player] = -log_chance(chance, error)
    return nats


def made_chances(
    matches: Sequence[Match],
    actions: Sequence[int],
    player: str,
    repeats: int,
    floor: float,
    seed: int,
    threads: int | None = None,
    progress: OnGames | None = None,
) -> tuple[Nats, Nats]:
    """The chance with which a player makes each of these moves, and its standard error."""
    chances = chances_at(matches, player, repeats=repeats, floor=floor, seed=seed, threads=threads, progress=progress)
    places = [here.place(action) for here, action in zip(chances, actions, strict=True)]
    made = [(here.chances[at], here.errors[at]) for here, at in zip(chances, places, strict=True)]
    chance, error = np.array(made).reshape(-1, 2).T
    return chance, error


def log_chance(chance: Nats, error: Nats) -> Nats:
    """The logarithm of chances that were counted.

    It would be too low in the mean; to second order, by its variance over twice its square.
    """
    logs: Nats = np.log(chance) + error**2 / (2 * chance**2)
    return logs


def scores(decisions: Sequence[Decision], nats: dict[str, Nats], seed: int) -> list[Score]:
    """The table of all players and groups of games."""
    rows = []
    for group, belongs in GROUPS.items():
        chosen = np.array([belongs(decision) for decision in decisions], bool)
        people, member = np.unique(
            [one.person for one, wanted in zip(decisions, chosen, strict=True) if wanted], return_inverse=True
        )
        if not len(people):
            continue
        first: Nats | None = None
        for player, values in nats.items():
            means = np.bincount(member, values[chosen]) / np.bincount(member)
            first = means if first is None else first
            each = estimated(means, seed), estimated(means - first, seed)
            rows.append(Score(player, group, len(people), int(chosen.sum()), *each))
    return rows


def estimated(means: Nats, seed: int) -> Estimate:
    """The mean over people, with a 95% interval by resampling them."""
    draws = np.random.default_rng(seed).integers(0, len(means), (RESAMPLES, len(means)))
    low, high = np.quantile(means[draws].mean(axis=1), (0.025, 0.975))
    return Estimate(float(means.mean()), float(low), float(high), n=len(means), unit="nats")


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
