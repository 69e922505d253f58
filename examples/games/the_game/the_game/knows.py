"""The Game: a player who must lay a card can lay one, or the game would be over."""

from houle.own_game import kernel
from the_game.rules import can_lay


@kernel
def possible(state, rules):
    return state.mover < 0 or state.need == 0 or can_lay(state, rules)
