"""Hanabi: the points, and what a search expects of a game that it does not play to the end."""

from hanabi.play import laid_in
from houle.own_game import UTILITY, ZERO, count, kernel

# A search looks some moves ahead, because the rest of a game is mostly luck. Then it expects the points so far and, in
# hundredths of a point: least squares over 11,504 positions of 240 games (80 each with 2, 4 and 5 players, more than
# eight turns before the end), all played with the weights for 2 players. Eight moves were not compared with others.
AHEAD = 8
PER_POSSIBLE, PER_TURN, PER_CLUE, PER_LIFE, LESS = 52, 18, 16, 178, 545


@kernel
def reachable(state, rules):
    """The most points that are still possible: a suit ends below a number whose copies are all gone."""
    total = 0
    for suit in range(rules.suits):
        number = laid_in(state, suit)
        while number < 5 and rules.kind[5 * suit + number, 0] & ~state.gone[0] != ZERO:
            number += 1
        total += number
    return total


@kernel
def round_scores(state, rules, scores):
    scores[0] = count(state.laid) if state.lives > 0 or rules.keeps_points else 0


@kernel
def search_over(state, root):
    return state.mover < 0 or state.moves - root.moves >= AHEAD


@kernel
def utility(state, rules, out):
    """The share of all points. The win itself does not count more: it is too rare for a search to aim at."""
    points = count(state.laid)
    possible = reachable(state, rules) - points
    scored = 100 * points if state.lives > 0 or rules.keeps_points else 0
    if state.mover >= 0:
        turns = count(state.pile) + rules.seats if state.turns_left < 0 else state.turns_left
        more = (
            PER_POSSIBLE * possible
            + PER_TURN * turns
            + PER_CLUE * state.half_clues // 2
            + PER_LIFE * state.lives
            - LESS
        )
        scored += max(0, min(more, 100 * possible))
    out[0] = UTILITY * scored // (500 * rules.suits)
