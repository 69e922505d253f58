"""Hanabi by Antoine Bauza, compiled to be fast. plain.py has the rules."""

from houle.own_game import define

GAME = define(__name__, is_cooperative=True)
