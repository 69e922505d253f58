"""WAVE: who points, in which order and at which cards, in the plain reference that the kernels are compared with."""

from __future__ import annotations

from typing import Any

import pytest

from houle.solver.plain.random_streams import CHANCE, DEAL, Chance, Luck, derive, game_key
from houle.solver.rules import make_setup
from tests.reference.pile import Pile
from tests.reference.wave import NONE, PRINTED, Game

pytestmark = pytest.mark.quick

TALKS = ("points", "silent", "known", "open")
COLOURS = ("white", "yellow", "orange", "red", "sky", "navy")
Hand = tuple[list[str], list[str]]  # front and back


def new_game(players: int, variants: tuple[str, ...] = (), seed: int = 1, **knobs: Any) -> Game:
    setup = make_setup("wave", players, variants)
    key = game_key(seed, 0)
    options = {**setup.options, "talk": "points", **knobs}
    return Game(players, options, Luck(derive(key, DEAL)), Chance(derive(key, CHANCE)))


def number(name: str) -> int:
    colour, value = name.split()
    return COLOURS.index(colour) * 6 + int(value)


def scene(
    top: str, hands: list[Hand], *variants: str, pile: str = "", virage: str = "", direction: int = 1, **knobs: Any
) -> Game:
    """Seat 0 to move on this card; with two surfers the third hand is the dummy's; at most one card in the pile."""
    players = 2 if knobs.pop("dummy", False) else len(hands)
    game = new_game(players, variants, **knobs)
    sides = [[[number(name) for name in side] for side in hand] for hand in hands]
    game.front, game.back = [side[0] for side in sides], [side[1] for side in sides]
    game.place = {card: place for hand in game._hands() for place, card in enumerate(hand, 1)}
    game.pile = Pile(game.pile.luck, PRINTED, {pile: number(pile)} if pile else {}, 64)
    game.top, game.wave = number(top), [number(top)]
    game.virage = number(virage) if virage else NONE
    game.shown = {game.top, game.virage} | set(game.front[2] if players == 2 else [])
    game.may_be = dict.fromkeys(game.cards, game.cards)
    game.direction, game.decisions, game.over = direction, 0, False
    game._begin_turn(0)
    return game


def signals(game: Game, answer: str = "point none") -> list[tuple[int, list[str]]]:
    """Gives all signals of this decision; returns each adviser with what may be said."""
    given = []
    while game.advisers:
        given.append((game.to_move(), game.legal()))
        game.apply(answer)
    return given


OTHER = (["navy 3"], ["navy 4"])
FRONT_ONLY = (["navy 3"], [])
EMPTY: Hand = ([], [])
ONE_FITS = (["red 4"], ["white 2", "sky 1"])  # on red 3: red 4 and sky 1
VIRAGE = {"variants": ("virage",), "virage": "navy 2"}
NAZARE: dict[str, Any] = {"variants": ("nazare",), "facedown": "stuck"}


# ---- who points, in which order, and at which cards


@pytest.mark.parametrize(
    ("hand", "more", "advisers", "places"),
    [
        (ONE_FITS, {"others": [OTHER, EMPTY, FRONT_ONLY]}, [1, 2, 3], [3]),
        (ONE_FITS, {"others": [OTHER, EMPTY, FRONT_ONLY], "direction": -1}, [3, 2, 1], [3]),
        (ONE_FITS, {"dummy": True}, [1], [3]),  # the dummy never points
        (ONE_FITS, {"dummy": True, "direction": -1}, [1], [3]),
        *((ONE_FITS, {"talk": talk}, [], []) for talk in TALKS[1:]),
        # Only at cards of the back that may be played.
        ((["red 4"], ["white 2"]), {}, [], []),
        (FRONT_ONLY, {}, [], []),
        ((["white 2"], ["sky 1"]), {}, [1, 2], [2]),  # even if it is the only one
        # Virage: any card of the back may be swapped, and a single card is played.
        ((["red 4", "white 1"], ["white 2", "sky 1"]), VIRAGE, [1, 2], [3, 4]),
        ((["red 4", "sky 1"], []), VIRAGE, [], []),
        (([], ["sky 1"]), VIRAGE, [1, 2], [1]),
        ((["white 1"], ["white 2"]), VIRAGE, [1, 2], [2]),
        # Nazare: a card that fits must be played before one may go face down, unless this is free.
        ((["red 4"], ["white 1", "white 2"]), NAZARE, [], []),
        ((["white 3"], ["white 1", "white 2"]), NAZARE, [1, 2], [2, 3]),
        ((["red 4"], ["white 1", "white 2"]), NAZARE | {"facedown": "free"}, [1, 2], [2, 3]),
        (ONE_FITS, NAZARE, [1, 2], [3]),
        (ONE_FITS, NAZARE | {"facedown": "free"}, [1, 2], [2, 3]),
    ],
)
def test_who_points_at_which_cards(hand: Hand, more: dict[str, Any], advisers: list[int], places: list[int]) -> None:
    options = dict(more)
    hands, variants = [hand, *options.pop("others", [OTHER, OTHER])], options.pop("variants", ())
    pointed = ["point none", *(f"point {place}" for place in places)]
    assert signals(scene("red 3", hands, *variants, **options)) == [(seat, pointed) for seat in advisers]


