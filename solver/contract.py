"""What a game is: the verbs every game's kernels answer, the names its module holds, and the registry.

Playouts and search are written once, against the verbs below. A verb is chosen when an entry is compiled, by
the dtype of the state it is given, so a game costs nothing at run time and only games in use are compiled.

A game is a module `houle.solver.games.<name>` that holds, besides the verbs as kernels:

    RULES, STATE      the two dtypes; each has a field named after the game, which tells it from the others;
                      RULES has `seats`, `sides` and `side` (the side of each seat), STATE starts with the streams
    MAX_MOVES         capacity of a move buffer, whatever the knobs
    COUNTS            names of what `counts` writes; the first three are moves, turns, rounds
    FEATURES          the rules of thumb: (name, a sentence for players) in the order `features` writes them
    RATES             published means: name -> (count, per), both from COUNTS or "games"
    SORTS             sorts of moves a player can be told never to make: (name, what it is), bit by bit of `sorts_of`
    make_rules(options, players)   checked knobs -> one RULES record (raises KnobError for impossible ones)
    side_names(setup), score_range(setup)            who is scored, and the least and greatest score
    snapshot(state, setup), show(state, setup)       the whole state as plain data; as text for people
    action_name(state, setup, action)                the canonical name of a move
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba.extending import overload

from houle.solver.bitset import ZERO
from houle.solver.kernels import kernel
from houle.solver.streams import STREAM_FIELDS

MAX_SIDES = 8
WIN = 840  # a whole win in shares: divisible by every number of sides that may share it

VERBS = (
    "deal",  # (state, rules): sets the game up; the streams are open already
    "to_move",  # (state): the seat whose strategy decides, -1 when the game is over
    "legal",  # (state, rules, moves): writes the actions, returns how many; 0 iff over
    "random_move",  # (state, rules): one of `legal`, uniform, drawn from state.choice
    "random_ply",  # (state, rules): random_move applied in one go; a game may have a faster one of its own
    "apply",  # (state, rules, action): in place, chance included, up to the next decision
    "round_over",  # (state): the last action ended a scoring round
    "round_scores",  # (state, rules, scores): per side, the score of the entry that just ended (round or game)
    "outcome",  # (state, rules, shares): per side, share of the win in 1/840; returns True for a draw
    "counts",  # (state, rules, out): the totals named in COUNTS
    "worth",  # (state, rules, out): per side in [0, 1], how good the finished round or game is; search maximises it
    "determinize",  # (state, rules, seat, key): resamples what `seat` may not know, on streams of `key`; True if exact
    "knows",  # (state, rules, seat): 64-bit mix of all that the seat knows
    "observed",  # (state, rules, action, seat): what `seat` sees of an action
    "kind",  # (state, rules, action): equal for actions that are the same to a player
)
OPTIONAL = (
    "solve",  # (state, rules, limit, line, memory): exact search with the future known; (status, length, nodes)
    "features",  # (state, rules, moves, n, table): rules of thumb, a row of integers per move, from what the seat sees
    "standing",  # (state, rules, out): per side, how far it has come in the game under way; greater is better
    "sorts_of",  # (state, rules, action): bits of SORTS that the action belongs to, as far as its player can tell
)
NAMES = (
    "RULES",
    "STATE",
    "MAX_MOVES",
    "COUNTS",
    "RATES",
    "make_rules",
    "side_names",
    "score_range",
    "snapshot",
    "show",
    "action_name",
)

_BY_DTYPE: dict[np.dtype[Any], ModuleType] = {}
_BY_TYPE: dict[Any, ModuleType] = {}


def game(name: str) -> ModuleType:
    """The module of a game by its name ("sea-change" or "sea_change"), imported on first use."""
    return register(importlib.import_module(f"houle.solver.games.{name.replace('-', '_')}"))


def register(module: ModuleType) -> ModuleType:
    """Makes the verbs find a game's kernels; refuses a module that breaks the contract."""
    state = module.STATE
    if _BY_DTYPE.get(state) is module:
        return module
    own = module.__name__.rpartition(".")[2]
    for verb, stand_in in _STAND_INS.items():
        if not hasattr(module, verb):
            setattr(module, verb, stand_in)
    missing = [name for name in (*NAMES, *VERBS) if not hasattr(module, name)]
    if missing:
        raise TypeError(f"{module.__name__} lacks {', '.join(missing)}")
    for dtype in (module.STATE, module.RULES):
        if own not in dtype.names:
            raise TypeError(f"{module.__name__}: a record has no field named {own}")
    if [field for field, _ in STREAM_FIELDS] != list(state.names[: len(STREAM_FIELDS)]):
        raise TypeError(f"{module.__name__}: STATE must start with the streams")
    kind = numba.from_dtype(state)
    if kind in _BY_TYPE:
        raise TypeError(f"{module.__name__} and {_BY_TYPE[kind].__name__} have the same STATE")
    _BY_DTYPE[state] = _BY_DTYPE[np.dtype((np.record, state))] = module
    _BY_TYPE[kind] = module
    return module


