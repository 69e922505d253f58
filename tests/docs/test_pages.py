"""The documentation as files: what is made is not stale, links lead somewhere, no place of one machine is named."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [
    *(path for path in sorted(DOCS.rglob("*.md")) if "_build" not in path.parts and "parts" not in path.parts),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
FOREIGN = re.compile(r"/(?:home|root|work|tmp|opt|Users)/|pypi\.org|127\.0\.0\.1|localhost", re.IGNORECASE)


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    """docs/generate.py, which is no part of the package."""
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_made_pages_are_not_stale() -> None:
    """Made in a process of its own, as `make pages` does it: tests leave games and widths behind."""
    code = "import json, generate; print(json.dumps({str(path): text for path, text in generate.pages().items()}))"
    env = {name: value for name, value in os.environ.items() if not name.startswith(("HOULE_", "COLUMNS", "LINES"))}
    run = subprocess.run([sys.executable, "-c", code], cwd=DOCS, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    made = {Path(path): text for path, text in json.loads(run.stdout).items()}
    assert len(made) > 8
    stale = [str(path.relative_to(ROOT)) for path, text in made.items() if path.read_text() != text]
    assert not stale, f"`make pages` writes them anew: {', '.join(stale)}"


def test_every_game_has_a_page_in_one_mould(generate: ModuleType) -> None:
    heads = {
        path.name: re.findall(r"^## (.*)$", text, re.MULTILINE)
        for path, text in generate.pages().items()
        if path.parent.name == "games"
    }
    assert len(heads) == 5
    assert len({tuple(found) for found in heads.values()}) == 1, heads


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    for target in LINK.findall(CODE.sub("", page.read_text())):
        if not re.match(r"https?:|#|mailto:", target):
            assert (page.parent / target.partition("#")[0]).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_place_of_one_machine_is_named(page: Path) -> None:
    assert not FOREIGN.findall(page.read_text())


MADE = ("almanac.md", "coverage.md", "games", "ladders.md", "reference")
BY_HAND = [page for page in PAGES if not {page.name, page.parent.name} & set(MADE)]
MEASURED = re.compile(r"\d%? \(-?\d[\d.]* to -?\d")


@pytest.mark.parametrize("page", BY_HAND, ids=lambda page: str(page.relative_to(ROOT)))
def test_numbers_that_are_not_made_have_a_date_and_a_command(page: Path) -> None:
    text = page.read_text()
    if MEASURED.search(text):
        assert re.search(r"\b20\d\d-\d\d-\d\d\b", text), "measured when?"
        assert re.search(r"houle [a-z]+ |python -m ", text), "measured by which command?"


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 130
