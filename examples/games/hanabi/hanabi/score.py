"""Hanabi: the points, and how good they are."""

from houle.own_game import UTILITY, count, kernel


def score_range(setup):
    return 0, 5 * setup.options["suits"]


@kernel
def round_scores(state, rules, scores):
    scores[0] = count(state.laid) if state.lives > 0 or rules.keeps_points else 0


@kernel
def utility(state, rules, out):
    """The share of all points. The win itself does not count more: it is too rare for a search to aim at."""
    scored = count(state.laid) if state.lives > 0 or rules.keeps_points else 0
    out[0] = UTILITY * scored // (5 * rules.suits)
