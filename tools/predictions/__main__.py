"""`make predictions`: how often predictions for groups of people hold, by simulation. Writes docs/method/prediction.md.

Groups of known strength play the base game, and what they win there predicts what they win in other setups. Some groups
are on the plane of slips and thought, others are not: the plane is a model, and real groups will differ from it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from houle.analysis.difficulty.prediction import Numbers, predict
from houle.analysis.players.groups import Group
from houle.analysis.players.line_ups import has_search, line_up
from houle.analysis.players.plane import drawn, nodes, points, shares, strategy_at
from houle.analysis.players.read_players import EXPERT
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import wilson, win_rate
from houle.analysis.strategy.calibration import (
    PlayedSetup,
    beyond_the_line,
    chances_of_points,
    games_at,
    log_likelihood,
    on_the_plane,
)
from houle.analysis.strategy.results_file import SetupResults
from houle.solver.rules import Setup, make_setup, variant_name

PAGE = Path(__file__).parents[1] / "docs" / "method" / "prediction.md"
MARK = "<!-- the table below is written by `make predictions` -->\n"
SEED, TRUTH_SEED = 41, 42  # of the simulated levels, and of the groups
RESULTS, NEXT, AGAIN = (10, 30, 100), 10, 200
GAMES, TRUTH_GAMES, SEARCH_GAMES = 2_000, 10_000, 400  # of every node, of every group, and of one that searches
Luck = np.random.Generator
BEYOND = {1: EXPERT, -1: "random"}
Ends = dict[int, Estimate]  # what experts and random play win: the open ends of the plane
EXPERT_GAMES = 40  # enough for the open end of the plane
PER_POINT = 1_000  # games at each point of a group, as `houle difficulty` plays them

# On the plane, and not on it: who plays, in every seat or one per seat.
ON_THE_PLANE = ("first-game", "family", "level:1.5", "regular", "seasoned", "level[slips=20,thought=4]",
                "level[slips=35,thought=2]", "level[slips=5,thought=0.5]", "level[slips=10]")  # fmt: skip
OFF_THE_PLANE = {
    "wave": {
        "one plans, two families": "flat:20,family,family",
        "one plans, two seasoned": "flat:20,seasoned,seasoned",
        "knows no rule about room": "thumb[without=room]",
        "all rules, with noise": "thumb[temperature=400]",
    },
    "vague-attaque": {"all rules, with noise": "thumb[temperature=800]"},
}


@dataclass(frozen=True)
class Study:
    """The base game of a group's results, and setups that it has not played."""

    base: Setup
    others: tuple[Setup, ...]


def studies() -> list[Study]:
    three = [make_setup("wave", 3, variant) for variant in (("virage",), ("tide-colours",), ("nazare",))]
    three += [make_setup("wave", 3, (), {"hand.back": 3}), make_setup("wave", 3, (), {"hand.front": 2})]
    solo = [make_setup("vague-attaque", 1, (), settings) for settings in ({"hand_limit": 4}, {"ship_limit": 5})]
    return [Study(make_setup("wave", 3), tuple(three)), Study(make_setup("vague-attaque", 1), tuple(solo))]


def rate(setup: Setup, who: str, seed: int, searched: int = SEARCH_GAMES) -> float:
    """What a group wins in a setup."""
    seated = line_up(setup, who)
    searching = has_search(seated)
    spec = RunSpec(searched if searching else TRUTH_GAMES, seed)
    return win_rate(play_line_up(seated, spec).tally, 0).value


def curve(setup: Setup) -> PlayedSetup:
    """A setup at all nodes of the plane."""
    tallies = [
        play_line_up(line_up(setup, strategy_at(node)), RunSpec(games_at(node, GAMES), SEED)).tally for node in nodes()
    ]
    return PlayedSetup(SetupResults(setup), tuple(tallies))


