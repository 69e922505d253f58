"""The memory that searches work in: made once for a chunk of games, passed along as one piece."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from houle.solver.interface import MAX_FEATURES, MAX_LINE, MAX_SIDES, blank
from houle.solver.ruleset import Setup
from houle.solver.strategies.decision_log import DECISION
from houle.solver.strategies.names import ISMCTS
from houle.solver.strategies.player import LineUp
from houle.solver.strategies.reading.memory import Memory, make_memory
from houle.solver.types import Features, Moves, Numbers, States

MAX_DEPTH = 256  # choices of one simulation that are remembered
NODES_PER_SIMULATION = 4

# A move in the race at the root of a search. What is worth something is counted in whole points (WORTH), so that sums
# are exact and come to the same in whatever order worlds are added.
CANDIDATE = np.dtype(
    [
        ("alive", "?"),  # until it is dropped as clearly worse
        ("value", "i8"),  # what the world under way came to for the own side
        ("share", "i8"),  # its share of the win there, in 1/840; only where decisions are noted
        ("gain", "i8"),  # by how much it was better than the thumb's own move in the same worlds, summed
        ("gain_squared", "i8"),  # the same, squared world by world
    ],
    align=True,
)
# The same move, of a search that mixes, see mixing.py.
MIXED = np.dtype(
    [
        ("regret", "i8"),  # how much better it would have been than the moves drawn so far, none below 0
        ("chance", "i8"),  # to be drawn in the next world
        ("part", "i8"),  # of the mixture: chances so far, later worlds counting more
    ],
    align=True,
)
NODE = np.dtype(
    [
        ("label", "u8"),  # what the root's seat observed on the way here from the parent
        ("sibling", "i4"),  # next child of the same parent, or -1
        ("child", "i4"),  # first child, or -1
        ("arm", "i4"),  # first arm, or -1
    ],
    align=True,
)
ARM = np.dtype(
    [
        ("label", "u8"),  # the action, as far as it is told apart
        ("total", "i8"),  # sum of worths for the own side
        ("sibling", "i4"),  # next arm of the same node, or -1
        ("visits", "i4"),
        ("available", "i4"),  # simulations in which the action could be chosen
    ],
    align=True,
)
# A ply of exact play, see ends.py.
LAST_PLY = np.dtype(
    [
        ("moves", "i8"),  # how many there are
        ("next", "i8"),  # the first that was not tried yet
        ("low", "i8"),  # two sides: the margin that the first is sure of already
        ("high", "i8"),  # and the one that the second leaves it at most
        ("utilities", "i8", MAX_SIDES),  # what the best move so far comes to, per side
    ],
    align=True,
)
COUNTERS = np.dtype(
    [
        ("game", "i8"),  # the number of the game under way
        ("ply", "i8"),  # decisions made in it
        ("foreseen", "i8"),  # plies of the winning line that a clairvoyant found for it, 0 if there is none
        ("noted", "i8"),  # rows of the decision log in use
        ("plies", "i8"),  # made inside searches so far
        ("playouts", "i8"),  # lines that searches played to the end so far
        ("nodes", "i8"),  # of the tree under way
        ("arms", "i8"),  # of the tree under way
        ("careless", "u8"),  # seats that play at random in the world under way, a set
    ],
    align=True,
)


class Scene(NamedTuple):
    """What imagined games are played in: a piece of its own, because every call copies what it is given."""

    counters: Any  # one COUNTERS
    worlds: States  # two: the imagined world, and the line that is played in it
    buffer: Moves  # of an imagined position, beside the list of those to choose from
    table: Features  # of the moves in the buffer
    utilities: Numbers  # of the sides at the end of a line


class Tree(NamedTuple):
    """What ismcts learns in."""

    nodes: Any  # NODEs, the root first
    arms: Any  # the moves tried at its nodes: ARMs
    tried: Numbers  # the arm of every move in the buffer, -1 if it has none
    path: Numbers  # arms that the simulation under way went along


class Ends(NamedTuple):
    """The line that exact play of the last tricks is at, ply by ply."""

    plies: Any  # LAST_PLYs
    states: States
    moves: Moves  # a row per ply


class Workspace(NamedTuple):
    """What searches work in."""

    scene: Scene
    candidates: Any  # a CANDIDATE for every move at the root
    mixture: Any  # a MIXED for each of them
    tree: Tree
    log: Any  # a DECISION for every decision of flat search; no rows: nothing is noted
    line: Moves  # the winning line that a clairvoyant or a judge found
    solver: Any  # memory of the game's own exact solver
    memory: Memory  # what was done so far, for those who read it
    ends: Ends


def move_buffers(setup: Setup) -> tuple[Moves, Features]:
    """Room for the moves of a position, and for what rules of thumb say of them."""
    most = setup.game.MAX_MOVES
    return np.zeros(most, np.int64), np.zeros((most, MAX_FEATURES), np.int64)


def make_workspace(setup: Setup, line_up: LineUp, log: Any = None) -> Workspace:
    """Room for the searches of a line-up, and for the decisions to note if there are any."""
    game, most_moves = setup.game, setup.game.MAX_MOVES
    buffer, table = move_buffers(setup)
    budget = max((int(player.budget) for player in line_up.records if player.kind == ISMCTS), default=0)
    return Workspace(
        scene=Scene(
            counters=blank(COUNTERS),
            worlds=blank(game.STATE, 2),
            buffer=buffer,
            table=table,
            utilities=np.zeros(MAX_SIDES, np.int64),
        ),
        candidates=blank(CANDIDATE, most_moves),
        mixture=blank(MIXED, most_moves),
        tree=Tree(
            nodes=blank(NODE, NODES_PER_SIMULATION * budget + 1),
            arms=blank(ARM, budget + 1),
            tried=np.zeros(most_moves, np.int64),
            path=np.zeros(MAX_DEPTH, np.int64),
        ),
        log=blank(DECISION, 0) if log is None else log,
        line=np.zeros(MAX_LINE, np.int64),
        solver=game.solver_memory(setup) if game.solver_memory else np.zeros(1, np.int64),
        memory=make_memory(setup, line_up.reads),
        ends=_make_ends(setup, line_up),
    )


def _make_ends(setup: Setup, line_up: LineUp) -> Ends:
    """Room for the last tricks that somebody plays exactly; a seat lays one card in each."""
    plies = int(max(line_up.records.ends)) * setup.players + 1
    return Ends(
        plies=blank(LAST_PLY, plies),
        states=blank(setup.game.STATE, plies),
        moves=np.zeros((plies, setup.game.MAX_MOVES), np.int64),
    )
