"""A line-up rotated over all seats on the same deals, so that seats favour nobody: `houle simulate --rotate`.

Rotation r seats player j at seat (j + r) modulo the number of players. Every deal is played once per rotation. n
counts deals, and intervals are clustered by deal, because the plays of one deal are not independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from houle.analysis.result import Facts, Record, Result
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.clustered_deals import DealArm, Deals, deals_digest, same_deals
from houle.analysis.stats.estimate import Estimate
from houle.solver.players.player import LineUp


@dataclass(frozen=True)
class Player:
    """A player of the line-up and its results over all seats."""

    name: str
    strategy: str
    win: Estimate
    score: Estimate


@dataclass(frozen=True, repr=False)
class Rotation(Result):
    """Results of a rotated line-up. Its games are deals, each played once per seat."""

    line_up: LineUp  # as given
    arms: list[DealArm]
    deals: Deals
    spec: RunSpec

    command = "simulate"
    rows_key = "line_up"

    @cached_property
    def facts(self) -> Facts:
        name = deals_digest(self.line_up.setup, self.arms, self.spec, self.deals)
        return Facts.of(self.line_up, self.spec, self.deals.number, self.deals.seconds, name)

    @property
    def headline(self) -> str:
        return ", ".join(f"{one.strategy}: win {one.win.text()}" for one in self.players)

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

    def records(self) -> list[Record]:
        return [
            {
                "player": player.name,
                "strategy": player.strategy,
                "win": player.win,
                "score_name": self.setup.score,
                "score": player.score,
            }
            for player in self.players
        ]

    def summary(self) -> Record:
        return {"rotated": True, "deals": self.games, "games": self.plays, "games_per_second": self.games_per_second}


def rotate_line_up(seated: LineUp, spec: RunSpec) -> Rotation:
    """Play every deal once per seat, moving the line-up by one seat each time."""
    arms = rotated(seated)
    return Rotation(seated, arms, same_deals(arms, spec), spec)


def rotated(seated: LineUp) -> list[DealArm]:
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
