"""Records of games (houle.solver.record.game): written, replayed, and refused in one line where they are wrong."""

from __future__ import annotations

import pytest

from houle import analysis as houle
from houle.solver.record.game import read_record
from houle.solver.ruleset import RulesetError, game_names, load


def told(trace: houle.Trace) -> list[object]:
    """What people see of a game: which of two equal cards was played is not told."""
    return [trace.ending, trace.result, *((ply.seat, ply.action, ply.events, ply.shown) for ply in trace.plies)]


@pytest.mark.parametrize("game", game_names())
def test_a_record_is_the_game_again(game: str) -> None:
    variant = next(iter(load(game).variants), "base")
    for number, setup in enumerate((houle.setup(game), houle.setup(game, variants=variant))):
        played = houle.trace(setup, seed=11, game=number)
        text = played.record().as_text()
        assert read_record(text).as_text() == text
        assert told(houle.replay(text)) == told(played)


GAME = houle.trace("wave", seed=7, game=3).record().as_text()
FAULTS = {
    "": "record: it is empty",
    GAME.replace("deal: 7/3", "deal: 7"): "record: deal: '7': write SEED/GAME in whole numbers, as 7/3",
    GAME.replace("deal: 7/3\n", ""): "record: deal: this line is missing",
    GAME.replace("deal: 7/3", "deal: 7/4"): "record: move 1: 'play yellow 2' is not possible here; possible: ",
    GAME.replace("move 2: seat 2", "move 2: seat 3"): "record: move 2: seat 2 has to move, not seat 3",
    GAME.replace("3: seat 3 play red 0", "3: seat 3 play rad 0"): "record: move 3: 'play rad 0' is not possible here",
    GAME.replace("move 3: seat 3", "move 3: seat 0"): "record: move 3: 'seat 0 play red 0': write who did what",
    GAME.replace("move 3:", "move 300:"): "record: unknown place 'move 300'",
    GAME.replace("players: 3", "players: 9"): "record: wave: 9 players is not possible",
    GAME.replace("game: wave", "game: chess"): "record: game: unknown game 'chess'",
    GAME.replace("rules: ", "rules: 0"): "record: rules: written for 0",
    GAME.partition("move 4")[0]: "record: it ends after move 3, but the game is not over: seat 2 has to move",
    GAME + "move 35: seat 1 play red 0\n": "record: unknown place 'move 35'",
    GAME.partition("move 1:")[0]: "record: move 1: this line is missing",
}  # fmt: skip


@pytest.mark.parametrize("text", FAULTS, ids=range(len(FAULTS)))
def test_faults_are_one_line(text: str) -> None:
    with pytest.raises(RulesetError) as fault:
        houle.replay(text)
    assert str(fault.value).startswith(FAULTS[text])
    assert "\n" not in str(fault.value)
