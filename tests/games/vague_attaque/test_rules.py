"""VAGUE & ATTAQUE: the rules of the rulebook, and every word of the deck's vocabulary, in hand-made positions.

In the default deck souvenirs 2p and 2p + 1 are dedicated to place p, the odd ones with an anchor (by place mod 4: draw
a souvenir, place one more, steal, draw a place); souvenir 22 + j is shared by the places j, j + 3 and j + 7 (mod 11).
"""

from __future__ import annotations

from typing import Any

import pytest

from houle.solver.games.vague_attaque.deck import ANCHORS, DIE_EFFECTS, EFFECTS, POWERS
from houle.solver.matches.match import Match
from houle.solver.rules import Deck, make_setup, read_deck
from tests import cases
from tests.games.vague_attaque.scene import derived, encounter, facts, outcomes, place, scene
from tests.support.amounts import some
from tests.support.scenes import act

pytestmark = pytest.mark.quick

P0, P1, P2, P3, P4 = (place(number) for number in range(5))
CALM, PARRY, STEADY, MOORING = (encounter(effect) for effect in ("calm", "parry", "steady_hand", "extra_mooring"))
TEAMS: dict[str, Any] = {"players": 4, "variants": ("teams",)}  # seats 0 and 2 against 1 and 3


def row(name: str, moves: str, expected: dict[str, Any], **position: Any) -> Any:
    """A row of the table: some moves in a position, and what is expected after them."""
    return pytest.param(position, moves, expected, id=name)


def met(effect: str, expected: dict[str, Any], moves: str = "", **position: Any) -> Any:
    """The active seat draws an encounter with this effect."""
    tops = [encounter(effect), *position.pop("tops", [])]
    return row(effect, f"adventure; {moves}", expected, phase="encounter", tops=tops, **position)


def laid(anchor: str, souvenir: int, expected: dict[str, Any], moves: str = "", **position: Any) -> Any:
    """Seat 0 lays a souvenir on its own place."""
    spot = souvenir // 2
    moves = f"lay souvenir {souvenir} on place {spot}a; {moves}"
    return row(f"anchor_{anchor}", moves, expected, phase="land", zones={0: {place(spot): []}}, **position)


def die(effect: str, expected: dict[str, Any], moves: str = "", **position: Any) -> Any:
    """A solo turn ends and the ship throws a die with six equal faces."""
    cards = {**read_deck("default").cards, "solo_die": {"faces": [effect] * 6}}
    settings = {"deck": Deck("loaded die", cards)}
    return row(f"die_{effect}", f"stop; {moves}", expected, players=1, phase="land", settings=settings, **position)


