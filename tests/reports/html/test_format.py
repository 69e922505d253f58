"""Formatting numbers: digits by the interval, aligned columns, tables for files."""

from __future__ import annotations

import json
import math

import pytest

from houle.analysis.blocks import OWN, Column, estimate_of, exact, sentence, shown_value, table, text, with_word
from houle.analysis.stats.estimate import PERCENT, POINTS, Estimate
from houle.reports.html.format import BLANK, BLANK_POINT, csv_rows, head_of, shown_rows
from houle.solver.texts import in_words, listed

pytestmark = pytest.mark.quick


def shown(estimate: Estimate) -> str:
    return sentence(text("{x}", x=estimate))


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (Estimate(0.3044, 0.2956, 0.3136, 10_000, PERCENT), "30.4% (29.6 to 31.4)"),
        (Estimate(-0.0512, -0.0601, -0.0423, 10_000, POINTS), "−5.1 points (−6.0 to −4.2)"),
        (Estimate(6.15, 6.02, 6.29, 20_000), "6.15 (6.02 to 6.29)"),
        (exact(0.25, PERCENT), "25.0%"),
        (exact(3.0), "3"),
        (Estimate(float("nan"), 0.0, 1.0, 0, PERCENT), "unknown"),
        (Estimate(3.0, float("-inf"), float("inf"), 1), "unknown"),
    ],
)
def test_estimates_are_shown_by_one_rule(estimate: Estimate, words: str) -> None:
    """As `Estimate` writes them, with a real minus sign."""
    assert shown(estimate) == words


@pytest.mark.parametrize(
    "estimate", [Estimate(0.5, 0.4, 0.6, 9, PERCENT), Estimate(1.0, -math.inf, 2.0, 1), exact(0.2)]
)
def test_plain_data_gives_the_estimate_back(estimate: Estimate) -> None:
    data = text("{x}", x=estimate)["values"]["x"]
    assert estimate_of(json.loads(json.dumps(data))) == estimate


def test_sentences_keep_numbers_as_values() -> None:
    block = text("{who} wins {win} of {games} games.", who="thumb", win=exact(0.5, PERCENT), games=20_000)
    assert sentence(block) == "thumb wins 50.0% of 20,000 games."
    assert block["values"]["win"] == {"value": 0.5, "unit": PERCENT}
    assert shown_value(None) == "unknown"


def test_columns_line_up_at_the_decimal_point() -> None:
    wins = [Estimate(0.3044, 0.2956, 0.3136, 10_000, PERCENT), Estimate(0.42, 0.328, 0.518, 100, PERCENT)]
    block = table("t", "c", [Column("win", "wins")], [[win] for win in wins])
    assert [row[0]["text"] for row in shown_rows(block)] == ["30.4", f"42{BLANK}{BLANK_POINT}"]
    assert [row[0]["span"] for row in shown_rows(block)] == ["29.6 to 31.4", "33 to 52"]
    assert head_of(block["columns"][0]) == "wins, %"


def test_columns_pick_from_records() -> None:
    records = [{"side": "team", "win": Estimate(0.5, 0.4, 0.6, 9, PERCENT), "more": {}}, {"side": "rest"}]
    block = table("t", "c", [Column("win", "wins"), Column("side", "side")], records)
    assert [row[1] for row in block["rows"]] == ["team", "rest"]
    assert block["rows"][1][0] is None
    assert block["columns"][0]["unit"] == PERCENT


def test_a_column_may_mix_units() -> None:
    rows = [[Estimate(0.5, 0.4, 0.6, 9, PERCENT)], [Estimate(3.0, 2.0, 4.0, 9)], ["none"], [None]]
    block = table("t", "c", [Column("value", "value", OWN)], rows)
    assert [row[0]["text"] for row in shown_rows(block)] == ["50%", "3", "none", ""]
    heads, lines = csv_rows(block)
    assert heads == ["value", "value_low", "value_high", "value_n", "value_unit"]
    assert lines[0] == [0.5, 0.4, 0.6, 9, "%"]
    assert lines[2] == ["none", None, None, None, None]


def test_words_under_numbers_are_kept() -> None:
    cell = with_word(Estimate(0.5, 0.4, 0.6, 9, PERCENT), "medium")
    block = table("t", "c", [Column("win", "wins"), Column("n", "n")], [[cell, 3]])
    assert shown_rows(block)[0][0]["word"] == "medium"
    assert csv_rows(block) == (
        ["win", "win_low", "win_high", "win_n", "win_word", "n"],
        [[0.5, 0.4, 0.6, 9, "medium", 3]],
    )


def test_lists_and_small_numbers() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert (in_words(3), in_words(15)) == ("three", "15")
