"""`simulate`: play many games of one setup, for win rates and scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.limits import GAMES
from houle.analysis.players.line_ups import Strategies, as_setup, line_up, usual_games
from houle.analysis.result import Facts, Record, Result
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.sampling.grid import short_line_up
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import Mean, draw_rate, mean_score, per, win_rate
from houle.analysis.stats.seat_gap import MARGIN, SeatGap, competes_evenly, fair_margin, seat_gap_of
from houle.solver.language.seats import from_1
from houle.solver.rules import Setup
from houle.solver.run import Run
from houle.solver.run.tally import Tally

MOST_SIDES = 4  # in a headline


@dataclass(frozen=True)
class Side:
    """One side of a game (a seat, a team, or all players) and its results."""

    name: str
    seats: tuple[int, ...]
    win: Estimate
    score: Mean
    histogram: Mapping[int, int]  # entries by score

    def record(self, score_name: str) -> Record:
        """The row of this side."""
        return {
            "side": self.name,
            "seats": self.seats,
            "win": self.win,
            "score_name": score_name,
            "score_n": self.score.interval.n,
            "score": self.score.interval,
            "score_sd": self.score.sd,
            "histogram": {str(score): number for score, number in self.histogram.items()},
        }


def read_sides(tally: Tally, names: Iterable[tuple[str, Iterable[int]]]) -> list[Side]:
    """The results of every side, given their names and seats."""
    return [
        Side(name, tuple(seats), win=win_rate(tally, side), score=mean_score(tally, side), histogram=tally.scores(side))
        for side, (name, seats) in enumerate(names)
    ]


@dataclass(frozen=True, repr=False)
class Simulation(Result):
    """Win rates, scores and other means of many games."""

    run: Run
    margin: float = MARGIN  # a gap between seats of at most this counts as fair

    command = "simulate"
    rows_key = "sides"

    @cached_property
    def facts(self) -> Facts:
        run = self.run
        return Facts(
            run.setup,
            strategies=run.strategies,
            seed=run.seed,
            games=run.tally.games,
            asked=run.asked,
            seconds=run.seconds,
            digest=run.digest,
            first=run.first,
        )

    @property
    def headline(self) -> str:
        if self.setup.goal == "score":
            reached = f"{self.setup.score.replace('_', ' ')} {self.sides[0].score.interval.text()}"
            return f"{short_line_up(self.strategies)}: {reached}"
        sides = self.sides[:MOST_SIDES]
        wins = ", ".join(f"{'' if one.name == 'team' else from_1(one.name) + ' '}win {one.win.text()}" for one in sides)
        return f"{short_line_up(self.strategies)}: {wins}{', ...' if len(self.sides) > MOST_SIDES else ''}"

    @cached_property
    def sides(self) -> list[Side]:
        return read_sides(self.run.tally, self.setup.game.side_names(self.setup))

    @cached_property
    def gap(self) -> SeatGap | None:
        """How many more of the games the best seat wins than the worst; None unless players compete as equals."""
        return seat_gap_of(self.run.tally) if competes_evenly(self.setup) else None

    @cached_property
    def draws(self) -> Estimate:
        return draw_rate(self.run.tally)

    @property
    def unresolved(self) -> float | None:
        """Share of games that the exact solver left open; None if nobody is clairvoyant."""
        if not any(name.startswith("clairvoyant") for name in self.strategies):
            return None
        return self.run.tally.unresolved / max(1, self.games)

    def mean(self, count: str) -> float:
        """Mean number of moves, turns or rounds per game."""
        return per(self.run.tally, count)

    @cached_property
    def rates(self) -> dict[str, float]:
        """Means that the game itself defines."""
        return {name: per(self.run.tally, *parts) for name, parts in self.setup.game.RATES.items()}

    def records(self) -> list[Record]:
        return [side.record(self.setup.score) for side in self.sides]

    def summary(self) -> Record:
        return {
            "draws": self.draws,
            **({"unresolved": {"rate": self.unresolved}} if self.unresolved is not None else {}),
            **{name: {"mean": self.mean(name)} for name in ("moves", "turns", "rounds")},
            "counts": self.rates,
            "games_per_second": self.games_per_second,
            "seat_gap": self.gap and self.gap.interval,
            "fairness": self.gap and self.gap.verdict(self.margin),
        }


@checked
def simulate(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    margin: float | None = None,
    **run: Unpack[RunOptions],
) -> Simulation:
    """Play many games of a setup: win rates and scores, with 95% intervals.

    Parameters
    ----------
    margin : float, optional
        Seats count as fair if the best one wins at most so many percentage points more than the worst; 3 by default.
    games : int
        100,000 by default, at most 5,000 if people think, and 200 if players search.

    Returns
    -------
    Simulation
        With `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> result = houle.simulate(houle.setup("wave", players=3), strategies="thumb", games=2_000)
    >>> result
    Simulation(wave, 3 players, thumb: win ...% (... to ...), 2,000 games)
    >>> result.games, result.sides[0].name
    (2000, 'team')
    >>> result.repeat()
    'houle simulate wave -p 3 -s thumb -n 2000 --seed 1'
    """
    seated, most = line_up(as_setup(setup), strategies), fair_margin(margin)
    return Simulation(play_line_up(seated, RunSpec.of(run, usual_games([seated], GAMES))), most)
