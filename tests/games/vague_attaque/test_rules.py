"""VAGUE & ATTAQUE: the rules of the rulebook, and every word of the deck's vocabulary, in hand-made positions.

In the default deck souvenirs 2p and 2p + 1 are dedicated to place p, the odd ones with an anchor (by place mod 4: draw
a souvenir, place one more, steal, draw a place); souvenir 22 + j is shared by the places j, j + 3 and j + 7 (mod 11).
"""

from __future__ import annotations

import pytest

from houle.solver.games.vague_attaque.deck import ANCHORS, DIE_EFFECTS, EFFECTS, POWERS
from houle.solver.games.vague_attaque.state import PHASES
from houle.solver.games.vague_attaque.words import hand_of
from houle.solver.matches.match import Match
from houle.solver.rules import Deck, make_setup, read_deck
from tests import cases
from tests.games.vague_attaque.scene import act, derived, encounter, outcomes, place, scene
from tests.support.amounts import some

pytestmark = pytest.mark.quick

SHIP = 61
P0, P1, P2, P3, P4 = (place(number) for number in range(5))


def hand(match: Match, seat: int = 0) -> list[int]:
    return hand_of(match.state, seat)


def thrown(match: Match, pile: str = "souvenirs") -> list[int]:
    return list(match.snapshot()["discards"][pile])


def phase(match: Match) -> tuple[str, int]:
    return PHASES[match.state.phase], int(match.state.mover)


# Encounters: each is drawn from the top by the active seat.


def adventure(effect: str, players: int = 3, **rest: object) -> Match:
    match = scene(players, "encounter", tops=[encounter(effect), *rest.pop("tops", [])], **rest)  # type: ignore[arg-type, misc]
    act(match, "adventure")
    return match


def test_calm() -> None:
    match = adventure("calm", hands={0: [0]})
    assert hand(match) == [0]
    assert thrown(match, "encounters") == [encounter("calm")]


def test_draw_souvenir() -> None:
    assert hand(adventure("draw_souvenir", hands={0: [0]}, tops=[17])) == [0, 17]


def test_draw_place() -> None:
    assert hand(adventure("draw_place", hands={0: [0]}, tops=[P4])) == [0, P4]


def test_discard_choice_waits_for_the_choice() -> None:
    match = adventure("discard_choice", hands={0: [0, P2, encounter("parry")]})
    assert phase(match) == ("lose", 0)
    assert match.snapshot()["pending"] == encounter("discard_choice")
    assert thrown(match, "encounters") == []
    assert sorted(match.names()) == ["lose encounter 24", "lose place 2a", "lose souvenir 0"]
    act(match, "lose encounter 24")
    assert thrown(match, "encounters") == [encounter("parry"), encounter("discard_choice")]
    assert hand(match) == [0, P2]


def test_discard_choice_with_an_empty_hand_does_nothing() -> None:
    assert phase(adventure("discard_choice"))[0] == "refill"


def test_all_discard_random() -> None:
    match = adventure("all_discard_random", seat=1, hands={0: [0], 1: [1, 2], 2: []})
    assert hand(match, 0) == []
    assert len(hand(match, 1)) == 1
    assert thrown(match)[1] == 0, "the active seat discards first, then leftwards"


def test_all_draw_souvenir() -> None:
    match = adventure("all_draw_souvenir", seat=2, tops=[30, 31, 32])
    assert [hand(match, seat) for seat in range(3)] == [[31], [32], [30]]


def test_steal_random() -> None:
    match = adventure("steal_random", players=4, hands={1: [5], 3: [P0, encounter("parry")]})
    assert sorted(match.names()) == ["steal from seat 1", "steal from seat 3"]
    assert {tuple(hand(other)) for other in outcomes(match, "steal from seat 3", 40)} == {(P0,), (encounter("parry"),)}
    act(match, "steal from seat 1")
    assert (hand(match), hand(match, 1)) == ([5], [])


def test_give_left_passes_one_card() -> None:
    match = adventure("give_left", seat=2, hands={2: [7, P1]})
    assert phase(match) == ("give", 2)
    act(match, "give place 1a")
    assert (hand(match, 2), hand(match, 0)) == ([7], [P1])


def test_all_pass_left_at_the_same_time() -> None:
    match = adventure("all_pass_left", hands={0: [1], 1: [], 2: [3]})
    assert [hand(match, seat) for seat in range(3)] == [[3], [1], []]


