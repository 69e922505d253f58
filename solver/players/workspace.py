"""The memory that searches work in, and the worlds in it: allocated once per chunk of games, passed as one value."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from houle.solver.cards.bits import ZERO
from houle.solver.compiler.kernels import mark_of, outlined
from houle.solver.compiler.records import put
from houle.solver.compiler.types import Features, Flag, Key, Moves, Numbers, Player, Rules, Seat, State, States
from houle.solver.interface import MAX_FEATURES, MAX_LINE, MAX_SIDES, Game, blank, careless, determinize, in_use
from houle.solver.players.decision_log import DECISION
from houle.solver.players.kinds import CLAIRVOYANT, THUMB
from houle.solver.players.player import LineUp
from houle.solver.players.reading.memory import Memory, make_memory
from houle.solver.rules import Setup

COLUMNS = MAX_FEATURES + 4  # of a table: features, then the rating (thumb.py)
LEARNED = 2  # decisions after the first move about which tree search learns

# A move in the race at the root of a search. Utilities are whole numbers (see UTILITY), so sums are exact and do not
# depend on the order of the worlds.
CANDIDATE = np.dtype(
    [
        ("alive", "?"),  # not yet dropped as clearly worse
        ("help", "?"),  # an optional help (person.py)
        ("value", "i8"),  # utility for the player's own side in the current world
        ("share", "i8"),  # its share of the win there, in 1/840; only where the decision is logged
        ("gain", "i8"),  # sum over worlds of its value less that of the thumb's move
        ("gain_squared", "i8"),  # sum of the squared differences
        ("rating", "i8"),  # by the rules of thumb
    ],
    align=True,
)
# What simulations of tree search learned about an information set, or about a kind of move in it.
SLOT = np.dtype(
    [
        ("label", "u8"),  # 0: empty
        ("total", "i8"),  # sum of utilities for the own side
        ("visits", "i8"),
    ],
    align=True,
)
COUNTERS = np.dtype(
    [
        ("foreseen", "i8"),  # plies of the winning line that a clairvoyant found; 0 if there is none
        ("plies", "i8"),  # played inside searches so far
        ("playouts", "i8"),  # finished by searches so far
        ("careless", "u8"),  # set of seats that play at random in the current world
    ],
    align=True,
)


# What is compiled to play line-ups that think. Each part can do all that the part before it can.
PARTS = PEOPLE, SEARCHES, SOLVERS = "people", "searches", "solvers"


class Scene(NamedTuple):
    """The buffers of imagined games. Kept small, because every call copies its arguments."""

    counters: Any  # one COUNTERS
    worlds: States  # two: the imagined world, and the line played in it
    buffer: Moves  # moves of an imagined position
    table: Features  # of the moves in the buffer
    utilities: Numbers  # per side, at the end of a line


class Tree(NamedTuple):
    """What simulations of ismcts learned at the current decision."""

    slots: Any  # SLOTs
    path: Numbers  # slots that the current simulation passed: information set and move, by turns
    priors: Numbers  # the softmax of the thumb's ratings of the moves in the buffer


class Workspace(NamedTuple):
    """The memory of every player that imagines worlds."""

    scene: Scene
    candidates: Any  # a CANDIDATE for every move at the root
    memory: Memory  # the decisions so far, for readers
    line: Moves  # the winning line that a clairvoyant or a judge found


class Search(NamedTuple):
    """What searches need beside a workspace."""

    tree: Tree
    log: Any  # the DECISION of flat search; no row: it is not logged


class Thinking(NamedTuple):
    """All memory of a line-up. What is None is not compiled: people need no search, and most searches no solver."""

    work: Any = None  # a Workspace; None where nobody thinks
    search: Search | None = None
    solver: Any = None  # memory of the game's own exact solver

    @property
    def part(self) -> str:
        """What is compiled to play with it."""
        return SOLVERS if self.solver is not None else SEARCHES if self.search is not None else PEOPLE


def move_buffers(setup: Setup) -> tuple[Moves, Features]:
    """Empty buffers for the moves of a position and their features."""
    most = setup.game.MAX_MOVES
    return np.zeros(most, np.int64), np.zeros((most, COLUMNS), np.int64)


def make_thinking(setup: Setup, line_up: LineUp, log: Any = None) -> Thinking:
    """Allocates what the players of a line-up need to think; `log` takes the last decision of a search."""
    if line_up.level <= THUMB:
        return Thinking()
    work, part = make_workspace(setup, line_up), part_of(line_up)
    if part == PEOPLE:
        return Thinking(work)
    game, most_moves = setup.game, setup.game.MAX_MOVES
    tree = Tree(
        slots=blank(SLOT, int(max(line_up.records.slots))),
        path=np.zeros(2 * LEARNED, np.int64),
        priors=np.zeros(most_moves, np.int64),
    )
    search = Search(tree, blank(DECISION, 0) if log is None else log)
    if part == SEARCHES:
        return Thinking(work, search)
    return Thinking(work, search, game.solver_memory(setup) if game.solver_memory else np.zeros(1, np.int64))


def part_of(line_up: LineUp) -> str:
    """What plays a line-up that thinks: the part it needs, or a greater one that is compiled already."""
    needed = PEOPLE
    if line_up.searches:
        needed = SOLVERS if line_up.solves and line_up.setup.game.has("solve") else SEARCHES
    fitting = PARTS[PARTS.index(needed) :]
    return next((part for part in fitting if mark_of(line_up.setup.game.marker, part).exists()), needed)


@cache
def mark_part(game: Game, part: str) -> None:
    """Notes beside the kernels of a game that a part is compiled."""
    with suppress(OSError):
        mark_of(game.marker, part).touch(0o600)


def make_workspace(setup: Setup, line_up: LineUp) -> Workspace:
    """Allocates what players need to imagine worlds."""
    game, most_moves = setup.game, setup.game.MAX_MOVES
    buffer, table = move_buffers(setup)
    return Workspace(
        scene=Scene(
            counters=blank(COUNTERS),
            worlds=blank(game.STATE, 2),
            buffer=buffer,
            table=table,
            utilities=np.zeros(MAX_SIDES, np.int64),
        ),
        candidates=blank(CANDIDATE, most_moves),
        memory=make_memory(setup, line_up.remembers),
        line=np.zeros(MAX_LINE, np.int64),
    )


@outlined
def imagine(state: State, rules: Rules, player: Player, seat: Seat, key: Key, scene: Scene) -> Flag:
    """Samples a world that the seat cannot tell from the real one; a clairvoyant gets the real one."""
    put(scene.worlds, 0, state, in_use(state, rules))
    scene.counters[0].careless = ZERO
    if player.kind == CLAIRVOYANT:
        scene.worlds[0].choice = key
        return True
    scene.counters[0].careless = careless(state, rules, seat, key)
    return determinize(scene.worlds[0], rules, seat, key)
