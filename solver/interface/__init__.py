"""The game interface: what a game provides, and how houle finds it.

Playouts and searches are written once, against the game functions (functions.py). A game is a folder with the same
files in every game: state.py, play.py, score.py, knowledge.py, worlds.py, features.py, categories.py, text/ or text.py,
opening.py, and clairvoyant.py if it has an exact solver. `define` collects a Game from them, fills in the defaults and
refuses what does not fit. A small game may be a single file.
"""

from houle.solver.interface.defining import blank, define, game
from houle.solver.interface.dispatch import by_game
from houle.solver.interface.functions import (
    UTILITY,
    WIN,
    apply,
    careless,
    category_bits,
    counts,
    deal,
    determinize,
    feature_count,
    features,
    has_careless_players,
    has_solver,
    has_standing,
    has_tricks,
    in_use,
    kind,
    knows,
    legal,
    observed,
    outcome,
    random_move,
    random_ply,
    random_round,
    recall,
    round_over,
    round_scores,
    search_over,
    searches_to_round_end,
    solve,
    standing,
    to_move,
    tricks_to_come,
    utility,
)
from houle.solver.interface.game import Game, GameError
from houle.solver.interface.limits import (
    MAX_CATEGORIES,
    MAX_COUNTS,
    MAX_FEATURES,
    MAX_LINE,
    MAX_SIDES,
    MOST_MOVES,
    OWNED,
)
