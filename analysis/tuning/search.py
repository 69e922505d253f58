"""Weights for rules of thumb, found by CMA-ES on common random numbers: the numbers behind `houle tune`.

Candidates are compared on the same deals, fresh ones in every generation, all from seeds of the training range. The
final choice is made on other training deals and compared with the present weights on others again; what is found is
then measured once on a seed below that range, where every other result of the house lives.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.sampling.same_deals import Arm, Deals, against, same_deals
from houle.analysis.stats.intervals import Interval
from houle.analysis.tuning.scales import RATING, Scales
from houle.analysis.tuning.task import FINAL, NOVICE_STEPS, Task, thumb
from houle.solver.strategies.player import Strategy, parse

FIRST_STEP, NEAR_STEP = 1.0, 0.4  # of the search, in mean weights: from nothing, and from weights that play

Told = Callable[[int, float, str], None]  # games played, seconds so far, what is being done
Vector = NDArray[np.float64]


class Interrupted(BaseException):
    """Ctrl-C during the search, after some whole generations."""

    def __init__(self, generations: int) -> None:
        super().__init__(f"interrupted after {generations} generations")
        self.generations = generations


@dataclass(frozen=True)
class Tuned:
    """What was found."""

    task: Task
    weights: dict[str, int]
    generations: int  # really done
    games: int  # played by the search
    better: Interval | None  # share of the win over the present weights', on training deals not used before
    reach: dict[str, Interval]  # share of the win on the evaluation seed, by opponents ("" where there are none)
    novice: float | None  # temperature
    kept: dict[str, float]  # noise, caution, ... of the present entry, in the new rating points
    idle: tuple[str, ...]  # features that never tell two moves apart at this table
    seconds: float

    @property
    def improved(self) -> bool:
        """Better than the present weights, beyond the interval; or there were none."""
        return self.better is None or self.better.low > 0


@dataclass
class _Clock:
    """Counts the games of all stages and tells how far the whole is."""

    task: Task
    told: Told | None
    start: float = field(default_factory=time.perf_counter)
    games: int = 0

    def play(self, arms: Sequence[Arm], seed: int, deals: int, doing: str) -> Deals:
        plays, before = sum(map(len, arms)), self.games

        def progress(done: int, _: float) -> None:
            if self.told:
                self.told(before + done * plays, self.seconds, doing)

        found = same_deals(self.task.setup, arms, seed, deals, 0, self.task.threads, progress)
        self.games += found.number * plays
        return found

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.start


def tune(task: Task, told: Told | None = None) -> Tuned:
    """Finds weights; raises Interrupted after Ctrl-C."""
    present = dict(task.present.weights_entry(task.setup)) if task.present else {}
    scales = Scales.measured(task.setup, present.get("weights", {}), task.seed)
    clock = _Clock(task, told)
    means, generations = _search(task, scales, {} if task.fresh else present.get("weights", {}), clock)
    searched = clock.games
    weights = _choose(task, scales, means, generations, clock)
    seed = task.seed + generations + 1
    better = None
    if task.present:
        pair = _whole(
            clock.play(
                [task.arm(thumb(weights)), task.arm(task.present)],
                seed,
                FINAL * task.games,
                "comparing with the present",
            ),
            FINAL * task.games,
            generations,
        )
        better = pair.gain(0, 1)
    novice = _novice(task, weights, generations, clock)
    reach = _measure(task, weights, clock, generations)
    weights, kept = _with_what_stays(present, weights, scales)
    return Tuned(task, weights, generations, searched, better, reach, novice, kept, scales.idle, clock.seconds)


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


def _search(task: Task, scales: Scales, start: dict[str, int], clock: _Clock) -> tuple[list[Vector], int]:
    """The centre of the search after every generation."""
    import cma

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
        deals = _whole(clock.play(arms, task.seed + generation, task.games, doing), task.games, generation)
        values = [task.objective(deals, arm) for arm in range(len(arms))]
        search.tell(points, [-value for value in values])
        means.append(np.array(search.mean))
        best = 100 * deals.share(int(np.argmax(values)))
        doing = (
            f"generation {min(generation + 2, task.generations)} of {task.generations}, best of the last {best:.1f}%"
        )
        if task.minutes is not None and clock.seconds > 60 * task.minutes:
            break
    return means, len(means)


def _whole(deals: Deals, asked: int, generations: int) -> Deals:
    """Refuses what was cut short by Ctrl-C."""
    if deals.number < asked:
        raise Interrupted(generations)
    return deals


def _choose(task: Task, scales: Scales, means: list[Vector], generations: int, clock: _Clock) -> dict[str, int]:
    """The best of the last centre, two means of late centres and the centre half way, on deals not used before."""
    half, third = len(means) // 2, 2 * len(means) // 3
    points = [means[-1], np.mean(means[half:], axis=0), np.mean(means[third:], axis=0), means[half]]
    finalists = [scales.weights(point) for point in points]
    asked = FINAL * task.games
    deals = clock.play([task.arm(thumb(one)) for one in finalists], task.seed + generations, asked, "choosing")
    deals = _whole(deals, asked, generations)
    return finalists[max(range(len(finalists)), key=lambda arm: task.objective(deals, arm))]


def _novice(task: Task, weights: dict[str, int], generations: int, clock: _Clock) -> float | None:
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
        deals = _whole(clock.play(arms, seed, asked, "finding the novice"), asked, generations)
        if deals.gain(1, 0).low <= 0:
            return None
        half = (deals.share(0) + deals.share(1)) / 2
        gaps = [abs(deals.share(2 + i) - half) for i in range(len(grid))]
        nearest = int(np.argmin(gaps))
        best, low, high = grid[nearest], grid[max(nearest - 1, 0)], grid[min(nearest + 1, len(grid) - 1)]
    return best


def _measure(task: Task, weights: dict[str, int], clock: _Clock, generations: int) -> dict[str, Interval]:
    """On the evaluation seed: what is shown and kept."""
    random = parse("random")
    others: list[Strategy | None] = [None]
    if task.others:
        others = [*task.others, *([random] if random not in task.others else [])]
    arms = [against(task.setup, thumb(weights), other) for other in others]
    asked = max(2, task.check_games // len(arms[0]))
    deals = _whole(clock.play(arms, task.check_seed, asked, "measuring"), asked, generations)
    return {other.text if other else "": deals.win(arm) for arm, other in enumerate(others)}
