"""Find weights for rules of thumb by CMA-ES on the same deals: `houle tune`.

Candidates are compared on the same deals, fresh ones in every generation, all from training seeds. The final choice is
made on other training deals, and compared with the present weights on yet other ones. The result is then measured once
on a seed below the training range, as every other result of the project.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self, Unpack

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.limits import (
    CHECK_GAMES,
    CHECK_SEED,
    TRAINING_SEED,
    TUNING_GAMES,
    TUNING_GENERATIONS,
    TUNING_POPULATION,
)
from houle.analysis.players.line_ups import Strategies, as_setup, names_of
from houle.analysis.players.tuning_run import FINAL, RATING, Scales, Stretches, TuningTask, thumb
from houle.analysis.players.weights_file import as_toml, conditions, store
from houle.analysis.result import Facts, Finished, Record
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.experiment import against
from houle.analysis.stats.clusters import Vector
from houle.analysis.stats.estimate import Estimate
from houle.solver.players.names import Strategy, parse
from houle.solver.players.player import weights_entry
from houle.solver.rules import Setup, digest

FIRST_STEP, NEAR_STEP = 1.0, 0.4  # first step of the search, in mean weights: from zero, and from present weights


@dataclass(frozen=True, repr=False)
class Tuning(Finished):
    """Tuned weights and what they reach. Its games are those of the search."""

    task: TuningTask  # with the generations that were played
    weights: dict[str, int]
    better: Estimate | None  # of the goal, above that of the present weights, on training deals not used before
    reach: dict[str, Estimate]  # of the goal, on the evaluation seed, by opponent ("" if there is none)
    present: dict[str, Any]  # the entry that played before; empty if there was none
    kept: dict[str, float]  # noise, caution, ... of the present entry, in the new rating points
    idle: tuple[str, ...]  # features that never differ between two moves in this setup
    written: Path | None = None  # the weights file, if it was updated

    command = "tune"
    rows_key = ""

    @property
    def headline(self) -> str:
        share, against = next(iter(self.reach.values())), next(iter(self.reach))
        goal = self.task.goal
        return f"{self.task.name}: {goal.verb} {goal.says(share)}" + (f" against {against}" if against else "")

    @property
    def generations(self) -> int:
        return self.task.generations

    @property
    def improved(self) -> bool:
        """Whether the weights are certainly better than the present ones, or there were none."""
        return self.better is None or self.task.goal.improves(self.better)

    def words(self) -> list[str]:
        return self.task.words()

    @property
    def reach_text(self) -> str:
        """What the weights reach, in words."""
        task = self.task
        before = task.present.text if task.present else ""
        parts = []
        for other, share in self.reach.items():
            whom = f"the previous {other}" if other == before else other
            parts.append(task.goal.says(share) + (f" against {whom}" if other else ""))
        of = "in" if task.goal.is_score else "of"
        return f"{', '.join(parts)} {of} {task.check_games:,} games, seed {task.check_seed}"

    @property
    def entry(self) -> dict[str, Any]:
        """The player as an entry of a weights file."""
        task = self.task
        tuned = {"seed": task.seed, "games": self.games, "reach": self.reach_text, "command": self.how}
        when = conditions(task.setup, self.present)
        named = {"name": task.name, "when": when, "tuned": tuned}
        return {**named, **self.kept, "weights": self.weights}

    @property
    def how(self) -> str:
        """The command that found it, without the folder of the game, because the weights file lies there."""
        return self.repeat().partition(" --game-path ")[0]

    @property
    def toml(self) -> str:
        """The player as an entry of a weights file, in TOML."""
        return as_toml(self.entry)

    def store(self) -> Self:
        """Write the entry into the weights file of the game if it is better than the present one."""
        return replace(self, written=store(self.setup.ruleset.name, self.entry)) if self.improved else self

    def records(self) -> list[Record]:
        """One row per rule of thumb that has a weight."""
        return [
            {"name": self.task.name, "feature": feature, "weight": weight} for feature, weight in self.weights.items()
        ]

    def summary(self) -> Record:
        """The entry of the weights file, and how it was made."""
        return {
            **self.entry,
            "generations": self.generations,
            "better": self.better,
            "reach": {other or "alone": share for other, share in self.reach.items()},
            "idle": self.idle,
            "written": self.written is not None,
        }


def plan_tuning(setup: Setup | str, *, opponents: Strategies = None, **options: Any) -> TuningTask:
    """The task of `tune`, with its `plan`; takes the same options."""
    run: RunOptions = {"seed": TRAINING_SEED}
    for name in RunOptions.__annotations__:
        if name in options:
            run[name] = options.pop(name)  # type: ignore[literal-required]
    return TuningTask(as_setup(setup), RunSpec.of(run, TUNING_GAMES), opponents=tuple(names_of(opponents)), **options)


@checked
def tune(
    setup: Setup | str,
    *,
    name: str = "thumb",
    generations: int = TUNING_GENERATIONS,
    population: int = TUNING_POPULATION,
    opponents: Strategies = None,
    check_seed: int = CHECK_SEED,
    check_games: int = CHECK_GAMES,
    **run: Unpack[RunOptions],
) -> Tuning:
    """Find weights for a player's rules of thumb, by CMA-ES on the same deals.

    Parameters
    ----------
    name : str
        Whose weights: `thumb`, or a name of your own.
    generations, population : int
        Rounds of the search, and candidates per round.
    opponents : str or iterable of str, optional
        Who plays on the other sides, each kind in turn; by default the present weights.
    check_seed, check_games : int
        The seed below 1000 and the number of games on which the result is measured.
    games : int
        1,000 by default: deals that each candidate plays.
    seed : int
        The first training seed, 1000 or above; every generation takes the next.

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
        setup,
        name=name,
        generations=generations,
        population=population,
        opponents=opponents,
        check_seed=check_seed,
        check_games=check_games,
        **run,
    )
    task.spec.begin(task.plan)
    return run_task(task)


