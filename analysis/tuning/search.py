"""Weights for rules of thumb, found by CMA-ES on common random numbers: the numbers behind `houle tune`.

Candidates are compared on the same deals, fresh ones in every generation, all from seeds of the training range. The
final choice is made on other training deals and compared with the present weights on others again; what is found is
then measured once on a seed below that range, where every other result of the house lives.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cma
import numpy as np
from numpy.typing import NDArray

from houle.analysis.limits import (
    CHECK_GAMES,
    CHECK_SEED,
    TRAINING_SEED,
    TUNING_GAMES,
    TUNING_GENERATIONS,
    TUNING_POPULATION,
)
from houle.analysis.result import Facts, Finished, interval_as_json
from houle.analysis.sampling.lineups import Strategies, as_setup, names_of
from houle.analysis.sampling.progress import expect, part_of
from houle.analysis.sampling.same_deals import Arm, Deals, against, same_deals
from houle.analysis.sampling.simulation import rate_as_json
from houle.analysis.stats.intervals import Interval
from houle.analysis.tuning.scales import RATING, Scales
from houle.analysis.tuning.task import FINAL, NOVICE_STEPS, TuningTask, thumb
from houle.analysis.tuning.weights_file import as_toml, conditions, store
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress
from houle.solver.strategies.names import Strategy, parse
from houle.solver.strategies.player import weights_entry

if TYPE_CHECKING:
    import pandas as pd

FIRST_STEP, NEAR_STEP = 1.0, 0.4  # of the search, in mean weights: from nothing, and from weights that play

Vector = NDArray[np.float64]


class TuningInterrupted(KeyboardInterrupt):
    """Ctrl-C during the search: nothing is found yet, but the generations that were done can be repeated."""


@dataclass(frozen=True, repr=False)
class Tuning(Finished):
    """What was found. Its games are those of the search; there is no line-up, the player is new."""

    task: TuningTask  # with the generations that were really done
    weights: dict[str, int]
    better: Interval | None  # share of the win over the present weights', on training deals not used before
    reach: dict[str, Interval]  # share of the win on the evaluation seed, by opponents ("" where there are none)
    novice: float | None  # temperature
    kept: dict[str, float]  # noise, caution, ... of the present entry, in the new rating points
    idle: tuple[str, ...]  # features that never tell two moves apart at this table
    written: Path | None = None  # the weights file, if they were put there

    command = "tune"

    @property
    def generations(self) -> int:
        return self.task.generations

    @property
    def improved(self) -> bool:
        """Better than the present weights, beyond the interval; or there were none."""
        return self.better is None or self.better.low > 0

    def words(self) -> list[str]:
        return self.task.words()

    def count_words(self) -> list[str]:
        return []

    @property
    def reach_text(self) -> str:
        """What the weights reach, as the files and the pages say it."""
        task = self.task
        before = task.present.text if task.present else ""
        parts = []
        for other, share in self.reach.items():
            whom = f"{other} as it was before" if other == before else other
            percent = f"{100 * share.value:.1f}% ({100 * share.low:.1f} to {100 * share.high:.1f})"
            parts.append(percent + (f" against {whom}" if other else ""))
        return f"{', '.join(parts)} of {task.check_games:,} games, seed {task.check_seed}"

    @property
    def entry(self) -> dict[str, Any]:
        """The player as an entry of a weights file."""
        task = self.task
        tuned = {"seed": task.seed, "games": self.games, "reach": self.reach_text, "command": self.repeat()}
        novice = {} if self.novice is None else {"novice": self.novice}
        named = {"name": task.name, "when": conditions(task.setup), "tuned": tuned}
        return {**named, **novice, **self.kept, "weights": self.weights}

    @property
    def toml(self) -> str:
        """The player as it stands in a weights file."""
        return as_toml(self.entry)

    def store(self) -> Tuning:
        """Puts the weights into the game's weights file if they are better."""
        return replace(self, written=store(self.setup.ruleset.name, self.entry)) if self.improved else self

    def frame(self) -> pd.DataFrame:
        """One row per rule of thumb that has a weight."""
        import pandas as pd

        return pd.DataFrame(
            {
                **self.table_columns(),
                "name": self.task.name,
                "feature": feature,
                "weight": weight,
                **self.digest_columns(),
            }
            for feature, weight in self.weights.items()
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle tune --json` prints: the entry of the weights file, and how it was found."""
        better = self.better
        return {
            **self.head(),
            **self.entry,
            "generations": self.generations,
            "better": {"gain": better.value, **interval_as_json(better)} if better else None,
            "reach": {other or "alone": rate_as_json(share) for other, share in self.reach.items()},
            "idle": list(self.idle),
            "written": self.written is not None,
        }


@dataclass
class Stretches:
    """Plays the stretches of a tuning, counts their games and tells how far the whole is."""

    task: TuningTask
    progress: Progress | None
    start: float = field(default_factory=time.perf_counter)
    games: int = 0
    stopped: bool = False  # Ctrl-C came, maybe with the last games of a stretch, which is whole then

    def play(self, arms: Sequence[Arm], seed: int, deals: int, doing: str) -> Deals:
        plays = sum(map(len, arms))
        watched = self._heeding(part_of(self.progress, self.games, self.seconds, plays, doing))
        dealt = same_deals(self.task.setup, arms, seed, deals, 0, self.task.threads, watched)
        self.games += dealt.number * plays
        return dealt

    def _heeding(self, progress: Progress | None) -> Progress | None:
        if progress is None:
            return None

        def told(done: int, seconds: float) -> None:
            try:
                progress(done, seconds)
            except KeyboardInterrupt:
                self.stopped = True
                raise

        return told

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.start


def plan_tuning(
    setup: Setup | str,
    *,
    name: str = "thumb",
    generations: int = TUNING_GENERATIONS,
    population: int = TUNING_POPULATION,
    games: int = TUNING_GAMES,
    seed: int = TRAINING_SEED,
    opponents: Strategies = None,
    fresh: bool = False,
    minutes: float | None = None,
    check_seed: int = CHECK_SEED,
    check_games: int = CHECK_GAMES,
    threads: int | None = None,
) -> TuningTask:
    """What `tune` would do: `total_games` in all, in about `expected_seconds()`.

    Examples
    --------
    >>> import houle
    >>> task = houle.plan_tuning("wave", generations=10, population=8, games=100)
    >>> task.seed, task.last_seed, task.check_seed
    (1000, 1012, 7)
    """
    return TuningTask(
        as_setup(setup), name, generations, population, games, seed, tuple(names_of(opponents)), fresh, minutes,
        check_seed, check_games, threads,
    )  # fmt: skip


def tune(
    setup: Setup | str,
    *,
    name: str = "thumb",
    generations: int = TUNING_GENERATIONS,
    population: int = TUNING_POPULATION,
    games: int = TUNING_GAMES,
    seed: int = TRAINING_SEED,
    opponents: Strategies = None,
    fresh: bool = False,
    minutes: float | None = None,
    check_seed: int = CHECK_SEED,
    check_games: int = CHECK_GAMES,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tuning:
    """Find weights for a player's rules of thumb: CMA-ES on common random numbers.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    name : str
        Whose weights: `thumb`, `rival`, or a name of your own.
    generations, population, games : int
        Rounds of the search, candidates in each, deals that each of them plays.
    seed : int
        First training seed, 1000 or above; every generation takes the next.
    opponents : str or iterable of str, optional
        Who sits on the other sides, each kind in turn; by default the present weights.
    fresh : bool
        Start from nothing, not from the present weights.
    minutes : float, optional
        End the search after this time.
    check_seed, check_games : int
        The seed below 1000 on which the result is measured, and on how many games.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    Tuning
        The weights, what they reach, and whether they are better than the present ones; `.store()` keeps them.

    Examples
    --------
    >>> import houle
    >>> result = houle.tune("wave", name="mine", generations=2, population=4, games=20, check_games=100)
    >>> result.entry["when"], sorted(result.reach)
    ({'players': 3}, [''])
    """
    task = plan_tuning(
        setup, name=name, generations=generations, population=population, games=games, seed=seed,
        opponents=opponents, fresh=fresh, minutes=minutes, check_seed=check_seed, check_games=check_games,
        threads=threads,
    )  # fmt: skip
    expect(progress, task.total_games)
    return run_task(task, progress)


def run_task(task: TuningTask, progress: Progress | None = None) -> Tuning:
    """Finds weights; raises TuningInterrupted after Ctrl-C."""
    present = dict(weights_entry(task.present, task.setup)) if task.present else {}
    scales = Scales.measured(task.setup, present.get("weights", {}), task.seed)
    stretches = Stretches(task, progress)
    means, generations = _search(task, scales, {} if task.fresh else present.get("weights", {}), stretches)
    searched = stretches.games
    weights = _choose(task, scales, means, generations, stretches)
    seed, asked = task.seed + generations + 1, FINAL * task.games
    better = None
    if task.present:
        arms = [task.arm(thumb(weights)), task.arm(task.present)]
        pair = stretches.play(arms, seed, asked, "comparing with the present")
        better = _whole(pair, asked, task, generations, stretches).gain(0, 1)
    novice = _novice(task, weights, generations, stretches)
    reach = _measure(task, weights, stretches, generations)
    weights, kept = _with_what_stays(present, weights, scales)
    done = replace(task, generations=generations)
    name = digest({"rules": task.setup.digest, "task": done.words(), "seed": task.seed, "weights": weights})
    facts = Facts(task.setup, (), task.seed, searched, searched, stretches.seconds, name)
    return Tuning(facts, done, weights, better, reach, novice, kept, scales.idle)


def _with_what_stays(
    present: dict[str, Any], weights: dict[str, int], scales: Scales
) -> tuple[dict[str, int], dict[str, float]]:
    """The weights, and the settings of the present entry that tuning leaves alone, all in the new rating points.

    Features that are idle at this table keep their weights: another table may fall back on this entry.
    """
    before = present.get("weights", {})
    ratio = RATING / scales.size(before) if scales.size(before) else 1.0
    idle = {name: round(before[name] * ratio) for name in scales.idle if before.get(name)}
    kept: dict[str, float] = {key: present[key] for key in ("caution", "explore") if key in present}
    if "noise" in present:
        kept["noise"] = float(f"{present['noise'] * ratio:.3g}")
    return weights | idle, kept


def _search(task: TuningTask, scales: Scales, start: dict[str, int], stretches: Stretches) -> tuple[list[Vector], int]:
    """The centre of the search after every generation."""
    draws = np.random.default_rng(task.seed)
    centre = scales.vector(start)
    options = {
        "popsize": task.population,
        "verbose": -9,
        "verb_log": 0,
        # Streams of its own: cma would seed and use the generator that the whole process shares.
        "seed": np.nan,
        "randn": lambda *shape: draws.standard_normal(shape),
    }
    search = cma.CMAEvolutionStrategy(centre, NEAR_STEP if centre.any() else FIRST_STEP, options)
    means: list[Vector] = []
    doing = f"generation 1 of {task.generations}"
    for generation in range(task.generations):
        points = search.ask()
        arms = [task.arm(thumb(scales.weights(point))) for point in points]
        deals = _whole(
            stretches.play(arms, task.seed + generation, task.games, doing), task.games, task, generation, stretches
        )
        values = [task.objective(deals, arm) for arm in range(len(arms))]
        search.tell(points, [-value for value in values])
        means.append(np.array(search.mean))
        best = 100 * deals.share(int(np.argmax(values)))
        doing = (
            f"generation {min(generation + 2, task.generations)} of {task.generations}, best of the last {best:.1f}%"
        )
        if task.minutes is not None and stretches.seconds > 60 * task.minutes:
            break
    return means, len(means)


def _whole(deals: Deals, asked: int, task: TuningTask, generations: int, stretches: Stretches) -> Deals:
    """Refuses what was cut short by Ctrl-C."""
    if deals.number < asked or stretches.stopped:
        if not generations:
            raise TuningInterrupted("interrupted")
        done = f"{generations} generation{'s' if generations > 1 else ''}"
        ends_there = replace(task, generations=generations, minutes=None).command
        raise TuningInterrupted(f"interrupted after {done}; this ends there: {ends_there}")
    return deals


def _choose(
    task: TuningTask, scales: Scales, means: list[Vector], generations: int, stretches: Stretches
) -> dict[str, int]:
    """The best of the last centre, two means of late centres and the centre half way, on deals not used before."""
    half, third = len(means) // 2, 2 * len(means) // 3
    points = [means[-1], np.mean(means[half:], axis=0), np.mean(means[third:], axis=0), means[half]]
    finalists = [scales.weights(point) for point in points]
    asked = FINAL * task.games
    deals = stretches.play(
        [task.arm(thumb(finalist)) for finalist in finalists], task.seed + generations, asked, "choosing"
    )
    deals = _whole(deals, asked, task, generations, stretches)
    return finalists[max(range(len(finalists)), key=lambda arm: task.objective(deals, arm))]


def _novice(task: TuningTask, weights: dict[str, int], generations: int, stretches: Stretches) -> float | None:
    """The temperature at which a thumb gets half of what it has over random.

    Measured as share of the win on the same deals; where there are opponents, against this thumb itself.
    """
    master = thumb(weights)
    asked, seed = FINAL * task.games, task.seed + generations + 2
    low, high = RATING / 64, RATING * 64.0
    half, best = 0.0, 0.0
    for _ in range(2):
        grid = [float(f"{value:.3g}") for value in np.geomspace(low, high, NOVICE_STEPS)]
        players = [parse("random"), master, *(thumb(weights, heat) for heat in grid)]
        arms = [against(task.setup, player, master if task.others else None) for player in players]
        deals = _whole(stretches.play(arms, seed, asked, "finding the novice"), asked, task, generations, stretches)
        if deals.gain(1, 0).low <= 0:
            return None
        half = (deals.share(0) + deals.share(1)) / 2
        gaps = [abs(deals.share(2 + i) - half) for i in range(len(grid))]
        nearest = int(np.argmin(gaps))
        best, low, high = grid[nearest], grid[max(nearest - 1, 0)], grid[min(nearest + 1, len(grid) - 1)]
    return best


def _measure(task: TuningTask, weights: dict[str, int], stretches: Stretches, generations: int) -> dict[str, Interval]:
    """On the evaluation seed: what is shown and kept."""
    random = parse("random")
    others: list[Strategy | None] = [None]
    if task.others:
        others = [*task.others, *([random] if random not in task.others else [])]
    arms = [against(task.setup, thumb(weights), other) for other in others]
    asked = max(2, task.check_games // len(arms[0]))
    deals = _whole(stretches.play(arms, task.check_seed, asked, "measuring"), asked, task, generations, stretches)
    return {other.text if other else "": deals.win(arm) for arm, other in enumerate(others)}
