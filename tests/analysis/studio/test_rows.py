"""Rows of the studio: habit first, groups with all that their results allow, differences that hold at every look."""

from __future__ import annotations

import random

import pytest

from houle.analysis.players.read_players import read_strategy
from houle.analysis.studio import rows as rows_file
from houle.analysis.studio.growing_results import FIRST, Growing, difference
from houle.analysis.studio.rows import CountedRows, StudioRows, habit_of
from houle.analysis.studio.state import read_state
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled

BACK_3 = "game=wave&players=3&set+hand.back=3"


def never() -> bool:
    return False


def rows_of(query: str) -> StudioRows:
    return StudioRows(read_state(query, make_setup("wave", 3)), CountedRows())


def test_players_without_thought_are_their_own_habit() -> None:
    """Levels think, so they have two stages; players that plan ahead have one."""
    wave = make_setup("wave", 3)
    for name in ("thumb", "level[slips=20]", "expert"):
        assert habit_of(name, wave) == name
    for name in ("family", "level:1.5", "level[slips=20,thought=1]"):
        habit, player = (read_strategy(one, wave).options for one in (habit_of(name, wave), name))
        assert habit == {**player, "thought": 0}
        assert player["thought"] > 0
    rows = rows_of(BACK_3)
    stages = {row.name: len(row.stages) for row in rows.rows}
    assert stages == {"first-game": 2, "family": 2, "regular": 2, "seasoned": 2, "expert": 1}
    assert rows.aimed.habit_only


def test_thinking_players_show_their_habit_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """`regular` stands in for the habit of families: another win rate, so it shows which of them is shown."""
    monkeypatch.setattr(rows_file, "habit_of", lambda name, setup: "regular" if name == "family" else name)
    for name in ("SHOWN", "ROUGHLY"):  # thought is counted and shown from its first games on
        monkeypatch.setattr(rows_file, name, 100.0)
    rows = rows_of(BACK_3)
    while not rows.first_counted:
        rows.step(never)
    family = rows.aimed
    assert family.habit_only
    assert (family.mine.line_up.names[0], family.mine.games) == ("regular", FIRST)
    while family.habit_only:
        rows.step(never)
    assert family.mine.line_up.names[0] == "family"
    assert family.mine.games >= FIRST


@pytest.mark.quick
def test_rates_are_of_deals_that_both_have_played() -> None:
    """These rules are ahead of print: both are shown after the games of print, and print plays on."""
    rows = rows_of(BACK_3)
    mine, before = rows.aimed.stages[0]
    for one, ends in ((mine, (1, 3)), (before, (1,))):
        for end in ends:
            one.play(end, never)
    shown = rows.aimed
    alone = Growing(rows.state.setup, habit_of("family", rows.before), 1, mine.pace)
    alone.play(1, never)
    assert (shown.mine.games, shown.print.games) == (1, 1)
    assert shown.mine.digest == alone.digest
    assert shown.mine.rate() == alone.rate()
    assert shown.behind(0) == [before]
    before.play(3, never)
    assert (rows.aimed.mine.games, rows.aimed.print.games, rows.aimed.behind(0)) == (3, 3, [])
    before.play(4, never)
    assert rows.aimed.behind(0) == [mine], "three games of print say little, so these rules play on"


def test_the_target_is_counted_before_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_file, "ROUGHLY", 3 * rows_file.ROUGHLY)
    rows = rows_of(BACK_3)
    while not rows.roughly_known:
        rows.step(never)
    others = [row for row in rows.rows if row is not rows.aimed and not row.searches]
    assert rows.aimed.mine.half <= rows_file.ROUGHLY
    assert max(row.mine.games for row in others) < rows.aimed.mine.games


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
        for end in (100, 300, 1_000, 2_000):
            mine.play(end, never)
            other.play(end, never)
            looks.append(difference(mine, other))
        missed += not all(one.low - 0.002 <= real <= one.high + 0.002 for one in looks)
    assert missed <= 1 + runs // 10
