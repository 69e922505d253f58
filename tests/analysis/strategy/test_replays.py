"""Replays keep the result of every play of a deal, whatever the threads; analyses start at the first deal given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import houle
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import Play
from houle.analysis.strategy.replays import play_replays
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger

pytestmark = pytest.mark.compiled

WAVE, LAND_UNTER = make_setup("wave", 3), make_setup("land-unter", 3)


def test_every_play_of_a_deal_is_kept() -> None:
    line_ups = [seat_strategies(LAND_UNTER, [name]) for name in ("random", "thumb,random,random")]
    plays = [Play(line_up, replay) for replay in range(2) for line_up in line_ups]
    played = play_replays(plays, [2, 0], RunSpec(40, seed=3, first=7, threads=2))
    assert (played.games, played.plays, played.numbers.shape) == (40, 160, (3, 40, 4, 2))
    for number, play in enumerate(plays):
        ledger = blank_ledger(40, 3)
        play_chunk(play.line_up, 3, 7, 40, play.replay, ledger=ledger)
        assert (played.numbers[0][:, number] == np.asarray(ledger["share"])[:, [2, 0]]).all()
    assert played.digest() != played.digest(by_play=True)
    assert played.digest() == play_replays(plays, [2, 0], RunSpec(40, seed=3, first=7, threads=1)).digest()


@pytest.mark.parametrize(
    ("analysis", "options"),
    [
        (houle.strength, {"strategies": "random,thumb", "games": 20}),
        (houle.skill, {"strategies": "random,thumb", "games": 20, "search_games": 2}),
        (houle.ablate, {"never": ["reverse"], "without": ["awkward"], "games": 20}),
        pytest.param(houle.learning_curve, {"games": 20}, marks=pytest.mark.slow),
        (houle.decisions, {"strategies": "flat:20", "games": 1}),
        pytest.param(houle.calibrate, {"results": [{"result": "win"}], "games": 100}, marks=pytest.mark.slow),
        (houle.tune_search, {"search": "flat:2", "games": 2}),
    ],
)
def test_first_chooses_the_deals(analysis: Any, options: dict[str, Any]) -> None:
    start, later = analysis(WAVE, **options), analysis(WAVE, first=1000, **options)
    assert "--first" not in start.repeat()
    assert later.repeat().endswith(" --first 1000")
    assert [one.as_json()["first"] for one in (start, later)] == [0, 1000]
    numbers = [one.frame().drop(columns=["first", "result_digest"]) for one in (start, later)]
    assert not numbers[0].equals(numbers[1])
