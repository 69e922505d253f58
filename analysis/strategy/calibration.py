"""Where people play on the line of levels: the likelihood of what they reached, place by place.

The thumb at a place of the line (sampling/levels.py) is played at every table that results came from. How often it
wins, or comes to each score, makes what people reached likely or not. Between places that were played, chances are
mixed. The interval holds every place that a likelihood ratio test at 5% does not refuse: on a line of one dimension
that is the profile of the likelihood.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.limits import LEVEL_GAMES, MOST_GAMES, SEED, check_int, check_run
from houle.analysis.result import Facts, Finished, interval_as_json, setup_as_json, setup_columns
from houle.analysis.sampling.levels import level_strategy, level_words, levels
from houle.analysis.sampling.lineups import as_setup, line_up
from houle.analysis.sampling.players import calibration_note
from houle.analysis.sampling.progress import expect, part_of
from houle.analysis.stats.intervals import WHOLE_WIN, Interval, win_rate
from houle.analysis.strategy.level_results import Results, TableResults, read_results
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, play
from houle.solver.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

STEPS = 4  # places that are played from one level to the next
FINE = 25  # places between two of those at which the likelihood is asked for
RATIO = 3.841  # twice the logarithm of a likelihood ratio that a test at 5% refuses (chi-square, one degree)
UNSEEN = 0.5  # games that a result counts for that never came about


def places() -> list[float]:
    """The places that are played, from the first level to the last."""
    return [place / STEPS for place in range(STEPS * (len(levels()) - 1) + 1)]


@dataclass(frozen=True)
class PlayedSetup:
    """A table at which people played, and what the thumb at every place came to there."""

    results: TableResults
    tallies: tuple[Tally, ...]

    @property
    def setup(self) -> Setup:
        return self.results.setup


@dataclass(frozen=True, repr=False)
class Calibration(Finished):
    """Where people play, from what they reached."""

    tables: tuple[PlayedSetup, ...]
    level: Interval  # on the line: 0 the first level, 1 the next
    likelihood: tuple[float, ...]  # its logarithm at every place that was played, 0 at the likeliest of the line
    file: str  # that the results came from; empty for those of a notebook

    command = "calibrate"

    def words(self) -> list[str]:
        return [self.file or "results.csv"]

    @property
    def sentence(self) -> str:
        """`your table plays like between family and regular`."""
        if self.level.high - self.level.low >= len(levels()) - 1:
            return "these results do not tell the levels apart"
        return f"your table plays {level_words(self.level.value)}"

    def wins_of(self, level: int) -> float:
        """What one of the levels wins at the first of the tables."""
        return win_rate(self.tables[0].tallies[level * STEPS], 0).value

    def likelihood_of(self, level: int) -> float:
        """Of one of the levels, beside 1 for the likeliest place of the line."""
        return math.exp(self.likelihood[level * STEPS])

    @property
    def games_per_second(self) -> float:
        played = sum(tally.games for table in self.tables for tally in table.tallies)
        return played / self.seconds if self.seconds else 0.0

    @property
    def notes(self) -> list[str]:
        return [*super().notes, *dict.fromkeys(note for table in self.tables for note in table.setup.notes)]

    def frame(self) -> pd.DataFrame:
        """One row per table and place."""
        import pandas as pd

        rows = []
        for table in self.tables:
            for i, place in enumerate(places()):
                rows.append(
                    {
                        **setup_columns(table.setup),
                        "place": place,
                        "level": _name(place),
                        "strategy": level_strategy(place),
                        "games": table.tallies[i].games,
                        "win": win_rate(table.tallies[i], 0).value,
                        "log_likelihood": self.likelihood[i],
                        **self.digest_columns(),
                    }
                )
        return pd.DataFrame(rows)

    def as_json(self) -> dict[str, Any]:
        """The object that `houle calibrate --json` prints."""
        return {
            **self.head(),
            "results": self.level.n,
            "level": interval_as_json(self.level),
            "sentence": self.sentence,
            "calibration": calibration_note(),
            "levels": [
                {"name": level.name, "place": i, "strategy": level.strategy} for i, level in enumerate(levels())
            ],
            "places": [
                {"place": place, "strategy": level_strategy(place), "log_likelihood": found}
                for place, found in zip(places(), self.likelihood, strict=True)
            ],
            "tables": [
                {
                    **setup_as_json(table.setup),
                    "won": table.results.won,
                    "lost": table.results.lost,
                    "scores": {str(score): number for score, number in sorted(table.results.scores.items())},
                    "wins": [win_rate(tally, 0).value for tally in table.tallies],
                }
                for table in self.tables
            ],
        }


def _name(place: float) -> str | None:
    """The level at a place, None between two of them."""
    return levels()[int(place)].name if place == int(place) else None


@checked
def calibrate(
    setup: Setup | str,
    *,
    results: Results,
    games: int = LEVEL_GAMES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Calibration:
    """Say at which level people play, from what they reached.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one: where a result names no players or no
        variant, those of this table are meant.
    results : path or iterable of mappings
        One row a game: `result` (win, loss, or the score; of games in which players compete the score of one of them),
        and, where they differ, `players` and `variant` (`base`, `virage+nazare`).
    games : int
        How many games the thumb plays at each of the 13 places on the line of levels, at every table.
    seed : int
        Names the games.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    LevelFit
        With `.level` (0 the first of the levels, 1 the next), `.sentence`, `.frame()`, `.as_json()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> evening = [{"result": "win"}] * 8 + [{"result": "loss"}] * 42
    >>> houle.fit_levels(houle.setup("wave", players=3), results=evening, games=2_000).sentence
    'your table plays like between family and regular'
    """
    table = as_setup(setup)
    check_run(games, seed)
    check_int("games", games, 100, MOST_GAMES)
    reached = read_results(results, table)
    expect(progress, len(reached) * len(places()) * games)
    played, done, seconds = [], 0, 0.0
    for one in reached:
        tallies = []
        for place in places():
            told = part_of(progress, done, seconds)
            run = play(one.setup, line_up(one.setup, level_strategy(place)), seed, games, 0, threads, None, told)
            if run.tally.games < games:
                raise KeyboardInterrupt  # some of the places say nothing about the line
            tallies.append(run.tally)
            done, seconds = done + games, seconds + run.seconds
        played.append(PlayedSetup(one, tuple(tallies)))
    fine = np.linspace(0, len(levels()) - 1, STEPS * FINE * (len(levels()) - 1) + 1)
    likelihood = sum(log_likelihood(one, fine) for one in played)
    level = likely_places(likelihood, fine, sum(one.results.number for one in played))
    name = digest({"rules": [one.setup.digest for one in played], "seed": seed, "games": games,
                   "tallies": [tally.as_data() for one in played for tally in one.tallies],
                   "results": [[one.results.won, one.results.lost, sorted(one.results.scores.items())]
                               for one in played]})  # fmt: skip
    facts = Facts(table, (), seed, games, games, seconds, name)
    coarse = tuple(float(found) for found in (likelihood - likelihood.max())[::FINE])
    file = str(results) if isinstance(results, str | Path) else ""
    return Calibration(facts, tuple(played), level, coarse, file)


def log_likelihood(table: PlayedSetup, fine: Any) -> Any:
    """The logarithm of how likely the results of a table are, at every place of `fine`."""
    results = table.results
    total = np.zeros(len(fine))
    for number, counts in (
        (results.won, [_wins(tally) for tally in table.tallies]),
        (results.lost, [tally.games - _wins(tally) for tally in table.tallies]),
    ):
        if number:
            total += number * np.log(_chances(counts, [tally.games for tally in table.tallies], 2, fine))
    if results.scores:
        seen = [_scores(table, tally) for tally in table.tallies]
        wholes = [scores.total() for scores in seen]
        bins = len(set().union(*seen) | set(results.scores))
        for score, number in results.scores.items():
            total += number * np.log(_chances([scores[score] for scores in seen], wholes, bins, fine))
    return total


def _chances(counts: list[float], wholes: list[int], bins: int, fine: Any) -> Any:
    """Chances at the places that were played, mixed between them; none is 0 because it never came about."""
    played = [(count + UNSEEN) / (whole + bins * UNSEEN) for count, whole in zip(counts, wholes, strict=True)]
    return np.interp(fine, places(), played)


def _wins(tally: Tally) -> float:
    return int(tally.moments[0].share) / WHOLE_WIN


def _scores(table: PlayedSetup, tally: Tally) -> Counter[int]:
    """How often each score was reached, by whichever side of players: equal ones differ by their seats alone."""
    found: Counter[int] = Counter()
    for side in table.setup.seats_by_side:
        found.update(tally.scores(side))
    return found


def likely_places(likelihood: Any, fine: Any, number: int) -> Interval:
    """The likeliest place, and the places around all those that the results do not refuse."""
    best = int(np.argmax(likelihood))
    allowed = np.flatnonzero(2 * (likelihood[best] - likelihood) <= RATIO)
    low, high = max(int(allowed[0]) - 1, 0), min(int(allowed[-1]) + 1, len(fine) - 1)
    return Interval(float(fine[best]), float(fine[low]), float(fine[high]), number)
