"""Runs with fixed looks: how often all their intervals hold together, and when runs end that stop themselves.

The intervals are those of the studio and of `compare --until-sure`. Counts at each look are drawn, not played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from houle.analysis.limits import GAMES
from houle.analysis.sampling.experiment import NAMES, ArmSums
from houle.analysis.stats.differences import pair_rates
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import WHOLE_WIN, mean_score, t_quantile
from houle.analysis.stats.looks import end_of
from houle.analysis.stats.moments import Moments
from houle.analysis.studio.growing_results import PEOPLE, Growing, GrowingAmong
from houle.analysis.tables.until_sure import UntilSure, most_games
from houle.solver.rules import make_setup
from houle.solver.run.tally import Tally
from houle.solver.texts import in_words

Draws = np.random.Generator
Floats = NDArray[np.float64]

RATES = (0.002, 0.005, 0.01, 0.05, 0.2, 0.5)
SEAT_RATES = (0.05, 1 / 3)  # of a player who sits in each of three seats
MARGIN = 0.005
CHANGED = 0.384  # share of pairs that change in WAVE: a spread of 0.62
TRUTHS = (0.0, MARGIN / 2, MARGIN)
ARMS = (1, 8, 64)


def rates_hold(rate: float, runs: int, draws: Draws) -> float:
    """The share of runs in which the win rate lies in the studio's interval at every look."""
    growing = Growing(make_setup("wave", 3), "random", 1)

    def shown(won: int, games: int) -> Estimate:
        tally = growing.tally
        tally.totals[0].games = games
        tally.moments[0].share, tally.moments[0].share_squared = won * WHOLE_WIN, won * WHOLE_WIN**2
        return growing._rate(0)

    held, won, before = np.ones(runs, bool), np.zeros(runs, np.int64), 0
    for end in PEOPLE.ends:
        won, before = won + draws.binomial(end - before, rate, runs), end
        counts = np.unique(won)
        inside = [(one := shown(int(count), end)).low <= rate <= one.high for count in counts]
        held &= np.array(inside)[np.searchsorted(counts, won)]
    return float(held.mean())


def scores_hold(runs: int, draws: Draws) -> float:
    """The same for the cards that a team has left: often none, seldom many."""
    setup = make_setup("wave", 3)
    tally, confidence = Tally.empty(setup), Growing(setup, "random", 1).confidence
    scores = np.arange(tally.histogram.shape[1])
    chances = np.where(scores == 0, 0.2, 0.8 * 0.9**scores)
    chances /= chances.sum()
    truth = float(tally.lowest + chances @ scores)
    held, counts, before = np.ones(runs, bool), np.zeros((runs, len(scores)), np.int64), 0
    for end in PEOPLE.ends:
        counts, before = counts + draws.multinomial(end - before, chances, runs), end
        for run, row in enumerate(counts):
            tally.totals[0].games = tally.totals[0].entries = tally.totals[0].entries_squared = end
            tally.histogram[0] = row
            points = tally.lowest + scores
            tally.moments[0].points_squared, tally.moments[0].points_entries = row @ points**2, row @ points
            interval = mean_score(tally, 0, confidence).interval
            held[run] &= interval.low <= truth <= interval.high
    return float(held.mean())


def seats_hold(rate: float, runs: int, draws: Draws) -> float:
    """The same for a player who sits in each of three seats; the seats share the luck of the deal."""
    growing = GrowingAmong(make_setup("land-unter", 3), "random", "random", 1)
    lucky = draws.beta(rate, 1 - rate, 200_000)
    wins = draws.binomial(3, lucky)
    chances = np.bincount(wins, minlength=4) / len(wins)
    truth, each = float(chances @ np.arange(4)) / 3, WHOLE_WIN * np.arange(4)
    held, counts, before = np.ones(runs, bool), np.zeros((runs, 4), np.int64), 0
    for end in PEOPLE.ends:
        counts, before = counts + draws.multinomial(end - before, chances, runs), end
        for run, row in enumerate(counts):
            sums = ArmSums.empty(growing.arm)
            sums.moments = Moments(NAMES, end, np.zeros(len(NAMES), np.int64), np.zeros((len(NAMES),) * 2, np.int64))
            games, share = NAMES.index("games"), NAMES.index("share")
            sums.moments.sums[games], sums.moments.products[games, games] = 3 * end, 9 * end
            sums.moments.sums[share], sums.moments.products[share, share] = row @ each, row @ each**2
            sums.moments.products[games, share] = sums.moments.products[share, games] = 3 * (row @ each)
            growing.sums = sums
            interval = growing._rate(0)
            held[run] &= interval.low <= truth <= interval.high
    return float(held.mean())


