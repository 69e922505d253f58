"""Strategies from worst to best, each against the one below it, on the same deals: the numbers behind `houle strength`.

Where all players are one side (a team, a solo game) every rung plays for all of them, and has a win rate, a mean score
and the difference of both to the rung below, paired by deal. Elsewhere one side of the rung meets the rung below on all
other sides, from every side in turn; n counts deals and intervals are clustered by deal. Its gain is what it wins more
than a fair share of the games that somebody wins: one of the others, in its place, would win that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from houle.analysis.arguments import checked
from houle.analysis.limits import MOST_GAMES, SEED, STRENGTH_GAMES, STRENGTH_SEARCH_GAMES, check_int, check_run
from houle.analysis.result import Facts, Finished, interval_columns
from houle.analysis.sampling.lineups import Strategies, as_setup, names_of
from houle.analysis.sampling.players import playable, usual
from houle.analysis.sampling.progress import expect
from houle.analysis.sampling.same_deals import Counted, Deals, SharedDeals, against, other_sides, play_parts
from houle.analysis.sampling.simulation import mean_as_json, rate_as_json
from houle.analysis.stats.intervals import Interval
from houle.analysis.strategy.weak_search import doubt
from houle.solver.ruleset import Setup
from houle.solver.run import Progress
from houle.solver.strategies.names import KINDS, THUMB, Strategy

if TYPE_CHECKING:
    import pandas as pd

LEAST_DEALS = 2  # of which anything can be said


@dataclass(frozen=True)
class Matchup:
    """A strategy, and what it gets."""

    strategy: str
    below: str  # the rung below; empty for the first
    win: Interval | None  # share of the win; None for the first rung where it takes others to play
    score: Interval | None
    gain: Interval | None  # of the win over the rung below, or over an equal of those it was played against
    score_gain: Interval | None  # of the score over the rung below; where all play together

    def as_json(self) -> dict[str, Any]:
        means = {"score": self.score, "gain": self.gain, "score_gain": self.score_gain}
        return {
            "strategy": self.strategy,
            "below": self.below or None,
            "deals": self.win.n if self.win else 0,
            "win": rate_as_json(self.win) if self.win else None,
            **{name: mean_as_json(interval) if interval else None for name, interval in means.items()},
        }


@dataclass(frozen=True, repr=False)
class Strength(Finished):
    """All rungs, from the lowest. Its games are deals, its strategies the rungs."""

    matchups: tuple[Matchup, ...]
    left_out: tuple[tuple[str, str], ...]  # strategy, why
    fair: float | None  # a fair share of the games that somebody wins; None where all play together
    quick: Counted
    searching: Counted

    command = "strength"

    @property
    def interrupted(self) -> bool:
        return any(matchups.deals < matchups.asked for matchups in (self.quick, self.searching))

    @property
    def games_per_second(self) -> float:
        return (self.quick.games + self.searching.games) / self.seconds if self.seconds else 0.0

    def count_words(self) -> list[str]:
        searching = self.searching
        number = searching.deals if searching.deals >= LEAST_DEALS else searching.asked
        return ["-n", str(self.asked), *(["--search-games", str(number)] if searching.asked else [])]

    def interruption(self, again: str) -> str:
        if self.searching.deals >= LEAST_DEALS:
            counted = f"{self.searching.deals:,} of {self.searching.asked:,} deals with search are counted"
            return f"{counted}; exactly this part again: {again}"
        return f"{self.quick.deals:,} of {self.quick.asked:,} deals are counted, none with search; all of it: {again}"

    @property
    def doubts(self) -> list[str]:
        """Rungs that search and are certainly worse than the one below, each in a sentence."""
        found = (
            doubt(self.setup, matchup.strategy, matchup.below, matchup.gain, matchup.score_gain)
            for matchup in self.matchups
        )
        return [sentence for sentence in found if sentence]

    def frame(self) -> pd.DataFrame:
        """One row per rung, from the lowest."""
        import pandas as pd

        return pd.DataFrame(
            {
                **self.setup_columns(),
                "rung": matchup.strategy,
                "below": matchup.below,
                "deals": matchup.win.n if matchup.win else 0,
                **interval_columns("win", matchup.win),
                **interval_columns("gain", matchup.gain),
                "score_name": self.setup.score,
                **interval_columns("score", matchup.score),
                **interval_columns("score_gain", matchup.score_gain),
                **self.digest_columns(),
            }
            for matchup in self.matchups
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle strength --json` prints."""
        return {
            **self.head(),
            "score": self.setup.score,
            "fair_share": self.fair,
            "rungs": [matchup.as_json() for matchup in self.matchups],
            "doubts": self.doubts,
            "left_out": [{"strategy": name, "why": why} for name, why in self.left_out],
        }


@dataclass(frozen=True)
class StrengthPlan:
    """What will be played, and which arms say what about each rung."""

    setup: Setup
    strategies: list[Strategy]
    left_out: tuple[tuple[str, str], ...]
    parts: list[SharedDeals]  # quick rungs, and those that search
    places: list[tuple[int, int, int] | None]  # per rung: part, its arm, the one it is compared with (-1 for none)
    one_sided: bool  # all players are one side

    @property
    def games(self) -> int:
        return sum(part.games for part in self.parts)

    def expected_seconds(self, seed: int = SEED, threads: int | None = None) -> float:
        """Wall time of all of it, as a few deals predict."""
        seconds = 0.0
        for part, sample in zip(self.parts, (100, 1), strict=True):
            if part.arms:
                seconds += part.expected_seconds(self.setup, sample, seed, threads)
        return seconds


