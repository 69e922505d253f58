"""Formatting numbers: digits by the interval, aligned columns, tables for files."""

from __future__ import annotations

import pytest

from houle.analysis.stats.estimate import Estimate
from houle.reports.blocks import OWN, PERCENT, POINTS, Column, number, table, text, with_word
from houle.reports.html.format import BLANK, csv_rows, in_words, listed, sentence, shown_rows, shown_value


@pytest.mark.parametrize(
    ("estimate", "unit", "shown"),
    [
        (Estimate(0.3044, 0.2956, 0.3136, 10_000), PERCENT, "30.4% (29.6 to 31.4)"),
        (Estimate(0.42, 0.328, 0.518, 100), PERCENT, "42% (33 to 52)"),
        (Estimate(0.0034, 0.0024, 0.0047, 10_000), PERCENT, "0.34% (0.24 to 0.47)"),
        (Estimate(-0.0512, -0.0601, -0.0423, 10_000), POINTS, "−5.1 points (−6.0 to −4.2)"),
        (Estimate(0.0512, 0.0423, 0.0601, 10_000), POINTS, "+5.1 points (+4.2 to +6.0)"),
        (Estimate(1.0, 0.9999, 1.0, 40_000), PERCENT, "100.00% (99.99 to 100.00)"),
        (Estimate(0.0, 0.0, 0.0004, 10_000), PERCENT, "0.00% (0.00 to 0.04)"),
        (Estimate(6.15, 6.02, 6.29, 20_000), "", "6.15 (6.02 to 6.29)"),
        (Estimate(50.0, 50.0, 51.0, 20_000), "", "50 (50 to 51)"),
        (0.25, PERCENT, "25.0%"),
    ],
)
def test_interval_width_decides_the_digits(estimate: Estimate | float, unit: str, shown: str) -> None:
    assert shown_value(number(estimate, unit)) == shown


def test_unknown_values_are_not_numbers() -> None:
    assert number(Estimate(float("nan"), 0.0, 1.0, 0)) is None
    assert number(None) is None
    assert shown_value(None) == "unknown"
    half = number(Estimate(3.0, float("-inf"), float("inf"), 1))
    assert half is not None
    assert half["low"] is None
    assert shown_value(half) == "3"


def test_sentences_keep_numbers_as_values() -> None:
    block = text("{who} wins {win} of {games} games.", who="thumb", win=number(0.5, PERCENT), games=20_000)
    assert sentence(block) == "thumb wins 50.0% of 20,000 games."
    assert block["values"]["win"] == {"value": 0.5, "unit": PERCENT}


def test_columns_line_up_at_the_decimal_point() -> None:
    wins = [Estimate(0.3044, 0.2956, 0.3136, 10_000), Estimate(0.42, 0.328, 0.518, 100)]
    block = table("t", "c", [Column("win", "wins", PERCENT)], [[number(win, PERCENT)] for win in wins])
    shown = [row[0]["text"] for row in shown_rows(block)]
    assert shown == ["30.4", f"42{BLANK}\u2008"]
    assert [row[0]["span"] for row in shown_rows(block)] == ["29.6 to 31.4", "33 to 52"]


def test_a_column_may_mix_units() -> None:
    rows = [[number(Estimate(0.5, 0.4, 0.6, 9), PERCENT)], [number(Estimate(3.0, 2.0, 4.0, 9))], ["none"], [None]]
    block = table("t", "c", [Column("value", "value", OWN)], rows)
    assert [row[0]["text"] for row in shown_rows(block)] == ["50%", "3", "none", ""]
    heads, lines = csv_rows(block)
    assert heads == ["value", "value_low", "value_high", "value_n", "value_unit"]
    assert lines[0] == [0.5, 0.4, 0.6, 9, "%"]
    assert lines[2] == ["none", None, None, None, None]


def test_words_under_numbers_are_kept() -> None:
    cell = with_word(number(Estimate(0.5, 0.4, 0.6, 9), PERCENT), "medium")
    block = table("t", "c", [Column("win", "wins", PERCENT), Column("n", "n")], [[cell, 3]])
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
