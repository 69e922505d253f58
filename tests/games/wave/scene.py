"""Hand-made positions of WAVE."""

from __future__ import annotations

from typing import Any

from houle.solver.games.wave.rules import NONE
from houle.solver.matches.match import Match
from houle.solver.rules import Setup

Hand = tuple[list[str], list[str]]  # front, back


def card(setup: Setup, name: str) -> int:
    colour, number = name.split()
    colours, numbers = setup.options["deck.colours"], setup.options["deck.numbers"]
    return colours.index(colour) * len(numbers) + numbers.index(int(number))


def cards(setup: Setup, *names: str) -> int:
    return sum(1 << card(setup, name) for name in names)


def scene(setup: Setup, top: str, hands: list[Hand], pile: list[str], virage: str = "") -> Match:
    """Seat 0 is to play on the top card, or to swap; cards that are nowhere were laid before."""
    match = Match(setup, seed=1)
    state, rules = match.state, setup.rules[0]
    held = [name for front, back in hands for name in front + back]
    state.top = state.cells[0] = card(setup, top)
    state.seen = int(rules.cards) & ~cards(setup, *held, *pile, *filter(None, [virage])) | cards(setup, top)
    state.laid = state.facedown = state.order = state.turned = 0
    for seat, (front, back) in enumerate(hands):
        state.front[seat], state.back[seat] = cards(setup, *front), cards(setup, *back)
        state.held[seat] = NONE
        for slot, name in enumerate(front + back):
            state.held[seat, slot], state.slot[card(setup, name)] = card(setup, name), slot
    state.pile_left, state.gaps, state.added = len(pile), 0, 0
    state.pile[: len(pile)] = [card(setup, name) for name in pile]
    state.acting = state.mover = 0
    state.asked, state.taken = 1, NONE
    state.playable = (state.front[0] | state.back[0]) & rules.beats[0, state.top]
    if virage:
        state.virage, state.asked = card(setup, virage), 0
    return match


def play(match: Match, *moves: str) -> None:
    """Takes the named moves; nobody points."""
    for name in moves:
        while match.is_signal():
            match.apply(match.moves()[0])
        match.apply(next(action for action in match.moves() if match.name(action) == name))


def small_deck(**settings: Any) -> dict[str, Any]:
    """White, red and navy cards 0, 1 and 2; zeros reverse."""
    return {
        "deck.colours": ["white", "red", "navy"],
        "deck.numbers": [0, 1, 2],
        "deck.missing": [],
        "deck.reverse": ["* 0"],
        "hand.front": 1,
        "hand.back": 1,
    } | settings
