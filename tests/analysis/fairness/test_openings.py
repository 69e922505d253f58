"""Chances by opening: levels, intervals that cover, values of cards and seats."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
import pytest

from houle import CustomOpening, Openings, openings
from houle.analysis.fairness.means_by_fact import FactScale, make_scale, read_level, sum_up
from houle.analysis.fairness.rotating_hands import collect, read_rotating_hands
from houle.analysis.run_options import RunOptions
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.solver.matches.opening import ELSEWHERE, Fact, PlayedOpenings
from houle.solver.rules import Setup, game_names, make_setup
from houle.solver.run.tally import Tally
from tests.support.repeated import check_coverage, repeated

pytestmark = pytest.mark.compiled

FACT = Fact("luck", "what the hand holds", lambda openings: openings, most=2)


def chances(setup: Setup, confirm: bool = False, **run: Unpack[RunOptions]) -> Openings:
    found = openings(setup, confirm=confirm, **run)
    assert isinstance(found, Openings)
    return found


def with_opening(setup: Setup, opening: str, **run: Unpack[RunOptions]) -> CustomOpening:
    found = openings(setup, opening=opening, **run)
    assert isinstance(found, CustomOpening)
    return found


def invented(games: int, generator: np.random.Generator) -> PlayedOpenings:
    """Three hands per game: each unit of luck (0 to 2) is two points; the hands of a game also share some luck."""
    luck = generator.integers(0, 3, (games, 3))
    shared = generator.integers(0, 12, (games, 1))
    points = 2 * luck + shared + generator.integers(0, 5, (games, 3))
    share = np.zeros((games, 3), np.int64)
    share[np.arange(games), generator.integers(0, 3, games)] = WHOLE_WIN
    seats = np.arange(3)
    return PlayedOpenings(
        luck, Tally.empty(make_setup("wave")), seats, seats, share, points, np.ones((games, 3), np.int64)
    )


@repeated(60, 500)
def test_intervals_of_levels_cover(runs: int) -> None:
    generator = np.random.default_rng(7)
    scale = FactScale(FACT, (0, 1, 2), ("0", "1", "2"))
    held = {"win": 0, "win_more": 0, "score": 0, "score_more": 0}
    for _ in range(runs):
        sums = sum_up(scale, invented(150, generator))
        for level in range(3):
            found = read_level(scale, sums, level)
            assert found is not None
            truth = {"win": 1 / 3, "win_more": 0.0, "score": 2 * level + 7.5, "score_more": 2.0 * (level - 1)}
            for name, value in truth.items():
                interval = getattr(found, name)
                held[name] += interval.low <= value <= interval.high
    for times in held.values():
        check_coverage(times, 3 * runs, 0.925, 0.975)


@pytest.mark.quick
def test_sums_of_parts_add_up() -> None:
    generator = np.random.default_rng(3)
    scale = FactScale(FACT, (0, 1, 2), ("0", "1", "2"))
    starts = invented(90, generator)

    def part(rows: slice) -> PlayedOpenings:
        kept = (starts.share[rows], starts.points[rows], starts.entries[rows])
        return PlayedOpenings(starts.openings[rows], starts.tally, starts.seat, starts.hand, *kept)

    whole, first, second = sum_up(scale, starts), sum_up(scale, part(slice(40))), sum_up(scale, part(slice(40, 90)))
    first.add(second)
    assert first.as_data() == whole.as_data()
    assert read_level(scale, first, 1) == read_level(scale, whole, 1)


@pytest.mark.quick
def test_levels_are_few_and_none_is_rare() -> None:
    numbers = Fact("n", "a number", None, least=0, most=99)
    many = make_scale(numbers, np.arange(100)[:, None])
    assert len(many.tops) == 6
    assert many.names[0] == "16 or less"
    assert many.names[-1].endswith("or more")
    few = make_scale(numbers, np.array([[0, 1, 1, 1, 2, 2, 2, 7] * 10 + [9]]))
    assert few.names == ("0", "1", "2", "3 or more")
    assert few.place(np.array([[0, 2, 50, ELSEWHERE]])).tolist() == [[0, 2, 3, 4]]
    assert make_scale(numbers, np.full((5, 1), 3)).names == ("any",)
    named = make_scale(Fact("c", "a colour", None, labels=("red", "blue")), np.zeros((3, 1), int))
    assert named.names == ("red", "blue")


def packs_of(games: int, generator: np.random.Generator, spread: float) -> tuple[Any, Any, Any]:
    """Twelve cards, three packs of four: points are the values of the cards plus luck; seat 1 gets two more."""
    value = np.round(spread * (np.arange(12) - 5.5)).astype(int)
    order = np.argsort(generator.random((games, 12)), axis=1).reshape(games, 3, 4)
    strength = value[order].sum(axis=2)
    points = np.zeros((games, 3, 3), np.int64)
    for turn in range(3):
        points[:, turn] = np.roll(strength, turn, axis=1) + np.array([0, 2, 0]) + generator.integers(-6, 7, (games, 3))
    sets = (1 << order.astype(np.uint64)).sum(axis=2).astype(np.uint64)
    return value, sets, points


@pytest.mark.quick
@repeated(15, 40)
def test_values_of_cards_and_seats_cover(runs: int) -> None:
    generator, held, total = np.random.default_rng(11), 0, 0
    for _ in range(runs):
        value, sets, points = packs_of(150, generator, 1.0)
        hands = read_rotating_hands(collect(12, sets, points))
        truth = [*(value - value.mean()), *(np.array([0, 2, 0]) - 2 / 3)]
        for true_value, (_, interval) in zip(truth, [*hands.card_values, *hands.seats], strict=True):
            held += interval.low <= true_value <= interval.high
            total += 1
    check_coverage(held, total, 0.92, 0.975)


@pytest.mark.quick
def test_the_variance_splits_into_packs_seats_luck() -> None:
    generator = np.random.default_rng(12)
    value, sets, points = packs_of(4000, generator, 1.0)
    parts = dict(read_rotating_hands(collect(12, sets, points)).parts)
    # Within a deal three packs of four cards share twelve: their sum is fixed, so they differ by 4 x 12/11 variances.
    pack = 4 * value.var() * 12 / 11
    luck, seat = 14.0, np.var([0, 2, 0], ddof=1)
    whole = pack + luck + seat
    assert parts["pack"].low < pack / whole < parts["pack"].high
    assert parts["seat"].low < seat / whole < parts["seat"].high
    assert parts["rest"].low < luck / whole < parts["rest"].high
    _, sets, points = packs_of(4000, generator, 0.0)
    assert dict(read_rotating_hands(collect(12, sets, points)).parts)["pack"].low < 0


@pytest.mark.quick
def test_packs_add_up_in_any_parts() -> None:
    _, sets, points = packs_of(60, np.random.default_rng(2), 1.0)
    whole, part = collect(12, sets, points), collect(12, sets[:25], points[:25])
    part.add(collect(12, sets[25:], points[25:]))
    assert read_rotating_hands(part) == read_rotating_hands(whole)


@pytest.mark.parametrize("game", game_names())
def test_every_game_has_facts(game: str) -> None:
    setup = make_setup(game)
    found = chances(setup, games=300, seed=4, threads=1)
    assert found.digest == chances(setup, games=300, seed=4, threads=2).digest
    assert found.games == 300
    strengths = [table.strength for table in found.tables]
    assert strengths == sorted(strengths, reverse=True)
    for table in found.tables:
        assert len(table.levels) > 1
        for level in table.levels:
            assert level.win.low <= level.win.value <= level.win.high
            assert level.score_more.low <= level.score_more.value <= level.score_more.high
    frame = found.frame()
    assert {"fact", "level", "n", "win", "win_low", "win_high", "score_more_low"} <= set(frame.columns)
    assert (found.rotating_hands is not None) == (game == "land-unter")
    assert f"{found.tables[0].name} matters most: " in found.headline


def test_levels_average_to_the_mean_of_all() -> None:
    found = chances(make_setup("vague-verte"), games=400, seed=4)
    for table in found.tables:
        hands = sum(level.n for level in table.levels)
        assert hands in (1200, 400)  # of all seats, or of the one that may take the face-up card
        assert sum(level.n * level.win_more.value for level in table.levels) == pytest.approx(0, abs=1e-9)
        assert sum(level.n * level.score_more.value for level in table.levels) == pytest.approx(0, abs=1e-8)


def test_a_level_without_wins_stays_uncertain() -> None:
    found = chances(make_setup("wave", 3), games=2000, seed=4, confirm=True)
    again = found.confirmed
    assert again is not None
    assert again.fact == found.tables[0].name
    assert again.picked != again.fresh
    assert again.again
    assert (again.fact, again.level, again.measure) in found.standing
    assert found.words() == []
    table = next(table for table in found.tables if table.name == "first hand fits")
    stuck = table.levels[0]
    assert stuck.win.value == 0
    assert stuck.win_more.high - stuck.win_more.value > stuck.win.high > 0


def test_sentences_take_numbers_from_fresh_games() -> None:
    found = chances(make_setup("wave", 3), games=400, seed=4, confirm=True)
    fresh = {(level.fact, level.level): level.win_more for level in found.fresh}
    named = []
    for fact, said in zip(found.tables, found.sentences(), strict=False):
        worst, *_, best = sorted(fact.levels, key=lambda level: level.win_more.value)
        sure = [more for level in (best, worst) if (more := fresh[fact.name, level.level]).differs]
        ends = said["values"]["ends"]
        assert [end["values"]["more"]["value"] for end in ends] == [more.value for more in sure] if sure else (
            ends == "no difference shown"
        )  # fmt: skip
        named.append(len(sure))
    assert max(named) > 0 == min(named)
    other = chances(make_setup("wave", 3), games=50, seed=9)
    levels = {(level.fact, level.level) for table in other.tables for level in table.levels}
    assert levels <= fresh.keys()  # the bins of a setup are the same for all seeds and numbers of games


def test_facts_without_levels_are_left_out() -> None:
    base = chances(make_setup("wave"), games=200)
    assert "Virage followers" not in [table.name for table in base.tables]
    alone = chances(make_setup("vague-attaque", 1), games=200)
    assert not {"seat", "artefact"} & {table.name for table in alone.tables}
    short = chances(make_setup("land-unter", 3, (), {"rounds": 2}), games=200)
    assert short.rotating_hands is not None
    assert short.rotating_hands.parts == ()


def test_your_own_opening_beside_the_random_deal() -> None:
    setup = make_setup("wave", 3)
    stuck = with_opening(setup, "top: navy 4; seat 1: white 1, white 2, white 3, white 4, yellow 4", games=400, seed=4)
    team = stuck.sides[0]
    assert team.win.value == 0  # no card of the hand fits
    assert team.score.value == int(setup.rules[0].deck_size) - 1
    assert team.free_win.value > 0.1
    assert team.win_more.value == pytest.approx(-team.free_win.value)
    assert team.win_more.high < 0 < team.score_more.low
    assert team.win_more.high - team.win_more.value > team.win.high  # none won of 400 is not known to be none of all
    assert stuck.frame()["opening"][0] == stuck.opening
    assert " with this opening, " in stuck.headline
    again = with_opening(setup, stuck.opening, games=400, seed=4, threads=1)
    assert again.digest == stuck.digest


def test_the_difference_to_the_random_deal_is_paired() -> None:
    """An opening that hardly matters: most games are equal, so the difference is precise."""
    found = with_opening(make_setup("land-unter", 3, (), {"rounds": 1}), "water: 5", games=3000, seed=4)
    for side in found.sides:
        assert side.win_more.low < 0 < side.win_more.high
        assert side.win_more.half < side.win.half * 1.4
