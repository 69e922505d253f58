"""The Game: the list of actions, for learners. What a seat knows as numbers follows from the fields."""

from the_game.state import STOP


def action_kinds(setup, seat):
    return range(STOP + 1)