def test_move_ship() -> None:
    assert adventure("move_ship", ship=(0, [20]), hands={0: [0]}).snapshot()["ship_holder"] == 2
    assert adventure("move_ship", ship=(0, [20, 21]), hands={0: [0]}).snapshot()["ship_holder"] == 0
    assert adventure("move_ship", players=2, hands={0: [0]}).snapshot()["ship_holder"] == -1


@pytest.mark.parametrize("effect", EFFECTS[-3:])
def test_gold_cards_are_kept(effect: str) -> None:
    match = adventure(effect, hands={0: [0]})
    assert hand(match) == [0, encounter(effect)]
    assert thrown(match, "encounters") == []


def test_every_encounter_effect_has_a_test() -> None:
    named = {name.removeprefix("test_") for name in globals()}
    gold = {"parry", "steady_hand", "extra_mooring"}
    for effect in (*EFFECTS, *(f"anchor_{word}" for word in ANCHORS[1:]), *(f"die_{word}" for word in DIE_EFFECTS)):
        assert effect in gold or any(name.startswith(effect) for name in named), effect
    for word in (*gold, *POWERS[1:]):
        assert any(word in name for name in named), word


# Duels: seat 0 attacks seat 1.


def duel(target: str, **rest: object) -> Match:
    match = scene(phase="encounter", zones={1: {P0: [0, 22], P1: []}}, **rest)  # type: ignore[arg-type]
    act(match, f"duel {target}")
    return match


def share_won(match: Match, name: str, prize: int) -> float:
    matches = outcomes(match, name, 2_000)
    return sum(prize in hand(other) for other in matches) / len(matches)


def test_targets_are_exposed_souvenirs_and_empty_places() -> None:
    zones = {1: {P0: [0, 22], P1: []}, 2: {P2: [4, 5, 24], P3: [6]}}
    match = scene(phase="encounter", zones=zones, ship=(2, [20]))
    assert sorted(match.names()) == [
        "adventure",
        "duel place 1a",
        "duel souvenir 0",
        "duel souvenir 20",
        "duel souvenir 22",
        "duel souvenir 6",
    ]


def test_empty_ship_is_a_target_only_by_knob() -> None:
    assert "duel ship" not in scene(phase="encounter", ship=(1, [])).names()
    match = scene(phase="encounter", ship=(1, []), settings={"ship_stealable": True}, hands={0: [0]})
    assert any(other.snapshot()["ship_holder"] == 0 for other in outcomes(match, "duel ship", 40))


def test_a_souvenir_won_goes_to_the_hand() -> None:
    match = scene(phase="encounter", zones={1: {P0: [0, 22]}}, hands={0: [9]})
    for other in outcomes(match, "duel souvenir 22", 60):
        if 22 in hand(other):
            assert other.snapshot()["zones"][1] == [[P0, [0]]]
            break
    else:
        pytest.fail("never won")


def test_won_place_goes_to_the_zone() -> None:
    match = scene(phase="encounter", zones={1: {P1: []}}, hands={0: [9, P2]})
    won = [other for other in outcomes(match, "duel place 1a", 200) if len(other.snapshot()["zones"][0]) > 1]
    assert won
    assert won[0].snapshot()["zones"][0] == [[P1, []], [SHIP, []]]
    assert won[0].snapshot()["placed"] == [False, 0]
    assert "lay place 2a" in won[0].names()


@pytest.mark.compiled
def test_one_die_each_for_a_souvenir() -> None:
    match = scene(phase="encounter", zones={1: {P0: [0]}}, hands={0: [9]})
    matches = outcomes(match, "duel souvenir 0", 3_000)
    won = sum(0 in hand(other) for other in matches) / len(matches)
    lost = sum(phase(other)[0] == "lose" for other in matches) / len(matches)
    assert won == pytest.approx(15 / 36, abs=0.04)
    assert lost == pytest.approx(15 / 36, abs=0.04)


@pytest.mark.compiled
def test_two_of_three_throws_for_a_place() -> None:
    match = scene(phase="encounter", zones={1: {P0: []}}, hands={0: [9]})
    matches = outcomes(match, "duel place 0a", 3_000)
    win, lose = 15 / 36, 15 / 36
    two = 3 * win**2 * (1 - win) + win**3
    assert sum(other.state.owner[0] == 0 for other in matches) / 3_000 == pytest.approx(two, abs=0.04)
    two = 3 * lose**2 * (1 - lose) + lose**3
    assert sum(phase(other)[0] == "lose" for other in matches) / 3_000 == pytest.approx(two, abs=0.04)


