"""`houle.fit`: results of people as files and rows, the sentence about them, and what levels reach there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import houle
from houle.analysis.players import fit as module
from houle.analysis.players.line_ups import read_strategy
from houle.analysis.players.results_file import add_result, files_of, read_results
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.solver.errors import FileError, InputError, StrategyError
from houle.solver.players.player import LineUp
from houle.solver.rules import make_setup
from houle.solver.run import Run
from houle.solver.run.tally import Tally

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3, settings={"talk": "known"})

RATES = {"first-game": 0.07, "family": 0.19, "regular": 0.32, "seasoned": 0.44}


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are not played: every level wins as often as in RATES, and has no card left then."""

    def play(players: LineUp, spec: RunSpec) -> Run:
        counted, won = Tally.empty(players.setup), round(spec.games * RATES[players.names[0]])
        counted.totals[0].games = spec.games
        counted.moments[0].share = won * WHOLE_WIN
        counted.moments[0].share_squared = won * WHOLE_WIN**2
        counted.histogram[0, [0, 5]] = won, spec.games - won
        return Run(
            players.setup, line_up=players, seed=spec.seed, first=0, tally=counted, asked=spec.games, seconds=0.0
        )

    monkeypatch.setattr(module, "play_line_up", play)


def evening(won: int, lost: int, **more: object) -> list[dict[str, object]]:
    return [{"result": "win", **more}] * won + [{"result": "loss", **more}] * lost


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("won", "lost", "sentence"),
    [
        (10, 30, "Your 40 results fit family and regular, and rule out first-game and seasoned."),
        (0, 1, "Your 1 result rules out none of the levels."),
        (1, 4, "Your 5 results rule out none of the levels."),
        (38, 2, "Your 40 results rule out every level: they are better than seasoned."),
        (0, 400, "Your 400 results rule out every level: they are worse than first-game."),
        (250, 750, "Your 1,000 results rule out every level: they are better than family and worse than regular."),
    ],
)
def test_sentence_says_what_fits(won: int, lost: int, sentence: str) -> None:
    assert houle.fit(WAVE, evening(won, lost)).sentence == sentence


@pytest.mark.usefixtures("made_up")
def test_scores_count_like_wins() -> None:
    """Less is better in WAVE."""
    best = houle.fit(WAVE, [{"result": 0}] * 38 + [{"result": 5}] * 2)
    assert best.sentence.endswith("they are better than seasoned.")
    assert best.played[0].score(3).value == pytest.approx(0.56 * 5)


@pytest.mark.usefixtures("made_up")
def test_a_level_fits_all_setups_or_none() -> None:
    same = houle.fit(WAVE, evening(8, 32) + evening(7, 33, variant="virage"))
    assert same.by_setup == "The same level fits all 2 setups: family."
    apart = houle.fit(WAVE, evening(3, 57) + evening(27, 33, variant="virage"))
    assert apart.sentence == "Your 120 results rule out every level: no level fits all setups."
    each = "first-game (3 players, talk=known); seasoned (3 players, virage, talk=known)"
    assert apart.by_setup == f"What fits by setup: {each}."
    assert len(apart.frame()) == 8


@pytest.mark.usefixtures("made_up")
def test_needed_results_are_named_until_settled() -> None:
    open_, settled = houle.fit(WAVE, evening(10, 30)), houle.fit(WAVE, evening(19, 81))
    assert open_.needed == "About 160 results usually leave only one of family and regular."
    assert (settled.fitting, settled.needed) == (["family"], "")


@pytest.mark.usefixtures("made_up")
def test_a_level_cut_short_leaves_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = module.play_line_up
    monkeypatch.setattr(
        module,
        "play_line_up",
        lambda one, spec: replace(whole(one, spec), asked=spec.games + (one.names[0] == "seasoned")),
    )
    with pytest.raises(KeyboardInterrupt):
        houle.fit(WAVE, evening(10, 30))


