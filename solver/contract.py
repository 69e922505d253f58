"""What a game is: the verbs its kernels answer, the record that holds a game, and the registry.

Playouts and search are written once, against the verbs below. A verb is chosen when an entry is compiled, by
the dtype of the state it is given, so a game costs nothing at run time and only games in use are compiled.

A game is a folder, and the same files are found in every one: state.py, play.py, score.py, knowledge.py, worlds.py,
features.py, categories.py, text.py, opening.py, and clairvoyant.py where it can be solved. `define` gathers a Game
from them, fills in what a game need not have, and refuses what does not fit. A small game may be a single file.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from types import ModuleType
from typing import Any

import numba
import numpy as np

from houle.solver.bitset import ZERO
from houle.solver.kernels import kernel, stands_for
from houle.solver.streams import STREAM_FIELDS
from houle.solver.types import Action, Key, Moves, Number, Numbers, Rules, Seat, State

# Capacities: what buffers and records of the house have room for.
MAX_SIDES = 8
MAX_COUNTS = 16
MAX_FEATURES = 16
MAX_CATEGORIES = 64
MOST_MOVES = 4096  # a game's own MAX_MOVES may not pass it
MAX_LINE = 128  # actions of a line that an exact solver finds

WIN = 840  # a whole win in shares: divisible by every number of sides that may share it

OWNED = frozenset({*dir(np.record), *dir(np.recarray)})  # `record.size` would be numpy's, not the field

Function = Callable[..., Any]
Named = tuple[tuple[str, str], ...]
Rates = Mapping[str, tuple[str, str]]


class GameError(TypeError):
    """A game that breaks the contract, in one line."""


# Where a game's folder holds a field of its record, under the same name.
_STATE, _TEXT, _FEATURES, _CATEGORIES, _DECK, _CLAIRVOYANT = (
    {"file": name} for name in ("state", "text", "features", "categories", "deck", "clairvoyant")
)


def _nothing_to_say(setup: Any) -> list[str]:
    return []


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """Everything the house asks of a game; setups come from `ruleset`, states are records of STATE."""

    name: str  # as users write it: "sea-change"
    package: str  # the module that defined it
    verbs: Mapping[str, Function]  # the kernels, every verb below

    # The two records: RULES has `seats`, `sides` and `side` (the side of each seat), STATE starts with the streams.
    RULES: np.dtype[Any] = field(metadata=_STATE)
    STATE: np.dtype[Any] = field(metadata=_STATE)
    MAX_MOVES: int = field(metadata=_STATE)  # capacity of a move buffer, whatever the knobs
    COUNTS: tuple[str, ...] = field(metadata=_STATE)  # what `counts` writes; the first three are moves, turns, rounds
    RATES: Rates = field(metadata=_STATE)  # published means: name -> (count, per); both from COUNTS, or "games"
    make_rules: Function = field(metadata=_STATE)  # (options, players) -> one RULES record, or a KnobError
    side_names: Function = field(metadata=_STATE)  # (setup) -> who is scored: names and seats
    score_range: Function = field(metadata=_STATE)  # (setup) -> the least and the greatest score

    snapshot: Function = field(metadata=_TEXT)  # (state, setup) -> the whole state as plain data
    show: Function = field(metadata=_TEXT)  # (state, setup) -> the state as text for people
    action_name: Function = field(metadata=_TEXT)  # (state, setup, action) -> the canonical name of a move
    house_rules: Function = field(default=_nothing_to_say, metadata=_TEXT)  # (setup) -> what every result must say

    # Names with a sentence each: the rules of thumb as `features` writes them, the bits of `category_bits`.
    FEATURES: Named = field(default=(), metadata=_FEATURES)
    CATEGORIES: Named = field(default=(), metadata=_CATEGORIES)

    check_deck: Function | None = field(default=None, metadata=_DECK)  # (path) -> faults of a deck of one's own
    solver_memory: Function | None = field(default=None, metadata=_CLAIRVOYANT)  # (setup) -> what `solve` works in
    LONGEST_LINE: int = field(default=0, metadata=_CLAIRVOYANT)  # actions of the longest line that `solve` writes

    has_features: bool = False  # rules of thumb: it can be played by more than chance
    has_solver: bool = False  # `solve` answers something
    has_standing: bool = False  # somebody can be ahead while a game is under way
    is_cooperative: bool = False  # all players win or lose together, at every table
    hands_rotate: bool = False  # hands go round the table, so that everybody plays each of them

    def file(self, name: str) -> ModuleType | None:
        """A file of the game's folder that is loaded when somebody asks, such as `opening`; None if it has none."""
        return _file(self.package, name)


_VERBS: dict[str, tuple[str, Function | None]] = {}  # the file a verb is in, and what stands in for it
_BY_DTYPE: dict[np.dtype[Any], Game] = {}
_BY_TYPE: dict[Any, Game] = {}