def test_lost_duel_with_empty_hand_costs_nothing() -> None:
    match = scene(phase="encounter", zones={1: {P0: [0]}})
    assert {phase(other)[0] for other in outcomes(match, "duel souvenir 0", 40)} == {"refill", "land"}


@pytest.mark.compiled
def test_sabre_and_steady_hand_add_up() -> None:
    zones = {1: {P0: [0]}}
    held = {0: [9, encounter("steady_hand"), encounter("steady_hand", 1)]}
    plain = scene(phase="encounter", zones=zones, hands={0: [9]}, powers={0: "sabre"})
    assert share_won(plain, "duel souvenir 0", 0) == pytest.approx(21 / 36, abs=0.04)
    match = scene(phase="encounter", zones=zones, hands=held, powers={0: "sabre"})
    act(match, "duel souvenir 0")
    assert phase(match) == ("steady", 0)
    assert share_won(match, "steady no", 0) == pytest.approx(21 / 36, abs=0.04)
    assert share_won(match, "steady yes", 0) == pytest.approx(26 / 36, abs=0.04)
    act(match, "steady yes")
    assert thrown(match, "encounters") == [encounter("steady_hand")]


def test_parry_cancels_and_the_steady_hand_is_spent() -> None:
    match = duel("souvenir 0", hands={0: [9, encounter("steady_hand")], 1: [encounter("parry", 1), encounter("parry")]})
    act(match, "steady yes")
    assert phase(match) == ("parry", 1)
    act(match, "parry yes")
    assert thrown(match, "encounters") == [encounter("steady_hand"), encounter("parry")]
    assert match.snapshot()["zones"][1][0] == [P0, [0, 22]]
    assert phase(match) == ("land", 0)


def test_nobody_is_asked_for_a_missing_card() -> None:
    assert phase(duel("souvenir 0", hands={0: [9], 2: [encounter("parry")]}))[0] in ("land", "lose")


# Phase I: the artefacts.


def test_hook_takes_the_top_of_the_discard() -> None:
    match = scene(powers={0: "hook"}, discards=[3, 8])
    act(match, "hook")
    assert (hand(match), thrown(match)) == ([8], [3])
    assert scene(powers={0: "hook"}).names() == ["draw"]


def test_spyglass_draws_two_and_keeps_one() -> None:
    match = scene(powers={0: "spyglass"}, tops=[12, 5])
    act(match, "draw")
    assert sorted(match.names()) == ["keep souvenir 12", "keep souvenir 5"]
    act(match, "keep souvenir 5")
    assert (hand(match), thrown(match)) == ([5], [12])


def test_spyglass_with_a_single_card_keeps_it() -> None:
    everything = list(range(40))
    match = scene(powers={0: "spyglass"}, hands={1: everything})
    act(match, "draw")
    assert (hand(match), phase(match)) == ([40], ("encounter", 0))


def test_nothing_to_draw_is_a_pass() -> None:
    match = scene(hands={1: list(range(41))})
    act(match, "draw")
    assert (hand(match), phase(match)) == ([], ("encounter", 0))


def test_swap_discards_a_souvenir_without_its_anchor() -> None:
    match = scene(hands={0: [1, 4]}, tops=[P3])
    assert sorted(match.names()) == ["draw", "swap souvenir 1", "swap souvenir 4"]
    act(match, "swap souvenir 1")
    assert (hand(match), thrown(match)) == ([4, P3], [1])
    every_place = [place(number, copy) for number in range(10) for copy in (0, 1)]
    assert scene(hands={0: [1], 1: every_place}).names() == ["draw"], "no place to draw"


def test_compass_places_two_and_chest_holds_seven() -> None:
    match = scene(phase="land", zones={0: {P0: []}}, hands={0: [0, 22, P4]}, powers={0: "compass"})
    act(match, "lay souvenir 0 on place 0a", "lay souvenir 22 on place 0a")
    assert match.snapshot()["placed"] == [False, 2]
    for power, left in (("chest", 7), ("none", 5)):
        match = scene(phase="land", hands={0: list(range(8))}, powers={0: power})
        act(match, "stop")
        while phase(match) == ("drop", 0):
            act(match, match.names()[0])
        assert len(hand(match)) == left


# Phase III.


