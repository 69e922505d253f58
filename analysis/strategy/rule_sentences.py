"""Rules of thumb in words, by the sign of their weight: the advice for more of a feature, and for less of it.

A weight below 0, tuned or learned from search, turns a rule round: whoever prints a rule asks here, with its weight.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

from houle.solver.ruleset import Setup

FILE = Path(__file__).parent / "rule_sentences.toml"


@lru_cache
def _sentences() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def rule_sentence(setup: Setup, feature: str, weight: float) -> str:
    """What players with this weight do: the advice for more of the feature above 0, for less of it below 0.

    A feature without weight has the sentence it was made for.
    """
    sentence: str = dict(setup.game.FEATURES)[feature]
    more, less = _sentences().get(setup.ruleset.name, {}).get(
        feature, (sentence, f"The other way round: {sentence}")
    )  # fmt: skip
    return more if weight > 0 else less if weight < 0 else sentence
