"""The game interface: what a game provides.

Playouts and searches are written once, against the game functions (functions.py). `define` (solver/games) collects a
Game from its files.
"""

from houle.solver.interface.files import GameError
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
    in_use,
    is_signal,
    kind,
    legal,
    named_move,
    names_players,
    observed,
    outcome,
    prospects,
    random_move,
    random_ply,
    random_round,
    recall,
    round_over,
    round_scores,
    says_what_others_see,
    search_over,
    share_among,
    solve,
    standing,
    to_move,
    utility,
    weighted_sum,
)
from houle.solver.interface.game import Game, blank, by_game
from houle.solver.interface.limits import (
    MAX_COUNTS,
    MAX_FEATURES,
    MAX_LINE,
    MAX_SIDES,
)
