"""What players decide about: how many moves there are, how much hangs on them, how often it matters.

Flat search sits in every seat and notes each decision: the best and the second best move are chosen on one half of the
imagined worlds and scored on the other, so that luck is not read as stakes. Stakes are differences of the search's
measure of the end of the round, from 0 to 1. The decisions of one game are not independent: intervals are clustered
by game.

A decision matters if its best move is better than a random one beyond the error of the second half, in a one-sided
test at a level alpha. Of decisions that do not matter alpha raise a false alarm, so a share s of alarms is read as
(s - alpha) / (1 - alpha). Where ends are mostly alike the test is careful, and the share reads rather low than high.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.limits import DECISIONS_ALPHA, DECISIONS_GAMES, DECISIONS_SEARCH, SEED, check_run
from houle.analysis.result import Facts, Finished, interval_as_json, interval_columns
from houle.analysis.sampling.lineups import Strategies, as_setup, one_strategy
from houle.analysis.stats.clusters import Places, Vector, clustered_mean, clustered_share, per_cluster
from houle.analysis.stats.intervals import Interval, t_quantile
from houle.solver.playout import play_chunk
from houle.solver.ruleset import RulesetError, Setup
from houle.solver.run import Progress, default_threads, in_chunks
from houle.solver.strategies.decision_log import NotesFullError, blank_log
from houle.solver.strategies.names import FLAT, KINDS, Strategy, parse
from houle.solver.strategies.player import LineUp
from houle.solver.tally import Tally, result_digest

if TYPE_CHECKING:
    import pandas as pd

LEAST_WORLDS = 20  # below, half of the worlds say nothing about an error
PHASES = 10
ROWS = 128  # decisions of a game for which there is room at first

Chosen = NDArray[np.bool_]

# What is measured, in words; stakes only where there is a choice.
MEASURES = {
    "per_game": "decisions of a game",
    "moves": "legal moves",
    "kinds": "moves that differ",
    "forced": "share of decisions without a choice",
    "second": "best move against the second best",
    "random": "best move against a random one",
    "thumb": "best move against the thumb's own",
    "matters": "share of choices that matter",
    "matter_per_game": "decisions that matter, a game",
}
SHARES = ("forced", "matters")  # shown in percent


@dataclass
class DecisionLog:
    """The decisions of some games, row by row, and what the games came to."""

    tally: Tally
    parts: list[Any]

    @property
    def games(self) -> int:
        return self.tally.games

    def add(self, other: DecisionLog) -> None:
        self.tally.add(other.tally)
        self.parts += other.parts


@dataclass(frozen=True)
class Group:
    """Some of the decisions: all, those of a phase of the game, those of a seat."""

    part: str  # "all", "phase", "seat"
    label: str
    decisions: int
    choices: int  # of them, with more than one move that differs
    estimates: dict[str, Interval]  # by MEASURES; one that makes no sense for the group is not there


@dataclass(frozen=True, repr=False)
class Decisions(Finished):
    """Every decision of a run of games, read as rates and means."""

    search: Strategy  # in every seat
    alpha: float
    log: Any  # a DECISION each, see strategies/decision_log.py

    command = "decisions"
    measures = MEASURES
    shares = SHARES

    @property
    def strategy(self) -> str:
        return self.search.text

    def words(self) -> list[str]:
        return ["--alpha", f"{self.alpha:g}"] if self.alpha != DECISIONS_ALPHA else []

    def expected_seconds(self, games: int, threads: int | None = None) -> float:
        """Wall time of so many games on so many threads, as these ones predict that were played on one."""
        return self.seconds * games / max(self.games, 1) / (threads or default_threads())

    @cached_property
    def alarms(self) -> Vector:
        """Per decision: 1 where the best move is beyond the error better than a random one, else 0.

        Where the worlds show no difference at all, a test of level alpha is a toss that says so with chance alpha.
        """
        n, total, squares = self.log.worlds, self.log.random, self.log.random_squared
        mean = total / np.maximum(n, 1)
        spread = squares / np.maximum(n, 1) - mean**2
        spread[spread < 1e-12 * squares] = 0.0  # what is left of numbers that cancel
        error = np.sqrt(spread / np.maximum(n - 1, 1))
        quantiles = {worlds: t_quantile(int(worlds) - 1, 1 - 2 * self.alpha) for worlds in np.unique(n) if worlds > 1}
        limit = np.array([quantiles.get(worlds, math.inf) for worlds in n])
        with np.errstate(invalid="ignore"):
            alarm: Vector = (mean > limit * error).astype(float)
        alarm[(spread == 0) & (mean > 0)] = 1.0
        alarm[(spread == 0) & (mean == 0)] = self.alpha
        return alarm

    @cached_property
    def groups(self) -> list[Group]:
        """All decisions, then by phase of the game, then by seat."""
        log = self.log
        groups = [self._group("all", "all", np.ones(len(log), bool))]
        length = np.bincount(self._game, minlength=self.games)
        phase = (PHASES * log.ply // np.maximum(length[self._game], 1)).astype(int)
        for i in range(PHASES):
            label = f"{100 * i // PHASES} to {100 * (i + 1) // PHASES}%"
            groups.append(self._group("phase", label, phase == i))
        for seat in range(self.setup.players):
            groups.append(self._group("seat", f"seat {seat}", log.seat == seat))
        return groups

    @property
    def whole(self) -> Group:
        return self.groups[0]

    @cached_property
    def _game(self) -> Places:
        """Of every decision, which of the games it belongs to, from 0."""
        return np.asarray(self.log.game - self.first, np.int64)

    def _group(self, part: str, label: str, rows: Chosen) -> Group:
        log = self.log
        choice = rows & (log.kinds > 1)
        worlds = np.maximum(log.worlds, 1)
        estimates = {
            "moves": self._mean(log.moves.astype(float), rows),
            "kinds": self._mean(log.kinds.astype(float), rows),
            "forced": self._share((log.kinds == 1).astype(float), rows),
        }
        for name in ("second", "random", "thumb"):
            estimates[name] = self._mean(log[name] / worlds, choice)
        raw = self._share(self.alarms, choice)
        estimates["matters"] = Interval(self._beyond(raw.value), self._beyond(raw.low), self._beyond(raw.high), raw.n)
        if part != "phase":
            estimates["per_game"] = per_cluster(np.ones(int(rows.sum())), self._game[rows], self.games)
            estimates["matter_per_game"] = per_cluster(
                self._beyond(self.alarms[choice]), self._game[choice], self.games
            )
        return Group(part, label, int(rows.sum()), int(choice.sum()), estimates)

    def _beyond(self, alarms: Any) -> Any:
        """Alarms without the false ones."""
        return (alarms - self.alpha) / (1 - self.alpha)

    def _mean(self, values: Vector, rows: Chosen) -> Interval:
        return clustered_mean(values[rows], self._game[rows], self.games)

    def _share(self, values: Vector, rows: Chosen) -> Interval:
        return clustered_share(values[rows], self._game[rows], self.games)

    def frame(self) -> pd.DataFrame:
        """A row per group; every measure as x, x_low, x_high, x_n."""
        import pandas as pd

        rows = []
        for group in self.groups:
            row = {**self.table_columns(), "part": group.part, "group": group.label}
            row |= {"decisions": group.decisions, "choices": group.choices}
            for name in MEASURES:
                estimate = group.estimates.get(name)
                row |= {**interval_columns(name, estimate), f"{name}_n": estimate.n if estimate else 0}
            rows.append(row | self.digest_columns())
        return pd.DataFrame(rows)

    def as_json(self) -> dict[str, Any]:
        """The object that `houle decisions --json` prints."""
        return {
            **self.head(),
            "alpha": self.alpha,
            "measures": MEASURES,
            "groups": [
                {
                    "part": group.part,
                    "group": group.label,
                    "decisions": group.decisions,
                    "choices": group.choices,
                    **{name: interval_as_json(estimate) for name, estimate in group.estimates.items()},
                }
                for group in self.groups
            ],
        }


def searching(strategy: str | Strategy) -> Strategy:
    """A strategy that notes its decisions; a RulesetError of one line for any other."""
    search = parse(strategy) if isinstance(strategy, str) else strategy
    if KINDS[search.name] != FLAT:
        raise RulesetError(f"decisions: {search.text!r} cannot say what a move is worth; allowed: flat:N")
    if search.budget < LEAST_WORLDS:
        raise RulesetError(f"decisions: {search.text!r} looks at too few worlds; allowed: flat:{LEAST_WORLDS} or more")
    return search


def decisions(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    games: int = DECISIONS_GAMES,
    seed: int = SEED,
    first: int = 0,
    alpha: float = DECISIONS_ALPHA,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Decisions:
    """What players decide about: how many moves there are, how much hangs on them, how often it matters.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    strategies : str, optional
        The search in every seat, which says what moves are worth: `flat:N`, by default `flat:200`.
    games, seed, first : int
        Which games: numbers `first`, `first + 1`, ... of a seed.
    alpha : float
        False alarms that the test of a decision may raise; they are taken off what is told.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    Decisions
        Estimates for all decisions, by phase of the game and by seat, clustered by game.

    Examples
    --------
    >>> from houle import analysis as houle
    >>> result = houle.decisions("wave", strategies="flat:20", games=3)
    >>> [group.label for group in result.groups if group.part == "seat"]
    ['seat 0', 'seat 1', 'seat 2']
    >>> sorted(result.whole.estimates)[:3]
    ['forced', 'kinds', 'matter_per_game']
    """
    check_run(games, seed, first)
    search = one_strategy("decisions", strategies, DECISIONS_SEARCH)
    return note_decisions(as_setup(setup), search, games, seed, first, alpha, threads, progress)


def note_decisions(
    setup: Setup,
    strategy: str | Strategy = DECISIONS_SEARCH,
    games: int = DECISIONS_GAMES,
    seed: int = SEED,
    first: int = 0,
    alpha: float = DECISIONS_ALPHA,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Decisions:
    """Plays games with flat search in every seat and notes every decision. Fewer games after Ctrl-C."""
    search = searching(strategy)
    if not 0 < alpha < 0.5:
        raise RulesetError(f"alpha: {alpha:g} is not allowed; allowed: a number between 0 and 0.5")
    seated = LineUp(setup, (search,) * setup.players)
    room = [ROWS]
    play_chunk(setup, seated, seed, first, 0, log=blank_log(1))

    def job(begin: int, number: int) -> DecisionLog:
        return _logged(lambda notes: play_chunk(setup, seated, seed, begin, number, log=notes), number, room)

    total = DecisionLog(Tally.empty(setup), [])
    seconds = in_chunks(job, total, games, first, threads, None, progress, 1)
    log = np.concatenate([blank_log(0), *total.parts]).view(np.recarray)
    name = result_digest(setup, seated.digests, seed, first, total.tally)
    facts = Facts(setup, seated.names, seed, total.tally.games, games, seconds, name, first)
    return Decisions(facts, search, alpha, log)


def _logged(play: Callable[[Any], Tally], number: int, room: list[int]) -> DecisionLog:
    """Plays with as many rows as it takes: nobody knows the length of a game beforehand."""
    while True:
        rows = room[0] * number + 1
        notes = blank_log(rows)
        try:
            tally = play(notes)
        except NotesFullError:
            room[0] = max(room[0], 2 * (rows // number))
            continue
        return DecisionLog(tally, [notes[notes.moves > 0]])
