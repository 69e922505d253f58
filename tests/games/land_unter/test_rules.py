"""LAND UNTER beside the reference: setups that are refused, how far a search looks, and what a seat may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from houle.solver.compiler.kernels import entry
from houle.solver.errors import InputError
from houle.solver.games.land_unter.rules import search_over
from houle.solver.interface import round_over
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.support.scenes import Hands, all_deals, assert_even

pytestmark = pytest.mark.quick

TINY = {"hand": 2, "deck.weather": 10, "deck.halves": [0, 1, 2, 1, 0, 2, 1, 1, 0, 2]}


def new_match(players: int = 4, seed: int = 1, **settings: Any) -> Match:
    return Match(make_setup("land-unter", players, (), settings), seed)


def random_until(game: Match, rounds: int, tricks: int) -> None:
    while (game.state.rounds, game.state.trick) < (rounds, tricks):
        game.apply(game.random_move())


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"hand": 13}, "weather"),
        ({"deck.weather": 64}, "halves"),
        ({"deck.water": [1, 2]}, "at least 24"),
        ({"deck.halves": [3]}, "0 to 2"),
        ({"elimination_cascade": False, "final_cascade": True}, "final_cascade"),
    ],
)
def test_impossible_setups_are_refused(settings: dict[str, Any], word: str) -> None:
    with pytest.raises(InputError, match=word):
        new_match(5, **settings)


def test_equal_water_cards_are_one_choice() -> None:
    game = new_match(winner_takes="choice", **{"deck.water": [99] * 30})
    while not game.state.taking:
        game.apply(game.random_move())
    assert len({game.seen(action, game.to_move())[1] for action in game.moves()}) == 1 < len(game.moves())


@entry
def _ends(states: Any, roots: Any) -> Any:
    return round_over(states[0]), search_over(states[0], roots[0])


def test_search_ends_with_the_round() -> None:
    game = new_match(4, rounds=3)
    random_until(game, 1, 4)
    world = game.imagine(2, 7)
    root = world.states.copy()
    while not _ends(world.states, root)[1]:
        assert world.state.rounds == 1
        world.apply(world.random_move())
    assert (world.state.rounds, world.state.trick) == (2, 0)
    assert not _ends(world.states, root)[0]
    ends = []
    while game.to_move() >= 0:
        game.apply(game.random_move())
        ends.append(bool(_ends(game.states, root)[0]))
    assert ends == [False] * (len(ends) - 1) + [True]


def worlds(game: Match, seat: int, number: int = 60) -> Iterator[dict[str, Any]]:
    for key in range(number):
        world = game.imagine(seat, key)
        assert world.knows(seat) == game.knows(seat)
        yield world.snapshot()


def test_worlds_take_back_secret_choices() -> None:
    game = new_match()
    before = game.snapshot()
    alike = game.imagine(2, 7).snapshot()
    for _ in range(2):
        game.apply(game.random_move())
    world = game.imagine(2, 7)
    assert world.snapshot() == alike
    assert world.to_move() == 2
    assert world.snapshot()["committed"] == [0, 0, 0, 0]
    assert world.snapshot()["hands"][2] == before["hands"][2]
    order = []
    while world.state.trick == 0:
        order.append(world.to_move())
        world.apply(world.random_move())
    assert sorted(order) == [0, 1, 2, 3]


def test_secret_cards_are_seen_once_all_are_chosen() -> None:
    first, second = new_match(), new_match()
    labels = []
    for game, i in ((first, 0), (second, 1)):
        seen = [game.seen(game.moves()[i], 3)[0]]
        game.apply(game.moves()[i])
        for _ in range(2):
            seen.append(game.seen(game.moves()[0], 3)[0])
            game.apply(game.moves()[0])
        labels.append((*seen, game.seen(game.moves()[0], 3)[0], game.seen(game.moves()[0], 0)[0]))
    assert labels[0][:4] == labels[1][:4]
    assert labels[0][4] != labels[1][4]


@pytest.mark.compiled
def test_the_rest_of_an_eliminated_hand_stays_hidden() -> None:
    game = new_match(5, rounds=2)
    game.state.level[0], game.state.belts[0] = 99, 0
    for _ in range(5):
        game.apply(game.random_move())
    assert game.snapshot()["out"][0]
    packs = {tuple(world["packs"][0]) for world in worlds(game, 2)}
    shown = set(game.snapshot()["packs"][0]).intersection(*packs)
    assert len(packs) == 60
    assert len(shown) == 1
    assert all(not world["hands"][0] for world in worlds(game, 2, 10))


def consistent(game: Match, sure: list[set[int]]) -> set[Hands]:
    """Every way to fill the packs with the known cards and the right lifebelts."""
    size, halves = game.setup.options["hand"], game.setup.options["deck.halves"]

    def belts(pack: Any) -> int:
        return sum(halves[card - 1] for card in pack) // 2

    held = [belts(pack) for pack in game.snapshot()["packs"]]
    pool = set(range(1, game.setup.options["deck.weather"] + 1)).difference(*sure)
    ways = all_deals(pool, [size - len(known) for known in sure], lambda i, cards: belts(sure[i] | {*cards}) == held[i])
    return {tuple(tuple(sorted(known.union(hand))) for known, hand in zip(sure, way, strict=True)) for way in ways}


def assert_uniform_packs(game: Match, seat: int, sure: list[set[int]], tries: int) -> None:
    expected = consistent(game, sure)
    assert len(expected) > 11
    drawn = (game.imagine(seat, key).snapshot()["packs"] for key in range(tries))
    assert_even(Counter(tuple(map(tuple, packs)) for packs in drawn), expected, all_seen=False)


TRIES = [2_000, pytest.param(6_000, marks=pytest.mark.slow)]


@pytest.mark.compiled
@pytest.mark.parametrize("tries", TRIES)
@pytest.mark.parametrize(("players", "seat", "play"), [(3, 1, "secret"), (5, 0, "open")])  # the box is empty with five
def test_worlds_are_uniform_at_the_start(players: int, seat: int, play: str, tries: int) -> None:
    game = new_match(players, **TINY, play=play)
    sure: list[set[int]] = [set() for _ in range(players)]
    sure[seat] = set(game.snapshot()["packs"][seat])
    assert_uniform_packs(game, seat, sure, tries)


def watched(players: int, rounds: int, plies: int, seed: int, **settings: Any) -> tuple[Match, list[set[int]]]:
    """A random game, some plies into a round, and the cards of every pack that everyone has seen played."""
    game = new_match(players, seed, **settings)
    shown: list[set[int]] = [set() for _ in range(players)]  # by the seat a pack was dealt to
    while game.state.rounds < rounds or (game.state.rounds == rounds and plies > 0):
        before, seat, action = game.snapshot(), game.to_move(), game.random_move()
        game.apply(action)
        plies -= before["round"] == rounds
        chosen = {**dict(enumerate(before["committed"])), seat: action + 1}
        if game.state.tricks > before["tricks"] or settings.get("play") == "open":
            for holder in range(players):
                shown[(holder - before["round"]) % players] |= {chosen[holder]} - {0}
        if game.state.rounds > before["round"] and settings.get("memory") == "round":
            shown = [set() for _ in range(players)]
    return game, [shown[(holder - rounds) % players] for holder in range(players)]


@pytest.mark.compiled
@pytest.mark.parametrize("tries", TRIES)
@pytest.mark.parametrize(
    ("rounds", "plies", "seed", "settings"),
    [
        (0, 5, 3, {}),
        (1, 2, 2, {}),
        (1, 5, 26, {"play": "open"}),
        (1, 6, 5, {"memory": "round"}),
        (2, 1, 11, {"play": "open", "memory": "round"}),
    ],
)
def test_worlds_are_uniform_during_a_game(
    rounds: int, plies: int, seed: int, settings: dict[str, Any], tries: int
) -> None:
    short = {"hand": 3, "deck.weather": 13, "deck.halves": [0, 1, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 1]}
    game, sure = watched(4, rounds, plies, seed, **short, **settings)
    assert game.state.rounds == rounds
    for distance in range(rounds + 1 if "memory" not in settings else 1):
        holder = (2 + distance) % 4
        sure[holder] = set(game.snapshot()["packs"][holder])
    assert_uniform_packs(game, 2, sure, tries)
