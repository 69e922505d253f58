"""VAGUE VERTE: a race to the beach; 2 to 4 players fill their road and stop the others."""

from houle.solver.games.vague_verte.categories import SORTS, sorts_of
from houle.solver.games.vague_verte.features import FEATURES, features
from houle.solver.games.vague_verte.knowledge import kind, knows, observed
from houle.solver.games.vague_verte.play import apply, deal, legal, random_move, to_move
from houle.solver.games.vague_verte.score import counts, outcome, round_over, round_scores, standing, worth
from houle.solver.games.vague_verte.state import (
    COUNTS,
    MAX_MOVES,
    RATES,
    RULES,
    STATE,
    make_rules,
    score_range,
    side_names,
)
from houle.solver.games.vague_verte.text import action_name, show, snapshot
from houle.solver.games.vague_verte.worlds import determinize

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
    "counts",
    "deal",
    "determinize",
    "features",
    "kind",
    "knows",
    "legal",
    "make_rules",
    "observed",
    "outcome",
    "random_move",
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