ROWS = [
    # Encounters, drawn from the top by the active seat.
    met("calm", {"hand": [0], "encounters": [CALM]}, hands={0: [0]}),
    met("draw_souvenir", {"hand": [0, 17]}, hands={0: [0]}, tops=[17]),
    met("draw_place", {"hand": [0, P4]}, hands={0: [0]}, tops=[P4]),
    met(
        "discard_choice",
        {
            "phase": ("lose", 0),
            "pending": encounter("discard_choice"),
            "encounters": [],
            "moves": ["lose encounter 24", "lose place 2a", "lose souvenir 0"],
        },
        hands={0: [0, P2, PARRY]},
    ),
    met(
        "discard_choice",
        {"encounters": [PARRY, encounter("discard_choice")], "hand": [0, P2]},
        "lose encounter 24",
        hands={0: [0, P2, PARRY]},
    ),
    met("discard_choice", {"phase": ("refill", 0)}),  # an empty hand
    met("all_discard_random", {"hands": [[], [], []], "souvenirs": [1, 0]}, seat=1, hands={0: [0], 1: [1]}),
    met("all_draw_souvenir", {"hands": [[31], [32], [30]]}, seat=2, tops=[30, 31, 32]),
    met("steal_random", {"moves": ["steal from seat 1", "steal from seat 3"]}, players=4, hands={1: [5], 3: [P0]}),
    met("steal_random", {"hands": [[5], [], [], [P0]]}, "steal from seat 1", players=4, hands={1: [5], 3: [P0]}),
    met("give_left", {"phase": ("give", 2)}, seat=2, hands={2: [7, P1]}),
    met("give_left", {"hands": [[P1], [], [7]]}, "give place 1a", seat=2, hands={2: [7, P1]}),
    met("all_pass_left", {"hands": [[3], [1], []]}, hands={0: [1], 2: [3]}),
    met("move_ship", {"ship": (2, [20])}, ship=(0, [20]), hands={0: [0]}),
    met("move_ship", {"ship": (0, [20, 21])}, ship=(0, [20, 21]), hands={0: [0]}),
    met("move_ship", {"ship": (-1, [])}, players=2, hands={0: [0]}),
    *(met(effect, {"hand": [0, encounter(effect)], "encounters": []}, hands={0: [0]}) for effect in EFFECTS[-3:]),
    # Duels: seat 0 attacks.
    row(
        "targets are exposed souvenirs and empty places",
        "",
        {
            "moves": [
                "adventure",
                "duel place 1a",
                "duel souvenir 0",
                "duel souvenir 20",
                "duel souvenir 22",
                "duel souvenir 6",
            ]
        },
        phase="encounter",
        zones={1: {P0: [0, 22], P1: []}, 2: {P2: [4, 5, 24], P3: [6]}},
        ship=(2, [20]),
    ),
    row("an empty ship is no target", "", {"moves": ["adventure"]}, phase="encounter", ship=(1, [])),
    row(
        "an empty ship is a target by knob",
        "",
        {"moves": ["adventure", "duel ship"]},
        phase="encounter",
        ship=(1, []),
        settings={"ship_stealable": True},
    ),
    row(
        "a validated place is no target",
        "",
        {"moves": ["adventure"]},
        phase="encounter",
        seat=1,
        zones={0: {P0: [0, 1, 22]}},
    ),
    row(
        "a parry cancels and the steady hand is spent",
        "duel souvenir 0; steady yes; parry yes",
        {"encounters": [STEADY, PARRY], "phase": ("land", 0)},
        phase="encounter",
        zones={1: {P0: [0, 22]}},
        hands={0: [9, STEADY], 1: [PARRY + 1, PARRY]},
    ),
    # Phase I: the artefacts.
    row("hook", "hook", {"hand": [8], "souvenirs": [3]}, powers={0: "hook"}, discards=[3, 8]),
    row("hook without a discard", "", {"moves": ["draw"]}, powers={0: "hook"}),
    row("spyglass", "draw", {"moves": ["keep souvenir 12", "keep souvenir 5"]}, powers={0: "spyglass"}, tops=[12, 5]),
    row(
        "spyglass keeps one",
        "draw; keep souvenir 5",
        {"hand": [5], "souvenirs": [12]},
        powers={0: "spyglass"},
        tops=[12, 5],
    ),
    row(
        "spyglass with a single card",
        "draw",
        {"hand": [40], "phase": ("encounter", 0)},
        powers={0: "spyglass"},
        hands={1: list(range(40))},
    ),
    row("nothing to draw is a pass", "draw", {"hand": [], "phase": ("encounter", 0)}, hands={1: list(range(41))}),
    row("swaps", "", {"moves": ["draw", "swap souvenir 1", "swap souvenir 4"]}, hands={0: [1, 4]}),
    row(
        "a swap discards a souvenir without its anchor",
        "swap souvenir 1",
        {"hand": [4, P3], "souvenirs": [1]},
        hands={0: [1, 4]},
        tops=[P3],
    ),
    row(
        "no swap without a place to draw",
        "",
        {"moves": ["draw"]},
        hands={0: [1], 1: [place(number, copy) for number in range(10) for copy in (0, 1)]},
    ),
    row(
        "compass places two",
        "lay souvenir 0 on place 0a; lay souvenir 22 on place 0a",
        {"placed": [False, 2]},
        phase="land",
        zones={0: {P0: []}},
        hands={0: [0, 22, P4]},
        powers={0: "compass"},
    ),
    row(
        "chest holds seven",
        "stop; drop souvenir 0",
        {"phase": ("explore", 1)},
        phase="land",
        hands={0: list(range(8))},
        powers={0: "chest"},
    ),
    row(
        "a hand holds five",
        "stop; drop souvenir 0; drop souvenir 1; drop souvenir 2",
        {"hand": [3, 4, 5, 6, 7]},
        phase="land",
        hands={0: list(range(8))},
    ),
    # Phase III.
    row(
        "a place is laid before its souvenir",
        "lay place 0a",
        {"moves": ["lay souvenir 0 on place 0a", "lay souvenir 1 on place 0a", "stop"]},
        phase="land",
        hands={0: [0, 1, P0, P1]},
    ),
    row(
        "one place and one souvenir",
        "lay place 0a; lay souvenir 0 on place 0a",
        {"phase": ("explore", 1)},
        phase="land",
        hands={0: [0, 1, P0, P1]},
    ),
    row(
        "the third souvenir must leave a dedicated one",
        "",
        {"moves": ["discard souvenir 0", "lay souvenir 0 on place 0a", "stop"]},
        phase="land",
        zones={0: {P0: [22, 26]}},
        hands={0: [0]},
    ),
    row(
        "a third shared souvenir leaves none",
        "",
        {"moves": ["discard souvenir 33", "stop"]},
        phase="land",
        zones={0: {P0: [22, 26]}},
        hands={0: [33]},
    ),
    row(
        "a shared one may be the third",
        "lay souvenir 33 on place 0a",
        {"validated": [1, 0, 0]},
        phase="land",
        zones={0: {P0: [0, 22]}},
        hands={0: [33]},
    ),
    row(
        "copies of a place are separate moves",
        "",
        {
            "moves": [
                "discard souvenir 22",
                "lay souvenir 22 on place 0a",
                "lay souvenir 22 on place 0b",
                "lay souvenir 22 on place 3a",
                "stop",
            ]
        },
        phase="land",
        zones={0: {P0: [], place(0, 1): [], P3: []}, 1: {place(7): []}},
        hands={0: [22]},
    ),
    *(
        row(
            f"extra_mooring pays for placement {number + 1}",
            "; ".join(lays[: number + 1]),
            {"encounters": [MOORING, MOORING + 1][:number], "placed": [False, 1]},
            phase="land",
            zones={0: {P0: [], P1: []}},
            hands={0: [0, 2, 22, P4, MOORING, MOORING + 1]},
        )
        for lays in [["lay souvenir 0 on place 0a", "lay souvenir 22 on place 0a", "lay souvenir 2 on place 1a"]]
        for number in range(3)
    ),
    laid("draw_souvenir", 1, {"hand": [30, 40]}, hands={0: [1, 40]}, tops=[30]),
    laid("draw_place", 7, {"hand": [40, P4]}, hands={0: [7, 40]}, tops=[P4]),
    laid("steal", 5, {"phase": ("steal", 0), "moves": ["steal from seat 1"]}, hands={0: [5], 1: [40]}),
    laid("steal", 5, {"hand": [40]}, "steal from seat 1", hands={0: [5], 1: [40]}),
    row(
        "anchor_place_souvenir",
        "lay souvenir 3 on place 1a",
        {"moves": ["decline", "extra souvenir 0 on place 0a", "extra souvenir 5 on place 2a"]},
        phase="land",
        zones={0: {P0: [], P1: [], P2: []}},
        hands={0: [3, 5, 0], 1: [40]},
    ),
    row(
        "anchors chain",
        "lay souvenir 3 on place 1a; extra souvenir 5 on place 2a; steal from seat 1",
        {"hand": [0, 40], "phase": ("explore", 1)},
        phase="land",
        zones={0: {P0: [], P1: [], P2: []}},
        hands={0: [3, 5, 0], 1: [40]},
    ),
    row(
        "a discard triggers the anchor and ends the phase",
        "discard souvenir 3; extra souvenir 0 on place 0a",
        {"phase": ("explore", 1), "hand": [P4], "souvenirs": [3]},
        phase="land",
        zones={0: {P0: []}},
        hands={0: [3, 0, P4]},
    ),
    row(
        "the winning placement skips its anchor",
        "lay souvenir 1 on place 0a",
        {"hand": [], "result": ([2, 0, 0], [840, 0, 0])},
        phase="land",
        zones={0: {P0: [0, 22], P1: [2, 3, 23]}, 1: {P2: []}},
        hands={0: [1]},
        tops=[30],
    ),
    row(
        "the third souvenir triggers its anchor",
        "lay souvenir 1 on place 0a",
        {"hand": [30], "validated": [1, 0, 0]},
        phase="land",
        zones={0: {P0: [0, 22]}},
        hands={0: [1]},
        tops=[30],
    ),
    # The end of a turn.
    row(
        "an empty hand draws a card",
        "lay place 0a",
        {"moves": ["refill place", "refill souvenir"]},
        phase="land",
        hands={0: [P0]},
    ),
    row(
        "it is drawn from the chosen pile",
        "lay place 0a; refill place",
        {"hand": [P4]},
        phase="land",
        hands={0: [P0]},
        tops=[30, P4],
    ),
    *(
        row(
            f"the ship with {len(load)} souvenirs, after seat {seat}",
            "stop",
            {"ship": (to if seat == 2 else 0, load)},
            phase="land",
            seat=seat,
            hands={seat: [0]},
            ship=(0, load),
        )
        for load, to in (([], 2), ([20], 2), ([20, 21], 0))
        for seat in (1, 2)
    ),
    # Two players.
    row(
        "the ship in the middle is no target",
        "",
        {"moves": ["adventure"]},
        players=2,
        phase="encounter",
        ship=(-1, [20, 21]),
    ),
    row(
        "two players load it",
        "lay souvenir 29 on ship",
        {"result": ([3, 0], [840, 0])},
        players=2,
        phase="land",
        zones={0: {P0: [0, 1, 22], P1: [2, 3, 23]}},
        hands={0: [29], 1: [0]},
        ship=(-1, [20, 21]),
    ),
    row(
        "two players need three places",
        "lay souvenir 3 on place 1a",
        {"result": None},
        players=2,
        phase="land",
        zones={1: {P0: [0, 1, 22], P1: [2, 23]}},
        seat=1,
        hands={1: [3, 40]},
    ),
    # Teams.
    row(
        "partners load each other's places and win together",
        "lay souvenir 3 on place 1a",
        {"result": ([3, 0], [840, 0])},
        phase="land",
        zones={2: {P0: [0, 1, 22], P1: [2, 23]}, 0: {P2: [4, 5, 24]}},
        hands={0: [3]},
        **TEAMS,
    ),
    row(
        "partners are no targets",
        "",
        {"moves": ["adventure", "duel place 1a"]},
        phase="encounter",
        zones={2: {P0: [0]}, 1: {P1: []}},
        ship=(2, []),
        **TEAMS,
    ),
    row(
        "partners share the ship",
        "",
        {"moves": ["discard souvenir 20", "lay souvenir 20 on ship", "stop"]},
        phase="land",
        hands={0: [20]},
        ship=(2, []),
        **TEAMS,
    ),
    row(
        "the partner is asked after the defender",
        "duel souvenir 0; parry no",
        {"phase": ("parry", 3)},
        phase="encounter",
        zones={1: {P0: [0]}},
        hands={0: [9], 1: [PARRY], 3: [PARRY + 1]},
        **TEAMS,
    ),
    row(
        "the partner parries",
        "duel souvenir 0; parry yes",
        {"encounters": [PARRY]},
        phase="encounter",
        zones={1: {P0: [0]}},
        hands={0: [9], 3: [PARRY, PARRY + 1]},
        **TEAMS,
    ),
    row(
        "an extra placement passes to the partner",
        "lay souvenir 3 on place 1a",
        {"phase": ("extra", 2), "moves": ["decline", "extra souvenir 5 on place 2a"]},
        phase="land",
        zones={0: {P0: [], P1: [], P2: []}},
        hands={0: [3, P4], 1: [40], 2: [5]},
        **TEAMS,
    ),
    row(
        "its anchor is for the partner",
        "lay souvenir 3 on place 1a; extra souvenir 5 on place 2a",
        {"phase": ("steal", 2), "moves": ["steal from seat 1"]},
        phase="land",
        zones={0: {P0: [], P1: [], P2: []}},
        hands={0: [3, P4], 1: [40], 2: [5]},
        **TEAMS,
    ),
    # Solo.
    row("solo", "", {"moves": ["adventure"]}, players=1, phase="encounter"),
    die("nothing", {"hand": [0, 2]}, hands={0: [0, 2]}),
    die(
        "discard_souvenir",
        {"souvenirs": [2], "zone": [[P0, [0, 1, 22]], [P1, []]]},
        zones={0: {P0: [0, 1, 22], P1: [2]}},
        hands={0: [40]},
    ),
    die("ship_if_symbol", {"ship": (-1, [20])}, "power no", hands={0: [0]}, tops=[20]),
    die("ship_if_symbol", {"souvenirs": [2]}, hands={0: [0]}, tops=[2]),
    die("ship_always", {"ship": (-1, [2])}, "power no", hands={0: [0]}, tops=[2]),
    row(
        "the solo symbol loads the ship in phase one",
        "draw",
        {"ship": (-1, [20]), "hand": [], "phase": ("encounter", 0)},
        players=1,
        tops=[20],
    ),
    row("not when it is hooked", "hook", {"hand": [20]}, players=1, discards=[20]),
    row(
        "nor when an encounter draws it",
        "adventure",
        {"hand": [0, 20], "moves": ["discard souvenir 0", "discard souvenir 20", "stop"]},
        players=1,
        phase="encounter",
        hands={0: [0]},
        tops=[encounter("draw_souvenir"), 20],
    ),
    row(
        "the solo power",
        "draw; power yes; retain place 0a",
        {"hand": [P0], "souvenirs": [2, 4, 20], "encounters": [MOORING], "power_used": True},
        players=1,
        hands={0: [4, 2, P0, MOORING]},
        tops=[20],
    ),
    row(
        "four souvenirs on the ship end a solo game",
        "draw",
        {"result": ([0, 4], [0, 840])},
        players=1,
        ship=(-1, [0, 1, 2]),
        tops=[20],
    ),
    row(
        "three places end a solo game",
        "lay souvenir 5 on place 2a",
        {"result": ([3, 0], [840, 0])},
        players=1,
        phase="land",
        zones={0: {P0: [0, 1, 22], P1: [2, 3, 23], P2: [4, 24]}},
        hands={0: [5]},
    ),
]


