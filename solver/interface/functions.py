"""The verbs that the kernels of a game answer, chosen by the dtype of their state, and what stands in for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from houle.solver import defaults
from houle.solver.capacities import MAX_SIDES
from houle.solver.interface.game import Function, Game
from houle.solver.kernels import kernel, stands_for
from houle.solver.local_arrays import local_empty, local_zeros
from houle.solver.streams import advance, below
from houle.solver.types import Action, Flag, Number, Numbers, Rules, State

WIN = 840  # a whole win in shares: divisible by every number of sides that may share it
# The most an end can be worth to a search, in points of worth: shares of a win and parts of twelve are whole numbers
# of points, and squares of their differences stay exact when the most worlds are added up.
UTILITY = 66 * WIN


class GameFunction(NamedTuple):
    """Where a verb is found in a game, and what stands in for it where the records have these fields."""

    file: str
    default: Function | None
    state: tuple[str, ...]
    rules: tuple[str, ...]


FUNCTIONS: dict[str, GameFunction] = {}
_SCORES = ("score_low", "score_high", "lower_is_better")  # of RULES, see `definition`
BY_DTYPE: dict[np.dtype[Any], Game] = {}
BY_TYPE: dict[Any, Game] = {}


def _game_function(
    name: str, file: str, default: Function | None = None, state: tuple[str, ...] = (), rules: tuple[str, ...] = ()
) -> Function:
    """A verb, the file of a game that holds it, and what stands in for it in games with these fields."""
    FUNCTIONS[name] = GameFunction(file, default, state, rules)

    def plain(state: State, *rest: Any) -> Any:
        return BY_DTYPE[state.dtype].functions[name](state, *rest)

    @stands_for(plain)
    def chosen(state: State, *rest: Any) -> Any:
        play = BY_TYPE[state].functions[name]

        def call(state: State, *rest: Any) -> Any:
            return play(state, *rest)

        return call

    plain.__name__ = plain.__qualname__ = name
    return plain


@kernel
def _random_ply(state: State, rules: Rules) -> None:
    apply(state, rules, random_move(state, rules))


@kernel
def _random_round(state: State, rules: Rules) -> Number:
    plies = 0
    while to_move(state) >= 0:
        random_ply(state, rules)
        plies += 1
        if round_over(state):
            break
    return plies


def random_move_among(most: int) -> Function:
    """`random_move` for games that have at most so many: any of the legal ones, each written down first."""

    @kernel
    def random_move(state: State, rules: Rules) -> Action:
        moves = local_empty(most, np.int64)
        n = legal(state, rules, moves)
        state.choice = advance(state.choice)
        return moves[below(state.choice, n)]

    return random_move


@kernel
def _whole_round(state: State, root: State) -> Any:
    """A search looks as far as the end of the round."""
    return round_over(state)


@kernel
def _outcome(state: State, rules: Rules, shares: Numbers) -> Flag:
    """A team wins by the best score there is; rivals by the best of theirs, and share a win."""
    scores = local_zeros(MAX_SIDES, np.int64)
    round_scores(state, rules, scores)
    best = rules.score_low if rules.lower_is_better else rules.score_high
    if rules.sides > 1:
        best = scores[0]
        for side in range(1, rules.sides):
            best = min(best, scores[side]) if rules.lower_is_better else max(best, scores[side])
    winners = 0
    for side in range(rules.sides):
        winners += scores[side] == best
    for side in range(rules.sides):
        shares[side] = WIN // winners if scores[side] == best else 0
    return False


@kernel
def _utility(state: State, rules: Rules, out: Numbers) -> None:
    """Half of it is the win, the other half how good the score is among all scores there are."""
    scores, shares = local_zeros(MAX_SIDES, np.int64), local_zeros(MAX_SIDES, np.int64)
    round_scores(state, rules, scores)
    outcome(state, rules, shares)
    span = max(rules.score_high - rules.score_low, 1)
    for side in range(rules.sides):
        gained = rules.score_high - scores[side] if rules.lower_is_better else scores[side] - rules.score_low
        out[side] = (shares[side] * (UTILITY // WIN) + gained * UTILITY // span) // 2


# Every verb once: its name, the file of a game that holds it, what stands in for it where a game has none.
deal = _game_function("deal", "play")  # (state, rules): sets the game up; the streams are open already
# (state): the seat whose strategy decides, -1 when the game is over
to_move = _game_function("to_move", "play", defaults.to_move, state=("mover",))
legal = _game_function("legal", "play")  # (state, rules, moves): writes the actions, returns how many; 0 iff over
# (state, rules): one of `legal`, uniform, drawn from state.choice; see `random_move_among` where a game has none
random_move = _game_function("random_move", "play")
random_ply = _game_function(
    "random_ply", "play", _random_ply
)  # (state, rules): random_move applied in one go, maybe faster
# (state, rules): random plies to the end of a scoring round, how many; maybe faster still
random_round = _game_function("random_round", "play", _random_round)
apply = _game_function("apply", "play")  # (state, rules, action): in place, chance included, up to the next decision
# (state): the last action ended a scoring round
round_over = _game_function("round_over", "score", defaults.round_over, state=("mover",))
round_scores = _game_function(
    "round_scores", "score"
)  # (state, rules, scores): per side, of the round or game just ended
standing = _game_function("standing", "score", defaults.standing)  # (state, rules, out): per side, how far it has come
# (state, rules, shares): per side, its share of WIN; returns True for a draw
outcome = _game_function("outcome", "score", _outcome, rules=_SCORES)
# (state, rules, out): adds the totals named in COUNTS
counts = _game_function("counts", "score", defaults.counts, state=("moves", "turns"))
# (state, rules, out): per side, how good the end is, from 0 to WORTH in whole points; search maximises it
utility = _game_function("utility", "score", _utility, rules=_SCORES)
knows = _game_function("knows", "knowledge")  # (state, rules, seat): 64-bit mix of all that the seat knows
# (state, rules, action, seat): what `seat` sees of an action
observed = _game_function("observed", "knowledge", defaults.observed)
# (state, rules, action): equal for actions that are the same to a player
kind = _game_function("kind", "knowledge", defaults.kind)
# (state, rules, seat, key): resamples what `seat` may not know, on streams of `key`; True if exact
determinize = _game_function("determinize", "worlds")
# (state, root): a search that began in the world `root` looks no further
search_over = _game_function("search_over", "score", _whole_round)
# (state, rules, seat, key): the seats that play at random in the world that `seat` imagines by `key`, a set
careless = _game_function("careless", "worlds", defaults.careless)
# (state, rules): how many bytes of a state this table needs, from its beginning; 0 for all: copies leave out the rest
in_use = _game_function("in_use", "worlds", defaults.in_use)
# (state): tricks to finish in this round, this one included; of games whose last tricks a search may play exactly
tricks_to_come = _game_function("tricks_to_come", "play", defaults.tricks_to_come)
# (past, rules, seat, now, world): makes `past`, a state before an earlier decision, what it was if the `world` that
# `seat` imagines is the real one: what it still cannot see is the world's; False where all worlds are alike there
recall = _game_function("recall", "worlds", defaults.recall)
# (state, rules, moves, n, table): rules of thumb, a row of integers per move, from what the seat sees
features = _game_function("features", "features", defaults.features)
# (state, rules, action): bits of CATEGORIES that the action belongs to, as far as its player can tell
category_bits = _game_function("category_bits", "categories", defaults.category_bits)
# (state, rules, limit, line, memory): exact search with the future known; (status, length, nodes)
solve = _game_function("solve", "clairvoyant", defaults.solve)


def by_game(choose: Callable[[Game], Function]) -> Function:
    """What kernels call, chosen by the state's game: what a game does not need is not compiled for it."""

    def plain(state: State, *rest: Any) -> Any:
        return choose(BY_DTYPE[state.dtype])(state, *rest)

    @stands_for(plain)
    def chosen(state: State, *rest: Any) -> Any:
        play = choose(BY_TYPE[state])

        def call(state: State, *rest: Any) -> Any:
            return play(state, *rest)

        return call

    return plain


def _constant(read: Callable[[Game], Any]) -> Function:
    """A fact about the state's game; a constant to the compiler."""

    def plain(state: State) -> Any:
        return read(BY_DTYPE[state.dtype])

    @stands_for(plain)
    def chosen(state: State) -> Any:
        value = read(BY_TYPE[state])

        def call(state: State) -> Any:
            return value

        return call

    return plain


def searches_to_round_end(game: Game) -> bool:
    """Whether searches look as far as the round goes, so that nobody asks how a line began."""
    return game.functions["search_over"] is _whole_round


feature_count = _constant(lambda game: len(game.FEATURES))
has_solver = _constant(lambda game: game.has_solver)
has_standing = _constant(lambda game: game.has_standing)
has_tricks = _constant(lambda game: game.has_tricks)
has_careless_players = _constant(lambda game: game.functions["careless"] is not defaults.careless)
