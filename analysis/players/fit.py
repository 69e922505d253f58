"""`houle players --fit`: which levels the results of people's games fit, and which they rule out.

Every level plays each setup that results came from. A level fits if its own results would often be as far from what it
usually reaches as those of the people are (stats/simulated_test.py).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Unpack

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.limits import LEVEL_GAMES
from houle.analysis.players.line_ups import as_setup
from houle.analysis.players.named_players import calibration_note, levels
from houle.analysis.players.results_file import Results, SetupResults, files_of, read_results
from houle.analysis.result import Facts, Finished, Record, setup_as_json, setup_columns
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.analysis.stats.intervals import WHOLE_WIN, clopper_pearson, win_rate
from houle.analysis.stats.simulated_test import FITS, NUMBERS, Counted, fits_of, settling_number
from houle.solver.rules import Setup, digest, variant_name
from houle.solver.run.tally import Tally
from houle.solver.texts import count_of, listed

LEAST_GAMES = 100


@dataclass(frozen=True)
class PlayedSetup:
    """A setup that people played, their results, and what every level reached in it."""

    results: SetupResults
    tallies: tuple[Tally, ...]  # one per level
    seed: int

    @property
    def setup(self) -> Setup:
        return self.results.setup

    @property
    def title(self) -> str:
        """`3 players, base game`, and who else plays."""
        own = f"{count_of(self.setup.players, 'player')}, {variant_name(self.setup)}"
        return f"{own}, with {self.results.others}" if self.results.others else own

    @property
    def has_wins(self) -> bool:
        """Whether wins say how well people play: not where points are the goal, or all of them are of the group."""
        return self.setup.goal == "win" and (self.setup.one_sided or self.results.side is not None)

    @cached_property
    def by_wins(self) -> Counted:
        """Games won and lost, by people and by the levels; a shared win counts in part."""
        shares = [int(tally.moments[self.results.side or 0].share) / WHOLE_WIN for tally in self.tallies]
        return Counted.of(
            {1: self.results.won, 0: self.results.lost},
            [{1: share, 0: tally.games - share} for share, tally in zip(shares, self.tallies, strict=True)],
        )

    @cached_property
    def by_scores(self) -> Counted:
        """Scores of people and of the levels: those of the people's side, or of any if they have all seats."""
        own = self.results.side
        sides = list(self.setup.seats_by_side) if own is None else [own]
        reached = [Counter[int]() for _ in self.tallies]
        for scores, tally in zip(reached, self.tallies, strict=True):
            for side in sides:
                scores.update(tally.scores(side))
        return Counted.of(self.results.scores, reached)

    @property
    def sorts(self) -> list[Counted]:
        """Wins, scores, or both, as people noted them."""
        return [one for one in (self.by_wins, self.by_scores) if one.number]

    @cached_property
    def fits(self) -> list[float]:
        """How well the results of this setup fit every level."""
        return fits_of(self.sorts, self.seed)

    def win(self, level: int) -> Estimate:
        """How often a level wins."""
        return win_rate(self.tallies[level], self.results.side or 0) if self.has_wins else MISSING

    def score(self, level: int) -> Estimate:
        """The mean score of a level, where people noted scores."""
        return self.by_scores.mean(self.by_scores.simulated[level]) if self.results.scores else MISSING

    @property
    def own(self) -> tuple[Estimate, Estimate]:
        """The win rate and the mean score of the people."""
        won, lost = self.results.won, self.results.lost
        rate = clopper_pearson(won, won + lost) if won + lost else MISSING
        return rate, self.by_scores.mean(self.by_scores.seen) if self.results.scores else MISSING


