"""Measures of a setup (win, score, length, ...) and differences of two arms, with intervals.

Two arms on the same games: the difference comes from the sums that pair them. Two independent arms: from both
intervals. stats/intervals.py says which interval is used where.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired_arms import NAMES, PlayedArms
from houle.analysis.stats.differences import odds_ratio
from houle.analysis.stats.estimate import PERCENT, POINTS, Estimate
from houle.analysis.stats.intervals import (
    CONFIDENCE,
    WHOLE_WIN,
    count_quantile,
    draw_rate,
    mean_score,
    score_quantile,
    win_rate,
    with_prior,
)
from houle.analysis.stats.moments import Statistic
from houle.analysis.stats.spread import spread
from houle.solver.errors import InputError
from houle.solver.rules import Setup, nearest
from houle.solver.run.tally import Tally

FILE = Path(__file__).parent / "words.toml"


@lru_cache
def words() -> Mapping[str, Any]:
    """The file, read once."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def difficulty_word(rate: float) -> str:
    """A win rate in a word: `hard`."""
    return next(str(level["word"]) for level in words()["difficulty"] if rate >= level["least"])


def difficulty_span(win: Estimate) -> str:
    """The same for an interval: `hard`, or `hard to medium` where it is not sure which."""
    low, high = difficulty_word(win.low), difficulty_word(win.high)
    return low if low == high else f"{low} to {high}"


@dataclass(frozen=True)
class Band:
    """A range of scores with the rulebook's word for it."""

    low: int
    high: int | None  # None: and above
    word: str

    @property
    def label(self) -> str:
        if self.high is None:
            return f"{self.low}+"
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


def bands(setup: Setup) -> list[Band]:
    """The rulebook's ranges of scores, from the best; empty if the rulebook has none."""
    ruleset = setup.ruleset
    if not ruleset.band_knob:
        return []
    ends = list(setup.options[ruleset.band_knob])
    names = ruleset.band_words if len(ruleset.band_words) == len(ends) + 1 else [""] * (len(ends) + 1)
    starts = [0, *(end + 1 for end in ends)]
    return [Band(low, high, word) for low, high, word in zip(starts, [*ends, None], names, strict=True)]


@dataclass(frozen=True)
class Measure:
    """A number about the games of a setup: the sum of one column of paired_arms.COLUMNS over the sum of another.

    Its words are in words.toml. A new measure is an entry of MEASURES, with a column if it needs one.
    """

    over: str
    under: str = "games"
    unit: int = 1  # of the first column
    rate: bool = False  # a share of games, between 0 and 1
    rivals: bool = True  # whether it needs several sides
    usual: bool = True  # whether competitive setups are compared by it unless other measures are given
    tallied: Callable[[Tally, float], Estimate] | None = None  # how a tally gives it; None: it needs single games


def beyond_share(win: Estimate, sides: int) -> Estimate:
    """By how much a win rate exceeds an equal share."""
    return replace(win.shift(-1 / sides), unit=POINTS)


def _first_seat(tally: Tally, confidence: float) -> Estimate:
    return beyond_share(win_rate(tally, 0, confidence), len(tally.moments))


def _win(tally: Tally, confidence: float) -> Estimate:
    return win_rate(tally, 0, confidence)


def _score(tally: Tally, confidence: float) -> Estimate:
    return mean_score(tally, 0, confidence).interval


MEASURES = {
    "win": Measure("share", unit=WHOLE_WIN, rate=True, rivals=False, usual=False, tallied=_win),
    "score": Measure("points", "entries", rivals=False, usual=False, tallied=_score),
    "length": Measure("turns", rivals=False),
    "draws": Measure("drawn", rate=True, tallied=draw_rate),
    "first-seat": Measure("share", unit=WHOLE_WIN, rate=True, tallied=_first_seat),
    "spread": Measure("spread"),
}
TALLIED = tuple(name for name, measure in MEASURES.items() if measure.tallied)  # what a study knows
RARE = 0.05  # below this rate a difference in points says little, and odds are shown too


