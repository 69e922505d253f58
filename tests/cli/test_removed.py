"""Commands that are gone: each prints one line that says what to type now."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.cli import removed
from houle.cli.commands.study import study
from houle.cli.main import COMMANDS
from tests.support.call import call

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("name", removed.COMMANDS)
def test_removed_command_names_one_that_exists(name: str) -> None:
    result = call(name, "land-unter", "-p", "3")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    before, _, instead = result.stderr.strip().partition(": houle ")
    assert before.startswith(f"houle: `{name}` is now ")
    command, game, *_ = instead.split()
    assert command in COMMANDS
    assert game == "land-unter"


def test_page_for_users_names_every_removed_command() -> None:
    page = (Path(__file__).parents[2] / "docs" / "start" / "from-0-4.md").read_text(encoding="utf-8")
    for name, line in removed.COMMANDS.items():
        (row,) = (row for row in page.splitlines() if f"`houle {name} " in row)
        assert f"`{line.partition(': ')[2].replace('GAME', 'wave')}`" in row, name


@pytest.mark.parametrize(("name", "line"), removed.STUDY.items())
def test_removed_command_of_a_study(name: str, line: str) -> None:
    assert call("study", name, "study.db", "--json").stderr == f"houle: `study {name}` {line}\n"
    instead = line.partition(": ")[2]
    assert instead.split()[2] in study.commands
    page = (Path(__file__).parents[2] / "docs" / "start" / "from-0-4.md").read_text(encoding="utf-8")
    (row,) = (row for row in page.splitlines() if f"`houle study {name} " in row)
    assert f"`{instead}`" in row


def test_removed_command_without_a_game() -> None:
    assert call("endings").stderr == "houle: `endings` is now part of `balance`: houle balance GAME\n"
    assert "houle balance GAME" in call("endings", "--json").stderr
