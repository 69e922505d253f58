"""Skill as one number: how far the best fair strategy gets from the weakest towards winning always.

Skill is (best - weakest) / (1 - weakest): the share of what the weakest strategy does not win that the best one wins.
In competitive games one side of the best meets the weakest on all other sides. A game of pure luck has skill 0, a game
that the better player always wins has skill 1. Relative skill divides by what can be won with all cards known instead
of by winning always; it needs an exact solver.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from houle.analysis.result import Record
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.clustered_deals import DealArm, Deals, against, deals_digest, same_deals
from houle.analysis.stats.clusters import ratio_of_means
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.moments import Statistic
from houle.solver.players.names import Strategy, parse
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup


@dataclass(frozen=True)
class SkillGap:
    """How far the best fair strategy gets from the weakest."""

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


def share_of_gap(deals: Deals, best: int, lowest: int, bound: int | None = None) -> Estimate | None:
    """(best - lowest) / (bound - lowest) on the same deals; without a bound it is winning always.

    Deals that the solver left open may all be winnable, so they lower the low end. None if there may be no gap.
    """
    if deals.number < 2:
        return None
    low_wins, best_wins = deals.wins(lowest), deals.wins(best)
    bound_wins = Statistic(Fraction(1), {}) if bound is None else deals.wins(bound)
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
        win = deals.win(best)
        low = min(low, (win.low - under) / (bottom + opened))
        high = max(high, (win.high - under) / bottom)
    # The share is at most 1, but by chance the weakest may win more than the best.
    return replace(share, low=min(low, 1.0), high=max(min(high, 1.0), share.value), n=deals.number)


def has_bound(setup: Setup) -> bool:
    """Whether an exact solver can prove how much can be won: all players are one side and the game has a solver."""
    return setup.one_sided and setup.game.has_solver


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
    skill = share_of_gap(dealt, 1, 0)
    relative = share_of_gap(dealt, 1, 0, bound) if bound else None
    why = "" if skill else f"{lowest.text} may already win always"
    remark = ""
    if bound is None:
        remark = "no exact solver says how much can be won"
        remark = remark if one_sided else "it is not known how much the best play could win against others"
    elif relative is None:
        remark = f"what can be won is not clearly more than what {lowest.text} wins"
    return SkillGap(
        lowest.text, best.text, dealt.number, dealt.win(0), dealt.win(1), dealt.win(bound) if bound else None,
        sum(dealt.unresolved), skill, why, relative, remark, deals_digest(setup, arms, spec, dealt), dealt.seconds,
    )  # fmt: skip