def plan_strength(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    games: int = STRENGTH_GAMES,
    search_games: int = STRENGTH_SEARCH_GAMES,
) -> StrengthPlan:
    """What `ladder` would play: `games` in all, in about `expected_seconds()`.

    Examples
    --------
    >>> import houle
    >>> houle.plan_ladder("wave", strategies="random,thumb", games=500).games
    1000
    """
    table = as_setup(setup)
    names = names_of(strategies)
    matchups, left_out = playable(table, names) if names else usual(table, "strength")
    return plan_matchups(table, matchups, games, search_games, left_out)


def plan_matchups(
    setup: Setup,
    matchups: Sequence[Strategy],
    deals: int,
    search_deals: int,
    left_out: Iterable[tuple[str, str]] = (),
) -> StrengthPlan:
    """Quick rungs on all the deals; rungs that search, and what is directly below them, on the first of them."""
    check_int("games", deals, LEAST_DEALS, MOST_GAMES)
    check_int("search_games", search_deals, LEAST_DEALS, MOST_GAMES)
    one_sided = setup.one_sided
    parts = [SharedDeals([], deals, "rules of thumb"), SharedDeals([], min(deals, search_deals), "search")]
    places: list[tuple[int, int, int] | None] = []
    for i, strategy in enumerate(matchups):
        below = matchups[i - 1] if i else None
        searching = KINDS[strategy.name] > THUMB
        number = int(searching or (not one_sided and below is not None and KINDS[below.name] > THUMB))
        part = parts[number]
        if one_sided:
            previous = places[-1] if places else None
            if previous is None or below is None:
                lower = -1
            elif previous[0] == number:
                lower = previous[1]
            else:
                part.arms.append(against(setup, below, None))
                lower = len(part.arms) - 1
            part.arms.append(against(setup, strategy, None))
            places.append((number, len(part.arms) - 1, lower))
        elif below is None:
            places.append(None)
        else:
            own = against(setup, strategy, below)
            part.arms.extend((own, other_sides(setup, own)))
            places.append((number, len(part.arms) - 2, len(part.arms) - 1))
    return StrengthPlan(setup, list(matchups), tuple(left_out), parts, places, one_sided)


@checked
def strength(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    games: int = STRENGTH_GAMES,
    search_games: int = STRENGTH_SEARCH_GAMES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Strength:
    """Strategies from worst to best, each against the one below it, on the same deals.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    strategies : str or iterable of str, optional
        The rungs from the lowest, commas between them; by default all that the table has, from random play to a
        clairvoyant.
    games, search_games : int
        How many deals, and how many of them for rungs that search.
    seed : int
        Which deals: numbers 0 to `games` - 1 of a seed.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    Ladder
        Every rung with its wins, its score and what it wins more than the rung below, or than an equal of its rivals.

    Examples
    --------
    >>> import houle
    >>> result = houle.ladder("wave", strategies="random,thumb", games=400)
    >>> result.rungs[1].below, result.rungs[1].gain.low > 0
    ('random', True)
    >>> result.repeat()
    'houle strength wave -p 3 -s random,thumb -n 400 --seed 1'
    """
    plan = plan_strength(setup, strategies=strategies, games=games, search_games=search_games)
    check_run(games, seed)
    expect(progress, plan.games)
    return play_strength(plan, seed, threads, progress)


def play_strength(
    plan: StrengthPlan, seed: int = SEED, threads: int | None = None, progress: Progress | None = None
) -> Strength:
    """Plays what is planned. After Ctrl-C the rungs that were played show what they have."""
    setup = plan.setup
    played = play_parts(setup, plan.parts, seed, threads, progress)
    names = tuple(matchup.text for matchup in plan.strategies)
    facts = Facts(setup, names, seed, *played.number, played.seconds, played.digest)
    fair = None if plan.one_sided else 1 / len(setup.seats_by_side)
    return Strength(facts, read_matchups(plan, played.dealt), plan.left_out, fair, *played.counts)


def read_matchups(plan: StrengthPlan, dealt: list[Deals]) -> tuple[Matchup, ...]:
    """What the deals of each part say about the rungs."""
    matchups = []
    least, most = plan.setup.score_range
    for i, (strategy, place) in enumerate(zip(plan.strategies, plan.places, strict=True)):
        below = plan.strategies[i - 1].text if i else ""
        if place is None or dealt[place[0]].number == 0:
            matchups.append(Matchup(strategy.text, below, None, None, None, None))
            continue
        deals, arm, lower = dealt[place[0]], place[1], place[2]
        gain = score_gain = None
        if lower >= 0 and plan.one_sided:
            gain, score_gain = deals.gain(arm, lower), deals.score_gain(arm, lower, float(most - least))
        elif lower >= 0:
            gain = deals.above_fair(arm, lower)
        score = deals.score(arm).within(least, most)
        matchups.append(Matchup(strategy.text, below, deals.win(arm), score, gain, score_gain))
    return tuple(matchups)
