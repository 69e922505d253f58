"""Question c: does houle rank rule variants as people's win rates do?

Each variant is played from its rules with rules of thumb tuned to it. docs/method/people.md says what was asked.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

import houle
from houle.solver.errors import InputError
from tools.people.games import HANABI, converter

PLAYERS = (2, 3, 4)
GENERATIONS, POPULATION, GAMES, SEED, CHECK_SEED, CHECK_GAMES = 30, 14, 200, 1000, 7, 2_000
ANCHORS = ("Rainbow (5 Suits)", "Black (5 Suits)", "Black & Dark Pink (6 Suits)")
RESAMPLES, LUCK, CONFIDENCE = 2_000, 1, 0.90

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Variant:
    """A variant of the table: its settings, and how people did in it."""

    name: str
    settings: dict[str, Any]
    games: int
    wins: int

    @property
    def words(self) -> list[str]:
        """The kinds of its special suits."""
        return [word for knob, word in self.settings.items() if knob != "suits"]

    @property
    def once(self) -> int:
        """Suits with one copy of each card."""
        return sum(_kinds().index(word) >= 9 for word in self.words)

    @property
    def untouched(self) -> int:
        """Suits that no clue touches."""
        return sum(_kinds().index(word) % 9 == 8 for word in self.words)

    @property
    def win(self) -> float:
        return self.wins / self.games


def _kinds() -> list[str]:
    return list(converter().KINDS)


def read_variants(path: Path) -> list[Variant]:
    """The variants of a table. Raises InputError, one line, for a table that cannot be read."""
    try:
        return [Variant(**row) for row in converter().variants(path)]
    except OSError as fault:
        raise InputError(f"{path}: cannot be read: {fault.strerror}") from None
    except (ValueError, csv.Error) as fault:
        raise InputError(f"{path}: {str(fault).splitlines()[0]}") from None


def missing(settings: dict[str, Any], players: int) -> float:
    """The mean of points missing to the maximum, with the better of tuned weights and those of the game."""
    houle.look_in(HANABI)
    setup = houle.setup("hanabi", players=players, set=settings)
    tuned = houle.tune(
        setup,
        generations=GENERATIONS,
        population=POPULATION,
        games=GAMES,
        seed=SEED,
        check_seed=CHECK_SEED,
        check_games=CHECK_GAMES,
        threads=1,
    )
    present = houle.simulate(setup, strategies="thumb", games=CHECK_GAMES, seed=CHECK_SEED, threads=1)
    assert isinstance(present, houle.Simulation)
    reach = max(next(iter(tuned.reach.values())).value, present.sides[0].score.interval.value)
    return float(5 * settings["suits"] - reach)


def difficulties(
    variants: Sequence[Variant], jobs: int, kept: Path | None, shown: Callable[[int], None]
) -> dict[str, float]:
    """The difficulty of every variant. `kept` is a JSON file of those that were played before, and grows."""
    found: dict[str, dict[str, float]] = json.loads(kept.read_text()) if kept and kept.exists() else {}
    wanted = [(one, players) for one in variants for players in PLAYERS if str(players) not in found.get(one.name, {})]
    with ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(missing, one.settings, players): (one.name, players) for one, players in wanted}
        for done, one in enumerate(as_completed(running), 1):
            name, players = running[one]
            found.setdefault(name, {})[str(players)] = one.result()
            if kept:
                kept.write_text(json.dumps(found, indent=1, sort_keys=True))
            shown(done)
    return {one.name: sum(found[one.name][str(players)] for players in PLAYERS) / len(PLAYERS) for one in variants}


def ranked(hard: Numbers, wins: Numbers) -> Numbers:
    """Spearman's correlation of a difficulty with lost games, row by row; 0 where one of them is constant."""
    first, second = (rankdata(values, axis=-1) for values in (hard, -wins))
    first, second = (ranks - ranks.mean(axis=-1, keepdims=True) for ranks in (first, second))
    spread = np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
    correlation: Numbers = (first * second).sum(axis=-1) / np.where(spread > 0, spread, 1)
    return correlation


@dataclass(frozen=True)
class VariantsAnswer:
    """Rank correlations within the groups, and errors of the lines through three variants."""

    groups: dict[int, tuple[int, float, float]]  # suits of one copy -> variants, houle's correlation, the count's
    difference: tuple[float, float, float]  # of the means, with the 90% interval
    errors: tuple[float, float] | None  # houle's and the simple formula's, in percentage points; None without anchors

    @property
    def passed(self) -> bool:
        return all(own > simple for _, own, simple in self.groups.values()) and self.difference[1] > 0

    def lines(self) -> list[str]:
        rows = ["c. rank of variants, points missing to the maximum against people's lost games (Spearman)"]
        for once, (number, own, simple) in self.groups.items():
            who = f"{number} variants with {once} suits of one copy"
            rows.append(f"   {who}: houle {own:+.2f}, suits that no clue touches {simple:+.2f}")
        rows.append("   mean difference {:+.2f} ({:+.2f} to {:+.2f}, 90%)".format(*self.difference))
        if self.errors:
            rows.append(
                f"   lines through three variants: mean error {self.errors[0]:.1f} points, "
                f"by the number of suits of one copy {self.errors[1]:.1f} points"
            )
        return rows


def answer(variants: Sequence[Variant], hard: dict[str, float]) -> VariantsAnswer:
    """Question c for the special variants."""
    special = [one for one in variants if one.words]
    groups = {once: [one for one in special if one.once == once] for once in (0, 1)}
    rng = np.random.default_rng(LUCK)
    draws = [[rng.integers(0, len(own), len(own)) for own in groups.values()] for _ in range(RESAMPLES)]
    rows, gaps = {}, []
    for number, (once, own) in enumerate(groups.items()):
        sizes = (np.array([hard[one.name] for one in own]), np.array([float(one.untouched) for one in own]))
        wins, drawn = np.array([one.win for one in own]), np.array([draw[number] for draw in draws])
        houles, simple = (float(ranked(size, wins)) for size in sizes)
        rows[once] = (len(own), houles, simple)
        gaps.append(ranked(sizes[0][drawn], wins[drawn]) - ranked(sizes[1][drawn], wins[drawn]))
    mean = float(np.mean([houles - simple for _, houles, simple in rows.values()]))
    low, high = np.quantile(np.mean(gaps, axis=0), ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2))
    return VariantsAnswer(rows, (mean, float(low), float(high)), _errors(special, hard))


def _errors(special: Sequence[Variant], hard: dict[str, float]) -> tuple[float, float] | None:
    """Mean errors of two lines through the anchors, in percentage points: from difficulty, from suits of one copy."""
    anchors = [one for one in special if one.name in ANCHORS]
    others = [one for one in special if one.name not in ANCHORS]
    if len(anchors) < len(ANCHORS) or not others:
        return None
    errors = []
    sizes: tuple[Callable[[Variant], float], ...] = (lambda one: hard[one.name], lambda one: float(one.once))
    for size in sizes:
        slope, start = np.polyfit(
            [size(one) for one in anchors], [math.log(one.win / (1 - one.win)) for one in anchors], 1
        )
        wins = [1 / (1 + math.exp(-(start + slope * size(one)))) for one in others]
        errors.append(100 * float(np.mean([abs(win - one.win) for win, one in zip(wins, others, strict=True)])))
    return errors[0], errors[1]
