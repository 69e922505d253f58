"""Fair play, proven by swapping what a seat cannot see: no hidden card changes a decision, at any table.

A swap is a table and a world that the seat to move cannot tell from it, with one decision in each.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from zlib import crc32

import numpy as np
import pytest

from houle.solver import interface
from houle.solver.invariants import InvariantBroken
from houle.solver.invariants.decider import Decider
from houle.solver.invariants.knowledge import fair_play, worlds_come_from_what_is_known
from houle.solver.invariants.twins import twins_are_read_alike
from houle.solver.ruleset import game_names, make_setup
from houle.solver.strategies.reading.memory import Memory, Past
from tests import cases

PLAYABLE = [game for game in game_names() if interface.game(game).has_features]
QUICK = ("greedy", "thumb", "flat:4", "ismcts:12")
# Strategy, share of the swaps in twentieths. Small budgets find more: see fair_play.
FULL = (("thumb", 4), ("flat:4", 7), ("ismcts:12", 7), ("flat:20", 1), ("ismcts:50", 1))
# Readers weigh few worlds as a rule: the fewer there are, the more one changed weight changes which are drawn. At its
# temperature, about what readers of the game take the others for, worlds of every game count differently.
BLUR = {"wave": 1600, "sea-change": 500, "land-unter": 1000, "vague-verte": 600, "vague-attaque": 260}
READERS = (
    ("flat:4[reads={blur},weighs=16]", 7),
    ("ismcts:12[reads={blur},weighs=16]", 7),
    ("flat:4[judge=50,plays=50,reads={blur},weighs=16]", 3),
    ("flat:4[ends=2,reads={blur},weighs=16]", 3),
    ("flat:4[mix=50,reads={blur},weighs=16]", 1),
    ("flat:4[reads={blur}]", 1),
    ("ismcts:12[reads={blur}]", 1),
)
READABLE = [game for game in PLAYABLE if interface.game(game).can_be_read]
EVERY = tuple(range(2, 11))  # plies, of which one is compared
LATE = (2, 3, 5, 8, 13, 21, 34)  # for games of hundreds of plies as well
SWAPS = {game: 300_000 if game == "wave" else 100_000 for game in PLAYABLE}
TWINS = 300
WORLDS, MOST = 8, 40  # in the full count: compared with one decision, and with those of one call


@pytest.mark.parametrize("strategy", QUICK)
@pytest.mark.parametrize("game", PLAYABLE)
def test_hidden_cards_never_change_a_decision(game: str, strategy: str) -> None:
    tables = cases.knowledge(game)
    swaps = [fair_play(setup, 4, number, strategy, 3, 1, 3) for number, setup in enumerate(tables)]
    assert sum(swaps) > 2 * len(tables)
    assert swaps.count(0) <= len(tables) // 10  # tables whose games end before there is a choice


def test_early_dropping_depends_on_no_hidden_card() -> None:
    """Moves are dropped after 25 worlds: in the tables where a seat does not know its own cards, that is reached."""
    for players, variants in ((2, ("virage", "nazare")), (3, ("nazare",)), (3, ())):
        setup = make_setup("wave", players, variants, {"talk": "silent"})
        assert fair_play(setup, 9, 4, "flat:55", 7, 2, 20) == 20
        assert fair_play(setup, 9, 4, "ismcts:200", 7, 2, 20) == 20


@pytest.mark.parametrize("game", game_names())
def test_what_a_seat_imagines_comes_from_what_it_knows(game: str) -> None:
    tables = cases.knowledge(game)
    assert sum(worlds_come_from_what_is_known(setup, 1, 5, 25) for setup in tables) > 100


@pytest.mark.parametrize("game", READABLE)
def test_a_reader_that_looks_at_real_cards_is_found(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It forgets what was done in one of eight deals: that shows within a few hundred swaps."""
    setup, reader, remember = make_setup(game), READERS[0][0].format(blur=BLUR[game]), Decider._remember
    assert fair_play(setup, 4, 3, reader, 3, 2, 20, telling=True) == 20

    def peek(asked: Decider, past: Past, memory: Memory) -> None:
        remember(asked, past, memory)
        memory.made[0] *= crc32(asked._openings) % 8 > 0

    monkeypatch.setattr(Decider, "_remember", peek)
    with pytest.raises(InvariantBroken, match="where only hidden cards differ"):
        fair_play(setup, 20, 3, reader, 3, 2, 300, telling=True)


