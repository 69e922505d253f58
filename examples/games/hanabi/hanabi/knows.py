"""Hanabi: earlier states as they were if an imagined world is the real one, so that a search can read clues."""

from hanabi.rules import held
from houle.own_game import outlined, rows


@outlined
def recall(past, rules, seat, now, world):
    """Makes `past` what it was in an imagined world: cards that the seat still holds are those of the world."""
    unseen, depends = past.pile[0] | held(past.hand[seat]), False
    for place in range(rows.length(past.hand[seat])):
        for later in range(rows.length(now.hand[seat])):
            if past.hand[seat, place] == now.hand[seat, later]:
                past.hand[seat, place] = world.hand[seat, later]
                depends = True
                break
    past.pile[0] = unseen & ~held(past.hand[seat])
    return depends
