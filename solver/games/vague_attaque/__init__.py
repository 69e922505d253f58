"""VAGUE & ATTAQUE: 1 to 5 players complete places with souvenirs, and duel for those of the others."""

from houle.solver.games.vague_attaque.categories import SORTS, sorts_of
from houle.solver.games.vague_attaque.deck import check_deck, house_rules, reference_knobs
from houle.solver.games.vague_attaque.features import FEATURES, features
from houle.solver.games.vague_attaque.knowledge import kind, knows, observed
from houle.solver.games.vague_attaque.moves import legal, random_move
from houle.solver.games.vague_attaque.play import apply, deal, random_ply
from houle.solver.games.vague_attaque.score import counts, outcome, round_over, round_scores, standing, to_move, worth
from houle.solver.games.vague_attaque.state import (
    COUNTS,
    MAX_MOVES,
    RATES,
    RULES,
    STATE,
    make_rules,
    score_range,
    side_names,
)
from houle.solver.games.vague_attaque.text import action_name, show, snapshot
from houle.solver.games.vague_attaque.worlds import determinize

__all__ = [
    "COUNTS",
    "FEATURES",
    "MAX_MOVES",
    "RATES",
    "RULES",
    "SORTS",
    "STATE",
    "action_name",
    "apply",
    "check_deck",
    "counts",
    "deal",
    "determinize",
    "features",
    "house_rules",
    "kind",
    "knows",
    "legal",
    "make_rules",
    "observed",
    "outcome",
    "random_move",
    "random_ply",
    "reference_knobs",
    "round_over",
    "round_scores",
    "score_range",
    "show",
    "side_names",
    "snapshot",
    "sorts_of",
    "standing",
    "to_move",
    "worth",
]
