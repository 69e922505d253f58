"""The exact solver of WAVE: its lines win, its refusals are true, and no fair win contradicts it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from copy import copy
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest

from houle.analysis.checks.against_plain import open_beside
from houle.solver.compiler.kernels import JIT
from houle.solver.games.wave.clairvoyant import LONGEST_LINE, UNRESOLVED, UNWINNABLE, WINNABLE, ask, solver_memory
from houle.solver.matches.match import Match
from houle.solver.players.names import Strategy, parse
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup, make_setup
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger
from tests.reference.wave import FACE_DOWN
from tests.support.amounts import some
from tests.support.beside import reference
from tests.support.call import said_without_compiler

pytestmark = pytest.mark.compiled

VARIANTS = ("virage", "tide-colours", "tide-numbers", "nazare")
COMBINATIONS = [list(some) for some in chain.from_iterable(combinations(VARIANTS, n) for n in range(5))]
MEMORY = solver_memory(make_setup("wave"))


def answer(match: Match, limit: int = 1_000_000) -> tuple[int, list[int], int]:
    """Status, line of actions, nodes."""
    line = np.zeros(LONGEST_LINE, np.int64)
    status, length, nodes = ask(match.states, match.setup.rules, limit, line, MEMORY)
    return int(status), [int(action) for action in line[:length]], int(nodes)


def assert_wins(match: Match, line: list[int], where: str) -> None:
    """Every action is legal when its turn comes, and the last one wins."""
    for action in line:
        while match.is_signal():
            match.apply(match.moves()[0])
        assert action in match.moves(), where
        match.apply(action)
    assert match.to_move() == -1, where
    assert match.result()["scores"] == [0], where


# ---- against all lines of play, on decks of a few cards

TINY: list[dict[str, Any]] = [
    {},
    {"virage_must_fit": False, "facedown": "free"},
    {"dummy_swaps": True, "facedown_reverses": True, "dummy.up": 2, "dummy.down": 0},
]


def tiny_setups(every: int = 1) -> Iterator[Setup]:
    """Every combination of variants with each number of players and `every`-th of the knobs, by turns."""
    number = 0
    for players in (2, 3, 4):
        for variants in COMBINATIONS:
            for settings in TINY:
                number += 1
                if number % every:
                    continue
                deck: dict[str, Any] = {
                    "deck.colours": ["white", "red", "navy"],
                    "deck.numbers": [0, 1, 2, 3],
                    "deck.missing": ["white 0", "navy 3"],
                    "heights": [1, 2, 3, 3, 1],
                    "hand.front": 2 if players < 4 and "virage" not in variants else 1,
                    "hand.back": 1,
                    "dummy.up": 1,
                    "dummy.down": 1,
                }
                yield make_setup("wave", players, variants, deck | settings)


def branch(game: Any) -> Any:
    """A copy of a reference game that shares nothing that changes."""
    other = copy(game)
    for name, value in vars(game).items():
        if isinstance(value, (list, dict, set)):
            setattr(other, name, copy(value))
    other.front, other.back = [list(cards) for cards in game.front], [list(cards) for cards in game.back]
    other.pile = game.pile.copy(copy(game.pile.luck))
    return other


def can_win(game: Any, lost: set[str]) -> bool:
    """Tries everything, but no position twice and nothing after a card has gone face down."""
    if game.over:
        return bool(game.result()["scores"] == [0])
    if FACE_DOWN in game.wave:
        return False
    position = repr(game.snapshot())
    if position in lost:
        return False
    for action in game.legal():
        other = branch(game)
        other.apply(action)
        if can_win(other, lost):
            return True
    lost.add(position)
    return False


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_tiny_games_agree_with_trying_everything(every: int) -> None:
    """Whole games, and games after some random actions, including the middle of a turn."""
    rng = np.random.default_rng(3)
    seen: Counter[tuple[Any, ...]] = Counter()
    for number, setup in enumerate(tiny_setups(every)):
        for index in range(3):
            where = f"p{setup.players} {setup.variants} {dict(setup.changed)} game {index}"
            match = Match(setup, seed=number, game=index)
            plain = open_beside(reference(setup), match)
            for _ in range(int(rng.integers(0, 4)) if index else 0):
                if match.to_move() >= 0:
                    action = match.random_move()
                    plain.apply(match.name(action))
                    match.apply(action)
            status, line, _ = answer(match)
            assert status == (WINNABLE if can_win(plain, set()) else UNWINNABLE), where
            if status == WINNABLE:
                assert_wins(match, line, where)
            seen[status] += 1
            seen[setup.players, *setup.variants, status] += 1
    assert seen[WINNABLE] > 60 // every
    assert seen[UNWINNABLE] > 60 // every
    for players in (2, 3, 4):
        for variants in COMBINATIONS if every == 1 else ():
            assert seen[players, *variants, WINNABLE] + seen[players, *variants, UNWINNABLE] == 9


# ---- whole games


EIGHT = {"deck.colours": list("abcdefgh"), "deck.numbers": list(range(8)), "deck.missing": [], "deck.reverse": ["a *"]}
TALL = {**EIGHT, "heights": [16, 16, 16, 16]}  # the edge of the highest wave that can be built still fits a position


@pytest.mark.parametrize(
    ("players", "variants", "settings", "games", "least"),
    [
        *((players, variants, {}, 4, 1) for variants in COMBINATIONS for players in (2, 3, 4)),
        *(
            (players, ["virage", "tide-colours"], settings, 2, 0)
            for players in (2, 3, 4)
            for settings in ({"hand.front": 0, "hand.back": 3}, {"hand.front": 5, "hand.back": 1}, EIGHT)
        ),
        (3, ["nazare"], TALL, 2, 0),
    ],
)
def test_lines_replay_to_wins(
    players: int, variants: list[str], settings: dict[str, Any], games: int, least: int
) -> None:
    setup = make_setup("wave", players, variants, settings)
    statuses = Counter()
    for index in range(some(games)):
        match = Match(setup, seed=24, game=index)
        before = match.states.copy()
        status, line, nodes = answer(match, limit=30_000)
        assert (match.states == before).all(), "solving changes nothing"
        assert nodes <= 30_000
        if status == WINNABLE:
            assert_wins(match, line, f"p{players} {variants} {settings} game {index}")
        statuses[status] += 1
    assert statuses[WINNABLE] >= least * some(games) // 4


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_base_game_is_resolved(players: int) -> None:
    setup = make_setup("wave", players)
    statuses = Counter(answer(Match(setup, seed=7, game=index), limit=200_000)[0] for index in range(400))
    assert 0.90 * 400 < statuses[WINNABLE] < 0.985 * 400
    assert statuses[UNRESOLVED] <= 6


# ---- never contradicted

THUMB = Strategy("thumb", "thumb", 0, entry={"weights": {"awkward": 3, "room": 2, "next_ready": 30, "next_risk": -1}})


@pytest.mark.parametrize("variants", [[], ["virage"], ["tide-colours", "tide-numbers"], ["nazare"]], ids="+".join)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_fair_win_contradicts_it(players: int, variants: list[str]) -> None:
    setup = make_setup("wave", players, variants)
    games = 3_000
    wins = 0
    for strategy in (THUMB, parse("random")):
        ledger = blank_ledger(games, 1)
        play_chunk(LineUp(setup, (strategy,) * players), seed=5, first=0, number=games, ledger=ledger)
        for index in np.flatnonzero(ledger.share[:, 0])[: some(30)]:
            wins += 1
            status = answer(Match(setup, seed=5, game=int(index)), limit=100_000)[0]
            assert status != UNWINNABLE, f"game {index} was won by {strategy.text}"
    assert wins > 0 or "nazare" in variants


@pytest.mark.quick
def test_no_nodes_no_answer() -> None:
    match = Match(make_setup("wave", 3), seed=1, game=2)
    assert answer(match, limit=0)[0] == UNRESOLVED
    assert answer(match, limit=5)[0] == UNRESOLVED


# ---- without the compiler


def few_answers() -> dict[str, Any]:
    answers: dict[str, Any] = {"jit": JIT}
    for number, setup in enumerate(tiny_setups()):
        if number % 9 == 0:
            answers[str(number)] = answer(Match(setup, seed=number, game=0), limit=300)
    return answers


def test_jit_off_equals_jit_on() -> None:
    code = "import json; from tests.games.wave.test_clairvoyant import few_answers; print(json.dumps(few_answers()))"
    plain = said_without_compiler("-c", code)
    compiled = json.loads(json.dumps(few_answers()))
    assert plain.pop("jit") is False
    assert compiled.pop("jit") is True
    assert plain == compiled