# Measures that are no mean over games, so their differences are not paired.
BALANCE = "balance"  # how far the most or least successful side is from an equal share
QUANTILE = re.compile(r"(length|score):p(\d{1,2}(?:\.\d+)?)")  # length:p90: what 90% of games do not exceed


def is_tallied(name: str) -> bool:
    """Whether a tally of games gives a measure; a study keeps nothing else."""
    return name in (*TALLIED, BALANCE) or (name.startswith("score:p") and is_measure(name))


def in_studies() -> str:
    """The measures of a study, for messages."""
    return ", ".join((*TALLIED, BALANCE, "score:p90"))


def is_measure(name: str) -> bool:
    return name in MEASURES or name == BALANCE or QUANTILE.fullmatch(name) is not None


@dataclass(frozen=True)
class Difference:
    """By how much an arm's measure is greater than the first arm's."""

    interval: Estimate
    paired: bool
    variance_ratio: float | None  # variance of independent runs over that of the pairs; None without pairs
    changed: int | None = None  # games with another value of this measure; None without pairs
    odds: Estimate | None = None  # ratio of the odds, if a rate is near 0

    @property
    def unchanged(self) -> bool:
        """Whether no game changed."""
        return self.changed == 0

    @property
    def games_saved(self) -> int | None:
        """Games per arm that independent runs would need in addition for the same precision."""
        if self.variance_ratio is None or not math.isfinite(self.variance_ratio):
            return None
        return round(self.interval.n * (self.variance_ratio - 1))


def usual_measures(setups: Sequence[Setup]) -> tuple[str, ...]:
    """The default measures: win and score if all play together, else length, draws, first seat and spread.

    Where the score is the goal of all setups, it comes first.
    """
    if all(setup.one_sided for setup in setups):
        return ("score", "win") if all(setup.goal == "score" for setup in setups) else ("win", "score")
    return tuple(name for name, measure in MEASURES.items() if measure.usual)


def possible_measures(setup: Setup) -> tuple[str, ...]:
    """The measures that exist in a setup: with one side there are no seats to compare."""
    sides = int(setup.rules[0].sides)
    return tuple(name for name, measure in MEASURES.items() if sides > 1 or not measure.rivals)


def has_measure(setup: Setup, measure: str) -> bool:
    """Whether a measure exists in a setup; an equal share needs sides of equal size."""
    if measure == BALANCE:
        return int(setup.rules[0].sides) > 1 and not uneven(setup)
    return measure.partition(":")[0] in possible_measures(setup)


def measures_of(setup: Setup) -> str:
    """All measures of a setup, for messages."""
    balance = (BALANCE,) if has_measure(setup, BALANCE) else ()
    return ", ".join((*possible_measures(setup), *balance, "length:p90"))


def check_decidable(measures: Iterable[str]) -> None:
    """Refuse sequential tests of what is no mean over games."""
    if other := next((name for name in measures if name not in MEASURES), None):
        raise InputError(f"until_decided: {other} has no such test; allowed: {', '.join(MEASURES)}; or give the games")


def by_player(texts: Sequence[str]) -> dict[str, list[str]]:
    """`win@family` -> the measures of each player; those without `@` belong to every player, or to "" alone."""
    pairs = [(player.strip(), name.strip()) for name, _, player in (text.partition("@") for text in texts)]
    named = list(dict.fromkeys(player for player, _ in pairs if player)) or [""]
    return {one: list(dict.fromkeys(name for player, name in pairs if player in ("", one))) for one in named}


def comparable(arms: Sequence[Arm], number: int, measure: str) -> bool:
    """Whether a measure means the same in an arm and the first arm: not for two kinds of scores or uneven sides."""
    if measure in ("first-seat", BALANCE):
        return not any(uneven(arms[i].setup) for i in (0, number))
    return measure.partition(":")[0] not in ("score", "spread") or arms[number].setup.score == arms[0].setup.score


def uneven(setup: Setup) -> bool:
    """Whether sides have different numbers of players, so that there is no equal share."""
    return len({len(seats) for _, seats in setup.game.side_names(setup)}) > 1


