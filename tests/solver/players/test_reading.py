"""Readers: earlier states, odds of thumbs and draws by weight; searches with an evaluation; all play fair."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houle.solver.cards.bits import U8
from houle.solver.compiler.kernels import entry
from houle.solver.errors import InputError, RulesError
from houle.solver.interface import UTILITY, prospects, recall
from houle.solver.invariants.knowledge import fair_play
from houle.solver.invariants.shown import pasts_come_from_what_is_known
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import write_position
from houle.solver.players.evaluation import INPUTS, WIDTH, evaluated, network_of
from houle.solver.players.kinds import MOST_WEIGHED
from houle.solver.players.player import seat_strategies
from houle.solver.players.reading.beliefs import SLIP, chance_of, drawn_world
from houle.solver.players.reading.memory import WEIGHED, make_memory
from houle.solver.players.workspace import make_workspace
from houle.solver.rules import Setup, make_setup
from houle.solver.run.playout import play_chunk
from tests import cases
from tests.support.amounts import some

pytestmark = pytest.mark.compiled

READER = "flat:4[reads=2300]"
JUDGE = "flat:4[judge=200,plays=50,reads=2300,weighs=40]"


@entry
def _chance(states: Any, all_rules: Any, action: Any, players: Any, scene: Any) -> Any:
    return chance_of(states[0], all_rules[0], action, players[0], players[0].reads, scene)


@entry
def _drawn(key: Any, number: Any, memory: Any) -> Any:
    return drawn_world(key, number, memory)


@entry
def _recall(past: Any, all_rules: Any, seat: Any, now: Any, world: Any) -> Any:
    return recall(past[0], all_rules[0], seat, now[0], world[0])


@pytest.mark.parametrize("choice", cases.KNOWLEDGE)
def test_recall_keeps_its_invariant(choice: cases.Choice) -> None:
    setups = choice("wave")
    checked = [pasts_come_from_what_is_known(setup, 1, number, 7) for number, setup in enumerate(setups)]
    assert sum(checked) > 10 * len(setups)


@pytest.mark.parametrize("choice", cases.KNOWLEDGE)
def test_recalled_states_match_the_real_game(choice: cases.Choice) -> None:
    """In an imagined world the earlier moves were legal; in the real world the earlier states are the real ones."""
    recalled = 0
    for setup in choice("wave"):
        match = Match(setup, 6, 1)
        while (seat := match.to_move()) >= 0:
            world = match.imagine(seat, match.ply)
            for place, action in enumerate(match.past.actions if match.ply % 5 == 4 else ()):
                past, rules = match.past.states[place : place + 1], setup.rules
                then, real = Match(setup, 6, 1), Match(setup, 6, 1)
                then.states, real.states = past.copy(), past.copy()
                mover = then.to_move()  # a reader recalls the decisions of others, never its own
                if mover != seat and _recall(then.states, rules, seat, match.states, world.states):
                    recalled += 1
                    assert then.seen(action, mover)[1] in {then.seen(move, mover)[1] for move in then.moves()}
                    _recall(real.states, rules, seat, match.states, match.states)
                    assert real.states[0] == past[0]
            match.apply(match.random_move())
    assert recalled > 50


def test_thumb_odds_match_observed_frequencies() -> None:
    line_up = seat_strategies(make_setup("wave", 3), ["flat:1[reads=900]"])
    match = Match(line_up.setup, 8)
    while len(match.moves()) < 4:
        match.apply(match.random_move())
    work, thumb = make_workspace(line_up.setup, line_up), seat_strategies(line_up.setup, ["thumb[temperature=900]"])
    chances = {
        action: _chance(match.states, line_up.setup.rules, action, line_up.records, work.scene)
        for action in match.moves()
    }
    assert sum(chances.values()) == pytest.approx(1.0)
    number, made = 8_000, Counter[int]()
    for _ in range(number):
        made[match.decide(thumb)] += 1
    for action, chance in chances.items():
        expected = (chance - SLIP / len(chances)) / (1 - SLIP)
        assert made[action] / number == pytest.approx(expected, abs=0.02)
    assert _chance(match.states, line_up.setup.rules, 63, line_up.records, work.scene) in (0.0, chances.get(63))


def test_worlds_are_drawn_evenly_by_odds() -> None:
    """Every stretch of draws follows the weights: no count is off by more than a few."""
    memory = make_memory(make_setup("wave", 3), reads=True)
    weights = np.arange(MOST_WEIGHED) % 7 == 0
    memory.odds[:] = np.cumsum(weights * 1000)
    keys = [int(_drawn(U8(5), number, memory)) for number in range(1, 10 * int(weights.sum()) + 1)]
    drawn = Counter(keys)
    assert len(drawn) == weights.sum()
    assert max(drawn.values()) <= 13
    assert min(drawn.values()) >= 7
    assert len(set(keys[: int(weights.sum())])) > 0.6 * weights.sum()


@pytest.mark.parametrize("choice", cases.KNOWLEDGE)
@pytest.mark.parametrize("strategy", [READER, JUDGE, "ismcts:12[reads=2300]"])
def test_readers_use_no_hidden_cards(strategy: str, choice: cases.Choice) -> None:
    setups = choice("wave")
    swaps = [
        fair_play(setup, games=2, seed=number, strategy=strategy, every=5, worlds=1, most=1)
        for number, setup in enumerate(setups)
    ]
    assert sum(swaps) > len(swaps) // 2


def test_reading_is_optional_and_changes_play() -> None:
    setup = make_setup("wave", 3)
    names = ("", "[judge=0,plays=0,reads=0]", "[reads=2300]", "[judge=500]", "[judge=500,plays=50]", "[plays=50]")
    plain, off, reads, judges, plays, alone = (
        play_chunk(seat_strategies(setup, (f"flat:10{name}",)), 3, 0, some(5)).as_data() for name in names
    )
    assert plain == off == alone
    assert reads not in (plain, judges)
    assert judges != plain
    assert plays not in (plain, judges)


def test_stepped_readers_decide_as_simulated_ones() -> None:
    """Decisions in a match and in a position equal those of the simulated game, also beside a random player."""
    setup = make_setup("wave", 3)
    for names in ((READER, READER, READER), (READER, "random", "thumb")):
        line_up = seat_strategies(setup, names)
        compared = 0
        for game in range(some(2)):
            match = Match(setup, 3, game)
            while match.to_move() >= 0:
                position = write_position(match) if match.ply % 7 == 6 else None
                action = match.decide(line_up)
                if position is not None and line_up.records[position.seat].reads:
                    assert position.match().decide(line_up) == action
                    compared += 1
                match.apply(action)
            assert match.result()["scores"] == [
                int(play_chunk(seat_strategies(setup, names), 3, game, 1).histogram.argmax())
            ]
        assert compared


def test_number_of_weighed_worlds_can_be_set() -> None:
    setup = make_setup("wave", 3)
    usual, same, few = (
        play_chunk(seat_strategies(setup, (f"flat:6[reads=2300{weighs}]",)), 3, 0, some(5)).as_data()
        for weighs in ("", f",weighs={WEIGHED}", ",weighs=20")
    )
    assert usual == same
    assert few != usual
    with pytest.raises(InputError, match="weighs: '1001' is not allowed; allowed: a number from 0 to 1000"):
        seat_strategies(setup, ["flat:4[reads=2300,weighs=1001]"])


@pytest.mark.quick
def test_unsupported_options_are_refused() -> None:
    for text, complaint in (
        ("flat:4[reads=100]", r"land-unter cannot be read \(it has no `recall`\); allowed: reads=0"),
        ("flat:4[judge=100]", "land-unter has no exact solver; allowed: judge=0"),
    ):
        with pytest.raises(InputError, match=complaint):
            seat_strategies(make_setup("land-unter"), [text])
    with pytest.raises(InputError, match="ismcts has no option 'judge'"):
        seat_strategies(make_setup("wave"), ["ismcts:4[judge=100]"])


SETUPS = [
    ("vague-verte", 2, {}),
    ("vague-verte", 4, {"road": 12, "hand": 12}),
    ("vague-attaque", 1, {}),
    ("vague-attaque", 3, {}),
    ("vague-attaque", 5, {"hand_limit": 12}),
    ("vague-attaque", 4, {"teams": "2v2"}),
]


@entry
def _evaluated(states: Any, all_rules: Any, players: Any, out: Any, chances: Any) -> None:
    """The chance of each side, and the prospects of each seat."""
    for side in range(len(chances)):
        chances[side] = evaluated(states[0], all_rules[0], players[0], side)
    for seat in range(len(out)):
        prospects(states[0], all_rules[0], seat, out[seat])


def assessed(match: Match, players: Any) -> tuple[Any, Any]:
    """The chances of all sides, and the prospects of all seats."""
    rules, chances = match.setup.rules, np.zeros(int(match.setup.rules[0].sides), np.int64)
    out = np.zeros((match.setup.players, WIDTH), np.int64)
    _evaluated(match.states, rules, players, out, chances)
    return chances, out


def positions(setup: Setup, games: int = some(1)) -> Any:
    for game in range(games):
        match = Match(setup, 5, game)
        yield match
        while match.to_move() >= 0:
            match.apply(match.random_move())
            yield match


@pytest.mark.parametrize(("game", "players", "knobs"), SETUPS)
def test_prospects_are_small_and_chances_add_up(game: str, players: int, knobs: dict[str, Any]) -> None:
    setup = make_setup(game, players, (), knobs)
    record = seat_strategies(setup, ["flat:1[ahead=1]"]).records
    for match in positions(setup):
        chances, out = assessed(match, record)
        assert chances.min() >= 0
        assert chances.sum() <= UTILITY  # the rest is the chance of a draw
        assert abs(out).max() < 256
        assert out[:, INPUTS:].max() == 0


def test_a_player_about_to_finish_will_win() -> None:
    """Vague Verte: one square to go, a card for it in the hand, and the turn."""
    setup = make_setup("vague-verte", 3)
    record = seat_strategies(setup, ["flat:1[ahead=1]"]).records
    found = []
    for match in positions(setup, 40):
        (chances, out), seat = assessed(match, record), match.to_move()
        if seat >= 0 and out[seat, 24]:
            found.append(chances[seat] / chances.sum())
    assert len(found) > 20
    assert np.mean(found) > 0.95  # less than 1: the card may be a tow, which goes no further


@pytest.mark.parametrize("game", ["vague-verte", "vague-attaque"])
def test_searches_with_an_evaluation_use_no_hidden_cards(game: str) -> None:
    setups = [setup for setup in cases.knowledge(game)[::4] if setup.players > 1]
    swaps = [
        fair_play(setup, games=1, seed=number, strategy="flat:4[ahead=2]", every=7, worlds=1, most=2)
        for number, setup in enumerate(setups)
    ]
    assert sum(swaps) > len(swaps) // 2


def test_a_game_without_evaluation_says_so() -> None:
    with pytest.raises(InputError, match=r"land-unter has no evaluation of positions; allowed: ahead=0"):
        seat_strategies(make_setup("land-unter", 3), ["flat:5[ahead=2]"])


@pytest.mark.parametrize("text", ["", "inner = 3", "inner = [[1, 2]]", "inner = [['a']]"])
def test_a_broken_file_names_what_is_allowed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "evaluation.toml"
    path.write_text(text)
    with pytest.raises(RulesError, match=f"inner: allowed: 16 rows of {WIDTH} whole numbers up to 32767"):
        network_of(path)
