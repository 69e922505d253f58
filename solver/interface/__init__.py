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
from houle.solver.interface.defining import blank, define, game
from houle.solver.interface.functions import (
    UTILITY,
    WIN,
    apply,
    by_game,
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
