"""Why a player of rules of thumb makes a move: what each rule gives for it, against the next best move.

A move's rating is the sum of weight x value over the rules. So the difference of two ratings falls apart into one part
per rule, and the greatest part in favour of the move is the rule that decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from houle.analysis.strategy.rule_sentences import rule_sentence
from houle.solver.match import Match
from houle.solver.strategies.names import RANDOM
from houle.solver.strategies.player import LineUp


@dataclass(frozen=True)
class Reason:
    """What one rule of thumb gives for a move, against another."""

    feature: str
    sentence: str  # as the sign of the weight has it
    weight: int  # rating points per unit
    value: int  # of the move
    other: int  # of the move it is held against

    @property
    def points(self) -> int:
        """Rating points in favour of the move; below 0 they speak against it."""
        return self.weight * (self.value - self.other)

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
    """A move held against the best other one, by the rules of thumb."""

    action: int
    rival: int  # the best-rated move of another kind, or the one that was asked for
    margin: int  # rating points that the move has more than the rival; below 0: something else decided
    reasons: tuple[Reason, ...]  # rules in which the two differ, what speaks for the move first

    @property
    def decided(self) -> Reason | None:
        """The rule that spoke most for the move; none where the rules do not prefer it."""
        first = self.reasons[0] if self.reasons else None
        return first if first is not None and self.margin > 0 and first.points > 0 else None

    def as_json(self, rival: str) -> dict[str, Any]:
        """`rival`: what that move is called."""
        return {
            "rival": rival,
            "margin": self.margin,
            "decided": self.decided.feature if self.decided else None,
            "reasons": [reason.as_json() for reason in self.reasons],
        }


def reasons(match: Match, line_up: LineUp, action: int, rival: int | None = None) -> Reasons | None:
    """Why the seat to move prefers `action`; None where it has no rules of thumb, or no other move.

    It is held against `rival`, or against the best-rated other move. Moves that are the same to the player are one: two
    equal cards are not held against each other.
    """
    seat = match.to_move()
    player = line_up.records[seat]
    if player.kind == RANDOM or not match.setup.game.has_features:
        return None
    rows, moves = match.features(), match.moves()
    kinds = [match.seen(move, seat)[1] for move in moves]
    place = moves.index(action)
    others = [i for i, kind in enumerate(kinds) if kind != kinds[place]]
    if not others:
        return None
    weights = np.asarray(player.weights)[: rows.shape[1]].astype(np.int64)
    ratings = rows @ weights
    against = max(others, key=lambda i: int(ratings[i])) if rival is None else moves.index(rival)
    found = [
        Reason(name, rule_sentence(match.setup, name, int(weights[k])), int(weights[k]), int(rows[place, k]),
               int(rows[against, k]))
        for k, (name, _) in enumerate(match.setup.game.FEATURES)
        if weights[k] and rows[place, k] != rows[against, k]
    ]  # fmt: skip
    margin = int(ratings[place] - ratings[against])
    return Reasons(action, moves[against], margin, tuple(sorted(found, key=lambda reason: -reason.points)))
