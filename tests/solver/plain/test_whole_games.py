"""Games of a class without states: the same sums as with states, and the same words where something is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import houle
from houle.analysis.players.line_ups import line_up
from houle.solver.compiler.kernels import JIT
from houle.solver.errors import RulesError
from houle.solver.plain import whole_games
from houle.solver.plain.whole_games import play_whole_games
from houle.solver.rules import Setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger
from tests.solver.plain.small_games import FEATURES, RACE

LAPSES = "thumb[forgets=15,loses_count=15,nearsighted=40]"
pytestmark = [pytest.mark.quick, pytest.mark.skipif(JIT, reason="classes are played without the compiler")]


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
    slow = play_chunk(seated, 3, 5, 8, 1, ledger=ledgers[0])
    with monkeypatch.context() as patched:
        patched.setattr(whole_games, "play_chunk", None)  # no game may be left to it
        fast = play_whole_games(seated, 3, 5, 8, 1, ledgers[1])
    assert fast.as_data() == slow.as_data()
    assert np.array_equal(*map(np.asarray, ledgers))
    assert play_whole_games(seated, 3, 5, 8, 1).as_data() == slow.as_data()


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


def test_moves_may_be_lists(tmp_path: Path) -> None:
    code = RACE.replace('["one", "roll", "wait"]', '[["one"], ["roll"]]').replace('else ["one"]', 'else [["one"]]')
    code = code.replace('"wait": 0}.get(move, self.luck(4) if move == "roll" else 0)', "}.get(move[0], self.luck(4))")
    seated = line_up(made(tmp_path, code), "random")
    assert play_whole_games(seated, 3, 0, 8).as_data() == play_chunk(seated, 3, 0, 8).as_data()


def test_files_of_one_name_do_not_mix(tmp_path: Path) -> None:
    """Two folders have a race.py, and a third game is played with the first after the second was read."""
    setups = []
    for name, code in (("a", RACE), ("b", RACE.replace("end=8", "end=9, spare=1").replace('"roll"', '"dice"'))):
        (tmp_path / name).mkdir()
        setups.append(made(tmp_path / name, code))
    first, other, again = (houle.trace(setup, strategies="random", seed=3) for setup in (*setups, setups[0]))
    assert first == again != other
