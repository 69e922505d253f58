"""Balance: how games go, with measures that match games read by hand."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import houle
from houle import simulate
from houle.analysis.blocks import sentence
from houle.analysis.explain.balance import balance, play_course, quantile, read_measures, sum_course
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.solver.players.player import seat_strategies
from houle.solver.rules import game_names, make_setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger

pytestmark = pytest.mark.quick

LAND_UNTER = make_setup("land-unter", 3)
LIMIT = "the turns run out"


def test_measures_of_three_games_by_hand() -> None:
    ledger = blank_ledger(3, 2)
    ledger.plies = np.array([[20], [40], [10]])
    ledger.changes = np.array([[0], [3], [1]])
    ledger.share[0, 0] = 840  # led all the way
    ledger.quarters[0, 0], ledger.decided[0, 0] = 0b111, 2
    ledger.share[1, 1] = 840  # behind at first, even at half-time, ahead at last
    ledger.quarters[1, 0], ledger.quarters[1, 1], ledger.decided[1, 1] = 0b001, 0b100, 30
    ledger.share[2, :] = 420  # shared: nobody's comeback
    ledger.turns = np.array([[4], [8], [2]])
    course = sum_course(ledger, LAND_UNTER, draws=1)
    setup = make_setup("vague-verte", 2)
    measures, missing = read_measures(course, setup)
    values = {measure.name: measure.value for measure in measures}
    assert missing == ()
    assert values["decisions"].value == pytest.approx(70 / 3)
    assert (values["runaway"].value, values["runaway"].n) == (0.5, 2)  # the first, of two with a single winner
    assert values["last_turn"].value == 0
    assert values["before_acting"].value == 0
    assert values["turns"].value == pytest.approx(14 / 3)
    assert values["draws"].value == pytest.approx(1 / 3)
    assert values["lead_changes"].value == pytest.approx(4 / 3)
    assert values["comebacks"].value == pytest.approx(1 / 2)
    assert [values[f"behind_{part}"].value for part in (25, 50, 75)] == [0.5, 0.0, 0.0]
    assert values["decided"].value == pytest.approx((2 / 20 + 30 / 40) / 2)
    assert (values["decided"].n, values["decisions"].n) == (2, 3)
    assert values["turns_50"].value == 4


def test_quantiles_have_intervals() -> None:
    found = quantile(np.array([0, 10, 10, 10, 10, 60]), 0.5)
    assert (found.value, found.low, found.high, found.n) == (5, 5, 5, 100)
    assert quantile(np.ones(1000, np.int64), 0.1).low < 99 < quantile(np.ones(1000, np.int64), 0.1).high


@pytest.mark.compiled
@pytest.mark.parametrize("game", game_names())
def test_every_game_has_its_measures(game: str) -> None:
    setup = make_setup(game)
    found = balance(setup, games=200, seed=4, threads=1)
    assert found.digest == balance(setup, games=200, seed=4, threads=2).digest
    names = {measure.name for measure in found.measures}
    assert {"decisions", "turns"} <= names
    assert ("draws" in names) == (game != "wave")  # a team that loses has no winner either
    assert sum(games for _, games in found.lengths) == 200
    played = simulate(setup, games=200, seed=4)
    assert found.measure("turns").value == pytest.approx(played.mean("turns"))  # type: ignore[union-attr]
    assert dict(found.scores) == sum((Counter(side.histogram) for side in played.sides), Counter())
    if game == "wave":
        assert not {"comebacks", "lead_changes", "decided"} & names
        assert "WAVE has no lead, so there are no comebacks, lead changes or early decisions." in found.missing
        assert found.gap is None
        assert " wins " in found.headline
    else:
        assert {"comebacks", "lead_changes", "decided", "behind_25"} <= names
        assert found.gap is not None
        assert found.fair == pytest.approx(1 / 3)
        assert found.headline.endswith(", an equal share is 33.3%")
    assert {"value", "value_low", "value_high", "n"} <= set(found.frame().columns)


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "players", "settings"), [("sea-change", 1, {}), ("sea-change", 4, {"teams": "2v2"})])
def test_solo_games_and_teams(game: str, players: int, settings: dict[str, str]) -> None:
    found = balance(make_setup(game, players, (), settings), games=200, seed=4)
    assert len(found.sides) == 2
    assert (found.gap is None) == (players == 1)
    assert any("no seats to compare" in text for text in found.missing) == (players == 1)
    assert sum(win.value for _, win in found.sides) == pytest.approx(1)


@pytest.mark.compiled
def test_measures_match_the_ledger() -> None:
    setup = make_setup("land-unter", 3)
    ledger = blank_ledger(150, 3)
    play_chunk(seat_strategies(setup, ("thumb",)), 4, 0, 150, ledger=ledger)
    found = balance(setup, strategies="thumb", games=150, seed=4)
    values = {measure.name: measure.value.value for measure in found.measures}
    assert values["decisions"] == pytest.approx(ledger.plies[:, 0].mean())
    winners = [(game, int(row.share[:].argmax())) for game, row in enumerate(ledger)
               if row.share[:].max() == 840]  # fmt: skip
    late = [ledger.quarters[game, side] & 2 == 0 for game, side in winners]
    assert values["comebacks"] == pytest.approx(np.mean(late))
    parts = [ledger.decided[game, side] / ledger.plies[game, side] for game, side in winners]
    assert values["decided"] == pytest.approx(np.mean(parts), abs=1e-5)


def test_late_and_early_ends_by_hand() -> None:
    """Three players: one game is over after two decisions, one is decided in the last of five turns, one at its end."""
    ledger = blank_ledger(3, 3)
    ledger.plies, ledger.turns = np.array([[2], [15], [15]]), np.array([[1], [5], [5]])
    ledger.share[:, 0] = 840
    ledger.decided[:, 0] = 0, 12, 15
    values = {measure.name: measure.value for measure in read_measures(sum_course(ledger, LAND_UNTER), LAND_UNTER)[0]}
    assert values["before_acting"].value == pytest.approx(1 / 3)
    assert values["last_turn"].value == 1  # with one turn, the first game too
    assert values["runaway"].value == pytest.approx(1 / 3)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "players", "ends"),
    [
        ("wave", 3, ["all cards are played", "seat 1 cannot play", "seat 2 cannot play", "seat 3 cannot play"]),
        ("land-unter", 3, ["one side wins", "sides share the win", "nobody wins"]),
        ("vague-verte", 2, ["a road is complete", "no card is left"]),
        ("sea-change", 3, ["one side reaches the target", "several reach it at once"]),
        (
            "vague-attaque",
            3,
            ["enough places, the ship among them", "enough places, without the ship", "the turns run out"],
        ),
        ("vague-attaque", 1, ["you complete enough places", "the ship is full", LIMIT]),
    ],
)
def test_every_game_ends_in_one_way(game: str, players: int, ends: list[str]) -> None:
    setup = make_setup(game, players)
    result = balance(setup, games=60)
    assert [words for words, _ in result.ends] == ends
    assert sum(share.value for _, share in result.ends) == pytest.approx(1)
    values = dict(result.ends)
    if ends[-1] in (LIMIT, "no card is left"):
        draws = {measure.name: measure.value for measure in result.measures}["draws"]
        assert values[ends[-1]].value == pytest.approx(draws.value)
    if game == "wave":
        assert values[ends[0]].value == pytest.approx(result.sides[0][1].value)
    if game == "vague-attaque" and players > 1:
        counted = houle.simulate(setup, games=60).run.tally.count("ship_wins")
        assert values[ends[0]].value == pytest.approx(counted / 60)


@pytest.mark.parametrize(
    ("turns", "words"), [(10, "do not end within 10 turns, where we stop them"), (5000, "nine in")]
)
def test_our_limit_of_turns_is_no_length(turns: int, words: str) -> None:
    seated = line_up(make_setup("vague-verte", 2, (), {"max_turns": turns}), "thumb")
    result = play_course(seated, RunSpec(12))
    for seconds in (None, 60.0):
        said = sentence(result.length(seconds))
        assert words in said
        assert ("minutes" in said) == (seconds is not None)
