"""The studio counts what the commands count, in any order and after any number of looks."""

from __future__ import annotations

import random
import shlex
from dataclasses import replace

import pytest

import houle
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import wilson
from houle.analysis.stats.looks import confidence_at
from houle.analysis.studio.growing_results import FIRST, PEOPLE, Growing, GrowingAmong
from houle.analysis.studio.rows import CountedRows, StudioRows, place_in
from houle.analysis.studio.single_changes import ROUNDS, SingleChanges
from houle.analysis.studio.state import read_state
from houle.analysis.tables.effects import Effect
from houle.cli.studio.answers import commands
from houle.solver.compiler.kernels import JIT
from houle.solver.rules import make_setup
from tests.support.amounts import repeated
from tests.support.call import good
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


def test_a_player_among_others_equals_the_command() -> None:
    setup = make_setup("land-unter", 3)
    growing = GrowingAmong(setup, "seasoned", "family", 5)
    growing.play(20, never)
    growing.play(60, never)
    once = houle.strength(setup, strategies="family,seasoned", games=60, seed=5)
    assert growing.digest == once.sample.digest_of(0)
    assert " -s family,seasoned " in growing.command
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


BACK_3 = "game=wave&players=3&set+hand.back=3"


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


def test_levels_share_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the target's row is known, the row that is known least plays on; here to eight points, not to two."""
    pace = replace(PEOPLE, sure=8.0)
    monkeypatch.setattr("houle.analysis.studio.rows.PEOPLE", pace)
    rows = rows_of(BACK_3)
    while not rows.known:
        rows.step(never)
        others = [row for row in rows.rows if row is not rows.aimed and not row.searches]
        assert max(row.mine.games for row in others) <= FIRST
    assert max(one.half for one in rows.aimed.both()) <= pace.sure
    for stretch in range(2):
        if stretch:
            assert rows.step(never)
        todo = rows.next()
        assert todo is not None
        people = [one for row in rows.rows if not row.searches for one in row.both()]
        assert todo[0].half == max(one.half for one in people)


@pytest.mark.quick
def test_players_that_plan_ahead_wait_for_their_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """People are counted while searches are compiled."""
    ready: list[str] = []
    rows = StudioRows(read_state("game=wave&players=3", make_setup("wave")), CountedRows(lambda game: game in ready))
    played: list[str] = []

    def play(one: Growing, end: int, stop: object) -> bool:
        played.append(one.line_up.names[0])
        one.sums.tally.totals[0] = end  # all of them
        return True

    monkeypatch.setattr(Growing, "half", property(lambda one: 100.0 - one.games))
    monkeypatch.setattr(Growing, "play", play)
    while rows.step(never):
        pass
    assert {*played} == {"first-game", "family", "regular", "seasoned"}
    ready.append("wave")
    assert rows.step(never)
    assert played[-1] == "expert"


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


def test_changes_play_until_their_sign_is_known() -> None:
    changes = SingleChanges(make_setup("wave", 3), "thumb", 1, cards=False)
    assert {"thumb"} == {*changes.base.names}
    steps = 0
    while changes.step(lambda: False):
        steps += 1
    assert changes.done
    assert steps > len({rule for rule, _ in changes.changes}), "one rule at a time, in rounds"
    games = {key: changes.effect(key).n for key in changes.found}
    known = {key for key in games if changes.effect(key).differs}
    assert games.keys() == changes.changes.keys()
    assert {games[key] for key in known} >= {*ROUNDS[:2]}
    for rule in {rule for rule, _ in games}:
        open_steps = [key for key in games if key[0] == rule and key not in known and not changes.found[key].idle]
        assert not open_steps or max(games[key] for key in open_steps) == ROUNDS[-1]
        assert [step for step, _ in changes.steps(rule)] == sorted(
            (step for name, step in known if name == rule), key=lambda step: changes.effect((rule, step)).value
        )


@pytest.mark.quick
def test_the_ends_of_a_rule_play_on() -> None:
    """The step that seems to lower most and the one that seems to raise most."""
    changes = SingleChanges(make_setup("wave", 3), "thumb", 1, cards=False)
    for place, (key, arm) in enumerate(changes.changes.items()):
        changes.found[key] = Effect(arm, {changes.measure: Estimate(place / 100, -1, 1, 200)}, False)
    steps = {rule: [key for key in changes.changes if key[0] == rule] for rule, _ in changes.changes}
    assert max(map(len, steps.values())) > 2
    assert [{*batch} for batch in changes._batches()] == [{every[0], every[-1]} for every in steps.values()]


@pytest.mark.quick
def test_an_interval_lies_in_a_range_or_not() -> None:
    rates = [Estimate(value, value - 0.02, value + 0.02, 100) for value in (0.2, 0.35, 0.39, 0.45)]
    assert [place_in(rate, 0.3, 0.4) for rate in rates] == ["outside", "inside", "open", "outside"]


@pytest.mark.quick
def test_players_among_others_are_counted_anew_for_others() -> None:
    setup, memory = make_setup("land-unter", 3), CountedRows()
    family, regular = (
        {
            row.name: row.pair[0]
            for row in StudioRows(read_state(f"game=land-unter&players=3&who={who}", setup), memory).rows
        }
        for who in ("family", "regular")
    )
    assert family["seasoned"] is not regular["seasoned"]