def why_not_comparable(arms: Sequence[Arm], number: int, measure: str) -> str:
    first, arm = arms[0].setup, arms[number].setup
    if measure not in ("first-seat", BALANCE):
        return f"another score: {arm.score}, not {first.score}"
    setup = arm if uneven(arm) else first
    sizes = " against ".join(str(len(seats)) for _, seats in setup.game.side_names(setup))
    return f"no equal share: {sizes}"


def check_measures(names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if not is_measure(name):
            raise InputError(f"unknown measure {name!r}{nearest(name, [*MEASURES, BALANCE])}")
    return tuple(dict.fromkeys(names))


def is_percent(measure: str) -> bool:
    return bool(words()["measures"][measure.partition(":")[0]]["percent"])


def measure_name(measure: str, setup: Setup) -> str:
    """A measure as a column heading: the score by its own name, the length by what a turn is called."""
    name, colon, quantile = measure.partition(":")
    if colon:
        return f"{measure_name(name, setup)} {quantile}"
    return {"score": setup.score, "length": setup.ruleset.turns}.get(measure, measure)


def measure_title(measure: str, setups: Sequence[Setup]) -> str:
    """A measure as the title of a figure."""
    if quantile := QUANTILE.fullmatch(measure):
        return f"{measure_title(quantile[1], setups)}, {quantile[2]}% of games at most"
    scores = {setup.score for setup in setups}
    turns = {setup.ruleset.turns for setup in setups}
    if measure == "length" and len(turns) == 1:
        return f"{min(turns)} of a game"
    named = measure == "score" and len(scores) == 1
    return f"mean {min(scores).replace('_', ' ')}" if named else str(words()["measures"][measure]["title"])


def _offset(measure: str, setup: Setup) -> float:
    """What is subtracted from a win rate: an equal share for `first-seat`."""
    return 1 / int(setup.rules[0].sides) if measure == "first-seat" else 0.0


def in_tally(tally: Tally, measure: str, confidence: float = CONFIDENCE) -> Estimate:
    """A measure of the first side: one of TALLIED."""
    if measure == BALANCE:
        return _balance(tally, confidence)
    if measure.startswith("score:p") and (quantile := QUANTILE.fullmatch(measure)):
        return score_quantile(tally, 0, float(quantile[2]) / 100, confidence)
    read = MEASURES[measure].tallied if measure in MEASURES else None
    if read is None:
        raise InputError(f"{measure}: not known from a tally; allowed: {in_studies()}")
    return read(tally, confidence)


def estimate(played: PlayedArms, arm: int, measure: str, confidence: float = CONFIDENCE) -> Estimate:
    """A measure of one arm; of groups of people with all that is not known about them."""
    if played.points:
        return spread([estimate(part, arm, measure, confidence) for part in played.points])
    tally = played.tally(arm)
    if is_tallied(measure):
        return in_tally(tally, measure, confidence)
    if quantile := QUANTILE.fullmatch(measure):
        return count_quantile(played.sums(arm).lengths, float(quantile[2]) / 100, tally.games, confidence)
    kind = MEASURES[measure]
    if kind.rate:
        return played.sums(arm).moments.rate(_statistic(played, arm, measure), confidence)
    mean = played.sums(arm).moments.ratio(kind.over, kind.under, confidence)
    return with_prior(mean, tally.games, confidence).within(0.0, math.inf)


def _balance(tally: Tally, confidence: float) -> Estimate:
    """The greatest distance of a side's win rate from an equal share; all sides together keep the confidence."""
    sides = len(tally.moments)
    each = 1 - (1 - confidence) / sides
    ends = [beyond_share(win_rate(tally, side, each), sides) for side in range(sides)]
    far = [max(end.low, -end.high, 0.0) for end in ends], [max(abs(end.low), abs(end.high)) for end in ends]
    return Estimate(max(abs(end.value) for end in ends), max(far[0]), max(far[1]), tally.games, PERCENT)


def _statistic(played: PlayedArms, arm: int, measure: str, whose: str = "") -> Statistic:
    """A measure of an arm, or with `whose="first "` of the first arm on the same games."""
    kind = MEASURES[measure]
    return played.sums(arm).moments.per(whose + kind.over, whose + kind.under, kind.unit)


def variance(played: PlayedArms, arm: int, measure: str) -> float:
    """Variance of a measure between single games."""
    return played.sums(arm).moments.variance(_statistic(played, arm, measure))


def difference(played: PlayedArms, arm: int, measure: str, confidence: float = CONFIDENCE) -> Difference:
    """How an arm differs from the first, paired if they played the same games."""
    if played.points:
        gap = difference(replace(played, points=()), arm, measure, confidence)
        every = [difference(part, arm, measure, confidence).interval for part in played.points]
        return replace(gap, interval=spread(every), variance_ratio=None, odds=None)
    if not played.paired(arm) or measure not in MEASURES:
        ends = [estimate(played, i, measure, confidence) for i in (arm, 0)]
        return Difference(ends[0].difference(ends[1]), False, None, odds=_odds(played, arm, measure, confidence))
    sums = played.sums(arm)
    mine, theirs = _statistic(played, arm, measure), _statistic(played, arm, measure, "first ")
    changed = int(sums.changed[NAMES.index(MEASURES[measure].over)])
    if MEASURES[measure].rate:
        bound = sums.moments.rate_difference(mine, theirs, confidence)
        bound = bound.shift(_offset(measure, played.arms[0].setup) - _offset(measure, played.arms[arm].setup))
    else:
        bound = sums.moments.mean_difference(mine, theirs, _most(played, arm, measure), changed, confidence)
    if measure in ("win", "first-seat"):
        # What a clairvoyant left open may be won or lost.
        low, high = (played.tally(i).unresolved / max(played.tally(i).games, 1) for i in (0, arm))
        bound = bound.widen(low, high)
    independent = variance(played, arm, measure) + variance(played, 0, measure)
    pairs = sums.moments.variance(mine - theirs)
    ratio = independent / pairs if 0 < pairs < math.inf else None
    return Difference(bound, True, ratio, changed, _odds(played, arm, measure, confidence))


def gain_on_arm_before(played: PlayedArms, arm: int, confidence: float = CONFIDENCE) -> Estimate | None:
    """By how much more an arm wins than the one before, on the same games; None if they were not paired."""
    matchup = played.sums(arm).matchup
    if matchup.clusters < 2:
        return None
    mine, theirs = (matchup.mean(column, WHOLE_WIN) for column in matchup.columns)
    gain = matchup.rate_difference(mine, theirs, confidence)
    low, high = (played.tally(i).unresolved / matchup.clusters for i in (arm - 1, arm))
    return gain.widen(low, high).within(-1.0, 1.0)


def _odds(played: PlayedArms, arm: int, measure: str, confidence: float) -> Estimate | None:
    """The odds ratio of rates near 0; None for other rates and measures."""
    if measure not in ("win", "draws"):
        return None
    rates = [estimate(played, i, measure).value for i in (arm, 0)]
    games = min(played.tally(i).games for i in (arm, 0))
    if games < 2 or not 0 < max(rates) < 1 or min(rates) >= RARE:
        return None
    if played.paired(arm):
        pair = [_statistic(played, arm, measure), _statistic(played, arm, measure, "first ")]
        spreads = played.sums(arm).moments.covariances(pair)
    else:
        mine, theirs = (variance(played, i, measure) / max(played.tally(i).games, 1) for i in (arm, 0))
        spreads = np.array([[mine, 0.0], [0.0, theirs]])
    return odds_ratio(rates[0], rates[1], spreads.tolist(), games, confidence)


def _most(played: PlayedArms, arm: int, measure: str) -> float:
    """The most by which a game can change a measure: the range of scores, else the greatest number seen."""
    if measure == "score":
        ranges = [played.arms[i].setup.score_range for i in (0, arm)]
        return float(max(high for _, high in ranges) - min(low for low, _ in ranges))
    column = NAMES.index(MEASURES[measure].over)
    return float(max(played.sums(i).greatest[column] for i in (0, arm)))
