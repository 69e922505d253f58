"""`houle strength`: how strong players are, from weakest to best, each against the next weaker on the same deals.

In cooperative and solo games each strategy plays for all seats; its win rate, mean score and the differences to the
next weaker strategy are paired by deal. In competitive games one side plays the strategy and all other sides play the
next weaker one, from every side in turn; n counts deals and intervals are clustered by deal. The gain is what it wins
above a fair share of the games that somebody wins, which is what one of the others would win in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.limits import MOST_GAMES, STRENGTH_GAMES, STRENGTH_SEARCH_GAMES, check_int
from houle.analysis.measures.goal import Goal
from houle.analysis.players.line_ups import Strategies, as_setup, is_search, names_of
from houle.analysis.players.read_players import playable, read_strategy, usual
from houle.analysis.result import Facts, Finished, Record
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.clustered_deals import DealCount, Deals, SharedDeals, against, other_sides, play_parts
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.solver.players.names import FLAT, ISMCTS, KINDS, Strategy
from houle.solver.rules import Setup

SEARCHES = (FLAT, ISMCTS)


def _searches(strategy: str, setup: Setup) -> bool:
    return KINDS[read_strategy(strategy, setup).name] in SEARCHES


def doubt(setup: Setup, strategy: str, below: str, more_wins: Estimate | None, more_score: Estimate | None) -> str:
    """A warning sentence if a search is certainly worse than a player that does not search, else an empty string.

    `more_wins` and `more_score` are what the search gets more than that player, on the same deals.
    """
    if not below or not _searches(strategy, setup) or _searches(below, setup):
        return ""
    fewer = more_wins is not None and more_wins.high < 0 and setup.goal == "win"
    lower = setup.ruleset.lower_is_better
    worse = more_score is not None and (more_score.low > 0 if lower else more_score.high < 0)
    if not fewer and not worse:
        return ""
    parts = [f"its wins differ by {more_wins.text()}"] if fewer and more_wins is not None else []
    if worse and more_score is not None:
        parts.append(f"its {setup.score.replace('_', ' ')} differs by {more_score.text()}")
    return (
        f"{strategy} is weaker than {below} here: {', and '.join(parts)}. Give it more worlds, or make it more "
        f"cautious: houle tune {setup.ruleset.name} --search {strategy}"
    )


LEAST_DEALS = 2  # of which anything can be said


@dataclass(frozen=True)
class Matchup:
    """A strategy against the next weaker one."""

    strategy: str
    below: str  # the next weaker strategy; empty for the first
    win: Estimate | None  # share of the win; None for the first in competitive games
    score: Estimate | None
    gain: Estimate | None  # in wins: over the next weaker strategy, or above a fair share in competitive games
    score_gain: Estimate | None  # over the next weaker strategy; None in competitive games


@dataclass(frozen=True, repr=False)
class Strength(Finished):
    """How strong each strategy is, from the weakest. `games` counts deals."""

    matchups: tuple[Matchup, ...]
    left_out: tuple[tuple[str, str], ...]  # strategy, why
    fair: float | None  # a fair share of the games that somebody wins; None in cooperative and solo games
    quick: DealCount
    searching: DealCount

    command = "strength"
    rows_key = "matchups"

    @property
    def goal(self) -> Goal:
        return Goal(self.setup)

    def reached(self, matchup: Matchup) -> tuple[Estimate | None, Estimate | None]:
        """What a player reaches, and how much more than the next weaker one: in wins, or in points."""
        return self.goal.pick((matchup.win, matchup.gain), (matchup.score, matchup.score_gain))

    @property
    def headline(self) -> str:
        """What the best strategy that was played reaches."""
        for matchup in reversed(self.matchups):
            if reached := self.reached(matchup)[0]:
                against = f" against {matchup.below}" if self.fair is not None else ""
                return f"{matchup.strategy} {self.goal.verb}s {self.goal.says(reached)}{against}"
        return "too few deals to compare the players"

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
            counted = f"{self.searching.deals:,} of {self.searching.asked:,} deals with search counted"
            return f"{counted}. To repeat exactly this part: {again}"
        return f"{self.quick.deals:,} of {self.quick.asked:,} deals counted, none with search. To play all: {again}"

    @property
    def doubts(self) -> list[str]:
        """A sentence for each search that is certainly worse than the next weaker strategy."""
        sentences = (
            doubt(self.setup, matchup.strategy, matchup.below, matchup.gain, matchup.score_gain)
            for matchup in self.matchups
        )
        return [sentence for sentence in sentences if sentence]

    def records(self) -> list[Record]:
        return [
            {
                "strategy": matchup.strategy,
                "below": matchup.below or None,
                "deals": matchup.win.n if matchup.win else 0,
                "win": matchup.win or MISSING,
                "gain": matchup.gain or MISSING,
                "score_name": self.setup.score,
                "score": matchup.score or MISSING,
                "score_gain": matchup.score_gain or MISSING,
            }
            for matchup in self.matchups
        ]

    def summary(self) -> Record:
        return {
            "score": self.setup.score,
            "fair_share": self.fair,
            "doubts": self.doubts,
            "left_out": [{"strategy": name, "why": why} for name, why in self.left_out],
        }


@dataclass(frozen=True)
class StrengthPlan:
    """What will be played, and which arms belong to each matchup."""

    setup: Setup
    strategies: list[Strategy]
    left_out: tuple[tuple[str, str], ...]
    parts: list[SharedDeals]  # quick strategies, and searches
    arms: list[tuple[int, int, int] | None]  # per matchup: part, its arm, the arm it is compared with (-1 for none)
    one_sided: bool  # all players are one side

    @property
    def plan(self) -> Plan:
        return Plan.of(*(part.stage for part in self.parts), left_out=self.left_out)


def plan_matchups(
    setup: Setup,
    players: Sequence[Strategy],
    deals: int,
    search_deals: int,
    left_out: Iterable[tuple[str, str]] = (),
) -> StrengthPlan:
    """Quick strategies play all deals; searches, and what they are compared with, play the first `search_deals`."""
    check_int("games", deals, LEAST_DEALS, MOST_GAMES)
    check_int("search_games", search_deals, LEAST_DEALS, MOST_GAMES)
    one_sided = setup.one_sided
    parts = [SharedDeals([], deals, "rules of thumb"), SharedDeals([], min(deals, search_deals), "search")]
    arms: list[tuple[int, int, int] | None] = []
    for i, strategy in enumerate(players):
        below = players[i - 1] if i else None
        searching = is_search(strategy)
        number = int(searching or (not one_sided and below is not None and is_search(below)))
        part = parts[number]
        if one_sided:
            previous = arms[-1] if arms else None
            if previous is None or below is None:
                lower = -1
            elif previous[0] == number:
                lower = previous[1]
            else:
                part.arms.append(against(setup, below, None))
                lower = len(part.arms) - 1
            part.arms.append(against(setup, strategy, None))
            arms.append((number, len(part.arms) - 1, lower))
        elif below is None:
            arms.append(None)
        else:
            own = against(setup, strategy, below)
            part.arms.extend((own, other_sides(setup, own)))
            arms.append((number, len(part.arms) - 2, len(part.arms) - 1))
    return StrengthPlan(setup, list(players), tuple(left_out), parts, arms, one_sided)


@checked
def strength(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    search_games: int = STRENGTH_SEARCH_GAMES,
    **run: Unpack[RunOptions],
) -> Strength:
    """Measure how strong players are, each against the next weaker one on the same deals.

    Parameters
    ----------
    strategies : str or iterable of str, optional
        Players from the weakest, separated by commas; by default all that can play the setup, from random play to
        clairvoyant.
    games : int
        10,000 deals by default.

    Returns
    -------
    Strength
        Every strategy with its wins, its score, and its gain over the next weaker one or over a fair share.

    Examples
    --------
    >>> import houle
    >>> result = houle.strength("wave", strategies="random,thumb", games=400)
    >>> result.matchups[1].below, result.matchups[1].gain.low > 0
    ('random', True)
    >>> result.repeat()
    'houle strength wave -p 3 -s random,thumb -n 400 --seed 1'
    """
    spec = RunSpec.of(run, STRENGTH_GAMES, LEAST_DEALS)
    played, names = as_setup(setup), names_of(strategies)
    players, left_out = playable(played, names) if names else usual(played, "strength")
    plan = plan_matchups(played, players, spec.games, search_games, left_out)
    spec.begin(plan.plan)
    return play_strength(plan, spec)


def play_strength(plan: StrengthPlan, spec: RunSpec) -> Strength:
    """Play the plan on the first deals of a run. After Ctrl-C the result holds what was played."""
    setup = plan.setup
    played = play_parts(setup, plan.parts, spec)
    names = tuple(strategy.text for strategy in plan.strategies)
    facts = Facts(setup, names, spec.seed, *played.number, played.seconds, played.digest, spec.first)
    fair = None if plan.one_sided else 1 / len(setup.seats_by_side)
    return Strength(facts, read_matchups(plan, played.dealt), plan.left_out, fair, *played.counts)


def read_matchups(plan: StrengthPlan, dealt: list[Deals]) -> tuple[Matchup, ...]:
    """The estimates of every matchup, from the deals of its part."""
    matchups = []
    least, most = plan.setup.score_range
    for i, (strategy, arms) in enumerate(zip(plan.strategies, plan.arms, strict=True)):
        below = plan.strategies[i - 1].text if i else ""
        if arms is None or dealt[arms[0]].number == 0:
            matchups.append(Matchup(strategy.text, below, None, None, None, None))
            continue
        deals, arm, lower = dealt[arms[0]], arms[1], arms[2]
        gain = score_gain = None
        if lower >= 0 and plan.one_sided:
            gain, score_gain = deals.gain(arm, lower), deals.score_gain(arm, lower, float(most - least))
        elif lower >= 0:
            gain = deals.above_fair(arm, lower)
        score = deals.score(arm).within(least, most)
        matchups.append(Matchup(strategy.text, below, deals.win(arm), score, gain, score_gain))
    return tuple(matchups)