@dataclass(frozen=True, repr=False)
class Fit(Finished):
    """Which levels the results of people fit. Its rows are the levels in every setup that they played."""

    played: tuple[PlayedSetup, ...]
    left_out: int  # results of other games
    files: tuple[str, ...]  # that results came from; none if they came from Python

    command = "players"
    rows_key = "levels"

    def words(self) -> list[str]:
        return [word for file in self.files or ("results.csv",) for word in ("--fit", file)] + ["-n", str(self.games)]

    @property
    def number(self) -> int:
        """How many results there are."""
        return sum(one.results.number for one in self.played)

    @property
    def sorts(self) -> list[Counted]:
        return [sort for one in self.played for sort in one.sorts]

    @cached_property
    def fits(self) -> list[float]:
        """How well all results together fit every level: how often its own results would be as far off."""
        return fits_of(self.sorts, self.seed)

    @property
    def fitting(self) -> list[str]:
        """The levels that fit."""
        return fitting(self.fits)

    @property
    def ruled_out(self) -> list[str]:
        """The levels that do not fit."""
        return [level.name for level in levels() if level.name not in self.fitting]

    @property
    def sentence(self) -> str:
        """`Your 40 results fit family and regular, and rule out first-game and seasoned.`"""
        found = f"Your {count_of(self.number, 'result')}"
        if not self.ruled_out:
            return f"{found} {'rules' if self.number == 1 else 'rule'} out none of the levels."
        if not self.fitting:
            return f"{found} rule out every level: {self._where}."
        return f"{found} fit {listed(self.fitting)}, and rule out {listed(self.ruled_out)}."

    @property
    def _where(self) -> str:
        """Where results are that fit no level."""
        if len(self.played) > 1 and all(fitting(one.fits) for one in self.played):
            return "no level fits all setups"
        names = [level.name for level in levels()]
        better = [name for name, above in zip(names, self._above, strict=True) if above > 0]
        if len(better) in (0, len(names)):
            return f"they are better than {names[-1]}" if better else f"they are worse than {names[0]}"
        return f"they are better than {better[-1]} and worse than {names[names.index(better[-1]) + 1]}"

    @property
    def _above(self) -> list[float]:
        """By how many standard errors the results are better than those of each level, all setups added."""
        total = np.zeros(len(levels()))
        for one in self.played:
            for sort in one.sorts:
                lower = sort is one.by_scores and one.setup.ruleset.lower_is_better
                total += (-1 if lower else 1) * sort.above()
        return total.tolist()

    @property
    def by_setup(self) -> str:
        """Whether the same level fits all setups; empty if there is only one."""
        if len(self.played) == 1:
            return ""
        if self.fitting:
            return f"The same level fits all {len(self.played)} setups: {' or '.join(self.fitting)}."
        each = [f"{listed(fitting(one.fits)) or 'none'} ({one.title})" for one in self.played]
        return f"What fits by setup: {'; '.join(each)}."

    @cached_property
    def needed(self) -> str:
        """How many results usually leave one of the levels that fit; empty if only one fits, or none."""
        if len(self.fitting) < 2:
            return ""
        as_noted = [(sort, sort.number) for sort in self.sorts]
        as_scores = [(one.by_scores, one.results.number) for one in self.played]
        number, scored = (self._settling(sorts) for sorts in (as_noted, as_scores))
        words = f"{_about(number)} usually leave only one of {listed(self.fitting)}"
        return f"{words}; noted as scores, {_about(scored).lower()}." if scored < number else f"{words}."

    def _settling(self, sorts: Sequence[tuple[Counted, int]]) -> float:
        kinds = [place for place, level in enumerate(levels()) if level.name in self.fitting]
        return settling_number(sorts, kinds, self.seed)

    @property
    def headline(self) -> str:
        return self.sentence.rstrip(".")

    @property
    def games_per_second(self) -> float:
        games = sum(tally.games for one in self.played for tally in one.tallies)
        return games / self.seconds if self.seconds else 0.0

    @property
    def notes(self) -> list[str]:
        left_out = [f"{count_of(self.left_out, 'result')} of other games left out"] if self.left_out else []
        return [*super().notes, *left_out, *dict.fromkeys(note for one in self.played for note in one.setup.notes)]

    def records(self) -> list[Record]:
        """A row per setup and level."""
        return [
            {
                **setup_columns(one.setup),
                "seats": [seat + 1 for seat in one.results.seats],
                "others": one.results.others or None,
                "results": one.results.number,
                "level": level.name,
                "games": one.tallies[place].games,
                "win": one.win(place),
                "score": one.score(place),
                "fit": one.fits[place],
                "fit_of_all": self.fits[place],
                "fits": level.name in self.fitting,
            }
            for one in self.played
            for place, level in enumerate(levels())
        ]

    def summary(self) -> Record:
        return {
            "results": self.number,
            "sentence": self.sentence,
            "by_setup": self.by_setup or None,
            "needed": self.needed or None,
            "fitting": self.fitting,
            "ruled_out": self.ruled_out,
            "calibration": calibration_note(),
            "setups": [
                {
                    **setup_as_json(one.setup),
                    "won": one.results.won,
                    "lost": one.results.lost,
                    "scores": dict(sorted(one.results.scores.items())),
                }
                for one in self.played
            ],
        }


