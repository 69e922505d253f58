"""VAGUE & ATTAQUE: which seats notice a change of each field of the state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from houle.solver.games.vague_attaque.state import NONE, PHASES, STATE
from houle.solver.matches.known import Known
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import move_name
from houle.solver.matches.views import view_of
from tests.games.vague_attaque.scene import encounter, place, scene
from tests.support.amounts import some
from tests.support.scenes import act
from tests.support.seen import Change, Row, flipped, wrongly_noticed

pytestmark = pytest.mark.compiled

P0 = place(0)
EVERYONE = {0, 1, 2, 3}
# Field and index of a public number, such as the top card of a discard.
PUBLIC = [
    *(
        (field, ())
        for field in (
            "mover",
            "seat",
            "phase",
            "then",
            "bonus",
            "ship_waits",
            "power_used",
            "place_laid",
            "laid",
            "lent",
            "thefts",
            "refused",
            "duels",
            "turns",
            "moves",
            "public",
            "clues",
        )
    ),
    *((field, (0,)) for field in ("gold", "on", "artefact", "validated", "owner", "left", "thrown", "shuffles")),
    ("discard", (0, 0)),
    ("clue_fits", (0,)),
]
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


def exchanged(first: int, second: int) -> Change:
    """Two souvenirs in hands change places, with all that is known of them."""

    def change(state: Any) -> None:
        both = 1 << first | 1 << second
        for field in ("hand", "known", "clue_cards"):
            for i, cards in enumerate(state[field].tolist()):
                state[field][i] = cards ^ both if cards & both not in (0, both) else cards
        for field in ("batch", "barred"):
            state[field][[first, second]] = state[field][[second, first]]

    return change


def order_of_piles(state: Any) -> None:
    state.pile[:, :2] = state.pile[:, 1::-1]


def other_top(state: Any) -> None:
    last = int(state.left[0]) - 1
    state.drawn[0], state.pile[0, last] = int(state.pile[0, last]), int(state.drawn[0])


def changes() -> Iterator[Row]:
    match = table()
    yield from ((f"{field} {index}", match, flipped(field, *index), EVERYONE) for field, index in PUBLIC)
    yield from ((field, match, flipped(field, *(0,) * len(STATE[field].shape)), set()) for field in UNSEEN)
    assert int(match.state.pending) == int(match.state.target) == NONE
    yield "the encounter", match, flipped("pending", bit=NONE ^ 70), EVERYONE
    yield "the target", match, flipped("target", bit=NONE ^ 70), EVERYONE
    won = table()
    won.state.winner = 0
    yield "the winner", won, flipped("winner"), EVERYONE
    yield "the order of piles", match, order_of_piles, set()
    yield "cards of seats 0 and 3", match, exchanged(0, 7), {0, 3}
    yield "cards of seats 1 and 2", match, exchanged(2, 4), {1, 2}
    yield "the size of a hand", match, flipped("hand", 0, bit=1 << 15), EVERYONE
    yield "which pile a hidden card is from", match, flipped("hand", 0, bit=1 ^ 1 << P0 + 1), EVERYONE
    stolen, public = table(), table()
    stolen.state.known[3] |= 0b1
    public.state.public = 0b1
    yield "a card that went from hand to hand", stolen, exchanged(0, 4), {0, 2, 3}
    yield "a public card of a hand", public, exchanged(0, 4), EVERYONE
    yield "that somebody has seen a card", match, flipped("known", 3, bit=0b1), EVERYONE
    yield "who else has seen a card", stolen, flipped("known", 2, bit=0b1), EVERYONE
    shuffled = table()
    shuffled.state.shuffles[:2] = 3
    shuffled.state.batch[:] = 3
    in_pile = int(shuffled.state.pile[0, 0])
    yield "the shuffle of an unseen card", shuffled, flipped("batch", in_pile), EVERYONE
    yield "the shuffle of a card that its owner has seen", shuffled, flipped("batch", 0), {1, 2, 3}
    yield "the shuffle of a card of the discard", shuffled, flipped("batch", 30), set()
    yield "what a hidden card is not", match, flipped("barred", 2, bit=0b1), {0, 2, 3}
    yield "what a card of the discard is not", match, flipped("barred", 30, bit=0b1), set()
    yield "the cards of a clue", match, flipped("clue_cards", 0, bit=0b1000), EVERYONE
    yield "the cards of a clue that is not given", match, flipped("clue_cards", 1, bit=0b1000), set()
    yield "cards under the spyglass", under_the_spyglass(), other_top, {0}


def under_the_spyglass() -> Match:
    match = table(powers={0: "spyglass"}, tops=[12, 15])
    act(match, "draw")
    assert PHASES[match.state.phase] == "spyglass"
    return match


def test_every_field_has_a_test() -> None:
    assert {*(field for field, _ in PUBLIC), *UNSEEN, *CONDITIONAL} == {*(STATE.names or ())} - {"vague_attaque"}


def test_who_notices_a_change() -> None:
    assert wrongly_noticed(changes()) == {}


def test_only_the_player_knows_cards_under_the_spyglass() -> None:
    match = under_the_spyglass()
    assert [card for card in Known.of(match.state, match.setup, 1)["turned up"] if card >= 0] == []
    assert Known.of(match.state, match.setup, 0)["turned up"] == [12, 15]


def test_only_the_giver_sees_which_card_it_gave() -> None:
    match = scene(3, "encounter", hands={0: [7, 8]}, tops=[encounter("give_left")])
    act(match, "adventure")
    told = [{move_name(match, action, seat, done=True) for action in match.moves()} for seat in range(3)]
    assert len(told[0]) == 2
    assert told[1:] == [{"give a card"}] * 2


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


def test_a_click_on_a_place_names_that_place() -> None:
    """Two empty copies in one zone are equal; copies in two zones are not."""
    copies = place(0), place(0, 1)
    match = scene(phase="encounter", zones={1: {copies[0]: []}, 2: {copies[1]: []}})
    assert meant(match, "place 0a") == {"duel place 0a"}
    assert meant(match, "place 0b") == {"duel place 0b"}
    match = scene(phase="encounter", zones={1: {card: [] for card in copies}})
    assert meant(match, "place 0b") == {"duel place 0a", "duel place 0b"}


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