@pytest.mark.parametrize(("position", "moves", "expected"), ROWS)
def test_moves_do_what_the_rules_say(position: dict[str, Any], moves: str, expected: dict[str, Any]) -> None:
    match = scene(**position)
    act(match, *filter(None, moves.split("; ")))
    found = facts(match)
    assert {name: found[name] for name in expected} == expected


def test_every_word_of_a_deck_has_a_row() -> None:
    named = " ".join(str(one.id) for one in ROWS) + " sabre die_discard_random"  # these two are below
    words = (
        *EFFECTS,
        *POWERS[1:],
        *(f"anchor_{word}" for word in ANCHORS[1:]),
        *(f"die_{word}" for word in DIE_EFFECTS),
    )
    assert [word for word in words if word not in named] == []


def test_what_is_stolen_and_discarded_is_random() -> None:
    match = scene(4, "encounter", tops=[encounter("steal_random")], hands={3: [P0, PARRY]})
    act(match, "adventure")
    assert {tuple(facts(other)["hand"]) for other in outcomes(match, "steal from seat 3", 40)} == {(P0,), (PARRY,)}
    (one,) = (one for one in ROWS if one.id == "die_nothing")
    position: Any = one.values[0]
    cards = {**position["settings"]["deck"].cards, "solo_die": {"faces": ["discard_random"] * 6}}
    match = scene(**position | {"settings": {"deck": Deck("loaded die", cards)}})
    assert {tuple(facts(other)["hand"]) for other in outcomes(match, "stop", 40)} == {(0,), (2,)}


