"""Strategies where players compete: every two kinds at tables of every composition, ratings, and whether they fit.

A table of n sides has k of one kind and the rest of another, for every k, in every seating, on the same deals. What one
of a kind wins may depend on k: an exploiter lives on those it exploits. Ratings (stats/ratings.py) say who is stronger
where one number for each is enough, and a test says whether it is; else alpha-rank and the mixes to which a population
of both kinds returns say what becomes of them. The numbers behind `houle ladder --league`.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from houle.analysis.limits import LADDER_GAMES, LADDER_SEARCH_GAMES, MOST_GAMES, SEED, check_int, check_run
from houle.analysis.result import Facts, Finished, interval_as_json, interval_columns, known, words_of_setup
from houle.analysis.sampling.lineups import Strategies, as_setup, names_of
from houle.analysis.sampling.players import playable
from houle.analysis.sampling.progress import expect, part_of
from houle.analysis.sampling.same_deals import Arm, Deals, deals_digest, same_deals, seats_of
from houle.analysis.stats.intervals import Interval
from houle.analysis.stats.moments import Column, Statistic
from houle.analysis.stats.ratings import Payoffs, Ratings, alpha_rank, fit_ratings
from houle.analysis.strategy.ladder import LEAST_DEALS, Counted
from houle.solver.ruleset import RulesetError, Setup, digest
from houle.solver.run import Progress
from houle.solver.strategies.names import KINDS, THUMB, Strategy
from houle.solver.strategies.player import LineUp

if TYPE_CHECKING:
    import pandas as pd

MOST_PLAYERS = 8  # of a league
FITS = 0.01  # ratings fit unless so rare a deviation was seen
DRAWS = 200  # of the shares within their errors, for the intervals of alpha-rank


@dataclass(frozen=True)
class Table:
    """A composition that was played: so many sides of one kind, the rest of another."""

    one: int  # numbers of the two strategies
    other: int
    number: int  # sides of the first kind
    seats: int  # sides in all
    win: Interval  # what a side of the first kind wins
    other_win: Interval
    gap: Interval  # by how much that is more


@dataclass(frozen=True)
class Mix:
    """Two kinds that live together: the share of the first at which both win as much, and to which it returns."""

    one: int
    other: int
    share: float


@dataclass(frozen=True)
class Part:
    """Compositions that are played on the same deals."""

    keys: list[tuple[int, int, int]]  # one, other, number of the first
    arms: list[Arm]  # two for every composition: the first kind's, the other's
    deals: int
    name: str

    @property
    def plays(self) -> int:
        """Games of one deal: both arms of a composition read the same ones."""
        return sum(len({id(line_up) for line_up, _ in arm}) for arm in self.arms[::2])

    @property
    def games(self) -> int:
        return self.deals * self.plays

    def expected_seconds(self, setup: Setup, seed: int = SEED, threads: int | None = None) -> float:
        """Wall time, as a few deals predict."""
        searching = any(line_up.level > THUMB for line_up, _ in self.arms[0])
        some = min(self.deals, 1 if searching else 20)
        return same_deals(setup, self.arms, seed, some, 0, threads).seconds * self.deals / some


@dataclass(frozen=True)
class Read:
    """A part that was played, and the logs of what its compositions won."""

    part: Part
    deals: Deals

    def wins(self, arm: int) -> int:
        return self.deals.moments.sum((arm, "share"))

    @property
    def rated(self) -> list[int]:
        """Compositions in which both kinds won something."""
        return [i for i in range(len(self.part.keys)) if self.wins(2 * i) and self.wins(2 * i + 1)]

    def log(self, number: int) -> float:
        """Of what a side of the first kind won over what one of the other did."""
        one, other = (self.wins(2 * number + i) / self.deals.plays[2 * number + i] for i in (0, 1))
        return math.log(one / other)

    def form(self, number: int) -> Statistic:
        """How that log moves with every deal."""
        clusters = self.deals.number
        moves: dict[Column, Fraction] = {
            (2 * number, "share"): Fraction(clusters, self.wins(2 * number)),
            (2 * number + 1, "share"): -Fraction(clusters, self.wins(2 * number + 1)),
        }
        return Statistic(Fraction(0), moves)


@dataclass(frozen=True, repr=False)
class League(Finished):
    """Every two kinds at tables of every composition. Its games are deals, its strategies the players."""

    parts: tuple[Read, ...]
    left_out: tuple[tuple[str, str], ...]  # strategy, why
    sides: int
    counts: tuple[Counted, ...]

    command = "ladder"

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
    def tables(self) -> list[Table]:
        """Every composition that was played."""
        found = []
        for read in self.parts:
            for i, (one, other, number) in enumerate(read.part.keys):
                if read.deals.number >= LEAST_DEALS:
                    wins, gap = [read.deals.win(2 * i + arm) for arm in (0, 1)], read.deals.gain(2 * i, 2 * i + 1)
                    found.append(Table(one, other, number, self.sides, wins[0], wins[1], gap))
        return sorted(found, key=lambda table: (table.one, table.other, table.number))

    @cached_property
    def ratings(self) -> Ratings | None:
        """None where too little was played, or somebody never won or lost."""
        pairs, logs, blocks = [], [], []
        for read in self.parts:
            if read.rated and read.deals.number >= LEAST_DEALS:
                pairs += [read.part.keys[i][:2] for i in read.rated]
                logs += [read.log(i) for i in read.rated]
                blocks.append(read.deals.moments.covariances([read.form(i) for i in read.rated]))
        rated = {player for pair in pairs for player in pair}
        if len(rated) < len(self.strategies):
            return None
        covariance = np.zeros((len(logs), len(logs)))
        at = 0
        for block in blocks:
            covariance[at : at + len(block), at : at + len(block)] = block
            at += len(block)
        clusters = min(read.deals.number for read in self.parts if read.rated)
        return fit_ratings(pairs, logs, covariance, len(self.strategies), clusters)

    @property
    def fits(self) -> bool | None:
        """Whether one number for each strategy tells what happens; None where that cannot be tested."""
        ratings = self.ratings
        return None if ratings is None or math.isnan(ratings.p) else ratings.p >= FITS

    def _payoffs(self, shares: dict[tuple[int, int, int], tuple[float, float]], one: int, other: int) -> Payoffs:
        """Two kinds as the tables have them, whichever comes first there."""
        turned = (one, other, 1) not in shares
        first, second = {}, {}
        for number in range(1, self.sides):
            key = (other, one, self.sides - number) if turned else (one, other, number)
            mine, theirs = shares[key][::-1] if turned else shares[key]
            first[number], second[number] = self.sides * mine, self.sides * theirs
        return Payoffs(first, second, self.sides)

    def _ranks(self, shares: dict[tuple[int, int, int], tuple[float, float]]) -> Any:
        number = len(self.strategies)
        fixations = np.zeros((number, number))
        for i in range(number):
            for j in range(number):
                if i != j:
                    fixations[i, j] = self._payoffs(shares, j, i).fixation()
        return alpha_rank(fixations)

    @cached_property
    def alpha_ranks(self) -> list[Interval] | None:
        """How much of the time each strategy would be the one that all play, by alpha-rank; None where some were not
        played. Intervals: the shares drawn anew within their errors."""
        shares = {(t.one, t.other, t.number): (t.win.value, t.other_win.value) for t in self.tables}
        if len(shares) < (self.sides - 1) * math.comb(len(self.strategies), 2):
            return None
        found = self._ranks(shares)
        draws, drawn = np.random.default_rng(SEED), []
        errors = {}
        for read in self.parts:
            for i, key in enumerate(read.part.keys):
                errors[key] = read.deals.moments.covariances([read.deals.wins(2 * i), read.deals.wins(2 * i + 1)])
        for _ in range(DRAWS):
            drawn.append(
                self._ranks({key: tuple(draws.multivariate_normal(shares[key], errors[key])) for key in shares})
            )
        low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
        number = self.games
        return [
            Interval(float(v), float(min(a, v)), float(max(b, v)), number)
            for v, a, b in zip(found, low, high, strict=True)
        ]

    @cached_property
    def mixes(self) -> list[Mix]:
        """Kinds that live together."""
        shares = {(t.one, t.other, t.number): (t.win.value, t.other_win.value) for t in self.tables}
        found = []
        for one, other in combinations(range(len(self.strategies)), 2):
            if all((one, other, number) in shares for number in range(1, self.sides)):
                found += [Mix(one, other, share) for share in self._payoffs(shares, one, other).equilibria()]
        return found

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
        return shlex.join(["houle", *words])

    def frame(self) -> pd.DataFrame:
        """One row per composition."""
        import pandas as pd

        return pd.DataFrame(
            {
                **self.table_columns(),
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
        """The object that `houle ladder --league ... --json` prints."""
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


def seatings(setup: Setup, one: Strategy, other: Strategy, number: int) -> tuple[Arm, Arm]:
    """Every seating of so many sides of one kind and the rest of another: what is read of either."""
    seats = seats_of(setup)
    mine: list[tuple[LineUp, int]] = []
    theirs: list[tuple[LineUp, int]] = []
    for sides in combinations(seats, number):
        own = {seat for side in sides for seat in seats[side]}
        line_up = LineUp(setup, tuple(one if seat in own else other for seat in range(setup.players)))
        mine += [(line_up, side) for side in sides]
        theirs += [(line_up, side) for side in seats if side not in sides]
    return mine, theirs


def players_of(setup: Setup, strategies: Strategies) -> tuple[list[Strategy], list[tuple[str, str]]]:
    """The players of a league, and why others cannot play."""
    if len(seats_of(setup)) < 2:
        raise RulesetError(f"league: all players of {setup.ruleset.name} are one side here; see houle ladder")
    players, left_out = playable(setup, dict.fromkeys(names_of(strategies)))
    if not 2 <= len(players) <= MOST_PLAYERS:
        why = "".join(f"; {name}: {reason}" for name, reason in left_out)
        raise RulesetError(f"league: allowed are 2 to {MOST_PLAYERS} different players, given: {len(players)}{why}")
    return players, left_out


def parts_of_league(setup: Setup | str, strategies: Strategies, games: int, search_games: int) -> list[Part]:
    """What `league` would play."""
    table = as_setup(setup)
    parts = plan_league(table, players_of(table, strategies)[0], games, search_games)
    return [part for part in parts if part.arms]


def plan_league(setup: Setup, players: Sequence[Strategy], deals: int, search_deals: int) -> tuple[Part, Part]:
    """Every composition of every two kinds; those where somebody searches on fewer deals."""
    check_int("games", deals, LEAST_DEALS, MOST_GAMES)
    check_int("search_games", search_deals, LEAST_DEALS, MOST_GAMES)
    quick: Part = Part([], [], deals, "rules of thumb")
    searching: Part = Part([], [], min(deals, search_deals), "search")
    for (i, one), (j, other) in combinations(enumerate(players), 2):
        part = searching if max(KINDS[one.name], KINDS[other.name]) > THUMB else quick
        for number in range(1, len(seats_of(setup))):
            part.keys.append((i, j, number))
            part.arms.extend(seatings(setup, one, other, number))
    return quick, searching


def league(
    setup: Setup | str,
    *,
    strategies: Strategies,
    games: int = LADDER_GAMES,
    search_games: int = LADDER_SEARCH_GAMES,
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
    >>> from houle import analysis as houle
    >>> result = houle.league("vague-verte", strategies="random,thumb", games=200)
    >>> [table.number for table in result.tables], result.ratings.points[1].low > 0
    ([1, 2], True)
    >>> result.repeat()
    'houle ladder vague-verte -p 3 --league random,thumb -n 200 --seed 1'
    """
    table = as_setup(setup)
    check_run(games, seed)
    players, left_out = players_of(table, strategies)
    parts = plan_league(table, players, games, search_games)
    expect(progress, sum(part.games for part in parts))
    reads: list[Read] = []
    done, seconds, interrupted = 0, 0.0, False
    for part in parts:
        deals = Deals.empty(tuple(map(len, part.arms)))
        if part.arms and not interrupted:
            watched = part_of(progress, done, seconds, part.plays, part.name)
            deals = same_deals(table, part.arms, seed, part.deals, 0, threads, watched)
            interrupted = deals.number < part.deals
        reads.append(Read(part, deals))
        done, seconds = done + deals.number * part.plays, seconds + deals.seconds
    name = digest([deals_digest(table, read.part.arms, seed, 0, read.deals) for read in reads])
    counts = tuple(
        Counted(read.deals.number, read.part.deals if read.part.arms else 0, read.part.plays) for read in reads
    )
    number, asked = max(part.deals for part in counts), max(part.asked for part in counts)
    facts = Facts(table, tuple(player.text for player in players), seed, number, asked, seconds, name)
    played = tuple(read for read in reads if read.part.arms)
    return League(facts, played, tuple(left_out), len(seats_of(table)), counts)
