"""`calibrate`: the level at which a group of people plays, fitted to the results of their games.

Levels lie on a line (named_players.py): 0 is the first level, 1 the next. The thumb plays at 13 places of that line, in
every setup that results came from. How often it wins, or reaches each score, gives the likelihood of the results;
between two places chances are interpolated. The interval holds all places that a likelihood ratio test at 5% keeps.
Experts are above the line: results that are better than those of its end by a z-test read "above seasoned".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.limits import LEVEL_GAMES
from houle.analysis.measures.goal import Goal
from houle.analysis.players.groups import Group, save_group
from houle.analysis.players.line_ups import as_setup
from houle.analysis.players.named_players import (
    calibration_note,
    level_name,
    level_strategy,
    level_words,
    levels,
    nearest_level,
    top,
)
from houle.analysis.players.read_players import EXPERT
from houle.analysis.result import Facts, Finished, Record, setup_as_json, setup_columns
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import WHOLE_WIN, win_rate
from houle.analysis.strategy.results_file import Results, SetupResults, read_results
from houle.solver.rules import Setup, digest
from houle.solver.run.tally import Tally
from houle.solver.texts import count_of

STEPS = 4  # places played from one level to the next
FINE = 25  # steps between two of those at which the likelihood is computed
RATIO = 3.841  # twice the log likelihood ratio that a test at 5% rejects (chi-square, one degree)
LEAST_GAMES = 100
UNSEEN = 0.5  # games added to each result, so that none has chance 0
LEAST_BEYOND = 10  # results that can show a group to be above or below the line
SURE = 1.96  # standard errors of a 95% interval
KEPT = 5  # every so many of the fine steps are kept in the file of groups


def places() -> list[float]:
    """The places on the line that are played, from the first level to the last."""
    return [place / STEPS for place in range(STEPS * top() + 1)]


@dataclass(frozen=True)
class PlayedSetup:
    """A setup that people played, their results, and what the thumb reached in it at every place."""

    results: SetupResults
    tallies: tuple[Tally, ...]

    @property
    def setup(self) -> Setup:
        return self.results.setup


@dataclass(frozen=True, repr=False)
class Calibration(Finished):
    """The level at which a group plays, fitted to its results."""

    played: tuple[PlayedSetup, ...]
    level: Estimate  # on the line: 0 the first level, 1 the next
    likelihood: tuple[float, ...]  # its logarithm at fine steps of the line, 0 at the likeliest
    beyond: int  # 1 if the results are certainly better than those of the end of the line, -1 if worse than its start
    file: str  # that the results came from; empty if they came from Python

    command = "calibrate"
    rows_key = "places"

    def words(self) -> list[str]:
        return [self.file or "results.csv"]

    @property
    def sentence(self) -> str:
        """`Your group plays between family and regular.`"""
        low, high = (
            nearest_level(self.level.low),
            EXPERT if self.level.high >= top() else nearest_level(self.level.high),
        )
        if self.beyond:
            return (
                f"Your group plays {f'above {levels()[-1].name}' if self.beyond > 0 else f'below {levels()[0].name}'}."
            )
        if self.level.high - self.level.low > 2:
            results = count_of(self.level.n, "result")
            return f"{results}: anything from {low} to {high}."
        if self.unsure:
            return f"Your group plays somewhere from {low} to {high}; more results would narrow this."
        if self.level.value <= 0 or self.level.value >= top():
            return f"Your group plays {level_words(self.level.value)} or {'above' if self.level.value else 'below'}."
        return f"Your group plays {level_words(self.level.value)}."

    @property
    def unsure(self) -> bool:
        """Whether the interval is wider than one step between levels."""
        wide = self.level.high - self.level.low > 1
        return wide and nearest_level(self.level.low) != nearest_level(self.level.high)

    def save(self, name: str) -> Path:
        """Save the group, so that its name is a player in every command; returns the file.

        Examples
        --------
        >>> houle.calibrate("wave", results="results.csv").save("my-group")  # doctest: +SKIP
        """
        level = self.level
        return save_group(
            Group(name, level.value, level.low, level.high, self.beyond, level.n, self.likelihood[::KEPT])
        )

    @property
    def headline(self) -> str:
        return f"{self.sentence.rstrip('.')} ({self.level.n:,} results)"

    def reached_of(self, level: int) -> Estimate:
        """What one of the levels wins in the first of the setups, or scores if that is the goal."""
        played = self.played[0]
        goal, tally = Goal(played.setup), played.tallies[level * STEPS]
        return goal.in_tally(tally) if goal.is_score else win_rate(tally, played.results.side or 0)

    def likelihood_of(self, level: int) -> float:
        """How likely the results are at a level, relative to the likeliest place of the line."""
        return math.exp(self.likelihood[level * STEPS * FINE])

    @property
    def games_per_second(self) -> float:
        games = sum(tally.games for one in self.played for tally in one.tallies)
        return games / self.seconds if self.seconds else 0.0

    @property
    def notes(self) -> list[str]:
        return [*super().notes, *dict.fromkeys(note for one in self.played for note in one.setup.notes)]

    def records(self) -> list[Record]:
        """A row per setup and place on the line."""
        return [
            {
                **setup_columns(one.setup),
                "place": place,
                "level": _name(place),
                "strategy": level_name(place),
                "games": tally.games,
                "win": win_rate(tally, one.results.side or 0).value,
                "log_likelihood": likelihood,
            }
            for one in self.played
            for place, tally, likelihood in zip(places(), one.tallies, self.likelihood[::FINE], strict=True)
        ]

    def summary(self) -> Record:
        return {
            "results": self.level.n,
            "level": self.level,
            "beyond": self.beyond,
            "sentence": self.sentence,
            "calibration": calibration_note(),
            "levels": [{"name": level.name, "place": i, "what": level.what} for i, level in enumerate(levels())],
            "setups": [
                {
                    **setup_as_json(one.setup),
                    "won": one.results.won,
                    "lost": one.results.lost,
                    "scores": dict(sorted(one.results.scores.items())),
                    "seats": [seat + 1 for seat in one.results.seats],
                    "others": one.results.others or None,
                    "wins": [win_rate(tally, one.results.side or 0).value for tally in one.tallies],
                }
                for one in self.played
            ],
        }


def _name(place: float) -> str | None:
    """The level at a place, None between two of them."""
    return levels()[int(place)].name if place == int(place) else None


@checked
def calibrate(setup: Setup | str, *, results: Results, **run: Unpack[RunOptions]) -> Calibration:
    """Find the level at which people play from the results of their games.

    Parameters
    ----------
    setup : Setup or str
        From `houle.setup`, or the name of a game for its default setup. Used for rows that name no players or variant.
    results : path or iterable of mappings
        One row per game: `result` (win, loss or the score), and where they differ `game`, `players`, `variant` (`base`,
        `virage+nazare`), `rules` (a rules file), `seats` (of the group, as `1+2`; all by default) and `others` (who
        plays the other seats). In competitive games the score of one player; wins only if others are at the table.
    games : int
        20,000 by default, at each of 13 places on the line of levels, in every setup.

    Returns
    -------
    Calibration
        With `.level` (0 the first of the levels, 1 the next), `.sentence`, `.save(name)`, `.frame()`, `.as_json()` and
        `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> evening = [{"result": "win"}] * 8 + [{"result": "loss"}] * 42
    >>> houle.calibrate(houle.setup("wave", players=3), results=evening, games=2_000).sentence
    '50 results: anything from family to expert.'
    """
    setup = as_setup(setup)
    spec = RunSpec.of(run, LEVEL_GAMES, LEAST_GAMES)
    reached = read_results(results, setup)
    lines = [[one.line_up(level_strategy(place)) for place in places()] for one in reached]
    spec.begin(Plan.of(*(("", line, spec.games) for line in lines)))
    played, seconds = [], 0.0
    for one, line in zip(reached, lines, strict=True):
        tallies = []
        for players in line:
            part = play_line_up(players, spec)
            if part.interrupted:
                raise KeyboardInterrupt  # a line with missing places says nothing
            tallies.append(part.tally)
            seconds += part.seconds
        played.append(PlayedSetup(one, tuple(tallies)))
    fine = np.linspace(0, top(), STEPS * FINE * top() + 1)
    likelihood = sum(log_likelihood(one, fine) for one in played)
    level = likely_places(likelihood, fine, sum(one.results.number for one in played))
    name = digest({"rules": [one.setup.digest for one in played], "seed": spec.seed, "games": spec.games,
                   "tallies": [tally.as_data() for one in played for tally in one.tallies],
                   "results": [[one.results.won, one.results.lost, sorted(one.results.scores.items()),
                                *([one.results.seats, one.results.others] if one.results.seats else [])]
                               for one in played]})  # fmt: skip
    facts = Facts(setup, (), spec.seed, spec.games, spec.games, seconds, name, spec.first)
    relative = tuple(float(value) for value in likelihood - likelihood.max())
    file = str(results) if isinstance(results, str | Path) else ""
    return Calibration(facts, tuple(played), level, relative, beyond_the_line(played, level), file)


def beyond_the_line(played: Sequence[PlayedSetup], level: Estimate) -> int:
    """Whether the results are certainly better than those of the last level (1), worse than those of the first (-1)."""
    if level.n < LEAST_BEYOND:
        return 0
    if level.value >= top() and errors_from(played, -1) > SURE:
        return 1
    return -1 if level.value <= 0 and errors_from(played, 0) < -SURE else 0


def errors_from(played: Iterable[PlayedSetup], place: int) -> float:
    """By how many standard errors the results are better than those at a place."""
    total = variance = 0.0
    for one in played:
        results, last = one.results, one.tallies[place]
        chance = _wins(one, last) / last.games
        spread = math.sqrt(max(chance * (1 - chance), 1e-9))
        total += (results.won - (results.won + results.lost) * chance) / spread
        scores = _scores(one, last)
        mean = sum(score * number for score, number in scores.items()) / max(scores.total(), 1)
        squares = sum((score - mean) ** 2 * number for score, number in scores.items()) / max(scores.total(), 1)
        better = sum((score - mean) * number for score, number in results.scores.items())
        total += (-better if one.setup.ruleset.lower_is_better else better) / math.sqrt(max(squares, 1e-9))
        variance += results.number
    return total / math.sqrt(variance)


def log_likelihood(played: PlayedSetup, fine: Any) -> Any:
    """The log likelihood of the results of one setup, at every place of `fine`."""
    results = played.results
    total = np.zeros(len(fine))
    for number, counts in (
        (results.won, [_wins(played, tally) for tally in played.tallies]),
        (results.lost, [tally.games - _wins(played, tally) for tally in played.tallies]),
    ):
        if number:
            total += number * np.log(_chances(counts, [tally.games for tally in played.tallies], 2, fine))
    if results.scores:
        seen = [_scores(played, tally) for tally in played.tallies]
        wholes = [scores.total() for scores in seen]
        bins = len(set().union(*seen) | set(results.scores))
        for score, number in results.scores.items():
            total += number * np.log(_chances([scores[score] for scores in seen], wholes, bins, fine))
    return total


def _chances(counts: list[float], wholes: list[int], bins: int, fine: Any) -> Any:
    """Chances at the places that were played, interpolated between them; none is 0."""
    played = [(count + UNSEEN) / (whole + bins * UNSEEN) for count, whole in zip(counts, wholes, strict=True)]
    return np.interp(fine, places(), played)


def _wins(played: PlayedSetup, tally: Tally) -> float:
    return int(tally.moments[played.results.side or 0].share) / WHOLE_WIN


def _scores(played: PlayedSetup, tally: Tally) -> Counter[int]:
    """How often each score was reached: by the group's side, or by any if the group has all seats."""
    scores: Counter[int] = Counter()
    own = played.results.side
    for side in played.setup.seats_by_side if own is None else (own,):
        scores.update(tally.scores(side))
    return scores


def likely_places(likelihood: Any, fine: Any, number: int) -> Estimate:
    """The likeliest place, with the interval of places that the results do not reject."""
    best = int(np.argmax(likelihood))
    allowed = np.flatnonzero(2 * (likelihood[best] - likelihood) <= RATIO)
    low, high = max(int(allowed[0]) - 1, 0), min(int(allowed[-1]) + 1, len(fine) - 1)
    return Estimate(float(fine[best]), float(fine[low]), float(fine[high]), number)
