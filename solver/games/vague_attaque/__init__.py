"""VAGUE & ATTAQUE: 1 to 5 players complete places with souvenirs, and duel for those of others."""

from houle.solver.games import define

GAME = define(__name__)