def _verb(name: str) -> Callable[..., Any]:
    def plain(state: Any, *rest: Any) -> Any:
        return getattr(_BY_DTYPE[state.dtype], name)(state, *rest)

    @overload(plain)  # type: ignore[untyped-decorator]
    def chosen(state: Any, *rest: Any) -> Any:
        play = getattr(_BY_TYPE[state], name)

        def call(state: Any, *rest: Any) -> Any:
            return play(state, *rest)

        return call

    plain.__name__ = plain.__qualname__ = name
    return plain


deal = _verb("deal")
to_move = _verb("to_move")
legal = _verb("legal")
random_move = _verb("random_move")
random_ply = _verb("random_ply")
apply = _verb("apply")
round_over = _verb("round_over")
round_scores = _verb("round_scores")
outcome = _verb("outcome")
counts = _verb("counts")
worth = _verb("worth")
determinize = _verb("determinize")
knows = _verb("knows")
observed = _verb("observed")
kind = _verb("kind")
features = _verb("features")
solve = _verb("solve")
standing = _verb("standing")
sorts_of = _verb("sorts_of")


@kernel
def _random_ply(state: Any, rules: Any) -> None:
    apply(state, rules, random_move(state, rules))


@kernel
def _no_solver(state: Any, rules: Any, limit: Any, line: Any, memory: Any) -> Any:
    """A game without an exact solver: nothing is foreseen, and nothing is left unresolved either."""
    return 0, 0, 0


@kernel
def _no_standing(state: Any, rules: Any, out: Any) -> None:
    """A game in which nobody is ahead of anybody."""


@kernel
def _no_sorts(state: Any, rules: Any, action: Any) -> Any:
    """A game whose moves are all of one sort."""
    return ZERO


_STAND_INS = {"random_ply": _random_ply, "solve": _no_solver, "standing": _no_standing, "sorts_of": _no_sorts}


def _constant(read: Callable[[ModuleType], Any]) -> Callable[..., Any]:
    """A fact about the state's game; a constant to the compiler."""

    def plain(state: Any) -> Any:
        return read(_BY_DTYPE[state.dtype])

    @overload(plain)  # type: ignore[untyped-decorator]
    def chosen(state: Any) -> Any:
        value = read(_BY_TYPE[state])

        def call(state: Any) -> Any:
            return value

        return call

    return plain


feature_count = _constant(lambda module: len(module.FEATURES))  # how many rules of thumb the game has
has_solver = _constant(lambda module: hasattr(module, "solver_memory"))  # whether `solve` answers anything
has_standing = _constant(lambda module: module.standing is not _no_standing)  # whether somebody can be ahead


def blank(dtype: np.dtype[Any], number: int | tuple[int, ...] = 1) -> Any:
    """Zeroed records that kernels and plain Python address alike (`record.field`)."""
    return np.zeros(number, dtype).view(np.recarray)
