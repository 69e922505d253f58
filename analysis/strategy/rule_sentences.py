"""Rules of thumb in words, by the sign of their weight: the advice for more of a feature, and for less of it.

A weight below 0, tuned or learned from search, turns a rule round: whoever prints a rule asks here, with its weight.
"""

from __future__ import annotations

from houle.solver.ruleset import Setup


def rule_sentence(setup: Setup, feature: str, weight: float) -> str:
    """What players with this weight do: the advice for less of the feature below 0, else for more of it."""
    more, less = setup.game.advice[feature]
    return less if weight < 0 else more
