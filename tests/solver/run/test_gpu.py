"""Games on a graphics card give the same integers as on the CPU. `make gpu` runs this where there is a card."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import LEDGER, Card, Play
from houle.analysis.sampling.engine import play_line_up
from houle.solver.errors import InputError
from houle.solver.players.player import seat_strategies
from houle.solver.rules import game_names, make_setup
from houle.solver.run import device
from houle.solver.run.playout import play_chunk as play_on_cpu
from houle.solver.run.tally import blank_ledger
from tests.support import digests

pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True)
def card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(device.VARIABLE, device.GPU)
    try:
        device.check_card()
    except InputError as fault:
        pytest.skip(str(fault))


@pytest.mark.parametrize("game", game_names())
def test_random_and_thumb_tallies_match(game: str) -> None:
    kept = digests.kept()
    for name, setup in digests.setups(game):
        for strategy, games in digests.QUICK:
            head, _, found = digests.line(name, setup, strategy, games).rpartition(",")
            assert found == kept[head], head


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize(
    "strategy", ["random", "thumb[temperature=500]", "thumb[forgets=20,loses_count=30,nearsighted=50]"]
)
def test_ledgers_match(game: str, strategy: str) -> None:
    """Ledgers with a random player in the first seat, in a replay of the deals."""
    setup = make_setup(game)
    line_up = seat_strategies(setup, ("random", *(strategy,) * (setup.players - 1)))
    here = blank_ledger(500, int(setup.rules[0].sides))
    on_cpu = play_on_cpu(line_up, 7, 1000, 500, replay=1, ledger=here)
    on_card = Card().play(Play(line_up, replay=1), 7, 1000, 500, LEDGER)
    assert on_card.tally.as_data() == on_cpu.as_data()
    np.testing.assert_array_equal(np.asarray(here), np.asarray(on_card.ledger))


@pytest.mark.parametrize("game", game_names())
def test_search_matches(game: str) -> None:
    """Flat search beside a thumb, with a ledger."""
    setup = make_setup(game)
    line_up = seat_strategies(setup, ("thumb", *("flat:30",) * (setup.players - 1)))
    here = blank_ledger(24, int(setup.rules[0].sides))
    on_cpu = play_on_cpu(line_up, 7, 1000, 24, ledger=here)
    on_card = Card().play(Play(line_up), 7, 1000, 24, LEDGER)
    assert on_card.tally.as_data() == on_cpu.as_data()
    np.testing.assert_array_equal(np.asarray(here), np.asarray(on_card.ledger))


def test_chunk_size_does_not_matter() -> None:
    for strategy, games, chunk in (("flat:10", 3_000, 701), ("thumb", 50_000, 7_001)):
        line_up = seat_strategies(make_setup("wave", 3), [strategy])
        whole = play_line_up(line_up, RunSpec(games))
        assert play_line_up(line_up, RunSpec(games), chunk).digest == whole.digest
