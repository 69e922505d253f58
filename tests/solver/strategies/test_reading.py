"""Searchers that read others: earlier states in imagined worlds, odds of thumbs, draws by weight, and fair play."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from houle.solver.bitset import U8, ZERO
from houle.solver.errors import InputError
from houle.solver.games.vague_verte.state import DRAW, DRAW_STOCK
from houle.solver.interface import MAX_FEATURES, recall
from houle.solver.invariants.knowledge import fair_play, ratings
from houle.solver.invariants.past import pasts_come_from_what_is_known
from houle.solver.kernels import entry
from houle.solver.match import Match
from houle.solver.playout import play_chunk
from houle.solver.record.position import write_position
from houle.solver.ruleset import make_setup
from houle.solver.strategies.names import MOST_WEIGHED
from houle.solver.strategies.player import seat_strategies
from houle.solver.strategies.reading.beliefs import drawn_world
from houle.solver.strategies.reading.memory import WEIGHED, make_memory
from houle.solver.strategies.reading.thumb_odds import SLIP, chance_of
from houle.solver.strategies.thumb import thumb_move
from houle.solver.strategies.workspace import make_workspace
from tests import cases

READER = "flat:4[reads=2300]"
JUDGE = "flat:4[judge=200,plays=50,reads=2300,weighs=40]"
GAMES = ["wave", "sea-change", "land-unter", "vague-verte", "vague-attaque"]
DRAWN_UNSEEN = ("vague-verte", "vague-attaque")  # nobody can say which cards of a hand were drawn since


@entry
def _chance(states: Any, all_rules: Any, action: Any, players: Any, scene: Any) -> Any:
    return chance_of(states[0], all_rules[0], action, players[0], scene)


@entry
def _noisy(states: Any, all_rules: Any, players: Any, moves: Any, table: Any) -> Any:
    return thumb_move(states[0], all_rules[0], players[0].weights, players[0].reads, ZERO, moves, table)


@entry
def _drawn(key: Any, number: Any, memory: Any) -> Any:
    return drawn_world(key, number, memory)


@entry
def _tells(past: Any, all_rules: Any, seat: Any, now: Any, world: Any) -> Any:
    return recall(past[0], all_rules[0], seat, now[0], world[0])


@pytest.mark.parametrize("game", GAMES)
def test_earlier_states_are_those_of_the_imagined_world(game: str) -> None:
    long = game in DRAWN_UNSEEN or game == "land-unter"
    tables = cases.knowledge(game)[:: 8 if long else 1]
    checked = [
        pasts_come_from_what_is_known(setup, 1, number, 23 if long else 7) for number, setup in enumerate(tables)
    ]
    assert sum(checked) > 10 * len(tables)


@pytest.mark.parametrize("game", GAMES)
def test_what_was_done_was_possible_and_in_the_real_world_all_was_as_it_was(game: str) -> None:
    """Where hands draw unseen, all is what the moves and the rules of thumb of who decided show of it."""
    told, every = 0, 5 if game in ("wave", "sea-change") else 17
    for setup in cases.knowledge(game)[:: 4 if every == 5 else 9]:
        match = Match(setup, 6, 1)
        while (seat := match.to_move()) >= 0:
            world = match.imagine(seat, match.ply)
            for place, action in enumerate(match.past.actions if match.ply % every == every - 1 else ()):
                past, rules = match.past.states[place : place + 1], setup.rules
                then, real = Match(setup, 6, 1), Match(setup, 6, 1)
                then.states, real.states = past.copy(), past.copy()
                mover = then.to_move()  # a reader asks for what others did, never for what it did itself
                if mover != seat and _tells(then.states, rules, seat, match.states, world.states):
                    told += 1
                    assert then.seen(action, mover)[1] in {then.seen(move, mover)[1] for move in then.moves()}
                    _tells(real.states, rules, seat, match.states, match.states)
                    if game not in DRAWN_UNSEEN:
                        assert real.states[0] == past[0]
                        continue
                    then.states = past.copy()
                    assert ratings(real, mover) == ratings(then, mover)
            match.apply(match.random_move())
    assert told > 50


def test_a_card_chosen_face_down_tells_nothing_before_it_is_shown() -> None:
    """Land Unter: earlier tricks tell something in the first round; packs that one held oneself tell nothing."""
    setup = make_setup("land-unter", 4)
    match = Match(setup, 2)
    found: set[tuple[bool, bool]] = set()
    while (seat := match.to_move()) >= 0:
        world, now = match.imagine(seat, 1), match.states[0]
        for place in range(len(match.past.actions) if match.ply % 3 == 2 else 0):
            past = match.past.states[place : place + 1].copy()
            then, mover = past[0].copy(), int(past[0].mover)
            tells = _tells(past, setup.rules, seat, match.states, world.states)
            this_trick = bool(then.tricks == now.tricks)
            holder = mover + int(now.rounds) - int(then.rounds)  # of that pack by now: packs go to the left
            own = (holder - seat) % 4 <= int(now.rounds)
            assert not (tells and (this_trick or own))
            found.add((tells, this_trick))
        match.apply(match.random_move())
    assert found == {(False, False), (False, True), (True, False)}


def test_only_the_last_turn_tells_where_hands_draw_from_a_stock() -> None:
    """Vague Verte: what was laid in it, and that the face-up card was taken which the hand still holds."""
    setup = make_setup("vague-verte", 4)
    table, found = Match(setup, 3), set()
    while (seat := table.to_move()) >= 0:
        world, now = table.imagine(seat, 1), table.states[0]
        for place in range(len(table.past.actions) if table.ply % 3 == 2 else 0):
            past = table.past.states[place : place + 1].copy()
            ago, drawing, action = int(now.turns) - int(past[0].turns), past[0].stage == DRAW, table.past.actions[place]
            tells = _tells(past, setup.rules, seat, table.states, world.states)
            assert not (tells and (ago >= 4 or (drawing and action == DRAW_STOCK)))
            if ago < 4 and not drawing and past[0].reshuffles == now.reshuffles:
                assert tells == (past[0].mover != seat)
            found.add((tells, bool(drawing)))
        table.apply(table.random_move())
    assert found == {(False, False), (False, True), (True, False), (True, True)}


def test_the_odds_of_a_thumb_are_how_often_it_does_so() -> None:
    line_up = seat_strategies(make_setup("wave", 3), ["flat:1[reads=900]"])
    match = Match(line_up.setup, 8)
    while len(match.moves()) < 4:
        match.apply(match.random_move())
    work = make_workspace(line_up.setup, line_up)
    buffer, features = np.zeros_like(work.scene.buffer), np.zeros((len(work.scene.buffer), MAX_FEATURES), np.int64)
    chances = {
        action: _chance(match.states, line_up.setup.rules, action, line_up.records, work.scene)
        for action in match.moves()
    }
    assert sum(chances.values()) == pytest.approx(1.0)
    number, found = 20_000, Counter[int]()
    for _ in range(number):
        found[int(_noisy(match.states, line_up.setup.rules, line_up.records, buffer, features))] += 1
    for action, chance in chances.items():
        expected = (chance - SLIP / len(chances)) / (1 - SLIP)
        assert found[action] / number == pytest.approx(expected, abs=0.02)
    assert _chance(match.states, line_up.setup.rules, 63, line_up.records, work.scene) in (0.0, chances.get(63))


def test_worlds_are_drawn_by_their_odds_from_the_first_on() -> None:
    """Any stretch of draws is spread as evenly as the weights: no count is off by more than a few."""
    memory = make_memory(make_setup("wave", 3), reads=True)
    weights = np.arange(MOST_WEIGHED) % 7 == 0
    memory.odds[:] = np.cumsum(weights * 1000)
    keys = [int(_drawn(U8(5), number, memory)) for number in range(1, 10 * int(weights.sum()) + 1)]
    found = Counter(keys)
    assert len(found) == weights.sum()
    assert max(found.values()) <= 13
    assert min(found.values()) >= 7
    assert len(set(keys[: int(weights.sum())])) > 0.6 * weights.sum()


@pytest.mark.parametrize("strategy", [READER, JUDGE, "ismcts:12[reads=2300]"])
def test_hidden_cards_never_change_what_a_reader_does(strategy: str) -> None:
    tables = cases.knowledge("wave")
    swaps = [fair_play(setup, 2, number, strategy, 5, 1, 1) for number, setup in enumerate(tables[::3])]
    assert sum(swaps) > len(swaps) // 2


@pytest.mark.parametrize("game", GAMES[1:])
def test_hidden_cards_never_change_what_a_reader_of_rivals_does(game: str) -> None:
    tables = cases.knowledge(game)[::6]
    swaps = [fair_play(setup, 2, number, "flat:4[reads=300]", 7, 1, 2) for number, setup in enumerate(tables)]
    assert sum(swaps) > len(swaps) // 2


def test_reading_is_off_unless_asked_for_and_changes_what_is_done() -> None:
    setup = make_setup("wave", 3)
    names = ("", "[judge=0,plays=0,reads=0]", "[reads=2300]", "[judge=500]", "[judge=500,plays=50]", "[plays=50]")
    plain, off, reads, judges, plays, alone = (
        play_chunk(setup, (f"flat:10{name}",), 3, 0, 12).as_data() for name in names
    )
    assert plain == off == alone
    assert reads not in (plain, judges)
    assert judges != plain
    assert plays not in (plain, judges)


def test_who_is_asked_at_a_table_remembers_the_game() -> None:
    """Decisions one by one are those of the simulated game, also beside a random player; and so is a kept position."""
    setup = make_setup("wave", 3)
    for names in ((READER, READER, READER), (READER, "random", "thumb")):
        line_up = seat_strategies(setup, names)
        told = 0
        for game in range(4):
            match = Match(setup, 3, game)
            while match.to_move() >= 0:
                position = write_position(match) if match.ply % 7 == 6 else None
                action = match.decide(line_up)
                if position is not None and line_up.records[position.seat].reads:
                    assert position.match().decide(line_up) == action
                    told += 1
                match.apply(action)
            assert match.result()["scores"] == [int(play_chunk(setup, names, 3, game, 1).histogram.argmax())]
        assert told


def test_the_worlds_weighed_may_be_said() -> None:
    setup = make_setup("wave", 3)
    usual, same, few = (
        play_chunk(setup, (f"flat:6[reads=2300{weighs}]",), 3, 0, 12).as_data()
        for weighs in ("", f",weighs={WEIGHED}", ",weighs=20")
    )
    assert usual == same
    assert few != usual
    with pytest.raises(InputError, match="weighs: '1001' is not allowed; allowed: a number from 0 to 1000"):
        seat_strategies(setup, ["flat:4[reads=2300,weighs=1001]"])


def test_what_a_game_cannot_do_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(make_setup("land-unter").game), "can_be_read", False)
    for text, complaint in (
        ("flat:4[reads=100]", "land-unter cannot say what a seat held before; allowed: reads=0"),
        ("flat:4[judge=100]", "land-unter has no exact solver; allowed: judge=0"),
    ):
        with pytest.raises(InputError, match=complaint):
            seat_strategies(make_setup("land-unter"), [text])
    with pytest.raises(InputError, match="ismcts has no option 'judge'"):
        seat_strategies(make_setup("wave"), ["ismcts:4[judge=100]"])