def test_one_place_and_one_souvenir_in_any_order() -> None:
    match = scene(phase="land", hands={0: [0, 1, P0, P1]})
    assert "lay souvenir 0 on place 0a" not in match.names()
    act(match, "lay place 0a")
    assert sorted(match.names()) == ["lay souvenir 0 on place 0a", "lay souvenir 1 on place 0a", "stop"]
    act(match, "lay souvenir 0 on place 0a")
    assert phase(match) == ("explore", 1), "nothing is left to do"


def test_the_third_souvenir_must_leave_a_dedicated_one() -> None:
    held = {0: [0, 32, P3]}
    names = scene(phase="land", zones={0: {P0: [22, 26]}}, hands=held).names()
    assert "lay souvenir 0 on place 0a" in names
    assert "lay souvenir 32 on place 0a" not in names
    assert "lay souvenir 33 on place 0a" in scene(phase="land", zones={0: {P0: [0, 22]}}, hands={0: [33]}).names()


def test_copies_of_a_place_are_separate_moves() -> None:
    zones = {0: {P0: [], place(0, 1): [], P3: []}, 1: {place(7): []}}
    names = scene(phase="land", zones=zones, hands={0: [22]}).names()
    assert sorted(name for name in names if name.startswith("lay")) == [
        "lay souvenir 22 on place 0a",
        "lay souvenir 22 on place 0b",
        "lay souvenir 22 on place 3a",
    ]


def test_extra_mooring_pays_for_a_further_placement() -> None:
    moorings = [encounter("extra_mooring"), encounter("extra_mooring", 1)]
    match = scene(phase="land", zones={0: {P0: [], P1: []}}, hands={0: [0, 2, 22, P4, *moorings]})
    act(match, "lay souvenir 0 on place 0a")
    assert thrown(match, "encounters") == []
    act(match, "lay souvenir 22 on place 0a")
    assert thrown(match, "encounters") == moorings[:1]
    act(match, "lay souvenir 2 on place 1a")
    assert thrown(match, "encounters") == moorings
    assert match.snapshot()["placed"] == [False, 1]


def laid(souvenir: int, **rest: object) -> Match:
    """Seat 0 lays a souvenir on its own place."""
    spot = souvenir // 2
    match = scene(phase="land", zones={0: {place(spot): []}}, **rest)  # type: ignore[arg-type]
    act(match, f"lay souvenir {souvenir} on place {spot}a")
    return match


def test_anchor_draw_souvenir() -> None:
    assert hand(laid(1, hands={0: [1, 40]}, tops=[30])) == [30, 40]


def test_anchor_draw_place() -> None:
    assert hand(laid(7, hands={0: [7, 40]}, tops=[P4])) == [40, P4]


def test_anchor_steal() -> None:
    match = laid(5, hands={0: [5], 1: [40]})
    assert (phase(match), match.names()) == (("steal", 0), ["steal from seat 1"])
    act(match, "steal from seat 1")
    assert hand(match) == [40]


def test_anchor_place_souvenir_chains_outside_the_allowance() -> None:
    zones = {0: {P0: [], P1: [], P2: []}}
    match = scene(phase="land", zones=zones, hands={0: [3, 5, 0], 1: [40]})
    act(match, "lay souvenir 3 on place 1a")
    assert sorted(match.names()) == ["decline", "extra souvenir 0 on place 0a", "extra souvenir 5 on place 2a"]
    act(match, "extra souvenir 5 on place 2a", "steal from seat 1")
    assert (hand(match), phase(match)[0]) == ([0, 40], "explore")
    assert int(match.state.moves) == 2


def test_discarding_triggers_the_anchor_and_ends_phase() -> None:
    match = scene(phase="land", zones={0: {P0: []}}, hands={0: [3, 0, P4]})
    act(match, "discard souvenir 3", "extra souvenir 0 on place 0a")
    assert phase(match) == ("explore", 1), "the place in hand can no longer be laid"
    assert (hand(match), thrown(match)) == ([P4], [3])


def test_winning_placement_skips_its_anchor() -> None:
    zones = {0: {P0: [0, 22], P1: [2, 3, 23]}, 1: {P2: []}}
    match = scene(phase="land", zones=zones, hands={0: [1]}, tops=[30])
    act(match, "lay souvenir 1 on place 0a")
    assert match.to_move() == -1
    assert hand(match) == []
    result = match.result()
    assert (result["scores"], result["shares"]) == ([2, 0, 0], [840, 0, 0])
    assert result["counts"]["turns"] == 1, "the turn that ends the game counts"


