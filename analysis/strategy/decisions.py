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

from houle.analysis.limits import SEED
from houle.analysis.stats.clusters import Places, Vector, clustered_mean, clustered_share, columns, per_cluster
from houle.analysis.stats.intervals import Interval, plain, t_quantile
from houle.solver.playout import play_chunk
from houle.solver.ruleset import RulesetError, Setup
from houle.solver.run import Progress, in_chunks
from houle.solver.strategies.decision_log import (
    NOTE_COLUMNS,
    NOTE_GAME,
    NOTE_KINDS,
    NOTE_MOVES,
    NOTE_PLY,
    NOTE_RANDOM,
    NOTE_SEAT,
    NOTE_SECOND,
    NOTE_THUMB,
    NOTE_WORLDS,
    NotesFullError,
)
from houle.solver.strategies.player import FLAT, KINDS, LineUp, Strategy, parse
from houle.solver.tally import Tally, result_digest

if TYPE_CHECKING:
    import pandas as pd

GAMES = 40
ALPHA = 0.05
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
class Noted:
    """The decisions of some games, row by row, and what the games came to."""

    tally: Tally
    parts: list[Vector]

    @property
    def games(self) -> int:
        return self.tally.games

    def add(self, other: Noted) -> None:
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


@dataclass(frozen=True)
class Decisions:
    """Every decision of a run of games, read as rates and means."""

    setup: Setup
    line_up: LineUp
    seed: int
    first: int
    alpha: float
    tally: Tally
    notes: Vector  # a row per decision, see strategies/stakes.py
    asked: int
    seconds: float

    @property
    def strategy(self) -> str:
        return self.line_up.names[0]

    @property
    def games(self) -> int:
        return self.tally.games

    @property
    def interrupted(self) -> bool:
        return self.games < self.asked

    @cached_property
    def digest(self) -> str:
        return result_digest(self.setup, self.line_up.digests, self.seed, self.first, self.tally)

    @cached_property
    def alarms(self) -> Vector:
        """Per decision: 1 where the best move is beyond the error better than a random one, else 0.

        Where the worlds show no difference at all, a test of level alpha is a toss that says so with chance alpha.
        """
        n, total, squares = (self.notes[:, i] for i in (NOTE_WORLDS, NOTE_RANDOM, NOTE_RANDOM + 1))
        mean = total / np.maximum(n, 1)
        spread = squares / np.maximum(n, 1) - mean**2
        spread[spread < 1e-12 * squares] = 0.0  # what is left of numbers that cancel
        error = np.sqrt(spread / np.maximum(n - 1, 1))
        quantiles = {worlds: t_quantile(int(worlds) - 1, 1 - 2 * self.alpha) for worlds in np.unique(n) if worlds > 1}
        limit = np.array([quantiles.get(worlds, math.inf) for worlds in n])
        with np.errstate(invalid="ignore"):
            alarm = (mean > limit * error).astype(float)
        alarm[(spread == 0) & (mean > 0)] = 1.0
        alarm[(spread == 0) & (mean == 0)] = self.alpha
        return alarm

    @cached_property
    def groups(self) -> list[Group]:
        """All decisions, then by phase of the game, then by seat."""
        notes = self.notes
        found = [self._group("all", "all", np.ones(len(notes), bool))]
        length = np.bincount(self._game, minlength=self.games)
        phase = (PHASES * notes[:, NOTE_PLY] // np.maximum(length[self._game], 1)).astype(int)
        for i in range(PHASES):
            label = f"{100 * i // PHASES} to {100 * (i + 1) // PHASES}%"
            found.append(self._group("phase", label, phase == i))
        for seat in range(self.setup.players):
            found.append(self._group("seat", f"seat {seat}", notes[:, NOTE_SEAT] == seat))
        return found

    @property
    def whole(self) -> Group:
        return self.groups[0]

    @cached_property
    def _game(self) -> Places:
        """Of every decision, which of the games it belongs to, from 0."""
        return self.notes[:, NOTE_GAME].astype(np.int64) - self.first

    def _group(self, part: str, label: str, rows: Chosen) -> Group:
        notes = self.notes
        choice = rows & (notes[:, NOTE_KINDS] > 1)
        worlds = np.maximum(notes[:, NOTE_WORLDS], 1)
        found = {
            "moves": self._mean(notes[:, NOTE_MOVES], rows),
            "kinds": self._mean(notes[:, NOTE_KINDS], rows),
            "forced": self._share((notes[:, NOTE_KINDS] == 1).astype(float), rows),
        }
        for name, column in (("second", NOTE_SECOND), ("random", NOTE_RANDOM), ("thumb", NOTE_THUMB)):
            found[name] = self._mean(notes[:, column] / worlds, choice)
        raw = self._share(self.alarms, choice)
        found["matters"] = Interval(self._beyond(raw.value), self._beyond(raw.low), self._beyond(raw.high), raw.n)
        if part != "phase":
            found["per_game"] = per_cluster(np.ones(int(rows.sum())), self._game[rows], self.games)
            found["matter_per_game"] = per_cluster(self._beyond(self.alarms[choice]), self._game[choice], self.games)
        return Group(part, label, int(rows.sum()), int(choice.sum()), found)

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
            row: dict[str, Any] = {
                "game": self.setup.ruleset.name,
                "players": self.setup.players,
                "variants": "+".join(self.setup.variants) or "base",
                "strategy": self.strategy,
                "seed": self.seed,
                "games": self.games,
                "part": group.part,
                "group": group.label,
                "decisions": group.decisions,
                "choices": group.choices,
            }
            for name in MEASURES:
                row |= columns(name, group.estimates.get(name))
            rows.append(row | {"rules_digest": self.setup.digest, "result_digest": self.digest})
        return pd.DataFrame(rows)

    def as_json(self) -> dict[str, Any]:
        """The object that `houle decisions --json` prints."""
        return {
            "game": self.setup.ruleset.name,
            "players": self.setup.players,
            "variants": list(self.setup.variants),
            "options": self.setup.shown_options,
            "strategies": list(self.line_up.names),
            "seed": self.seed,
            "first": self.first,
            "games": self.games,
            "alpha": self.alpha,
            "rules_digest": self.setup.digest,
            "result_digest": self.digest,
            "notes": list(self.setup.notes),
            "measures": MEASURES,
            "groups": [
                {
                    "part": group.part,
                    "group": group.label,
                    "decisions": group.decisions,
                    "choices": group.choices,
                    **{name: plain(one) for name, one in group.estimates.items()},
                }
                for group in self.groups
            ],
            "interrupted": self.interrupted,
            "seconds": self.seconds,
        }


def searching(strategy: str | Strategy) -> Strategy:
    """A strategy that notes its decisions; a RulesetError of one line for any other."""
    found = parse(strategy) if isinstance(strategy, str) else strategy
    if KINDS[found.name] != FLAT:
        raise RulesetError(f"decisions: {found.text!r} cannot say what a move is worth; allowed: flat:N")
    if found.budget < LEAST_WORLDS:
        raise RulesetError(f"decisions: {found.text!r} looks at too few worlds; allowed: flat:{LEAST_WORLDS} or more")
    return found


def note_decisions(
    setup: Setup,
    strategy: str | Strategy = "flat:200",
    games: int = GAMES,
    seed: int = SEED,
    first: int = 0,
    alpha: float = ALPHA,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Decisions:
    """Plays games with flat search in every seat and notes every decision. Fewer games after Ctrl-C."""
    players = LineUp(setup, (searching(strategy),) * setup.players)
    room = [ROWS]
    play_chunk(setup, players, seed, first, 0, notes=np.zeros((1, NOTE_COLUMNS)))

    def job(begin: int, number: int) -> Noted:
        return _noted(lambda notes: play_chunk(setup, players, seed, begin, number, notes=notes), number, room)

    total = Noted(Tally.empty(setup), [])
    seconds = in_chunks(job, total, games, first, threads, None, progress, 1)
    notes = np.concatenate(total.parts) if total.parts else np.zeros((0, NOTE_COLUMNS))
    return Decisions(setup, players, seed, first, alpha, total.tally, notes, games, seconds)


def _noted(play: Callable[[Vector], Tally], number: int, room: list[int]) -> Noted:
    """Plays with as many rows as it takes: nobody knows the length of a game beforehand."""
    while True:
        rows = room[0] * number + 1
        notes = np.zeros((rows, NOTE_COLUMNS))
        try:
            tally = play(notes)
        except NotesFullError:
            room[0] = max(room[0], 2 * (rows // number))
            continue
        return Noted(tally, [notes[notes[:, NOTE_MOVES] > 0]])
