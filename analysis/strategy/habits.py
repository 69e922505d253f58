"""What players do differently from search: how often each follows a rule, and the dearest mistakes.

A rule is followed where the move has as much of its feature as any other could (or as little, where search prefers
less), and asked about only where the moves differ in it. A mistake's price is judged again on other worlds than those
it was found with.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from houle.analysis.result import interval_as_json, interval_columns
from houle.analysis.sampling.positions import JudgedPosition, walk
from houle.analysis.stats.intervals import CONFIDENCE, Interval, clustered_rate
from houle.analysis.strategy.rule_sentences import rule_sentence
from houle.solver.ruleset import Setup
from houle.solver.strategies.player import seat_strategies

if TYPE_CHECKING:
    import pandas as pd

MOST_TRIES = 4  # positions judged again for every example that is wanted
AGAIN = 1 << 40  # key of the search that judges a mistake again: far from any that found it


@dataclass(frozen=True)
class Habit:
    """One rule, and how often each player follows it where that is possible."""

    feature: str
    sentence: str  # what search does
    sign: int  # 1: search prefers more of it, -1: less
    asked: int  # positions whose moves differ in it
    followed: dict[str, Interval]  # by player: "random", "search", and the strategies that were asked


@dataclass(frozen=True)
class Mistake:
    """A move that search finds much worse than its own."""

    position: JudgedPosition
    who: str
    chosen: int  # place of the mistake among the moves
    price: Interval  # how much better the other move is, on fresh worlds

    @property
    def words(self) -> tuple[str, str]:
        """The mistake and the better move, by name."""
        return self.position.names[self.chosen], self.position.names[self.position.best]


@dataclass(frozen=True)
class Habits:
    """All rules, those that tell players apart first, and examples of mistakes."""

    setup: Setup
    habits: tuple[Habit, ...]
    mistakes: tuple[Mistake, ...]
    positions: int
    games: int
    seed: int

    def frame(self) -> pd.DataFrame:
        """One row per rule and player."""
        import pandas as pd

        return pd.DataFrame(
            {
                "feature": habit.feature,
                "sentence": habit.sentence,
                "sign": habit.sign,
                "player": who,
                **interval_columns("followed", rate),
                "n": habit.asked,
            }
            for habit in self.habits
            for who, rate in habit.followed.items()
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.setup.ruleset.name,
            "players": self.setup.players,
            "variants": list(self.setup.variants),
            "seed": self.seed,
            "positions": self.positions,
            "games": self.games,
            "habits": [
                {
                    "feature": habit.feature,
                    "sentence": habit.sentence,
                    "sign": habit.sign,
                    "asked": habit.asked,
                    "followed": {who: interval_as_json(rate) for who, rate in habit.followed.items()},
                }
                for habit in self.habits
            ],
            "mistakes": [
                {
                    "game": mistake.position.game,
                    "ply": mistake.position.ply,
                    "seat": mistake.position.seat,
                    "who": mistake.who,
                    "played": mistake.words[0],
                    "better": mistake.words[1],
                    "price": interval_as_json(mistake.price),
                }
                for mistake in self.mistakes
            ],
        }


def habit(
    setup: Setup, positions: Sequence[JudgedPosition], feature: int, who: Sequence[str], least: int
) -> Habit | None:
    """One rule; None where the moves hardly ever differ in it, or search does not care."""
    asked = [
        position for position in positions if position.features[:, feature].max() > position.features[:, feature].min()
    ]
    if len(asked) < least:
        return None
    more = float(np.mean([position.tops[position.best, feature] for position in asked]))
    by_chance = float(np.mean([position.tops[:, feature].mean() for position in asked]))
    less = float(np.mean([position.bottoms[position.best, feature] for position in asked]))
    less_by_chance = float(np.mean([position.bottoms[:, feature].mean() for position in asked]))
    sign = 1 if more - by_chance >= less - less_by_chance else -1

    def follows(position: JudgedPosition, move: int) -> float:
        return float((position.tops if sign > 0 else position.bottoms)[move, feature])

    def toss(position: JudgedPosition) -> float:
        return float((position.tops if sign > 0 else position.bottoms)[:, feature].mean())

    values = {"random": [toss(position) for position in asked]}
    values |= {name: [follows(position, position.choices[name]) for position in asked] for name in who}
    values["search"] = [follows(position, position.best) for position in asked]
    name, _ = setup.game.FEATURES[feature]
    sentence = rule_sentence(setup, name, sign)
    return Habit(name, sentence, sign, len(asked), {key: _rate(asked, follow) for key, follow in values.items()})


def _rate(asked: Sequence[JudgedPosition], values: Sequence[float]) -> Interval:
    """A share of positions; those of one game are not independent."""
    games = {game: i for i, game in enumerate(dict.fromkeys(position.game for position in asked))}
    place = np.array([games[position.game] for position in asked])
    observed = np.array(values)
    mean = float(observed.mean())
    rest = np.bincount(place, observed - mean, minlength=len(games))
    clusters = len(games)
    spread = float(rest @ rest) * clusters**2 / len(asked) ** 2 / max(clusters - 1, 1)
    return clustered_rate(mean, spread, clusters)


def habits(
    setup: Setup,
    positions: Sequence[JudgedPosition],
    who: Sequence[str] = (),
    seed: int = 1,
    examples: int = 3,
    worlds: int = 800,
    least: int = 20,
) -> Habits:
    """Reads habits from judged positions, and judges the dearest mistakes again with so many worlds."""
    every = [habit(setup, positions, i, who, least) for i in range(len(setup.game.FEATURES))]
    kept = [rule for rule in every if rule is not None]
    kept.sort(key=lambda rule: rule.followed["random"].value - rule.followed["search"].value)
    games = len({position.game for position in positions})
    mistakes = _mistakes(setup, positions, who, seed, examples, worlds)
    return Habits(setup, tuple(kept), mistakes, len(positions), games, seed)


def _mistakes(
    setup: Setup, positions: Sequence[JudgedPosition], who: Sequence[str], seed: int, examples: int, worlds: int
) -> tuple[Mistake, ...]:
    """The dearest ones, from different games, each priced on worlds of its own; only those that are certain."""
    search = seat_strategies(setup, [f"flat:{worlds}"])
    ranked = []
    for position in positions:
        for name in who:
            price = float(position.gains[position.best] - position.gains[position.choices[name]])
            ranked.append((price, -position.game, -position.ply, name, position))
    ranked.sort(key=lambda item: item[:4], reverse=True)
    mistakes: list[Mistake] = []
    seen: set[int] = set()
    tries = 0
    for price, _, _, name, position in ranked:
        if len(mistakes) == examples or price <= 0 or tries == MOST_TRIES * examples:
            break
        if position.game in seen:
            continue
        gains = dict(walk(setup, seed, position.game, position.ply).judge(search, AGAIN + position.game))
        again = gains[position.actions[position.best]] - gains[position.actions[position.choices[name]]]
        tries += 1
        # A difference of two worths lies between -1 and 1; Hoeffding's bound asks nothing else of it.
        half = 2 * math.sqrt(math.log(2 / (1 - CONFIDENCE)) / (2 * worlds))
        if again > half:
            seen.add(position.game)
            price_again = Interval(again, again - half, min(1.0, again + half), worlds)
            mistakes.append(Mistake(position, name, position.choices[name], price_again))
    return tuple(mistakes)
