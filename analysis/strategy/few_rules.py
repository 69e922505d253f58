"""A short list of the thumb's rules that is worth remembering, and how much of the thumb's strength it keeps.

Rules keep their weights, and so their wording, from the thumb: the short list never contradicts the long one. Many
lists are played: the rules that cost most when they are left out, and those whose moves gain most in positions that
search has judged, one to seven of each. The shortest list that keeps nine tenths of what all rules win is taken, else
the best. Each of its rules is left out once on fresh deals; a rule that is worth nothing there is dropped, and the
others are ordered by what they are worth. The final list is played on other deals beside random play and the thumb.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from houle.analysis.measures.goal import Goal
from houle.analysis.result import plain
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.clustered_deals import DealArm, Deals, against, deals_digest, same_deals
from houle.analysis.sampling.judged_positions import JudgedPosition, Numbers
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.strategy.ablation import rule_sentence
from houle.analysis.strategy.advantage import share_of_gap
from houle.solver.players.names import Strategy, parse
from houle.solver.players.player import LineUp, weights_entry
from houle.solver.rules import Setup

MOST_RULES = 7
LEAST_STEP = 0.01  # of what the list has gained so far; a rule that adds less is not listed
LISTED = ("random", "list", "thumb")  # what is played beside the list
HALF = 0.5  # of what the thumb wins over random play: a list that keeps less is not worth remembering
NEARLY_ALL = 0.9  # of the same: a list that keeps as much need not be longer


@dataclass(frozen=True)
class KeptRule:
    """A rule of the list."""

    feature: str
    sentence: str  # advice: do it if its weight is positive, avoid it if negative
    cost: Estimate  # share of the win that the list loses without it


@dataclass(frozen=True)
class FewRules:
    """The list, what it wins, and the rules that were dropped because they are worth nothing in it."""

    setup: Setup
    rules: tuple[KeptRule, ...]
    dropped: tuple[KeptRule, ...]
    wins: dict[str, Estimate]  # or points: of "random", "list" and "thumb", on the same fresh deals
    kept: Estimate | None  # share of what the thumb wins over random play; None if that may be nothing
    positions: int
    seed: int
    first: int
    deals: Deals
    digest: str

    @property
    def worth_remembering(self) -> bool:
        return bool(self.rules) and self.kept is not None and self.kept.value >= HALF

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = plain(
            {
                "positions": self.positions,
                "seed": self.seed,
                "first": self.first,
                "deals": self.deals.number,
                "rules": [vars(rule) for rule in self.rules],
                "dropped": [vars(rule) for rule in self.dropped],
                "wins": self.wins,
                "kept": self.kept,
                "worth_remembering": self.worth_remembering,
                "result_digest": self.digest,
            }
        )
        return data


def mean_gain(positions: Sequence[JudgedPosition], weights: Numbers) -> float:
    """What a thumb with these weights gains over random moves; ties are broken at random."""
    total = 0.0
    for position in positions:
        rating = position.features @ weights
        chosen = rating >= rating.max() - 1e-9 * (1 + abs(rating.max()))
        total += float(position.gains[chosen].mean() - position.gains.mean())
    return total / max(len(positions), 1)


def pick(
    setup: Setup, positions: Sequence[JudgedPosition], weights: Mapping[str, int], without: Collection[str] = ()
) -> list[str]:
    """The rules of a list, chosen greedily: each step adds the rule that gains most."""
    names = [name for name, _ in setup.game.FEATURES]
    left = [name for name in names if weights.get(name) and name not in without]
    chosen: list[str] = []
    vector, gained = np.zeros(len(names)), 0.0
    while left and len(chosen) < MOST_RULES:
        tries = []
        for name in left:
            more = vector.copy()
            more[names.index(name)] = weights[name]
            tries.append((mean_gain(positions, more), -names.index(name), more))
        best, place, more = max(tries, key=lambda attempt: attempt[:2])
        if best <= 0 or best <= gained * (1 + LEAST_STEP):
            break
        gained, vector = best, more
        chosen.append(names[-place])
        left.remove(names[-place])
    return chosen


def thumb_with(rules: Collection[str], weights: Mapping[str, int], name: str) -> Strategy:
    """A thumb that knows only these rules, with their usual weights."""
    return Strategy(name, "thumb", 0, {}, {"name": "thumb", "weights": {rule: weights[rule] for rule in rules}})


def few_rules(
    setup: Setup,
    positions: Sequence[JudgedPosition],
    costly: Sequence[str],
    without: Collection[str],
    spec: RunSpec,
    played: RunSpec,
) -> FewRules:
    """Choose a list on the deals of a run, check its rules on as many further deals, then play it on those of `played`.

    `costly` are rules in the order of what leaving each out costs. Rules in `without` are not chosen.
    """
    thumb, goal = parse("thumb"), Goal(setup)
    weights: Mapping[str, int] = weights_entry(thumb, setup)["weights"]
    picked = pick(setup, positions, weights, without)
    known = [name for name in costly if name not in without][:MOST_RULES]
    lists = [rules[:length] for length in range(1, MOST_RULES + 1) for rules in (known, picked) if len(rules) >= length]
    sides = len(setup.seats_by_side)
    everyone = [LineUp(setup, (thumb,) * setup.players)] * sides
    spec.begin(
        Plan.of(
            ("choosing rules", everyone * (len(lists) + MOST_RULES + 3), spec.games),
            ("few rules", everyone * len(LISTED), played.games),
        )
    )
    rules: list[KeptRule] = []
    dropped: list[KeptRule] = []
    if lists:
        ends = [against(setup, player, thumb) for player in (parse("random"), thumb)]
        dealt = same_deals([*ends, *(_arm(setup, names) for names in lists)], spec)
        chosen = lists[shortest([goal.value(dealt, i) for i in range(2 + len(lists))], [len(one) for one in lists])]
        for rule in rule_costs(setup, chosen, spec.part(spec.games, spec.games)):
            (rules if rule.cost.value > 0 or len(chosen) == 1 else dropped).append(rule)
        rules.sort(key=lambda rule: -rule.cost.value)
    return play_list(setup, rules, dropped, len(positions), played)


def _arm(setup: Setup, names: Collection[str]) -> DealArm:
    """A player who knows only these rules, against the thumb if players compete."""
    thumb = parse("thumb")
    return against(setup, thumb_with(names, weights_entry(thumb, setup)["weights"], "list"), thumb)


def rule_costs(setup: Setup, chosen: Sequence[str], spec: RunSpec) -> list[KeptRule]:
    """What a list loses without each of its rules."""
    goal, weights = Goal(setup), weights_entry(parse("thumb"), setup)["weights"]
    shorter = ([one for one in chosen if one != name] for name in chosen)
    dealt = same_deals([_arm(setup, names) for names in (chosen, *shorter)], spec)
    return [
        KeptRule(name, rule_sentence(setup, name, weights[name]), goal.gain(dealt, 0, i).scale(goal.sign))
        for i, name in enumerate(chosen, 1)
    ]


def play_list(
    setup: Setup, rules: Sequence[KeptRule], dropped: Sequence[KeptRule], positions: int, spec: RunSpec
) -> FewRules:
    """What a list wins, beside random play and the thumb on the same deals."""
    thumb, goal = parse("thumb"), Goal(setup)
    ends = [against(setup, player, thumb) for player in (parse("random"), thumb)]
    arms = [ends[0], _arm(setup, [rule.feature for rule in rules]), ends[1]]
    dealt = same_deals(arms, spec)
    kept = share_of_gap(goal, dealt, 1, 0, 2)
    return FewRules(
        setup, tuple(rules), tuple(dropped), {name: goal.reached(dealt, i) for i, name in enumerate(LISTED)},
        kept and replace(kept, unit=PERCENT), positions, spec.seed, spec.first, dealt,
        deals_digest(setup, arms, spec, dealt),
    )  # fmt: skip


def shortest(wins: Sequence[float], lengths: Sequence[int]) -> int:
    """Which list to take, by what random play, all rules and then each list win.

    >>> shortest([0.0, 0.3, 0.1, 0.28, 0.29], [1, 2, 3])
    1
    """
    random, all_rules, *lists = wins
    enough = [i for i, win in enumerate(lists) if win >= random + NEARLY_ALL * (all_rules - random)]
    return (
        min(enough, key=lambda i: (lengths[i], -lists[i])) if enough else max(range(len(lists)), key=lists.__getitem__)
    )
