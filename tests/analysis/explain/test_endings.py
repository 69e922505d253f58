"""Endings of WAVE: counts match games stepped by hand, and intervals cover."""

from __future__ import annotations

import json
from typing import Unpack

import numpy as np
import pytest

from houle import balance, setup, simulate
from houle.analysis.explain.balance import play_course
from houle.analysis.explain.endings import EndCounts, Endings
from houle.analysis.players.line_ups import Strategies, as_setup, line_up
from houle.analysis.result import Facts
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.solver.games.wave.words import card_name
from houle.solver.interface.files import EndReader, end_reader_of
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup

pytestmark = pytest.mark.compiled

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


def test_the_curve_matches_the_scores() -> None:
    found = endings("wave", games=4_000, strategies="thumb", threads=3)
    side = simulate("wave", games=4_000, strategies="thumb").sides[0]
    assert found.alive[0] == Estimate(1.0, 1.0, 1.0, found.games, PERCENT)  # no game ends before it has begun
    assert found.alive[1].low < found.alive[1].high
    assert found.alive[33] == side.win
    for k in range(34):
        assert found.alive[k].value == pytest.approx(
            sum(n for left, n in side.histogram.items() if 33 - left >= k) / 4_000
        )
    assert found.dies[0].value == pytest.approx(1 - found.alive[1].value)
    assert found.digest == endings("wave", games=4_000, strategies="thumb", threads=1).digest


def test_the_frame_and_the_json_agree() -> None:
    found = endings("wave", strategies="random", games=300)
    data = json.loads(json.dumps(found.as_json()))["tables"]
    for row in found.frame().to_dict("records"):
        same = data[row["measure"]][row["which"]]
        assert (same["value"], same["low"], same["high"], same["n"]) == (
            row["value"], row["value_low"], row["value_high"], row["n"],
        )  # fmt: skip


@pytest.mark.quick
def test_the_curve_covers() -> None:
    """Games that end with chance 0.05 at every card: each point of the curve and each step is covered."""
    wave = setup("wave")
    end_reader = end_reader_of(wave)
    assert isinstance(end_reader, EndReader)
    draws = np.random.default_rng(9)
    hits = np.zeros((2, 33))
    runs, games = 600, 400
    for _ in range(runs):
        laid = np.minimum(draws.geometric(0.05, games) - 1, 33)
        counts = EndCounts.empty(end_reader)
        counts.laid += np.bincount(laid, minlength=34)
        one = Endings(Facts(wave, ("random",) * 3, 1, games, games, 1.0, ""), counts, end_reader)
        for k in range(33):
            hits[0, k] += one.alive[k].low <= 0.95**k <= one.alive[k].high
            hits[1, k] += one.dies[k].low <= 0.05 <= one.dies[k].high
    assert (hits / runs).mean() > 0.945
    assert (hits / runs).min() > 0.91


def test_games_that_do_not_end_at_a_card() -> None:
    assert balance("land-unter", games=2).endings is None
    assert balance(setup("wave", variants="nazare"), games=2).endings is None


def test_a_result_can_be_repeated() -> None:
    wave = setup("wave", players=2, variants="virage")
    found = endings(wave, games=50, seed=4)
    assert found.repeat() == "houle balance wave -p 2 -v virage -s thumb -n 50 --seed 4"
    assert found.frame().columns[:5].tolist() == ["game", "players", "variants", "rules_name", "strategies"]
    assert " of games are won; " in found.headline
