"""Classes in plain Python: their named players, weights, ranges and defaults; and whole games without states."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import houle
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.listing import players_at
from houle.solver.compiler.kernels import JIT
from houle.solver.errors import RulesError, StrategyError
from houle.solver.matches.match import Match
from houle.solver.plain import whole_games
from houle.solver.plain.whole_games import play_whole_games
from houle.solver.players.names import parse_portable
from houle.solver.rules import Setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger
from tests.solver.plain.small_games import FEATURES, RACE
from tests.support.amounts import some
from tests.support.call import good

pytestmark = [pytest.mark.quick, pytest.mark.skipif(JIT, reason="classes are played without the compiler")]


@pytest.fixture
def race(tmp_path: Path) -> Path:
    file = tmp_path / "race.py"
    file.write_text(RACE)
    return file


def test_named_players_share_a_table(race: Path) -> None:
    result = houle.simulate(houle.setup(str(race), players=2), strategies="slow,wild", games=40)
    again = houle.simulate(houle.setup(str(race), players=2), strategies=["slow", "wild"], games=40)
    other = houle.simulate(houle.setup(str(race), players=2), strategies="wild,slow", games=40)
    assert result.strategies == ("slow", "wild")
    assert result.digest == again.digest != other.digest


def test_named_players_see_their_view_only(tmp_path: Path) -> None:
    file = tmp_path / "race.py"
    file.write_text(
        RACE.replace(
            "return luck.one_of(moves)",
            "return moves[0] if view == {'at': view['at'], 'you': 1} and luck(9) < 9 else 'nothing'",
        )
    )
    seated = line_up(houle.setup(str(file), players=2), "slow,wild")
    match = Match(seated.setup, 1)
    while match.to_move() >= 0:
        assert match.name(match.decide(seated)) == "one"
        match.apply(match.decide(seated))


def test_luck_of_players_is_not_that_of_the_game(race: Path) -> None:
    """At one deal, moves of chance differ from decision to decision and from game to game."""
    seated, moves = line_up(houle.setup(str(race), players=2), "wild"), []
    for game in range(some(6)):
        match = Match(seated.setup, 1, game)
        while match.to_move() >= 0:
            dealt = int(match.state.deal)
            moves.append(match.name(action := match.decide(seated)))
            assert int(match.state.deal) == dealt
            match.apply(action)
    assert {*moves} == {"one", "roll", "wait"}


def test_named_players_survive_as_text(race: Path) -> None:
    strategy = line_up(houle.setup(str(race), players=2), "wild").strategies[0]
    assert strategy.portable == "wild = thumb[weights=wild]"
    assert parse_portable(strategy.portable) == strategy


def test_strength_and_players_know_named_players(race: Path) -> None:
    setup = houle.setup(str(race), players=2)
    found = houle.strength(setup, strategies="slow,wild", games=20)
    assert {"slow", "wild"} <= {name for row in found.rows for name in (row.label, row.against)}
    assert {"slow", "wild"} <= {one.player.name for one in players_at(setup)}
    assert "A function in PLAYERS_BY_NAME" in good("players", str(race), "-p", "2")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"wild": "wild"', '"Wild": "wild"', "'Wild' cannot be a name"),
        ('"wild": "wild"', '"flat": "wild"', "'flat' cannot be a name"),
        ('"wild": "wild"', '"wild": "result"', "allowed: a function (view, moves, luck)"),
        ('"wild": "wild"', '"wild": "nothing"', "allowed: a function (view, moves, luck)"),
        ("def view", "def seen", "write view(seat) too"),
        ('{"end": 4', '{"stop": 4', "DEFAULTS: no option 'stop'"),
    ],
)
def test_mistakes_in_names_and_defaults(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in RACE
    file = tmp_path / "wrong.py"
    file.write_text(RACE.replace(old, new))
    with pytest.raises(RulesError) as fault:
        houle.setup(str(file), players=2)
    assert words in str(fault.value)


def test_illegal_moves_name_the_player(tmp_path: Path) -> None:
    file = tmp_path / "race.py"
    file.write_text(RACE.replace("return luck.one_of(moves)", "return 'fly'"))
    with pytest.raises(RulesError, match="the player wild chose 'fly'; legal: one, roll, wait"):
        houle.simulate(houle.setup(str(file), players=2), strategies="wild", games=1)


def test_named_players_have_no_options(race: Path) -> None:
    setup = houle.setup(str(race), players=2)
    for text in ("wild[temperature=3]", "flat:3[weights=wild]"):
        with pytest.raises(StrategyError, match="wild is a player of the class; allowed: -s wild"):
            line_up(setup, text)
    with pytest.raises(StrategyError, match="did you mean 'wild'"):
        line_up(setup, "wildd")


def test_names_of_weights_are_players(tmp_path: Path) -> None:
    (tmp_path / "hasty.py").write_text(RACE + FEATURES)
    (tmp_path / "weights.toml").write_text(
        '[[player]]\nname = "thumb"\nweights = { far = 5 }\n[[player]]\nname = "shy"\nweights = { surely = 5 }\n'
    )
    setup = houle.setup(str(tmp_path / "hasty.py"), players=2)
    assert line_up(setup, "shy").strategies[0].code == "thumb[weights=shy]"
    assert line_up(setup, "shy").digests == line_up(setup, "thumb[weights=shy]").digests
    assert line_up(setup, "shy[temperature=3]").strategies[0].options["temperature"] == 3


def test_ranges_and_defaults_follow_players_and_options(race: Path) -> None:
    two, three = (houle.setup(str(race), players=players) for players in (2, 3))
    assert (two.options["end"], three.options["end"]) == (8, 12)
    assert (two.score_range, three.score_range) == ((0, 11), (0, 15))
    assert houle.setup(str(race), players=2, set={"end": 5}).score_range == (0, 8)


def test_a_field_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "race.py"
    file.write_text(RACE.replace("self.luck, self.end", "self.known = frozenset([1])\n        self.luck, self.end"))
    with pytest.raises(RulesError, match=r"the field known \(frozenset\) cannot be written; write snapshot\(\)"):
        houle.trace(houle.setup(str(file), players=2))


LAPSES = "thumb[forgets=15,loses_count=15,nearsighted=40]"


def made(folder: Path, code: str, players: int = 2) -> Setup:
    file = folder / "race.py"
    file.write_text(code)
    return houle.setup(str(file), players=players)


@pytest.mark.parametrize("code", [RACE, RACE + FEATURES], ids=["by hand", "features"])
@pytest.mark.parametrize(
    "players",
    [
        "random",
        "thumb",
        LAPSES,
        "thumb[temperature=500]",
        "thumb[forgets=40]",
        "wild",
        "slow,wild",
        "random,thumb",
        "level[slips=30,thought=0]",
        "level[slips=0,thought=0],level[slips=80,thought=0]",
    ],
)
def test_sums_are_those_of_games_with_states(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str, players: str
) -> None:
    setup = made(tmp_path, code)
    seated = line_up(setup, players)
    ledgers = blank_ledger(8, 2), blank_ledger(8, 2)
    slow = play_chunk(seated, seed=3, first=5, number=8, replay=1, ledger=ledgers[0])
    with monkeypatch.context() as patched:
        patched.setattr(whole_games, "play_chunk", None)  # no game may be left to it
        fast = play_whole_games(seated, seed=3, first=5, number=8, replay=1, ledger=ledgers[1])
    assert fast.as_data() == slow.as_data()
    assert np.array_equal(*map(np.asarray, ledgers))
    assert play_whole_games(seated, seed=3, first=5, number=8, replay=1).as_data() == slow.as_data()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('["one", "roll", "wait"]', '["one", "one"]', "legal() lists a move twice"),
        ("luck.one_of(moves)", "moves[7]", "IndexError: list index out of range (move 3)"),
        ('options["end"] + 3', 'options["end"] - 1', "is not within 0 to 7; write SCORE_RANGE"),
    ],
)
def test_wrong_games_are_refused_in_the_same_words(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in RACE
    seated, faults = line_up(made(tmp_path, RACE.replace(old, new)), "wild"), []
    for play in (play_whole_games, play_chunk):
        with pytest.raises(RulesError) as fault:
            play(seated, 3, 0, 20)
        faults.append(str(fault.value))
    assert faults[0] == faults[1]
    assert words in faults[0]


def test_files_of_one_name_do_not_mix(tmp_path: Path) -> None:
    """Two folders have a race.py, and a third game is played with the first after the second was read."""
    setups = []
    for name, code in (("a", RACE), ("b", RACE.replace("end=8", "end=9, spare=1").replace('"roll"', '"dice"'))):
        (tmp_path / name).mkdir()
        setups.append(made(tmp_path / name, code))
    first, other, again = (houle.trace(setup, strategies="random", seed=3) for setup in (*setups, setups[0]))
    assert first == again != other


def test_named_players_sit_beside_searches(race: Path) -> None:
    result = houle.simulate(houle.setup(str(race), players=2), strategies="slow,flat:2", games=2)
    assert result.strategies == ("slow", "flat:2")


def test_moves_may_be_lists(tmp_path: Path) -> None:
    code = RACE.replace('["one", "roll", "wait"]', '[["one"], ["roll"]]').replace('else ["one"]', 'else [["one"]]')
    code = code.replace('"wait": 0}.get(move, self.luck(4) if move == "roll" else 0)', "}.get(move[0], self.luck(4))")
    seated = line_up(made(tmp_path, code), "random")
    assert play_whole_games(seated, 3, 0, 8).as_data() == play_chunk(seated, 3, 0, 8).as_data()