def fitting(fits: Sequence[float]) -> list[str]:
    """The levels that results fit, from how well they fit each."""
    return [level.name for level, one in zip(levels(), fits, strict=True) if one >= FITS]


def _about(number: float) -> str:
    return f"About {number:,.0f} results" if math.isfinite(number) else f"More than {NUMBERS[-1]:,} results"


@checked
def fit(setup: Setup | str, results: Results, **run: Unpack[RunOptions]) -> Fit:
    """Say which levels of players the results of your own group fit, and which they rule out.

    Parameters
    ----------
    setup : Setup or str
        From `houle.setup`, or the name of a game for its default setup. Used for rows that name no players or variant.
    results : path, iterable of paths, or iterable of mappings
        One row per game: `result` (win, loss or the score), and where they differ `game`, `players`, `variant` (`base`,
        `virage+nazare`), `rules` (a rules file), `seats` (of the group, as `1+2`; all by default) and `others` (who
        plays the other seats). In competitive games the score of one player; wins only if others are at the table.
    games : int
        Of every level in every setup, 4,000 by default.

    Returns
    -------
    Fit
        With `.sentence`, `.fitting`, `.ruled_out`, `.needed`, `.frame()`, `.as_json()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> evenings = [{"result": "win"}] * 8 + [{"result": "loss"}] * 32
    >>> houle.fit(houle.setup("wave", players=3), evenings, games=500).sentence
    'Your 40 results fit family and regular, and rule out first-game and seasoned.'
    """
    setup, spec = as_setup(setup), RunSpec.of(run, LEVEL_GAMES, LEAST_GAMES)
    given, left_out = read_results(results, setup)
    spec.begin(Plan.of(*(("", [one.line_up(level.name) for level in levels()], spec.games) for one in given)))
    played, seconds = [], 0.0
    for one in given:
        runs = [play_line_up(one.line_up(level.name), spec) for level in levels()]
        if any(run.interrupted for run in runs):
            raise KeyboardInterrupt  # without all levels there is no answer
        seconds += sum(run.seconds for run in runs)
        played.append(PlayedSetup(one, tuple(run.tally for run in runs), spec.seed))
    name = digest(
        {
            "rules": [one.setup.digest for one in played],
            "seed": spec.seed,
            "games": spec.games,
            "tallies": [tally.as_data() for one in played for tally in one.tallies],
            "results": [[one.won, one.lost, sorted(one.scores.items()), one.seats, one.others] for one in given],
        }
    )
    facts = Facts(
        setup,
        strategies=(),
        seed=spec.seed,
        games=spec.games,
        asked=spec.games,
        seconds=seconds,
        digest=name,
        first=spec.first,
    )
    return Fit(facts, tuple(played), left_out, files_of(results))
