"""Files of results: setups, seats and rules of every row, and errors that name the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.analysis.players.results_file import add_result, files_of, read_results
from houle.solver.errors import FileError, InputError
from houle.solver.rules import make_setup

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3, settings={"talk": "known"})


def test_rules_files_are_read_from_rows(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('game = "wave"\nname = "own"\nplayers = 3\n[set]\nhand.back = 3\n')
    file = tmp_path / "results.csv"
    file.write_text("game,rules,players,result\nwave,own.toml,3,win\nwave,,3,loss\n")
    results, _ = read_results(file, WAVE)
    assert [(one.setup.title, one.number) for one in results] == [("own", 1), ("", 1)]


def test_results_of_other_games_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("game,result\nwave,win\nland-unter,7\nwave,loss\n")
    results, left_out = read_results(file, WAVE)
    assert ([one.number for one in results], left_out) == ([2], 1)
    with pytest.raises(FileError, match=r"results\.csv: no results of sea-change; allowed: one row per game"):
        read_results(file, make_setup("sea-change", 3))


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
    with pytest.raises(FileError, match="row 1: seats: they compete with each other; give one row for each of them"):
        read_results([{"result": 3, "seats": "1+2", "others": "family"}], make_setup("land-unter", 4))
