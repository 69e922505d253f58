"""VAGUE & ATTAQUE: which seats notice a change of each field of the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from houle.solver.games.vague_attaque.state import FIRST_PLACE, NONE, PHASES, SHIP, STATE
from houle.solver.matches.known import Known
from houle.solver.matches.match import Match
from houle.solver.matches.views import view_of
from tests.games.vague_attaque.scene import act, encounter, place, scene
from tests.support.amounts import some
from tests.support.seen import noticing

pytestmark = pytest.mark.compiled

P0, P1 = place(0), place(1)
EVERYONE = {0, 1, 2, 3}
# Field and index of a public number, such as the top card of a discard.
PUBLIC = [*((field, ()) for field in (
    "mover", "seat", "phase", "then", "bonus", "ship_waits", "power_used", "place_laid", "laid", "lent", "thefts",
    "refused", "duels", "turns", "moves", "public", "clues",
)), *((field, (0,)) for field in ("gold", "on", "artefact", "validated", "owner", "left", "thrown", "shuffles")),
    ("discard", (0, 0)), ("clue_fits", (0,))]  # fmt: skip
# What follows from other fields: `power` from `artefact`, all others from `on` and `owner`; and random numbers.
UNSEEN = ["root", "deal", "chance", "choice", "scratch", "power", "open", "exposed", "needy", "spot"]
CONDITIONAL = ["winner", "hand", "known", "barred", "clue_cards", "pending", "target", "drawn", "pile", "batch"]


def table(**more: Any) -> Match:
    """Teams of two; each player holds two souvenirs, and a clue is about the hand of player 2."""
    hands = {seat: [2 * seat, 2 * seat + 1, place(seat)] for seat in range(4)}
    match = scene(4, variants=("teams",), hands=hands, discards=[30, 31], **more)
    match.state.on[0] = 1 << 20
    match.state.spot[20] = 0
    match.state.clues = 1
    match.state.clue_cards[0], match.state.clue_fits[:2] = 0b1100, 0b100
    return match


def flipped(field: str, *index: int, bit: int = 1) -> Callable[[Any], None]:
    """A change: one bit of a number is another one."""

    def change(state: Any) -> None:
        if index:
            state[field][index] = int(state[field][index]) ^ bit
        else:
            state[field] = int(state[field]) ^ bit

    return change


def exchanged(first: int, second: int) -> Callable[[Any], None]:
    """A change: two souvenirs in hands change places, with all that is known of them."""

    def change(state: Any) -> None:
        both = 1 << first | 1 << second
        for field in ("hand", "known", "clue_cards"):
            for i, cards in enumerate(state[field].tolist()):
                state[field][i] = cards ^ both if cards & both not in (0, both) else cards
        for field in ("batch", "barred"):
            state[field][[first, second]] = state[field][[second, first]]

    return change


def test_every_field_has_a_test() -> None:
    assert {*(field for field, _ in PUBLIC), *UNSEEN, *CONDITIONAL} == {*(STATE.names or ())} - {"vague_attaque"}


@pytest.mark.parametrize(("field", "index"), PUBLIC)
def test_everyone_sees_public_numbers(field: str, index: tuple[int, ...]) -> None:
    assert noticing(table(), flipped(field, *index)) == EVERYONE


@pytest.mark.parametrize("field", UNSEEN)
def test_nobody_sees_what_follows_or_is_random(field: str) -> None:
    assert noticing(table(), flipped(field, *(0,) * len(STATE[field].shape))) == set()


@pytest.mark.parametrize("field", ["pending", "target"])
def test_everyone_sees_the_encounter_and_the_target(field: str) -> None:
    match = table()
    assert int(match.state[field]) == NONE
    assert noticing(match, flipped(field, bit=NONE ^ 70)) == EVERYONE


def test_everyone_sees_who_won() -> None:
    match = table()
    match.state.winner = 0
    assert noticing(match, flipped("winner")) == EVERYONE


def test_order_of_a_pile_is_hidden() -> None:
    def change(state: Any) -> None:
        state.pile[:, :2] = state.pile[:, 1::-1]

    assert noticing(table(), change) == set()


def test_only_owners_see_their_hands() -> None:
    assert noticing(table(), exchanged(0, 7)) == {0, 3}
    assert noticing(table(), exchanged(2, 4)) == {1, 2}


def test_everyone_sees_the_size_of_a_hand() -> None:
    assert noticing(table(), flipped("hand", 0, bit=1 << 15)) == EVERYONE


def test_everyone_sees_which_pile_a_hidden_card_is_from() -> None:
    def change(state: Any) -> None:
        state.hand[0] = int(state.hand[0]) ^ 1 ^ 1 << P0 + 1

    assert noticing(table(), change) == EVERYONE


def test_a_card_that_went_from_hand_to_hand_is_seen_by_both() -> None:
    match = table()
    match.state.known[3] |= 0b1
    assert noticing(match, exchanged(0, 4)) == {0, 2, 3}


def test_a_public_card_of_a_hand_is_seen_by_all() -> None:
    match = table()
    match.state.public = 0b1
    assert noticing(match, exchanged(0, 4)) == EVERYONE


def test_everyone_knows_who_has_seen_a_card() -> None:
    assert noticing(table(), flipped("known", 3, bit=0b1)) == EVERYONE
    hidden = table()
    hidden.state.known[3] |= 0b1
    assert noticing(hidden, flipped("known", 2, bit=0b1)) == EVERYONE


def test_everyone_knows_the_shuffle_of_unseen_cards() -> None:
    match = table()
    match.state.shuffles[:2] = 3
    match.state.batch[:] = 3
    in_pile = int(match.state.pile[0, 0])
    assert noticing(match, flipped("batch", in_pile)) == EVERYONE
    assert noticing(match, flipped("batch", 0)) == {1, 2, 3}, "the owner has seen this card"
    assert noticing(match, flipped("batch", 30)) == set(), "it lies on the discard"


def test_others_know_what_a_hidden_card_is_not() -> None:
    assert noticing(table(), flipped("barred", 2, bit=0b1)) == {0, 2, 3}
    assert noticing(table(), flipped("barred", 30, bit=0b1)) == set(), "it lies on the discard"


def test_everyone_knows_the_cards_of_a_clue() -> None:
    match = table()
    assert noticing(match, flipped("clue_cards", 0, bit=0b1000)) == EVERYONE
    assert noticing(match, flipped("clue_cards", 1, bit=0b1000)) == set(), "there is no second clue"


def test_only_the_player_sees_cards_under_the_spyglass() -> None:
    match = table(powers={0: "spyglass"}, tops=[12, 15])
    act(match, "draw")
    assert PHASES[match.state.phase] == "spyglass"

    def change(state: Any) -> None:
        last = int(state.left[0]) - 1
        state.drawn[0], state.pile[0, last] = int(state.pile[0, last]), int(state.drawn[0])

    assert noticing(match, change) == {0}
    assert [card for card in Known.of(match.state, match.setup, 1)["turned up"] if card >= 0] == []
    assert Known.of(match.state, match.setup, 0)["turned up"] == [12, 15]


def test_hidden_cards_come_in_an_order_that_all_worlds_share() -> None:
    match = table()
    match.state.known[3] |= 0b1  # one of two hidden souvenirs of player 1
    seen = {tuple(Known.of(match.imagine(2, key).state, match.setup, 2)["hidden cards", 0]) for key in range(40)}
    assert seen == {tuple(match.known(2)["hidden cards", 0])}


def test_the_largest_hand_is_described() -> None:
    """A chest of seven cards, a card in the turn of each of four others, and two in the own turn."""
    match = scene(5, hands={1: list(range(13))})
    described = match.known(0)["hidden cards", 1]
    assert described[0::3] == [1] * 13


# ---- What the cards on the page mean.


def faces(match: Match) -> dict[str, list[tuple[int, ...]]]:
    """The kinds of moves of every card that the player to move can click, by name."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for row in view_of(match.state, match.setup, match.to_move()):
        for card in row["cards"] if row.get("own") else []:
            found.setdefault(card.get("typed", ""), []).append(card.get("moves", ()))
    return found


