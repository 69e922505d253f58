"""`calibrate`: where a group of people plays on the plane of slips and thought, from results or moves of their games.

Players at some nodes of the plane (plane.py) play every setup that results came from. How often each wins, or reaches
each score, gives the likelihood of the results; between nodes chances are interpolated. With the prior along the line
of levels this is the chance of every point of the plane. Moves of recorded games count in the same way
(recorded_moves.py). Few results cannot tell slips from thought, so a group is
saved as equally likely points. Results better than those of seasoned players by a z-test read "above seasoned".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Unpack

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.limits import LEVEL_GAMES
from houle.analysis.measures.goal import Goal
from houle.analysis.players.groups import Group, Point, save_group
from houle.analysis.players.line_ups import as_setup
from houle.analysis.players.named_players import calibration_note, level_words, levels, nearest_level, top
from houle.analysis.players.plane import (
    NODES,
    Numbers,
    as_numbers,
    drawn,
    log_prior,
    nodes,
    point_number,
    points,
    shares,
    strategy_at,
)
from houle.analysis.players.read_players import EXPERT
from houle.analysis.result import Facts, Finished, Record, setup_as_json, setup_columns
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE, WHOLE_WIN, win_rate
from houle.analysis.strategy.recorded_moves import (
    RecordedMoves,
    averaged_over_noise,
    likelihood_of_moves,
    read_moves,
    words_of,
)
from houle.analysis.strategy.results_file import Results, SetupResults, read_results
from houle.solver.errors import InputError
from houle.solver.players.names import POINT
from houle.solver.rules import Setup, digest
from houle.solver.run.tally import Tally

LEAST_GAMES = 100
UNSEEN = 0.5  # games added to each result, so that none has chance 0
LEAST_BEYOND = 10  # results that can show a group to be above or below the line
SURE = 1.96  # standard errors of a 95% interval
FEWER = 4  # times as many games at the other nodes as at those with most thought, which take longest


@dataclass(frozen=True)
class PlayedSetup:
    """A setup that people played, their results, and what players reached in it at every node of the plane."""

    results: SetupResults
    tallies: tuple[Tally, ...]

    @property
    def setup(self) -> Setup:
        return self.results.setup


@dataclass(frozen=True, repr=False)
class Calibration(Finished):
    """Where a group plays, fitted to its results and to the moves of its recorded games."""

    played: tuple[PlayedSetup, ...]
    level: Estimate  # along the line: 0 the first level, 1 the next
    slips: Estimate
    thought: Estimate
    likelihood: Numbers  # its logarithm at every point of the plane, 0 at the likeliest
    beyond: int  # 1 if the results are certainly better than those of the end of the line, -1 if worse than its start
    moves: tuple[RecordedMoves, ...]
    files: tuple[str, ...]  # that results and records came from; none if they came from Python
    seats: tuple[int, ...]  # of the group in the records, from 0; none for all

    command = "calibrate"
    rows_key = "nodes"

    def words(self) -> list[str]:
        seats = ["--seats", "+".join(str(seat + 1) for seat in self.seats)] if self.seats else []
        return [*(self.files or ["results.csv"]), *seats]

    @property
    def setups(self) -> list[Setup]:
        """What the group played."""
        return [*(one.setup for one in self.played), *(one.matches[0].setup for one in self.moves if one.matches)]

    @property
    def evidence(self) -> str:
        """`40 results and 5 games with 120 moves`"""
        return words_of(sum(one.results.number for one in self.played), self.moves)

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
            return f"{self.evidence}: anything from {low} to {high}."
        if self.unsure:
            more = "games" if self.moves else "results"
            return f"Your group plays somewhere from {low} to {high}; more {more} would narrow this."
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
        slips, thought = self.slips.value, self.thought.value
        return save_group(Group(name, slips, thought, self.points, self.beyond, self.level.n))

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Equally likely pairs of slips and thought, which together stand for all that the results leave open."""
        return points_of(self.likelihood)

    @property
    def headline(self) -> str:
        return f"{self.sentence.rstrip('.')} ({self.evidence})"

    def reached_of(self, level: int) -> float:
        """What one of the levels wins in the first of the setups, or scores if that is the goal."""
        played = self.played[0]
        goal, side = Goal(played.setup), played.results.side or 0
        reached = [goal.in_tally(one) if goal.is_score else win_rate(one, side) for one in played.tallies]
        return float(shares()[point_number(level)] @ [one.value for one in reached])

    def likelihood_of(self, level: int) -> float:
        """How likely the results are at a level, relative to the likeliest point of the plane."""
        return math.exp(self.likelihood[point_number(level)])

    @property
    def games_per_second(self) -> float:
        games = sum(tally.games for one in self.played for tally in one.tallies)
        return games / self.seconds if self.seconds else 0.0

    @property
    def notes(self) -> list[str]:
        return [*super().notes, *dict.fromkeys(note for one in self.setups for note in one.notes)]

    def records(self) -> list[Record]:
        """A row per setup and node of the plane; nodes play no games for recorded moves."""
        reached: list[Record] = [
            {"games": tally.games, "win": win_rate(tally, one.results.side or 0).value}
            for one in self.played
            for tally in one.tallies
        ]
        cells = [(setup, node) for setup in self.setups for node in nodes()]
        reached += [{"games": 0, "win": math.nan}] * (len(cells) - len(reached))
        return [
            {
                **setup_columns(setup),
                **dict(zip(POINT, as_numbers(node), strict=True)),
                "strategy": strategy_at(node),
                **games,
                "log_likelihood": float(self.likelihood[(points() == node).all(axis=1)][0]),
            }
            for (setup, node), games in zip(cells, reached, strict=True)
        ]

    def summary(self) -> Record:
        return {
            "results": sum(one.results.number for one in self.played),
            "recorded_games": sum(len(one.games) for one in self.moves),
            "recorded_moves": sum(len(one.matches) for one in self.moves),
            "level": self.level,
            "slips": self.slips,
            "thought": self.thought,
            "points": [dict(zip(POINT, point, strict=True)) for point in self.points],
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


@checked
def calibrate(
    setup: Setup | str,
    *,
    results: Results | None = None,
    records: Iterable[str | Path] = (),
    seats: Iterable[int] = (),
    **run: Unpack[RunOptions],
) -> Calibration:
    """Find the level at which people play, from the results of their games or from the moves of recorded games.

    Parameters
    ----------
    setup : Setup or str
        From `houle.setup`, or the name of a game for its default setup. Used for rows that name no players or variant.
    results : path or iterable of mappings, optional
        One row per game: `result` (win, loss or the score), and where they differ `game`, `players`, `variant` (`base`,
        `virage+nazare`), `rules` (a rules file), `seats` (of the group, as `1+2`; all by default) and `others` (who
        plays the other seats). In competitive games the score of one player; wins only if others are at the table.
    records : iterable of path or str
        Recorded games: files, or texts as `Trace.record().as_text()` writes them. A recorded game needs no result.
    seats : iterable of int
        The seats of the group in the records, from 0; all by default, or the seat whose notes a record is.
    games : int
        2,000 by default, at each of 16 nodes of the plane, in every setup; a quarter where players think most.

    Returns
    -------
    Calibration
        With `.level` (0 the first of the levels, 1 the next), `.slips`, `.thought`, `.points`, `.sentence`,
        `.save(name)`, `.frame()`, `.as_json()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> evening = [{"result": "win"}] * 8 + [{"result": "loss"}] * 42
    >>> houle.calibrate(houle.setup("wave", players=3), results=evening, games=100).sentence
    'Your group plays somewhere from first-game to regular; more results would narrow this.'
    """
    setup = as_setup(setup)
    spec = RunSpec.of(run, LEVEL_GAMES, LEAST_GAMES)
    records, own = tuple(records), tuple(sorted(set(seats)))
    if results is None and not records:
        raise InputError("calibrate: nothing to calibrate by; allowed: results, records, or both")
    moves = read_moves(records, setup.ruleset.name, own)
    played, seconds = _played([] if results is None else read_results(results, setup), spec)
    likelihood = np.sum([np.zeros(len(points())), *map(log_likelihood, played)], axis=0)
    if moves:
        by_moves, noise = likelihood_of_moves(moves, spec)
        likelihood = averaged_over_noise(likelihood + by_moves, noise)
    likelihood -= likelihood.max()
    number = sum(one.results.number for one in played)
    level, slips, thought = on_the_plane(likelihood, number + sum(len(one.games) for one in moves))
    name = digest({"rules": [one.setup.digest for one in played], "seed": spec.seed, "games": spec.games,
                   "tallies": [tally.as_data() for one in played for tally in one.tallies],
                   "results": [[one.results.won, one.results.lost, sorted(one.results.scores.items()),
                                *([one.results.seats, one.results.others] if one.results.seats else [])]
                               for one in played],
                   **({"records": [one.games for one in moves], "seats": own} if moves else {})})  # fmt: skip
    facts = Facts(setup, (), spec.seed, spec.games, spec.games, seconds, name, spec.first)
    files = [one for one in (results, *records) if isinstance(one, str | Path) and "\n" not in str(one)]
    beyond, named = beyond_the_line(played), tuple(map(str, files))
    return Calibration(facts, played, level, slips, thought, likelihood, beyond, tuple(moves), named, own)


def _played(reached: Sequence[SetupResults], spec: RunSpec) -> tuple[tuple[PlayedSetup, ...], float]:
    """The setups of results, played at all nodes; the seconds this took."""
    spec.begin(
        Plan.of(
            *(("", [one.line_up(strategy_at(node))], games_at(node, spec.games)) for one in reached for node in nodes())
        )
    )
    played, seconds = [], 0.0
    for one in reached:
        tallies = []
        for node in nodes():
            part = play_line_up(one.line_up(strategy_at(node)), spec.part(games_at(node, spec.games)))
            if part.interrupted:
                raise KeyboardInterrupt  # a plane with missing nodes says nothing
            tallies.append(part.tally)
            seconds += part.seconds
        played.append(PlayedSetup(one, tuple(tallies)))
    return tuple(played), seconds


def games_at(node: Numbers, games: int) -> int:
    """How many games a node plays."""
    return max(games // FEWER, LEAST_GAMES // FEWER) if node[1] == NODES[1][-1] else games


def beyond_the_line(played: Sequence[PlayedSetup]) -> int:
    """Whether the results are certainly better than those of the last level (1), or worse than any point (-1)."""
    if sum(one.results.number for one in played) < LEAST_BEYOND:
        return 0
    if errors_from(played, (top(), top())) > SURE:
        return 1
    return -1 if errors_from(played, (NODES[0][0], NODES[1][0])) < -SURE else 0


def errors_from(played: Iterable[PlayedSetup], node: tuple[float, float]) -> float:
    """By how many standard errors the results are better than those at a node."""
    total = variance = 0.0
    number = int(np.flatnonzero((nodes() == node).all(axis=1))[0])
    for one in played:
        results, last = one.results, one.tallies[number]
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


def log_likelihood(played: PlayedSetup) -> Numbers:
    """The log likelihood of the results of one setup, at every point of the plane."""
    results = played.results
    total = np.zeros(len(points()))
    for number, counts in (
        (results.won, [_wins(played, tally) for tally in played.tallies]),
        (results.lost, [tally.games - _wins(played, tally) for tally in played.tallies]),
    ):
        if number:
            total += number * np.log(_chances(counts, [tally.games for tally in played.tallies], 2))
    if results.scores:
        seen = [_scores(played, tally) for tally in played.tallies]
        wholes = [scores.total() for scores in seen]
        bins = len(set().union(*seen) | set(results.scores))
        for score, number in results.scores.items():
            total += number * np.log(_chances([scores[score] for scores in seen], wholes, bins))
    return total


def _chances(counts: Sequence[float], wholes: Sequence[int], bins: int) -> Numbers:
    """Chances at the nodes that were played, interpolated between them; none is 0."""
    played = [(count + UNSEEN) / (whole + bins * UNSEEN) for count, whole in zip(counts, wholes, strict=True)]
    between: Numbers = shares() @ np.array(played)
    return between


def _wins(played: PlayedSetup, tally: Tally) -> float:
    return int(tally.moments[played.results.side or 0].share) / WHOLE_WIN


def _scores(played: PlayedSetup, tally: Tally) -> Counter[int]:
    """How often each score was reached: by the group's side, or by any if the group has all seats."""
    scores: Counter[int] = Counter()
    own = played.results.side
    for side in played.setup.seats_by_side if own is None else (own,):
        scores.update(tally.scores(side))
    return scores


def chances_of_points(likelihood: Numbers) -> Numbers:
    """The chance of every point of the plane, from the likelihood of results and the prior."""
    both = likelihood + log_prior()
    chances: Numbers = np.exp(both - both.max())
    chances /= chances.sum()
    return chances


def points_of(likelihood: Numbers) -> tuple[Point, ...]:
    """Equally likely pairs of slips and thought that stand for all that results leave open."""
    return tuple(
        (round(slips, 2), round(thought, 2)) for slips, thought in map(as_numbers, drawn(chances_of_points(likelihood)))
    )


def on_the_plane(likelihood: Numbers, number: int) -> tuple[Estimate, Estimate, Estimate]:
    """The level along the line, the slips and the thought of a group, each with the interval that results leave."""
    chances = chances_of_points(likelihood)
    numbers = np.array([as_numbers(point) for point in points()])
    level = np.clip(points().mean(axis=1), 0, top())
    return (
        _quantiles(level, chances, number),
        _quantiles(numbers[:, 0], chances, number),
        _quantiles(numbers[:, 1], chances, number),
    )


def _quantiles(values: Numbers, chances: Numbers, number: int) -> Estimate:
    """The mean of values with these chances, and the middle 95% of them."""
    order = np.argsort(values, kind="stable")
    ends = np.searchsorted(np.cumsum(chances[order]), [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    low, high = values[order[np.minimum(ends, len(values) - 1)]]
    return Estimate(float(values @ chances), float(low), float(high), number)
