"""Laws that hold for every game: conservation, fair imagination, uniform chance, repeatability."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from houle.solver.playout import play_chunk
from houle.solver.position import Table
from houle.solver.ruleset import Setup, game_names, make_setup
from houle.solver.run import play
from tests import cases

GAMES = game_names()


def strategies(setup: Setup) -> tuple[str, ...]:
    return ("random",) * setup.players


@pytest.mark.parametrize("game", GAMES)
def test_cards_are_conserved(game: str) -> None:
    count = cases.module(game).number_of_cards
    for setup in cases.setups(game):
        table = Table(setup, seed=3, game=1)
        at_the_start = count(table.snapshot())
        while table.to_move() >= 0:
            table.apply(table.random_move())
            assert count(table.snapshot()) == at_the_start, cases.name(setup)


def check_imagination(setup: Setup, seed: int, games: int, every: int) -> int:
    """Determinizes for every seat at every `every`-th ply; returns how many worlds were checked."""
    of = cases.module(setup.ruleset.name)
    worlds = 0
    for game in range(games):
        table = Table(setup, seed, game)
        ply = 0
        while (mover := table.to_move()) >= 0:
            ply += 1
            if ply % every == 0:
                for seat in range(setup.players):
                    key = seed * 1_000_003 + worlds
                    world = table.imagine(seat, key)
                    where = f"{cases.name(setup)} game {game} ply {ply} seat {seat} key {key}"
                    assert world.knows(seat) == table.knows(seat), where
                    assert of.number_of_cards(world.snapshot()) == of.number_of_cards(table.snapshot()), where
                    if seat == mover:
                        assert sorted(world.moves()) == sorted(table.moves()), where
                    if worlds % 16 == 0:
                        while world.to_move() >= 0:
                            action = world.random_move()
                            assert action in world.moves(), where
                            world.apply(action)
                    worlds += 1
            table.apply(table.random_move())
    return worlds


@pytest.mark.parametrize("game", GAMES)
def test_imagined_worlds_keep_what_the_seat_knows(game: str) -> None:
    assert sum(check_imagination(setup, seed=5, games=1, every=3) for setup in cases.setups(game)) > 500


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_million_imagined_worlds(game: str) -> None:
    setups = list(cases.setups(game))
    worlds, seed = 0, 100
    while worlds < 1_000_000:
        worlds += check_imagination(setups[seed % len(setups)], seed, games=4, every=1)
        seed += 1


@pytest.mark.parametrize("game", GAMES)
def test_random_moves_are_uniform(game: str) -> None:
    """At a decision with several options every legal action comes up equally often."""
    setup = make_setup(game)
    rng = np.random.default_rng(7)
    pvalues = []
    for index in range(12):
        table = Table(setup, seed=21, game=index)
        for _ in range(int(rng.integers(0, 12))):
            if table.to_move() >= 0:
                table.apply(table.random_move())
        options = table.moves()
        if len(options) < 2:
            continue
        seen = Counter(table.random_move() for _ in range(400 * len(options)))
        assert set(seen) <= set(options)
        pvalues.append(chisquare([seen[option] for option in options]).pvalue)
    assert len(pvalues) >= 4
    assert min(pvalues) > 1e-5


@pytest.mark.parametrize("game", GAMES)
def test_threads_and_chunks_do_not_matter(game: str) -> None:
    setup = make_setup(game)
    digests = {
        play(setup, strategies(setup), seed=4, games=3_000, threads=threads, chunk=chunk).digest
        for threads, chunk in ((1, None), (2, None), (7, None), (2, 1), (3, 997))
    }
    assert len(digests) == 1


@pytest.mark.parametrize("game", GAMES)
def test_tallies_of_parts_add_up(game: str) -> None:
    setup = make_setup(game)
    whole = play_chunk(setup, strategies(setup), 9, 0, 500)
    parts = play_chunk(setup, strategies(setup), 9, 200, 300)
    parts.add(play_chunk(setup, strategies(setup), 9, 0, 200))
    assert parts.as_data() == whole.as_data()
    other = play_chunk(setup, strategies(setup), 10, 0, 500)
    assert other.as_data() != whole.as_data()


@pytest.mark.parametrize("game", GAMES)
def test_loud_knobs_change_random_play(game: str) -> None:
    """Every knob that is a rule of play changes what random games come to; the others change nothing."""
    of = cases.module(game)
    for players, variants, settings in of.CASES:
        if len(settings) == 1:
            (knob,) = settings
            plain = make_setup(game, players, variants)
            turned = make_setup(game, players, variants, settings)
            if turned.options == plain.options:
                continue
            same = (
                play_chunk(plain, strategies(plain), 2, 0, 2_000).as_data()
                == play_chunk(turned, strategies(turned), 2, 0, 2_000).as_data()
            )
            assert same == (knob in of.SILENT_KNOBS), f"{knob} {settings} {variants}"
