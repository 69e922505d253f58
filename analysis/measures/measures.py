"""Measures of a setup (win, score, length, ...) and differences of two arms, with intervals.

Two arms on the same games: the difference comes from the sums that pair them. Two independent arms: from both
intervals. stats/intervals.py says which interval is used where.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from houle.analysis.sampling.experiment import NAMES, ArmSums, Sample
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.stats.intervals import (
    CONFIDENCE,
    WHOLE_WIN,
    count_quantile,
    draw_rate,
    mean_score,
    score_quantile,
    score_share,
    wilson,
    win_rate,
    with_prior,
)
from houle.analysis.stats.seat_gap import competes_evenly, seat_gap_of
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


def band_shares(tally: Tally, several: Sequence[Band]) -> list[Estimate]:
    """The share of games in each range of scores."""
    return [score_share(tally, 0, band.low, band.high) for band in several]


@dataclass(frozen=True)
class Measure:
    """A number about the games of a setup: the sum of one column of experiment.COLUMNS over the sum of another.

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


# Measures that are no mean over games, so their differences are not paired.
SEAT_GAP = "seat-gap"  # how many more of the wins the best side has than the worst
QUANTILE = re.compile(r"(length|score):p(\d{1,2}(?:\.\d+)?)")  # length:p90: what 90% of games do not exceed


def is_tallied(name: str) -> bool:
    """Whether a tally of games gives a measure; a study keeps nothing else."""
    return name in (*TALLIED, SEAT_GAP) or (name.startswith("score:p") and is_measure(name))


def in_studies() -> str:
    """The measures of a study, for messages."""
    return ", ".join((*TALLIED, SEAT_GAP, "score:p90"))


def is_measure(name: str) -> bool:
    return name in MEASURES or name == SEAT_GAP or QUANTILE.fullmatch(name) is not None


@dataclass(frozen=True)
class Difference:
    """By how much an arm's measure is greater than another's."""

    interval: Estimate
    paired: bool = False
    changed: int | None = None  # deals with another value of this measure; None without pairs

    @property
    def unchanged(self) -> bool:
        """Whether no deal changed."""
        return self.changed == 0


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
    if measure == SEAT_GAP:
        return competes_evenly(setup)
    return measure.partition(":")[0] in possible_measures(setup)


def measures_of(setup: Setup) -> str:
    """All measures of a setup, for messages."""
    gap = (SEAT_GAP,) if has_measure(setup, SEAT_GAP) else ()
    return ", ".join((*possible_measures(setup), *gap, "length:p90"))


def by_player(texts: Sequence[str]) -> dict[str, list[str]]:
    """`win@family` -> the measures of each player; those without `@` belong to every player, or to "" alone."""
    pairs = [(player.strip(), name.strip()) for name, _, player in (text.partition("@") for text in texts)]
    named = list(dict.fromkeys(player for player, _ in pairs if player)) or [""]
    return {one: list(dict.fromkeys(name for player, name in pairs if player in ("", one))) for one in named}


def why_not_comparable(first: Setup, setup: Setup, measure: str) -> str:
    """Why a measure does not mean the same in two setups: other scores, or uneven sides; empty if it does."""
    if measure in ("first-seat", SEAT_GAP):
        odd = next((one for one in (setup, first) if uneven(one)), None)
        sizes = [str(len(seats)) for _, seats in odd.game.side_names(odd)] if odd else []
        return f"no equal share: {' against '.join(sizes)}" if odd else ""
    if measure.partition(":")[0] not in ("score", "spread") or setup.score == first.score:
        return ""
    return f"another score: {setup.score}, not {first.score}"


def uneven(setup: Setup) -> bool:
    """Whether sides have different numbers of players, so that there is no equal share."""
    return len({len(seats) for _, seats in setup.game.side_names(setup)}) > 1


