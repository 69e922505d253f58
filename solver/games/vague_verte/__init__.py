"""VAGUE VERTE: a race to the beach; 2 to 4 players fill their road and stop the others."""

from houle.solver.games.vague_verte.categories import SORTS, sorts_of
from houle.solver.games.vague_verte.features import FEATURES, features
from houle.solver.games.vague_verte.knowledge import determinize, kind, knows, observed
from houle.solver.games.vague_verte.play import (
    apply,
    counts,
    deal,
    legal,
    outcome,
    random_move,
    round_over,
    round_scores,
    standing,
    to_move,
    worth,
)
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
