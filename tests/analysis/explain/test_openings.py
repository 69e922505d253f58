"""What the deal decides: levels, intervals that cover, and which levels are named."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

import numpy as np
import pytest

from houle.analysis.explain.means_by_fact import FactLevel, FactScale, make_scale, read_level, sum_up
from houle.analysis.explain.openings import FactTable, OpeningGames, Openings, openings
from houle.analysis.result import Facts
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.stats.estimate import PERCENT, POINTS, Estimate
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.solver.matches.opening import ELSEWHERE, Fact, PlayedOpenings
from houle.solver.rules import Setup, game_names, make_setup
from houle.solver.run.tally import Tally
from tests.support.repeated import check_coverage, repeated

pytestmark = pytest.mark.compiled

FACT = Fact("luck", "what the hand holds", lambda openings: openings, most=2)


def chances(setup: Setup, strategies: str = "thumb", **run: Unpack[RunOptions]) -> Openings:
    return openings(setup, OpeningGames(setup, strategies), RunSpec.of(run))


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
    assert len(found.fresh) == sum(len(table.levels) for table in found.tables)
    assert found.headline


def test_levels_average_to_the_mean_of_all() -> None:
    found = chances(make_setup("vague-verte"), games=400, seed=4)
    for table in found.tables:
        hands = sum(level.n for level in table.levels)
        assert hands in (1200, 400)  # of all seats, or of the one that may take the face-up card
        assert sum(level.n * level.win_more.value for level in table.levels) == pytest.approx(0, abs=1e-9)
        assert sum(level.n * level.score_more.value for level in table.levels) == pytest.approx(0, abs=1e-8)


def test_a_level_without_wins_stays_uncertain() -> None:
    found = chances(make_setup("wave", 3), games=2000, seed=4)
    table = next(table for table in found.tables if table.name == "first hand fits")
    stuck = table.levels[0]
    assert stuck.win.value == 0
    assert stuck.win_more.high - stuck.win_more.value > stuck.win.high > 0
    assert (table.name, "worst", stuck.level) in [(one.fact.name, one.end, one.level) for one in found.named]


def test_sentences_take_numbers_from_fresh_games() -> None:
    found = chances(make_setup("wave", 3), games=2000, seed=4)
    fresh = {(level.fact, level.level): level.win_more for level in found.fresh}
    assert found.named
    for named in found.named:
        first = next(level for level in named.fact.levels if level.level == named.level)
        assert named.more == fresh[named.fact.name, named.level] != first.win_more
    said = [end["values"]["more"]["value"] for line in found.sentences()[1]["items"] for end in line["values"]["ends"]]
    facts = list(dict.fromkeys(named.fact.name for named in found.named))[:4]
    assert said == [named.more.value for named in found.named if named.fact.name in facts]
    other = chances(make_setup("wave", 3), games=50, seed=9)
    levels = {(level.fact, level.level) for table in other.tables for level in table.levels}
    assert levels <= fresh.keys()  # the bins of a setup are the same for all seeds and numbers of games


def one_fact(first: list[Estimate], again: list[Estimate]) -> Openings:
    """A result with one fact of three levels: their differences in the first and in the fresh games."""
    some = Estimate(0.3, 0.2, 0.4, 900, PERCENT)

    def levels(more: list[Estimate]) -> tuple[FactLevel, ...]:
        score = replace(some, unit="")
        return tuple(FactLevel("luck", str(i), 900, 900, some, one, score, score) for i, one in enumerate(more))

    setup = make_setup("wave", 3)
    facts = Facts(setup, ("thumb",) * 3, 1, 900, 900, 1.0, "")
    return Openings(facts, setup, "", 900, (FactTable("luck", "luck", levels(first), 1.0),), levels(again))


@pytest.mark.quick
@pytest.mark.parametrize(
    ("fresh", "named"),
    [
        (Estimate(0.05, 0.02, 0.08, 900, POINTS), True),
        (Estimate(0.05, -0.001, 0.10, 900, POINTS), False),
        (Estimate(0.009, 0.004, 0.014, 900, POINTS), False),
    ],
    ids=["certain", "may be 0", "below a point"],
)
def test_only_certain_differences_that_matter_are_named(fresh: Estimate, named: bool) -> None:
    none = Estimate(0.0, -0.02, 0.02, 900, POINTS)
    large = Estimate(0.2, 0.1, 0.3, 900, POINTS)
    found = one_fact([none, replace(none, value=-0.01), large], [none, none, fresh])
    assert [one.level for one in found.named] == (["2"] if named else [])
    assert ("No fact about the deal" in str(found.sentences()[0]["words"])) == (not named)


def test_intervals_in_fresh_games_are_joint() -> None:
    """With as many games, those of the first are narrower by what 26 or more intervals need together."""
    found = chances(make_setup("wave", 3), games=1000, seed=4)
    widths = [
        (level.win_more.half, again.half)
        for table in found.tables
        for level in table.levels
        if level.n > 100 and (again := found.again(level)) is not None
    ]
    assert len(widths) > 20
    assert np.mean([again / first for first, again in widths]) == pytest.approx(1.65, abs=0.12)


def test_facts_without_levels_are_left_out() -> None:
    base = chances(make_setup("wave"), games=200)
    assert "Virage followers" not in [table.name for table in base.tables]
    alone = chances(make_setup("vague-attaque", 1), games=200)
    assert not {"seat", "artefact"} & {table.name for table in alone.tables}
