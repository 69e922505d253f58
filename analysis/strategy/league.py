"""Strategies where players compete: every two kinds at tables of every composition, ratings, and whether they fit.

A table of n sides has k of one kind and the rest of another, for every k, in every seating, on the same deals. What one
of a kind wins may depend on k: an exploiter lives on those it exploits. Ratings (stats/ratings.py) say who is stronger
where one number for each is enough, and a test says whether it is; else alpha-rank and the mixes to which a population
of both kinds returns say what becomes of them. The numbers behind `houle strength --league`.
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
from houle.analysis.stats.intervals import Interval
from houle.analysis.stats.ratings import Ratings
from houle.analysis.strategy.league_plan import plan_league, players_of
from houle.analysis.strategy.league_ranking import Mix, Read, Shares, lasting_mixes, rank_players, rate_players
from houle.analysis.strategy.strength import LEAST_DEALS
from houle.solver.ruleset import Setup
from houle.solver.run import Progress

if TYPE_CHECKING:
    import pandas as pd

FITS = 0.01  # ratings fit unless so rare a deviation was seen


@dataclass(frozen=True)
class Match:
    """A composition that was played: so many sides of one kind, the rest of another."""

    one: int  # numbers of the two strategies
    other: int
    number: int  # sides of the first kind
    seats: int  # sides in all
    win: Interval  # what a side of the first kind wins
    other_win: Interval
    gap: Interval  # by how much that is more


@dataclass(frozen=True, repr=False)
class League(Finished):
    """Every two kinds at tables of every composition. Its games are deals, its strategies the players."""

    parts: tuple[Read, ...]
    left_out: tuple[tuple[str, str], ...]  # strategy, why
    sides: int
    counts: tuple[Counted, ...]

    command = "strength"

    @property
    def interrupted(self) -> bool:
        return any(part.deals < part.asked for part in self.counts)

    @property
    def games_per_second(self) -> float:
        return sum(part.games for part in self.counts) / self.seconds if self.seconds else 0.0

    @property
    def fair(self) -> float:
        """What equal players win."""
        return 1 / self.sides

    @cached_property
    def tables(self) -> list[Match]:
        """Every composition that was played."""
        found = []
        for read in self.parts:
            for i, (one, other, number) in enumerate(read.part.keys):
                if read.deals.number >= LEAST_DEALS:
                    wins, gap = [read.deals.win(2 * i + arm) for arm in (0, 1)], read.deals.gain(2 * i, 2 * i + 1)
                    found.append(Match(one, other, number, self.sides, wins[0], wins[1], gap))
        return sorted(found, key=lambda table: (table.one, table.other, table.number))

    @cached_property
    def ratings(self) -> Ratings | None:
        """None where too little was played, or somebody never won or lost."""
        return rate_players(self.parts, len(self.strategies))

    @property
    def fits(self) -> bool | None:
        """Whether one number for each strategy tells what happens; None where that cannot be tested."""
        ratings = self.ratings
        return None if ratings is None or math.isnan(ratings.p) else ratings.p >= FITS

    @property
    def _shares(self) -> Shares:
        return {(t.one, t.other, t.number): (t.win.value, t.other_win.value) for t in self.tables}

    @cached_property
    def alpha_ranks(self) -> list[Interval] | None:
        """How much of the time each strategy would be the one that all play, by alpha-rank; None where some were not
        played."""
        return rank_players(self._shares, self.parts, len(self.strategies), self.sides, self.games)

    @cached_property
    def mixes(self) -> list[Mix]:
        """Kinds that live together."""
        return lasting_mixes(self._shares, len(self.strategies), self.sides)

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
        return f"{quick.deals:,} of {quick.asked:,} deals are counted, none with search; all of it: {again}"

    def repeat(self, setup_words: Sequence[str] | None = None) -> str:
        """The command that gives this result again: it is --league that names the players."""
        table = words_of_setup(self.setup) if setup_words is None else setup_words
        words = [self.command, *table, *self.words(), *self.count_words(), "--seed", str(self.seed)]
        return command_line(words, self.setup)

    def frame(self) -> pd.DataFrame:
        """One row per composition."""
        import pandas as pd

        return pd.DataFrame(
            {
                **self.setup_columns(),
                "one": self.strategies[table.one],
                "other": self.strategies[table.other],
                "number": table.number,
                "sides": table.seats,
                "deals": table.win.n,
                **interval_columns("win", table.win),
                **interval_columns("other_win", table.other_win),
                **interval_columns("gap", table.gap),
                **self.digest_columns(),
            }
            for table in self.tables
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle strength --league ... --json` prints."""
        names, ratings, ranks = self.strategies, self.ratings, self.alpha_ranks
        return {
            **self.head(),
            "league": list(names),
            "fair_share": self.fair,
            "tables": [
                {
                    "one": names[table.one],
                    "other": names[table.other],
                    "number": table.number,
                    "win": interval_as_json(table.win),
                    "other_win": interval_as_json(table.other_win),
                    "gap": interval_as_json(table.gap),
                }
                for table in self.tables
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
    """Every two of some strategies at tables of every composition, where players compete.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    strategies : str or iterable of str
        Two to eight players, commas between them.
    games, search_games : int
        How many deals, and how many of them where somebody searches. Every deal is played in every seating.
    seed : int
        Which deals: numbers 0 to `games` - 1 of a seed.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    League
        `.tables` (what a side of either kind wins), `.ratings`, `.fits`, `.alpha_ranks`, `.mixes`.

    Examples
    --------
    >>> import houle
    >>> result = houle.league("vague-verte", strategies="random,thumb", games=200)
    >>> [table.number for table in result.tables], result.ratings.points[1].low > 0
    ([1, 2], True)
    >>> result.repeat()
    'houle strength vague-verte -p 3 --league random,thumb -n 200 --seed 1'
    """
    table = as_setup(setup)
    check_run(games, seed)
    players, left_out = players_of(table, strategies)
    parts = plan_league(table, players, games, search_games)
    expect(progress, sum(part.games for part in parts))
    played = play_parts(table, parts, seed, threads, progress)
    facts = Facts(
        table, tuple(player.text for player in players), seed, *played.number, played.seconds, played.digest
    )  # fmt: skip
    reads = tuple(Read(part, deals) for part, deals in zip(parts, played.dealt, strict=True) if part.arms)
    return League(facts, reads, tuple(left_out), len(table.seats_by_side), played.counts)
