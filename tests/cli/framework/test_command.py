"""The factory of commands: every command is made by it, and options of the same meaning are the same."""

from __future__ import annotations

import inspect
import signal
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from houle.analysis.stats.estimate import MISSING, PERCENT, POINTS, Estimate
from houle.cli.framework import text
from houle.cli.framework.progress import GamesProgress, StudyProgress
from houle.cli.framework.streams import Interrupted
from houle.cli.main import COMMANDS
from houle.cli.main import houle as program
from tests.support.call import call, good

pytestmark = pytest.mark.quick


def every_command() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(program)
    for name in COMMANDS:
        command = program.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {part}", one) for part, one in command.commands.items())
        else:
            yield name, command


def options_of(command: click.Command) -> dict[str, click.Parameter]:
    return {name: option for option in command.params for name in option.opts}


def test_every_command_is_a_function_of_a_call() -> None:
    for name, command in every_command():
        assert next(iter(inspect.signature(inspect.unwrap(command.callback)).parameters)) == "call", name


def test_equal_options_have_equal_names_and_types() -> None:
    kinds: dict[str, set[object]] = {}
    for _, command in every_command():
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


@pytest.mark.compiled
def test_dry_run_counts_games_of_an_analysis() -> None:
    lines = good("strength", "wave", "-s", "random,thumb", "-n", "20", "--dry-run").splitlines()
    assert lines[0].startswith("WAVE, 3 players, base game")
    assert "thumb" in lines[1]
    assert int(lines[-1].partition(" games, about ")[0].replace(",", "")) > 20


def test_ctrl_c_in_a_run_that_keeps_nothing() -> None:
    with pytest.raises(Interrupted, match="before there was a result"), GamesProgress(10, silent=True):
        raise KeyboardInterrupt


def test_a_study_stops_at_the_second_signal() -> None:
    with StudyProgress(silent=True) as watch:
        signal.raise_signal(signal.SIGTERM)
        assert watch.stopping()
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGTERM)


def test_files_are_checked_before_anything_else(tmp_path: Path) -> None:
    result = call("advise", "wave", "--from", "7/3/5", "-o", str(tmp_path / "file.xyz"))
    assert result.exit_code == 2
    assert result.stderr.startswith("houle: -o: ")
