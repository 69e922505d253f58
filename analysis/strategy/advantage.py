"""What a better player gains where players compete: one of a level against others of a weaker level, for every pair.

The better player takes every seat in turn on the same deals. `strength` compares each player with the next weaker one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from houle.analysis.measures.goal import Goal
from houle.analysis.players.line_ups import is_search
from houle.analysis.players.named_players import levels
from houle.analysis.players.read_players import playable
from houle.analysis.result import Record, command_line, plain, words_of_setup
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.clustered_deals import (
    DealArm,
    Deals,
    SharedDeals,
    against,
    deals_digest,
    other_sides,
    play_parts,
    same_deals,
)
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.variance import ratio_of_means
from houle.solver.errors import RulesError
from houle.solver.players.names import Strategy, parse
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup


@dataclass(frozen=True)
class Advantage:
    """One better player, or a team of them, against players of a weaker level."""

    better: str
    others: str
    win: Estimate  # share of the games
    gain: Estimate  # above an equal share of the games that somebody wins


@dataclass(frozen=True)
class Advantages:
    """What a better player gains, for every pair of levels."""

    setup: Setup
    fair: float  # an equal share
    pairs: tuple[Advantage, ...]
    deals: int  # each with the better player in every seat
    search_deals: int  # the same for players that search
    seed: int

    def pair(self, better: str, others: str) -> Advantage | None:
        return next((one for one in self.pairs if (one.better, one.others) == (better, others)), None)

    def repeat(self, pair: Advantage) -> str:
        """The command that plays a pair again."""
        words = ["strength", *words_of_setup(self.setup), "-s", f"{pair.others},{pair.better}"]
        words += ["-n", str(self.deals), "--search-games", str(self.search_deals), "--seed", str(self.seed)]
        return command_line(words, self.setup)

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = plain(
            {
                "fair_share": self.fair,
                "deals": self.deals,
                "search_deals": self.search_deals,
                "seed": self.seed,
                "pairs": [vars(pair) for pair in self.pairs],
            }
        )
        return data


def advantages(
    setup: Setup, spec: RunSpec, strategies: Sequence[str] | None = None, search_games: int = 0
) -> Advantages:
    """Play every pair of strategies, given from the weakest; by default the levels of people.

    Players that search play only against the strongest player that does not, on `search_games` deals.

    >>> from houle.solver.rules import make_setup
    >>> found = advantages(make_setup("land-unter", 3), RunSpec(games=100), ["random", "seasoned"])
    >>> found.pairs[0].better, found.pairs[0].gain.low > 0
    ('seasoned', True)
    """
    if setup.one_sided:
        name = setup.ruleset.name
        raise RulesError(f"{name}: all players are one side here, so nobody wins more; see houle difficulty {name}")
    players, _ = playable(setup, strategies or [level.name for level in levels()])
    quick = [player for player in players if not is_search(player)]
    searching = [player for player in players if player not in quick]
    pairs = [(better, others) for others, better in combinations(quick, 2)]
    searched = [(better, quick[-1]) for better in searching if quick and search_games]
    parts = []
    for group, deals, name in ((pairs, spec.games, "levels"), (searched, min(spec.games, search_games), "search")):
        arms: list[DealArm] = []
        for better, others in group:
            own = against(setup, better, others)
            arms += [own, other_sides(setup, own)]
        parts.append(SharedDeals(arms, deals, name))
    spec.begin(Plan.of(*(part.stage for part in parts)))
    dealt_parts = play_parts(setup, parts, spec).dealt
    found = [
        Advantage(better.text, others.text, dealt.win(2 * i), dealt.above_fair(2 * i, 2 * i + 1))
        for group, dealt in zip((pairs, searched), dealt_parts, strict=True)
        for i, (better, others) in enumerate(group)
        if dealt.number > 1
    ]
    fair = 1 / len(setup.seats_by_side)
    return Advantages(setup, fair, tuple(found), spec.games, search_games, spec.seed)


@dataclass(frozen=True)
class SkillGap:
    """How far the best fair strategy gets from the weakest: in wins, or in points if they are the goal."""

    lowest: str
    best: str
    deals: int
    lowest_win: Estimate
    best_win: Estimate  # against the weakest in competitive games
    bound_win: Estimate | None  # with all cards known
    unresolved: int  # deals proven neither winnable nor unwinnable
    skill: Estimate | None
    skill_remark: str  # why there is no number
    relative: Estimate | None
    relative_remark: str
    digest: str
    seconds: float

    def record(self) -> Record:
        return {
            "lowest": self.lowest,
            "best": self.best,
            "deals": self.deals,
            "lowest_win": self.lowest_win,
            "best_win": self.best_win,
            "bound_win": self.bound_win,
            "unresolved": self.unresolved,
            "skill": self.skill,
            "skill_remark": self.skill_remark,
            "relative_skill": self.relative,
            "relative_remark": self.relative_remark,
            "result_digest": self.digest,
        }


def share_of_gap(goal: Goal, deals: Deals, best: int, lowest: int, bound: int | None = None) -> Estimate | None:
    """(best - lowest) / (bound - lowest) on the same deals; without a bound it is the best result that is possible.

    Deals that the solver left open may all be winnable, so they lower the low end. None if there may be no gap.
    """
    if deals.number < 2:
        return None
    low_wins, best_wins = goal.mean(deals, lowest), goal.mean(deals, best)
    bound_wins = goal.best if bound is None else goal.mean(deals, bound)
    gain, gap = best_wins - low_wins, bound_wins - low_wins
    top, bottom, under = float(gain.value), float(gap.value), float(low_wins.value)
    spread = deals.moments.covariances([gain, gap])
    share = ratio_of_means(top, bottom, spread, deals.number)
    if share is None:
        return None
    opened = deals.left_open(bound) if bound is not None else 0.0
    lower = ratio_of_means(top, bottom + opened, spread, deals.number)
    low = min(share.low, lower.low) if lower else share.low
    high = share.high
    if deals.moments.variance(best_wins) == 0:
        # All deals gave the best the same, so their spread says nothing; Wilson's interval does.
        reached = goal.reached(deals, best)
        ends = ((reached.low - under) / (bottom + opened), (reached.high - under) / bottom)
        low, high = min(low, *ends), max(high, *ends)
    # The share is at most 1, but by chance the weakest may win more than the best.
    return replace(share, low=min(low, 1.0), high=max(min(high, 1.0), share.value), n=deals.number)


def has_bound(setup: Setup) -> bool:
    """Whether an exact solver can prove how much can be won: all players are one side and the game has a solver."""
    return setup.one_sided and setup.goal == "win" and setup.game.has_solver


def gap_plays(setup: Setup) -> int:
    """Games that skill_gap plays per deal."""
    return 1 + len(setup.seats_by_side) + has_bound(setup)


def gap_arms(setup: Setup, lowest: Strategy, best: Strategy) -> list[DealArm]:
    """The weakest, the best against it and, where it exists, the bound."""
    alone = LineUp(setup, (lowest,) * setup.players)
    whole = [(alone, side) for side in setup.seats_by_side]
    arms: list[DealArm] = [whole, against(setup, best, None if len(whole) == 1 else lowest)]
    if has_bound(setup):
        entry = best.entry if best.entry is not None else lowest.entry
        arms.append(against(setup, replace(parse("clairvoyant"), entry=entry), None))
    return arms


def skill_gap(setup: Setup, lowest: Strategy, best: Strategy, spec: RunSpec) -> SkillGap | None:
    """Play the weakest, the best against it and, where it exists, the bound on the same deals; None without deals."""
    arms = gap_arms(setup, lowest, best)
    one_sided, bound = len(setup.seats_by_side) == 1, 2 if has_bound(setup) else None
    dealt = same_deals(arms, spec)
    if dealt.number < 2:
        return None
    goal = Goal(setup)
    skill = share_of_gap(goal, dealt, 1, 0)
    relative = share_of_gap(goal, dealt, 1, 0, bound) if bound else None
    why = "" if skill else f"{lowest.text} may already {goal.verb} as much as is possible"
    remark = ""
    if bound is None:
        remark = "no exact solver says how much can be won"
        remark = remark if one_sided else "it is not known how much the best play could win against others"
    elif relative is None:
        remark = f"what can be won is not clearly more than what {lowest.text} wins"
    return SkillGap(
        lowest.text, best.text, dealt.number, goal.reached(dealt, 0), goal.reached(dealt, 1),
        dealt.win(bound) if bound else None,
        sum(dealt.unresolved), skill, why, relative, remark, deals_digest(setup, arms, spec, dealt), dealt.seconds,
    )  # fmt: skip
