"""The task of `houle tune`: what is tuned, against whom, and for how long; and the stretches in which it is played.

Seeds from TRAINING_SEED on are used only for tuning. Results that are shown come from seeds below.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from houle.analysis.limits import (
    CHECK_GAMES,
    CHECK_SEED,
    LEAST_POPULATION,
    MOST_GAMES,
    MOST_GENERATIONS,
    MOST_POPULATION,
    TRAINING_SEED,
    TUNING_GENERATIONS,
    TUNING_POPULATION,
    check_int,
)
from houle.analysis.measures.goal import Goal
from houle.analysis.players.line_ups import read_strategy
from houle.analysis.result import command_line, words_of_setup
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import Experiment, Pair, Sample, against, arm_of, distinct, play
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.plan import Plan
from houle.solver.errors import InputError, StrategyError
from houle.solver.interface import UTILITY
from houle.solver.players.names import Strategy, parse
from houle.solver.players.player import player_record, weights_entry
from houle.solver.players.weights import feature_spreads
from houle.solver.rules import Setup
from houle.solver.texts import count_of

FINAL = 8  # times the deals of a generation, for the final choice and its comparison
LOST_UTILITY = 0.1  # weight of the utility of lost games in one-sided games, so that weak weights can improve too
RESERVED = "random"  # no name for weights
NAME = re.compile(r"[a-z][a-z0-9_-]*")


@dataclass(frozen=True)
class TuningTask:
    """What to tune, against whom, and how long."""

    setup: Setup
    spec: RunSpec  # deals a candidate plays; the first training seed
    name: str = "thumb"
    generations: int = TUNING_GENERATIONS
    population: int = TUNING_POPULATION
    opponents: tuple[str, ...] = ()  # each kind in turn; by default the present weights, or the thumb
    check_seed: int = CHECK_SEED
    check_games: int = CHECK_GAMES

    def __post_init__(self) -> None:
        check_int("generations", self.generations, 1, MOST_GENERATIONS)
        check_int("population", self.population, LEAST_POPULATION, MOST_POPULATION)
        check_int("check_games", self.check_games, 1, MOST_GAMES)
        if self.seed < TRAINING_SEED:
            allowed = f"{TRAINING_SEED} and above; the seeds below are for evaluation"
            raise InputError(f"seed: {self.seed} is not allowed; allowed for tuning: {allowed}")
        if not 0 <= self.check_seed < TRAINING_SEED:
            raise InputError(f"check_seed: {self.check_seed} is not allowed; allowed: 0 to {TRAINING_SEED - 1}")
        if self.name == RESERVED or not NAME.fullmatch(self.name):
            allowed = "thumb, or a name of your own in small letters"
            raise StrategyError(f"name: {self.name!r} is not allowed; allowed: {allowed}")
        if not self.setup.game.has("features"):
            raise StrategyError(f"{self.setup.ruleset.name} has no rules of thumb to tune")
        _ = self.others

    @property
    def games(self) -> int:
        return self.spec.games

    @property
    def seed(self) -> int:
        return self.spec.seed

    @property
    def goal(self) -> Goal:
        """What candidates are compared by, and what decides whether weights are better."""
        return Goal(self.setup)

    @cached_property
    def present(self) -> Strategy | None:
        """The player in the weights file, if there is one."""
        strategy = parse("thumb" if self.name == "thumb" else f"thumb[weights={self.name}]")
        return strategy if _exists(strategy, self.setup) else None

    @cached_property
    def others(self) -> tuple[Strategy, ...]:
        """Who plays on the other sides; nobody if all players are on one side."""
        if self.setup.one_sided:
            if self.opponents:
                raise StrategyError(f"opponents: not possible in {self.setup.summary}: all players are on one side")
            return ()
        if self.opponents:
            opponents = tuple(read_strategy(text, self.setup) for text in self.opponents)
            for strategy in opponents:
                player_record(strategy, self.setup)
            return opponents
        if self.present:
            return (self.present,)
        thumb = parse("thumb")
        return (thumb if _exists(thumb, self.setup) else parse("random"),)

    @property
    def plays(self) -> int:
        """Games a candidate plays on one deal."""
        return max(1, len(self.others)) * (len(self.setup.seats_by_side) if self.others else 1)

    @property
    def plan(self) -> Plan:
        """About all games of the tuning."""
        seated = distinct(line_up for line_up, _ in self.arm(self.present or thumb({})).plays)
        return Plan.of(
            ("searching", seated, self.generations * self.population * self.games),
            ("choosing and comparing", seated, FINAL * self.games * (4 + 2)),
            ("measuring", seated[:1], 2 * self.check_games),
        )

    @property
    def last_seed(self) -> int:
        """The last training seed."""
        return self.seed + self.generations + 1

    def words(self) -> list[str]:
        """The task as words of a command line, without its setup."""
        words = ["--weights", self.name, "--generations", str(self.generations), "--population", str(self.population)]
        words += ["-n", str(self.games)]
        words += [word for other in self.opponents for word in ("-s", other)]
        return [*words, "--check-games", str(self.check_games)]

    @property
    def command(self) -> str:
        """The command for exactly this task."""
        words = ["tune", *words_of_setup(self.setup), *self.words(), "--seed", str(self.seed)]
        return command_line(words, self.setup)

    def arm(self, strategy: Strategy) -> Arm:
        """The plays of a candidate on one deal: against each kind of opponent, from every side."""
        if not self.others:
            return against(self.setup, strategy, None)
        return arm_of([seating for other in self.others for seating in against(self.setup, strategy, other).plays])

    def objective(self, sample: Sample, arm: int) -> float:
        guided = not (self.others or self.goal.is_score)
        return self.goal.value(sample, arm) + guided * LOST_UTILITY * sample.mean(arm, "utility") / UTILITY


class TuningInterrupted(KeyboardInterrupt):
    """Ctrl-C during a tuning. There is no result yet, but finished generations can be repeated."""


@dataclass
class Stretches:
    """Plays the stretches of a tuning one after another, and counts their games."""

    task: TuningTask
    generations: int = 0  # finished
    games: int = 0
    start: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.start

    def play(
        self, arms: Sequence[Arm], seed: int, doing: str, deals: int | None = None, pairs: Sequence[Pair] = ()
    ) -> Sample:
        """Play all arms on the deals of a seed; TuningInterrupted after Ctrl-C."""
        asked = self.task.games if deals is None else deals
        spec = self.task.spec.part(asked, doing=doing).but(seed=seed)
        sample = play(Experiment(tuple(arms), tuple(pairs)), spec)
        self.games += sample.games
        if sample.interrupted or self.stopped:
            raise TuningInterrupted(self._interruption)
        return sample

    @property
    def stopped(self) -> bool:
        """Whether Ctrl-C was pressed, even if the stretch was complete."""
        return self.task.spec.watch.stopped

    @property
    def _interruption(self) -> str:
        if not self.generations:
            return "interrupted"
        done = count_of(self.generations, "generation")
        ends_there = replace(self.task, generations=self.generations).command
        return f"interrupted after {done}; exactly this part again: {ends_there}"


def _exists(strategy: Strategy, setup: Setup) -> bool:
    try:
        weights_entry(strategy, setup)
    except StrategyError:
        return False
    return True


def thumb(weights: dict[str, int]) -> Strategy:
    """A thumb with weights that are in no file."""
    return Strategy("thumb", "thumb", budget=0, options={}, entry={"weights": weights})


RATING = 1000  # rating points of a typical feature between two typical moves
SCALE_GAMES = 60
DECISIONS = 4000  # at most

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Scales:
    """The features that matter in a setup, with their spreads between the moves of one decision."""

    names: tuple[str, ...]
    spreads: Vector
    idle: tuple[str, ...]  # the others: they never differ between two moves

    @classmethod
    def measured(cls, setup: Setup, weights: Mapping[str, int], seed: int) -> Scales:
        """Measure the spreads in games that are played in turn at random and by the weights."""
        found = feature_spreads(setup, seed, SCALE_GAMES, DECISIONS, weights=weights)
        rows = [(name, total, times) for (name, _), total, times in zip(setup.game.FEATURES, *found, strict=True)]
        active = [row for row in rows if row[2]]
        idle = tuple(name for name, _, times in rows if not times)
        return cls(tuple(name for name, _, _ in active), np.array([total / times for _, total, times in active]), idle)

    def vector(self, weights: Mapping[str, int]) -> Vector:
        """Weights as a point of the search, in which a typical feature is 1; all zero for no weights."""
        raw = self._products(weights)
        size = self.size(weights)
        return raw / size if size else raw

    def size(self, weights: Mapping[str, int]) -> float:
        """Rating points of a typical feature under these weights."""
        return float(np.sqrt(np.mean(self._products(weights) ** 2)))

    def weights(self, point: Vector) -> dict[str, int]:
        """A point of the search as whole weights; the length of the vector does not matter."""
        size = float(np.sqrt(np.mean(np.asarray(point) ** 2))) or 1.0
        values = RATING * np.asarray(point) / size / self.spreads
        return {
            name: round(float(value)) for name, value in zip(self.names, values, strict=True) if round(float(value))
        }

    def _products(self, weights: Mapping[str, int]) -> Vector:
        return np.array([weights.get(name, 0) for name in self.names], float) * self.spreads
