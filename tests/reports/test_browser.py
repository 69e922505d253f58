"""Every report opened in a real browser, at a desk and on a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from houle.reports.html.write import DATA, PAGE
from tests.support.browser import NAMES, Browser, browsing, chromium
from tests.support.made_reports import GAMES, report_of

WHY = f"no browser: none of {', '.join(NAMES)} is installed (Debian: apt-get install chromium)"
MOST_BYTES = 5_000_000

# Elements that stick out of the window and are in no box that scrolls.
WIDE = """
Array.from(document.querySelectorAll('body *')).filter(one => {
  if (one.closest('.table, .frame, .verdict h2')) return false;
  const box = one.getBoundingClientRect();
  return box.width > 0 && box.right > document.documentElement.clientWidth + 1;
}).slice(0, 5).map(one => one.outerHTML.slice(0, 120))
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip(WHY)
    with browsing(path) as found:
        yield found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("width", [1280, 390])
def test_a_report_in_a_browser(
    browser: Browser, game: str, width: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = report_of(game, tmp_path_factory)
    page = folder / PAGE
    assert page.stat().st_size < MOST_BYTES
    browser.open(page, width)
    assert browser.complaints() == []
    assert browser.requests() == [page.resolve().as_uri()]
    assert browser.ask("document.documentElement.clientWidth") <= width
    assert browser.ask("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert browser.ask(WIDE) == []
    data = json.loads((folder / DATA).read_text())
    blocks = [block for part in data["parts"] for section in part["sections"] for block in section["blocks"]]
    for block in blocks:
        if block["kind"] == "figure":
            size = f"document.querySelector('#figure-{block['name']} svg').getBoundingClientRect()"
            assert browser.ask(f"{size}.width > 200 && {size}.height > 80"), block["name"]
    positions = sum(block["kind"] == "position" for block in blocks)
    assert browser.ask("document.querySelectorAll('.position').length") == positions
    assert browser.ask("document.images.length + document.scripts.length") == 0
    assert browser.ask("Array.from(document.querySelectorAll('nav a')).every(a => document.querySelector(a.hash))")


def test_pages_are_made_for_paper_too(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> None:
    page = report_of("wave", tmp_path_factory) / PAGE
    browser.open(page, 1280)
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.ask("getComputedStyle(document.querySelector('nav')).display") == "none"
    paper = browser.call("Page.printToPDF", printBackground=True)["data"]
    browser.call("Emulation.setEmulatedMedia", media="")
    assert len(paper) > 10_000
