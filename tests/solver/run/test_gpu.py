"""Games on a graphics card give the same integers as on the CPU. `make gpu` runs this where there is a card."""

from __future__ import annotations

import numpy as np
import pytest

from houle.solver.errors import InputError
from houle.solver.rules import game_names, make_setup
from houle.solver.run import device, play, play_chunk
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
    line_up = ("random", *(strategy,) * (setup.players - 1))
    here, there = (blank_ledger(500, int(setup.rules[0].sides)) for _ in range(2))
    on_cpu = play_on_cpu(setup, line_up, 7, 1000, 500, replay=1, ledger=here)
    on_card = play_chunk(setup, line_up, 7, 1000, 500, replay=1, ledger=there)
    assert on_card.as_data() == on_cpu.as_data()
    np.testing.assert_array_equal(np.asarray(here), np.asarray(there))


@pytest.mark.parametrize("game", game_names())
def test_search_matches(game: str) -> None:
    """Flat search beside a thumb, with a ledger."""
    setup = make_setup(game)
    line_up = ("thumb", *("flat:30",) * (setup.players - 1))
    here, there = (blank_ledger(24, int(setup.rules[0].sides)) for _ in range(2))
    on_cpu = play_on_cpu(setup, line_up, 7, 1000, 24, ledger=here)
    on_card = play_chunk(setup, line_up, 7, 1000, 24, ledger=there)
    assert on_card.as_data() == on_cpu.as_data()
    np.testing.assert_array_equal(np.asarray(here), np.asarray(there))


def test_chunk_size_does_not_matter() -> None:
    setup = make_setup("wave", 3)
    searched = play(setup, ("flat:10",), 1, 3_000)
    assert play(setup, ("flat:10",), 1, 3_000, chunk=701).digest == searched.digest
    whole = play(setup, ("thumb",), 1, 50_000)
    assert play(setup, ("thumb",), 1, 50_000, chunk=7_001).digest == whole.digest
