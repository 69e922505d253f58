"""Balance: how games go, what ends those of WAVE, and seats, against games read by hand and stepped move by move."""

from __future__ import annotations

from collections import Counter
from typing import Unpack

import numpy as np
import pytest

import houle
from houle import setup, simulate
from houle.analysis.blocks import sentence
from houle.analysis.explain.balance import balance, play_course, read_measures, sum_course
from houle.analysis.explain.endings import Endings
from houle.analysis.players.line_ups import Strategies, as_setup, line_up
from houle.analysis.run_options import RunOptions, RunSpec
from houle.solver.games.wave.words import card_name
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, game_names, make_setup
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


@pytest.mark.compiled
@pytest.mark.parametrize("game", game_names())
def test_every_game_has_its_measures(game: str) -> None:
    setup = make_setup(game)
    found = balance(setup, games=60, seed=4, threads=1)
    assert found.digest == balance(setup, games=60, seed=4, threads=2).digest
    names = {measure.name for measure in found.measures}
    assert {"decisions", "turns"} <= names
    assert ("draws" in names) == (game != "wave")  # a team that loses has no winner either
    assert sum(games for _, games in found.lengths) == 60
    played = simulate(setup, games=60, seed=4)
    assert found.measure("turns").value == pytest.approx(played.mean("turns"))  # type: ignore[union-attr]
    assert dict(found.scores) == sum((Counter(side.histogram) for side in played.sides), Counter())
    if game == "wave":
        assert not {"comebacks", "lead_changes", "decided"} & names
        assert found.gap is None
        assert " wins " in found.headline
    else:
        assert {"comebacks", "lead_changes", "decided", "behind_25"} <= names
        assert found.gap is not None
        assert found.fair == pytest.approx(1 / 3)
        assert found.headline == f"seat gap {found.gap.interval.text()}"


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
    for seconds in (None, 7.5):
        said = sentence(result.length(seconds))
        assert words in said
        assert ("minutes at 7.5 seconds each" in said) == (seconds is not None)


HANDFUL = 40


def endings(wave: Setup | str, *, strategies: Strategies = None, **run: Unpack[RunOptions]) -> Endings:
    """What ends games, without what the deal decides."""
    found = play_course(line_up(as_setup(wave), strategies), RunSpec.of(run)).endings
    assert found is not None
    return found


def next_seat(last: int, direction: int, holding: list[int], seats: int) -> str:
    """Whose turn it would be."""
    if not holding:
        return "the Virage card"
    if last < 0:
        return "seat 0"
    return next(
        f"seat {seat}" for step in range(1, seats + 1) if (seat := (last + direction * step) % seats) in holding
    )


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "variants"), [(3, ()), (2, ("virage",)), (4, ("tide-colours",))])
def test_counts_match_games_stepped_by_hand(players: int, variants: tuple[str, ...]) -> None:
    wave = setup("wave", players=players, variants=variants)
    found = endings(wave, strategies="random", games=HANDFUL, seed=5)
    team = seat_strategies(wave, ["random"])
    cards = {card_name(wave, card) for card in wave.rules[0].deck[:34]}
    wanted: dict[str, list[str]] = {"on": [], "at": [], "left": []}
    for game in range(HANDFUL):
        match = Match(wave, 5, game)
        last = -1
        while match.to_move() >= 0:
            last = match.snapshot()["acting"]
            match.apply(match.decide(team))
        end = match.snapshot()
        if end["laid"] == 33:
            continue
        holding = [seat for seat, hand in enumerate(zip(end["front"], end["back"], strict=True)) if any(hand)]
        wanted["on"].append(card_name(wave, end["top"]))
        wanted["at"].append(next_seat(last, end["direction"], holding, len(end["front"])))
        hands = [card for hand in (*end["front"], *end["back"]) for card in hand]
        rest = [*hands, *(card for card in end["pile"] if card < 64), *([end["virage"]] if end["virage"] >= 0 else [])]
        wanted["left"] += [card_name(wave, card) for card in rest]
    assert found.lost == len(wanted["on"])
    for card in cards:
        assert found.died_on[card].value * found.lost == pytest.approx(wanted["on"].count(card))
        assert found.left[card].value * found.lost == pytest.approx(wanted["left"].count(card))
    if "virage" not in variants:  # there a swap may leave the same seat stuck
        for seat, share in found.died_at.items():
            assert share.value * found.lost == pytest.approx(wanted["at"].count(seat))
    else:
        share = found.died_at["the Virage card"]
        assert share.value * found.lost == pytest.approx(wanted["at"].count("the Virage card"))
    assert sum(rate.value for rate in found.died_at.values()) == pytest.approx(1)
