"""A short list of rules learned from search, and how much of the skill it keeps on fresh deals.

The list is an ordered choice of the game's rules of thumb, each for or against, at most seven. Rules are picked one
after another so that the move the list would make is as good as possible in positions that search has judged. A rule
counts `STEEPNESS` times as much as the next, measured by how far moves usually differ in it. What the list is worth is
then measured by play, on deals that it has never seen, between random play and search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from houle.analysis.limits import SEED
from houle.analysis.result import interval_as_json
from houle.analysis.sampling.positions import JudgedPosition, Numbers
from houle.analysis.sampling.same_deals import Deals, against, deals_digest, same_deals, seats_of
from houle.analysis.stats.intervals import Interval
from houle.analysis.strategy.rule_sentences import rule_sentence
from houle.analysis.strategy.skill_gap import share_of_gap
from houle.solver.ruleset import Setup
from houle.solver.run import Progress
from houle.solver.strategies.names import Strategy, parse

if TYPE_CHECKING:
    import pandas as pd

MOST_RULES = 7
STEEPNESS = (2.0, 4.0, 16.0)
UNIT = 1_000_000  # weight of the first rule for a usual difference
LEAST_STEP = 0.01  # of what the list has gained so far; less is not worth a line


@dataclass(frozen=True)
class Line:
    """A rule of the list: more of a feature is better (1) or worse (-1)."""

    feature: str
    sentence: str  # as its sign has it
    sign: int
    gained: float  # mean gain over random moves in the judged positions, up to and with this line


@dataclass(frozen=True)
class Shortlist:
    """The list, and what it keeps."""

    setup: Setup
    lines: tuple[Line, ...]
    strategy: Strategy
    search: str
    positions: int
    wins: dict[str, Interval]  # random, list, thumb, search, on the same fresh deals
    kept: Interval | None  # share of the gap between random and search; None where there is no gap
    thumb_kept: Interval | None
    seed: int
    first: int
    deals: Deals
    asked: int
    digest: str

    @property
    def interrupted(self) -> bool:
        return self.deals.number < self.asked

    def frame(self) -> pd.DataFrame:
        """One row per line of the list."""
        import pandas as pd

        return pd.DataFrame(
            {
                "rule": i,
                "feature": line.feature,
                "sign": line.sign,
                "sentence": line.sentence,
                "gained": line.gained,
                "n": self.positions,
                "seed": self.seed,
                "result_digest": self.digest,
            }
            for i, line in enumerate(self.lines, 1)
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.setup.ruleset.name,
            "players": self.setup.players,
            "variants": list(self.setup.variants),
            "seed": self.seed,
            "first": self.first,
            "deals": self.deals.number,
            "search": self.search,
            "positions": self.positions,
            "lines": [
                {"feature": line.feature, "sentence": line.sentence, "sign": line.sign, "gained": line.gained}
                for line in self.lines
            ],
            "weights": dict((self.strategy.entry or {})["weights"]),
            "wins": {name: interval_as_json(win) for name, win in self.wins.items()},
            "kept": interval_as_json(self.kept),
            "thumb_kept": interval_as_json(self.thumb_kept),
            "rules_digest": self.setup.digest,
            "result_digest": self.digest,
            "interrupted": self.interrupted,
            "seconds": self.deals.seconds,
        }


def spreads(positions: Sequence[JudgedPosition]) -> Numbers:
    """How far moves usually differ in each feature, where they do."""
    width = np.array([np.ptp(position.features, axis=0) for position in positions], float)
    used = (width > 0).sum(axis=0)
    return np.where(used > 0, width.sum(axis=0) / np.maximum(used, 1), 0.0)


def mean_gain(positions: Sequence[JudgedPosition], weights: Numbers) -> float:
    """What a thumb with these weights gains over random moves; equal ratings count as a toss."""
    total = 0.0
    for position in positions:
        rating = position.features @ weights
        chosen = rating >= rating.max() - 1e-9 * (1 + abs(rating.max()))
        total += float(position.gains[chosen].mean() - position.gains.mean())
    return total / max(len(positions), 1)


def distil(positions: Sequence[JudgedPosition], steepness: float) -> list[tuple[int, int, float]]:
    """Greedily: (feature, sign, mean gain so far), the first rule first."""
    width = spreads(positions)
    weights = np.zeros(len(width))
    rules: list[tuple[int, int, float]] = []
    gained = 0.0
    while len(rules) < MOST_RULES:
        scale = steepness ** -len(rules)
        taken = {feature for feature, _, _ in rules}
        tries = []
        for feature in map(int, np.flatnonzero(width > 0)):
            if feature in taken:
                continue
            for sign in (1, -1):
                more = weights.copy()
                more[feature] = sign * scale / width[feature]
                tries.append((mean_gain(positions, more), -feature, sign, more))
        if not tries:
            break
        best, place, sign, more = max(tries, key=lambda attempt: attempt[:3])
        if best <= gained * (1 + LEAST_STEP) or best <= 0:
            break
        gained, weights = best, more
        rules.append((-place, sign, gained))
    return rules


def as_strategy(setup: Setup, rules: Sequence[tuple[int, int, float]], width: Numbers, steepness: float) -> Strategy:
    """The list as a thumb that a table can play."""
    names = [name for name, _ in setup.game.FEATURES]
    weights = {
        names[feature]: sign * max(1, round(UNIT * steepness**-place / width[feature]))
        for place, (feature, sign, _) in enumerate(rules)
    }
    return Strategy("list", "thumb", 0, {}, {"name": "thumb", "weights": weights})


def shortlist(
    setup: Setup,
    positions: Sequence[JudgedPosition],
    search: str = "flat:50",
    deals: int = 400,
    seed: int = SEED,
    first: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Shortlist:
    """Distils a list from judged positions and plays it on deals `first` on, beside random, thumb and search."""
    width = spreads(positions)
    tries = [(distil(positions, steepness), steepness) for steepness in STEEPNESS]
    rules, steepness = max(tries, key=lambda attempt: (attempt[0][-1][2] if attempt[0] else 0.0, -attempt[1]))
    listed = as_strategy(setup, rules, width, steepness)
    others = None if len(seats_of(setup)) == 1 else parse("thumb")
    strategies = {"random": parse("random"), "list": listed, "thumb": parse("thumb"), "search": parse(search)}
    arms = [against(setup, strategy, others) for strategy in strategies.values()]
    dealt = same_deals(setup, arms, seed, deals, first, threads, progress)
    names = [name for name, _ in setup.game.FEATURES]
    lines = tuple(Line(names[i], rule_sentence(setup, names[i], sign), sign, gained) for i, sign, gained in rules)
    return Shortlist(
        setup,
        lines,
        listed,
        search,
        len(positions),
        {name: dealt.win(i) for i, name in enumerate(strategies)},
        share_of_gap(dealt, 1, 0, 3),
        share_of_gap(dealt, 2, 0, 3),
        seed,
        first,
        dealt,
        deals,
        deals_digest(setup, arms, seed, first, dealt),
    )
