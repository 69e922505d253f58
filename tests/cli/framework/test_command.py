"""The factory of commands: every command is made by it, options of the same meaning are the same; tables of text."""

from __future__ import annotations

import inspect
from pathlib import Path

import click
import pytest

from houle.analysis.stats.estimate import MISSING, PERCENT, POINTS, Estimate
from houle.cli.framework import text
from houle.cli.framework.streams import Interrupted
from tests.fuzz.cases import commands
from tests.support.call import call

pytestmark = pytest.mark.quick


def options_of(command: click.Command) -> dict[str, click.Parameter]:
    return {name: option for option in command.params for name in option.opts}


def test_every_command_is_a_function_of_a_call() -> None:
    for name, command in commands():
        assert next(iter(inspect.signature(inspect.unwrap(command.callback)).parameters)) == "call", name


def test_equal_options_have_equal_names_and_types() -> None:
    kinds: dict[str, set[object]] = {}
    for _, command in commands():
        for name, option in options_of(command).items():
            if name in ("--seed", "--threads", "--json", "--quiet", "--dry-run"):
                kinds.setdefault(name, set()).add((type(option.type), option.name, option.metavar))
    assert {name: len(some) for name, some in kinds.items()} == dict.fromkeys(kinds, 1)


def test_a_table_picks_keys_attributes_and_functions() -> None:
    rows = [
        {"side": "seat 0", "n": 1200, "win": Estimate(0.308, 0.304, 0.313, 9, PERCENT), "more": MISSING},
        {
            "side": "seat 1",
            "n": 7,
            "win": Estimate(0.5, 0.4, 0.6, 9, PERCENT),
            "more": Estimate(0.1, 0, 0.2, 9, POINTS),
        },
    ]
    shown = text.table(rows, [("who", lambda row: row["side"]), ("games", "n"), ("wins", "win"), ("more", "more")])
    assert shown.splitlines() == [
        "who     games  wins                  more",
        "seat 0  1,200  30.8% (30.4 to 31.3)",
        "seat 1      7  50% (40 to 60)        +10 points (0 to +20)",
    ]
    assert text.table([Interrupted("kept", 3)], [("code", "code")]) == "code\n   3"


def test_files_are_checked_before_anything_else(tmp_path: Path) -> None:
    result = call("advise", "wave", "--from", "7/3/5", "-o", str(tmp_path / "file.xyz"))
    assert result.exit_code == 2
    assert result.stderr.startswith("houle: -o: ")


def test_teams_and_seats_count_from_one() -> None:
    row = {"win": Estimate(0.5, 0.4, 0.6, 100, PERCENT), "score": Estimate(12, 11, 13, 100)}
    sides = [{"side": f"team {team}", "seats": [team, team + 2], **row} for team in (0, 1)]
    shown = text.sides_table(sides, "points").splitlines()[-2:]
    assert [" ".join(line.split()[:4]) for line in shown] == ["team 1 1, 3", "team 2 2, 4"]


def test_slow_games_have_seconds_per_game() -> None:
    assert [text.speed(rate) for rate in (0, 0.25, 1, 1234.5)] == [
        "0 games per second", "4.0 seconds per game", "1 game per second", "1,234 games per second",
    ]  # fmt: skip
