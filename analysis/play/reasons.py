"""Why the rules of thumb prefer a move: what each rule adds for it, compared with the next best move.

The rating of a move is the sum of weight x value over the rules. So the difference of two ratings splits into one part
per rule, and the rule with the largest part decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from houle.analysis.explain.ablation import rule_sentence
from houle.solver.matches.match import Match
from houle.solver.players.kinds import RANDOM
from houle.solver.players.player import LineUp
from houle.solver.run.tally import Counts

CLEAR = 4  # times as much of what a rule is about that the other move has
WORLDS = 32  # imagined for features that depend on forgotten cards


@dataclass(frozen=True)
class Reason:
    """What one rule of thumb adds for a move, compared with another move."""

    feature: str
    sentence: str  # worded by the sign of the weight
    weight: int  # rating points per unit
    value: int  # of the move
    other: int  # of the other move

    @property
    def points(self) -> int:
        """Rating points in favour of the move; below 0 they count against it."""
        return self.weight * (self.value - self.other)

    @property
    def is_clear(self) -> bool:
        """Whether one of the moves has hardly any of what the rule is about: what costs less still costs something."""
        less, more = sorted((abs(self.value), abs(self.other)))
        return self.value * self.other < 0 or less * CLEAR <= more

    def as_json(self) -> dict[str, Any]:
        return {
            "feature": self.feature,
            "sentence": self.sentence,
            "weight": self.weight,
            "value": self.value,
            "other": self.other,
            "points": self.points,
        }


@dataclass(frozen=True)
class Reasons:
    """A move compared with the best other one, by the rules of thumb."""

    action: int
    rival: int  # the best-rated other move, or the one asked for
    margin: int  # rating points above the rival; below 0: the rules do not explain the move
    acts: bool  # whether any rule is about the move; none is about a move such as pointing at no card
    reasons: tuple[Reason, ...]  # rules in which the two differ, those in favour of the move first
    general: frozenset[str] = frozenset()  # rules whose sentences say nothing about a single move

    @property
    def decided(self) -> Reason | None:
        """The rule that counted most for the move; None if the rules do not prefer it."""
        first = self.reasons[0] if self.reasons else None
        return first if first is not None and self.margin > 0 and first.points > 0 else None

    @property
    def speaks(self) -> Reason | None:
        """The rule that speaks most for a move that was found to be better, and is true of it; None if no rule is."""
        said = (reason for reason in self.reasons if reason.feature not in self.general and reason.is_clear)
        first = next(said, None) if self.acts else None
        return first if first is not None and 2 * first.points > max(0, self.reasons[0].points) else None

    def as_json(self, rival: str) -> dict[str, Any]:
        """As plain data; `rival` is the name of the other move."""
        return {
            "rival": rival,
            "margin": self.margin,
            "decided": self.decided.feature if self.decided else None,
            "reasons": [reason.as_json() for reason in self.reasons],
        }


def _features(match: Match) -> Counts:
    """The features of every move; where a typed position leaves seen cards open, the usual ones in imagined worlds."""
    if match.forgotten is None:
        return match.features()
    worlds = [match.imagine(match.to_move(), key).features() for key in range(WORLDS)]
    usual: Counts = np.rint(np.mean(worlds, axis=0)).astype(np.int64)
    return usual


def reasons(match: Match, line_up: LineUp, action: int, rival: int | None = None) -> Reasons | None:
    """Why the player to move prefers `action`; None without rules of thumb or without another move.

    It is compared with `rival`, or with the best-rated other move. Moves that look the same to the player count as one.
    """
    seat = match.to_move()
    player = line_up.records[seat]
    if player.kind == RANDOM or not match.setup.game.has("features"):
        return None
    rows, moves = _features(match), match.moves()
    kinds = [match.seen(move, seat)[1] for move in moves]
    chosen = moves.index(action)
    others = [i for i, kind in enumerate(kinds) if kind != kinds[chosen]]
    if not others:
        return None
    weights = np.asarray(player.weights)[: rows.shape[1]].astype(np.int64)
    ratings = rows @ weights
    against = max(others, key=lambda i: int(ratings[i])) if rival is None else moves.index(rival)
    rules = [
        Reason(
            feature=name,
            sentence=rule_sentence(match.setup, name, int(weights[k])),
            weight=int(weights[k]),
            value=int(rows[chosen, k]),
            other=int(rows[against, k]),
        )
        for k, (name, _) in enumerate(match.setup.game.FEATURES)
        if weights[k] and rows[chosen, k] != rows[against, k]
    ]
    margin = int(ratings[chosen] - ratings[against])
    order = tuple(sorted(rules, key=lambda reason: -reason.points))
    general = match.setup.game.words.GENERAL
    return Reasons(
        action=action,
        rival=moves[against],
        margin=margin,
        acts=bool(rows[chosen].any()),
        reasons=order,
        general=general,
    )
