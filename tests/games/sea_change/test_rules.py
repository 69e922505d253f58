"""SEA CHANGE: the rulebook's worked examples, the tricky rules, and what a seat may conclude about hands."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import comb
from typing import Any

import pytest

from houle.solver.errors import InputError
from houle.solver.games.sea_change.rules import COLOURS, NO_COLOUR
from houle.solver.matches.match import Match
from houle.solver.rules import Setup, make_setup
from tests.games.sea_change.scene import card, words
from tests.support.scenes import Hands, act, all_deals, assert_even

pytestmark = pytest.mark.quick


def stage(setup: Setup, hands: list[list[str]], trump: str = "", leader: int = 0, tricks: int = 0) -> Match:
    """A position before a lead, with these hands, nothing captured and this trump."""
    match = Match(setup, seed=1)
    state = match.state
    for seat, hand in enumerate(hands):
        state.hand[seat] = words(hand)
    state.trump = COLOURS.index(trump) if trump else NO_COLOUR
    state.leader = state.mover = leader
    state.tricks_left = tricks or len(hands[0])
    state.pile_left = 0
    return match


def play(match: Match, *names: str) -> None:
    act(match, *(f"play {name}" for name in names))


THREE = make_setup("sea-change", 3)
FOUR = make_setup("sea-change", 4)


@pytest.mark.parametrize(
    ("setup", "hands", "trump", "plays", "points", "leads", "trumps", "changes"),
    [
        # The worked examples of the rulebook: a sea change instead of following, a discard, a bad idea, a sneaky one.
        (
            THREE,
            ["yellow 4, blue 4", "yellow 10, blue 5", "yellow 9, violet 10"],
            "",
            "yellow 4, yellow 10, violet 10",
            [0, 0, 2],
            2,
            "violet",
            1,
        ),
        (
            THREE,
            ["blue 5, yellow 4", "violet 8, yellow 5", "blue 4, yellow 6"],
            "yellow",
            "blue 5, violet 8, blue 4",
            [-4, 0, 0],
            0,
            "yellow",
            0,
        ),
        (
            THREE,
            ["yellow 6, blue 4", "yellow 8, blue 5", "blue 8, blue 6"],
            "yellow",
            "yellow 6, yellow 8, blue 8",
            [0, 0, -8],
            2,
            "blue",
            1,
        ),
        (
            FOUR,
            ["blue 9", "yellow 8", "blue 4", "blue 7, yellow 4"],
            "green",
            "blue 9, yellow 8, blue 4, yellow 4",
            [0, -2, 0, 0],
            1,
            "yellow",
            1,
        ),
        # When following, to the colour that is trump already, several in a trick; a lead is none.
        (THREE, ["blue 4", "yellow 7", "blue 7"], "blue", "blue 4, yellow 7, blue 7", [0, 0, 0], 2, "blue", 1),
        (
            FOUR,
            ["blue 4", "yellow 4", "violet 4", "green 4"],
            "blue",
            "blue 4, yellow 4, violet 4, green 4",
            [0, 0, 0, 0],
            3,
            "green",
            3,
        ),
        (
            THREE,
            ["yellow 7, blue 12", "yellow 5, blue 4", "yellow 12, blue 5"],
            "yellow",
            "yellow 7, yellow 5, yellow 12, blue 5",
            [0, 0, 1],
            0,
            "yellow",
            0,
        ),
        # The zero wins as the only trump.
        (THREE, ["blue 12", "yellow 0", "blue 10"], "yellow", "blue 12, yellow 0, blue 10", [0, 2, 0], 1, "yellow", 0),
    ],
)
def test_tricks(
    setup: Setup, hands: list[str], trump: str, plays: str, points: list[int], leads: int, trumps: str, changes: int
) -> None:
    match = stage(setup, [hand.split(", ") for hand in hands], trump, tricks=2)
    play(match, *plays.split(", "))
    seen = match.snapshot()
    assert (seen["points"], match.to_move()) == (points, leads)
    assert (COLOURS[seen["trump"]], seen["sea_changes"]) == (trumps, changes)


def test_example_final_blow() -> None:
    setup = make_setup("sea-change", 4, settings={"deck.colours": 5})
    match = stage(setup, [["green 12"], ["blue 7"], ["blue 0"], ["red 0"]], "blue")
    play(match, "green 12", "blue 7", "blue 0", "red 0")
    assert match.state.ended
    assert match.state.scores[:4].tolist() == [0, 0, 0, 6]
    assert match.snapshot()["vp"] == [0, 0, 0, 1]


def test_example_team() -> None:
    cards = ["red 4", "red 2", "red 9", "red 11", "violet 11", "violet 15", "red 8", "green 0"]
    match = stage(make_setup("sea-change", 8, ["4v4"]), [[name] for name in cards], "red", tricks=2)
    play(match, *cards)
    seen = match.snapshot()
    assert seen["points"] == [0, 0]
    assert seen["captured"] == [[], sorted(map(card, cards))]
    assert match.to_move() == 5


@pytest.mark.parametrize(
    ("captured", "shares_of_win"),
    [
        ([["yellow 0"], ["blue 4", "blue 5"], ["blue 6"]], [840, 0, 0]),
        ([["violet 0", "blue 4"], ["blue 5"], []], [0, 840, 0]),
        ([["blue 4"], ["blue 5"], ["yellow 0"]], [420, 420, 0]),
    ],
)
def test_tie_at_the_target(captured: list[list[str]], shares_of_win: list[int]) -> None:
    match = stage(THREE, [[], [], []], "yellow")
    for side, cards in enumerate(captured):
        match.state.captured[side] = words(cards)
        match.state.vp[side] = 3 if side < 2 else 2
    match.state.mover = -1
    assert match.result()["shares"] == shares_of_win


def test_team_seats_and_targets() -> None:
    rules = make_setup("sea-change", 7, ["3v2v2"]).rules[0]
    assert rules.side[:7].tolist() == [0, 1, 2, 0, 1, 2, 0]
    assert rules.target == 4
    assert make_setup("sea-change", 7, ["3v2v2"], {"team_target": 2}).rules[0].target == 2
    with pytest.raises(InputError, match="teams: 2v2 is for 4 players"):
        make_setup("sea-change", 5, ["2v2"])


def test_impossible_setups_are_refused() -> None:
    for players, settings in [
        (3, {"hand": 11}),
        (1, {"hand": 11}),
        (2, {"deck.colours": 3, "deck.values": [0, 4, 8], "hand": 3}),
    ]:
        with pytest.raises(InputError, match="hand"):
            make_setup("sea-change", players, settings=settings)
    with pytest.raises(InputError, match="points"):
        make_setup("sea-change", 3, settings={"points": [0, 1]})


# What is hidden.


def worlds(match: Match, seat: int, number: int) -> Counter[tuple[Any, ...]]:
    """Hands of the imagined worlds of a seat, with how often each came up."""
    times: Counter[tuple[Any, ...]] = Counter()
    for key in range(number):
        world = match.imagine(seat, key)
        times[tuple(tuple(hand) for hand in world.snapshot()["hands"])] += 1
    return times


def with_voids(cards: list[int], sizes: list[int], voids: list[set[int]]) -> set[Hands]:
    """Every way to deal cards to hands that hold no card of their void colours; the rest is the pile."""
    return all_deals(cards, sizes, lambda place, hand: not voids[place] & {one // 16 for one in hand})


@pytest.mark.compiled
@pytest.mark.parametrize("positions", [2, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("players", "settings", "seed"),
    [
        (3, {"deck.values": [0, 4, 8], "hand": 3}, 3),
        (4, {"deck.values": [0, 4, 8], "hand": 3}, 5),
        (4, {"deck.colours": 4, "deck.values": [0, 4, 8, 9], "hand": 3}, 8),
        (5, {"deck.colours": 5, "deck.values": [4, 8], "hand": 2}, 1),
    ],
)
def test_worlds_are_uniform_over_what_voids_allow(
    players: int, settings: dict[str, Any], seed: int, positions: int
) -> None:
    setup = make_setup("sea-change", players, settings=settings)
    checked = 0
    for game in range(100):
        if checked == positions:
            break
        match = Match(setup, seed, game)
        while match.state.rounds == 0 and checked < positions:
            seen = match.snapshot()
            seat = match.to_move()
            others = [other for other in range(players) if other != seat]
            voids = [{colour for colour, void in enumerate(seen["void"][other]) if void} for other in others]
            unseen = sorted(sum((seen["hands"][other] for other in others), seen["pile"]))
            sizes = [len(seen["hands"][other]) for other in others]
            if sum(map(bool, voids)) >= 2 and len(hands := with_voids(unseen, sizes, voids)) in range(2, 300):
                own = tuple(seen["hands"][seat])
                expected = {(*hand[:seat], own, *hand[seat:]) for hand in hands}
                assert_even(worlds(match, seat, 20 * len(expected) + 200), expected)
                checked += 1
            match.apply(match.random_move())
    assert checked == positions


def possible_hands(
    deck: list[int], own: list[int], log: list[tuple[bool, int, int, bool, bool]], size: int
) -> set[tuple[int, ...]]:
    """Two players: every hand the opponent may hold now, by trying all orders in which cards came.

    log: for every card played (by the opponent?, card, led colour, shows a void, draws afterwards).
    """
    theirs = [(played, led, void, draws) for opponent, played, led, void, draws in log if opponent]
    gone = {played for _, played, *_ in log}
    drawn = sum(draws for *_, draws in theirs)
    unseen = [one for one in deck if one not in gone and one not in own]

    def came_so(later: tuple[int, ...], start: set[int]) -> bool:
        hand, coming = set(start), list(later)
        for played, led, void, draws in theirs:
            if played not in hand:
                return False
            hand.remove(played)
            if void and any(one // 16 == led for one in hand):
                return False
            if draws:
                hand.add(coming.pop(0))
        return True

    hands = set()
    for hand in combinations(unseen, size):
        held = set(hand) | {played for played, *_ in theirs}
        if any(came_so(later, held - set(later)) for later in permutations(sorted(held), drawn)):
            hands.add(hand)
    return hands


@pytest.mark.compiled
@pytest.mark.parametrize("positions", [4, pytest.param(12, marks=pytest.mark.slow)])
def test_two_player_worlds_are_uniform_over_histories(positions: int) -> None:
    setup = make_setup("sea-change", 2, settings={"deck.values": [0, 4, 5, 8], "hand": 3})
    deck = [16 * colour + value for colour in range(3) for value in (0, 4, 5, 8)]
    narrowed = 0
    for game in range(60):
        if narrowed == positions:
            break
        match = Match(setup, 6, game)
        log: list[tuple[int, int, int, bool, bool]] = []
        while match.state.rounds == 0:
            seen, seat = match.snapshot(), match.to_move()
            other_log = [(player != seat, *rest) for player, *rest in log]
            size = len(seen["hands"][1 - seat])
            hands = possible_hands(deck, seen["hands"][seat], other_log, size)  # type: ignore[arg-type]
            if (
                hands
                and len(hands) < comb(size + len(seen["pile"]), size)
                and len(seen["pile"])
                and narrowed < positions
            ):
                own = tuple(seen["hands"][seat])
                expected = {(own, hand) if seat == 0 else (hand, own) for hand in hands}
                assert_even(worlds(match, seat, 20 * len(expected) + 100), expected)
                narrowed += 1
            action = match.random_move()
            before = seen["trick"][-1][1] % 16 if seen["trick"] else -1
            void = bool(seen["trick"]) and action // 16 != seen["led"] and action % 16 != before
            log.append((seat, action, seen["led"], void, bool(seen["pile"])))
            match.apply(action)
    assert narrowed == positions


def test_solo_pile_is_hidden() -> None:
    match = Match(make_setup("sea-change", 1), seed=3)
    piles = set()
    for key in range(20):
        world = match.imagine(0, key)
        assert world.snapshot()["pile"] == match.snapshot()["pile"]
        world.apply(world.moves()[0])
        piles.add(tuple(world.snapshot()["pile"]))
    assert len(piles) > 10


def test_partners_sit_across() -> None:
    setup = make_setup("sea-change", 4, ("2v2",))
    assert setup.game.side_names(setup) == [("team 0", [0, 2]), ("team 1", [1, 3])]
    assert setup.rules[0].side[:4].tolist() == [0, 1, 0, 1]


def test_a_solo_game_that_cannot_be_won_says_so() -> None:
    assert THREE.game.house_rules(THREE) == []
    lost = make_setup("sea-change", 1, settings={"deck.values": [value for value in range(16) if value != 8]})
    assert [note.split(":")[0] for note in lost.game.house_rules(lost)] == ["the player loses every round"]