# Duels.


def duel(target: list[int], tries: int = 2_000, **rest: Any) -> tuple[float, float]:
    """How often seat 0 wins a place of seat 1 or the souvenir on it, and how often a lost duel costs a card."""
    match = scene(phase="encounter", zones={1: {P0: target}}, **{"hands": {0: [9]}, **rest})
    found = [facts(other) for other in outcomes(match, f"duel {'souvenir 0' if target else 'place 0a'}", tries)]
    won = sum(0 in one["hand"] if target else one["zone"][0][0] == P0 for one in found)
    return won / tries, sum(one["phase"][0] == "lose" for one in found) / tries


@pytest.mark.compiled
def test_chances_of_duels() -> None:
    """One die each for a souvenir, two of three throws for a place; the sabre adds one."""
    near = 0.04
    win = 15 / 36
    assert duel([0]) == pytest.approx((win, win), abs=near)
    two_of_three = 3 * win**2 * (1 - win) + win**3
    assert duel([]) == pytest.approx((two_of_three, two_of_three), abs=near)
    assert duel([0], powers={0: "sabre"})[0] == pytest.approx(21 / 36, abs=near)
    assert duel([0], 40, hands={})[1] == 0, "an empty hand loses nothing"


# Whole games.


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "variants"), [(1, ()), (2, ()), (3, ()), (4, ()), (4, ("teams",)), (5, ())])
def test_cards_and_derived_sets_stay_consistent(players: int, variants: tuple[str, ...]) -> None:
    of = cases.module("vague-attaque")
    settings = {"ship_stealable": True, "max_turns": 60}
    for game in range(some(1)):
        match = Match(make_setup("vague-attaque", players, variants, settings), seed=8, game=game)
        state, rules = match.state, match.setup.rules[0]
        boxed = set(range(99)) - set(of.cards(match.snapshot()))
        while match.to_move() >= 0:
            turned_up = {int(card) for card in state.drawn if card != 255}
            cards = of.cards(match.snapshot())
            assert sorted([*cards, *turned_up, *boxed]) == list(range(99))
            for field, value in derived(state, rules).items():
                assert state[field].tolist()[:players] == value[:players] if field != "needy" else state.needy == value
            match.apply(match.random_move())
