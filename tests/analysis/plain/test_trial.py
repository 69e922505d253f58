"""Games in plain Python: fair players, paired arms, and errors of one line that name the line of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.analysis.plain.luck import Luck
from houle.analysis.plain.plain_class import PlainClass, load_class
from houle.analysis.plain.players import MOST_MOVES, PlainMatch, search
from houle.analysis.plain.settings import parse_options
from houle.analysis.plain.trial import try_games
from houle.solver.errors import InputError
from tests.support.toys import last_trick

pytestmark = pytest.mark.quick

TOY = str(Path(last_trick.__file__))

SKELETON = """
class Game:
    def __init__(self, players, luck, stop=3):
        self.moves, self.stop, self.players = 0, stop, players
    def to_move(self):
        return -1 if self.moves >= self.stop else 0
    def legal(self):
        return ["on"]
    def apply(self, move):
        self.moves += 1
    def result(self):
        return {"scores": [self.moves], "winners": [0]}
"""


def written(folder: Path, old: str = "", new: str = "") -> PlainClass:
    assert old in SKELETON
    file = folder / "small.py"
    file.write_text(SKELETON.replace(old, new) if old else SKELETON)
    return load_class(str(file))


def fault(folder: Path, old: str, new: str) -> str:
    with pytest.raises(InputError) as error:
        try_games(written(folder, old, new), 2, games=3)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_certain_results_are_counted_exactly(tmp_path: Path) -> None:
    result = try_games(written(tmp_path), 2, settings=[{"stop": 5}], games=20)
    (arm,) = result.arms
    assert arm.sides == [("team", [0, 1])]
    assert repr(result).startswith("Trial(small, 2 players: team wins 100")
    assert (result.wins(arm, 0).value, result.scores(arm, 0).interval.value, result.mean(arm, "turns")) == (1, 5, 5)
    assert result.as_json()["sides"][0]["histogram"] == {"5": 20}


def test_a_seed_gives_the_same_games() -> None:
    game = load_class(TOY)
    whole, again = (try_games(game, 3, games=40, seed=5) for _ in range(2))
    assert whole.digest == again.digest
    part = try_games(game, 3, games=15, seed=5, first=25)
    assert part.arms[0].outcomes == whole.arms[0].outcomes[25:]
    assert try_games(game, 3, games=40, seed=6).digest != whole.digest


def test_arms_are_paired_on_the_same_deals() -> None:
    """Seat 0 is compared: a second player who just beats the first card leaves less for the leader."""
    result = try_games(load_class(TOY), 2, ["random", "random,thumb"], games=150)
    random, thumb = result.arms
    assert result.difference(thumb, "win").high < 0
    paired, alone = result.difference(thumb, "score"), result.value(thumb, "score")
    assert paired.value == pytest.approx(alone.value - result.value(random, "score").value)
    assert result.difference(thumb, "length").value == 0
    assert [arm["measures"]["win"]["difference"] is None for arm in result.as_json()["arms"]] == [True, False]


@pytest.mark.compiled
def test_a_search_wins_more_than_chance() -> None:
    result = try_games(load_class(TOY), 2, ["random", "random,flat:8"], games=60)
    assert result.difference(result.arms[1], "win").high < 0
    assert result.notes == []


def test_a_search_knows_only_what_its_seat_sees() -> None:
    """Swapping hidden cards changes no decision."""
    game = load_class(TOY)
    for number in range(12):
        match, other = (PlainMatch.open(game, 2, {"hand": 4}, 3, number) for _ in range(2))
        hidden = [*other.played.cards, *other.played.hands[1]]
        Luck(number).shuffle(hidden)
        other.played.hands[1], other.played.cards = hidden[:4], hidden[4:]
        seat, legal = match.ask()
        assert search(match, seat, legal, 6, 99) == search(other, seat, legal, 6, 99)


def test_a_note_says_when_search_sees_all_cards(tmp_path: Path) -> None:
    file = tmp_path / "open.py"
    file.write_text(Path(TOY).read_text().replace("def imagine", "def unused"))
    result = try_games(load_class(str(file)), 2, ["flat:2"], games=2)
    assert "no imagine(seat, luck)" in result.notes[0]


def test_a_copied_game_has_other_luck(tmp_path: Path) -> None:
    """With the same luck a search would know where points fall by chance."""
    file = tmp_path / "wild.py"
    file.write_text(Path(TOY).read_text().replace("def imagine", "def unused"))
    match = PlainMatch.open(load_class(str(file)), 2, {"wild": True}, 1, 0)
    numbers = {match.with_other_luck(key).luck(1000) for key in range(20)} | {match.played.luck(1000)}
    assert len(numbers) > 15


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("def legal", "def moves_of", r"small.py:2: Game lacks legal(): the list of moves of the seat to move"),
        ("self.moves += 1", "self.moves += 1 // 0", "small.py:10: ZeroDivisionError: "),
        ("-1 if self.moves >= self.stop else 0", "0", f"has not ended after {MOST_MOVES:,} moves (seed 1, game 0"),
        ('["on"]', "[]", "legal() is empty while seat 0"),
        ("else 0", "else 7", "to_move() is 7; allowed: a seat from 0 to 1"),
        ('{"scores": [self.moves], "winners": [0]}', "3", 'must return a dict with "scores"'),
        ('"winners": [0]', '"points": 1', "must say whether the team won"),
        ('"winners": [0]', '"winners": [1]', "allowed: sides from 0 to 0"),
        ("[self.moves]", "[0.5]", "allowed: a list of whole numbers"),
        ("luck, stop=3", "luck, stop", "asks for 'stop' without a default"),
        ("class Game:", "class Game", "small.py:2: expected ':'"),
        ("class Game:", "import nowhere\nclass Game:", "small.py:2: ModuleNotFoundError"),
    ],
)
def test_errors_are_one_line(tmp_path: Path, old: str, new: str, part: str) -> None:
    assert part in fault(tmp_path, old, new)


def test_options_as_typed() -> None:
    game = load_class(TOY)
    assert parse_options(game, []) == [{}]
    assert parse_options(game, ["hand=2,3", "wild=true"]) == [{"hand": 2, "wild": True}, {"hand": 3, "wild": True}]
    assert parse_options(game, ["hand=2..4"]) == [{"hand": 2}, {"hand": 3}, {"hand": 4}]
    for pair, part in (("hnd=2", "did you mean 'hand'"), ("hand", "KEY=VALUE"), ("hand=x", "a value like its default")):
        with pytest.raises(InputError, match=part):
            parse_options(game, [pair])


def test_options_may_come_from_a_rules_file(tmp_path: Path) -> None:
    written(tmp_path)
    file = tmp_path / "small.py"
    file.write_text(SKELETON.replace("stop=3", "knobs").replace("0, stop", '0, knobs["stop"]'))
    with pytest.raises(InputError, match="KNOBS = "):
        load_class(str(file))
    (tmp_path / "rules.toml").write_text("[knobs.stop]\ndefault = 4\nby_players = { 3 = 6 }\n")
    game = load_class(str(file))
    lengths = [try_games(game, players, games=2).arms[0].outcomes[0].moves for players in (2, 3)]
    assert lengths == [4, 6]
    assert try_games(game, 3, settings=[{"stop": 2}], games=2).arms[0].outcomes[0].moves == 2
