"""Calibration: the plane of slips and thought, where results place a group on it, and errors in results files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import houle
from houle.analysis.measures.targets import parse_target
from houle.analysis.players.groups import Group, check_group_name, groups, save_group
from houle.analysis.players.named_players import level_strategy, level_words, levels, line_words, nearest_level
from houle.analysis.players.plane import (
    DRAWN,
    as_numbers,
    drawn,
    in_levels,
    nodes,
    point_number,
    points,
    shares,
    strategy_at,
)
from houle.analysis.players.read_players import read_strategy, role
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.analysis.strategy import calibration
from houle.analysis.strategy.calibration import PlayedSetup, log_likelihood, on_the_plane, points_of
from houle.analysis.strategy.results_file import SetupResults, add_result, game_of, read_results
from houle.reports.figures import draw
from houle.solver.errors import FileError, InputError
from houle.solver.players.names import POINT, parse
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup, make_setup
from houle.solver.run import Run
from houle.solver.run.tally import Tally

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3, settings={"talk": "known"})


def test_slips_get_rarer_and_thought_grows_along_the_line() -> None:
    assert [level.name for level in levels()] == ["first-game", "family", "regular", "seasoned"]
    for place, level in enumerate(levels()):
        assert parse(level_strategy(place)) == parse(level.strategy)
        assert read_strategy(level.name).code == parse(level.strategy).code
        assert "calibrated" in level.is_not
    line = np.linspace(0, 3, 13)
    numbers = np.array([[parse(level_strategy(place)).options.get(key, 0) for key in POINT] for place in line])
    assert (np.diff(numbers[:, 0]) < 0).all()
    assert (np.diff(numbers[:, 1]) > 0).all()
    assert line_words() == "0 first-game, 1 family, 2 regular, 3 seasoned"


def test_places_in_words() -> None:
    assert level_words(1.4) == "between family and regular"
    assert level_words(0.98) == level_words(1.0) == "at the family level"
    assert level_words(3.0) == "at the seasoned level"
    assert (nearest_level(0.4), nearest_level(2.6)) == ("first-game", "seasoned")


def tally(setup: Setup, games: int, chance: float) -> Tally:
    """The counts of a player who wins with this chance."""
    counted = Tally.empty(setup)
    counted.totals[0].games = games
    counted.moments[0].share = counted.moments[0].share_squared = round(games * chance) * WHOLE_WIN
    counted.moments[0].share_squared *= WHOLE_WIN
    return counted


def chance_at(slips: float, thought: float) -> float:
    """A made-up game in which both numbers count."""
    return 0.05 + 0.2 * (1 - slips / 60) + 0.1 * np.log2(1 + thought) / np.log2(17)


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are not played: every player wins by `chance_at`."""

    def play(players: LineUp, spec: RunSpec) -> Run:
        one = players.strategies[0].options
        chance = chance_at(one.get("slips", 0), one.get("thought", 0))
        return Run(players.setup, players, spec.seed, 0, tally(players.setup, spec.games, chance), spec.games, 0.0)

    monkeypatch.setattr(calibration, "play_line_up", play)


def evening(won: int, lost: int) -> list[dict[str, str]]:
    return [{"result": "win"}] * won + [{"result": "loss"}] * lost


def test_points_of_the_plane_in_levels() -> None:
    for number, level in enumerate(levels()):
        assert strategy_at((number, number)) == level_strategy(number)
        options = parse(level.strategy).options
        assert in_levels(options.get("slips", 0), options.get("thought", 0)) == (number, number)
        assert points()[point_number(number)].tolist() == [number, number]
    assert strategy_at((-1, 4)) == "level[slips=60,thought=16]"


def test_chances_between_nodes_are_interpolated() -> None:
    assert np.allclose(shares().sum(axis=1), 1)
    assert np.allclose(shares() @ nodes(), points())
    crooked = nodes()[:, 0] * nodes()[:, 1]
    assert np.allclose(shares() @ crooked, points()[:, 0] * points()[:, 1])


def test_drawn_points_stand_for_all_chances() -> None:
    rng = np.random.default_rng(3)
    for centre in rng.uniform(0, 3, (10, 2)):
        chances = np.exp(-((points() - centre) ** 2).sum(axis=1))
        chances /= chances.sum()
        some = drawn(chances)
        assert len(some) == DRAWN
        mean, wide = chances @ points(), np.sqrt(chances @ (points() - chances @ points()) ** 2)
        assert np.allclose(some.mean(axis=0), mean, atol=0.15)
        assert np.allclose(some.std(axis=0), wide, rtol=0.25)
    sure = np.zeros(len(points()))
    sure[point_number(2)] = 1
    assert (drawn(sure) == 2).all()


def test_known_points_are_found_again() -> None:
    """Of groups on the line of levels the intervals of level, slips and thought hold the truth in 9 of 10 cases."""
    chances, rng, held = np.array([chance_at(*as_numbers(node)) for node in nodes()]), np.random.default_rng(8), []
    for level in rng.uniform(0, 3, 200):
        number = 60
        won = rng.binomial(number, chance_at(*as_numbers((level, level))))
        played = PlayedSetup(SetupResults(WAVE, won=int(won), lost=int(number - won)),
                             tuple(tally(WAVE, 100_000, chance) for chance in chances))  # fmt: skip
        fitted = on_the_plane(log_likelihood(played), number)
        truth = (level, *as_numbers((level, level)))
        held.append([one.low - 0.26 <= value <= one.high + 0.26 for one, value in zip(fitted, truth, strict=True)])
    assert (np.mean(held, axis=0) >= 0.9).all()