def check_measures(names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if not is_measure(name):
            raise InputError(unknown_measure(name))
    return tuple(dict.fromkeys(names))


def unknown_measure(name: str) -> str:
    """What is wrong with the name of a measure, with the one that was meant."""
    meant = f"; did you mean {SEAT_GAP!r}?" if name == "balance" else nearest(name, [*MEASURES, SEAT_GAP])
    return f"unknown measure {name!r}{meant}"


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
    if measure == SEAT_GAP:
        return seat_gap_of(tally, confidence).interval
    if measure.startswith("score:p") and (quantile := QUANTILE.fullmatch(measure)):
        return score_quantile(tally, 0, float(quantile[2]) / 100, confidence)
    read = MEASURES[measure].tallied if measure in MEASURES else None
    if read is None:
        raise InputError(f"{measure}: not known from a tally; allowed: {in_studies()}")
    return read(tally, confidence)


def estimate(sample: Sample, arm: int, measure: str, confidence: float = CONFIDENCE) -> Estimate:
    """A measure of one arm. What several seatings reached is a mean over their games, clustered by deal."""
    return estimate_of(sample.arms[arm], sample.sums[arm], measure, confidence)


def estimate_of(arm: Arm, sums: ArmSums, measure: str, confidence: float = CONFIDENCE) -> Estimate:
    """The same from the sums of an arm."""
    if not arm.seatings and is_tallied(measure):
        return in_tally(sums.tally, measure, confidence)
    deals = sums.moments.clusters
    if quantile := QUANTILE.fullmatch(measure):
        return count_quantile(sums.lengths, float(quantile[2]) / 100, deals, confidence)
    kind = MEASURES[measure]
    if not kind.rate:
        mean = with_prior(sums.moments.ratio(kind.over, kind.under, confidence), deals, confidence)
        return mean.within(*(arm.setup.score_range if measure == "score" else (0.0, math.inf)))
    statistic = sums.moments.per(kind.over, kind.under, kind.unit)
    rate = sums.moments.rate(statistic, confidence)
    if measure != "win":
        return rate
    if deals > 1 and sums.moments.variance(statistic) == 0 and _shares_every_win(arm):
        return replace(rate, low=rate.value, high=rate.value)
    opened = _left_open(sums.tally)
    return replace(rate, high=wilson(min(1.0, rate.value + opened), deals, confidence).high) if opened else rate


def _shares_every_win(arm: Arm) -> bool:
    """Whether an arm sums all sides of games between equal players: their wins are then 1 in sum, without any error."""
    sides = int(arm.setup.rules[0].sides)
    every = len({side for _, side in arm.plays}) == len(arm.plays) == sides > 1
    # Digests of players take long, so they are made only where they decide.
    return every and len({name for line_up, _ in arm.plays for name in line_up.digests}) == 1


def _left_open(tally: Tally) -> float:
    """Share of the games that a clairvoyant left open; they may all be wins."""
    return tally.unresolved / max(tally.games, 1)


def difference(sample: Sample, arm: int, measure: str, confidence: float = CONFIDENCE, other: int = 0) -> Difference:
    """How an arm differs from another: on the deals that both played, if the pair was asked for, else independent."""
    both = sample.both.get((arm, other))
    if both is None or both.deals == 0 or measure not in MEASURES:
        ends = [estimate(sample, i, measure, confidence) for i in (arm, other)]
        return Difference(ends[0].difference(ends[1]))
    kind, moments = MEASURES[measure], both.moments
    mine, theirs = (moments.per((which, kind.over), (which, kind.under), kind.unit) for which in (0, 1))
    changed = int(both.changed[NAMES.index(kind.over)])
    if kind.rate:
        bound = moments.rate_difference(mine, theirs, confidence)
        bound = bound.shift(_offset(measure, sample.arms[other].setup) - _offset(measure, sample.arms[arm].setup))
    else:
        bound = moments.mean_difference(
            mine, theirs, _most(sample, (arm, other), measure), changed, confidence=confidence
        )
    if measure in ("win", "first-seat"):
        # What a clairvoyant left open may be won or lost.
        bound = bound.widen(_left_open(sample.tally(other)), _left_open(sample.tally(arm))).within(-1.0, 1.0)
    return Difference(bound, True, changed)


def pairing_gain(sample: Sample, arm: int, measure: str, other: int = 0) -> float | None:
    """How many times the games independent deals would need for a difference as sure; None without pairs."""
    found = difference(sample, arm, measure, other=other)
    if not found.paired or not 0 < found.interval.half < math.inf:
        return None
    alone = estimate(sample, arm, measure).difference(estimate(sample, other, measure))
    return (alone.half / found.interval.half) ** 2


def _most(sample: Sample, pair: tuple[int, int], measure: str) -> float:
    """The most by which a deal can change a measure: the range of scores, else the greatest number seen."""
    if measure == "score":
        ranges = [sample.arms[arm].setup.score_range for arm in pair]
        return float(max(high for _, high in ranges) - min(low for low, _ in ranges))
    column = NAMES.index(MEASURES[measure].over)
    return float(max(sample.sums[arm].greatest[column] / len(sample.arms[arm].plays) for arm in pair))
