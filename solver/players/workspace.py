"""The memory that searches work in: allocated once per chunk of games and passed along as one value."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from houle.solver.compiler.types import Features, Moves, Numbers, States
from houle.solver.interface import MAX_FEATURES, MAX_LINE, MAX_SIDES, blank
from houle.solver.players.decision_log import DECISION
from houle.solver.players.names import ISMCTS
from houle.solver.players.player import LineUp
from houle.solver.players.reading.memory import Memory, make_memory
from houle.solver.rules import Setup

MAX_DEPTH = 256  # choices recorded per simulation
NODES_PER_SIMULATION = 4

# A move in the race at the root of a search. Utilities are whole numbers (see UTILITY), so sums are exact and do not
# depend on the order of the worlds.
CANDIDATE = np.dtype(
    [
        ("alive", "?"),  # not yet dropped as clearly worse
        ("value", "i8"),  # utility for the player's own side in the current world
        ("share", "i8"),  # its share of the win there, in 1/840; only where decisions are logged
        ("gain", "i8"),  # sum over worlds of its value less that of the thumb's move
        ("gain_squared", "i8"),  # sum of the squared differences
    ],
    align=True,
)
NODE = np.dtype(
    [
        ("label", "u8"),  # what the root's seat observed between the parent and here
        ("sibling", "i4"),  # next child of the same parent, or -1
        ("child", "i4"),  # first child, or -1
        ("arm", "i4"),  # first arm, or -1
    ],
    align=True,
)
ARM = np.dtype(
    [
        ("label", "u8"),  # of the action; equal for actions that the seat cannot tell apart
        ("total", "i8"),  # sum of utilities for the own side
        ("sibling", "i4"),  # next arm of the same node, or -1
        ("visits", "i4"),
        ("available", "i4"),  # simulations in which the action could be chosen
    ],
    align=True,
)
# A ply of exact play (ends.py).
LAST_PLY = np.dtype(
    [
        ("moves", "i8"),  # number of moves
        ("next", "i8"),  # the first untried move
        ("low", "i8"),  # with two sides, alpha: the margin that the first side is sure of
        ("high", "i8"),  # beta: the margin that the second side allows at most
        ("utilities", "i8", MAX_SIDES),  # of the best move so far, per side
    ],
    align=True,
)
COUNTERS = np.dtype(
    [
        ("game", "i8"),  # number of the current game
        ("ply", "i8"),  # decisions made in it
        ("foreseen", "i8"),  # plies of the winning line that a clairvoyant found; 0 if there is none
        ("noted", "i8"),  # rows of the decision log in use
        ("plies", "i8"),  # played inside searches so far
        ("playouts", "i8"),  # finished by searches so far
        ("nodes", "i8"),  # of the current tree
        ("arms", "i8"),  # of the current tree
        ("careless", "u8"),  # set of seats that play at random in the current world
    ],
    align=True,
)


class Scene(NamedTuple):
    """The buffers of imagined games. Kept small, because every call copies its arguments."""

    counters: Any  # one COUNTERS
    worlds: States  # two: the imagined world, and the line played in it
    buffer: Moves  # moves of an imagined position
    table: Features  # of the moves in the buffer
    utilities: Numbers  # per side, at the end of a line


class Tree(NamedTuple):
    """The tree of ismcts."""

    nodes: Any  # NODEs, the root first
    arms: Any  # ARMs: the moves tried at its nodes
    tried: Numbers  # the arm of every move in the buffer, -1 if it has none
    path: Numbers  # arms chosen by the current simulation


class Ends(NamedTuple):
    """The current line of exact play of the last tricks, ply by ply."""

    plies: Any  # LAST_PLYs
    states: States
    moves: Moves  # a row per ply


class Workspace(NamedTuple):
    """All memory of the searches of a line-up."""

    scene: Scene
    candidates: Any  # a CANDIDATE for every move at the root
    tree: Tree
    log: Any  # a DECISION for every decision of flat search; no rows: nothing is logged
    line: Moves  # the winning line that a clairvoyant or a judge found
    solver: Any  # memory of the game's own exact solver
    memory: Memory  # the decisions so far, for readers
    ends: Ends


def move_buffers(setup: Setup) -> tuple[Moves, Features]:
    """Empty buffers for the moves of a position and their features."""
    most = setup.game.MAX_MOVES
    return np.zeros(most, np.int64), np.zeros((most, MAX_FEATURES), np.int64)


def make_workspace(setup: Setup, line_up: LineUp, log: Any = None) -> Workspace:
    """Allocates the memory for the searches of a line-up; `log` takes their decisions."""
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
        tree=Tree(
            nodes=blank(NODE, NODES_PER_SIMULATION * budget + 1),
            arms=blank(ARM, budget + 1),
            tried=np.zeros(most_moves, np.int64),
            path=np.zeros(MAX_DEPTH, np.int64),
        ),
        log=blank(DECISION, 0) if log is None else log,
        line=np.zeros(MAX_LINE, np.int64),
        solver=game.solver_memory(setup) if game.solver_memory else np.zeros(1, np.int64),
        memory=make_memory(setup, line_up.remembers),
        ends=_make_ends(setup, line_up),
    )


def _make_ends(setup: Setup, line_up: LineUp) -> Ends:
    """Memory for the last tricks, played exactly; a seat lays one card in each."""
    plies = int(max(line_up.records.ends)) * setup.players + 1
    return Ends(
        plies=blank(LAST_PLY, plies),
        states=blank(setup.game.STATE, plies),
        moves=np.zeros((plies, setup.game.MAX_MOVES), np.int64),
    )
