"""Every command and every Python block of the guides runs, with few games.

tests/examples/test_tutorial.py tests docs/adding-a-game.md.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.support.call import call

pytestmark = pytest.mark.quick

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ["tutorial.md", "questions.md", "asking.md", "batches.md", "reports.md"]
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)

# Fewer games than the pages ask for.
FEWER = (
    (r"-n \S+", "-n 40"),
    (r"--budget \S+", "--budget 4000"),
    (r"(advise .*?)( --certain|$)", r"\1 --worlds 8"),
    (r"flat:\d+ -n \d+", "flat:20 -n 2"),
    (r"-v base -v virage -p 3 --effort", "-v base -p 3 --effort"),
    (r" -v base -v virage -v tide-colours", " -v base -v virage"),
)
SLOW = ("houle report ", "houle design ", "houle difficulty ")
STUDY = ('name = "Cards in front"', "games = 1_000_000", "games = 50")


def blocks(page: str) -> list[tuple[str, str]]:
    return BLOCK.findall((DOCS / page).read_text())


def commands(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("houle ")]


def run_page(page: str, slow: bool) -> int:
    """Runs the commands of a page in order, in the working folder; returns how many there are."""
    done = 0
    file = ""
    for kind, text in blocks(page):
        if kind == "toml":
            name = "study.toml" if STUDY[0] in text else file
            Path(name).write_text(text.replace(STUDY[1], STUDY[2]))
        for line in commands(text) if kind == "sh" else ():
            if line.startswith(SLOW) and not slow:
                continue
            for pattern, fewer in FEWER:
                line = re.sub(pattern, fewer, line)
            words = shlex.split(line, comments=True)[1:]
            result = call(*words)
            assert result.exit_code == 0, f"{line}\n{result.output}"
            assert result.output.strip() or Path(words[words.index("-o") + 1]).stat().st_size, line
            if "--write" in words:
                file = words[words.index("--write") + 1]
            done += 1
    return done


@pytest.mark.compiled
@pytest.mark.parametrize("page", ["tutorial.md", "asking.md", "batches.md"])
def test_quick_commands_of_a_page_work(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if page == "batches.md":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed (houle[parquet])")
    assert run_page(page, slow=False) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_all_commands_of_a_page_work(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if page == "reports.md":  # it reports on the study of the page on studies
        run_page("batches.md", slow=False)
    assert run_page(page, slow=True) >= 2


def test_pages_have_many_commands() -> None:
    assert sum(len(commands(text)) for page in PAGES for kind, text in blocks(page) if kind == "sh") > 30


@pytest.mark.compiled
@pytest.mark.parametrize("page", ["batches.md", "learning.md"])
def test_python_of_a_page_works(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page == "learning.md":
        pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (houle[rl])")
    monkeypatch.chdir(tmp_path)
    for kind, text in blocks(page):
        if kind == "toml" and STUDY[0] in text:
            Path("study.toml").write_text(text.replace(STUDY[1], STUDY[2]))
        if kind == "python":
            exec(compile(text, page, "exec"), {})


def test_every_page_with_commands_is_run() -> None:
    """Each page with commands is in PAGES or has its own test."""
    own_test = {"adding-a-game.md", "designing.md", "playing.md", "studio.md"}
    pages = {path.name for path in DOCS.glob("*.md") if any(kind == "sh" for kind, _ in blocks(path.name))}
    assert pages - own_test <= set(PAGES)