def test_few_results_cannot_tell_slips_from_thought() -> None:
    played = PlayedSetup(SetupResults(WAVE, won=8, lost=32),
                         tuple(tally(WAVE, 100_000, chance_at(*as_numbers(node))) for node in nodes()))  # fmt: skip
    some = np.array([in_levels(*point) for point in points_of(log_likelihood(played))])
    apart = some[:, 0] - some[:, 1]
    assert apart.min() < -1
    assert apart.max() > 1


@pytest.mark.usefixtures("made_up")
def test_results_show_how_a_group_plays(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("players,result\n" + "3,win\n" * 210 + "3,loss\n" * 790)
    fit = houle.calibrate(WAVE, results=str(file), games=2_000)
    where = "Your group plays somewhere from first-game to regular; more results would narrow this"
    assert (fit.sentence, fit.headline) == (f"{where}.", f"{where} (1,000 results)")
    assert fit.level.n == 1000
    assert 0 < fit.level.low < fit.level.value < fit.level.high < 2.5
    assert fit.repeat() == f"houle calibrate wave -p 3 --set talk=known {file} -n 2000 --seed 1"
    data = fit.as_json()
    assert data["level"]["n"] == 1000
    assert "calibrated" in data["calibration"]
    assert max(node["log_likelihood"] for node in data["nodes"]) <= 0
    assert len(data["points"]) == DRAWN
    assert len(fit.frame()) == len(nodes())
    assert {node["games"] for node in data["nodes"]} == {500, 2_000}


@pytest.mark.usefixtures("made_up")
def test_few_results_leave_the_level_open() -> None:
    one = houle.calibrate(WAVE, results=evening(0, 1), games=2_000)
    assert one.sentence == "1 result: anything from first-game to expert."
    few = houle.calibrate(WAVE, results=evening(1, 2), games=2_000)
    assert few.sentence == "3 results: anything from first-game to expert."


@pytest.mark.usefixtures("made_up")
def test_better_results_than_the_last_level_are_above_it() -> None:
    best = houle.calibrate(WAVE, results=evening(15, 5), games=2_000)
    assert (best.sentence, best.beyond) == ("Your group plays above seasoned.", 1)
    assert not houle.calibrate(WAVE, results=evening(3, 0), games=2_000).beyond
    worst = houle.calibrate(WAVE, results=evening(0, 200), games=2_000)
    assert worst.sentence == "Your group plays below first-game."


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOULE_CONFIG_DIR", str(tmp_path / "config"))
    return tmp_path / "config"


@pytest.mark.usefixtures("made_up")
def test_a_saved_group_is_a_player(config: Path) -> None:
    fit = houle.calibrate(WAVE, results=evening(20, 80), games=2_000)
    assert fit.save("my-group") == config / "groups.toml"
    (group,) = groups().values()
    assert (group.name, group.results, group.beyond) == ("my-group", 100, 0)
    assert group.points == fit.points
    assert group.slips == pytest.approx(fit.slips.value, rel=1e-4)
    player = read_strategy("my-group")
    assert (player.text, player.code) == ("my-group", parse(group.strategy).code)
    assert role(player) == f"your group, {level_words(group.level)}"
    assert group.low < group.level < group.high
    assert parse_target("win=40%@my-group").is_for(("my-group",) * 3)
    fit.save("others")
    assert [*groups()] == ["my-group", "others"]


def test_groups_of_the_version_before_are_refused(config: Path) -> None:
    config.mkdir()
    before = "level = 1.70\nlow = 0.90\nhigh = 2.60\nbeyond = 0\nresults = 40\nlikelihood = [-1.0, 0.0, -1.0, -2.0]\n"
    (config / "groups.toml").write_text(f"[grp1]\n{before}")
    with pytest.raises(
        FileError, match=r"grp1 is of houle 0\.3\.0; calibrate it again: houle calibrate RESULTS --name grp1"
    ):
        read_strategy("grp1")
    assert not groups()  # other players are read as ever
    assert read_strategy("family").text == "family"
    save_group(Group("grp1", 20.0, 1.0, ((10.0, 1.0), (30.0, 1.0)), 0, 40))
    assert groups()["grp1"].points == ((10, 1), (30, 1))


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


@pytest.mark.parametrize(
    "content",
    [
        "[a]\npoint = [1, 2]",
        "a = 1",
        "[a",
        "[a]\npoint = [1, 2]\npoints = []\nbeyond = 0\nresults = 3\n",
        "[a]\npoint = [1, 2]\npoints = [[101, 1]]\nbeyond = 0\nresults = 3\n",
        "[a]\npoint = [1, 2]\npoints = 3\nbeyond = 0\nresults = 3\n",
        "\xff",
    ],
)
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
    fit = houle.calibrate(make_setup("land-unter", 3), results=rows, games=100)
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


@pytest.mark.usefixtures("made_up")
def test_the_figure_is_drawn() -> None:
    fit = houle.calibrate(WAVE, results=evening(0, 1), games=200)
    assert draw(fit) is not None
