"""How far the best fair strategy comes from the lowest one towards what can be won at all.

Skill is (best - lowest) / (1 - lowest): the share of what the lowest strategy does not win that the best one wins.
Where players compete, one side of the best meets the lowest on all other sides. A game of mere luck reads 0, a game
that the better player always wins reads 1. Relative skill takes the wins of a clairvoyant for the most that can be
reached, where an exact solver proves them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from houle.analysis.limits import SEED
from houle.analysis.result import interval_as_json
from houle.analysis.sampling.same_deals import Arm, Deals, against, deals_digest, same_deals
from houle.analysis.stats.clusters import ratio_of_means
from houle.analysis.stats.intervals import Interval
from houle.analysis.stats.moments import Statistic
from houle.solver.ruleset import Setup
from houle.solver.run import Progress
from houle.solver.strategies.names import Strategy, parse
from houle.solver.strategies.player import LineUp


@dataclass(frozen=True)
class SkillGap:
    """How far the best fair strategy comes from the lowest one."""

    lowest: str
    best: str
    deals: int
    lowest_win: Interval
    best_win: Interval  # against the lowest, where players compete
    bound_win: Interval | None  # of a clairvoyant table
    unresolved: int  # deals that are neither proven winnable nor unwinnable
    skill: Interval | None
    skill_remark: str  # why there is no number
    relative: Interval | None
    relative_remark: str
    digest: str
    seconds: float

    def as_json(self) -> dict[str, Any]:
        return {
            "lowest": self.lowest,
            "best": self.best,
            "deals": self.deals,
            "lowest_win": interval_as_json(self.lowest_win),
            "best_win": interval_as_json(self.best_win),
            "bound_win": interval_as_json(self.bound_win),
            "unresolved": self.unresolved,
            "skill": interval_as_json(self.skill),
            "skill_remark": self.skill_remark,
            "relative_skill": interval_as_json(self.relative),
            "relative_remark": self.relative_remark,
            "result_digest": self.digest,
        }


def share_of_gap(deals: Deals, best: int, lowest: int, bound: int | None = None) -> Interval | None:
    """(best - lowest) / (bound - lowest) on the same deals; the bound is winning always where there is none.

    Deals that a clairvoyant left open may all be winnable: they lower the low end. None where there may be no gap.
    """
    if deals.number < 2:
        return None
    low_wins, best_wins = deals.wins(lowest), deals.wins(best)
    bound_wins = Statistic(Fraction(1), {}) if bound is None else deals.wins(bound)
    gain, gap = best_wins - low_wins, bound_wins - low_wins
    top, bottom, under = float(gain.value), float(gap.value), float(low_wins.value)
    spread = deals.moments.covariances([gain, gap])
    found = ratio_of_means(top, bottom, spread, deals.number)
    if found is None:
        return None
    opened = deals.left_open(bound) if bound is not None else 0.0
    lower = ratio_of_means(top, bottom + opened, spread, deals.number)
    low = min(found.low, lower.low) if lower else found.low
    high = found.high
    if deals.moments.variance(best_wins) == 0:
        # All deals agree on what the best gets: how sure that is says Wilson's interval, not their spread.
        win = deals.win(best)
        low = min(low, (win.low - under) / (bottom + opened))
        high = max(high, (win.high - under) / bottom)
    # Nothing wins more than all that can be won; the lowest may be above the best by chance.
    return Interval(found.value, min(low, 1.0), max(min(high, 1.0), found.value), deals.number)


def has_bound(setup: Setup) -> bool:
    """Whether it can be proven what is the most that can be won: for a whole table, where there is an exact solver."""
    return setup.one_sided and setup.game.has_solver


def gap_plays(setup: Setup) -> int:
    """Games that skill_gap plays of one deal."""
    return 1 + len(setup.seats_by_side) + has_bound(setup)


def skill_gap(
    setup: Setup,
    lowest: Strategy,
    best: Strategy,
    deals: int,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SkillGap | None:
    """Plays the lowest, the best against it, and where it exists the bound, on the same deals; None without any."""
    sides = setup.seats_by_side
    one_sided = len(sides) == 1
    alone = LineUp(setup, (lowest,) * setup.players)
    arms: list[Arm] = [[(alone, side) for side in sides], against(setup, best, None if one_sided else lowest)]
    bound = None
    if has_bound(setup):
        entry = best.entry if best.entry is not None else lowest.entry
        clairvoyant = replace(parse("clairvoyant"), entry=entry)
        arms.append(against(setup, clairvoyant, None))
        bound = 2
    dealt = same_deals(setup, arms, seed, deals, 0, threads, progress)
    if dealt.number < 2:
        return None
    skill = share_of_gap(dealt, 1, 0)
    relative = share_of_gap(dealt, 1, 0, bound) if bound else None
    why = "" if skill else f"{lowest.text} may win always already"
    remark = ""
    if bound is None:
        remark = "no exact solver says what is the most that can be won"
        remark = remark if one_sided else "no bound: it is not known what the best against others could win"
    elif relative is None:
        remark = f"the bound is not clearly above {lowest.text}: there is no gap to fill"
    return SkillGap(
        lowest.text, best.text, dealt.number, dealt.win(0), dealt.win(1), dealt.win(bound) if bound else None,
        sum(dealt.unresolved), skill, why, relative, remark, deals_digest(setup, arms, seed, 0, dealt),
        dealt.seconds,
    )  # fmt: skip
