"""Every command prints what is kept of it, and every option is used in some line (docs/contributing/tests.md)."""

from __future__ import annotations

import difflib
import shlex
from pathlib import Path

import click
import pytest

from houle.cli.main import houle as program
from tests.pages.play import HERE, KIND, PYTHON, kept_at, lines_of, pages, played

# Pages that need no compiler play classes; those of kernels are played by `make test` only.
pytestmark = pytest.mark.quick if KIND == "plain" else pytest.mark.compiled

MOST_SHOWN = 100  # lines of a difference
MOST_KB = 1_500  # of all kept pages
ELSEWHERE = {  # options that no page can try, and why
    "check --bounds": "compiles the game again, for minutes",
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
    missing = set(options()) - used() - ELSEWHERE.keys()
    assert not missing, f"no line in tests/pages/lines uses {', '.join(sorted(missing))}"
    assert not ELSEWHERE.keys() & used()


@pytest.mark.quick
def test_kept_pages_are_those_of_the_lines() -> None:
    kept = {path.relative_to(HERE / "kept") for path in (HERE / "kept").rglob("*.txt")}
    assert kept == {path.relative_to(HERE / "lines") for path in (HERE / "lines").rglob("*.txt")}
    assert sum((HERE / "kept" / path).stat().st_size for path in kept) < MOST_KB * 1000


def options() -> dict[str, list[str]]:
    """Each option of each command by its longest name, with all its names: `compare --games`: -n, --games."""
    found = {}
    for path, command in commands(program):
        for param in command.params:
            if isinstance(param, click.Option) and param.name != "help":
                found[" ".join([*path, max(param.opts, key=len)])] = param.opts
    return found


def commands(group: click.Group, *path: str) -> list[tuple[tuple[str, ...], click.Command]]:
    """The program, its commands and theirs, each with its words."""
    context, found = click.Context(group), [(path, group)]
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        found += commands(command, *path, name) if isinstance(command, click.Group) else [((*path, name), command)]
    return found  # type: ignore[return-value]


def used() -> set[str]:
    """The options of all lines that are not refused."""
    names = {tuple(name.split(" ")[:-1]): {} for name in options()}  # type: ignore[var-annotated]
    for name, opts in options().items():
        names[tuple(name.split(" ")[:-1])] |= dict.fromkeys(opts, name)
    found = set()
    for kind in ("compiled", "plain"):
        for page in pages(kind):
            for line in lines_of(page, kind) if page != PYTHON else ():
                command: tuple[str, ...] = ()
                for word in () if line.startswith(("! ", "GET ", "POST ")) else shlex.split(line):
                    command = (*command, word) if (*command, word) in names else command
                    if word in names.get(command, {}):
                        found.add(names[command][word])
                    elif word in names[()]:
                        found.add(names[()][word])
    return found
