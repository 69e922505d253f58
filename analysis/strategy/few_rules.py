"""A short list of the thumb's rules that is worth remembering, and how much of the thumb's strength it keeps.

Rules keep their weights, and so their wording, from the thumb: the short list never contradicts the long one. They are
picked one by one, so that the moves of the list gain most in positions that search has judged. Then each rule is left
out once on fresh deals, and a rule that does harm is dropped. The final list is played on further fresh deals beside
random play and the whole thumb.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from houle.analysis.result import plain
from houle.analysis.run import RunSpec
from houle.analysis.sampling.deals import Deals, against, deals_digest, same_deals
from houle.analysis.sampling.positions import JudgedPosition, Numbers
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.strategy.rule_sentences import rule_sentence
from houle.analysis.strategy.skill_gap import share_of_gap
from houle.solver.players.names import Strategy, parse
from houle.solver.players.player import weights_entry
from houle.solver.rules import Setup

MOST_RULES = 7
LEAST_STEP = 0.01  # of what the list has gained so far; a rule that adds less is not listed
LISTED = ("random", "list", "thumb")  # what is played beside the list
HALF = 0.5  # of what the thumb wins over random play: a list that keeps less is not worth remembering


@dataclass(frozen=True)
class KeptRule:
    """A rule of the list."""

    feature: str
    sentence: str  # worded by the sign of its weight
    cost: Estimate  # share of the win that the list loses without it


@dataclass(frozen=True)
class FewRules:
    """The list, what it wins, and the rules that were dropped because they do harm."""

    setup: Setup
    rules: tuple[KeptRule, ...]
    harmful: tuple[KeptRule, ...]
    wins: dict[str, Estimate]  # of "random", "list" and "thumb", on the same fresh deals
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
                "harmful": [vars(rule) for rule in self.harmful],
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


def few_rules(setup: Setup, positions: Sequence[JudgedPosition], without: Collection[str], spec: RunSpec) -> FewRules:
    """Pick a list from judged positions, check each rule on the deals of a run, then play it on as many further deals.

    Rules in `without` are not picked.
    """
    thumb = parse("thumb")
    weights: Mapping[str, int] = weights_entry(thumb, setup)["weights"]
    chosen = pick(setup, positions, weights, without)
    shorter = [[name for name in chosen if name != left_out] for left_out in chosen]
    arms = [against(setup, thumb_with(names, weights, "list"), thumb) for names in (chosen, *shorter)]
    games = spec.games * sum(map(len, arms)) if chosen else 0
    spec.expect(games + spec.games * len(LISTED) * len(arms[0]))
    checked, seconds = [], 0.0
    if chosen:
        dealt = same_deals(arms, spec)
        seconds = dealt.seconds
        for i, name in enumerate(chosen, 1):
            checked.append(KeptRule(name, rule_sentence(setup, name, weights[name]), dealt.gain(0, i)))
    harmful = tuple(rule for rule in checked if rule.cost.high < 0)
    rules = tuple(rule for rule in checked if rule not in harmful)
    players = (parse("random"), thumb_with([rule.feature for rule in rules], weights, "list"), thumb)
    arms = [against(setup, player, thumb) for player in players]
    fresh = spec.part(spec.games, spec.games, done=games, seconds=seconds)
    dealt = same_deals(arms, fresh)
    kept = share_of_gap(dealt, 1, 0, 2)
    return FewRules(
        setup, rules, harmful, {name: dealt.win(i) for i, name in enumerate(LISTED)},
        kept and replace(kept, unit=PERCENT), len(positions), spec.seed, spec.first, dealt,
        deals_digest(setup, arms, fresh, dealt),
    )  # fmt: skip
