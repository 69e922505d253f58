"""Every command and every Python block of the tutorial and the guides runs, with few games.

HOULE_IN_FULL=1 plays as many games as the pages say, in the slow tests.
tests/examples/test_tutorial.py tests docs/guides/own-game.md.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import click
import pytest

from houle.cli.main import houle as program
from tests.support.call import call

pytestmark = pytest.mark.quick

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
ELSEWHERE = {"guides/own-game.md"}  # has a test of its own
SERVERS = ("play", "studio")  # serve a page until they are stopped: tests/cli/play and tests/cli/studio run them

# Fewer games than the pages ask for.
FEWER = (
    (r"(houle design .*?)( -n \S+| --budget \S+)?$", r"\1 --games 4000"),
    (r"(--cards) -n \S+", r"\1 --games 6000"),
    (r"(players .*--fit .*?)( -n \S+)?$", r"\1 --games 100"),
    (r"-n \S+", "-n 40"),
    (r"(advise .*?)$", r"\1 --worlds 8"),
    (r"flat:\d+ -n \d+", "flat:20 -n 2"),
    (r" -v base -v virage -v tide-colours", " -v base -v virage"),
    (r"games = 1_000_000", "games = 50"),
)
SLOW = ("report", "design", "difficulty", "players")
FOLDERS = ("start", "guides", "method", "contributing")
QUICK_PAGES = ("start/first-variant.md", "guides/advice.md", "guides/batches.md")


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def commands(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("houle ")]


def fewer(text: str) -> str:
    for pattern, few in () if os.environ.get("HOULE_IN_FULL") else FEWER:
        text = re.sub(pattern, few, text)
    return text


PAGES = [
    str(path.relative_to(DOCS))
    for folder in ("start", "guides")
    for path in sorted((DOCS / folder).glob("*.md"))
    if "```sh\nhoule " in path.read_text(encoding="utf-8") and str(path.relative_to(DOCS)) not in ELSEWHERE
]
COMMANDS = [
    (str(path.relative_to(DOCS.parent)), re.split(r"  +", line)[0])  # the README says beside a command what it does
    for path in [DOCS.parent / "README.md", *(page for name in FOLDERS for page in sorted((DOCS / name).glob("*.md")))]
    for _, text in BLOCK.findall(path.read_text(encoding="utf-8"))
    for line in commands(text)
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and another for what houle remembers."""
    for name in ("HOULE_STATE_DIR", "HOULE_CONFIG_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def write_file(page: str, block: re.Match[str]) -> None:
    """Writes a block of a page into the file that the text before it names."""
    kind, lines = block.groups()
    names = re.findall(rf"[\w-]+\.{kind}", block.string[: block.start()])
    assert names, f"{page} does not say what the file is called"
    Path(names[-1]).write_text(fewer(lines))


def run_page(page: str, slow: bool) -> int:
    """Runs the commands of a page in order; returns how many there are."""
    done = 0
    for block in BLOCK.finditer(text_of(page)):
        kind, lines = block.groups()
        if kind in ("toml", "csv"):
            write_file(page, block)
        for line in commands(lines) if kind == "sh" else ():
            words = shlex.split(fewer(line), comments=True)[1:]
            if words[0] in SERVERS or (words[0] in SLOW and not slow):
                continue
            result = call(*words)
            assert result.exit_code == 0, f"{line}\n{result.output}"
            assert result.output.strip() or Path(words[words.index("-o") + 1]).stat().st_size, line
            done += 1
    return done


@pytest.mark.compiled
@pytest.mark.parametrize("page", QUICK_PAGES)
def test_quick_commands_of_a_page_work(page: str) -> None:
    if page == "guides/batches.md":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed (houle[parquet])")
    assert run_page(page, slow=False) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if page != "guides/studio.md"])
def test_all_commands_of_a_page_work(page: str) -> None:
    assert run_page(page, slow=True) >= 1


def read_command(line: str) -> None:
    """Reads a command line without running it; an error if it has an option that the program lacks."""
    context = click.Context(program)
    name, *words = program.make_parser(context).parse_args(shlex.split(line, comments=True)[1:])[1]
    command = program.get_command(context, name)
    assert command is not None, line
    while isinstance(command, click.Group):
        name, *words = words
        command = command.get_command(context, name)
        assert command is not None, line
    command.make_parser(click.Context(command, parent=context)).parse_args(words)


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=[line for _, line in COMMANDS])
def test_options_of_commands_exist(page: str, line: str) -> None:
    read_command(line)


def test_guides_have_many_commands() -> None:
    assert len(COMMANDS) > 40


@pytest.mark.compiled
@pytest.mark.parametrize("page", ["guides/batches.md", "guides/learners.md"])
def test_python_of_a_page_works(page: str) -> None:
    for kind, text in BLOCK.findall(text_of(page)):
        if kind == "toml":
            Path("study.toml").write_text(fewer(text))
        if kind == "python":
            exec(compile(text, page, "exec"), {})


def test_guides_are_short() -> None:
    """A guide answers one question in at most 700 words beside its code."""
    pages = sorted((DOCS / "guides").glob("*.md"))
    words = {path.name: len(BLOCK.sub("", path.read_text(encoding="utf-8")).split()) for path in pages}
    assert not {name: count for name, count in words.items() if count > 700}
