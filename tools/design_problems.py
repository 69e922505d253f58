"""Eighteen design problems over all games: what `houle design` and a random search with the same budget find.

    python -m tools.design_problems [--method model|additive|random] [--seed 1] [--only NAME] [--share 0.1]
    python -m tools.design_problems effects [--seeds 40] [--games 1000] [--truth 100000]

The answers are checked on another seed. The last six were written down before anything was run, so nothing was tuned
on them. A proposal is heavy if it changes the idea of the game (table talk, teams): none may be where a lighter one
reaches the target. docs/method/experiments.md has the results.

`effects` measures twenty single changes with each seed. The joint intervals of a run must hold all of them. If every
change has fresh games of the unchanged rules, about half of the estimates must be too high.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import houle
from houle.analysis.designing import model, search
from houle.analysis.designing.space import AS_IT_IS, Setting, Space, make_space, parse_changes
from houle.analysis.designing.wishes import Wish
from houle.analysis.measures.measures import estimate
from houle.analysis.measures.targets import OUTSIDE
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.named_players import THUMB
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import play_arms
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.estimate import Estimate
from houle.analysis.tables.effects import effects

CHECK_SEED = 4_711
LEAST_FRESH = 300  # fresh games of a proposal, with a small share


@dataclass(frozen=True)
class Problem:
    """A question for `houle design`."""

    name: str
    game: str
    players: int
    targets: tuple[str, ...]
    change: str
    games: int
    fresh: int
    search_games: int = 200


PROBLEMS = (
    Problem("wave family 40%", "wave", 3, ("win=40%@family",), "all", 400_000, 20_000),
    Problem("wave thumb 65%", "wave", 3, ("win=65%@thumb",), "hand.front,hand.back,deck.missing", 400_000, 20_000),
    Problem("wave family 15%, short", "wave", 3, ("win=15%@family", "length<=15@family"), "all", 400_000, 20_000),
    Problem("wave family and expert", "wave", 3, ("win=20%..30%@family", "win<=55%@flat:8"), "all", 300_000, 20_000),
    Problem("wave family 60%, few knobs", "wave", 3, ("win=60%@family",), "hand.back=0..3,hand.front=2..4,talk",
            200_000, 20_000),
    Problem("land-unter spread 5", "land-unter", 4, ("spread=5",),
            "rounds=1..6,score.eliminated=-3..0,score.lowest=0..3", 100_000, 10_000),
    Problem("land-unter balance", "land-unter", 4, ("spread=3", "draws<=1%"), "all", 100_000, 10_000),
    Problem("sea-change length 40", "sea-change", 4, ("length=40",), "target=1..5,hand=6..10", 60_000, 10_000),
    Problem("sea-change p90", "sea-change", 4, ("length:p90<=50", "length>=38"), "all", 60_000, 10_000),
    Problem("vague-attaque length 60", "vague-attaque", 4, ("length=54..66",), "target=1..4,hand_limit=4..7,deck",
            20_000, 2_000),
    Problem("vague-verte seats", "vague-verte", 4, ("balance<=2%", "draws<=5%"), "all", 100_000, 10_000),
    Problem("vague-verte conflict", "vague-verte", 4, ("first-seat=-1%..1%", "draws<=2%"),
            "road=6..8,deck.red_lights=3..5,deck.breakdowns=1..3", 100_000, 10_000),
    # Nobody tuned on these.
    Problem("new: wave for two, family 30%", "wave", 2, ("win=30%@family",), "all", 400_000, 20_000),
    Problem("new: wave for four, harder", "wave", 4, ("5 points harder@thumb",), "all", 400_000, 20_000),
    Problem("new: land-unter for three, shorter", "land-unter", 3, ("length -30%@thumb",), "all", 100_000, 10_000),
    Problem("new: sea-change for three, short and fair", "sea-change", 3, ("length<=30@thumb", "balance<=3%@thumb"),
            "all", 100_000, 10_000),
    Problem("new: vague-verte for two, shorter and fair", "vague-verte", 2, ("length -20%@thumb", "balance<=3%@thumb"),
            "all", 100_000, 10_000),
    Problem("new: vague-attaque for three, longer", "vague-attaque", 3, ("length=50..60@thumb",), "all", 40_000, 4_000),
)  # fmt: skip


def random_proposals(
    space: Space, models: Sequence[model.Model], known: Collection[Setting], number: int, costs: Mapping[Any, float]
) -> list[Setting]:
    """Settings of one to four random changes, in the place of `model.propose`."""
    draws = np.random.default_rng([len(known), len(space.single_changes)])
    changes, chosen = space.single_changes, []
    for _ in range(100 * number):
        setting = frozenset(changes[i] for i in draws.choice(len(changes), draws.integers(1, 5)))
        single = [axis for axis, _ in setting if not space.axes[axis].is_list]
        if len(set(single)) == len(single) and setting not in known and setting not in chosen:
            chosen.append(setting)
        if len(chosen) == number:
            break
    return chosen


def solve(problem: Problem, seed: int, share: float = 1.0) -> tuple[houle.Design, float, float]:
    """The design, its seconds, and how far its answer is from the targets on other games, in widths of the targets."""
    setup = houle.setup(problem.game, players=problem.players)
    start, fresh = time.process_time(), max(LEAST_FRESH, round(share * problem.fresh))
    result = houle.design(
        setup, targets=problem.targets, change=parse_changes(setup, [problem.change]),
        games=round(share * problem.games), confirm_games=fresh, search_games=problem.search_games, seed=seed,
        threads=1,
    )  # fmt: skip
    seconds = time.process_time() - start
    measured = {}
    for wish in result.wishes:
        seated = line_up(result.proposals[0].setup, wish.strategies)
        games = problem.search_games if search.searches(seated) else fresh
        played = play_arms([Arm(seated)], RunSpec(games, CHECK_SEED, threads=1))
        measured[wish.key] = estimate(played, 0, wish.measure)
    return result, seconds, search.off(measured, result.wishes)


def single(result: houle.Design) -> list[list[tuple[Wish, Estimate]]]:
    """What each single change measures, by the wishes whose players played it."""
    known = [wish for wish in result.wishes if wish.key in result.effects]
    now = {wish.key: result.played[AS_IT_IS][wish.key].value for wish in known}
    return [
        [(wish, result.effects[wish.key][change].shift(now[wish.key])) for wish in known]
        for change in result.space.single_changes
    ]


CHANGES = {"hand.front": "1..8", "hand.back": "0..8", "talk": None, "deck.missing": None}  # of WAVE for three
NUMBER = 20  # of these changes
TRUTH_SEED, FRESH_BASE = 977, 10_000_000  # from this game on the unchanged rules are played once more


def check_effects(seeds: int, games: int, truth_games: int) -> None:
    """Print in how many seeds all joint intervals hold, and how many estimates with fresh bases are too high."""
    base = houle.setup("wave", players=3)
    space = make_space(base, CHANGES)
    arms = [Arm(line_up(space.setup(frozenset({one})), THUMB), {}, space.words(one))
            for one in space.single_changes[:NUMBER]]  # fmt: skip
    start = Arm(line_up(base, THUMB))
    truth = [row.by["win"].value for row in effects(start, arms, ["win"], RunSpec(truth_games, TRUTH_SEED)).rows]
    held, high = 0, []
    for seed in range(1, seeds + 1):
        rows = effects(start, arms, ["win"], RunSpec(games, seed)).rows
        held += all(row.by["win"].low <= value <= row.by["win"].high for row, value in zip(rows, truth, strict=True))
        high.append(0)
        for i, (arm, value) in enumerate(zip(arms, truth, strict=True)):
            fresh = play_arms([start], RunSpec(games, seed, first=FRESH_BASE + i * games))
            changed = play_arms([arm], RunSpec(games, seed, first=i * games))
            high[-1] += estimate(changed, 0, "win").value - estimate(fresh, 0, "win").value > value
    print(f"{len(arms)} single changes of {base.summary}, {games:,} games of each, truth from {truth_games:,}")
    print(f"all joint intervals hold in {held} of {seeds} seeds")
    within = sum(4 <= number <= 16 for number in high)
    print(f"with fresh bases 4 to 16 of {len(arms)} are too high in {within} of {seeds} seeds:", *high)


def main() -> None:
    """Solve every problem and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", choices=("problems", "effects"), default="problems")
    parser.add_argument("--method", choices=("model", "additive", "random"), default="model")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--share", type=float, default=1.0, help="of the games of each problem")
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--truth", type=int, default=100_000)
    given = parser.parse_args()
    if given.what == "effects":
        check_effects(given.seeds, given.games, given.truth)
        return
    if given.method == "additive":
        model.PAIR = 1e-3
    if given.method == "random":
        vars(search).update(propose=random_proposals, FOR_EFFECTS=0.05, LEAST_STRETCH=500)
    for problem in PROBLEMS:
        if given.only in problem.name:
            result, seconds, off = solve(problem, given.seed, given.share)
            status = "found" if result.found else "impossible" if result.impossible else "not found"
            best = result.proposals[0]
            one = sum(all(wish.target.holds(one) != OUTSIDE for wish, one in singles) for singles in single(result))
            print(f"{problem.name} | {one} singles may | {status} | {seconds:.1f} s | {result.games:,} games | "
                  f"{result.tried} tried | "
                  f"off {off:.2f} | {best.changes} changes: {best.label}", flush=True)  # fmt: skip
            for other in result.proposals[1:]:
                print(f"    also {other.label} ({other.hit})")
            heavy = [result.space.is_heavy(one.setting) for one in result.proposals]
            if any(heavy) and not all(heavy):
                print("    a proposal changes the idea of the game beside one that does not")


if __name__ == "__main__":
    main()
