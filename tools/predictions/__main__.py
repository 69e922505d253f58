"""`make predictions`: how well groups are predicted and placed, by simulation. Writes docs/method/prediction.md.

Groups of known strength play the base game, and what they win there predicts what they win in other setups. A group of
so many results can win any number of them: every number counts by its chance, so the tables have no luck of results.
What players win is kept in docs/data/predictions.csv.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.stats import binom

from houle.analysis.players.named_players import levels
from houle.analysis.players.plane import Numbers, in_levels, point_number, points, shares
from houle.analysis.players.read_players import EXPERT
from houle.analysis.stats.estimate import Estimate
from houle.analysis.strategy.calibration import SURE, chances_of_points
from houle.analysis.strategy.results_needed import NUMBERS, WANTED, enough, likelihood_of_wins, prediction
from houle.solver.rules import Setup, variant_name
from tools.predictions.groups import (
    PREDICTED,
    SEED,
    STRANGER_RESULTS,
    STRANGER_SEED,
    STRANGER_VARIANTS,
    STRANGERS,
    TRUTH_SEED,
    Groups,
    Study,
    known_points,
    player_at,
    studies,
)
from tools.predictions.rates import (
    EXPERT_GAMES,
    Rates,
    play_all,
    play_points,
)

PAGE = Path(__file__).parents[2] / "docs" / "method" / "prediction.md"
MARKS = "<!-- written by `make predictions` -->\n", "<!-- end of predictions -->\n"
RESULTS = (30, 100)
RARE = 1e-9  # results that are rarer than this are left out
WITHIN = 0.95  # chance of the joint region of slips and thought


@dataclass(frozen=True)
class Held:
    """How often the interval of each setup held what a group wins there, and its mean width."""

    held: Numbers
    width: Numbers


class Predictions:
    """The predictions for groups of one study, from every number of wins."""

    def __init__(self, study: Study, rates: Rates) -> None:
        self.study, self.rates = study, rates
        self.kept: dict[tuple[int, int, str], Estimate] = {}

    def at_points(self, setup: Setup) -> Numbers:
        """The win rate at every point of the plane."""
        between: Numbers = shares() @ [(rate.wins + 0.5) / (rate.games + 1) for rate in self.rates.at_nodes(setup)]
        return between

    @cached_property
    def known(self) -> Numbers:
        return self.at_points(self.study.base)

    def predicted(self, setup: Setup, won: int, number: int) -> Estimate:
        """The prediction from so many wins; a group above the plane has an open end."""
        key = number, won, setup.digest
        if key not in self.kept:
            rate, chance = prediction(self.known, self.at_points(setup), won, number), self.known[point_number(3)]
            if (won - number * chance) / math.sqrt(number * chance * (1 - chance)) > SURE:
                expert = self.rates.of(setup, EXPERT, SEED, EXPERT_GAMES).value
                rate = replace(rate, high=max(rate.high, expert))
            self.kept[key] = rate
        return self.kept[key]

    def held(self, who: str, number: int) -> Held:
        """How often predictions for a group hold."""
        before, found = self.rates.of_group(self.study.base, who).value, []
        for setup in self.study.others:
            truth = self.rates.of_group(setup, who).value
            found.append(mean_held([binom.pmf(np.arange(number + 1), number, before)], [truth], setup, self))
        return Held(*np.array(found).T)


def mean_held(chances: list[Numbers], truths: list[float], setup: Setup, here: Predictions) -> tuple[float, float]:
    """How often the interval holds the mean of the truths, and its width. Results are sums of independent parts."""
    whole = chances[0]
    for part in chances[1:]:
        whole = np.convolve(whole, part)
    held = width = 0.0
    for won, chance in enumerate(whole):
        if chance > RARE:
            rate = here.predicted(setup, won, len(whole) - 1)
            held += chance * (rate.low <= float(np.mean(truths)) <= rate.high)
            width += chance * (rate.high - rate.low)
    return held, width


def table(here: Predictions) -> list[str]:
    """A row per sort of groups: how often predictions hold on average, and where they hold least."""
    study = here.study
    plane: Groups = {f"level, slips {s:g}, thought {t:g}": player_at((s, t)) for s, t in known_points()[:PREDICTED]}
    sorts = {"on the plane": plane, "for choosing": study.for_choosing, "for testing": study.for_testing,
             "as in 0.3.0": study.named}  # fmt: skip
    lines = []
    for sort, groups in sorts.items():
        cells = [_cells(here, {name: here.held(who, number) for name, who in groups.items()}) for number in RESULTS]
        lines.append(f"| {here.study.base.ruleset.title} | {sort} | {len(groups)} | {' | '.join(cells)} |")
    return lines


def _cells(here: Predictions, groups: Mapping[str, Held]) -> str:
    """The mean over groups and setups, the case that is held least, and the mean width."""
    held, width = (np.array([getattr(one, name) for one in groups.values()]) for name in ("held", "width"))
    group, setup = np.unravel_index(np.argmin(held), held.shape)
    least = f"{100 * held.min():.0f}%: {list(groups)[group]}; {variant_name(here.study.others[setup])}"
    return f"{100 * held.mean():.0f}% | {least} | {100 * width.mean():.0f}"


def _title(setup: Setup) -> str:
    return f"{setup.ruleset.title} for {setup.players}"


def table_page(every: list[Predictions]) -> list[str]:
    heads = " | ".join(f"{number} results: held | least | width" for number in RESULTS)
    named = [f"{_title(here.study.base)} ({', '.join(map(variant_name, here.study.others))})" for here in every]
    return [
        f"Games and predicted setups: {'; '.join(named)}.",
        "",
        f"| game | sort | groups | {heads} |",
        "| --- " * (3 + 3 * len(RESULTS)) + "|",
        *(line for here in every for line in table(here)),
        "",
    ]


def strangers_page(here: Predictions) -> list[str]:
    """The twelve groups that the model does not know: one draw of results each, and how often intervals hold."""
    base = here.study.base
    setups = [setup for setup in here.study.others if variant_name(setup) in STRANGER_VARIANTS]
    luck, missed, mean = np.random.default_rng(STRANGER_SEED), [], 0.0
    for name, group in STRANGERS.items():
        halves = [here.rates.of_group(base, who).value for who in (group.first, group.last)]
        won = int(sum(luck.binomial(STRANGER_RESULTS // 2, half) for half in halves))
        for setup in setups:
            truths = [here.rates.of_group(setup, who).value for who in group.later]
            rate, truth = here.predicted(setup, won, STRANGER_RESULTS), float(np.mean(truths))
            each = [binom.pmf(np.arange(STRANGER_RESULTS // 2 + 1), STRANGER_RESULTS // 2, half) for half in halves]
            mean += mean_held(each, truths, setup, here)[0] / (len(setups) * len(STRANGERS))
            if not rate.low <= truth <= rate.high:
                missed.append(f"- {name}, {variant_name(setup)}: predicted {rate.text()}, truth {100 * truth:.1f}%")
    whole = len(setups) * len(STRANGERS)
    return [
        f"Each has {STRANGER_RESULTS} results. {whole - len(missed)} of {whole} intervals hold; over all results that "
        f"may come, {100 * mean:.0f}%. The others:",
        "",
        *missed,
        "",
    ]


def recovery_page(here: Predictions) -> list[str]:
    """Known points placed by results: bias, how often the joint region holds the point, and the correlation."""
    lines = []
    for number in RESULTS:
        rows = []
        for point in known_points():
            before, truth = here.rates.of_group(here.study.base, player_at(point)).value, np.array(in_levels(*point))
            for won, chance in enumerate(binom.pmf(np.arange(number + 1), number, before)):
                if chance > RARE:
                    chances = chances_of_points(likelihood_of_wins(here.known, won, number))
                    rows.append((chance, *placed(chances, truth)))
        weights = np.array([row[0] for row in rows])
        mean = weights @ np.array([row[1:] for row in rows]) / weights.sum()
        lines.append(recovery_row(here.study.base.ruleset.title, f"{number} results", len(known_points()), mean))
    return lines


def placed(chances: Numbers, truth: Numbers) -> tuple[float, float, float, float, float]:
    """Bias of slips and of thought in levels, whether the joint region holds, the correlation, and the mean error."""
    mean = chances @ points()
    apart = points() - mean
    cov = (chances[:, None] * apart).T @ apart
    correlation = cov[0, 1] / math.sqrt(max(cov[0, 0] * cov[1, 1], 1e-12))
    nearest = int(np.argmin(((points() - truth) ** 2).sum(axis=1)))
    before = chances[chances > chances[nearest]].sum()  # of points likelier than the true one
    error = math.sqrt(float(((mean - truth) ** 2).mean()))
    return float(mean[0] - truth[0]), float(mean[1] - truth[1]), float(before < WITHIN), correlation, error


def recovery_row(game: str, evidence: str, number: int, mean: Numbers) -> str:
    slips, thought, held, correlation, error = mean
    biases = f"{slips:+.2f}, {thought:+.2f}"
    return f"| {game} | {evidence} | {number} | {biases} | {error:.2f} | {100 * held:.0f}% | {correlation:+.2f} |"


def plan_page(here: Predictions) -> list[str]:
    """Whether as many results as `calibrate --plan` says predict a variant to 5 points."""
    lines, said = [], 0
    for setup in here.study.others:
        for place, level in enumerate(levels()):
            chance, predicted = float(here.known[point_number(place)]), here.at_points(setup)
            plan = {number: prediction(here.known, predicted, number * chance, number) for number in NUMBERS}
            number = enough(plan)
            if number is None:
                continue
            said += 1
            often = binom.pmf(np.arange(number + 1), number, chance)
            rates = [here.predicted(setup, int(won), number) for won in np.flatnonzero(often > RARE)]
            halves, weights = [(rate.high - rate.low) / 2 for rate in rates], often[often > RARE]
            within = weights @ (np.array(halves) <= WANTED) / weights.sum()
            held = weights @ [rate.low <= predicted[point_number(place)] <= rate.high for rate in rates] / weights.sum()
            mean = 100 * float(weights @ halves / weights.sum())
            lines.append(f"| {variant_name(setup)} | {level.name} | {number} | {mean:.1f} "
                         f"| {100 * within:.0f}% | {100 * held:.0f}% |")  # fmt: skip
    whole = len(levels()) * len(here.study.others)
    if not said:
        return [f"{here.study.base.ruleset.title}: in all {whole} cases it says that {NUMBERS[-1]} are too few.", ""]
    return [
        f"{here.study.base.ruleset.title}: in {whole - said} of {whole} cases `--plan` says that more than "
        f"{NUMBERS[-1]} results are needed. In the other {said}:",
        "",
        "| variant | level | results, as it says | half-width, points | at most 5 | held |",
        "| --- " * 6 + "|",
        *lines,
        "",
    ]


RECOVERY_HEAD = [
    "| game | placed by | points | bias of slips, of thought (levels) | error (levels) | region holds | correlation |",
    "| --- " * 7 + "|",
]


def main() -> None:
    rates, parts = Rates(), list[str]()
    every = []
    for study in studies():
        play_all(rates, study)
        every.append(Predictions(study, rates))
    play_points(rates, every[0].study)
    games = sorted({rate.games for rate in rates.known.values() if rate.player != EXPERT})
    parts += [
        f"Every rate is in `docs/data/predictions.csv` with its games, {games[0]} to {games[-1]:,}; players at nodes "
        f"have seed {SEED}, groups {TRUTH_SEED}; {date.today()}.",
        "",
    ]
    parts += table_page(every)
    parts += ["### Twelve groups that the model does not know", "", *strangers_page(every[0])]
    parts += ["### Does `calibrate --plan` keep its word?", "", *(line for here in every for line in plan_page(here))]
    parts += ["### Known points placed by results", "", *RECOVERY_HEAD, *recovery_page(every[0])]
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(MARKS[0])
    PAGE.write_text(head + MARKS[0] + "\n" + "\n".join(parts) + "\n\n" + MARKS[1] + rest.partition(MARKS[1])[2])


if __name__ == "__main__":
    main()
