"""HTML pages: user text is escaped, picture ids are unique, cards are drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from houle.analysis.blocks import Column, bullets, lead, note, table, text
from houle.reports.blocks import Report, ReportPart, Section, figure, position
from houle.reports.cards import face
from houle.reports.figures.style import make_figure
from houle.reports.html.page import inline
from houle.reports.html.write import DATA, PAGE, write

pytestmark = pytest.mark.quick

SVG = """<?xml version="1.0"?>
<!DOCTYPE svg>
<svg xmlns="http://www.w3.org/2000/svg" width="10pt" height="5pt" viewBox="0 0 10 5" version="1.1">
 <metadata><date>2026-01-01</date></metadata>
 <defs><clipPath id="p1"><rect/></clipPath></defs><g clip-path="url(#p1)"><use xlink:href="#m1"/></g></svg>
"""


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
    return Report("wave", "Title", "Subtitle", {"seed": "1"}, "2026-01-02", [ReportPart("Part", [section, more])])


def paint() -> Any:
    return make_figure("title", "caption", (3, 2), lambda figure: figure.subplots().plot([1, 2], [3, 4]))


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


def test_picture_ids_are_unique_on_page() -> None:
    svg = inline(SVG, "endings", "alt")
    assert 'id="endings-p1"' in svg
    assert "url(#endings-p1)" in svg
    assert 'href="#endings-m1"' in svg
    assert "2026" not in svg
    assert 'role="img" aria-label="alt"' in svg


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
