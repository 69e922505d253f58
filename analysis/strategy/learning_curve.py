"""How much there is to learn: what a player wins who knows the first k rules of thumb, or scores if that is the goal.

Rules are learned by value: each step adds the rule that raises the utility of the end most, given the rules already
known. This order is found on other deals than the wins are counted on. In competitive games one player learns and all
others follow every rule of thumb.
People remember their best run, so for cooperative and solo games the result also says how many deals a beginner wins at
least once in five tries (the same deal, other choices).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.blocks import Block, Column, about, note, table, text
from houle.analysis.limits import LEARNING_GAMES, LEARNING_ORDER
from houle.analysis.measures.goal import Goal
from houle.analysis.players.line_ups import as_setup, line_up
from houle.analysis.players.named_players import levels
from houle.analysis.result import Facts, Finished, Record
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.backends import Play
from houle.analysis.sampling.clustered_deals import DealArm, Deals, against, deals_digest, same_deals
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.analysis.stats.intervals import WHOLE_WIN, wilson
from houle.analysis.stats.variance import clustered_share
from houle.analysis.strategy.ablation import rule_sentence
from houle.analysis.strategy.few_rules import thumb_with
from houle.analysis.strategy.replays import play_replays
from houle.solver.errors import RulesError
from houle.solver.players.names import Strategy, parse
from houle.solver.players.player import weights_entry
from houle.solver.rules import Setup, digest, variant_name
from houle.solver.texts import in_words

LEAST_DEALS = 20
TRIES = 5
MOST = 0.9  # of what there is to learn


@dataclass(frozen=True)
class LearnedRule:
    """A step of the curve: what a player wins who knows this rule too."""

    feature: str  # empty for the first step, which knows no rule; joined by + for all remaining rules
    sentence: str
    win: Estimate  # of the goal: games won, or the mean score
    gain: Estimate | None  # over the step before, on the same deals; None for the first


@dataclass(frozen=True)
class SeveralTries:
    """What a beginner wins who plays every deal several times."""

    player: str  # its name
    tries: int
    win: Estimate  # of a single try, clustered by deal
    once: Estimate  # share of deals won at least once


@dataclass(frozen=True, repr=False)
class LearningCurve(Finished):
    """What each further rule of thumb wins."""

    steps: tuple[LearnedRule, ...]  # the first knows no rule
    without_effect: tuple[str, ...]  # rules that changed no game
    order_deals: int  # deals on which the order was found
    tries: SeveralTries | None  # None in competitive games, and where the score is the goal
    played: int  # games in all, without those of the tries

    command = "learning-curve"
    rows_key = "steps"

    @property
    def sentence(self) -> str:
        """How many rules give nine tenths of what all rules win."""
        values = [self.goal.sign * step.win.value for step in self.steps]
        first, best = values[0], max(values)
        if best <= first:
            more = "more" if self.goal.sign > 0 else "less"
            return f"The rules of thumb {self.goal.verb} no {more} than random play."
        enough = next(known for known, value in enumerate(values) if value >= first + MOST * (best - first))
        rules = "One rule gives" if enough == 1 else f"{enough} rules give"
        return f"{rules} nine tenths of what all rules of thumb {self.goal.verb} over random play."

    @property
    def goal(self) -> Goal:
        return Goal(self.setup)

    def sentences(self) -> list[Block]:
        """How many rules give most of what all rules win, and what several tries win."""
        said = [text("{sentence}", sentence=self.sentence)]
        if self.tries is None:
            return said
        tries = self.tries
        return [
            *said,
            about(
                text(
                    "A beginner (level {level}) who may try the same deal of {setup} {tries} times wins {once} of "
                    "deals at least once. All tries together win {win}.",
                    tries=in_words(tries.tries),
                    setup=variant_name(self.setup),
                    level=tries.player,
                    once=tries.once,
                    win=tries.win,
                ),
                tries.player,
                "win in several tries",
            ),
        ]

    def details(self) -> list[Block]:
        """What each rule adds, and how the order of the rules was found."""
        columns = [Column("known", "rules known"), Column("rule", "rule added"),
                   Column(self.goal.measure, self.goal.title), Column("gain", f"{self.goal.title} more")]  # fmt: skip
        rows = [[known, step.sentence or "No rule: play at random.", step.win, step.gain]
                for known, step in enumerate(self.steps)]  # fmt: skip
        caption = "What each further rule of thumb adds to random play, the most useful first."
        notes = [
            note("The rules are in the order of what each improves on {deals} other deals.", deals=self.order_deals)
        ]
        if self.without_effect:
            notes.append(note("No game changed with {rules}.", rules=", ".join(self.without_effect)))
        if not self.setup.one_sided:
            notes.append(note("One player learns, all others follow every rule of thumb."))
        return [table("learning_curve", caption, columns, rows), *notes]

    @property
    def headline(self) -> str:
        return self.sentence.rstrip(".")

    @property
    def games_per_second(self) -> float:
        return self.played / self.seconds if self.seconds else 0.0

    def records(self) -> list[Record]:
        return [
            {
                "known": known,
                "feature": step.feature or None,
                "sentence": step.sentence or None,
                self.goal.measure: step.win,
                "gain": step.gain or MISSING,
            }
            for known, step in enumerate(self.steps)
        ]

    def summary(self) -> Record:
        tries = self.tries and {
            "player": self.tries.player,
            "tries": self.tries.tries,
            "win": self.tries.win,
            "at_least_once": self.tries.once,
        }
        return {"order_deals": self.order_deals, "without_effect": self.without_effect, "tries": tries}


@checked
def learning_curve(setup: Setup | str, **run: Unpack[RunOptions]) -> LearningCurve:
    """Measure what a player wins who knows only the first k rules of thumb, the most useful rules first.

    Parameters
    ----------
    games : int
        2,000 by default: deals that every step plays; the order is found on a tenth as many further deals.

    Returns
    -------
    LearningCurve
        With `.steps`, `.tries`, `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> curve = houle.learning_curve(houle.setup("wave", players=3), games=300)
    >>> len(curve.steps) > 5, curve.steps[-1].win.value > curve.steps[0].win.value, curve.tries.tries
    (True, True, 5)
    """
    setup = as_setup(setup)
    spec = RunSpec.of(run, LEARNING_GAMES, LEAST_DEALS)
    if not setup.game.has_features:
        raise RulesError(f"{setup.ruleset.name} has no rules of thumb, so it has no learning curve")
    weights: Mapping[str, int] = weights_entry(parse("thumb"), setup)["weights"]
    features = [name for name, _ in setup.game.FEATURES if weights.get(name)]
    order_deals = max(LEARNING_ORDER, spec.games // 10)
    everyone, number = [line_up(setup, "thumb")] * len(setup.seats_by_side), len(features)
    goal, retried = Goal(setup), setup.one_sided and setup.goal == "win"
    spec.begin(
        Plan.of(
            ("order of the rules", everyone * (number * (number + 3) // 2), order_deals),
            ("learning", everyone * (number + 2), spec.games),
            ("several tries", [line_up(setup, levels()[0].name)] * TRIES * retried, spec.games),
        )
    )

    def step(name: str, sentence: str, arm: int) -> LearnedRule:
        return LearnedRule(name, sentence, goal.reached(dealt, arm), goal.gain(dealt, arm, arm - 1) if arm else None)

    learner = _Learner(setup, weights)
    order = learner.order(features, spec.but(games=order_deals, first=spec.first + spec.games))

    left = [feature for feature in features if feature not in order]
    dealt = learner.play([*(order[:known] for known in range(len(order) + 1)), features], spec)
    steps = [step("", "", 0)]
    steps += [step(name, rule_sentence(setup, name, weights[name]), known) for known, name in enumerate(order, 1)]
    last = len(order) + 1
    if not dealt.same(last, last - 1):  # rules that had no effect on the deals of the order, but have on these
        steps.append(step("+".join(left), "All other rules.", last))
        left = []
    tries, wins = several_tries(setup, spec.part(spec.games, doing="several tries")) if retried else (None, [])
    name = digest([deals_digest(setup, learner.arms, spec, dealt), order, wins])
    facts = Facts(setup, (), spec.seed, spec.games, spec.games, learner.seconds, name, spec.first)
    return LearningCurve(facts, tuple(steps), tuple(left), order_deals, tries, learner.games)


class _Learner:
    """Plays thumbs that know some rules, among thumbs that know all, and counts games and seconds."""

    def __init__(self, setup: Setup, weights: Mapping[str, int]) -> None:
        self.setup, self.weights = setup, weights
        self.games, self.seconds = 0, 0.0
        self.arms: list[DealArm] = []  # of the last deals

    def play(self, knowing: Sequence[Sequence[str]], spec: RunSpec) -> Deals:
        """An arm for each set of rules that is known."""
        self.arms = [against(self.setup, self._knows(names), parse("thumb")) for names in knowing]
        dealt = same_deals(self.arms, spec)
        if dealt.number < spec.games:
            raise KeyboardInterrupt  # a curve with missing steps says nothing
        self.games += spec.games * sum(map(len, self.arms))
        self.seconds += dealt.seconds
        return dealt

    def _knows(self, names: Sequence[str]) -> Strategy:
        return thumb_with(names, self.weights, f"knows {'+'.join(names) or 'nothing'}")

    def order(self, features: Sequence[str], spec: RunSpec) -> list[str]:
        """The rules that change games, the most useful first."""
        order: list[str] = []
        left = list(features)
        while left:
            dealt = self.play([order, *([*order, name] for name in left)], spec)
            useful = [arm for arm in range(1, len(left) + 1) if not dealt.same(arm, 0)]
            if not useful:
                break
            best = max(useful, key=lambda arm: (self._value(dealt, arm), -arm))
            order.append(left.pop(best - 1))
        return order

    def _value(self, dealt: Deals, arm: int) -> float:
        goal = Goal(self.setup)
        return goal.value(dealt, arm) if goal.is_score else dealt.utility(arm)


def several_tries(setup: Setup, spec: RunSpec, tries: int = TRIES) -> tuple[SeveralTries, list[int]]:
    """Plays each deal several times with the weakest level: what one try and all tries win, and the wins by deal."""
    beginner = levels()[0]
    players = line_up(setup, beginner.name)
    played = play_replays([Play(players, replay) for replay in range(tries)], list(setup.seats_by_side)[:1], spec)
    deals = spec.games
    if played.games < deals:
        raise KeyboardInterrupt
    shares = played.numbers[0]
    wins = (shares[:, :, 0] == WHOLE_WIN).sum(axis=1)
    each = (np.arange(tries) < wins[:, None]).astype(float).ravel()
    mean = clustered_share(each, np.repeat(np.arange(deals), tries), deals)
    once = wilson(float((wins > 0).mean()), deals)
    return SeveralTries(beginner.name, tries, mean, once), wins.tolist()
