"""The site builds without a warning and every page opens in Chromium. Slow: `make docs-browser`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.browser import Browser

pytestmark = pytest.mark.browser

DOCS = Path(__file__).parents[2] / "docs"

pytest.importorskip("sphinx", reason="Sphinx is not installed (houle[docs])")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    words = ["-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(DOCS), str(out)]
    built = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return out


@pytest.mark.slow
@pytest.mark.parametrize("width", [1200, 400])
def test_every_page_opens_without_errors(site: Path, browser: Browser, width: int) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 25
    for page in pages:
        browser.open(page, width)
        assert browser.complaints() == [], page
        assert all(url.startswith("file:") for url in browser.requests()), page
        assert browser.ask("document.querySelector('h1, .search-results, #search-results') !== null"), page
        assert browser.ask("document.documentElement.scrollWidth <= window.innerWidth + 1"), f"{page} is too wide"
