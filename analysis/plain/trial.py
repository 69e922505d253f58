"""`houle try`: play and count games of a class in plain Python.

A trial has one arm or several (players and options). All arms play the same games of a seed, so the luck of the deal
cancels, and every arm is compared with the first. Python plays slowly; the statistics are those of compiled games.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from houle.analysis.plain.luck import CHOICE, SEARCH, Luck, derive, game_key
from houle.analysis.plain.plain_class import PlainClass
from houle.analysis.plain.players import PlainMatch, decide, notes_of, seat_players
from houle.analysis.plain.results import Outcome
from houle.analysis.result import Record, flat, plain, shown_side
from houle.analysis.run import RunOptions, RunSpec
from houle.analysis.sampling.simulation import Side, read_sides
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.analysis.stats.intervals import WHOLE_WIN, Mean, draw_rate, per
from houle.analysis.stats.moments import Moments
from houle.solver.errors import RulesError
from houle.solver.interface import blank
from houle.solver.players.names import Strategy
from houle.solver.rules import digest
from houle.solver.run.tally import MOMENTS, TOTALS, Tally

if TYPE_CHECKING:
    import pandas as pd

GAMES = 1_000
MOST_GAMES = 10**7
LENGTHS = ("moves", "turns", "rounds")
MEASURES = ("win", "score", "length")


@dataclass(frozen=True)
class Arm:
    """Players and options, and the outcomes of their games."""

    strategies: tuple[Strategy, ...]
    settings: Mapping[str, Any]
    outcomes: list[Outcome]
    sides: list[tuple[str, list[int]]]  # known after the first game

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(strategy.text for strategy in self.strategies)

    @property
    def label(self) -> str:
        """`flat:20, hand=7`"""
        return ", ".join([self.who, *(f"{name}={value}" for name, value in self.settings.items())])

    @property
    def who(self) -> str:
        """The players, as typed."""
        return self.names[0] if len(set(self.names)) == 1 else ",".join(self.names)

    @cached_property
    def tally(self) -> Tally:
        """The games as a tally, as for compiled games."""
        outcomes, sides = self.outcomes, len(self.sides)
        scores = np.array([outcome.scores for outcome in outcomes], np.int64).reshape(-1, sides)
        shares = np.array([outcome.shares for outcome in outcomes], np.int64).reshape(-1, sides)
        low, high = int(scores.min(initial=0)), int(scores.max(initial=0))
        names = (*LENGTHS, *(outcomes[0].counts if outcomes else ()))
        counts = [sum(getattr(outcome, name) for outcome in outcomes) for name in LENGTHS]
        counts += [sum(outcome.counts.get(name, 0) for outcome in outcomes) for name in names[len(LENGTHS) :]]
        totals, moments = blank(TOTALS), blank(MOMENTS, sides)
        totals[0].games = totals[0].entries = totals[0].entries_squared = len(outcomes)
        totals[0].draws = int((shares.sum(axis=1) == 0).sum()) if sides > 1 else 0
        moments.share, moments.share_squared = shares.sum(axis=0), (shares**2).sum(axis=0)
        moments.points_squared, moments.points_entries = (scores**2).sum(axis=0), scores.sum(axis=0)
        histogram = np.stack([np.bincount(column - low, minlength=high - low + 1) for column in scores.T])
        return Tally(names, low, totals, np.array(counts, np.int64), moments, histogram.astype(np.int64))

    @cached_property
    def results(self) -> list[Side]:
        """The results of every side, as `simulate` reads them."""
        return read_sides(self.tally, self.sides)

    @cached_property
    def rows(self) -> Any:
        """One row per game: share and score of the first side, and turns."""
        rows = [(outcome.shares[0], outcome.scores[0], outcome.turns) for outcome in self.outcomes]
        return np.array(rows, np.int64).reshape(-1, len(MEASURES))


@dataclass(frozen=True, repr=False)
class Trial:
    """Games played in plain Python."""

    game: PlainClass
    players: int
    arms: tuple[Arm, ...]
    seed: int
    first: int
    asked: int
    seconds: float

    command = "try"

    @property
    def headline(self) -> str:
        if not self.games:
            return "no games"
        arm = self.arms[0]
        return f"{shown_side(arm.sides[0][0])} wins {self.wins(arm, 0).text()}"

    def __repr__(self) -> str:
        return f"Trial({self.game.title}, {self.players} players: {self.headline})"

    @property
    def games(self) -> int:
        return len(self.arms[0].outcomes)

    @property
    def interrupted(self) -> bool:
        return self.games < self.asked

    @property
    def games_per_second(self) -> float:
        return self.games * len(self.arms) / self.seconds if self.seconds else 0.0

    @property
    def score(self) -> str:
        return str(getattr(self.game.made, "SCORE", "score"))

    @property
    def notes(self) -> list[str]:
        return list(dict.fromkeys(note for arm in self.arms for note in notes_of(self.game, arm.strategies)))

    @cached_property
    def digest(self) -> str:
        """Identifies the result: equal for equal results, whatever the machine."""
        parts = [
            {"strategies": arm.names, "settings": dict(arm.settings), "tally": arm.tally.as_data()} for arm in self.arms
        ]
        return digest({"players": self.players, "seed": self.seed, "first": self.first, "arms": parts})

    def wins(self, arm: Arm, side: int) -> Estimate:
        return arm.results[side].win

    def scores(self, arm: Arm, side: int) -> Mean:
        return arm.results[side].score

    def draws(self, arm: Arm) -> Estimate:
        return draw_rate(arm.tally)

    def mean(self, arm: Arm, count: str) -> float:
        return per(arm.tally, count)

    def value(self, arm: Arm, measure: str) -> Estimate:
        """A measure of the first side of an arm."""
        if measure == "win":
            return self.wins(arm, 0)
        if measure == "score":
            return self.scores(arm, 0).interval
        moments = Moments.of(MEASURES, arm.rows)
        return moments.interval(moments.mean("length"))

    def difference(self, arm: Arm, measure: str) -> Estimate:
        """By how much a measure of an arm is greater than that of the first arm, on the same games."""
        mine, theirs = arm.rows, self.arms[0].rows
        columns = [(name, who) for who in ("arm", "first") for name in MEASURES]
        moments = Moments.of(columns, np.concatenate([mine, theirs], axis=1))
        number = MEASURES.index(measure)
        if measure == "win":
            one, other = (moments.mean(("win", who), WHOLE_WIN) for who in ("arm", "first"))
            return moments.rate_difference(one, other)
        both = np.concatenate([mine[:, number], theirs[:, number]])
        most = float(both.max(initial=0) - both.min(initial=0))
        changed = int((mine[:, number] != theirs[:, number]).sum())
        one, other = (moments.mean((measure, who)) for who in ("arm", "first"))
        return moments.mean_difference(one, other, most, changed)

    def repeat(self) -> str:
        """The command that gives exactly this result again."""
        words = ["houle", "try", str(self.game.path), "-p", str(self.players)]
        for name in dict.fromkeys(arm.who for arm in self.arms):
            words += ["-s", name]
        for key in dict.fromkeys(key for arm in self.arms for key in arm.settings):
            values = dict.fromkeys(repr(arm.settings[key]) for arm in self.arms)
            words += [word for value in values for word in ("--set", f"{key}={value.strip(chr(39))}")]
        words += ["-n", str(self.games), "--seed", str(self.seed)]
        return shlex.join(words + (["--first", str(self.first)] if self.first else []))

    def frame(self) -> pd.DataFrame:
        """One row per arm and side."""
        import pandas as pd

        return pd.DataFrame(
            {
                "game": self.game.title,
                "players": self.players,
                "strategies": ",".join(arm.names),
                **{f"set.{name}": value for name, value in arm.settings.items()},
                "seed": self.seed,
                "first": self.first,
                "games": self.games,
                **flat(side.record(self.score)),
                "result_digest": self.digest,
            }
            for arm in self.arms
            for side in arm.results
        )

    def as_json(self) -> dict[str, Any]:
        """In the form of `simulate --json`; with several arms in that of `compare --json`."""
        head = {
            "game": self.game.title,
            "file": str(self.game.path),
            "players": self.players,
            "seed": self.seed,
            "first": self.first,
            "games": self.games,
            "asked": self.asked,
            "interrupted": self.interrupted,
            "result_digest": self.digest,
            "notes": self.notes,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
        }
        arms = [plain(self._record(arm)) for arm in self.arms]
        return {**head, **arms[0]} if len(arms) == 1 else {**head, "arms": arms}

    def _record(self, arm: Arm) -> Record:
        own = {
            "strategies": arm.names,
            "options": {**self.game.options_for(self.players), **arm.settings},
            "sides": [side.record(self.score) for side in arm.results],
            "draws": self.draws(arm),
            **{name: {"mean": self.mean(arm, name)} for name in LENGTHS},
            "counts": {name: self.mean(arm, name) for name in arm.tally.names[len(LENGTHS) :]},
        }
        if len(self.arms) == 1:
            return own
        beside = arm is not self.arms[0]
        measures = {
            name: {**self.value(arm, name).as_json(), "difference": self.difference(arm, name) if beside else MISSING}
            for name in MEASURES
        }
        return {"arm": arm.label, **own, "measures": measures}


def play_one(
    game: PlainClass,
    players: int,
    strategies: Sequence[Strategy],
    settings: Mapping[str, Any],
    seed: int,
    number: int,
    before_move: Callable[[PlainMatch, int, list[Any], Any], None] | None = None,
) -> tuple[Outcome, list[tuple[str, list[int]]]]:
    """Play one game of a seed; `before_move(game, seat, legal, move)` is called before every move."""
    match = PlainMatch.open(game, players, settings, seed, number)
    choice = Luck(derive(game_key(seed, number), CHOICE))
    worlds = derive(derive(seed, SEARCH), number)
    while True:
        seat, legal = match.ask()
        if seat < 0:
            outcome = match.result()
            return outcome, match.side_names(len(outcome.scores))
        move = decide(match, strategies[seat], seat, legal, choice, derive(worlds, match.moves))
        if before_move:
            before_move(match, seat, legal, move)
        match.apply(move)


def try_games(
    game: PlainClass,
    players: int,
    strategies: Sequence[str] = ("random",),
    settings: Sequence[Mapping[str, Any]] = ({},),
    **run: Unpack[RunOptions],
) -> Trial:
    """Play every strategy with every setting on the same games. Ctrl-C keeps the games that all arms have played.

    The games are played here and not by the engine: its threads would finish a long search in Python before they stop.
    """
    spec = RunSpec.of(run, GAMES, most=MOST_GAMES)
    arms = tuple(Arm(seat_players(game, who, players), dict(some), [], []) for who in strategies for some in settings)
    start = time.perf_counter()
    try:
        for number in range(spec.first, spec.first + spec.games):
            played = [play_one(game, players, arm.strategies, arm.settings, spec.seed, number) for arm in arms]
            for arm, (outcome, sides) in zip(arms, played, strict=True):
                arm.sides[:] = arm.sides or sides
                if len(outcome.scores) != len(arm.sides):
                    raise RulesError(
                        f"{game.path}: result() has {len(outcome.scores)} scores in game {number}, "
                        f"but {len(arm.sides)} in others"
                    )
                arm.outcomes.append(outcome)
            if spec.progress:
                spec.progress(len(arms) * (number - spec.first + 1), time.perf_counter() - start)
    except KeyboardInterrupt:
        pass
    return Trial(game, players, arms, spec.seed, spec.first, spec.games, time.perf_counter() - start)
