"""What the studio counts is what the commands count: the same digests after any number of looks."""

from __future__ import annotations

import random
import shlex
from typing import Any

import pytest

import houle
from houle.analysis.studio import rows
from houle.analysis.studio.growing_results import FAST, FIRST, Growing, GrowingRotation
from houle.analysis.studio.rows import CountedRows, StudioRows
from houle.cli.studio.answers import commands
from houle.solver.rules import make_setup
from tests.support.call import good
from tests.support.repeated import repeated
from tests.support.studio import random_state

pytestmark = pytest.mark.compiled

TYPED = 4  # the commands of every fourth state are typed


def never() -> bool:
    return False


def test_grown_results_equal_one_run() -> None:
    wave = make_setup("wave", 3)
    growing = Growing(wave, "family", 1)
    for end in FAST.ends[:2]:
        assert growing.play(end, never)
        once = houle.simulate(wave, strategies="family", games=end, seed=1)
        assert growing.result.digest == once.digest
        assert growing.rate().value == once.sides[0].win.value


def test_a_stopped_stretch_leaves_nothing() -> None:
    growing = Growing(make_setup("wave", 3), "family", 1)
    growing.play(300, never)
    before = growing.result.digest
    assert not growing.play(64_000, lambda: True)
    assert (growing.games, growing.result.digest) == (300, before)


def test_watched_intervals_are_wider() -> None:
    wave = make_setup("wave", 3)
    growing = Growing(wave, "family", 1)
    growing.play(300, never)
    fixed = houle.simulate(wave, strategies="family", games=300).sides[0].win
    watched = growing.rate()
    assert watched.low < fixed.low < fixed.high < watched.high


def test_a_rotated_player_equals_the_command() -> None:
    setup = make_setup("land-unter", 3)
    growing = GrowingRotation(setup, "seasoned", "family", 5)
    growing.play(20, never)
    growing.play(60, never)
    once = houle.simulate(setup, strategies="seasoned,family,family", rotate=True, games=60, seed=5)
    assert growing.result.digest == once.digest
    assert growing.rate().value == pytest.approx(once.players[0].win.value)


@repeated(2, 50)
def test_states_equal_their_commands(runs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Digest for digest; a few commands are typed, the others are called with the same arguments."""
    monkeypatch.setattr(rows, "SHOWN", 100.0)  # thought is shown from its first games on
    luck, near = random.Random(40), make_setup("wave", 3)
    typed = 0
    for number in range(runs):
        state = random_state(luck, near)
        live = StudioRows(state, CountedRows())
        row = luck.choice([row for row in live.rows if not row.searches])
        for one in row.both():
            one.play(FIRST, never)
        shown = [line for line in commands(live) if line["who"] == row.name]
        assert shown
        for line, one in zip(shown, row.both(), strict=True):
            rotate = isinstance(one, GrowingRotation)
            again = houle.simulate(one.setup, strategies=one.line_up.names, games=FIRST, seed=state.seed, rotate=rotate)
            assert again.digest == line["digest"]
        if number % TYPED == 0:
            words = shlex.split(shown[0]["line"])[1:]
            assert shown[0]["digest"] in good(*words)
            typed += 1
    assert typed


def test_an_interval_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is computed again after more games; a count that is reached already adds none."""
    made, rate = list[int](), Growing._rate

    def computed(growing: Growing, side: int) -> Any:
        made.append(growing.games)
        return rate(growing, side)

    monkeypatch.setattr(Growing, "_rate", computed)
    growing = Growing(make_setup("wave", 3), "random", 1)
    for games in (4, 8, 4):
        growing.play(games, never)
        assert growing.rate() == growing.rate()
    assert made == [4, 8, 8]
    assert growing.games == 8
