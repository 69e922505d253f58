"""Where print labels a variant (easy, harder, expert): whether houle's people agree, per level, and by how much."""

from __future__ import annotations

from collections.abc import Mapping

from houle.analysis.stats.estimate import Estimate
from houle.solver.rules import Setup, make_setup, printed, variant_name

MEANT = {"easy": "easier", "harder": "harder", "expert": "harder"}  # what a label says about the base game


def printed_label(setup: Setup) -> str:
    """The label that print gives to the variants of a setup; empty if it has none, or labels of both kinds."""
    labels = [setup.ruleset.variants[name].level for name in setup.variants]
    known = [label for label in labels if label in MEANT]
    return known[-1] if len({MEANT[label] for label in known}) == 1 else ""


def base_of_label(setup: Setup) -> Setup | None:
    """The base game that a printed variant with a label is compared with; None for other setups."""
    if not printed_label(setup) or printed(setup).digest != setup.digest:
        return None
    base = make_setup(setup.ruleset.name, setup.players)
    return None if base.digest == setup.digest else base


def agreement(setup: Setup, more: Mapping[str, Estimate], lower_is_better: bool = False) -> list[str]:
    """Whether players agree with the label of print, from what each reaches more than in the base game."""
    label = printed_label(setup)
    if not label or not more:
        return []
    words: dict[str, list[str]] = {}
    for name, change in more.items():
        easier = (change.value > 0) != lower_is_better
        found = "easier" if easier else "harder"
        kind = "not shown for" if not change.differs else "agree:" if found == MEANT[label] else "disagree:"
        words.setdefault(kind, []).append(f"{name} {change.text()}")
    parts = "; ".join(
        f"{kind} {', '.join(words[kind])}" for kind in ("agree:", "disagree:", "not shown for") if kind in words
    )
    return [f"The rulebook calls {variant_name(setup)} {label}. houle's people {parts}"]
