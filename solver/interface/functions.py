"""The game functions: the specification of a game's kernels.

Each entry gives the arguments, the meaning, the file of the game's folder that holds the function, and its default. A
function without a default must be written. `state` is a record of STATE that the function may change, `rules` a record
of RULES. Seats count from 0. interface/game.py lists what a game provides in plain Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO
from houle.solver.cards.streams import advance, below
from houle.solver.cards.weighted_sum import weighing
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.local_arrays import local_empty, local_zeros
from houle.solver.compiler.types import Action, Flag, Label, Number, Numbers, Rules, Seat, State
from houle.solver.interface import defaults
from houle.solver.interface.game import Function, Game, by_game, default_of, fact, game_function
from houle.solver.interface.limits import MAX_SIDES

WIN = 840  # a whole win in shares: divisible by every number of sides up to 8; nine winners get 93 each
# The greatest utility. Shares of a win and twelfths are whole numbers of it, and the squares of differences stay exact
# in the sums over the greatest number of worlds.
UTILITY = 66 * WIN

_SCORES = ("score_low", "score_high", "lower_is_better", "score_goal")  # fields of RULES in declared games

# ---- rules.py: the course of a game

# (state, rules): deals a new game. The random streams are set already.
deal = game_function("deal", "rules")
# (state) -> the seat that decides, -1 when the game is over. Default: state.mover.
to_move = game_function("to_move", "rules", defaults.to_move, state=("mover",))
# (state, rules, moves) -> the number of legal actions, written into `moves`; 0 only when the game is over.
legal = game_function("legal", "rules")
# (state, rules, action): applies an action with everything that follows up to the next decision, chance included.
apply = game_function("apply", "rules")
# (state, rules) -> a uniform random legal action, drawn from state.choice. Default: lists the legal actions first.
random_move = game_function("random_move", "rules")
# (state, rules): applies a random move. Default: random_move, then apply. Write it only to be faster.
random_ply = game_function("random_ply", "rules")
# (state, rules) -> the number of random plies applied, up to the end of the round. Write it only to be faster.
random_round = game_function("random_round", "rules")
# (state) -> whether the next decision is a signal: it tells others something and is not counted as a move. The first
# legal action of a signal says nothing. Random plies and rounds leave signals out. Default: no signals.
is_signal = game_function("is_signal", "rules", defaults.is_signal)

# ---- rules.py: rounds, scores and results

# (state) -> whether the last action ended a scored round. Default: state.mover < 0, so the game is one round.
round_over = game_function("round_over", "rules", defaults.round_over, state=("mover",))
# (state, rules, scores): writes the score of each side for the round or game that just ended.
round_scores = game_function("round_scores", "rules")
# (state, rules, shares) -> whether the game is a draw; writes the share of WIN of each side.
# Default in declared games: the best score wins, and sides share a win; one side wins with the best possible score, or
# with `goal` of rules.toml.
outcome = game_function("outcome", "rules", rules=_SCORES)
# (state, rules, out): adds the counts named in COUNTS. Default: state.moves, state.turns, one round.
counts = game_function("counts", "rules", defaults.counts, state=("moves", "turns"))
# (state, rules, out): writes how good the end is for each side, from 0 to UTILITY. Searches maximise it.
# Default in declared games: half the win, half the score.
utility = game_function("utility", "rules", rules=_SCORES)
# (state, root) -> whether a search that began in the state `root` looks no further. Default: the end of the round.
search_over = game_function("search_over", "rules")
# (state, rules, out): writes how far each side has come, to see who leads. Default: nobody leads.
standing = game_function("standing", "rules", defaults.standing)

# ---- knows.py: what a seat sees of an action. What it knows of the state is the table SEEN.

# (state, rules) -> whether the next action is secret: other seats see only that it was made, as a card laid face down.
# Default: no action is secret.
is_secret = game_function("is_secret", "knows", defaults.is_secret)
# (state, rules, action, seat) -> 64 bits of what the seat sees of an action. Default: everything, or nothing of the
# secret actions of others.
observed = game_function("observed", "knows", defaults.observed)
# (state, rules, action) -> 64 bits that are equal for equivalent actions of a player. Default: all actions differ.
kind = game_function("kind", "knows", defaults.kind)

# ---- knows.py: the worlds a seat imagines

# (state, rules, seat, key) -> whether it worked; replaces what the seat cannot know by a random sample that agrees with
# what it knows, and sets the streams of `key`.
determinize = game_function("determinize", "knows")
# (state, rules, seat, key) -> the set of seats that play at random in the world that `seat` imagines by `key`.
# Default: none.
careless = game_function("careless", "knows", defaults.careless)
# (state, rules) -> the number of first bytes of a state that this setup uses; copies leave out the rest.
# Default: 0, which means all.
in_use = game_function("in_use", "knows", defaults.in_use)
# (past, rules, seat, now, world) -> whether the result depends on the world; changes `past`, the real state before an
# earlier decision, to what it was if `world`, which `seat` imagines now, is the real one: cards that the seat still
# cannot see become the world's. Needed only for readers (`reads=`). Default: the game cannot be read.
recall = game_function("recall", "knows", defaults.recall)

# ---- thumbs.py, clairvoyant.py: what players know about the game

# (state, rules, moves, n, table): writes the rules of thumb as integers of up to 32 bits, a row per move and a column
# per feature, from what the seat to move sees. Default: no rules of thumb.
features = game_function("features", "thumbs", defaults.features)
# (state, rules, seat, out): writes up to 40 small whole numbers that say how close a seat is to winning, with all cards
# open; flags are 32. A search that ends its playouts early foretells the winner from them (`ahead=`). STATE needs
# `turns`. Default: none.
prospects = game_function("prospects", "thumbs", defaults.prospects)
# (state, rules, action) -> bits of the CATEGORIES of an action, as far as its player can tell. Default: none.
category_bits = game_function("category_bits", "thumbs", defaults.category_bits)
# (state, rules, limit, line, memory) -> (status, length, nodes): searches a win with all cards open, and writes its
# actions into `line`. Status 1: found, 0: there is none, -1: undecided after `limit` nodes. Default: no solver.
solve = game_function("solve", "clairvoyant", defaults.solve)

# ---- Defaults that call other game functions


@default_of("random_ply")
@kernel
def _random_ply(state: State, rules: Rules) -> None:
    apply(state, rules, random_move(state, rules))


@default_of("random_round")
@kernel
def _random_round(state: State, rules: Rules) -> Number:
    plies = 0
    while to_move(state) >= 0:
        random_ply(state, rules)
        plies += 1
        if round_over(state):
            break
    return plies


def observed_unless(secret: Function, mover: Function) -> Function:
    """The default of `observed` in a game with `is_secret`."""

    @kernel
    def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
        return U8(action) + ONE if mover(state) == seat or not secret(state, rules) else ZERO

    return observed


def random_move_among(most: int) -> Function:
    """The default of `random_move` in a game with MAX_MOVES = most."""

    @kernel
    def random_move(state: State, rules: Rules) -> Action:
        moves = local_empty(most, np.int64)
        n = legal(state, rules, moves)
        state.choice = advance(state.choice)
        return moves[below(state.choice, n)]

    return random_move


@default_of("search_over")
@kernel
def _whole_round(state: State, root: State) -> Any:
    return round_over(state)


@kernel
def share_among(values: Numbers, best: Number, sides: Number, shares: Numbers) -> None:
    """Shares the win among the sides with the best value."""
    winners = 0
    for side in range(sides):
        winners += values[side] == best
    for side in range(sides):
        shares[side] = WIN // winners if values[side] == best else 0


@default_of("outcome")
@kernel
def _outcome(state: State, rules: Rules, shares: Numbers) -> Flag:
    """One side wins if its score reaches the goal; several sides compare scores and share a win."""
    scores = local_zeros(MAX_SIDES, np.int64)
    round_scores(state, rules, scores)
    best = scores[0]
    for side in range(1, rules.sides):
        if scores[side] < best if rules.lower_is_better else scores[side] > best:
            best = scores[side]
    share_among(scores, best, rules.sides, shares)
    if rules.sides == 1 and (best > rules.score_goal if rules.lower_is_better else best < rules.score_goal):
        shares[0] = 0
    return False


@default_of("utility")
@kernel
def _utility(state: State, rules: Rules, out: Numbers) -> None:
    """Half is the share of the win, half the place of the score in the range of scores."""
    scores, shares = local_zeros(MAX_SIDES, np.int64), local_zeros(MAX_SIDES, np.int64)
    round_scores(state, rules, scores)
    outcome(state, rules, shares)
    span = max(rules.score_high - rules.score_low, 1)
    for side in range(rules.sides):
        gained = rules.score_high - scores[side] if rules.lower_is_better else scores[side] - rules.score_low
        out[side] = (shares[side] * (UTILITY // WIN) + gained * UTILITY // span) // 2


# ---- Facts about the game of a state, for kernels


def says_what_others_see(game: Game) -> bool:
    """Whether the game itself says which actions others see: it has `is_secret` or `observed`."""
    return game.has("observed")


# (state, rules, seat, out) -> how many numbers it wrote into `out`, which holds 0 before: all that the seat knows
observe = by_game(lambda game: game.seen.observe if game.seen else defaults.observe)
# (state, rules, number) -> the move of a player that a class in plain Python names
named_move = by_game(lambda game: game.class_view.named_move if game.class_view else defaults.named_move)
names_players = fact(lambda game: game.class_view is not None)
feature_count = fact(lambda game: len(game.FEATURES))
# (state, weights, table, row) -> the weighted sum of the features in a row of the table
weighted_sum = by_game(lambda game: weighing(len(game.FEATURES)))
has_solver = fact(lambda game: game.has("solve"))
has_careless_players = fact(lambda game: game.has("careless"))