@pytest.mark.parametrize(("game", "others"), [("sea-change", 20), ("vague-verte", 10)])
def test_twins_are_read_alike(game: str, others: int) -> None:
    assert twins_are_read_alike(make_setup(game), 1, 1, READERS[0][0].format(blur=BLUR[game]), 23) > others


def test_a_reader_that_remembers_hidden_cards_is_found_by_twins(monkeypatch: pytest.MonkeyPatch) -> None:
    """For every card that a hand holds it takes the next one for a card that was laid from that hand."""
    remember = Decider._remember

    def peek(asked: Decider, past: Past, memory: Memory) -> None:
        remember(asked, past, memory)
        memory.states["hand"] |= asked._openings["hand"] << np.uint64(1)

    monkeypatch.setattr(Decider, "_remember", peek)
    with pytest.raises(InvariantBroken, match="weighs worlds by cards that it never saw"):
        twins_are_read_alike(make_setup("sea-change"), 1, 1, READERS[0][0].format(blur=500), 23)


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYABLE)
def test_hundreds_of_thousands_of_swaps(game: str) -> None:
    swap_over_and_over(game, FULL, SWAPS[game])


@pytest.mark.slow
@pytest.mark.parametrize("game", READABLE)
def test_a_hundred_thousand_swaps_of_readers(game: str) -> None:
    """What the others did is read as it would have been, had the hidden cards been others; where it tells something."""
    known = interface.game(game)
    without = {"judge": not known.has_solver, "ends": not known.has_tricks}
    readers = [part for part in READERS if not any(option in part[0] and without[option] for option in without)]
    swap_over_and_over(game, readers, 100_000, LATE, telling=True)


@pytest.mark.slow
@pytest.mark.parametrize("game", READABLE)
def test_twins_at_every_table_are_read_alike(game: str) -> None:
    """Games differ in how often somebody else could have done the same, and in how often that tells anything."""
    tables, reader = cases.knowledge(game), READERS[0][0].format(blur=BLUR[game])
    compared, number = 0, 0
    while compared < TWINS:
        compared += twins_are_read_alike(tables[number % len(tables)], 1, 500 + number, reader, LATE[number % 4 + 2])
        number += 1
    print(f"\n{game}: {compared} twins at {number} tables")


def swap_over_and_over(
    game: str, mixture: Sequence[tuple[str, int]], wanted: int, every: Sequence[int] = EVERY, telling: bool = False
) -> None:
    """Round after round over all tables, early and late in a game; with -s it says how many swaps there were so far."""
    tables, turns = cases.knowledge(game), [strategy for strategy, part in mixture for _ in range(part)]
    done: Counter[str] = Counter()
    start, number = time.process_time(), 0
    while done.total() < wanted:
        if number % 500 == 0:
            print(f"\n{game}: {done.total()} swaps, {time.process_time() - start:.0f} s, {dict(done)}", flush=True)
        round_, table = divmod(number, len(tables))
        strategy, plies = turns[(round_ + table) % len(turns)].format(blur=BLUR[game]), every[round_ % len(every)]
        done[strategy] += fair_play(tables[table], 4, 500 + number, strategy, plies, WORLDS, MOST, telling)
        number += 1
    print(f"\n{game}, {len(tables)} tables: {done.total()} swaps, {time.process_time() - start:.0f} s, {dict(done)}")
    assert len(done) == len(mixture)
