"""The progress bar: for long runs in a terminal only."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from houle.cli.framework.progress import GamesProgress
from houle.solver import kernels
from tests.support.call import spawn


class Terminal:
    """A stderr that says it is a terminal."""

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None: ...


def watched(monkeypatch: pytest.MonkeyPatch, seconds: float, silent: bool = False) -> str:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with GamesProgress(1_000_000, silent) as watch:
        for part in (0.3, 0.6):
            watch(int(1_000_000 * part), seconds * part)
        for listener in kernels.announce:
            listener("play_random", "sea_change")
    return terminal.text


def test_long_runs_get_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    text = watched(monkeypatch, seconds=20)
    assert "50,000 games/s" in text
    assert "compiling play_random for sea-change" in text


def test_short_and_silent_runs_get_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "games/s" not in watched(monkeypatch, seconds=1.5)
    assert watched(monkeypatch, seconds=20, silent=True) == ""
    assert kernels.announce == []


def test_nothing_on_stderr_without_a_terminal() -> None:
    done = spawn("simulate", "wave", "-n", "1000")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_real_terminal_sees_rate_and_time_left() -> None:
    leader, follower = pty.openpty()
    code = "from houle.cli import main; from houle.cli.framework import progress; "
    code += "progress.LONG = progress.PATIENCE = 0.05; main.main()"
    command = [sys.executable, "-c", code, "simulate", "wave", "-n", "3M"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=follower)
    os.close(follower)
    seen = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        seen += part
    os.close(leader)
    assert process.wait() == 0
    assert b"games/s" in seen
    assert b"3000000" in seen
