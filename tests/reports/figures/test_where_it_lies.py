"""The figure of where a variant lies: all variants, the band with its source, and marks that stay apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.reports.figures.style import save
from houle.reports.figures.where_it_lies import Placed, draw, number_lines, reference_words
from houle.reports.sections.difficulty import printed_variants
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled


def placed(name: str, win: float, own: bool = False) -> Placed:
    return Placed(name, Estimate(win, win - 0.01, win + 0.01, 1000, PERCENT), own)


def test_variants_and_sources_are_in_the_figure(tmp_path: Path) -> None:
    file = tmp_path / "figure.svg"
    rows = {
        "family": [placed("base game", 0.1), placed("virage", 0.11), placed("Storm", 0.06, own=True)],
        "expert": [placed("base game", 0.7), placed("Storm", 0.35, own=True)],
    }
    save(draw(rows, "WAVE for three surfers: where it lies", [make_setup("wave", 3)]), file)
    drawn = " ".join(file.read_text().split())
    for words in ("◆ Storm", "1 base game", "2 virage", "impossible", "a gift", "typical", "family"):
        assert words in drawn
    assert "1431162" in reference_words()  # the caption beside the figure names the sources


def test_the_band_has_a_source() -> None:
    words = reference_words()
    assert "30 to 40%" in words
    assert "BoardGameGeek" in words
    assert "League of Gamemakers" in words


def test_near_numbers_stand_in_lines_of_their_own() -> None:
    assert number_lines([placed("a", 0.5), placed("b", 0.1), placed("c", 0.11), placed("d", 0.12)]) == [0, 0, 1, 2]
    assert number_lines([placed("a", 0.1), placed("b", 0.12), placed("c", 0.14)]) == [0, 1, 0]


def test_every_printed_variant_of_the_table_is_shown() -> None:
    wave = make_setup("wave", 3, (), {"hand.back": 3})
    names = {"+".join(setup.variants) or "base" for setup in printed_variants(wave)}
    assert {"base", "virage", "nazare"} <= names
    assert all(setup.players == 3 and not setup.changed for setup in printed_variants(wave))
    assert printed_variants(make_setup("land-unter", 4)) == []
