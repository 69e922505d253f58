"""LAND UNTER: 3 to 5 players duck the rising water; the hands travel, so everyone plays each of them."""

from houle.solver.games.land_unter.categories import SORTS, sorts_of
from houle.solver.games.land_unter.features import FEATURES, features
from houle.solver.games.land_unter.knowledge import kind, knows, observed
from houle.solver.games.land_unter.play import apply, deal, legal, random_move, to_move
from houle.solver.games.land_unter.score import counts, outcome, round_over, round_scores, standing, worth
from houle.solver.games.land_unter.state import (
    COUNTS,
    MAX_MOVES,
    RATES,
    RULES,
    STATE,
    make_rules,
    score_range,
    side_names,
)
from houle.solver.games.land_unter.text import action_name, show, snapshot
from houle.solver.games.land_unter.worlds import determinize

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