def _verb(name: str, file: str, stand_in: Function | None = None) -> Function:
    _VERBS[name] = file, stand_in

    def plain(state: State, *rest: Any) -> Any:
        return _BY_DTYPE[state.dtype].verbs[name](state, *rest)

    @stands_for(plain)
    def chosen(state: State, *rest: Any) -> Any:
        play = _BY_TYPE[state].verbs[name]

        def call(state: State, *rest: Any) -> Any:
            return play(state, *rest)

        return call

    plain.__name__ = plain.__qualname__ = name
    return plain


@kernel
def _random_ply(state: State, rules: Rules) -> None:
    apply(state, rules, random_move(state, rules))


@kernel
def _whole_round(state: State, root: State) -> Any:
    """A search looks as far as the end of the round."""
    return round_over(state)


@kernel
def _nobody(state: State, rules: Rules, seat: Seat, key: Key) -> Any:
    """A game whose imagined players all follow their rules of thumb."""
    return ZERO


@kernel
def _no_standing(state: State, rules: Rules, out: Numbers) -> None:
    """A game in which nobody is ahead of anybody."""


@kernel
def _no_features(state: State, rules: Rules, moves: Moves, n: Number, table: Any) -> None:
    """A game without rules of thumb."""


@kernel
def _no_categories(state: State, rules: Rules, action: Action) -> Any:
    """A game whose moves are all of one sort."""
    return ZERO


@kernel
def _no_solver(state: State, rules: Rules, limit: Number, line: Any, memory: Any) -> Any:
    """A game without an exact solver: nothing is foreseen, and nothing is left unresolved either."""
    return 0, 0, 0


# Every verb once: its name, the file of a game that holds it, what stands in for it where a game has none.
deal = _verb("deal", "play")  # (state, rules): sets the game up; the streams are open already
to_move = _verb("to_move", "play")  # (state): the seat whose strategy decides, -1 when the game is over
legal = _verb("legal", "play")  # (state, rules, moves): writes the actions, returns how many; 0 iff over
random_move = _verb("random_move", "play")  # (state, rules): one of `legal`, uniform, drawn from state.choice
random_ply = _verb("random_ply", "play", _random_ply)  # (state, rules): random_move applied in one go, maybe faster
apply = _verb("apply", "play")  # (state, rules, action): in place, chance included, up to the next decision
round_over = _verb("round_over", "score")  # (state): the last action ended a scoring round
round_scores = _verb("round_scores", "score")  # (state, rules, scores): per side, of the round or game just ended
standing = _verb("standing", "score", _no_standing)  # (state, rules, out): per side, how far it has come
outcome = _verb("outcome", "score")  # (state, rules, shares): per side, its share of WIN; returns True for a draw
counts = _verb("counts", "score")  # (state, rules, out): adds the totals named in COUNTS
worth = _verb("worth", "score")  # (state, rules, out): per side in [0, 1], how good the end is; search maximises it
knows = _verb("knows", "knowledge")  # (state, rules, seat): 64-bit mix of all that the seat knows
observed = _verb("observed", "knowledge")  # (state, rules, action, seat): what `seat` sees of an action
kind = _verb("kind", "knowledge")  # (state, rules, action): equal for actions that are the same to a player
# (state, rules, seat, key): resamples what `seat` may not know, on streams of `key`; True if exact
determinize = _verb("determinize", "worlds")
# (state, root): a search that began in the world `root` looks no further
search_over = _verb("search_over", "score", _whole_round)
# (state, rules, seat, key): the seats that play at random in the world that `seat` imagines by `key`, a set
careless = _verb("careless", "worlds", _nobody)
# (state, rules, moves, n, table): rules of thumb, a row of integers per move, from what the seat sees
features = _verb("features", "features", _no_features)
# (state, rules, action): bits of CATEGORIES that the action belongs to, as far as its player can tell
category_bits = _verb("category_bits", "categories", _no_categories)
# (state, rules, limit, line, memory): exact search with the future known; (status, length, nodes)
solve = _verb("solve", "clairvoyant", _no_solver)


def game(name: str) -> Game:
    """A game of the house by its name ("sea-change" or "sea_change"), imported on first use."""
    found: Game = importlib.import_module(f"houle.solver.games.{name.replace('-', '_')}").GAME
    return found


