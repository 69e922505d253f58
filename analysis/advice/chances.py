"""The win chance of a side at a position, as its player sees it: worlds, each played to the end by thumbs.

A world fits what the player knows; hidden cards and later luck are drawn at random. So the chance is what the player
could expect, not what the real hands and pile would bring.
"""

from __future__ import annotations

from houle.analysis.advice.playouts import play_on, win_chance
from houle.analysis.players.line_ups import line_up
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.solver import interface
from houle.solver.matches.match import Match

WORLDS = 100  # per chance: 95% intervals of at most 10 points to either side
KEY = 1 << 41  # of the first world, far from those of searches


def chance(match: Match, seat: int, worlds: int = WORLDS, made: int | None = None) -> Estimate:
    """The win chance of a seat's side, from what the seat knows; exact if the game is over.

    `made` is the move that the seat has just made. A world takes back cards that were chosen in secret and not yet
    shown, even those of the seat itself, so the move is made again there.
    """
    setup = match.setup
    side = int(setup.rules[0].side[seat])
    if match.to_move() < 0:
        share = match.result()["shares"][side] / WHOLE_WIN
        return Estimate(share, share, share, 1, PERCENT)
    states = interface.blank(setup.game.STATE, worlds)
    for world in range(worlds):
        imagined = match.imagine(seat, KEY + world)
        if made is not None and imagined.to_move() == seat != match.to_move():
            imagined.apply(made)
        states[world] = imagined.states[0]
    ledger, _ = play_on(states, line_up(setup), match.seed)
    return win_chance(ledger.share[:, side])