@dataclass(frozen=True)
class Ended:
    """Runs that stopped themselves."""

    held: float  # share of runs in which every difference lies in its interval at every look up to its end
    false: float  # share of runs with a false verdict on a difference
    games: float  # of an arm, on average


def pair_ends(value: Floats, changed: Floats, pairs: int, confidence: float) -> tuple[Floats, Floats]:
    """The ends of `pair_rates` for many runs at once: pairs differ by -1, 0 or 1, and so many do."""
    number = pairs + 2
    centre, square = pairs * value / number, (changed + 2) / number
    half = t_quantile(number - 1, confidence) * np.sqrt((square - centre**2) / number)
    return np.minimum(value, centre - half), np.maximum(value, centre + half)


def until_sure(arms: int, truth: float, runs: int, draws: Draws) -> Ended:
    """`compare --until-sure --measure win` of so many arms, all with the same true difference."""
    until = UntilSure(most_games(GAMES), arms)
    chances = [(CHANGED + truth) / 2, (CHANGED - truth) / 2, 1 - CHANGED]
    held, going = np.ones(runs, bool), np.ones((runs, arms), bool)
    false, games = np.zeros(runs, bool), np.zeros((runs, arms))
    counts, before = np.zeros((runs, arms, 3), np.int64), 0
    for end in until.looks:
        counts, before = counts + draws.multinomial(end - before, chances, (runs, arms)), end
        won, lost = counts[..., 0], counts[..., 1]
        low, high = pair_ends((won - lost) / end, (won + lost).astype(float), end, until.confidence)
        held &= ((low <= truth) & (truth <= high) | ~going).all(axis=1)
        differs, inside = (low > 0) | (high < 0), np.maximum(abs(low), abs(high)) <= MARGIN
        wrong = (low > 0) & (truth <= 0) | (high < 0) & (truth >= 0) | inside & ~differs & (truth > MARGIN)
        false |= (wrong & going).any(axis=1)
        games[going] = end
        going &= ~(differs | inside)
        if not going.any():
            break
    return Ended(float(held.mean()), float(false.mean()), float(games.mean()))


def agrees(draws: Draws) -> bool:
    """Whether `pair_ends` and the stopping rule are those of the product."""
    won, lost = int(draws.integers(0, 400)), int(draws.integers(0, 400))
    value = (won - lost) / 10_000
    known = pair_rates(value, (won + lost - 10_000 * value**2) / 9_999, 10_000, 0.99)
    low, high = pair_ends(np.array(value), np.array(float(won + lost)), 10_000, 0.99)
    ended = bool(low > 0 or high < 0 or max(abs(low), abs(high)) <= MARGIN)
    return np.allclose([known.low, known.high], [low, high]) and ended == (end_of(known, MARGIN) is not None)


def looks_lines(runs: int, seed: int = 1) -> list[str]:
    """The lines of the page: in how many runs all looks held, a row for the cases of one kind."""
    draws, shown = np.random.default_rng(seed), f"{in_words(len(PEOPLE.ends))} looks"
    rates = [rates_hold(rate, runs, draws) for rate in RATES]
    scores = scores_hold(runs, draws)
    seats = [seats_hold(rate, runs // 5, draws) for rate in SEAT_RATES]
    lines = [
        f"| win rate of {_each(RATES, '{:g}')}%, {shown} | {runs:,} | {_each(rates)}% |  |  |",
        f"| mean score, {shown} | {runs:,} | {_each([scores])}% |  |  |",
        f"| a player in every seat, {_each(SEAT_RATES, '{:.2g}')}%, {shown} | {runs // 5:,} | {_each(seats)}% |  |  |",
    ]
    for arms in ARMS:
        ended = [until_sure(arms, truth, runs, draws) for truth in TRUTHS]
        name = f"`--until-sure`, {arms} difference{'s' * (arms > 1)} of {_each(TRUTHS, '{:g}')} points"
        held, false = _each([one.held for one in ended]), _each([one.false for one in ended])
        lines.append(f"| {name} | {runs:,} | {held}% | {false}% | {'; '.join(f'{one.games:,.0f}' for one in ended)} |")
    return lines


def _each(shares: Sequence[float], form: str = "{:.1f}") -> str:
    """Several shares in percent."""
    return "; ".join(form.format(100 * share) for share in shares)