@pytest.mark.usefixtures("made_up")
def test_data_has_every_level_and_repeats(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("players,result\n" + "3,win\n" * 10 + "3,loss\n" * 30 + "3,2\n")
    fit = houle.fit(WAVE, str(file), games=2_000)
    assert fit.repeat() == f"houle players wave -p 3 --set talk=known --fit {file} -n 2000 --seed 1"
    data = fit.as_json()
    assert [row["level"] for row in data["levels"]] == [*RATES]
    assert [round(row["win"]["value"], 2) for row in data["levels"]] == [*RATES.values()]
    assert (data["setups"][0]["won"], data["setups"][0]["scores"]) == (10, {"2": 1})
    assert houle.fit(WAVE, [str(file)], games=2_000).digest == fit.digest


def test_a_saved_group_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the file holds, other players are read as ever."""
    monkeypatch.setenv("HOULE_CONFIG_DIR", str(tmp_path))
    (tmp_path / "groups.toml").write_bytes(b"[my-group]\npoint = 3\n\xff[other")
    with pytest.raises(StrategyError, match="my-group: groups are no players any more; houle players GAME --fit FILE"):
        read_strategy("my-group")
    with pytest.raises(StrategyError, match="unknown strategy 'other'"):
        read_strategy("other")
    assert read_strategy("family").text == "family"


@pytest.mark.compiled
def test_wins_against_known_players_fit_a_level() -> None:
    rows = evening(60, 40, seats=1, others="first-game")
    fit = houle.fit(make_setup("land-unter", 3), rows, games=100)
    assert "first-game" in fit.ruled_out  # among its like it wins a third
    assert fit.as_json()["levels"][0]["others"] == "first-game"


@pytest.mark.compiled
def test_scores_are_those_of_the_own_seat() -> None:
    setup = make_setup("land-unter", 3)
    fit = houle.fit(setup, [{"result": 3, "seats": 2, "others": "random"}] * 20, games=100, seed=4)
    played = houle.simulate(setup, strategies="random,first-game,random", games=100, seed=4)
    assert [side.score.interval.value for side in played.sides].count(fit.played[0].score(0).value) == 1
    assert fit.played[0].score(0).value == played.sides[1].score.interval.value
    assert fit.played[0].has_wins
    group = houle.fit(setup, [{"result": 3}] * 20, games=100, seed=4)
    assert not group.played[0].has_wins  # one of them always wins


def test_several_files_are_one(tmp_path: Path) -> None:
    files = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for file in files:
        file.write_text("result\nwin\n3\n")
    (one,), _ = read_results(files, WAVE)
    assert (one.won, dict(one.scores)) == (2, {3: 2})
    assert files_of(files) == tuple(map(str, files))
    files[1].write_text("result\nmaybe\n")
    with pytest.raises(FileError, match=r"two\.csv: line 2: result: 'maybe'"):
        read_results(files, WAVE)


def test_kept_results_are_read_back(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    row = {"game": "wave", "players": 3, "variant": "base", "rules": "", "seats": "1", "others": "family"}
    for result in ("win", 4):
        add_result(file, {**row, "result": result})
    (one,), _ = read_results(file, WAVE)
    assert (one.won, dict(one.scores), one.seats, one.others) == (1, {4: 1}, (0,), "family")
    file.write_text("players,result\n3,win\n")
    with pytest.raises(FileError, match="there is no column game"):
        add_result(file, {**row, "result": "win"})


def test_results_of_several_setups_stay_separate(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("variant,players,Result\n\nvirage,4,WIN\nbase,2,3\n,2,0\nvirage,4,lost\n")
    results, _ = read_results(file, WAVE)
    assert [(one.setup.players, one.setup.variants, one.won, one.lost, dict(one.scores)) for one in results] == [
        (4, ("virage",), 1, 1, {}),
        (2, (), 0, 0, {3: 1, 0: 1}),
    ]
    own = make_setup("wave", 3, ("virage",), {"hand.front": 4})
    (one,), _ = read_results([{"result": "win", "players": 2}], own)
    assert (one.setup.players, one.setup.variants, one.setup.options["hand.front"]) == (2, ("virage",), 4)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "no results of wave; allowed: one row per game"),
        ("result\n", "no results of wave; allowed: one row per game"),
        ("players,outcome\n3,win\n", "line 1: unknown column 'outcome'"),
        ("seats,result\n1,win\n", "line 2: others: say who plays the other seats"),
        ("others,result\nfamily,win\n", "line 2: seats: say which seats your group plays"),
        ("seats,others,result\n4,family,win\n", "line 2: seats: '4' is not allowed; allowed: seats from 1 to 3"),
        ("seats,others,result\n1,famly,win\n", "line 2: others: unknown strategy 'famly'; did you mean 'family'"),
        ("seats,others,result\n1,flat:20,win\n", "line 2: others: 'flat:20' searches, which takes too long"),
        ("seats,others,result\n0010,thumb,win\n", "line 2: seats: '0010' is not allowed; allowed: seats from 1 to 3"),
        ("seats,others,result\n²,thumb,win\n", "line 2: seats: '²' is not allowed; allowed: seats from 1 to 3"),
        ("rules,result\nnowhere.toml,win\n", "line 2: "),
        ("result,result\nwin,win\n", "line 1: columns: result, result; allowed: result"),
        (
            "result\nwin\nmaybe\n",
            "line 3: result: 'maybe' is not allowed; allowed: win, loss, or cards_left from 0 to 34",
        ),
        ("result\n35\n", "line 2: result: '35' is not allowed"),
        ("result,players\nwin,9\n", "line 2: wave: players: 9 is not allowed"),
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


def test_competitive_games_need_scores() -> None:
    with pytest.raises(FileError, match=r"row 1: result: 'win' is not allowed.*Give the points of one player, or say"):
        read_results([{"result": "win"}], make_setup("land-unter", 4))
    with pytest.raises(FileError, match="row 1: seats: they compete with each other; give one row for each of them"):
        read_results([{"result": 3, "seats": "1+2", "others": "family"}], make_setup("land-unter", 4))


def test_results_of_other_games_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("game,result\nwave,win\nland-unter,7\nwave,loss\n")
    results, left_out = read_results(file, WAVE)
    assert ([one.number for one in results], left_out) == ([2], 1)
    with pytest.raises(FileError, match=r"results\.csv: no results of sea-change; allowed: one row per game"):
        read_results(file, make_setup("sea-change", 3))


@pytest.mark.parametrize("typed", ["Wave", "WAVE", "wave", ""])
def test_game_names_may_have_any_case(typed: str) -> None:
    results, left_out = read_results([{"game": typed, "result": "win"}], WAVE)
    assert ([one.number for one in results], left_out) == ([1], 0)
    results, left_out = read_results([{"game": "Land_Unter", "result": 7}], make_setup("land-unter", 4))
    assert ([one.number for one in results], left_out) == ([1], 0)


@pytest.mark.parametrize(
    ("first_line", "column", "players"), [("players = 2", "", 2), ("players = 2", "4", 4), ("", "", 3), ("", "4", 4)]
)
def test_players_come_from_column_file_or_option(first_line: str, column: str, players: int, tmp_path: Path) -> None:
    (tmp_path / "storm.toml").write_text(f'{first_line}\nvariants = ["virage"]\n[set]\n"hand.front" = 4\n')
    file = tmp_path / "results.csv"
    file.write_text(f"result,rules,players\nwin,storm.toml,{column}\n")
    ((played,), _), asked = read_results(file, WAVE), [int(column)] if column else []
    assert played.setup.players == players
    assert played.setup == make_setup("wave", *(asked or [players]), file=tmp_path / "storm.toml")
