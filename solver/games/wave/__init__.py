"""WAVE: cooperative, 2 to 4 surfers lay every card, each higher than the last in number or in colour."""

from houle.solver.games.wave.categories import SORTS, sorts_of
from houle.solver.games.wave.clairvoyant import solve
from houle.solver.games.wave.features import FEATURES, features
from houle.solver.games.wave.foresight import solver_memory
from houle.solver.games.wave.knowledge import kind, knows, observed
from houle.solver.games.wave.play import apply, deal, legal, random_move, random_ply, to_move
from houle.solver.games.wave.score import counts, outcome, round_over, round_scores, worth
from houle.solver.games.wave.state import COUNTS, MAX_MOVES, RATES, RULES, STATE, make_rules, score_range, side_names
from houle.solver.games.wave.text import action_name, show, snapshot
from houle.solver.games.wave.worlds import determinize

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
    "random_ply",
    "round_over",
    "round_scores",
    "score_range",
    "show",
    "side_names",
    "snapshot",
    "solve",
    "solver_memory",
    "sorts_of",
    "to_move",
    "worth",
]
