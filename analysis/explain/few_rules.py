"""A short list of the thumb's rules that is worth remembering, and what a player wins who follows only these.

The rules that certainly cost most when they are left out, in that order; rules whose costs cannot be told apart are in
the order of the game, so that another seed has the same list. A rule that often asks for another move than a rule above
it is left out: a list that argues with itself helps nobody. Rules keep their weights, and so their wording.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from houle.analysis.explain.ablation import Ablation, AblationRow
from houle.analysis.measures.goal import Goal
from houle.analysis.result import plain
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import Experiment, against, play
from houle.analysis.sampling.judged_positions import JudgedPosition
from houle.analysis.stats.estimate import Estimate
from houle.solver.players.names import Strategy, parse
from houle.solver.players.player import weights_entry
from houle.solver.rules import Setup

MOST_RULES = 5
LEAST_COST = 0.01  # games, or a part of what scores can differ by: a rule that costs less is not listed
LISTED = ("random", "list", "thumb")  # what is played beside the list
HALF = 0.5  # of what all rules win over random play: what a list wins that keeps less is not said


@dataclass(frozen=True)
class FewRules:
    """The list, and what it wins."""

    setup: Setup
    rules: tuple[AblationRow, ...]
    wins: dict[str, Estimate]  # or points: of "random", "list" and "thumb", on the same fresh deals
    kept: float | None  # share of what the thumb wins over random play; None if that may be nothing
    seed: int
    first: int
    deals: int
    digest: str

    @property
    def worth_following(self) -> bool:
        """Whether a player who follows only these wins much of what all rules win."""
        return len(self.rules) > 1 and self.kept is not None and self.kept >= HALF

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = plain(
            {
                "seed": self.seed,
                "first": self.first,
                "deals": self.deals,
                "rules": [vars(rule) for rule in self.rules],
                "wins": self.wins,
                "kept": self.kept,
                "worth_following": self.worth_following,
                "result_digest": self.digest,
            }
        )
        return data


def chosen_rules(found: Ablation, positions: Sequence[JudgedPosition]) -> list[AblationRow]:
    """The rules of the list: those that certainly cost most, without those that contradict one above them."""
    least = LEAST_COST * found.goal.span
    weights = weights_entry(parse("thumb"), found.setup)["weights"]
    chosen: list[AblationRow] = []
    for rule in in_order(found.setup, [row for row in found.rows if row.stands and row.cost and row.cost.low > 0]):
        large = rule.cost is not None and rule.cost.value >= least
        if large and not any(contradict(found.setup, positions, weights, rule.name, other=one.name) for one in chosen):
            chosen.append(rule)
    return chosen[:MOST_RULES]


def in_order(setup: Setup, rules: Sequence[AblationRow]) -> list[AblationRow]:
    """Rules by their cost; those that cannot be told from the first of a group are in the order of the game."""
    names = [name for name, _ in setup.game.FEATURES]
    groups: list[list[AblationRow]] = []
    for rule in sorted(rules, key=lambda rule: -rule.cost.value if rule.cost else 0.0):
        first = groups[-1][0].cost if groups else None
        if first and rule.cost and rule.cost.high >= first.low:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    return [rule for group in groups for rule in sorted(group, key=lambda rule: names.index(rule.name))]


def contradict(
    setup: Setup, positions: Sequence[JudgedPosition], weights: Mapping[str, int], one: str, other: str
) -> bool:
    """Whether no move follows both rules in more than half of the positions in which both tell moves apart."""
    places = [[name for name, _ in setup.game.FEATURES].index(name) for name in (one, other)]
    told = [
        [follows(position, place, weights[name]) for place, name in zip(places, (one, other), strict=True)]
        for position in positions
        if all(position.features[:, place].min() < position.features[:, place].max() for place in places)
    ]
    return sum(not (mine & theirs).any() for mine, theirs in told) > len(told) / 2


def follows(position: JudgedPosition, place: int, weight: int) -> Any:
    """Which moves of a position follow a rule: no other move has more of its feature, or less if that is better."""
    return (position.tops if weight > 0 else position.bottoms)[:, place]


def asks_for(rules: Sequence[AblationRow], setup: Setup, position: JudgedPosition, move: int, other: int) -> bool:
    """Whether one of the rules asks for a move rather than for another one."""
    names, weights = [name for name, _ in setup.game.FEATURES], weights_entry(parse("thumb"), setup)["weights"]
    moves = (follows(position, names.index(rule.name), weights[rule.name]) for rule in rules)
    return any(asked[move] and not asked[other] for asked in moves)


def thumb_with(rules: Collection[str], weights: Mapping[str, int], name: str) -> Strategy:
    """A thumb that knows only these rules, with their usual weights."""
    return Strategy(
        name, "thumb", budget=0, options={}, entry={"name": "thumb", "weights": {rule: weights[rule] for rule in rules}}
    )


def play_list(setup: Setup, rules: Sequence[AblationRow], spec: RunSpec) -> FewRules:
    """What a list wins, beside random play and the thumb on the same deals."""
    thumb, goal = parse("thumb"), Goal(setup)
    known = thumb_with([rule.name for rule in rules], weights_entry(thumb, setup)["weights"], "list")
    arms = tuple(against(setup, player, thumb) for player in (parse("random"), known, thumb))
    dealt = play(Experiment(arms, ((2, 0),)), spec)
    random, listed, every = (goal.value(dealt, arm) for arm in range(len(arms)))
    kept = (listed - random) / (every - random) if goal.improves(goal.gain(dealt, 2, 0)) else None
    return FewRules(
        setup,
        rules=tuple(rules),
        wins={name: goal.reached(dealt, i) for i, name in enumerate(LISTED)},
        kept=kept,
        seed=spec.seed,
        first=spec.first,
        deals=dealt.deals(0),
        digest=dealt.digest,
    )
