"""Fair play: no hidden card changes a decision, in any setup.

A swap compares the decisions in a match and in a world that the seat to move cannot tell from it.
"""

from __future__ import annotations

from zlib import crc32

import pytest

from houle.solver.invariants import InvariantBroken
from houle.solver.invariants.knowledge import Decider, fair_play, worlds_come_from_what_is_known
from houle.solver.matches.match import Match
from houle.solver.players.reading.memory import Past
from houle.solver.rules import find_game, game_names, make_setup
from tests import cases

pytestmark = pytest.mark.compiled

PLAYABLE = [game for game in game_names() if find_game(game).has("features")]
QUICK = ("thumb[temperature=500]", "thumb", "level[slips=20,thought=2]", "flat:4", "ismcts:12")
# Most readers here weigh few worlds: then a changed weight changes more often which worlds are drawn.
READERS = (
    ("flat:4[reads=1600,weighs=16]", 7),
    ("ismcts:12[reads=1600,weighs=16]", 7),
    ("flat:4[judge=50,plays=50,reads=1600,weighs=16]", 3),
    ("flat:4[reads=1600]", 1),
    ("ismcts:12[reads=1600]", 1),
)
READABLE = ["wave"]


@pytest.mark.parametrize("choice", cases.KNOWLEDGE)
@pytest.mark.parametrize("strategy", QUICK)
@pytest.mark.parametrize("game", PLAYABLE)
def test_hidden_cards_never_change_a_decision(game: str, strategy: str, choice: cases.Choice) -> None:
    setups = choice(game)
    swaps = [
        fair_play(setup, games=4, seed=number, strategy=strategy, every=3, worlds=1, most=3)
        for number, setup in enumerate(setups)
    ]
    assert sum(swaps) > 2 * len(setups)
    assert swaps.count(0) <= len(setups) // 10  # setups whose games end before there is a choice


def test_early_dropping_depends_on_no_hidden_card() -> None:
    """Moves are dropped after 25 worlds, which these budgets reach."""
    for players, variants in ((2, ("virage", "nazare")), (3, ("nazare",)), (3, ())):
        setup = make_setup("wave", players, variants, {"talk": "silent"})
        assert fair_play(setup, games=9, seed=4, strategy="flat:55", every=7, worlds=2, most=20) == 20
        assert fair_play(setup, games=9, seed=4, strategy="ismcts:200", every=7, worlds=2, most=20) == 20


@pytest.mark.parametrize("choice", cases.KNOWLEDGE)
@pytest.mark.parametrize("game", game_names())
def test_worlds_come_from_what_is_known(game: str, choice: cases.Choice) -> None:
    setups = choice(game)
    assert sum(worlds_come_from_what_is_known(setup, 1, 5, 14) for setup in setups) > len(setups)


@pytest.mark.parametrize("game", READABLE)
def test_a_reader_that_peeks_is_found(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that forgets the past in one of eight deals is found within a few hundred swaps."""
    setup, reader, decide = make_setup(game), READERS[0][0], Decider.decide
    assert fair_play(setup, games=4, seed=3, strategy=reader, every=3, worlds=2, most=20, telling=True) == 20

    def peek(decider: Decider, match: Match, key: int) -> int:
        seen = match.copied()
        seen.past = match.past if crc32(match.states) % 8 else Past()
        return decide(decider, seen, key)

    monkeypatch.setattr(Decider, "decide", peek)
    with pytest.raises(InvariantBroken, match="where only hidden cards differ"):
        fair_play(setup, games=20, seed=3, strategy=reader, every=3, worlds=2, most=300, telling=True)
