"""The progress bar, for long runs in a terminal only; the factory of commands, and tables of text."""

from __future__ import annotations

import inspect
import io
import os
import pty
import re
import select
import subprocess
import sys

import click
import pytest

from houle.analysis.players.line_ups import line_up, setup
from houle.analysis.run_options import RunSpec, Watch
from houle.analysis.sampling.plan import Plan, work_of
from houle.analysis.stats.estimate import MISSING, PERCENT, POINTS, Estimate
from houle.cli.framework import progress, text
from houle.cli.framework.progress import GamesProgress
from houle.cli.framework.streams import Interrupted
from houle.solver.compiler import kernels
from tests.fuzz.cases import commands
from tests.support.call import PATIENCE, call

pytestmark = pytest.mark.quick


class Terminal(io.StringIO):
    """A stderr that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def watched(monkeypatch: pytest.MonkeyPatch, seconds: float, silent: bool = False) -> str:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with GamesProgress(1_000_000, silent) as watch:
        for part in (0.3, 0.6):
            watch(int(1_000_000 * part), seconds * part)
        for listener in kernels.announce:
            listener("play_random", "sea_change")
    return terminal.getvalue()


def test_long_runs_get_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    text = watched(monkeypatch, seconds=20)
    assert "50,000 games/s" in text
    assert "compiling sea-change for this machine" in text


def test_known_results_are_shown_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each once and in order, also those that were known before there was a bar; without a terminal none."""
    for silent, shown in ((False, 1), (True, 0)):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        with GamesProgress(1_000_000, silent) as watch:
            watch.tell("random wins 0.4%, 4,000 deals")
            assert "random" not in terminal.getvalue()
            watch(300_000, 6.0)
            watch.tell("family wins 19.7%, 4,000 deals")
            watch(600_000, 12.0)
        lines = [terminal.getvalue().count(f"{name} wins") for name in ("random", "family")]
        assert lines == [shown, shown]
        assert silent or terminal.getvalue().index("random wins") < terminal.getvalue().index("family wins")


def test_bar_shows_share_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """60,000 quick games are next to nothing beside 400 that search."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    wave = setup("wave")
    quick, search = line_up(wave, "thumb"), line_up(wave, "flat:50")
    plan = Plan.of(("", [quick], 60_000), ("search", [search], 400))
    with GamesProgress(10, False) as shown:
        spec = RunSpec(progress=shown)
        spec.begin(plan)
        spec.begin(Plan.of(("", [quick], 60_000)))  # a part of the run
        assert isinstance(spec.progress, Watch)
        spec.progress(60_000, 20.0, 60_000 * work_of(quick))
        first = shown._bar.tasks[0].percentage
        spec.progress.end(60_000, 20.0, 60_000 * work_of(quick))
        spec.progress(200, 20.0, 200 * work_of(search), "search")
        assert first < 50
        assert 2 * shown._bar.tasks[0].percentage == pytest.approx(100 + first)
        assert (shown.games, shown.doing) == (60_400, "search")
        assert shown._bar.tasks[0].fields["words"].startswith("60,200 of 60,400")


def test_short_and_silent_runs_get_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "games/s" not in watched(monkeypatch, seconds=1.5)
    assert watched(monkeypatch, seconds=20, silent=True) == ""
    assert kernels.announce == []


def test_compiling_is_announced_once_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """With how long it takes; not with --json or --quiet."""
    for silent, lines in ((False, 1), (True, 0)):
        with GamesProgress(10, silent):
            for entry in ("play_random", "play_games"):
                for listener in kernels.announce:
                    listener(entry, "sea_change")
        said = capsys.readouterr().err.splitlines()
        assert len(said) == lines
        assert all(re.search(r"compiling sea-change .* about \d.* left", line) for line in said)


def test_compiling_what_games_share_has_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    with GamesProgress(10, silent=False):
        for listener in kernels.announce:
            listener("derive", "")
    assert capsys.readouterr().err == "compiling what games share for this machine, only once\n"


@pytest.mark.compiled
def test_nothing_on_stderr_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even of a run so long that a terminal would see a bar."""
    monkeypatch.setattr(progress, "LONG", 0.0)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    result = call("simulate", "wave", "-n", "1000")
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.compiled
def test_a_real_terminal_sees_rate_and_time_left() -> None:
    """The bar opens after the first chunk; what it shows last is always drawn."""
    leader, follower = pty.openpty()
    code = "from houle.cli import main; from houle.cli.framework import progress; "
    code += "progress.LONG = progress.PATIENCE = 0.0; main.main()"
    command = [sys.executable, "-c", code, "simulate", "wave", "-n", "2k", "-j", "1"]
    wide = {**os.environ, "COLUMNS": "160"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=follower, env=wide)
    os.close(follower)
    seen = b""
    try:
        while select.select([leader], [], [], PATIENCE)[0]:
            try:
                part = os.read(leader, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            seen += part
        assert process.wait(PATIENCE) == 0
    finally:
        os.close(leader)
        process.kill()
        process.wait()
    assert b"games/s" in seen
    assert b"of 2,000" in seen
    assert re.search(rb"about .* left", seen)


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
        {"side": "seat 0", "n": 1200, "win": Estimate(0.308, 0.304, 0.313, n=9, unit=PERCENT), "more": MISSING},
        {
            "side": "seat 1",
            "n": 7,
            "win": Estimate(0.5, 0.4, 0.6, n=9, unit=PERCENT),
            "more": Estimate(0.1, 0, 0.2, n=9, unit=POINTS),
        },
    ]
    shown = text.table(rows, [("who", lambda row: row["side"]), ("games", "n"), ("wins", "win"), ("more", "more")])
    assert shown.splitlines() == [
        "who     games  wins                  more",
        "seat 0  1,200  30.8% (30.4 to 31.3)",
        "seat 1      7  50% (40 to 60)        +10 points (0 to +20)",
    ]
    assert text.table([Interrupted("kept", 3)], [("code", "code")]) == "code\n   3"


def test_teams_and_seats_count_from_one() -> None:
    row = {"win": Estimate(0.5, 0.4, 0.6, n=100, unit=PERCENT), "score": Estimate(12, 11, 13, 100)}
    sides = [{"side": f"team {team}", "seats": [team, team + 2], **row} for team in (0, 1)]
    shown = text.sides_table(sides, "points").splitlines()[-2:]
    assert [" ".join(line.split()[:4]) for line in shown] == ["team 1 1, 3", "team 2 2, 4"]


def test_slow_games_have_seconds_per_game() -> None:
    assert [text.speed(rate) for rate in (0, 0.25, 1, 1234.5)] == [
        "0 games per second",
        "4.0 seconds per game",
        "1 game per second",
        "1,234 games per second",
    ]
