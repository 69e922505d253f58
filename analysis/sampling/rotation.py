"""A line-up rotated over all seats on the same deals, so that seats favour nobody: `houle simulate --rotate`.

Rotation r seats player j at seat (j + r) modulo the number of players. Every deal is played once per rotation. n
counts deals, and intervals are clustered by deal, because the plays of one deal are not independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from houle.analysis.limits import GAMES, SEED, check_run
from houle.analysis.result import Facts, Result, interval_columns
from houle.analysis.sampling.lineups import Strategies, line_up
from houle.analysis.sampling.players import shown_player
from houle.analysis.sampling.progress import part_of
from houle.analysis.sampling.same_deals import Arm, Deals, deals_digest, same_deals
from houle.analysis.sampling.simulation import mean_as_json, rate_as_json
from houle.analysis.stats.intervals import Interval
from houle.solver.ruleset import Setup
from houle.solver.run import Progress
from houle.solver.strategies.player import LineUp

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Player:
    """A player of the line-up and its results over all seats."""

    name: str
    strategy: str
    win: Interval
    score: Interval


@dataclass(frozen=True, repr=False)
class Rotation(Result):
    """Results of a rotated line-up. Its games are deals, each played once per seat."""

    played_setup: Setup
    seated: tuple[str, ...]  # the line-up as given
    arms: list[Arm]
    deals: Deals
    numbers: tuple[int, int, int]  # seed, first deal, deals asked for

    command = "simulate"

    @cached_property
    def facts(self) -> Facts:
        seed, first, asked = self.numbers
        name = deals_digest(self.played_setup, self.arms, seed, first, self.deals)
        return Facts(self.played_setup, self.seated, seed, self.deals.number, asked, self.deals.seconds, name, first)

    @property
    def headline(self) -> str:
        return ", ".join(f"{shown_player(one.strategy)}: win {one.win.text(percent=True)}" for one in self.players)

    @property
    def games_per_second(self) -> float:
        return self.plays / self.seconds if self.seconds else 0.0

    @property
    def plays(self) -> int:
        """Games in total."""
        return self.games * self.setup.players

    @cached_property
    def players(self) -> list[Player]:
        team = len(self.arms) == 1 < self.setup.players
        names = ["team"] if team else [f"player {j}" for j in range(len(self.arms))]
        who = [", ".join(dict.fromkeys(self.strategies))] if team else list(self.strategies)
        return [
            Player(names[j], who[j], self.deals.win(j), self.deals.score(j).within(*self.setup.score_range))
            for j in range(len(self.arms))
        ]

    def words(self) -> list[str]:
        return ["--rotate"]

    def frame(self) -> pd.DataFrame:
        """One row per player of the line-up."""
        import pandas as pd

        return pd.DataFrame(
            {
                **self.setup_columns(),
                "player": player.name,
                "strategy": player.strategy,
                **interval_columns("win", player.win),
                "score_name": self.setup.score,
                **interval_columns("score", player.score),
                **self.digest_columns(),
            }
            for player in self.players
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle simulate --rotate --json` prints."""
        return {
            **self.head(),
            "rotated": True,
            "deals": self.games,
            "games": self.plays,
            "line_up": [
                {
                    "player": player.name,
                    "strategy": player.strategy,
                    "win": rate_as_json(player.win),
                    "score": {"name": self.setup.score, **mean_as_json(player.score)},
                }
                for player in self.players
            ],
            "games_per_second": self.games_per_second,
        }


def rotate_line_up(
    setup: Setup,
    strategies: Strategies = None,
    deals: int = GAMES,
    seed: int = SEED,
    first: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Rotation:
    """Play every deal once per seat, moving the line-up by one seat each time."""
    check_run(deals, seed, first)
    seated = line_up(setup, strategies)
    arms = rotated(seated)
    played = same_deals(setup, arms, seed, deals, first, threads, part_of(progress, plays=setup.players))
    return Rotation(setup, seated.names, arms, played, (seed, first, deals))


def rotated(seated: LineUp) -> list[Arm]:
    """An arm per player of the line-up; one for the whole team if all are on one side."""
    setup, number = seated.setup, seated.setup.players
    turns = [
        LineUp(setup, tuple(seated.strategies[(seat - turn) % number] for seat in range(number)))
        for turn in range(number)
    ]
    if setup.one_sided:
        side = next(iter(setup.seats_by_side))
        return [[(turn, side) for turn in turns]]
    side_of = [int(side) for side in setup.rules[0].side[:number]]
    return [[(turns[r], side_of[(j + r) % number]) for r in range(number)] for j in range(number)]
