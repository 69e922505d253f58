"""Ctrl-C in a long run: what is done is shown, with the command that repeats exactly that part."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time

import pytest

from houle.cli.framework.exits import Interrupted
from houle.cli.framework.progress import GamesProgress
from tests.support.call import good


def interrupted(*words: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "houle.cli.main", "simulate", "wave", "-n", "1e9", *words]
    for patience in (2, 10, 40):  # a busy machine, or a compiler at work, may need longer to get to the games
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(patience)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        if out:
            break
    return process.returncode, out, err


def test_the_part_that_is_done_can_be_repeated() -> None:
    code, out, err = interrupted("--json", "--seed", "11", "-j", "2")
    assert code == 130
    part = json.loads(out)
    assert 0 < part["games"] < 10**9
    line = err.strip()
    assert "\n" not in line
    assert f"interrupted: {part['games']:,} of 1,000,000,000 are counted" in line
    words = shlex.split(line[line.index(": houle simulate") + 2 :])
    assert words[words.index("-n") + 1] == str(part["games"])
    again = json.loads(good(*words[1:], "--json"))
    assert again["result_digest"] == part["result_digest"]


def test_interrupt_before_the_first_game() -> None:
    watch = GamesProgress(10, silent=True)
    with watch:
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGINT)
        watch(5, 0.1)
        signal.raise_signal(signal.SIGINT)  # from now on a run ends where its tally is whole
        with pytest.raises(KeyboardInterrupt):
            watch(6, 0.2)
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGINT)
