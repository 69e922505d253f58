"""What the studio counts is what the commands count: the same digests after any number of looks."""

from __future__ import annotations

import random
import shlex
from typing import Any

import pytest

import houle
from houle.analysis.studio.growing_results import FIRST, PEOPLE, Growing, GrowingAmong
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
    for end in PEOPLE.ends[:2]:
        assert growing.play(end, never)
        once = houle.simulate(wave, strategies="family", games=end, seed=1)
        assert growing.digest == once.digest
        assert growing.rate().value == once.sides[0].win.value


def test_a_stopped_stretch_leaves_nothing() -> None:
    growing = Growing(make_setup("wave", 3), "family", 1)
    growing.play(300, never)
    before = growing.digest
    assert not growing.play(64_000, lambda: True)
    assert (growing.games, growing.digest) == (300, before)


def test_watched_intervals_are_wider() -> None:
    wave = make_setup("wave", 3)
    growing = Growing(wave, "family", 1)
    growing.play(300, never)
    fixed = houle.simulate(wave, strategies="family", games=300).sides[0].win
    watched = growing.rate()
    assert watched.low < fixed.low < fixed.high < watched.high


def test_a_player_among_others_equals_the_command() -> None:
    setup = make_setup("land-unter", 3)
    growing = GrowingAmong(setup, "seasoned", "family", 5)
    growing.play(20, never)
    growing.play(60, never)
    once = houle.strength(setup, strategies="family,seasoned", games=60, seed=5)
    assert growing.digest == once.sample.digest_of(0)
    assert growing.rate().value == once.rows[0].value.value


@repeated(2, 50)
def test_states_equal_their_commands(runs: int) -> None:
    """Digest for digest; a few commands are typed, the others are called with the same arguments."""
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
            if isinstance(one, GrowingAmong):
                found = houle.strength(one.setup, strategies=one.who, games=FIRST, seed=state.seed)
                assert found.sample.digest_of(0) == line["digest"]
                continue
            again = houle.simulate(one.setup, strategies=one.line_up.names, games=FIRST, seed=state.seed)
            assert again.digest == line["digest"]
        if number % TYPED == 0:
            words = shlex.split(shown[0]["line"])[1:]
            assert shown[0]["digest"] in good(*words)
            typed += 1
    assert typed


def test_an_interval_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is computed again after more games only; a count that is reached already adds none."""
    made, rate = list[int](), Growing._rate

    def computed(growing: Growing, side: int) -> Any:
        made.append(growing.games)
        return rate(growing, side)

    monkeypatch.setattr(Growing, "_rate", computed)
    growing = Growing(make_setup("wave", 3), "random", 1)
    for games in (4, 8, 4):
        growing.play(games, never)
        assert growing.rate() == growing.rate()
    assert made == [4, 8]
    assert growing.games == 8