def checked(
    played: PlayedSetup, other: Numbers, ends: Ends, before: float, after: float, number: int, luck: Luck
) -> Numbers:
    """Of AGAIN groups with so many results: interval held, error in points, next games held, width of the interval."""
    rows = []
    for wins in luck.binomial(number, before, AGAIN):
        played.results.won, played.results.lost = int(wins), int(number - wins)
        likelihood = log_likelihood(played)
        level, slips, thought = on_the_plane(likelihood, number)
        beyond = beyond_the_line([played], level)
        group = Group("group", slips.value, thought.value, ((0.0, 0.0),), beyond, number)
        chances = [other[(points() == point).all(axis=1)][0] for point in drawn(chances_of_points(likelihood))]
        rates = [wilson(luck.binomial(PER_POINT, chance) / PER_POINT, PER_POINT) for chance in chances]
        guess = predict(group, rates, NEXT, ends.get(beyond))
        inside, (few, many) = guess.rate.low <= after <= guess.rate.high, guess.wins
        error, wide = abs(guess.rate.value - after), guess.rate.high - guess.rate.low
        rows.append((inside, error, few <= luck.binomial(NEXT, after) <= many, wide))
    mean: Numbers = np.array(rows, float).mean(axis=0)
    return mean


def estimate(chance: float) -> Estimate:
    """The win rate of experts or of random play, with the noise of GAMES games."""
    return wilson(chance, GAMES)


def lines(groups: Iterable[tuple[str, str]], study: Study, curves: list[PlayedSetup], luck: Luck) -> list[str]:
    played, found = curves[0], []
    rates = [shares() @ np.array([win_rate(tally, 0).value for tally in one.tallies]) for one in curves[1:]]
    ends = [
        {1: estimate(rate(setup, EXPERT, SEED, EXPERT_GAMES)), -1: estimate(rate(setup, "random", SEED))}
        for setup in study.others
    ]
    for name, who in groups:
        before, *after = (rate(setup, who, TRUTH_SEED) for setup in (study.base, *study.others))
        for number in RESULTS:
            parts = [
                checked(played, other, beyond, before, truth, number, luck)
                for other, beyond, truth in zip(rates, ends, after, strict=True)
            ]
            held, error, next_held, width = np.mean(parts, axis=0)
            worst = min(part[0] for part in parts)
            found.append(
                f"| {study.base.ruleset.title} | {name} | {100 * before:.1f}% | {number} | {100 * held:.0f}% "
                f"| {100 * worst:.0f}% | {100 * error:.1f} | {100 * width:.0f} | {100 * next_held:.0f}% |"
            )
    return found


def counted(number: int) -> tuple[list[str], float]:
    """The rows of one study, and the CPU seconds they took."""
    study, luck, start = studies()[number], np.random.default_rng([SEED, number]), time.process_time()
    curves = [curve(setup) for setup in (study.base, *study.others)]
    off = OFF_THE_PLANE.get(study.base.ruleset.name, {})
    groups = [*((name, name) for name in ON_THE_PLANE), *((f"*{name}*", who) for name, who in off.items())]
    table, seconds = lines(groups, study, curves, luck), time.process_time() - start
    print(study.base.summary, f"{seconds:.0f} s", flush=True)
    return table, seconds


def main() -> None:
    with ProcessPoolExecutor(len(studies())) as pool:
        parts = list(pool.map(counted, range(len(studies()))))
    table, seconds = [line for part, _ in parts for line in part], sum(took for _, took in parts)
    setups = "; ".join(
        f"{study.base.ruleset.title} for {study.base.players}: {', '.join(map(variant_name, study.others))}"
        for study in studies()
    )
    head, _, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    facts = (
        f"Each row: {AGAIN} groups. Levels play {GAMES:,} games of each setup, groups {TRUTH_GAMES:,} "
        f"({SEARCH_GAMES:,} "
        f"if they search), {date.today()}, seeds {SEED} and {TRUTH_SEED}; {seconds / 60:.0f} minutes of one core.\n"
        f"Predicted setups: {setups}.\n"
    )
    columns = (
        "| game | group | wins in the base game | results | interval held | worst setup | mean error, points "
        f"| width, points | range of {NEXT} games held |\n" + "| --- " * 9 + "|\n"
    )
    PAGE.write_text(head + MARK + "\n" + facts + "\n" + columns + "\n".join(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
