"""The Game in words."""

from the_game.plain import PILES
from the_game.rules import STOP


def action_name(state, setup, action):
    return "stop" if action == STOP else f"{action // len(PILES)} on the {PILES[action % len(PILES)]} pile"


def number_of_cards(seen):
    return len(seen["pile"]) + len(seen["laid"]) + sum(map(len, seen["hand"]))
