"""Every command prints what is kept of it, and every option is used in some line (docs/contributing/tests.md)."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from houle.cli.main import houle as program
from tests.pages.play import HERE, KIND, KINDS, PYTHON, kept_at, lines_of, pages, played

# Pages that need no compiler play classes; those of kernels are played by `make test` only.
pytestmark = pytest.mark.quick if KIND == "plain" else pytest.mark.compiled

MOST_SHOWN = 100  # lines of a difference
MOST_KB = 1_500  # of all kept pages
ELSEWHERE = {  # options that no page can try, and why
    "check --bounds": "compiles the game again, for minutes",
    "study run --cluster": "starts workers: tests/analysis/studies",
    "tune --save": "writes into the folder of the game: tests/cli/test_every_command.py",
}


@pytest.mark.parametrize("page", pages())
def test_page_is_as_kept(page: str, tmp_path: Path) -> None:
    kept, now = kept_at(page).read_text(encoding="utf-8"), played(page, tmp_path)
    if kept != now:
        diff = list(difflib.unified_diff(*(text.splitlines() for text in (kept, now)), "kept", "now", lineterm="", n=2))
        more = f"\n... {len(diff) - MOST_SHOWN} more lines" if len(diff) > MOST_SHOWN else ""
        shown = "\n".join([*diff[:MOST_SHOWN]]) + more
        pytest.fail(f"{kept_at(page).name}: `make kept` writes the pages anew\n{shown}", pytrace=False)


@pytest.mark.quick
def test_every_option_is_in_some_line() -> None:
    """In a line that is not refused: a list of refusals looks like coverage."""
    missing = {one for names in options().values() for one in names.values()} - used() - ELSEWHERE.keys()
    assert not missing, f"no line in tests/pages/lines uses {', '.join(sorted(missing))}"
    assert not ELSEWHERE.keys() & used()


@pytest.mark.quick
def test_kept_pages_are_those_of_the_lines() -> None:
    kept = {path.relative_to(HERE / "kept") for path in (HERE / "kept").rglob("*.txt")}
    assert kept == {path.relative_to(HERE / "lines") for path in (HERE / "lines").rglob("*.txt")}
    assert sum((HERE / "kept" / path).stat().st_size for path in kept) < MOST_KB * 1000


def options() -> dict[str, dict[str, str]]:
    """For each command the names of its options, `-n` and `--games`, each with the option: `compare --games`."""
    found = {}
    for path, command in commands(program):
        shown = [param for param in command.params if isinstance(param, click.Option) and not param.hidden]
        found[path] = {name: " ".join([*path.split(), max(one.opts, key=len)]) for one in shown for name in one.opts}
    return found


def commands(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """The program, its commands and theirs, each with its words."""
    yield path, group
    for name in group.list_commands(click.Context(group)):
        command, words = group.get_command(click.Context(group), name), f"{path} {name}".strip()
        assert command is not None
        yield from commands(command, words) if isinstance(command, click.Group) else [(words, command)]


def used() -> set[str]:
    """The options of all lines that are not refused."""
    known, found = options(), set()
    lines = [line for kind in KINDS for page in pages(kind) if page != PYTHON for line in lines_of(page, kind)]
    for line in lines:
        command = ""
        for word in () if line.startswith(("! ", "GET ", "POST ")) else shlex.split(line):
            command = longer if (longer := f"{command} {word}".strip()) in known else command
            found.add(known[command].get(word, known[""].get(word, "")))
    return found
