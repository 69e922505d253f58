"""HTML pages: user text is escaped, ids are unique, cards are drawn, numbers line up by their intervals."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.blocks import (
    OWN,
    Column,
    bullets,
    estimate_of,
    exact,
    lead,
    note,
    sentence,
    shown_value,
    table,
    text,
)
from houle.analysis.stats.estimate import PERCENT, POINTS, Estimate
from houle.reports.blocks import Report, ReportPart, Section, figure, position
from houle.reports.cards import face
from houle.reports.figures.style import make_figure
from houle.reports.html.format import BLANK, BLANK_POINT, csv_rows, head_of, shown_rows
from houle.reports.html.write import DATA, PAGE, write

pytestmark = pytest.mark.quick


def small(draw: Any) -> Report:
    section = Section("verdict", "The verdict", [lead("All <b>well</b> & good.")])
    more = Section("more", "More")
    more.add(
        text("{x} of them", x=3),
        note("small"),
        bullets([text("one"), text("two")], numbered=True),
        table("t", "A <table>", [Column("a", "a")], [["<script>"], [None]]),
        position(
            text("a position"), [{"label": "hand", "cards": [{"top": "3", "name": "red", "paint": "red"}]}], "cards"
        ),
    )
    more.add_figure(figure("f", "A figure", 'an "alt" text'), draw)
    return Report(
        "wave",
        title="Title",
        subtitle="Subtitle",
        facts={"seed": "1"},
        date="2026-01-02",
        parts=[ReportPart("Part", [section, more])],
    )


def paint() -> Any:
    return make_figure("title", "caption", (3, 2), lambda figure: figure.subplots().plot([1, 2], [3, 4]))


def test_formulas_in_tables_are_texts(tmp_path: Path) -> None:
    columns = [Column("a", "a"), Column("b", "b")]
    rows = [["=1+1", -3], ["@x", -0.5], ["+x", None], ["-x", 7], ["-3", 1], ["+2.5", 1], ["a=b", 1], ["'", 1]]
    report = small(paint)
    report.parts[0].sections[0].add(table("cells", "Cells", columns, rows))
    write(report, tmp_path / "out")
    with (tmp_path / "out" / "tables" / "cells.csv").open(newline="") as file:
        written = list(csv.reader(file))
    assert [row[0] for row in written] == ["a", "'=1+1", "'@x", "'+x", "'-x", "-3", "+2.5", "a=b", "'"]
    assert [row[1] for row in written] == ["b", "-3", "-0.5", "", "7", "1", "1", "1", "1"]


@pytest.mark.compiled
def test_report_is_written_as_folder(tmp_path: Path) -> None:
    page = write(small(paint), tmp_path / "deep" / "out")
    text = page.read_text()
    assert "All &lt;b&gt;well&lt;/b&gt; &amp; good." in text
    assert "&lt;script&gt;" in text
    assert "<script" not in text
    assert "3 of them" in text
    assert text.count("<svg") == 4  # the logo, a figure in two widths, a card
    assert 'aria-label="an &#34;alt&#34; text"' in text or 'aria-label="an &quot;alt&quot; text"' in text
    assert (tmp_path / "deep/out/tables/t.csv").read_text() == 'a\n<script>\n""\n'
    assert (tmp_path / "deep/out/figures/f.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in (tmp_path / "deep").iterdir()) == ["out"]


@pytest.mark.compiled
def test_older_report_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write(small(paint), folder)
    (folder / "figures" / "old.svg").write_text("old")
    (folder / "mine.txt").write_text("mine")
    write(small(paint), folder)
    assert sorted(path.name for path in folder.iterdir()) == [DATA, "figures", PAGE, "mine.txt", "tables"]
    assert not (folder / "figures" / "old.svg").exists()


def test_interruption_leaves_no_files(tmp_path: Path) -> None:
    def broken() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(small(broken), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("card", "label"),
    [
        ({"hidden": True}, "a face-down card"),
        ({"top": "3", "name": "red", "paint": "red", "mark": "reverse"}, "red 3, reverse"),
        (
            {"name": "Pearl in its oyster", "paint": "unheard of", "ring": "best"},
            "Pearl in its oyster, the better move",
        ),
    ],
)
def test_cards_have_labels(card: dict[str, Any], label: str) -> None:
    assert f'aria-label="{label}"' in face(card)


def shown(estimate: Estimate) -> str:
    return sentence(text("{x}", x=estimate))


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (Estimate(-0.0512, -0.0601, -0.0423, n=10_000, unit=POINTS), "−5.1 points (−6.0 to −4.2)"),
        (Estimate(6.15, 6.02, 6.29, 20_000), "6.15 (6.02 to 6.29)"),
        (exact(0.25, PERCENT), "25.0%"),
        (exact(3.0), "3"),
    ],
)
def test_estimates_are_shown_by_one_rule(estimate: Estimate, words: str) -> None:
    """As `Estimate` writes them, with a real minus sign."""
    assert shown(estimate) == words


@pytest.mark.parametrize(
    "estimate", [Estimate(0.5, 0.4, 0.6, n=9, unit=PERCENT), Estimate(1.0, -math.inf, 2.0, 1), exact(0.2)]
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
    wins = [Estimate(0.3044, 0.2956, 0.3136, n=10_000, unit=PERCENT), Estimate(0.42, 0.328, 0.518, n=100, unit=PERCENT)]
    block = table("t", "c", [Column("win", "wins")], [[win] for win in wins])
    assert [row[0]["text"] for row in shown_rows(block)] == ["30.4", f"42{BLANK}{BLANK_POINT}"]
    assert [row[0]["span"] for row in shown_rows(block)] == ["29.6 to 31.4", "33 to 52"]
    assert head_of(block["columns"][0]) == "wins, %"


def test_a_column_may_mix_units() -> None:
    rows = [[Estimate(0.5, 0.4, 0.6, n=9, unit=PERCENT)], [Estimate(3.0, 2.0, 4.0, 9)], ["none"], [None]]
    block = table("t", "c", [Column("value", "value", OWN)], rows)
    assert [row[0]["text"] for row in shown_rows(block)] == ["50%", "3", "none", ""]
    heads, lines = csv_rows(block)
    assert heads == ["value", "value_low", "value_high", "value_n", "value_unit"]
    assert lines[0] == [0.5, 0.4, 0.6, 9, "%"]
    assert lines[2] == ["none", None, None, None, None]
