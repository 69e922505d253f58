"""Rows of the studio: the named players from the first game on, what is counted first, differences at every look."""

from __future__ import annotations

import random

import pytest

from houle.analysis.stats.intervals import wilson
from houle.analysis.stats.looks import confidence_at
from houle.analysis.studio.growing_results import FIRST, PEOPLE, Growing, difference
from houle.analysis.studio.rows import CountedRows, StudioRows
from houle.analysis.studio.state import read_state
from houle.solver.compiler.kernels import JIT
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled

BACK_3 = "game=wave&players=3&set+hand.back=3"


def never() -> bool:
    return False


def rows_of(query: str) -> StudioRows:
    return StudioRows(read_state(query, make_setup("wave", 3)), CountedRows())


def test_only_named_players_play() -> None:
    rows = rows_of(BACK_3)
    names = [row.name for row in rows.rows]
    assert names == ["first-game", "family", "regular", "seasoned", "expert"]
    for row in rows.rows:
        assert [set(one.line_up.names) for one in row.both()] == [{row.name}] * 2
    rivals = rows_of("game=land-unter&players=3")
    for row in rivals.rows:
        assert {name for one in row.both() for name in one.line_up.names} == {row.name, rivals.state.who}


def test_everybody_plays_before_anybody_plays_more() -> None:
    rows = rows_of(BACK_3)
    while not rows.counted:
        rows.step(never)
        assert rows.aimed.mine.games <= FIRST
    assert rows.first_counted
    assert all(row.mine.games == FIRST for row in rows.rows if not row.searches)


def test_levels_share_the_games() -> None:
    """Once the target's row is known, the row that is known least plays on."""
    rows = rows_of(BACK_3)
    while not rows.known:
        rows.step(never)
        others = [row for row in rows.rows if row is not rows.aimed and not row.searches]
        assert max(row.mine.games for row in others) <= FIRST
    assert max(one.half for one in rows.aimed.both()) <= PEOPLE.sure
    for _ in range(4):
        todo = rows.next()
        assert todo is not None
        people = [one for row in rows.rows if not row.searches for one in row.both()]
        assert todo[0].half == max(one.half for one in people)
        rows.step(never)


@pytest.mark.quick
def test_every_rate_is_known_after_the_last_look() -> None:
    worst = wilson(0.5, PEOPLE.ends[-1], confidence_at(len(PEOPLE.ends)))
    assert 100 * worst.half <= PEOPLE.sure or not JIT


@pytest.mark.quick
def test_rates_are_of_deals_that_both_have_played() -> None:
    """These rules are ahead of print: both are shown after the games of print, and print plays on."""
    rows = rows_of(BACK_3)
    mine, before = rows.aimed.pair
    for one, ends in ((mine, (1, 3)), (before, (1,))):
        for end in ends:
            one.play(end, never)
    shown = rows.aimed
    alone = Growing(rows.state.setup, "family", 1, mine.pace)
    alone.play(1, never)
    assert (shown.mine.games, shown.print.games) == (1, 1)
    assert shown.mine.digest == alone.digest
    assert shown.mine.rate() == alone.rate()
    assert shown.behind() == [before]
    before.play(3, never)
    assert (rows.aimed.mine.games, rows.aimed.print.games, rows.aimed.behind()) == (3, 3, [])
    before.play(4, never)
    assert rows.aimed.behind() == [mine], "three games of print say little, so these rules play on"


@pytest.mark.slow
def test_differences_hold_at_every_look() -> None:
    """The truth is from 60,000 games; a difference may miss it at some look in one run of twenty."""
    setup, before = make_setup("wave", 3, (), {"hand.back": 3}), make_setup("wave", 3)
    truth = [Growing(one, "family", 999) for one in (setup, before)]
    for one in truth:
        one.play(60_000, never)
    real, luck, missed, runs = difference(*truth).value, random.Random(61), 0, 60
    for _ in range(runs):
        seed = luck.randrange(10**9)
        mine, other = (Growing(one, "family", seed) for one in (setup, before))
        looks = []
        for end in PEOPLE.ends[:-1]:
            mine.play(end, never)
            other.play(end, never)
            looks.append(difference(mine, other))
        missed += not all(one.low - 0.002 <= real <= one.high + 0.002 for one in looks)
    assert missed <= 1 + runs // 10
