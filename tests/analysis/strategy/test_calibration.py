"""Calibration: the line of levels, where results place a group on it, and errors in results files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import houle
from houle.analysis.measures.targets import parse_target
from houle.analysis.players.groups import check_group_name, groups
from houle.analysis.players.named_players import level_strategy, level_words, levels, line_words, nearest_level
from houle.analysis.players.read_players import read_strategy, role
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.strategy.calibration import PlayedSetup, likely_places, log_likelihood, places
from houle.analysis.strategy.results_file import SetupResults, add_result, game_of, read_results
from houle.reports.figures import draw
from houle.solver.errors import FileError, InputError
from houle.solver.players.names import POINT, parse
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, make_setup

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3, settings={"talk": "known"})
RESULTS = 300
FINE = np.linspace(0, 3, 301)


def test_slips_get_rarer_and_thought_grows_along_the_line() -> None:
    assert [level.name for level in levels()] == ["first-game", "family", "regular", "seasoned"]
    for place, level in enumerate(levels()):
        assert parse(level_strategy(place)) == parse(level.strategy)
        assert read_strategy(level.name).code == parse(level.strategy).code
        assert "calibrated" in level.is_not
    points = np.array([[parse(level_strategy(place)).options.get(key, 0) for key in POINT] for place in places()])
    assert (np.diff(points[:, 0]) < 0).all()
    assert (np.diff(points[:, 1]) > 0).all()
    assert line_words() == "0 first-game, 1 family, 2 regular, 3 seasoned"


def test_places_in_words() -> None:
    assert level_words(1.4) == "between family and regular"
    assert level_words(0.98) == level_words(1.0) == "at the family level"
    assert level_words(3.0) == "at the seasoned level"
    assert (nearest_level(0.4), nearest_level(2.6)) == ("first-game", "seasoned")


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
    assert fit.repeat() == f"houle calibrate wave -p 3 --set talk=known {file} -n 2000 --seed 1"
    data = fit.as_json()
    assert data["level"]["n"] == 200
    assert "calibrated" in data["calibration"]
    assert max(place["log_likelihood"] for place in data["places"]) <= 0
    assert len(fit.frame()) == len(places())


@pytest.mark.compiled
def test_few_results_leave_the_level_open() -> None:
    one = houle.calibrate(WAVE, results=[{"result": "loss"}], games=2_000)
    assert one.sentence == "1 result: anything from first-game to expert."
    few = houle.calibrate(WAVE, results=[{"result": "win"}, *[{"result": "loss"}] * 2], games=2_000)
    assert few.sentence == "3 results: anything from first-game to expert."


@pytest.mark.compiled
def test_better_results_than_the_last_level_are_above_it() -> None:
    best = houle.calibrate(WAVE, results=[{"result": "win"}] * 15 + [{"result": "loss"}] * 5, games=2_000)
    assert best.sentence == "Your group plays above seasoned."
    assert (best.level.value, best.beyond) == (3.0, 1)
    few = houle.calibrate(WAVE, results=[{"result": "win"}] * 3, games=2_000)
    assert not few.beyond
    worst = houle.calibrate(WAVE, results=[{"result": "34"}] * 12, games=2_000)
    assert worst.sentence == "Your group plays below first-game."


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOULE_CONFIG_DIR", str(tmp_path / "config"))
    return tmp_path / "config"


@pytest.mark.compiled
def test_a_saved_group_is_a_player(config: Path) -> None:
    fit = houle.calibrate(WAVE, results=[{"result": "win"}] * 15 + [{"result": "loss"}] * 85, games=2_000)
    assert fit.save("my-group") == config / "groups.toml"
    (group,) = groups().values()
    assert (group.name, group.results, group.beyond) == ("my-group", 100, 0)
    assert group.level == pytest.approx(fit.level.value, abs=0.006)
    assert len(group.likelihood) == 61
    assert max(group.likelihood) <= 0
    player = read_strategy("my-group")
    assert (player.text, player.code) == ("my-group", level_strategy(group.level))
    assert role(player) == f"your group, {level_words(group.level)}"
    assert houle.simulate(WAVE, strategies="my-group", games=20).strategies == ("my-group",) * 3
    assert parse_target("win=40%@my-group").is_for(("my-group",) * 3)
    fit.save("others")
    assert [*groups()] == ["my-group", "others"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("family", "'family' is a player of houle"),
        ("thumb", "'thumb' is a player of houle"),
        ("level", "'level' is a player of houle"),
        ("My group", "'My group' is not allowed; allowed: small letters, digits and hyphens"),
        ("", "'' is not allowed"),
        ("x" * 50, "is not allowed"),
    ],
)
def test_some_names_are_refused(name: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        check_group_name(name)


@pytest.mark.parametrize("content", ["[a]\nlevel = 9", "a = 1", "[a", "[a]\nlevel = 1\nlow = 2\nhigh = 3\n", "\xff"])
def test_a_broken_file_of_groups_is_refused(content: str, config: Path) -> None:
    config.mkdir()
    (config / "groups.toml").write_bytes(content.encode("latin-1"))
    with pytest.raises(FileError) as caught:
        groups()
    assert str(config) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.compiled
def test_wins_against_known_players_place_a_rival() -> None:
    rows = [{"result": "win", "seats": 1, "others": "first-game"}] * 60
    rows += [{"result": "loss", "seats": 1, "others": "first-game"}] * 40
    fit = houle.calibrate(make_setup("land-unter", 3), results=rows, games=300)
    assert fit.level.low > 0  # a first-game player among its like wins a third
    assert fit.as_json()["setups"][0]["others"] == "first-game"


def test_games_and_rules_files_are_read_from_rows(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('game = "wave"\nname = "own"\nplayers = 3\n[set]\nhand.back = 3\n')
    file = tmp_path / "results.csv"
    file.write_text("game,rules,players,result\nwave,own.toml,3,win\nwave,,3,loss\nland-unter,,4,7\n")
    results = read_results(file, WAVE)
    assert [(one.setup.ruleset.name, one.setup.players, one.setup.title, one.number) for one in results] == [
        ("wave", 3, "own", 1),
        ("wave", 3, "", 1),
        ("land-unter", 4, "", 1),
    ]
    assert game_of(file) == "wave"
    file.write_text("players,result\n3,win\n")
    with pytest.raises(FileError, match=r"does not say which game; write houle calibrate GAME"):
        game_of(file)


def test_kept_results_are_read_back(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    row = {"game": "wave", "players": 3, "variant": "base", "rules": "", "seats": "1", "others": "family"}
    for result in ("win", 4):
        add_result(file, {**row, "result": result})
    (one,) = read_results(file, WAVE)
    assert (one.won, dict(one.scores), one.seats, one.others) == (1, {4: 1}, (0,), "family")
    file.write_text("players,result\n3,win\n")
    with pytest.raises(FileError, match="there is no column game"):
        add_result(file, {**row, "result": "win"})


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
        ("seats,result\n1,win\n", "line 2: others: say who plays the other seats"),
        ("others,result\nfamily,win\n", "line 2: seats: say which seats your group plays"),
        ("seats,others,result\n4,family,win\n", "line 2: seats: '4' is not allowed; allowed: seats from 1 to 3"),
        ("seats,others,result\n1,famly,win\n", "line 2: others: unknown strategy 'famly'; did you mean 'family'"),
        ("seats,others,result\n1,flat:20,win\n", "line 2: others: 'flat:20' searches, which takes too long"),
        ("rules,result\nnowhere.toml,win\n", "line 2: "),
        ("result,result\nwin,win\n", "line 1: columns: result, result; allowed: result"),
        (
            "result\nwin\nmaybe\n",
            "line 3: result: 'maybe' is not allowed; allowed: win, loss, or cards_left from 0 to 34",
        ),
        ("result\n35\n", "line 2: result: '35' is not allowed"),
        ("result\n-1\n", "line 2: result: '-1' is not allowed"),
        ("result,players\nwin,9\n", "line 2: wave: players: 9 is not allowed"),
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
    with pytest.raises(FileError, match=r"row 1: result: 'win' is not allowed.*Give the points of one player, or say"):
        read_results([{"result": "win"}], make_setup("land-unter", 4))


@pytest.mark.compiled
def test_the_figure_is_drawn() -> None:
    fit = houle.calibrate(WAVE, results=[{"result": "loss"}], games=200)
    assert draw(fit) is not None
