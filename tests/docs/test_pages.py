"""Documentation files: generated pages are up to date, links work, no path of a machine is named."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import pictures

pytestmark = pytest.mark.quick

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
def made() -> dict[Path, str]:
    """All generated pages, made in another process as by `make pages`: other tests register games and change widths."""
    code = (
        "import json; from tools.pages import pages; print(json.dumps({str(p): text for p, text in pages().items()}))"
    )
    env = {name: value for name, value in os.environ.items() if not name.startswith(("HOULE_", "COLUMNS", "LINES"))}
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return {Path(path): text for path, text in json.loads(run.stdout).items()}


@pytest.mark.compiled
def test_generated_pages_are_up_to_date(made: dict[Path, str]) -> None:
    assert len(made) > 8
    listed = set((DOCS / "reference" / "commands").glob("*.md"))
    assert listed <= made.keys(), "pages of commands that are gone"
    stale = [str(path.relative_to(ROOT)) for path, text in made.items() if path.read_text() != text]
    assert not stale, f"run `make pages` for {', '.join(stale)}"


@pytest.mark.compiled
def test_game_pages_have_the_same_sections(made: dict[Path, str]) -> None:
    heads = {
        path.name: re.findall(r"^## (.*)$", text, re.MULTILINE)
        for path, text in made.items()
        if path.parent.name == "games"
    }
    assert len(heads) == 5
    assert len({tuple(sections) for sections in heads.values()}) == 1, heads


GENERATED = {"almanac.md", "coverage.md", "games", "strength.md", "reference", "commands"}
MEASURED = re.compile(r"\d%? \(-?\d[\d.]* to -?\d")
# Pages from help texts, and method pages about other players, name families without saying what they win.
OTHER_SUBJECTS = {"commands", "contributing", "python.md", "strength.md", "people.md"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_can_be_followed(page: Path) -> None:
    """Its links lead to files, it names no path of a machine, and says when and by what its numbers were measured."""
    text = page.read_text()
    words, folders = CODE.sub("", text), set(page.relative_to(ROOT).parts)
    for target in LINK.findall(words):
        if not re.match(r"https?:|#|mailto:", target):
            assert (page.parent / target.partition("#")[0]).exists(), f"{page.name}: {target}"
    assert not FOREIGN.findall(text)
    if MEASURED.search(text) and not {page.name, page.parent.name} & GENERATED:
        assert re.search(r"\b20\d\d-\d\d-\d\d\b", text), "measured when?"
        assert re.search(r"houle [a-z]+ |python -m ", text), "measured by which command?"
    if re.search(r"\bfamil(?:y|ies)\b", words, re.IGNORECASE) and not OTHER_SUBJECTS & folders:
        assert "people.md" in text, "say that families are simulated: link to method/people.md"


NAMED = re.compile(
    r"(?<![\w/.-])(?:solver|analysis|reports|cli|tools|tests|houle|docs|examples)/[\w./-]*?(?:/|\.\w+)(?![\w<./-])"
)


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "SECURITY.md", *DOCS.glob("contributing/*.md")], ids=str)
def test_named_files_exist(page: str) -> None:
    """What pages for contributors name; `<game>` and `GAME` stand for any game."""
    text = (ROOT / page).read_text(encoding="utf-8").replace("<game>", "wave").replace("GAME", "wave")
    assert [name for name in sorted(set(NAMED.findall(text))) if not (ROOT / name).exists()] == []


def test_architecture_names_every_package() -> None:
    text = (DOCS / "contributing" / "architecture.md").read_text(encoding="utf-8").partition("## ")[0]
    packages = [
        path.parent.name
        for part in ("solver", "analysis", "reports", "cli")
        for path in ROOT.glob(f"{part}/*/__init__.py")
    ]
    assert len(packages) > 20
    assert [name for name in packages if f"{name}/" not in text] == []


def test_readme_begins_with_one_screen() -> None:
    """What it is in two sentences, a picture, two commands to begin with and three to use."""
    head = (ROOT / "README.md").read_text().partition("\n## ")[0]
    assert len(head.splitlines()) <= 30
    assert len(re.findall(r"^!\[", head, re.MULTILINE)) == 1
    assert re.findall(r"^make (\w+)", head, re.MULTILINE) == ["demo", "test"]
    assert len(re.findall(r"^houle \w+ wave", head, re.MULTILINE)) == 3


GUIDES = sorted((DOCS / "guides").glob("*.md"))
PICTURE = re.compile(r"!\[([^\]]+)\]\(\.\./pictures/([^)]+)\)")


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_every_guide_shows_a_small_picture_with_words(guide: Path) -> None:
    """The guide for learners shows a program, which has nothing to look at."""
    shown = PICTURE.findall(guide.read_text())
    assert shown or guide.stem == "learners"
    for words, name in shown:
        assert len(words.split()) >= 4, "what does the picture show?"
        assert (DOCS / "pictures" / name).stat().st_size < 200_000
        assert Path(name).stem in pictures.NAMES, "make it in tools/pictures.py"


def test_every_page_is_two_clicks_from_the_front() -> None:
    front = {(DOCS / target).resolve() for target in LINK.findall((DOCS / "index.md").read_text())}
    second = {
        (page.parent / target.partition("#")[0]).resolve()
        for page in front
        if page.exists()
        for target in LINK.findall(CODE.sub("", page.read_text()))
    }
    pages = {page.resolve() for page in PAGES if DOCS in page.parents and page.name != "index.md"}
    assert not {str(page.relative_to(DOCS)) for page in pages - front - second}


def test_guides_import_only_public_names() -> None:
    """What a guide tells readers to import must stay: `houle` and `houle.own_game`."""
    private = re.compile(r"^\s*(?:from|import) (houle\.(?!own_game\b)[\w.]+)", re.MULTILINE)
    guides = [*(DOCS / "guides").rglob("*.md"), *(DOCS / "tutorials").rglob("*.md"), ROOT / "README.md"]
    assert {path.name: found for path in guides if (found := private.findall(path.read_text(encoding="utf-8")))} == {}