def test_third_souvenir_triggers_its_anchor() -> None:
    match = scene(phase="land", zones={0: {P0: [0, 22]}}, hands={0: [1]}, tops=[30])
    act(match, "lay souvenir 1 on place 0a")
    assert hand(match) == [30]
    assert match.snapshot()["validated"] == [1, 0, 0]
    assert "duel souvenir 0" not in scene(phase="encounter", seat=1, zones={0: {P0: [0, 1, 22]}}).names()


# The end of a turn, the ship, the end of the game.


def test_an_empty_hand_draws_a_card() -> None:
    match = scene(phase="land", hands={0: [P0]}, tops=[30, P4])
    act(match, "lay place 0a")
    assert sorted(match.names()) == ["refill place", "refill souvenir"]
    act(match, "refill place")
    assert hand(match) == [P4]


def test_an_empty_pile_is_made_of_its_discard() -> None:
    match = scene(hands={1: list(range(38))}, discards=[40, 38, 39])
    act(match, "draw")
    assert hand(match)[0] in (38, 39, 40)
    assert (len(match.snapshot()["decks"]["souvenirs"]), thrown(match)) == (2, [])


@pytest.mark.parametrize(("loaded", "holder"), [([], 2), ([20], 2), ([20, 21], 0)])
def test_ship_sails_right_after_a_round(loaded: list[int], holder: int) -> None:
    match = scene(phase="land", seat=2, hands={2: [0]}, ship=(0, loaded))
    act(match, "stop")
    assert match.snapshot()["ship_holder"] == holder
    match = scene(phase="land", seat=1, hands={1: [0]}, ship=(0, loaded))
    act(match, "stop")
    assert match.snapshot()["ship_holder"] == 0


def test_the_turn_limit_is_a_draw() -> None:
    match = Match(make_setup("vague-attaque", 2, (), {"max_turns": 10}), seed=3)
    while match.to_move() >= 0:
        match.apply(match.random_move())
    result = match.result()
    assert (result["drawn"], result["shares"], result["counts"]["turns"]) == (True, [0, 0], 10)


# Two players.


def test_two_players_load_the_ship_in_the_middle() -> None:
    zones = {0: {P0: [0, 1, 22], P1: [2, 3, 23]}}
    match = scene(2, "land", zones=zones, hands={0: [40], 1: [0]}, ship=(-1, [20, 21]))
    assert "duel souvenir 20" not in scene(2, "encounter", ship=(-1, [20, 21])).names()
    assert all(int(card) % 2 == 1 for card in match.setup.rules[0].pile[1, :10]), "only the first copies"
    match = scene(2, "land", zones=zones, hands={0: [29], 1: [0]}, ship=(-1, [20, 21]))
    act(match, "lay souvenir 29 on ship")
    assert match.result()["scores"] == [3, 0]


def test_two_players_need_three_places() -> None:
    match = scene(2, "land", zones={1: {P0: [0, 1, 22], P1: [2, 23]}}, seat=1, hands={1: [3, 40]})
    act(match, "lay souvenir 3 on place 1a")
    assert match.to_move() >= 0


# Teams: seats 0 and 2 against 1 and 3.


def team(**rest: object) -> Match:
    return scene(4, variants=("teams",), **rest)  # type: ignore[arg-type]


def test_partners_load_each_others_places_and_win_together() -> None:
    zones = {2: {P0: [0, 1, 22], P1: [2, 23]}, 0: {P2: [4, 5, 24]}}
    match = team(phase="land", zones=zones, hands={0: [3]})
    act(match, "lay souvenir 3 on place 1a")
    assert (match.result()["scores"], match.result()["shares"]) == ([3, 0], [840, 0])


def test_partners_are_no_targets_and_share_ship() -> None:
    match = team(phase="encounter", zones={2: {P0: [0]}, 1: {P1: []}}, ship=(2, []))
    assert sorted(match.names()) == ["adventure", "duel place 1a"]
    assert "lay souvenir 20 on ship" in team(phase="land", hands={0: [20]}, ship=(2, [])).names()


def test_partner_may_parry_after_the_defender() -> None:
    parries = [encounter("parry"), encounter("parry", 1)]
    match = team(phase="encounter", zones={1: {P0: [0]}}, hands={0: [9], 1: parries[:1], 3: parries[1:]})
    act(match, "duel souvenir 0", "parry no")
    assert phase(match) == ("parry", 3)
    act(match, "parry yes")
    assert thrown(match, "encounters") == parries[1:]
    match = team(phase="encounter", zones={1: {P0: [0]}}, hands={0: [9], 3: parries})
    act(match, "duel souvenir 0")
    assert phase(match) == ("parry", 3)


