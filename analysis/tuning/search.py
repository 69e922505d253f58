"""Find weights for rules of thumb by CMA-ES on the same deals: `houle tune`.

Candidates are compared on the same deals, fresh ones in every generation, all from training seeds. The final choice is
made on other training deals, and compared with the present weights on yet other ones. The result is then measured once
on a seed below the training range, as every other result of the project.
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

from houle.analysis.arguments import checked
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
from houle.analysis.stats.estimate import Estimate
from houle.analysis.tuning.scales import RATING, Scales
from houle.analysis.tuning.task import FINAL, TuningTask, thumb
from houle.analysis.tuning.weights_file import as_toml, conditions, store
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress
from houle.solver.strategies.names import Strategy, parse
from houle.solver.strategies.player import weights_entry

if TYPE_CHECKING:
    import pandas as pd

FIRST_STEP, NEAR_STEP = 1.0, 0.4  # first step of the search, in mean weights: from zero, and from present weights

Vector = NDArray[np.float64]


class TuningInterrupted(KeyboardInterrupt):
    """Ctrl-C during the search. There is no result yet, but the finished generations can be repeated."""


@dataclass(frozen=True, repr=False)
class Tuning(Finished):
    """Tuned weights and what they reach. Its games are those of the search."""

    task: TuningTask  # with the generations that were played
    weights: dict[str, int]
    better: Estimate | None  # share of the win above that of the present weights, on training deals not used before
    reach: dict[str, Estimate]  # share of the win on the evaluation seed, by opponent ("" if there is none)
    kept: dict[str, float]  # noise, caution, ... of the present entry, in the new rating points
    idle: tuple[str, ...]  # features that never differ between two moves in this setup
    written: Path | None = None  # the weights file, if it was updated

    command = "tune"

    @property
    def headline(self) -> str:
        share, against = next(iter(self.reach.values())), next(iter(self.reach))
        return f"{self.task.name}: win {share.text()}" + (f" against {against}" if against else "")

    @property
    def generations(self) -> int:
        return self.task.generations

    @property
    def improved(self) -> bool:
        """Whether the weights are certainly better than the present ones, or there were none."""
        return self.better is None or self.better.low > 0

    def words(self) -> list[str]:
        return self.task.words()

    def count_words(self) -> list[str]:
        return []

    @property
    def reach_text(self) -> str:
        """What the weights reach, in words."""
        task = self.task
        before = task.present.text if task.present else ""
        parts = []
        for other, share in self.reach.items():
            whom = f"the previous {other}" if other == before else other
            parts.append(share.text() + (f" against {whom}" if other else ""))
        return f"{', '.join(parts)} of {task.check_games:,} games, seed {task.check_seed}"

    @property
    def entry(self) -> dict[str, Any]:
        """The player as an entry of a weights file."""
        task = self.task
        tuned = {"seed": task.seed, "games": self.games, "reach": self.reach_text, "command": self.repeat()}
        named = {"name": task.name, "when": conditions(task.setup), "tuned": tuned}
        return {**named, **self.kept, "weights": self.weights}

    @property
    def toml(self) -> str:
        """The player as an entry of a weights file, in TOML."""
        return as_toml(self.entry)

    def store(self) -> Tuning:
        """Write the weights into the game's weights file if they are better."""
        return replace(self, written=store(self.setup.ruleset.name, self.entry)) if self.improved else self

    def frame(self) -> pd.DataFrame:
        """One row per rule of thumb that has a weight."""
        import pandas as pd

        return pd.DataFrame(
            {
                **self.setup_columns(),
                "name": self.task.name,
                "feature": feature,
                "weight": weight,
                **self.digest_columns(),
            }
            for feature, weight in self.weights.items()
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle tune --json` prints: the entry of the weights file, and how it was made."""
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
    """Plays the stretches of a tuning, counts their games and reports progress."""

    task: TuningTask
    progress: Progress | None
    start: float = field(default_factory=time.perf_counter)
    games: int = 0
    stopped: bool = False  # after Ctrl-C, even if the stretch was complete

    def play(self, arms: Sequence[Arm], seed: int, deals: int, doing: str) -> Deals:
        plays = sum(map(len, arms))
        watched = self._heeding(part_of(self.progress, self.games, self.seconds, plays, doing))
        dealt = same_deals(self.task.setup, arms, seed, deals, 0, self.task.threads, watched)
        self.games += dealt.number * plays
        return dealt

    def _heeding(self, progress: Progress | None) -> Progress | None:
        if progress is None:
            return None

        def report(done: int, seconds: float) -> None:
            try:
                progress(done, seconds)
            except KeyboardInterrupt:
                self.stopped = True
                raise

        return report

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
    """The task of `tune`, with its `total_games` and `expected_seconds()`."""
    return TuningTask(
        as_setup(setup), name, generations, population, games, seed, tuple(names_of(opponents)), fresh, minutes,
        check_seed, check_games, threads,
    )  # fmt: skip


@checked
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
    """Find weights for a player's rules of thumb, by CMA-ES on the same deals.

    Parameters
    ----------
    setup : Setup or str
        From `houle.setup`, or the name of a game for its default setup.
    name : str
        Whose weights: `thumb`, or a name of your own.
    generations, population, games : int
        Rounds of the search, candidates per round, deals that each candidate plays.
    seed : int
        First training seed, 1000 or above; every generation takes the next.
    opponents : str or iterable of str, optional
        Who plays on the other sides, each kind in turn; by default the present weights.
    fresh : bool
        Whether to start from zero weights instead of the present ones.
    minutes : float, optional
        End the search after this time.
    check_seed, check_games : int
        The seed below 1000 and the number of games on which the result is measured.
    threads : int, optional
        Number of threads; one per core by default. It does not change the result.
    progress : callable, optional
        Called as `progress(games, seconds)` while games are played.

    Returns
    -------
    Tuning
        The weights, what they reach, and whether they are better than the present ones. `.store()` writes them.

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
    """Find weights; raises TuningInterrupted after Ctrl-C."""
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
    reach = _measure(task, weights, stretches, generations)
    weights, kept = _with_what_stays(present, weights, scales)
    done = replace(task, generations=generations)
    name = digest({"rules": task.setup.digest, "task": done.words(), "seed": task.seed, "weights": weights})
    facts = Facts(task.setup, (), task.seed, searched, searched, stretches.seconds, name)
    return Tuning(facts, done, weights, better, reach, kept, scales.idle)


def _with_what_stays(
    present: dict[str, Any], weights: dict[str, int], scales: Scales
) -> tuple[dict[str, int], dict[str, float]]:
    """The weights, and the settings of the present entry that tuning does not change, all in the new rating points.

    Features that are idle in this setup keep their weights, because other setups may use this entry too.
    """
    before = present.get("weights", {})
    ratio = RATING / scales.size(before) if scales.size(before) else 1.0
    idle = {name: round(before[name] * ratio) for name in scales.idle if before.get(name)}
    kept: dict[str, float] = {key: present[key] for key in ("caution", "explore") if key in present}
    if "noise" in present:
        kept["noise"] = float(f"{present['noise'] * ratio:.3g}")
    return weights | idle, kept


def _search(task: TuningTask, scales: Scales, start: dict[str, int], stretches: Stretches) -> tuple[list[Vector], int]:
    """The centres of the search after every generation, and the number of generations."""
    draws = np.random.default_rng(task.seed)
    centre = scales.vector(start)
    options = {
        "popsize": task.population,
        "verbose": -9,
        "verb_log": 0,
        # Its own random numbers: cma would otherwise seed and use the global generator of the process.
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
    """Raise TuningInterrupted if the deals were cut short by Ctrl-C."""
    if deals.number < asked or stretches.stopped:
        if not generations:
            raise TuningInterrupted("interrupted")
        done = f"{generations} generation{'s' if generations > 1 else ''}"
        ends_there = replace(task, generations=generations, minutes=None).command
        raise TuningInterrupted(f"interrupted after {done}; exactly this part again: {ends_there}")
    return deals


def _choose(
    task: TuningTask, scales: Scales, means: list[Vector], generations: int, stretches: Stretches
) -> dict[str, int]:
    """The best of the last centre, two means of late centres and the middle centre, on deals not used before."""
    half, third = len(means) // 2, 2 * len(means) // 3
    points = [means[-1], np.mean(means[half:], axis=0), np.mean(means[third:], axis=0), means[half]]
    finalists = [scales.weights(point) for point in points]
    asked = FINAL * task.games
    deals = stretches.play(
        [task.arm(thumb(finalist)) for finalist in finalists], task.seed + generations, asked, "choosing"
    )
    deals = _whole(deals, asked, task, generations, stretches)
    return finalists[max(range(len(finalists)), key=lambda arm: task.objective(deals, arm))]


def _measure(task: TuningTask, weights: dict[str, int], stretches: Stretches, generations: int) -> dict[str, Estimate]:
    """What the weights reach on the evaluation seed, by opponent."""
    random = parse("random")
    others: list[Strategy | None] = [None]
    if task.others:
        others = [*task.others, *([random] if random not in task.others else [])]
    arms = [against(task.setup, thumb(weights), other) for other in others]
    asked = max(2, task.check_games // len(arms[0]))
    deals = _whole(stretches.play(arms, task.check_seed, asked, "measuring"), asked, task, generations, stretches)
    return {other.text if other else "": deals.win(arm) for arm, other in enumerate(others)}
