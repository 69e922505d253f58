"""Verdicts on a difference in words: its direction, too small to matter, or not known yet."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from houle.analysis.measures.measures import is_percent, words
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.looks import games_needed
from houle.solver.errors import InputError


@dataclass(frozen=True)
class Verdict:
    """`kind` is more, less, same or unknown."""

    kind: str
    text: str
    more_games: int = 0  # per arm, that would probably decide


class Margins(dict[str, float]):
    """Margins by measure; a quantile (length:p90) has that of what it is a quantile of, also for named players."""

    def __missing__(self, measure: str) -> float:
        name = re.split("[:@]", measure)[0]
        if name == measure:
            raise KeyError(measure)
        return self[name]


def margins_of(margin: float | None = None) -> Margins:
    """The smallest difference that matters, per measure; rates as shares, not percent.

    A `margin` is for every measure: in percentage points for rates, else in the unit of the measure.
    """
    usual = {name: float(facts["margin"]) for name, facts in words()["measures"].items()}
    if margin is None:
        return Margins(usual)
    if isinstance(margin, bool) or not (math.isfinite(margin) and 0 < margin <= 100):
        raise InputError(f"--margin: {margin!r} is not allowed; allowed: a number above 0, at most 100")
    return Margins({name: margin / 100 if is_percent(name) else margin for name in usual})


def directions(measure: str, first: Arm, arm: Arm) -> tuple[str, str]:
    """The words for more and less of a measure."""
    measure = measure.partition(":")[0]
    facts = words()["measures"][measure]
    if measure not in ("win", "score") or not (first.setup.one_sided and arm.setup.one_sided):
        return facts["more"], facts["less"]
    rules = first.setup.digest != arm.setup.digest
    strategies = set(first.strategies) != set(arm.strategies) or (
        len(first.strategies) == len(arm.strategies) and first.strategies != arm.strategies
    )
    cause = "both" if rules and strategies else "strategies" if strategies else "rules"
    better, worse = words()["together"][cause]["better"], words()["together"][cause]["worse"]
    return (worse, better) if measure == "score" and arm.setup.ruleset.lower_is_better else (better, worse)


def amount(measure: str, value: float) -> str:
    """`0.5 points`, `0.12`: with two significant digits."""
    shown = 100 * value if is_percent(measure) else value
    digits = max(0, 1 - math.floor(math.log10(shown))) if shown > 0 else 1
    return f"{shown:.{min(digits, 6)}f}" + (" points" if is_percent(measure) else "")


def judge(measure: str, difference: Estimate, margin: float, more: str, less: str) -> Verdict:
    """Verdict by where the interval lies: without 0, within the margin, or neither."""
    if not (math.isfinite(difference.low) and math.isfinite(difference.high)):
        return Verdict("unknown", "not yet known: too few games", 0)
    farthest = difference.farthest
    if difference.low > 0 or difference.high < 0:
        kind, word = ("more", more) if difference.low > 0 else ("less", less)
        likely = "" if farthest <= margin else "probably "
        small = f", but {likely}by less than {amount(measure, margin)}" if abs(difference.value) < margin else ""
        return Verdict(kind, word + small)
    if farthest <= margin:
        return Verdict("same", f"no difference larger than {amount(measure, farthest)}")
    if abs(difference.value) >= margin:  # its sign, if the truth is what was measured
        needed = more_games(difference.n, games_needed(difference, abs(difference.value)))
        return Verdict("unknown", f"not yet known: about {needed:,} more games tell the sign", needed)
    # With half of the margin on each side, an interval excludes 0 or lies inside the margin, whatever its value.
    needed = more_games(difference.n, games_needed(difference, margin / 2))
    about = f"about {needed:,} more games tell whether it is above {amount(measure, margin)}"
    return Verdict("unknown", f"not yet known: {about}", needed)


def judge_unchanged(difference: Estimate, margin: float) -> Verdict:
    """Verdict if a measure was equal in every game: the more games, the smaller a change that may have been missed."""
    farthest = difference.farthest
    if farthest <= margin:
        return Verdict("same", "the same in every game")
    needed = more_games(difference.n, difference.n * farthest / margin)
    return Verdict("unknown", f"the same in every game so far; about {needed:,} more games to be sure", needed)


def more_games(now: int, enough: float) -> int:
    """How many games to add: at least as many as were played.

    A plan for the measured difference alone would ask for a few more games whenever an interval ends near 0. Following
    such plans finds a difference that does not exist in one of four runs.
    """
    return _round(max(math.ceil(enough) - now, now))


def _round(number: int) -> int:
    """Two digits, rounded up: it is a rough estimate."""
    unit: int = 10 ** max(0, len(str(max(number, 1))) - 2)
    return max(1, -(-number // unit) * unit)
