"""A line-up rotated over all seats on the same deals: what every player gets, whatever the seats are worth.

Rotation r seats player j at seat (j + r) modulo the number of players. Every deal is played once per rotation, n counts
deals, and intervals are clustered by deal: the plays of one deal are not independent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from houle.analysis.sampling.same_deals import Arm, Deals, deals_digest, same_deals, seats_of
from houle.analysis.sampling.simulation import GAMES, SEED
from houle.analysis.stats.intervals import Interval
from houle.solver.ruleset import Setup
from houle.solver.run import Progress
from houle.solver.strategies.player import LineUp, line_up

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Player:
    """A place in the line-up, taken to every seat."""

    name: str
    strategy: str
    win: Interval
    score: Interval


@dataclass(frozen=True)
class Rotation:
    """A rotated line-up, played."""

    setup: Setup
    strategies: tuple[str, ...]
    arms: list[Arm]
    seed: int
    first: int
    deals: Deals
    asked: int  # deals; more than were played after an interruption

    @property
    def interrupted(self) -> bool:
        return self.deals.number < self.asked

    @property
    def seconds(self) -> float:
        return self.deals.seconds

    @property
    def games(self) -> int:
        return self.deals.number * self.setup.players

    @cached_property
    def digest(self) -> str:
        return deals_digest(self.setup, self.arms, self.seed, self.first, self.deals)

    @cached_property
    def players(self) -> list[Player]:
        alone = len(self.arms) == 1 < self.setup.players
        names = ["team"] if alone else [f"player {j}" for j in range(len(self.arms))]
        who = [", ".join(dict.fromkeys(self.strategies))] if alone else list(self.strategies)
        return [
            Player(names[j], who[j], self.deals.win(j), self.deals.score(j).within(*self.setup.score_range))
            for j in range(len(self.arms))
        ]

    def frame(self) -> pd.DataFrame:
        """One row per player of the line-up."""
        import pandas as pd

        return pd.DataFrame(
            {
                "game": self.setup.ruleset.name,
                "players": self.setup.players,
                "variants": "+".join(self.setup.variants) or "base",
                "seed": self.seed,
                "first": self.first,
                "deals": self.deals.number,
                "player": player.name,
                "strategy": player.strategy,
                "win": player.win.value,
                "win_low": player.win.low,
                "win_high": player.win.high,
                "score_name": self.setup.score,
                "score": player.score.value,
                "score_low": player.score.low,
                "score_high": player.score.high,
                "rules_digest": self.setup.digest,
                "result_digest": self.digest,
            }
            for player in self.players
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle simulate --rotate --json` prints."""
        return {
            "game": self.setup.ruleset.name,
            "players": self.setup.players,
            "variants": list(self.setup.variants),
            "options": dict(self.setup.options),
            "strategies": list(self.strategies),
            "rotated": True,
            "seed": self.seed,
            "first": self.first,
            "deals": self.deals.number,
            "games": self.games,
            "rules_digest": self.setup.digest,
            "result_digest": self.digest,
            "notes": list(self.setup.notes),
            "line_up": [
                {
                    "player": player.name,
                    "strategy": player.strategy,
                    "win": {"rate": player.win.value, "low": player.win.low, "high": player.win.high},
                    "score": {"name": self.setup.score, "n": player.score.n, **interval_as_json(player.score)},
                }
                for player in self.players
            ],
            "seconds": self.seconds,
            "games_per_second": self.games / self.seconds if self.seconds else 0.0,
        }


def interval_as_json(interval: Interval) -> dict[str, float]:
    return {"mean": interval.value, "low": interval.low, "high": interval.high}


def rotate(
    setup: Setup,
    strategies: str | Iterable[str],
    deals: int = GAMES,
    seed: int = SEED,
    first: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Rotation:
    """Plays every deal once per seat, with the line-up moved on by one seat each time."""
    seated = line_up(setup, (strategies,) if isinstance(strategies, str) else strategies)
    arms = rotated(seated)
    played = same_deals(setup, arms, seed, deals, first, threads, progress)
    return Rotation(setup, seated.names, arms, seed, first, played, deals)


def rotated(seated: LineUp) -> list[Arm]:
    """An arm per player of the line-up; one for the whole team where all play together."""
    setup, number = seated.setup, seated.setup.players
    turns = [
        LineUp(setup, tuple(seated.strategies[(seat - turn) % number] for seat in range(number)))
        for turn in range(number)
    ]
    if len(seats_of(setup)) == 1:
        side = next(iter(seats_of(setup)))
        return [[(turn, side) for turn in turns]]
    side_of = [int(side) for side in setup.rules[0].side[:number]]
    return [[(turns[r], side_of[(j + r) % number]) for r in range(number)] for j in range(number)]
