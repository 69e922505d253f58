"""A warning appears only if a search is certainly worse than a player that does not search."""

from __future__ import annotations

import pytest

from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.tables.strength import doubt
from houle.solver.rules import make_setup

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3)  # fewer cards left are better
LESS, MORE, UNSURE = (
    Estimate(*ends, 100, POINTS) for ends in ((-0.05, -0.08, -0.02), (0.05, 0.02, 0.08), (0.0, -0.1, 0.1))
)
FEWER, FURTHER, EITHER = Estimate(-3, -5, -1, 100), Estimate(30, 20, 40, 100), Estimate(0, -1, 1, 100)


@pytest.mark.parametrize(
    ("strategy", "below", "wins", "score", "part"),
    [
        (
            "flat:20",
            "thumb",
            LESS,
            EITHER,
            "weaker than thumb here: its wins differ by -5 points (-8 to -2).",
        ),
        ("flat:20", "thumb", UNSURE, FURTHER, "its cards left differs by 30 (20 to 40)"),
        ("ismcts:50", "thumb", LESS, None, "its options: houle players wave"),
        ("flat:20", "thumb", MORE, FEWER, ""),
        ("flat:20", "thumb", UNSURE, EITHER, ""),
        ("flat:20", "thumb", None, None, ""),
        ("flat:20", "", LESS, FURTHER, ""),
        ("thumb", "random", LESS, FURTHER, ""),
        ("ismcts:50", "flat:20", LESS, FURTHER, ""),
    ],
)
def test_the_warning_needs_certainty(
    strategy: str, below: str, wins: Estimate | None, score: Estimate | None, part: str
) -> None:
    sentence = doubt(WAVE, strategy, below, wins, score)
    assert part in sentence
    assert bool(sentence) == bool(part)
