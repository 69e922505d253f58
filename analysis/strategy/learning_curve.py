"""How much there is to learn: what a player wins who knows the first k rules of thumb.

Rules are learned by value: each step adds the rule that raises the utility of the end most, given the rules already
known. This order is found on other deals than the wins are counted on. In competitive games one player learns and all
others follow every rule of thumb.
People remember their best run, so for cooperative and solo games the result also says how many deals a beginner wins at
least once in five tries (the same deal, other choices).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.limits import LEARNING_GAMES, LEARNING_ORDER, MOST_GAMES, SEED, check_int
from houle.analysis.result import Facts, Finished, interval_as_json, interval_columns
from houle.analysis.sampling.levels import levels
from houle.analysis.sampling.lineups import as_setup, line_up
from houle.analysis.sampling.progress import expect, part_of
from houle.analysis.sampling.same_deals import against, deals_digest, same_deals
from houle.analysis.stats.clusters import clustered_share
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import WHOLE_WIN, wilson
from houle.analysis.strategy.rule_sentences import rule_sentence
from houle.solver.errors import RulesError
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress, first_chunk, in_chunks, play_chunk
from houle.solver.strategies.names import Strategy, parse
from houle.solver.strategies.player import weights_entry
from houle.solver.tally import blank_ledger

if TYPE_CHECKING:
    import pandas as pd

TRIES = 5
MOST = 0.9  # of what there is to learn


@dataclass(frozen=True)
class LearnedRule:
    """A step of the curve: what a player wins who knows this rule too."""

    feature: str  # empty for the first step, which knows no rule; joined by + for all remaining rules
    sentence: str
    win: Estimate
    gain: Estimate | None  # over the step before, on the same deals; None for the first


@dataclass(frozen=True)
class SeveralTries:
    """What a beginner wins who plays every deal several times."""

    player: str  # its name
    strategy: str
    tries: int
    win: Estimate  # of a single try, clustered by deal
    once: Estimate  # share of deals won at least once


@dataclass(frozen=True, repr=False)
class LearningCurve(Finished):
    """What each further rule of thumb wins."""

    steps: tuple[LearnedRule, ...]  # the first knows no rule
    without_effect: tuple[str, ...]  # rules that changed no game
    order_deals: int  # deals on which the order was found
    tries: SeveralTries | None  # None in competitive games
    played: int  # games in all, without those of the tries

    command = "learning-curve"

    @property
    def sentence(self) -> str:
        """How many rules give nine tenths of what all rules win."""
        first, best = self.steps[0].win.value, max(step.win.value for step in self.steps)
        if best <= first:
            return "The rules of thumb win no more than random play."
        enough = next(known for known, step in enumerate(self.steps) if step.win.value >= first + MOST * (best - first))
        rules = "One rule gives" if enough == 1 else f"{enough} rules give"
        return f"{rules} nine tenths of what all rules of thumb win over random play."

    @property
    def headline(self) -> str:
        return self.sentence.rstrip(".")

    @property
    def games_per_second(self) -> float:
        return self.played / self.seconds if self.seconds else 0.0

    def frame(self) -> pd.DataFrame:
        """One row per number of rules known."""
        import pandas as pd

        rows = [
            {
                **self.setup_columns(),
                "known": known,
                "feature": step.feature,
                "sentence": step.sentence,
                **interval_columns("win", step.win),
                **interval_columns("gain", step.gain),
                **self.digest_columns(),
            }
            for known, step in enumerate(self.steps)
        ]
        return pd.DataFrame(rows)

    def as_json(self) -> dict[str, Any]:
        """What `houle learning-curve --json` prints."""
        tries = self.tries and {
            "player": self.tries.player,
            "strategy": self.tries.strategy,
            "tries": self.tries.tries,
            "win": interval_as_json(self.tries.win),
            "at_least_once": interval_as_json(self.tries.once),
        }
        return {
            **self.head(),
            "order_deals": self.order_deals,
            "steps": [
                {
                    "known": known,
                    "feature": step.feature or None,
                    "sentence": step.sentence or None,
                    "win": interval_as_json(step.win),
                    "gain": interval_as_json(step.gain),
                }
                for known, step in enumerate(self.steps)
            ],
            "without_effect": list(self.without_effect),
            "tries": tries,
        }


@checked
def learning_curve(
    setup: Setup | str,
    *,
    games: int = LEARNING_GAMES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> LearningCurve:
    """Measure what a player wins who knows only the first k rules of thumb, the most useful rules first.

    Parameters
    ----------
    setup : Setup or str
        From `houle.setup`, or the name of a game for its usual setup.
    games : int
        Deals that every step plays. The order is found on a tenth as many further deals.
    seed : int
        Chooses the deals.
    threads : int, optional
        One per core by default; does not change the result.

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
    check_int("games", games, 20, MOST_GAMES)
    if not setup.game.has_features:
        raise RulesError(f"{setup.ruleset.name} has no rules of thumb, so it has no learning curve")
    weights: Mapping[str, int] = weights_entry(parse("thumb"), setup)["weights"]
    others = None if setup.one_sided else parse("thumb")
    order_deals = max(LEARNING_ORDER, games // 10)
    features = [name for name, _ in setup.game.FEATURES if weights.get(name)]
    most = len(features) * (len(features) + 3) // 2
    expect(progress, len(setup.seats_by_side) * (order_deals * most + games * (len(features) + 2)))
    order, played, ordered_in = _order(setup, features, weights, others, seed, games, order_deals, threads, progress)

    left = [feature for feature in features if feature not in order]
    knowing = [_knowing(order[:known], weights) for known in range(len(order) + 1)]
    knowing.append(_knowing(features, weights))
    arms = [against(setup, strategy, others) for strategy in knowing]
    watched = part_of(progress, played, ordered_in, sum(map(len, arms)))
    dealt = same_deals(setup, arms, seed, games, 0, threads, watched)
    played += games * sum(map(len, arms))
    if dealt.number < games:
        raise KeyboardInterrupt  # a curve with missing steps says nothing
    steps = [LearnedRule("", "", dealt.win(0), None)]
    for known, name in enumerate(order, 1):
        sentence = rule_sentence(setup, name, weights[name])
        steps.append(LearnedRule(name, sentence, dealt.win(known), dealt.gain(known, known - 1)))
    rest, last = "+".join(left), len(knowing) - 1
    if not dealt.same(last, last - 1):  # rules that had no effect on the deals of the order, but have on these
        steps.append(LearnedRule(rest, "All other rules.", dealt.win(last), dealt.gain(last, last - 1)))
        left = []
    tries, wins = several_tries(setup, games, seed, threads) if others is None else (None, [])
    name = digest([deals_digest(setup, arms, seed, 0, dealt), order, [int(won) for won in wins]])
    facts = Facts(setup, (), seed, games, games, ordered_in + dealt.seconds, name)
    return LearningCurve(facts, tuple(steps), tuple(left), order_deals, tries, played)


def _knowing(names: Collection[str], weights: Mapping[str, int]) -> Strategy:
    """A thumb that knows only these rules, with their usual weights."""
    entry = {"name": "thumb", "weights": {name: weights[name] for name in names}}
    return Strategy(f"knows {'+'.join(names) or 'nothing'}", "thumb", 0, {}, entry)


def _order(
    setup: Setup, features: list[str], weights: Mapping[str, int], others: Strategy | None, seed: int, first: int,
    deals: int, threads: int | None, progress: Progress | None,
) -> tuple[list[str], int, float]:  # fmt: skip
    """The rules that change games, the most useful first; and the games and seconds played."""
    order: list[str] = []
    left, played, seconds = list(features), 0, 0.0
    while left:
        tried = [_knowing(order, weights), *(_knowing([*order, name], weights) for name in left)]
        arms = [against(setup, strategy, others) for strategy in tried]
        plays = sum(map(len, arms))
        dealt = same_deals(setup, arms, seed, deals, first, threads, part_of(progress, played, seconds, plays))
        if dealt.number < deals:
            raise KeyboardInterrupt
        played, seconds = played + deals * plays, seconds + dealt.seconds
        useful = [arm for arm in range(1, len(arms)) if not dealt.same(arm, 0)]
        if not useful:
            break
        best = max(useful, key=lambda arm: (dealt.utility(arm), -arm))
        order.append(left.pop(best - 1))
    return order, played, seconds


@dataclass
class _WinsPerDeal:
    """How often each of some deals was won, in their order."""

    wins: list[int]

    @property
    def games(self) -> int:
        return len(self.wins)

    def add(self, other: _WinsPerDeal) -> None:
        self.wins += other.wins


def several_tries(
    setup: Setup, deals: int, seed: int = SEED, threads: int | None = None, tries: int = TRIES
) -> tuple[SeveralTries, list[int]]:
    """What the first level wins in one try and in several tries of the same deal; and the wins of every deal."""
    beginner = levels()[0]
    players = line_up(setup, beginner.strategy)
    side, sides = next(iter(setup.seats_by_side)), int(setup.rules[0].sides)

    def job(begin: int, number: int) -> _WinsPerDeal:
        won = np.zeros(number, np.int64)
        for replay in range(tries):
            ledger = blank_ledger(number, sides)
            play_chunk(setup, players, seed, begin, number, replay, ledger=ledger)
            won += np.asarray(ledger["share"])[:, side] == WHOLE_WIN
        return _WinsPerDeal(won.tolist())

    total = _WinsPerDeal([])
    in_chunks(job, total, deals, 0, threads, None, None, first_chunk(players))
    if total.games < deals:
        raise KeyboardInterrupt
    wins = np.array(total.wins)
    each = (np.arange(tries) < wins[:, None]).astype(float).ravel()
    mean = clustered_share(each, np.repeat(np.arange(deals), tries), deals)
    once = wilson(float((wins > 0).mean()), deals)
    return SeveralTries(beginner.name, beginner.strategy, tries, mean, once), total.wins