def test_signals_are_heard_and_are_no_moves() -> None:
    game = scene("red 3", [ONE_FITS, OTHER, OTHER])
    game.apply("point 3")
    assert game.knowledge(2)["signals"] == [(1, "point 3")]
    game.apply("point none")
    assert (game.laid, game.turns) == (0, 0)
    game.apply("play sky 1")
    assert (game.laid, game.turns) == (1, 1)
    assert game.signals_heard == [(1, 1, "point 3"), (1, 2, "point none")]
    assert game.knowledge(2)["signals"] == []


# ---- the dummy


def dummys_turn(*variants: str, dummy: Hand, play: int = 1, **knobs: Any) -> Game:
    """The dummy to move on red 3, after surfer 0 or surfer 1 laid it."""
    hands = [(["red 2"], []), (["red 3"], []), dummy]
    if play == 0:
        hands[:2] = [(["red 3"], []), EMPTY]
    game = scene("red 1", hands, *variants, dummy=True, **knobs)
    for _ in range(play + 1):
        game.apply(game.legal()[0])
    return game


@pytest.mark.parametrize(("decides", "advises"), [(1, 0), (0, 1)])
def test_partner_points_at_the_dummys_cards(decides: int, advises: int) -> None:
    game = dummys_turn(dummy=(["white 2", "sky 1", "red 4"], ["navy 1"]), play=decides)
    assert signals(game, "point sky 1") == [(advises, ["point none", "point red 4", "point sky 1"])]
    assert (game.to_move(), game.legal()) == (decides, ["play red 4", "play sky 1"])


# ---- who knows what


def test_talk_decides_which_cards_are_known() -> None:
    for talk in TALKS:
        game = scene("red 3", [ONE_FITS, OTHER, (["navy 2"], ["navy 1"])], talk=talk)
        own, other, _ = game.knowledge(0)["hands"]
        assert (own["back"] == {2: number("white 2"), 3: number("sky 1")}) == (talk in ("known", "open"))
        assert (other["front"] == {1: number("navy 3")}) == (talk == "open")
        assert other["back"] == {2: number("navy 4")}


@pytest.mark.parametrize(("card", "who"), [("white 1", {0}), ("white 2", {1, 2}), ("navy 2", {0, 1, 2})])
def test_who_saw_a_face_down_card(card: str, who: set[int]) -> None:
    """Its owner saw a front card, the others saw a back card, all saw a card taken from the Virage."""
    hands = [(["white 1", "navy 0"], ["white 2"]), EMPTY, EMPTY]
    game = scene("red 3", hands, "nazare", "virage", virage="navy 2", facedown="free")
    signals(game)
    game.apply("swap navy 0")
    while number(card) not in game.face_down:
        signals(game)
        actions = game.legal()
        cards = [name for name in (f"hide {card}", "no swap", "hide white 1", "hide white 2") if name in actions]
        game.apply(cards[0])
    assert {seat for seat in range(3) if number(card) in game.knowledge(seat)["face down"]} == who
