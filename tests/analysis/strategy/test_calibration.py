"""Calibration: the line of levels, where results place a group on it, and errors in results files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import houle
from houle.analysis.run import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.sampling.levels import level_strategy, level_words, levels, line_words
from houle.analysis.sampling.players import read_strategy
from houle.analysis.strategy.calibration import PlayedSetup, likely_places, log_likelihood, places
from houle.analysis.strategy.results_file import SetupResults, read_results
from houle.reports.figures import draw
from houle.solver.errors import FileError, InputError
from houle.solver.players.names import LAPSES, parse
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, make_setup

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3)
RESULTS = 300
FINE = np.linspace(0, 3, 301)


def test_lapses_get_rarer_along_the_line() -> None:
    assert [level.name for level in levels()] == ["first-game", "family", "regular", "seasoned"]
    for place, level in enumerate(levels()):
        assert parse(level_strategy(place)) == parse(level.strategy)
        assert read_strategy(level.name).text == parse(level.strategy).text
        assert "calibrated" in level.is_not
    chances = np.array([[parse(level_strategy(place)).options.get(lapse, 0) for lapse in LAPSES] for place in places()])
    assert (np.diff(chances, axis=0) < 0).all()
    assert line_words() == "0 first-game, 1 family, 2 regular, 3 seasoned"


def test_places_in_words() -> None:
    assert level_words(1.4) == "between family and regular"
    assert level_words(0.98) == level_words(1.0) == "at the family level"
    assert level_words(0.0) == "at the first-game level or below"
    assert level_words(3.0) == "at the seasoned level or above"


def shares_inside(setup: Setup, by_score: bool, games: int, again: int) -> list[float]:
    """For each level, how often the interval fitted to 300 of its results holds it."""
    luck = np.random.default_rng(5)
    tallies = tuple(
        play_line_up(seat_strategies(setup, [level_strategy(place)]), RunSpec(games)).tally for place in places()
    )
    shares = []
    for place, level in enumerate(levels()):
        other = play_line_up(
            seat_strategies(setup, [level.strategy]), RunSpec(games, 2)
        ).tally  # other games than those of the likelihood
        scores = Counter[int]()
        for side in range(len(other.moments)):
            scores.update(other.scores(side))
        chances = np.array([scores[score] for score in sorted(scores)]) / scores.total()
        wins = int(other.moments[0].share) / 840 / other.games
        inside = 0
        for _ in range(again):
            results = SetupResults(setup)
            if by_score:
                drawn = luck.multinomial(RESULTS, chances)
                results.scores.update(dict(zip(sorted(scores), map(int, drawn), strict=True)))
            else:
                results.won = int(luck.binomial(RESULTS, wins))
                results.lost = RESULTS - results.won
            likelihood = log_likelihood(PlayedSetup(results, tallies), FINE)
            fitted = likely_places(likelihood, FINE, RESULTS)
            assert fitted.low <= fitted.value <= fitted.high
            inside += fitted.low - 1e-9 <= place <= fitted.high + 1e-9
        shares.append(inside / again)
    return shares


@pytest.mark.compiled
def test_results_of_a_level_are_placed_there() -> None:
    assert min(shares_inside(WAVE, False, 4_000, 40)) >= 0.85  # the slow test below asks for 90% of many more


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players", "by_score", "games", "again"),
    [
        ("wave", 3, False, 40_000, 400),
        ("wave", 3, True, 40_000, 400),
        ("land-unter", 4, True, 20_000, 200),
        ("sea-change", 4, True, 20_000, 200),
        ("vague-verte", 3, True, 20_000, 200),
        ("vague-attaque", 3, True, 20_000, 200),
    ],
)
def test_levels_are_fitted_back(game: str, players: int, by_score: bool, games: int, again: int) -> None:
    """The interval fitted to 300 simulated results holds the true level in at least 90% of cases."""
    assert min(shares_inside(make_setup(game, players), by_score, games, again)) >= 0.9


def test_the_interval_follows_the_likelihood_ratio() -> None:
    likelihood = -0.5 * ((FINE - 1.5) / 0.25) ** 2
    level = likely_places(likelihood, FINE, 10)
    assert level.value == pytest.approx(1.5)
    assert (level.low, level.high) == (pytest.approx(1.01, abs=0.011), pytest.approx(1.99, abs=0.011))


@pytest.mark.compiled
def test_results_show_how_a_group_plays(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("players,result\n" + "3,win\n" * 30 + "3,loss\n" * 170)
    fit = houle.calibrate(WAVE, results=str(file), games=2_000)
    assert fit.sentence == "Your group plays between family and regular."
    assert fit.headline == "Your group plays between family and regular (200 results)"
    assert fit.level.n == 200
    assert 0.5 < fit.level.low < fit.level.value < fit.level.high < 2.5
    assert fit.repeat() == f"houle calibrate wave -p 3 {file} -n 2000 --seed 1"
    data = fit.as_json()
    assert data["level"]["n"] == 200
    assert "calibrated" in data["calibration"]
    assert max(place["log_likelihood"] for place in data["places"]) <= 0
    assert len(fit.frame()) == len(places())


@pytest.mark.compiled
def test_few_results_leave_the_level_open() -> None:
    one = houle.calibrate(WAVE, results=[{"result": "loss"}], games=2_000)
    assert one.sentence == "These results are too few to say how your group plays."
    won = houle.calibrate(WAVE, results=[{"result": "win"}], games=2_000)
    assert won.sentence == "Your group plays somewhere from first-game to seasoned; more results would narrow this."


def test_results_of_several_setups_stay_separate(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("variant,players,Result\n\nvirage,4,WIN\nbase,2,3\n,2,0\nvirage,4,lost\n")
    results = read_results(file, WAVE)
    assert [(one.setup.players, one.setup.variants, one.won, one.lost, dict(one.scores)) for one in results] == [
        (4, ("virage",), 1, 1, {}),
        (2, (), 0, 0, {3: 1, 0: 1}),
    ]
    own = make_setup("wave", 3, ("virage",), {"hand.front": 4})
    (one,) = read_results([{"result": "win", "players": 2}], own)
    assert (one.setup.players, one.setup.variants, one.setup.options["hand.front"]) == (2, ("virage",), 4)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "no results; allowed: one row per game"),
        ("result\n", "no results; allowed: one row per game"),
        ("players,outcome\n3,win\n", "line 1: unknown column 'outcome'"),
        ("players\n3\n", "line 1: columns: players; allowed: result"),
        ("result,result\nwin,win\n", "line 1: columns: result, result; allowed: result"),
        (
            "result\nwin\nmaybe\n",
            "line 3: result: 'maybe' is not allowed; allowed: win, loss, or cards_left from 0 to 34",
        ),
        ("result\n35\n", "line 2: result: '35' is not allowed"),
        ("result\n-1\n", "line 2: result: '-1' is not allowed"),
        ("result,players\nwin,9\n", "line 2: wave: 9 players"),
        ("result,players\nwin,three\n", "line 2: players: 'three' is not allowed; allowed: a whole number"),
        ("result,variant\nwin,virag\n", "line 2: wave: unknown variant 'virag'; did you mean 'virage'"),
        ("result,players\nwin,3,4\n", "line 2: 3 cells, but 2 columns: result, players"),
        ('result\n"win\n', "line 2: unexpected end of data"),
    ],
)
def test_errors_name_the_line(content: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(content)
    with pytest.raises(InputError) as caught:
        read_results(file, WAVE)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No such file"):
        read_results(tmp_path / "nowhere.csv", WAVE)
    (tmp_path / "bytes.csv").write_bytes(b"result\n\xff\xfe\n")
    with pytest.raises(FileError, match="not a text file"):
        read_results(tmp_path / "bytes.csv", WAVE)


def test_competitive_games_need_scores() -> None:
    with pytest.raises(FileError, match=r"row 1: result: 'win' is not allowed.*Give the points of one player"):
        read_results([{"result": "win"}], make_setup("land-unter", 4))


@pytest.mark.compiled
def test_the_figure_is_drawn() -> None:
    fit = houle.calibrate(WAVE, results=[{"result": "loss"}], games=200)
    assert draw(fit) is not None