def test_an_extra_placement_passes_to_the_partner() -> None:
    zones = {0: {P0: [], P1: [], P2: []}}
    match = team(phase="land", zones=zones, hands={0: [3, P4], 1: [40], 2: [5]})
    act(match, "lay souvenir 3 on place 1a")
    assert (phase(match), sorted(match.names())) == (("extra", 2), ["decline", "extra souvenir 5 on place 2a"])
    act(match, "extra souvenir 5 on place 2a")
    assert (phase(match), match.names()) == (("steal", 2), ["steal from seat 1"]), "for the player who laid it"


# Solo.


def with_die(*faces: str) -> dict[str, Deck]:
    cards = dict(read_deck("default").cards)
    return {"deck": Deck("loaded die", {**cards, "solo_die": {"faces": [*faces, *["nothing"] * 6][:6]}})}


def die(effect: str, **rest: object) -> Match:
    """A solo turn ends and the ship throws a die with six equal faces."""
    match = scene(1, "land", settings=with_die(*[effect] * 6), **rest)  # type: ignore[arg-type]
    act(match, "stop")
    return match


def test_solo_has_the_hook_and_fewer_cards() -> None:
    match = Match(make_setup("vague-attaque", 1), seed=1)
    seen = match.snapshot()
    assert seen["artefact"] == [94]
    assert len(cases.module("vague-attaque").cards(seen)) == 1 + 41 + 10 + 1 + 32 - 13
    assert scene(1, "encounter").names() == ["adventure"]


def test_die_nothing() -> None:
    assert hand(die("nothing", hands={0: [0, 2]})) == [0, 2]


def test_die_discard_random() -> None:
    assert len(hand(die("discard_random", hands={0: [0, 2]}))) == 1


def test_die_discard_souvenir_spares_validated_places() -> None:
    match = die("discard_souvenir", zones={0: {P0: [0, 1, 22], P1: [2]}}, hands={0: [40]})
    assert thrown(match) == [2]
    assert match.snapshot()["zones"][0] == [[P0, [0, 1, 22]], [P1, []]]


def test_die_ship_if_symbol() -> None:
    match = die("ship_if_symbol", hands={0: [0]}, tops=[20])
    act(match, "power no")
    assert match.snapshot()["ship_cards"] == [20]
    assert thrown(die("ship_if_symbol", hands={0: [0]}, tops=[2])) == [2]


def test_die_ship_always() -> None:
    match = die("ship_always", hands={0: [0]}, tops=[2])
    act(match, "power no")
    assert match.snapshot()["ship_cards"] == [2]


def test_solo_symbol_loads_the_ship_in_phase_one() -> None:
    match = scene(1, tops=[20])
    act(match, "draw")
    assert (match.snapshot()["ship_cards"], hand(match), phase(match)[0]) == ([20], [], "encounter")
    match = scene(1, discards=[20])
    act(match, "hook")
    assert hand(match) == [20]
    match = scene(1, "encounter", hands={0: [0]}, tops=[encounter("draw_souvenir"), 20])
    act(match, "adventure")
    assert hand(match) == [0, 20]
    assert not any("ship" in name for name in match.names()), "the player never loads the ship"


def test_solo_power_once_a_game() -> None:
    match = scene(1, hands={0: [4, 2, P0, encounter("extra_mooring")]}, tops=[20])
    act(match, "draw", "power yes", "retain place 0a")
    assert hand(match) == [P0]
    assert thrown(match) == [2, 4, 20]
    assert thrown(match, "encounters") == [encounter("extra_mooring")]
    assert match.snapshot()["power_used"]
    match = scene(1, hands={0: [4]}, tops=[20])
    match.state.power_used = 1
    act(match, "draw")
    assert match.snapshot()["ship_cards"] == [20]


def test_solo_ends_by_four_souvenirs_or_three_places() -> None:
    match = scene(1, ship=(-1, [0, 1, 2]), tops=[20])
    act(match, "draw")
    assert (match.to_move(), match.result()["scores"], match.result()["shares"]) == (-1, [0, 4], [0, 840])
    zones = {0: {P0: [0, 1, 22], P1: [2, 3, 23], P2: [4, 24]}}
    match = scene(1, "land", zones=zones, hands={0: [5]})
    act(match, "lay souvenir 5 on place 2a")
    assert (match.result()["scores"], match.result()["shares"]) == ([3, 0], [840, 0])


# Invariants of this game.


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
