"""The goal of a setup: games won, or points where rules.toml says `goal = "score"`.

Analyses ask it for their main number and for the words about it. `Setup.goal` says which measure it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from houle.analysis.measures.measures import in_tally, words
from houle.analysis.sampling.clustered_deals import Deals
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.solver.rules import Setup
from houle.solver.run.tally import Tally


@dataclass(frozen=True)
class Goal:
    """What the players of a setup try to raise, or to lower where low scores are better."""

    setup: Setup

    @property
    def measure(self) -> str:
        return self.setup.goal

    @property
    def is_score(self) -> bool:
        return self.measure == "score"

    @property
    def sign(self) -> int:
        """-1 if less is better."""
        return -1 if self.is_score and self.setup.ruleset.lower_is_better else 1

    @property
    def score(self) -> str:
        return self.setup.score.replace("_", " ")

    @property
    def head(self) -> str:
        """The heading of a column: `wins`, or the name of the score."""
        return self.score if self.is_score else "wins"

    @property
    def title(self) -> str:
        """`games won`, or `mean points`."""
        return f"mean {self.score}" if self.is_score else str(words()["measures"]["win"]["title"])

    @property
    def verb(self) -> str:
        """What players do: `win`, or `score`."""
        return "score" if self.is_score else "win"

    def says(self, one: Estimate) -> str:
        """An estimate with its unit: `30.8% (30.4 to 31.3)`, `19.5 (19.4 to 19.6) points`."""
        return f"{one.text()} {self.score}" if self.is_score and self.score != "score" else one.text()

    def in_tally(self, tally: Tally) -> Estimate:
        return in_tally(tally, self.measure)

    def value(self, deals: Deals, arm: int) -> float:
        """The mean on the same deals, the more the better."""
        return self.sign * deals.score(arm).value if self.is_score else deals.share(arm)

    def reached(self, deals: Deals, arm: int) -> Estimate:
        """What an arm reaches on the same deals."""
        return deals.score(arm).within(*self.setup.score_range) if self.is_score else deals.win(arm)

    def gain(self, deals: Deals, arm: int, other: int) -> Estimate:
        """By how much more an arm reaches than another on the same deals."""
        low, high = self.setup.score_range
        return deals.score_gain(arm, other, float(high - low)) if self.is_score else deals.gain(arm, other)

    def improves(self, gain: Estimate) -> bool:
        """Whether a gain is certainly for the better."""
        return gain.low > 0 if self.sign > 0 else gain.high < 0

    def gain_of(self, value: float, low: float, high: float, number: int) -> Estimate:
        """A gain again from its numbers."""
        return Estimate(value, low, high, number, "" if self.is_score else POINTS)
