"""What a change of rules does to single deals: won both ways, only before, only now, or in neither game.

Both rules play the same deals, so a difference of -4 points can be split into deals that were gained and deals that
were lost. It says whether a rule is harder, or only different.
"""

from __future__ import annotations

from dataclasses import dataclass

from houle.analysis.blocks import Block, about, text
from houle.analysis.players.named_players import players_of
from houle.analysis.sampling.experiment import Sample
from houle.analysis.sampling.grid import short_line_up
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import WHOLE_WIN, wilson
from houle.solver.rules import PRINTED_RULES

DEALS = 100  # that are drawn


@dataclass(frozen=True)
class BothWays:
    """The deals of two arms by who wins them, as shares."""

    before: str  # the name of the first rules
    now: str
    player: str
    both: Estimate
    only_before: Estimate
    only_now: Estimate
    never: Estimate

    @property
    def first(self) -> str:
        """The first rules in a sentence: `the printed rules`, or their name."""
        return f"the {self.before}" if self.before.startswith(PRINTED_RULES) else self.before

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Of a hundred deals: won both ways, only before, only now, in neither game. They add up to a hundred."""
        shares = [DEALS * one.value for one in (self.both, self.only_before, self.only_now, self.never)]
        whole = [int(share) for share in shares]
        for i in sorted(range(4), key=lambda i: whole[i] - shares[i])[: DEALS - sum(whole)]:
            whole[i] += 1
        return whole[0], whole[1], whole[2], whole[3]

    def sentence(self) -> Block:
        """`Of 100 deals, families win 7 with both rules, 2 only with the printed rules, 1 only with Storm, ...`"""
        both, before, now, never = self.counts
        words = text(
            "Of {deals} deals, {who} win {both} with both rules, {before} only with {first}, {now} only with "
            "{second}, and {never} in neither of the two games.",
            deals=DEALS,
            who=players_of(self.player),
            both=both,
            before=before,
            first=self.first,
            now=now,
            second=self.now,
            never=never,
        )
        return {**about(words, self.player, "win with both rules"), "n": self.both.n}


def both_ways(sample: Sample, arm: int, other: int = 0) -> BothWays | None:
    """The deals of two arms by who wins them; None unless all win together on the same deals."""
    first, changed = sample.arms[other], sample.arms[arm]
    together = all(one.setup.one_sided and one.setup.goal == "win" for one in (first, changed))
    sums = sample.both.get((arm, other))
    if not together or sums is None or not sums.deals or first.strategies != changed.strategies:
        return None
    games, moments = sums.deals, sums.moments
    mine, theirs = (moments.sum((which, "share")) // WHOLE_WIN for which in (0, 1))
    both = moments.product((0, "share"), (1, "share")) // WHOLE_WIN**2
    shares = [
        wilson(number / games, games) for number in (both, theirs - both, mine - both, games - mine - theirs + both)
    ]
    return BothWays(first.label, changed.label, short_line_up(changed.strategies), *shares)