def run_task(task: TuningTask) -> Tuning:
    """Find weights; raises TuningInterrupted after Ctrl-C."""
    present = dict(weights_entry(task.present, task.setup)) if task.present else {}
    scales = Scales.measured(task.setup, present.get("weights", {}), task.seed)
    stretches = Stretches(task)
    means = _search(scales, present.get("weights", {}), stretches)
    searched, seed = stretches.games, task.seed + len(means)
    weights = _choose(scales, means, stretches)
    better = None
    if task.present:
        arms = [task.arm(thumb(weights)), task.arm(task.present)]
        deals = stretches.play(arms, seed + 1, "comparing with the present", FINAL * task.games, pairs=[(0, 1)])
        better = task.goal.gain(deals, 0, 1)
    reach = _measure(weights, stretches)
    weights, kept = _with_what_stays(present, weights, scales)
    done = replace(task, generations=len(means))
    name = digest({"rules": task.setup.digest, "task": done.words(), "seed": task.seed, "weights": weights})
    facts = Facts(
        task.setup,
        strategies=(),
        seed=task.seed,
        games=searched,
        asked=searched,
        seconds=stretches.seconds,
        digest=name,
        first=task.spec.first,
    )
    return Tuning(
        facts, task=done, weights=weights, better=better, reach=reach, present=present, kept=kept, idle=scales.idle
    )


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
    kept |= {key: float(f"{present[key] * ratio:.3g}") for key in ("noise", "reads", "heeds") if key in present}
    return weights | idle, kept


def _search(scales: Scales, start: dict[str, int], stretches: Stretches) -> list[Vector]:
    """The centres of the search after every generation."""
    import cma  # loads matplotlib

    task = stretches.task
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
    best = ""
    for generation in range(task.generations):
        points = search.ask()
        arms = [task.arm(thumb(scales.weights(point))) for point in points]
        doing = f"generation {generation + 1} of {task.generations}{best}"
        deals = stretches.play(arms, task.seed + generation, doing)
        stretches.generations += 1
        values = [task.objective(deals, arm) for arm in range(len(arms))]
        search.tell(points, [-value for value in values])
        means.append(np.array(search.mean))
        best = f", best of the last {task.goal.reached(deals, int(np.argmax(values))).short(1)}"
    return means


def _choose(scales: Scales, means: list[Vector], stretches: Stretches) -> dict[str, int]:
    """The best of the last centre, two means of late centres and the middle centre, on deals not used before."""
    task = stretches.task
    half, third = len(means) // 2, 2 * len(means) // 3
    points = [means[-1], np.mean(means[half:], axis=0), np.mean(means[third:], axis=0), means[half]]
    finalists = [scales.weights(point) for point in points]
    arms = [task.arm(thumb(finalist)) for finalist in finalists]
    deals = stretches.play(arms, task.seed + len(means), "choosing", FINAL * task.games)
    return finalists[max(range(len(finalists)), key=lambda arm: task.objective(deals, arm))]


def _measure(weights: dict[str, int], stretches: Stretches) -> dict[str, Estimate]:
    """What the weights reach on the evaluation seed, by opponent."""
    task, random = stretches.task, parse("random")
    others: list[Strategy | None] = [None]
    if task.others:
        others = [*task.others, *([random] if random not in task.others else [])]
    arms = [against(task.setup, thumb(weights), other) for other in others]
    deals = stretches.play(arms, task.check_seed, "measuring", max(2, task.check_games // len(arms[0].plays)))
    return {other.text if other else "": task.goal.reached(deals, arm) for arm, other in enumerate(others)}