def define(package: str, *, is_cooperative: bool = False, hands_rotate: bool = False) -> Game:
    """Gathers a game from the files of its folder, checks it and makes the verbs find its kernels."""
    own = package.rpartition(".")[2]
    files = {part.name: part.metadata["file"] for part in fields(Game) if part.metadata}
    optional = {part.name for part in fields(Game) if part.default is not MISSING}
    files |= {verb: file for verb, (file, _) in _VERBS.items()}
    optional |= {verb for verb, (_, stand_in) in _VERBS.items() if stand_in is not None}
    found = {name: value for name, file in files.items() if (value := _held(package, file, name)) is not None}
    missing = [f"{files[name]}.{name}" for name in files if name not in found and name not in optional]
    if missing:
        raise GameError(f"{own} lacks {', '.join(missing)}")
    verbs = {verb: found.pop(verb, stand_in) for verb, (_, stand_in) in _VERBS.items()}
    defined = Game(
        name=own.replace("_", "-"),
        package=package,
        verbs=verbs,
        has_features=verbs["features"] is not _no_features,
        has_solver=verbs["solve"] is not _no_solver,
        has_standing=verbs["standing"] is not _no_standing,
        is_cooperative=is_cooperative,
        hands_rotate=hands_rotate,
        **found,
    )
    for fault in _faults(defined, own):
        raise GameError(f"{own}: {fault}")
    _BY_DTYPE[defined.STATE] = _BY_DTYPE[np.dtype((np.record, defined.STATE))] = defined
    _BY_TYPE[numba.from_dtype(defined.STATE)] = defined
    return defined


def _file(package: str, name: str) -> ModuleType | None:
    if not hasattr(sys.modules[package], "__path__"):
        return None
    full = f"{package}.{name}"
    return importlib.import_module(full) if importlib.util.find_spec(full) else None


def _held(package: str, file: str, name: str) -> Any:
    """What a file of a game holds under a name, or None; a game without a folder holds everything itself."""
    module = sys.modules[package]
    return getattr(_file(package, file) if hasattr(module, "__path__") else module, name, None)


def _faults(game: Game, own: str) -> Iterator[str]:
    """What does not fit, each in words; kernels would fail on it later, or silently play something else."""
    for what, dtype in (("STATE", game.STATE), ("RULES", game.RULES)):
        names = dtype.names or ()
        if own not in names or dtype[own] != np.uint8:
            yield f"{what} needs a byte named {own}, which tells it from other games' records"
        for name in sorted(OWNED.intersection(names)):
            yield f"{what}: {name} is a name of numpy's own records; give the field another one"
    streams = [field for field, _ in STREAM_FIELDS]
    if list(game.STATE.names or ())[: len(streams)] != streams:
        yield f"STATE must start with the streams {', '.join(streams)}"
    for name in ("seats", "sides", "side"):
        if name not in (game.RULES.names or ()):
            yield f"RULES needs a field {name}"
    if (sides := int(np.prod(game.RULES["side"].shape))) > MAX_SIDES:
        yield f"RULES: side has {sides} places; allowed: at most {MAX_SIDES}"
    if not 1 <= game.MAX_MOVES <= MOST_MOVES:
        yield f"MAX_MOVES is {game.MAX_MOVES}; allowed: 1 to {MOST_MOVES}"
    if tuple(game.COUNTS[:3]) != ("moves", "turns", "rounds"):
        yield f"COUNTS must start with moves, turns, rounds, not with {', '.join(game.COUNTS[:3])}"
    if len(game.COUNTS) > MAX_COUNTS:
        yield f"{len(game.COUNTS)} COUNTS; allowed: at most {MAX_COUNTS}"
    for name in sorted({part for rate in game.RATES.values() for part in rate} - {*game.COUNTS, "games"}):
        yield f"RATES: {name} is not in COUNTS"
    if len(game.FEATURES) > MAX_FEATURES:
        yield f"{len(game.FEATURES)} FEATURES; allowed: at most {MAX_FEATURES}"
    if len(game.CATEGORIES) > MAX_CATEGORIES:
        yield f"{len(game.CATEGORIES)} CATEGORIES; allowed: at most {MAX_CATEGORIES}"
    if game.LONGEST_LINE > MAX_LINE:
        yield f"LONGEST_LINE of the solver is {game.LONGEST_LINE}; allowed: at most {MAX_LINE}"
    other = _BY_TYPE.get(numba.from_dtype(game.STATE))
    if other is not None and other.package != game.package:
        yield f"STATE is the same as that of {other.name}"


def _constant(read: Callable[[Game], Any]) -> Function:
    """A fact about the state's game; a constant to the compiler."""

    def plain(state: State) -> Any:
        return read(_BY_DTYPE[state.dtype])

    @stands_for(plain)
    def chosen(state: State) -> Any:
        value = read(_BY_TYPE[state])

        def call(state: State) -> Any:
            return value

        return call

    return plain


feature_count = _constant(lambda game: len(game.FEATURES))
has_solver = _constant(lambda game: game.has_solver)
has_standing = _constant(lambda game: game.has_standing)
some_are_careless = _constant(lambda game: game.verbs["careless"] is not _nobody)


def blank(dtype: np.dtype[Any], number: int | tuple[int, ...] = 1) -> Any:
    """Zeroed records that kernels and plain Python address alike (`record.field`)."""
    return np.zeros(number, dtype).view(np.recarray)