def meant(match: Match, card: str) -> set[str]:
    """The legal moves that a click on a card can mean."""
    kinds = {kind for face in faces(match)[card] for kind in face}
    return {match.name(move) for move in match.moves() if match.seen(move, match.to_move())[1] in kinds}


def test_cards_of_the_hand_mean_their_moves() -> None:
    match = scene(phase="land", zones={0: {P0: []}}, hands={0: [0, 40, P1]})
    assert meant(match, "souvenir 0") == {"lay souvenir 0 on place 0a", "discard souvenir 0"}
    assert meant(match, "place 1a") == {"lay place 1a"}
    assert "lay souvenir 0 on place 0a" in meant(match, "place 0a"), "so does the place"


def test_a_click_on_a_place_names_that_place() -> None:
    """Two empty copies in one zone are equal; copies in two zones are not."""
    copies = place(0), place(0, 1)
    match = scene(phase="encounter", zones={1: {copies[0]: []}, 2: {copies[1]: []}})
    assert meant(match, "place 0a") == {"duel place 0a"}
    assert meant(match, "place 0b") == {"duel place 0b"}
    match = scene(phase="encounter", zones={1: {card: [] for card in copies}})
    assert meant(match, "place 0b") == {"duel place 0a", "duel place 0b"}


def test_an_equal_card_of_the_hand_is_not_kept() -> None:
    match = scene(powers={0: "spyglass"}, tops=[22, 15], hands={0: [33]})
    assert match.setup.rules[0].twin[33] == 22
    act(match, "draw")
    assert meant(match, "souvenir 33") == set()
    assert meant(match, "souvenir 22") == {"keep souvenir 22"}


def test_the_discard_means_the_hook() -> None:
    assert meant(scene(powers={0: "hook"}, discards=[7, 8]), "souvenir 8") == {"hook"}


def test_a_parry_in_the_hand_means_yes() -> None:
    match = scene(phase="parry", hands={0: [encounter("parry"), encounter("steady_hand")]})
    match.state.target = FIRST_PLACE + SHIP
    assert meant(match, "encounter 24") == {"parry yes"}
    assert meant(match, "encounter 27") == set()


@pytest.mark.parametrize(("players", "variants"), [(1, ()), (2, ()), (4, ("teams",))])
def test_every_move_with_a_card_is_on_the_table(players: int, variants: tuple[str, ...]) -> None:
    match = scene(players, variants=variants)
    bare = {"draw", "adventure", "stop", "decline", "steal", "refill", "power"}
    for _ in range(some(60)):
        if match.to_move() < 0:
            break
        kinds = {kind for found in faces(match).values() for face in found for kind in face}
        for move in match.moves():
            name = match.name(move)
            if name.split()[0] not in bare and not name.endswith((" no", " yes")):
                assert match.seen(move, match.to_move())[1] in kinds, name
        match.apply(match.random_move())
