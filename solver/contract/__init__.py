"""What a game is: the verbs its kernels answer, the record that holds a game, and the registry.

Playouts and search are written once, against the verbs below. A verb is chosen when an entry is compiled, by
the dtype of the state it is given, so a game costs nothing at run time and only games in use are compiled.

A game is a folder, and the same files are found in every one: state.py, play.py, score.py, knowledge.py, worlds.py,
features.py, categories.py, text.py, opening.py, and clairvoyant.py where it can be solved. `define` gathers a Game
from them, fills in what a game need not have, and refuses what does not fit. A small game may be a single file.
"""

from houle.solver.capacities import (
    MAX_CATEGORIES,
    MAX_COUNTS,
    MAX_FEATURES,
    MAX_LINE,
    MAX_SIDES,
    MOST_MOVES,
    OWNED,
)
from houle.solver.contract.defining import blank, define, game
from houle.solver.contract.game import Game, GameError
from houle.solver.contract.verbs import (
    WIN,
    WORTH,
    apply,
    careless,
    category_bits,
    counts,
    deal,
    determinize,
    feature_count,
    features,
    has_solver,
    has_standing,
    kind,
    knows,
    legal,
    observed,
    outcome,
    random_move,
    random_ply,
    round_over,
    round_scores,
    search_over,
    solve,
    some_are_careless,
    standing,
    to_move,
    worth,
)

__all__ = [
    "MAX_CATEGORIES",
    "MAX_COUNTS",
    "MAX_FEATURES",
    "MAX_LINE",
    "MAX_SIDES",
    "MOST_MOVES",
    "OWNED",
    "WIN",
    "WORTH",
    "Game",
    "GameError",
    "apply",
    "blank",
    "careless",
    "category_bits",
    "counts",
    "deal",
    "define",
    "determinize",
    "feature_count",
    "features",
    "game",
    "has_solver",
    "has_standing",
    "kind",
    "knows",
    "legal",
    "observed",
    "outcome",
    "random_move",
    "random_ply",
    "round_over",
    "round_scores",
    "search_over",
    "solve",
    "some_are_careless",
    "standing",
    "to_move",
    "worth",
]
