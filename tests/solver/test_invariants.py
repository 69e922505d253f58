"""Invariants of every game (houle.solver.invariants), uniform random moves, repeatability; and broken invariants."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.solver.interface import entries
from houle.solver.invariants import INVARIANTS, InvariantBroken
from houle.solver.invariants.knowledge import (
    Decider,
    fair_play,
    features_see_what_the_seat_sees,
    worlds_come_from_what_is_known,
    worlds_keep_what_is_known,
)
from houle.solver.invariants.play import (
    cards_are_conserved,
    plies,
    same_seed_same_game,
)
from houle.solver.invariants.shown import pasts_come_from_what_is_known
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, game_names, make_setup
from houle.solver.run.playout import play_chunk
from tests import cases
from tests.support.amounts import rarely, some

pytestmark = pytest.mark.compiled

ROOT = Path(__file__).parents[2]
GAMES = game_names()
Count = Callable[[dict[str, Any]], int]
# How each invariant is checked in a setup, and the least number of cases in all setups of a game together. The ends of
# games, their moves and cards are checked where they are walked beside the reference (test_golden.py).
DUE: dict[str, tuple[Callable[[Setup, Count], int], int]] = {
    "seeds repeat": (lambda setup, count: same_seed_same_game(setup, some(1), 3), 1),
    "worlds": (
        lambda setup, count: worlds_keep_what_is_known(setup, some(1), seed=5, every=_every(setup), count=count),
        150,
    ),
    "features": (
        lambda setup, count: features_see_what_the_seat_sees(setup, some(1), seed=11, every=rarely(23), worlds=3),
        50,
    ),
}


def _every(setup: Setup) -> int:
    """Plies between two whose worlds are compared: the games of WAVE are short."""
    return rarely(5 if setup.ruleset.name == "wave" else 23)


def strategies(setup: Setup) -> tuple[str, ...]:
    return ("random",) * setup.players


@pytest.mark.parametrize("choice", cases.CHOICES)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", DUE)
def test_invariants_hold(game: str, name: str, choice: cases.Choice) -> None:
    check, least = DUE[name]
    checked = [check(setup, cases.module(game).number_of_cards) for setup in choice(game)]
    assert sum(checked) > least
    assert min(checked) > 0 or least > 2


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_no_kernel_reads_or_writes_beyond_an_array(game: str, tmp_path: Path) -> None:
    """All invariants and strategies once more with bounds checked, which compiles the game again."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.support.invariant_cases", game],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "HOULE_CACHE_DIR": str(tmp_path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert "bounds checked" in run.stdout


def test_broken_invariants_say_where_and_what() -> None:
    setup = make_setup("wave", 3, (), {"hand.front": 4})
    with pytest.raises(
        InvariantBroken, match=r"wave, 3 players, hand\.front=4, seed 3, game 0, ply 6: there are 5 cards, and 4 at"
    ):
        cards_are_conserved(setup, 1, 3, lambda snapshot: 4 + (snapshot["laid"] == 2))


def test_leaking_features_and_knowledge_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Features that depend on the pile, and worlds that the seat can tell apart."""
    setup = make_setup("wave", 3)
    feel, know = Match.features, Match.knows
    monkeypatch.setattr(Match, "features", lambda match: feel(match) + int(match.state.pile[0]))
    with pytest.raises(InvariantBroken, match=r"other features: move [a-z ]+ room is"):
        features_see_what_the_seat_sees(setup, 5, 3, 2)
    monkeypatch.setattr(Match, "knows", lambda match, seat: know(match, seat) ^ int(match.state.pile[0]))
    with pytest.raises(InvariantBroken, match="the seat can tell this world apart"):
        worlds_keep_what_is_known(setup, 5, 3)


def test_moves_ordered_by_hidden_cards_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A silent surfer does not know the own back cards; a list ordered by cards instead of slots reveals them."""
    setup = make_setup("wave", 3, ("nazare",), {"talk": "silent", "facedown": "free"})
    assert worlds_keep_what_is_known(setup, 2, 3) > 30
    listed = Match.moves
    monkeypatch.setattr(Match, "moves", lambda match: sorted(listed(match), key=match.name))
    with pytest.raises(InvariantBroken, match="the legal moves are"):
        worlds_keep_what_is_known(setup, 2, 3)


def test_peeking_imagination_and_wrong_recall_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    setup, imagine = make_setup("wave", 3), Match.imagine
    assert pasts_come_from_what_is_known(setup, 2, 3) > 30
    monkeypatch.setattr(Match, "imagine", lambda match, seat, key: imagine(match, seat, key + int(match.state.pile[0])))
    with pytest.raises(InvariantBroken, match=r"imagined in world \d+: at ply \d+ (front|pile)"):
        worlds_come_from_what_is_known(setup, 5, 3)
    with pytest.raises(InvariantBroken, match="plies ago: it depends on hidden cards"):
        pasts_come_from_what_is_known(setup, 2, 3)

    def stay(past: Any, rules: Any, seat: int, now: Any, world: Any) -> None:
        past[:] = world[0]

    monkeypatch.setattr(Match, "imagine", imagine)
    monkeypatch.setattr(entries, "recall_states", stay)
    with pytest.raises(InvariantBroken, match="plies ago: the seat can tell it from the real one"):
        pasts_come_from_what_is_known(setup, 2, 3)


def test_imagined_games_are_never_over() -> None:
    """In WAVE a seat is to move only if a card fits, also in worlds of seats that do not see the card."""
    assert worlds_keep_what_is_known(make_setup("wave", 3), some(15), 5, 1) > 250


@pytest.mark.parametrize("strategy", ["thumb", "flat:4", "ismcts:12", "flat:4[reads=1600,weighs=16]"])
def test_decider_decides_as_the_match(strategy: str) -> None:
    setup = make_setup("wave")
    line_up = seat_strategies(setup, [strategy])
    decider = Decider(line_up)
    for match in plies(setup, 1, 4):
        if match.to_move() >= 0:
            luck = int(match.state.choice)
            assert decider.decide(match, match.ply) == match.decide(line_up, match.ply)
            match.state.choice = luck
            assert decider.decide(match, 1) == match.decide(line_up, 1)


def test_peeking_players_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def peek(decider: Decider, match: Match, key: int) -> int:
        return max(match.moves(), key=lambda action: hash((action, int(match.state.pile[0]))))

    monkeypatch.setattr(Decider, "decide", peek)
    with pytest.raises(InvariantBroken, match="where only hidden cards differ"):
        fair_play(make_setup("wave", 3), 5, 3, every=1)


def test_every_invariant_runs_on_any_game() -> None:
    setup = make_setup("wave")
    checked = {name: invariant(setup, 2, 1) for name, invariant in INVARIANTS.items()}
    assert checked.pop("cards are conserved") == 0  # the game has no number_of_cards
    assert checked.pop("hidden cards are imagined anew") == 0  # it runs without the compiler
    assert min(checked.values()) > 0


@pytest.mark.parametrize("game", GAMES)
def test_random_moves_are_uniform(game: str) -> None:
    """At a decision with several moves every legal move comes up equally often."""
    setup = make_setup(game)
    rng = np.random.default_rng(7)
    pvalues = []
    for index in range(some(8)):
        match = Match(setup, seed=21, game=index)
        for _ in range(int(rng.integers(0, 12))):
            if match.to_move() >= 0:
                match.apply(match.random_move())
        options = match.moves()
        if len(options) < 2:
            continue
        seen = Counter(match.random_move() for _ in range(150 * len(options)))
        assert set(seen) <= set(options)
        pvalues.append(chisquare([seen[option] for option in options]).pvalue)
    assert len(pvalues) >= 4
    assert min(pvalues) > 1e-5


@pytest.mark.parametrize("game", GAMES)
def test_threads_and_chunks_do_not_matter(game: str) -> None:
    setup = make_setup(game)
    digests = {
        play_line_up(seat_strategies(setup, strategies(setup)), RunSpec(600, 4, threads=threads), chunk).digest
        for threads, chunk in ((1, None), (2, None), (7, None), (2, 1), (3, 97))
    }
    assert len(digests) == 1


@pytest.mark.parametrize("game", GAMES)
def test_tallies_of_parts_add_up(game: str) -> None:
    setup = make_setup(game)
    whole = play_chunk(seat_strategies(setup, strategies(setup)), 9, 0, 500)
    parts = play_chunk(seat_strategies(setup, strategies(setup)), 9, 200, 300)
    parts.add(play_chunk(seat_strategies(setup, strategies(setup)), 9, 0, 200))
    assert parts.as_data() == whole.as_data()
    other = play_chunk(seat_strategies(setup, strategies(setup)), 10, 0, 500)
    assert other.as_data() != whole.as_data()


@pytest.mark.parametrize("game", GAMES)
def test_knobs_of_play_change_random_games(game: str) -> None:
    """Every knob that is a rule of play changes the tally of random games; the others do not."""
    of = cases.module(game)
    for players, variants, settings in of.CASES:
        if len(settings) == 1:
            (knob,) = settings
            plain = make_setup(game, players, variants)
            turned = make_setup(game, players, variants, settings)
            if turned.options == plain.options:
                continue
            # Some knobs change one game in hundreds; most change one of the first.
            same = all(
                play_chunk(seat_strategies(plain, strategies(plain)), 2, 0, games).as_data()
                == play_chunk(seat_strategies(turned, strategies(turned)), 2, 0, games).as_data()
                for games in (100, 2_000)
            )
            assert same == (knob in of.SILENT_KNOBS), f"{knob} {settings} {variants}"
