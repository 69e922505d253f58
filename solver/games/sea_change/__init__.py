"""SEA CHANGE: trick taking for 1 to 8 players; a card of the value just played makes its colour the trump."""

from houle.solver.games.sea_change.categories import SORTS, sorts_of
from houle.solver.games.sea_change.features import FEATURES, features
from houle.solver.games.sea_change.knowledge import kind, knows, observed
from houle.solver.games.sea_change.play import apply, deal, legal, random_move, to_move
from houle.solver.games.sea_change.score import counts, outcome, round_over, round_scores, standing, worth
from houle.solver.games.sea_change.state import (
    COUNTS,
    MAX_MOVES,
    RATES,
    RULES,
    STATE,
    house_rules,
    make_rules,
    score_range,
    side_names,
)
from houle.solver.games.sea_change.text import action_name, show, snapshot
from houle.solver.games.sea_change.worlds import determinize

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
    "house_rules",
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
