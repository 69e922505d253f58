"""`houle strength --league`: every two strategies against each other in every mix of seats, with ratings.

With n sides, k sides play one strategy and the rest the other, for every k, in every seating, on the same deals. What a
strategy wins may depend on k: an exploiter needs players to exploit. Ratings (stats/ratings.py) rank strategies by one
number each, and a test says whether one number is enough. If it is not, alpha-rank and stable mixes describe what
becomes of a population that plays both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from houle.analysis.arguments import checked
from houle.analysis.limits import SEED, STRENGTH_GAMES, STRENGTH_SEARCH_GAMES, check_run
from houle.analysis.result import (
    Facts,
    Finished,
    command_line,
    interval_as_json,
    interval_columns,
    known,
    words_of_setup,
)
from houle.analysis.sampling.lineups import Strategies, as_setup
from houle.analysis.sampling.progress import expect
from houle.analysis.sampling.same_deals import Counted, play_parts
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.ratings import Ratings
from houle.analysis.strategy.league_plan import plan_league, players_of
from houle.analysis.strategy.league_ranking import Mix, Read, Shares, rank_players, rate_players, stable_mixes
from houle.analysis.strategy.strength import LEAST_DEALS
from houle.solver.ruleset import Setup
from houle.solver.run import Progress

if TYPE_CHECKING:
    import pandas as pd

FITS = 0.01  # ratings fit unless a deviation is rarer than this


@dataclass(frozen=True)
class Composition:
    """A mix that was played: so many sides of one strategy, the rest of another."""

    one: int  # index of each strategy
    other: int
    number: int  # sides of the first strategy
    sides: int  # in all
    win: Estimate  # what one side of the first strategy wins
    other_win: Estimate
    gap: Estimate  # the difference of the two


@dataclass(frozen=True, repr=False)
class League(Finished):
    """Every two strategies against each other in every mix of seats. Its games are deals."""

    parts: tuple[Read, ...]
    left_out: tuple[tuple[str, str], ...]  # strategy, why
    sides: int
    counts: tuple[Counted, ...]

    command = "strength"

    @property
    def headline(self) -> str:
        """The strongest by rating; by alpha-rank where one number does not fit."""
        ratings, ranks = self.ratings, self.alpha_ranks
        if ratings is not None and self.fits is not False:
            best = max(range(len(self.strategies)), key=lambda i: ratings.points[i].value)
            return f"{self.strategies[best]} is rated highest"
        if ranks:
            best = max(range(len(ranks)), key=lambda i: ranks[i].value)
            return f"{self.strategies[best]} prevails most often"
        return "too few deals to rank the players"

    @property
    def interrupted(self) -> bool:
        return any(part.deals < part.asked for part in self.counts)

    @property
    def games_per_second(self) -> float:
        return sum(part.games for part in self.counts) / self.seconds if self.seconds else 0.0

    @property
    def fair(self) -> float:
        """The share that equal players win."""
        return 1 / self.sides

    @cached_property
    def compositions(self) -> list[Composition]:
        """Every mix that was played."""
        played = []
        for read in self.parts:
            for i, (one, other, number) in enumerate(read.part.keys):
                if read.deals.number >= LEAST_DEALS:
                    wins, gap = [read.deals.win(2 * i + arm) for arm in (0, 1)], read.deals.gain(2 * i, 2 * i + 1)
                    played.append(Composition(one, other, number, self.sides, wins[0], wins[1], gap))
        return sorted(played, key=lambda mix: (mix.one, mix.other, mix.number))

    @cached_property
    def ratings(self) -> Ratings | None:
        """None if too little was played, or if a strategy never won or never lost."""
        return rate_players(self.parts, len(self.strategies))

    @property
    def fits(self) -> bool | None:
        """Whether one number per strategy describes the results; None if that cannot be tested."""
        ratings = self.ratings
        return None if ratings is None or math.isnan(ratings.p) else ratings.p >= FITS

    @property
    def _shares(self) -> Shares:
        return {(mix.one, mix.other, mix.number): (mix.win.value, mix.other_win.value) for mix in self.compositions}

    @cached_property
    def alpha_ranks(self) -> list[Estimate] | None:
        """Share of the time that all would play each strategy (alpha-rank); None if a mix was not played."""
        return rank_players(self._shares, self.parts, len(self.strategies), self.sides, self.games)

    @cached_property
    def mixes(self) -> list[Mix]:
        """Stable mixes of two strategies."""
        return stable_mixes(self._shares, len(self.strategies), self.sides)

    def words(self) -> list[str]:
        return ["--league", ",".join(self.strategies)]

    def count_words(self) -> list[str]:
        quick, searching = self.counts
        if not searching.asked:
            return ["-n", str(max(quick.deals, LEAST_DEALS))]
        number = searching.deals if searching.deals >= LEAST_DEALS else searching.asked
        return ["-n", str(max(quick.asked, number)), "--search-games", str(number)]

    def interruption(self, again: str) -> str:
        quick, searching = self.counts
        if not searching.asked or searching.deals >= LEAST_DEALS:
            return super().interruption(again)
        return f"{quick.deals:,} of {quick.asked:,} deals counted, none with search. To play all: {again}"

    def repeat(self, setup_words: Sequence[str] | None = None) -> str:
        """The command that gives this result again; --league names the players."""
        where = words_of_setup(self.setup) if setup_words is None else setup_words
        words = [self.command, *where, *self.words(), *self.count_words(), "--seed", str(self.seed)]
        return command_line(words, self.setup)

    def frame(self) -> pd.DataFrame:
        """One row per mix."""
        import pandas as pd

        return pd.DataFrame(
            {
                **self.setup_columns(),
                "one": self.strategies[mix.one],
                "other": self.strategies[mix.other],
                "number": mix.number,
                "sides": mix.sides,
                "deals": mix.win.n,
                **interval_columns("win", mix.win),
                **interval_columns("other_win", mix.other_win),
                **interval_columns("gap", mix.gap),
                **self.digest_columns(),
            }
            for mix in self.compositions
        )

    def as_json(self) -> dict[str, Any]:
        """What `houle strength --league ... --json` prints."""
        names, ratings, ranks = self.strategies, self.ratings, self.alpha_ranks
        return {
            **self.head(),
            "league": list(names),
            "fair_share": self.fair,
            "compositions": [
                {
                    "one": names[mix.one],
                    "other": names[mix.other],
                    "number": mix.number,
                    "win": interval_as_json(mix.win),
                    "other_win": interval_as_json(mix.other_win),
                    "gap": interval_as_json(mix.gap),
                }
                for mix in self.compositions
            ],
            "players": [
                {
                    "strategy": name,
                    "rating": interval_as_json(ratings.points[i]) if ratings else None,
                    "alpha_rank": interval_as_json(ranks[i]) if ranks else None,
                }
                for i, name in enumerate(names)
            ],
            "fit": {
                "f": known(ratings.statistic),
                "freedom": ratings.freedom,
                "p": known(ratings.p),
                "fits": self.fits,
            }
            if ratings
            else None,
            "mixes": [{"one": names[mix.one], "other": names[mix.other], "share": mix.share} for mix in self.mixes],
            "left_out": [{"strategy": name, "why": why} for name, why in self.left_out],
        }


@checked
def league(
    setup: Setup | str,
    *,
    strategies: Strategies,
    games: int = STRENGTH_GAMES,
    search_games: int = STRENGTH_SEARCH_GAMES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> League:
    """Play every two strategies against each other in every mix of seats, in a competitive game.

    Parameters
    ----------
    setup : Setup or str
        From `houle.setup`, or the name of a game for its usual setup.
    strategies : str or iterable of str
        Two to eight players, separated by commas.
    games, search_games : int
        Number of deals, and of deals where a player searches. Every deal is played in every seating.
    seed : int
        Chooses the deals: numbers 0 to `games` - 1 of this seed.
    threads : int, optional
        One per core by default; does not change the result.

    Returns
    -------
    League
        `.compositions` (what a side of either strategy wins), `.ratings`, `.fits`, `.alpha_ranks`, `.mixes`.

    Examples
    --------
    >>> import houle
    >>> result = houle.league("vague-verte", strategies="random,thumb", games=200)
    >>> [mix.number for mix in result.compositions], result.ratings.points[1].low > 0
    ([1, 2], True)
    >>> result.repeat()
    'houle strength vague-verte -p 3 --league random,thumb -n 200 --seed 1'
    """
    setup = as_setup(setup)
    check_run(games, seed)
    players, left_out = players_of(setup, strategies)
    parts = plan_league(setup, players, games, search_games)
    expect(progress, sum(part.games for part in parts))
    played = play_parts(setup, parts, seed, threads, progress)
    facts = Facts(
        setup, tuple(player.text for player in players), seed, *played.number, played.seconds, played.digest
    )  # fmt: skip
    reads = tuple(Read(part, deals) for part, deals in zip(parts, played.dealt, strict=True) if part.arms)
    return League(facts, reads, tuple(left_out), len(setup.seats_by_side), played.counts)
