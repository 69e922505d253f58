"""The spec of a study: its cells, how they are stored as text, and one clear line for everything that is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import houle
from houle.analysis.studies.serialize import setup_from, setup_text, tally_from
from houle.analysis.studies.spec import read_spec
from houle.solver.errors import InputError, StudyError
from houle.solver.rules import game_names, make_setup
from houle.solver.run.tally import Tally

pytestmark = pytest.mark.quick

GRID = """
seed = 1
games = 1e5

[[grid]]
game = "wave"
players = [2, 3, 4]
variants = ["base", "virage+nazare"]
[grid.set]
hand.front = "2..4"
talk = ["silent", "open"]

[[grid]]
game = "wave"
games = 20
seed = [5, 6]
[grid.set]
deck.missing = [["white 0"], []]
"""


def spec(folder: Path, text: str) -> str:
    path = folder / "study.toml"
    path.write_text(text)
    return str(path)


def test_a_grid_makes_every_combination(tmp_path: Path) -> None:
    study = read_spec(spec(tmp_path, GRID))
    assert study.name == "study"
    first = [cell for cell in study.cells if cell.games == 100_000]
    assert len(first) == 3 * 2 * 3 * 2
    second = [cell for cell in study.cells if cell.games == 20]
    assert len(second) == 2 * 2
    assert {tuple(cell.setup.options["deck.missing"]) for cell in second} == {("white 0",), ()}
    assert len(set(study.labels.values())) == len(study.cells)


def test_cells_that_search_play_fewer_games(tmp_path: Path) -> None:
    text = 'game = "wave"\ngames = 1000\nsearch_games = 40\nstrategies = ["thumb", "flat:20", "thumb,flat:20,thumb"]\n'
    assert [cell.games for cell in read_spec(spec(tmp_path, text)).cells] == [1000, 40, 40]
    with pytest.raises(StudyError, match="search_games: 0 is not allowed"):
        read_spec(spec(tmp_path, text.replace("40", "0")))


def test_equal_cells_are_one(tmp_path: Path) -> None:
    twice = 'games = 10\n[[grid]]\ngame = "wave"\n[[grid]]\ngame = "wave"\nvariants = ["base", "virage"]\n'
    assert len(read_spec(spec(tmp_path, twice)).cells) == 2


def test_chunks_of_a_class_are_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cell,) = read_spec(spec(tmp_path, 'game = "wave"\ngames = 100_000\n')).cells
    compiled = cell.chunk
    monkeypatch.setattr("houle.solver.interface.game.Game.is_compiled", False)
    assert 0 < cell.chunk < compiled / 100


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("games = 10", "the game is missing"),
        ('game = "wave"', "the number of games is missing; add games = 100_000"),
        ('game = "wafe"\ngames = 10', "did you mean 'wave'"),
        ('game = "wave"\ngames = 0', "games: 0 is not allowed"),
        ('game = "wave"\ngames = "many"', "games: 'many' is not allowed"),
        ('game = "wave"\nprecision = 1', "unknown key 'precision'"),
        ('game = "wave"\ngames = 10\nseed = []', "no setup to play, because one of the lists is empty"),
        ('game = "wave"\ngames = 10\nplayers = "two"', "players: 'two' is not allowed"),
        ('game = "wave"\ngames = 10\nvariants = {virage = 1}', "variants: {'virage': 1} is not allowed"),
        ('game = "wave"\ngames = 10\nvariant = "nazare"', "did you mean 'variants'"),
        ('game = "wave"\ngames = 10\nstrategies = ["random,random"]', "2 strategies for 3 players"),
        ('game = "wave"\ngames = 10\nset = 3', "set: 3 is not allowed"),
        ('game = "wave"\ngames = 10\n[set]\nhand.fromt = 3', "did you mean 'hand.front'"),
        ('game = "wave"\ngames = 10\n[set]\nhand.front = "4..2"', "write the smaller number first"),
        ('game = "wave"\ngames = 10\n[set]\nhand.front = "0..999999999"', "is not allowed"),
        ('game = "wave"\ngames = 10\n[set]\nhand.front = []', "list of alternatives is empty"),
        ('game = "wave"\ngames = 10\n[set]\nhand.front = [3, 99]', "99 is not allowed"),
        ('game = "wave"\ngames = 10\nrules = "none.toml"', "No such file"),
        ('game = "wave"\ngames = 10\ngrid = 3', "write [[grid]]"),
        ("games = = 10", "not valid TOML"),
        ("name = 3", "name: 3 is not allowed"),
        ('games = 10\n[[grid]]\ngame = "wave"\n[[grid]]\ngame = "wave"\ngames = 11', "with another number of games"),
    ],
)
def test_errors_are_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = spec(tmp_path, text)
    with pytest.raises(StudyError) as fault:
        read_spec(path)
    assert message in str(fault.value)
    assert str(fault.value).startswith(path)
    assert "\n" not in str(fault.value)


def test_error_names_the_grid(tmp_path: Path) -> None:
    text = 'games = 9\n[[grid]]\ngame = "wave"\n[[grid]]\ngame = "wave"\n[grid.set]\nhand.front = [3, 99]\n'
    with pytest.raises(StudyError, match=r"study\.toml: grid 2: set: hand\.front: 99 is not allowed"):
        read_spec(spec(tmp_path, text))
    impossible = 'games = 9\n[[grid]]\ngame = "wave"\nplayers = [2, 4]\nset = { hand.front = [3, 5], hand.back = 4 }\n'
    with pytest.raises(StudyError, match=r"grid 1: 4 players, hand\.front=5: set: hand\.front: the deal needs 37"):
        read_spec(spec(tmp_path, impossible))
    with pytest.raises(StudyError, match="No such file"):
        read_spec(tmp_path / "none.toml")
    with pytest.raises(InputError, match="Is a directory"):
        houle.study("")


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ('game = "wave"\n', ["base"]),
        ('game = "wave"\nvariants = "virage"\nseed = [1, 2]\n', ["seed 1", "seed 2"]),
        (
            'game = "wave"\nplayers = [2, 3]\nstrategies = ["random", "thumb"]\n',
            ["2 players, random", "2 players, thumb", "3 players, random", "3 players, thumb"],
        ),
        (
            '[[grid]]\ngame = "wave"\nset = {"hand.front" = [3, 4]}\n[[grid]]\ngame = "wave"\nplayers = 4\n',
            ["3 players, hand.front=3", "3 players, hand.front=4", "4 players, hand.front=3"],
        ),
        ('game = ["wave", "land-unter"]\nplayers = 3\n', ["wave, base", "land-unter, base"]),
        ('game = "wave"\nrules = ["base", "my.toml"]\n', ["base", "Two in front"]),
    ],
)
def test_labels_say_what_varies(tmp_path: Path, text: str, labels: list[str]) -> None:
    (tmp_path / "my.toml").write_text('name = "Two in front"\ngame = "wave"\n[set]\nhand.front = 2\n')
    study = read_spec(spec(tmp_path, "games = 9\n" + text))
    assert list(study.labels.values()) == labels


@pytest.mark.parametrize("game", game_names())
def test_setups_survive_serialization(game: str) -> None:
    setup = make_setup(game)
    again = setup_from(setup_text(setup), setup.digest)
    assert again.digest == setup.digest
    with pytest.raises(StudyError, match="made with other rules than those installed here"):
        setup_from(setup_text(setup), "another")


def test_chunks_depend_on_the_players_only(tmp_path: Path) -> None:
    text = 'game = "wave"\ngames = 1e9\nstrategies = ["random", "thumb", "flat:50"]\n'
    cells = read_spec(spec(tmp_path, text)).cells
    assert [cell.chunk for cell in cells] == [50_000, 50_000, 50_000]
    few = read_spec(spec(tmp_path, text.replace("1e9", "1e5"))).cells
    assert [cell.chunk for cell in few] == [50_000, 50_000, 100]


def test_negative_scores_are_read_back() -> None:
    setup = make_setup("sea-change", 3)
    tally = Tally.empty(setup)
    tally.totals[0].games = 4
    for side, score in enumerate((tally.lowest, -1, 7)):
        tally.histogram[side, score - tally.lowest] = 4
    read = tally_from(setup, json.loads(json.dumps(tally.as_data())))
    assert read.as_data() == tally.as_data()
    assert read.scores(1) == {-1: 4}


def test_equal_grids_are_read_once(tmp_path: Path) -> None:
    many = 'game = "wave"\ngames = 1\n' + "[[grid]]\nplayers = 3\n" * 900
    assert len(read_spec(spec(tmp_path, many)).cells) == 1
    with pytest.raises(StudyError, match="more than 1,000 grids; write lists of values in fewer of them"):
        read_spec(spec(tmp_path, many + "[[grid]]\n" * 101))
