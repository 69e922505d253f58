"""What each rule of thumb is worth, measured by leaving it out.

Each rule left out is an arm on the same deals: one side plays without it and all others play in full, from every side
in turn. Where all players are one side (a team, a solo game) all of them play without it. The cost is the difference
to the full strategy on the same deals, with an interval clustered by deal. Rules are ranked by what they certainly
cost. Many costs are looked at together, so `stands` asks for intervals that hold for all of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from houle.analysis.blocks import Block, about, text
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import difference
from houle.analysis.players.named_players import THUMB
from houle.analysis.result import plain
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import Experiment, Sample, against, arm_of, play
from houle.analysis.stats.differences import near_end
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.looks import confidence_at
from houle.solver.players.names import Strategy
from houle.solver.players.player import LineUp, weights_entry
from houle.solver.rules import Setup


@dataclass(frozen=True)
class AblationRow:
    """A rule that is left out, and what that costs."""

    name: str
    text: str  # for players, worded by the sign of its weight
    win: Estimate | None  # share of the win without it, or points; None where leaving it out changes nothing
    cost: Estimate | None  # share of the win that is lost, or points
    score: Estimate | None  # by how much the score rises without it
    remark: str  # why there is no number, or empty
    stands: bool = False  # the cost is certainly not 0, also when all rules are judged together


@dataclass(frozen=True)
class Ablation:
    """What each rule of a player is worth, the largest certain cost first."""

    setup: Setup
    full: Estimate  # share of the win, or points, with nothing left out
    rows: tuple[AblationRow, ...]
    deals: int
    seed: int
    first: int
    digest: str

    @property
    def goal(self) -> Goal:
        return Goal(self.setup)

    @property
    def harmful(self) -> list[AblationRow]:
        """Rules without which the player certainly wins more."""
        return [row for row in self.rows if row.stands and row.cost and row.cost.high < 0]

    def sentences(self) -> list[Block]:
        """What the player should leave out."""
        goal, said = self.goal, []
        for row in self.harmful:
            words = text(
                "Our player weighs one rule badly: without \u201c{rule}\u201d it {verb}s more, {gain}. So that rule is "
                "no advice.",
                rule=row.text.rstrip("."),
                verb=goal.verb,
                gain=row.cost and goal.shown(row.cost.scale(-1)),
            )
            said.append(about(words, THUMB, f"{goal.measure} without {row.name}"))
        return said

    def as_json(self) -> dict[str, Any]:
        facts = {"player": THUMB, "deals": self.deals, "seed": self.seed, "first": self.first, "full": self.full}
        rows = [vars(row) for row in self.rows]
        data: dict[str, Any] = plain({**facts, "rows": rows, "result_digest": self.digest})
        return data


def rule_sentence(setup: Setup, feature: str, weight: float) -> str:
    """A rule of thumb in words: do more of it, or less if its weight is below 0."""
    more, less = setup.game.advice[feature]
    return less if weight < 0 else more


def ablate(setup: Setup, player: Strategy, spec: RunSpec) -> Ablation:
    """Leave out each rule of thumb of a player on the same deals. Fewer deals after Ctrl-C.

    >>> from houle.solver.players.names import parse
    >>> from houle.solver.rules import make_setup
    >>> found = ablate(make_setup("wave", 3), parse("thumb"), RunSpec(games=100))
    >>> found.rows[0].cost.value > 0
    True
    """
    weights = weights_entry(player, setup)["weights"]
    names = [name for name, _ in setup.game.FEATURES]
    played = [name for name in names if weights.get(name)]
    everyone = LineUp(setup, (player,) * setup.players)
    full = arm_of([(everyone, side) for side in setup.seats_by_side])  # as the other arms, from all sides
    arms = [full, *(against(setup, without_rule(player, name), player) for name in played)]
    dealt = play(Experiment.with_first(arms), spec)
    rows = [
        _row(setup, name, rule_sentence(setup, name, weights.get(name, 0)), dealt, arm=arm, rules=len(played))
        for name in names
        for arm in [1 + played.index(name) if name in played else 0]
    ]
    rows.sort(key=lambda row: (row.cost is None, [-size for size in certain_cost(row.cost)] if row.cost else []))
    return Ablation(
        setup,
        full=Goal(setup).reached(dealt, 0),
        rows=tuple(rows),
        deals=dealt.deals(0),
        seed=spec.seed,
        first=spec.first,
        digest=dealt.digest,
    )


def without_rule(player: Strategy, name: str) -> Strategy:
    """The player without one of its rules of thumb."""
    options = {**player.options, "without": name}
    return replace(player, options=options, text=f"{player.text}[without={name}]", behind="")


def certain_cost(cost: Estimate) -> tuple[float, float]:
    """The certain part of a cost (below 0 if leaving it out helps), and its estimate."""
    return math.copysign(max(0.0, near_end(cost)), cost.value), cost.value


def _row(setup: Setup, name: str, words: str, dealt: Sample, arm: int, rules: int) -> AblationRow:
    """What the deals say about one rule among so many; `arm` 0 means it was not played."""
    if not arm:
        return AblationRow(name, words, win=None, cost=None, score=None, remark="has no weight in this setup")
    if dealt.both[arm, 0].same:
        return AblationRow(
            name, words, win=None, cost=None, score=None, remark=f"changed nothing in {dealt.deals(0):,} deals"
        )
    goal = Goal(setup)
    cost, change = goal.gain(dealt, arm, 0).scale(-goal.sign), difference(dealt, arm, "score").interval
    joint = goal.gain(dealt, arm, 0, confidence_at(1, rules))
    return AblationRow(
        name,
        words,
        win=goal.reached(dealt, arm),
        cost=cost,
        score=change,
        remark="",
        stands=joint.low > 0 or joint.high < 0,
    )
