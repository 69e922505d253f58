"""Reports in a real browser, on a desktop, on a phone and on paper: nothing is cut off, too small or too long.

The usual suite opens the report of one game; `make browser` opens those of all games, of an own variant and of a study.
"""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

from houle.reports.blocks import every_block
from houle.reports.html.write import DATA, PAGE, PLAYER_PAGE
from tests.support.browser import Browser
from tests.support.made_reports import OTHERS, report_of

pytestmark = pytest.mark.browser

MOST_BYTES = 5_000_000
OPENS, UNFOLDED, SHEETS = 6_000, 16_000, 8  # most pixels of a page 1280 wide, folded and unfolded, and sheets
A4 = {"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": True, "printBackground": True}
LEAST_LETTERS = 11  # pixels

HEIGHT = "document.documentElement.scrollHeight"
UNFOLD = "document.querySelectorAll('details').forEach(fold => fold.open = true)"

# Elements that stick out of the window, and tables wider than their box.
WIDE = """
Array.from(document.querySelectorAll('body *')).filter(one => {
  if (one.closest('.verdict h2, svg')) return false;
  const box = one.getBoundingClientRect();
  return box.width > 0 && box.right > document.documentElement.clientWidth + 1;
}).slice(0, 5).map(one => one.outerHTML.slice(0, 120))
"""
CUT = """
Array.from(document.querySelectorAll('.table')).filter(box => box.scrollWidth > box.clientWidth + 1)
  .map(box => box.querySelector('table').id)
"""

# Letters in figures are outlines of 100 units, scaled to their size.
LETTERS = """
(() => {
  const shown = Array.from(document.querySelectorAll('svg.picture')).filter(one => one.getBoundingClientRect().width);
  return shown.flatMap(svg => {
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    const sizes = Array.from(svg.querySelectorAll('g[id*=text_] g[transform*="scale("]'))
      .map(one => 100 * scale * parseFloat(one.getAttribute('transform').match(/scale\\(([0-9.]+)/)[1]));
    return [[svg.closest('figure').id, sizes.length ? Math.min(...sizes) : 0]];
  });
})()
"""
OUTSIDE = """
Array.from(document.querySelectorAll('svg.picture')).filter(one => one.getBoundingClientRect().width).flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  return Array.from(svg.querySelectorAll('g[id*=text_]')).filter(one => {
    const box = one.getBoundingClientRect();
    return box.width && (box.left < frame.left - 2 || box.right > frame.right + 2);
  }).map(one => svg.closest('figure').id + ' ' + one.id);
})
"""
TOUCHING = """
Array.from(document.querySelectorAll('svg.picture')).filter(one => one.getBoundingClientRect().width).flatMap(svg =>
  Array.from(svg.querySelectorAll('g[id*=matplotlib\\\\.axis_]')).flatMap(axis => {
    const boxes = Array.from(axis.querySelectorAll('g[id*=tick_] g[id*=text_]'))
      .map(one => one.getBoundingClientRect()).filter(box => box.width);
    return boxes.flatMap((one, i) => boxes.slice(i + 1).filter(other =>
      one.left < other.right - 1 && other.left < one.right - 1 &&
      one.top < other.bottom - 1 && other.top < one.bottom - 1).map(() => svg.closest('figure').id + ' ' + axis.id));
  }))
"""
CARDS = """
Array.from(document.querySelectorAll('svg.card')).flatMap(svg => {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return Array.from(svg.querySelectorAll('text')).map(one => scale * parseFloat(one.getAttribute('font-size')));
})
"""


@pytest.fixture(scope="module", params=["wave", *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report_of(request.param, tmp_path_factory, complete=request.param in OTHERS)


def pages(folder: Path) -> list[Path]:
    return [folder / name for name in (PAGE, PLAYER_PAGE) if (folder / name).exists()]


def drawings(folder: Path, page: Path) -> tuple[list[str], int]:
    """The names of a page's figures, and its number of drawn positions."""
    parts = [part for part in json.loads((folder / DATA).read_text())["parts"] if part["page"] == page.name]
    blocks = [block for part in parts for section in part["sections"] for block in every_block(section["blocks"])]
    figures = [block["name"] for block in blocks if block["kind"] == "figure"]
    return figures, sum(block["kind"] == "position" for block in blocks)


@pytest.mark.parametrize("width", [1280, 390])
def test_report_fits_the_window(browser: Browser, folder: Path, width: int) -> None:
    for page in pages(folder):
        assert page.stat().st_size < MOST_BYTES
        browser.open(page, width)
        assert browser.complaints() == []
        assert browser.requests() == [page.resolve().as_uri()]
        assert browser.ask("document.images.length + document.scripts.length") == 0
        assert browser.ask(
            "Array.from(document.querySelectorAll('nav a[href^=\"#\"]')).every(a => document.querySelector(a.hash))"
        )
        assert width < 1280 or browser.ask(HEIGHT) <= OPENS
        browser.ask(UNFOLD)
        assert width < 1280 or browser.ask(HEIGHT) <= UNFOLDED
        assert browser.ask("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert browser.ask(WIDE) == []
        assert browser.ask(CUT) == []
        assert browser.ask(OUTSIDE) == []
        assert browser.ask(TOUCHING) == []
        figures, positions = drawings(folder, page)
        letters = browser.ask(LETTERS)
        assert sorted(name for name, _ in letters) == sorted(f"figure-{name}" for name in figures)
        assert [one for one in letters if one[1] < LEAST_LETTERS] == []
        assert browser.ask("document.querySelectorAll('.position').length") == positions
        assert all(size >= LEAST_LETTERS - 0.01 for size in browser.ask(CARDS))


def test_everything_unfolds_without_a_script(browser: Browser, folder: Path) -> None:
    browser.open(folder / PAGE, 1280)
    before = browser.ask(HEIGHT)
    browser.ask("document.querySelector('#everything').click()")
    assert browser.ask(HEIGHT) > before + 500


def test_pages_fit_on_paper(browser: Browser, folder: Path) -> None:
    for page in pages(folder):
        browser.open(page, 680)  # the width of an A4 sheet without margins
        browser.call("Emulation.setEmulatedMedia", media="print")
        assert browser.ask("getComputedStyle(document.querySelector('nav')).display") == "none"
        browser.ask(UNFOLD)
        assert browser.ask(WIDE) == []
        assert browser.ask(CUT) == []
        browser.call("Emulation.setEmulatedMedia", media="")
        browser.open(page, 1280)
        paper = base64.b64decode(browser.call("Page.printToPDF", **A4)["data"])
        assert 1 <= len(re.findall(rb"/Type\s*/Page[^s]", paper)) <= SHEETS
