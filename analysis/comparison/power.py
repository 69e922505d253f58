"""Planning: the smallest difference that a number of games will show 4 times in 5.

A few games of every arm measure how much single games vary. Games with a search take too long for that; there a rate
of 50% is assumed, which needs the most games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from houle.analysis.measures.measures import (
    MEASURES,
    check_measures,
    comparable,
    difference,
    estimate,
    is_percent,
    measure_name,
    possible_measures,
    usual_measures,
)
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired_arms import BATCH_SIZE, PlayedArms, counts_of, play_arms, searches
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE, wilson
from houle.analysis.stats.sequential_tests import detectable

PILOT = 500  # games of an arm that measure how much games vary


@dataclass(frozen=True)
class Detectable:
    """The smallest difference in a measure that the games will show."""

    measure: str
    name: str  # as a column heading
    least: float  # of the arm where it is smallest
    greatest: float  # of the arm where it is greatest

    @property
    def percent(self) -> bool:
        """Whether people read the measure as percent."""
        return is_percent(self.measure)


def between_two(estimate: Estimate, confidence: float = CONFIDENCE) -> float:
    """The smallest difference that two unpaired arms like this one show 4 times in 5."""
    return math.sqrt(2) * detectable(estimate, confidence)


def plan_arms(arms: Sequence[Arm], games: int, search_games: int | None = None, pairs: bool = True) -> Plan:
    """What a comparison (`pairs`) or a sweep plays."""
    counts = counts_of(arms, games, search_games, pairs)
    return Plan.of(
        *(
            ("", [arm.line_up for arm, count in zip(arms, counts, strict=True) if count == number], number)
            for number in sorted(set(counts))
        )
    )


def plan_differences(
    arms: Sequence[Arm],
    games: int,
    seed: int,
    measures: Sequence[str] = (),
    search_games: int | None = None,
    pairs: bool = True,
) -> list[Detectable]:
    """The smallest differences that a comparison will show (`pairs`: every arm with the first), or a sweep."""
    counts = counts_of(arms, games, search_games, pairs)
    chosen = check_measures(measures) or usual_measures([arm.setup for arm in arms])
    quick = not any(map(searches, arms))
    played = play_arms(arms[:BATCH_SIZE], RunSpec(min(PILOT, games), seed, threads=1), pairs) if quick else None
    planned = []
    for measure in chosen:
        sizes = [
            size
            for number in range(1 if pairs else 0, min(len(arms), BATCH_SIZE))
            if (size := _size(played, arms, number, measure, counts[number], pairs)) is not None
        ]
        if sizes:
            planned.append(Detectable(measure, measure_name(measure, arms[0].setup), min(sizes), max(sizes)))
    return planned


def _size(
    played: PlayedArms | None, arms: Sequence[Arm], number: int, measure: str, games: int, pairs: bool
) -> float | None:
    if (
        measure not in MEASURES
        or measure not in possible_measures(arms[number].setup)
        or (pairs and not comparable(arms, number, measure))
    ):
        return None
    if played is None:
        return between_two(wilson(0.5, games)) if MEASURES[measure].rate else None
    some = played.tally(number).games
    if pairs:
        size = detectable(difference(played, number, measure).interval, CONFIDENCE)
    else:
        size = between_two(estimate(played, number, measure))
    return size * math.sqrt(some / games) if math.isfinite(size) else None
