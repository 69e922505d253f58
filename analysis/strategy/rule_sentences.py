"""Rules of thumb in words. A weight below 0 reverses a rule, so the wording depends on the sign of its weight."""

from __future__ import annotations

from houle.solver.rules import Setup


def rule_sentence(setup: Setup, feature: str, weight: float) -> str:
    """The advice of a rule: for more of its feature, or for less if the weight is below 0."""
    more, less = setup.game.advice[feature]
    return less if weight < 0 else more
