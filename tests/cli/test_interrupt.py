"""Ctrl-C in a long run: what is done is shown, with the command that repeats exactly that part."""

from __future__ import annotations

import json
import shlex
import signal

import pytest

from houle.cli.framework.progress import GamesProgress
from houle.cli.framework.streams import Interrupted
from tests.support.call import good, interrupted

pytestmark = pytest.mark.quick


@pytest.mark.compiled
def test_the_part_that_is_done_can_be_repeated() -> None:
    stopped = interrupted("simulate", "wave", "-n", "1e9", "--json", "--seed", "11", "-j", "2")
    assert stopped.returncode == 130, stopped.stderr
    part = json.loads(stopped.stdout)
    assert 0 < part["games"] < 10**9
    line = stopped.stderr.strip()
    assert "\n" not in line
    assert f"interrupted: {part['games']:,} of 1,000,000,000 are counted" in line
    words = shlex.split(line[line.index(": houle simulate") + 2 :])
    assert words[words.index("-n") + 1] == str(part["games"])
    again = json.loads(good(*words[1:], "--json"))
    assert again["result_digest"] == part["result_digest"]


def test_first_ctrl_c_ends_between_two_chunks() -> None:
    with GamesProgress(10, silent=True) as watch:
        watch(5, 0.1)
        signal.raise_signal(signal.SIGINT)  # from now on a run ends where its tally is whole
        with pytest.raises(KeyboardInterrupt):
            watch(6, 0.2)
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize(("done", "ends"), [(0, Interrupted), (5, KeyboardInterrupt)])
def test_interrupt_before_the_first_game(done: int, ends: type[BaseException]) -> None:
    """It stops at once; if a library that is being loaded swallows the exception, at the next poll."""
    with GamesProgress(10, silent=True) as watch:
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(ends):
            watch(done, 0.1)
