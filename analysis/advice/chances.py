"""The win chance of a side at a position, as its player sees it: worlds, each played to the end by thumbs.

A world fits what the player knows; hidden cards and later luck are drawn at random. So the chance is what the player
could expect, not what the real hands and pile would bring.
"""

from __future__ import annotations

from houle.analysis.sampling.lineups import usual_strategy
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import WHOLE_WIN, wilson
from houle.solver import interface
from houle.solver.match import Match
from houle.solver.playout import play_chunk
from houle.solver.strategies.player import seat_strategies
from houle.solver.tally import blank_ledger

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
        return Estimate(share, share, share, 1)
    states = interface.blank(setup.game.STATE, worlds)
    for world in range(worlds):
        imagined = match.imagine(seat, KEY + world)
        if made is not None and imagined.to_move() == seat != match.to_move():
            imagined.apply(made)
        states[world] = imagined.states[0]
    ledger = blank_ledger(worlds, int(setup.rules[0].sides))
    thumbs = seat_strategies(setup, [usual_strategy(setup)])
    play_chunk(setup, thumbs, match.seed, 0, worlds, ledger=ledger, openings=states, given=True)
    return wilson(float(ledger.share[:, side].mean()) / WHOLE_WIN, worlds)
