"""The Game by Steffen Benndorf: 98 numbers, two rising and two falling piles, and nobody may say what they hold."""

from houle.own_game import define

GAME = define(__name__, is_cooperative=True)
