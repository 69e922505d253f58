"""How players differ from search: how often each follows a rule of thumb, and the costliest mistakes.

Rules are those of the thumb, worded by the sign of their weight, so nothing here contradicts the rules of thumb. A rule
that search certainly goes against is left out. A move follows a rule if no other move has more of its feature (or
less); only positions whose moves differ in the feature count. Differences between players are measured in the same
positions, with intervals that hold for all rules together. Search makes errors, so it follows rules less often than it
means to. A mistake is judged again on new worlds, then played to the end of the game by rules of thumb: its cost is
counted in games won.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from houle.analysis.explain.ablation import rule_sentence
from houle.analysis.measures.goal import Goal
from houle.analysis.result import plain
from houle.analysis.sampling.judged_positions import JudgedPosition, walk
from houle.analysis.stats.clusters import Vector
from houle.analysis.stats.differences import near_end, pair_rates
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE, clustered_rate
from houle.analysis.stats.looks import confidence_at
from houle.solver import interface
from houle.solver.matches.match import Match
from houle.solver.players.names import parse
from houle.solver.players.player import seat_strategies, weights_entry
from houle.solver.rules import Setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger

MOST_TRIES = 4  # positions judged again per example wanted
WIN_WORLDS = 100  # in which a mistake is played to the end
AGAIN, SHOWN = 1 << 40, 1 << 41  # keys of the second judgement and of what is shown, far from any other key


@dataclass(frozen=True)
class Habit:
    """One rule, and how often each player follows it."""

    feature: str
    sentence: str  # worded by the sign of the thumb's weight
    sign: int  # 1: more of the feature is better, -1: less
    asked: int  # positions whose moves differ in the feature
    followed: dict[str, Estimate]  # by player: "random", "search", and the strategies asked
    more: dict[str, Estimate]  # by player except search: how much more often search follows it; joint over all rules


@dataclass(frozen=True)
class Mistake:
    """A move that search finds much worse than its own choice."""

    position: JudgedPosition
    who: str
    chosen: int  # index of the mistake among the moves
    price: Estimate  # how much more utility the better move has, on fresh worlds
    wins: Estimate  # share of games that it wins more, or points, if all play on by rules of thumb

    @property
    def words(self) -> tuple[str, str]:
        """The names of the mistake and of the better move."""
        return self.position.names[self.chosen], self.position.names[self.position.best]


@dataclass(frozen=True)
class Habits:
    """Rules that search follows, those that best separate players first, and examples of mistakes."""

    setup: Setup
    habits: tuple[Habit, ...]
    mistakes: tuple[Mistake, ...]
    positions: int
    games: int
    seed: int

    def telling(self, who: str) -> list[Habit]:
        """The rules that search certainly follows more often than `who`, the surest first."""
        return sorted((rule for rule in self.habits if rule.more[who].low > 0), key=lambda rule: -rule.more[who].low)

    def as_json(self) -> dict[str, Any]:
        mistakes = [
            {
                "game": mistake.position.game,
                "ply": mistake.position.ply,
                "seat": mistake.position.seat,
                "who": mistake.who,
                "played": mistake.words[0],
                "better": mistake.words[1],
                "price": mistake.price,
                "wins": mistake.wins,
            }
            for mistake in self.mistakes
        ]
        habits = [
            {
                "feature": habit.feature,
                "sentence": habit.sentence,
                "sign": habit.sign,
                "asked": habit.asked,
                "followed": habit.followed,
                "search_more": habit.more,
            }
            for habit in self.habits
        ]
        data: dict[str, Any] = plain(
            {
                "game": self.setup.ruleset.name,
                "players": self.setup.players,
                "variants": self.setup.variants,
                "seed": self.seed,
                "positions": self.positions,
                "games": self.games,
                "habits": habits,
                "mistakes": mistakes,
            }
        )
        return data


def habit(
    setup: Setup, positions: Sequence[JudgedPosition], feature: int, who: Sequence[str], least: int, rules: int = 1
) -> Habit | None:
    """One rule of so many; None if it has no weight, if moves hardly ever differ in it or search goes against it."""
    name, _ = setup.game.FEATURES[feature]
    weight = weights_entry(parse("thumb"), setup)["weights"].get(name, 0)
    asked = _where_it_counts(positions, feature)
    if not weight or len(asked) < least:
        return None
    sign = 1 if weight > 0 else -1

    def follows(position: JudgedPosition, move: int) -> float:
        return float((position.tops if sign > 0 else position.bottoms)[move, feature])

    def toss(position: JudgedPosition) -> float:
        return float((position.tops if sign > 0 else position.bottoms)[:, feature].mean())

    values = {"random": [toss(position) for position in asked]}
    values |= {name: [follows(position, position.choices[name]) for position in asked] for name in who}
    values["search"] = [follows(position, position.best) for position in asked]
    followed = {key: _rate(asked, follow) for key, follow in values.items()}
    more = {
        key: _difference(asked, np.array(values["search"]) - np.array(follow), rules)
        for key, follow in values.items()
        if key != "search"
    }
    if more["random"].high < 0:
        return None
    return Habit(
        feature=name,
        sentence=rule_sentence(setup, name, sign),
        sign=sign,
        asked=len(asked),
        followed=followed,
        more=more,
    )


def _where_it_counts(positions: Sequence[JudgedPosition], feature: int) -> list[JudgedPosition]:
    """The positions whose moves differ in a feature."""
    return [one for one in positions if one.features[:, feature].max() > one.features[:, feature].min()]


def _rate(asked: Sequence[JudgedPosition], values: Sequence[float]) -> Estimate:
    """A share of positions, clustered by game."""
    return clustered_rate(*_spread(asked, values))


def _difference(asked: Sequence[JudgedPosition], values: Vector, rules: int) -> Estimate:
    """The difference of two players in the same positions, clustered by game; one of so many that hold together."""
    return pair_rates(*_spread(asked, values), confidence_at(1, rules))


def _spread(asked: Sequence[JudgedPosition], values: Sequence[float] | Vector) -> tuple[float, float, int]:
    """A mean over positions, its variance between games, and the number of games."""
    games = {game: i for i, game in enumerate(dict.fromkeys(position.game for position in asked))}
    cluster = np.array([games[position.game] for position in asked])
    observed = np.array(values)
    mean = float(observed.mean())
    rest = np.bincount(cluster, observed - mean, minlength=len(games))
    clusters = len(games)
    spread = float(rest @ rest) * clusters**2 / len(asked) ** 2 / max(clusters - 1, 1)
    return mean, spread, clusters


def habits(
    setup: Setup,
    positions: Sequence[JudgedPosition],
    who: Sequence[str] = (),
    seed: int = 1,
    examples: int = 3,
    worlds: int = 800,
    least: int = 20,
) -> Habits:
    """Habits from judged positions, and the costliest mistakes, judged again with `worlds` worlds."""
    weights = weights_entry(parse("thumb"), setup)["weights"]
    counted = [
        i
        for i, (name, _) in enumerate(setup.game.FEATURES)
        if weights.get(name) and len(_where_it_counts(positions, i)) >= least
    ]
    every = [habit(setup, positions, i, who, least=least, rules=len(counted)) for i in counted]
    kept = [rule for rule in every if rule is not None]
    kept.sort(key=lambda rule: (max(0.0, near_end(rule.more["random"])), rule.more["random"].value), reverse=True)
    games = len({position.game for position in positions})
    mistakes = _mistakes(setup, positions, who, seed, examples=examples, worlds=worlds)
    return Habits(setup, habits=tuple(kept), mistakes=mistakes, positions=len(positions), games=games, seed=seed)


def _mistakes(
    setup: Setup, positions: Sequence[JudgedPosition], who: Sequence[str], seed: int, examples: int, worlds: int
) -> tuple[Mistake, ...]:
    """The costliest certain mistakes, from different games, each judged again on its own worlds."""
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
        match = walk(setup, seed, position.game, position.ply)
        gains = dict(match.judge(search, AGAIN + position.game))
        again = gains[position.actions[position.best]] - gains[position.actions[position.choices[name]]]
        tries += 1
        # Hoeffding's bound only needs that a difference of two utilities lies between -1 and 1.
        half = 2 * math.sqrt(math.log(2 / (1 - CONFIDENCE)) / (2 * worlds))
        if again <= half:
            continue
        price_again = Estimate(again, again - half, min(1.0, again + half), worlds)
        chosen = position.choices[name]
        wins = wins_more(match, position.actions[position.best], position.actions[chosen], AGAIN + position.game)
        if wins.low > 0:  # shown from other worlds, because these chose it
            seen.add(position.game)
            shown = wins_more(match, position.actions[position.best], position.actions[chosen], SHOWN + position.game)
            mistakes.append(Mistake(position=position, who=name, chosen=chosen, price=price_again, wins=shown))
    return tuple(mistakes)


def wins_more(match: Match, better: int, worse: int, key: int, worlds: int = WIN_WORLDS) -> Estimate:
    """How much more often one move wins than another, or scores more, in worlds that fit what the player knows.

    Both moves are played in each world; then all players follow rules of thumb to the end of the game.
    """
    seat = match.to_move()
    thumbs = seat_strategies(match.setup, ["thumb"])
    side = next(i for i, (_, seats) in enumerate(match.setup.game.side_names(match.setup)) if seat in seats)
    setup = match.setup
    begun = interface.blank(setup.game.STATE, 2 * worlds)
    for world in range(worlds):
        for i, move in enumerate((better, worse)):
            other = match.imagine(seat, key + world)
            other.apply(move)
            begun[2 * world + i] = other.states[0]
    ledger = blank_ledger(len(begun), int(setup.rules[0].sides))
    play_chunk(thumbs, match.seed, 0, len(begun), ledger=ledger, openings=begun, given=True)
    goal = Goal(setup)
    return goal.paired(goal.in_games(ledger, side).reshape(worlds, 2), 1, 0)
