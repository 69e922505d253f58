"""The goal of a setup: games won, or points where rules.toml says `goal = "score"`.

Analyses ask it for their main number and for the words about it. `Setup.goal` says which measure it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from houle.analysis.measures.measures import difference, estimate, words
from houle.analysis.sampling.experiment import Sample
from houle.analysis.stats.differences import pair_means, pair_rates
from houle.analysis.stats.estimate import PERCENT, POINTS, Estimate
from houle.analysis.stats.intervals import CONFIDENCE, WHOLE_WIN, around, wilson
from houle.solver.rules import Setup

One = TypeVar("One")
Results = NDArray[np.float64]  # of single games: a share of the win, or a score


@dataclass(frozen=True)
class Goal:
    """What the players of a setup try to raise, or to lower where low scores are better."""

    setup: Setup
    asked: str = ""  # another measure than that of the setup: `win` or `score`

    @property
    def measure(self) -> str:
        return self.asked or self.setup.goal

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

    def says(self, one: Estimate, digits: int | None = None) -> str:
        """An estimate with its unit: `30.8% (30.4 to 31.3)`, `19.5 (19.4 to 19.6) points`."""
        return f"{one.text(digits)} {self.score}" if self.is_score and self.score != "score" else one.text(digits)

    def more(self, one: Estimate) -> str:
        """A difference with its sign and unit: `+5.6 points (+4.0 to +7.2)`, of scores `+1.2 stars (1.0 to 1.4)`."""
        if not self.is_score:
            return one.text()
        value, _, interval = one.text().partition(" ")
        return f"{'+' if one.value > 0 else ''}{value} {self.score} {interval}".rstrip()

    def shown(self, one: Estimate) -> Estimate | str:
        """The same for the blocks of a page, where a unit of points would be read as percentage points."""
        return self.says(one) if self.is_score else one

    @property
    def ends(self) -> tuple[int, int]:
        """The least and the greatest result that is possible."""
        return self.setup.score_range if self.is_score else (0, 1)

    @property
    def span(self) -> int:
        """By how much two results can differ at most."""
        return max(self.ends[1] - self.ends[0], 1)

    def pick(self, win: One, score: One) -> One:
        """The one of two that the goal is about."""
        return score if self.is_score else win

    def value(self, sample: Sample, arm: int) -> float:
        """The mean of an arm, the more the better."""
        over, under, unit = ("points", "entries", 1) if self.is_score else ("share", "games", WHOLE_WIN)
        return self.sign * sample.mean(arm, over, under) / unit

    def reached(self, sample: Sample, arm: int) -> Estimate:
        """What an arm reaches."""
        return estimate(sample, arm, self.measure)

    def gain(self, sample: Sample, arm: int, other: int, confidence: float = CONFIDENCE) -> Estimate:
        """By how much more an arm reaches than another, on the same deals if that pair was asked for."""
        return difference(sample, arm, self.measure, confidence, other=other).interval

    def improves(self, gain: Estimate) -> bool:
        """Whether a gain is certainly for the better."""
        return gain.low > 0 if self.sign > 0 else gain.high < 0

    def in_games(self, ledger: Any, side: int) -> Results:
        """What a side reached in every game of a ledger."""
        if not self.is_score:
            return np.asarray(ledger.share[:, side] / WHOLE_WIN)
        return np.asarray(ledger.points[:, side] / np.maximum(ledger.entries[:, side], 1))

    def in_result(self, result: dict[str, Any], side: int) -> float:
        """What a side reached in one game that is over."""
        return float(result["scores"][side] if self.is_score else result["shares"][side] / WHOLE_WIN)

    def expected(self, results: Results) -> Estimate:
        """The mean of games that were played out from one position."""
        if not self.is_score:
            return wilson(float(results.mean()), len(results))
        spread = float(results.var(ddof=1)) if len(results) > 1 else 0.0
        return around(float(results.mean()), spread, len(results)).within(*self.setup.score_range)

    def exactly(self, result: float) -> Estimate:
        """The result of a game that is over."""
        return Estimate(result, result, result, n=1, unit="" if self.is_score else PERCENT)

    def paired(self, results: Results, move: int, best: int, confidence: float = CONFIDENCE) -> Estimate:
        """How much worse a move is than the best one in the same worlds; `results`: worlds x moves."""
        more = self.sign * (results[:, best] - results[:, move])
        if move == best:
            return self.gain_of(0.0, 0.0, 0.0, len(more))
        spread = float(more.var(ddof=1)) if len(more) > 1 else math.inf
        if not self.is_score:
            return pair_rates(float(more.mean()), spread, len(more), confidence)
        changed = int(np.count_nonzero(more))
        return pair_means(float(more.mean()), spread, len(more), self.span, changed=changed, confidence=confidence)

    def gain_of(self, value: float, low: float, high: float, number: int) -> Estimate:
        """A gain again from its numbers."""
        return Estimate(value, low, high, n=number, unit="" if self.is_score else POINTS)
