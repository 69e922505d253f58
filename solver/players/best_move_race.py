"""The race at the root of every search: all moves are tried in the same imagined worlds, and the best one is played.

Each move is compared with the thumb's move in the same world, because paired differences show small effects. The habit,
which is the thumb's rating of a move, is the prior: a move is scored by its gains in all worlds plus `caution` times
its rating. So the habit decides where playouts cannot tell moves apart, and counts less the more worlds there are. A
move is valued in a world by a playout (flat:N, N worlds) or by a simulation that learns from earlier ones (ismcts:N, N
simulations). Flat search drops clearly worse moves early; tree search drops the worse half after each of several equal
parts of its simulations. Worlds are drawn evenly, or weighted by how well they explain what the others did (reading/).
"""

from __future__ import annotations

import math
from typing import Any

from houle.solver.cards.bits import U8
from houle.solver.cards.streams import SEARCH, advance, derive, start_world
from houle.solver.compiler.kernels import entry, kernel, outlined
from houle.solver.compiler.types import (
    Action,
    Key,
    Moves,
    Number,
    Player,
    Players,
    Real,
    Rules,
    Seat,
    State,
)
from houle.solver.interface import is_signal, kind, solve
from houle.solver.players.allowed_moves import distinct_moves
from houle.solver.players.decision_log import note_world, open_decision, two_best
from houle.solver.players.flat import UNKNOWN, judged, play_candidate, play_on
from houle.solver.players.ismcts import clear, simulate
from houle.solver.players.kinds import CLAIRVOYANT, ISMCTS, MILLI
from houle.solver.players.reading.beliefs import drawn_world, weigh_worlds
from houle.solver.players.thumb import RATING, rate
from houle.solver.players.workspace import Scene, Search, Workspace, imagine

BATCH = 25  # worlds between two checks for clearly worse moves
CLEARLY = 3.5  # standard errors
HABIT = MILLI * 1000  # the habit counts per 1,000 rating points, and cautions are stored in thousandths


@outlined
def race(
    state: State,
    rules: Rules,
    player: Player,
    seat: Seat,
    key: Key,
    moves: Moves,
    work: Workspace,
    search: Search,
    solver: Any,
) -> Action:
    """The move of a search. `key` is its random stream for this decision.

    No move is dropped early where the decision is logged (decision_log.py).
    """
    candidates = work.candidates
    n = distinct_moves(state, rules, player.never, moves)
    by_tree = player.kind == ISMCTS
    noting = not by_tree and len(search.log) > 0
    if noting:
        open_decision(search.log[0], n)
    if n == 1:
        return moves[0]
    if not imagine(state, rules, player, seat, derive(key, U8(0)), work.scene):
        # No deal agrees with what the seat knows. A thumb decides without one, from what the seat sees.
        return moves[start_race(state, rules, player, moves, n, candidates, work.scene)]
    reference = start_race(work.scene.worlds[0], rules, player, moves, n, candidates, work.scene)
    reading = player.reads + player.heeds > 0 and weigh_worlds(state, rules, player, seat, key, work.scene, work.memory)
    if by_tree:
        clear(player, search.tree)
    judging = player.judge > 0 and not is_signal(state)  # the solver sees all cards: to it all signals are alike
    best = second = reference
    half = player.budget // 2
    rounds = _rounds(n)
    spent = world = played = cuts = 0
    while spent < player.budget:
        world += 1
        stream = derive(key, U8(world))
        source = drawn_world(key, world, work.memory) if reading else stream
        if not imagine(state, rules, player, seat, source, work.scene):
            spent += 1
            continue
        if reading:
            start_world(work.scene.worlds[0], stream)  # a world may be drawn twice: new luck each time
        played += 1
        spent += 0 if by_tree else 1
        for i in range(n):
            if candidates[i].alive:
                work.scene.worlds[1] = work.scene.worlds[0]
                if by_tree:
                    candidates[i].value = simulate(rules, player, seat, moves[i], work.scene, search.tree)
                    spent += 1
                else:
                    value = UNKNOWN
                    if solver is not None and judging:  # not compiled without a solver
                        value = judged(rules, player, seat, moves[i], work, solver)
                    if value == UNKNOWN:
                        value = play_candidate(rules, player, seat, moves[i], work.scene)
                    candidates[i].value = value
                if noting and world > half:
                    candidates[i].share = play_on(rules, player, seat, work.scene)
        measure(candidates, n, reference)
        if noting:
            if world <= half:
                best, second = two_best(candidates, n)
            else:
                note_world(search.log[0], candidates, n, best, second)
        elif by_tree:
            if spent * rounds >= player.budget * (cuts + 1) and cuts + 1 < rounds:
                cuts += 1
                _drop_half(candidates, n, played, reference, player.caution)
        elif world % BATCH == 0:
            drop_worse(candidates, n, played, reference)
    return moves[winner(candidates, n, played, reference, player.caution)]


@outlined
def start_race(
    world: State, rules: Rules, player: Player, moves: Moves, n: Number, candidates: Any, scene: Scene
) -> Number:
    """Clears the candidates and rates them by the rules of thumb; returns the index of the thumb's own move.

    Ratings and the own move are the same in every world that the player cannot tell apart.
    """
    stream = advance(world.choice)
    rate(world, rules, player.weights[:], moves, n, scene.table)
    own, own_luck = 0, U8(0)
    for i in range(n):
        candidates[i].alive = True
        candidates[i].value = candidates[i].gain = candidates[i].gain_squared = 0
        candidates[i].rating = scene.table[i, RATING]
        luck = derive(stream, kind(world, rules, moves[i]))  # ties are drawn as by a thumb (thumb.py)
        ahead = candidates[i].rating - candidates[own].rating
        if i == 0 or ahead > 0 or (ahead == 0 and luck > own_luck):
            own, own_luck = i, luck
    return own


@kernel
def measure(candidates: Any, n: Number, reference: Number) -> None:
    """Adds the gain of each move over the thumb's move in one world."""
    yardstick = candidates[reference].value
    for i in range(n):
        if candidates[i].alive:
            difference = candidates[i].value - yardstick
            candidates[i].gain += difference
            candidates[i].gain_squared += difference * difference


@kernel
def _spread(candidates: Any, n: Number, played: Number) -> Real:
    """The standard deviation of the gains in single worlds, of all moves that were ever better or worse."""
    total, differing = 0.0, 0
    for i in range(n):
        if candidates[i].gain_squared > 0:
            total += candidates[i].gain_squared
            differing += 1
    return math.sqrt(total / (differing * played)) if differing > 0 else 1.0


@kernel
def _leader(candidates: Any, n: Number, reference: Number, habit: Real) -> Number:
    """The move in the race with the best score: its gains, plus `habit` for each point of its rating."""
    leader = reference
    for i in range(n):
        if candidates[i].alive and _score(candidates[i], habit) > _score(candidates[leader], habit):
            leader = i
    return leader


@kernel
def _score(candidate: Any, habit: Real) -> Real:
    return candidate.gain + habit * candidate.rating


@kernel
def _error(candidate: Any, played: Number) -> Real:
    """Standard error of a mean gain.

    The floating-point numbers of a race come from exact sums by operations that round alike on every CPU, as
    long as the compiler does not fuse a product and a sum into one rounding.
    """
    if played < 2:
        return 0.0
    mean = candidate.gain / played
    return math.sqrt(max(candidate.gain_squared / played - mean * mean, 0.0) / (played - 1))


@outlined
def drop_worse(candidates: Any, n: Number, played: Number, reference: Number) -> None:
    """Drops moves that are clearly worse than the leader. The thumb's move stays: the others are compared with it."""
    leader = _leader(candidates, n, reference, 0.0)
    floor = candidates[leader].gain / played - CLEARLY * _error(candidates[leader], played)
    for i in range(n):
        if candidates[i].alive and i not in (leader, reference):
            ceiling = candidates[i].gain / played + CLEARLY * _error(candidates[i], played)
            if ceiling < floor:
                candidates[i].alive = False


@kernel
def _rounds(n: Number) -> Number:
    """Parts of a tree search: after each but the last the worse half of n moves is dropped, until two are left."""
    rounds = 1
    while 1 << rounds < n:
        rounds += 1
    return rounds


@outlined
def _drop_half(candidates: Any, n: Number, played: Number, reference: Number, caution: Number) -> None:
    """Drops the worse half of the moves, of equal ones the last. The thumb's move stays."""
    habit = caution * _spread(candidates, n, played) / HABIT
    alive = 0
    for i in range(n):
        alive += 1 if candidates[i].alive else 0
    for _ in range(alive // 2):
        worst = -1
        for i in range(n):
            rival = candidates[i].alive and i != reference
            if rival and (worst < 0 or _score(candidates[i], habit) <= _score(candidates[worst], habit)):
                worst = i
        candidates[worst].alive = False


@outlined
def winner(candidates: Any, n: Number, played: Number, reference: Number, caution: Number) -> Number:
    """The best move. 1,000 rating points count as much as `caution` worlds with a usual difference between moves."""
    return _leader(candidates, n, reference, caution * _spread(candidates, n, max(played, 1)) / HABIT)


@kernel
def search_key(seed: Key, game: Number, replay: Number) -> Key:
    """The random key of a game's searches. It is independent of the game's own luck, which must not leak."""
    return derive(derive(derive(U8(seed), SEARCH), game), replay)


@entry
def decision_key(seed: Key, game: Number, replay: Number, ply: Number) -> Key:
    """The key of the search at one ply."""
    return derive(search_key(seed, game, replay), ply)


@kernel
def foresee(state: State, rules: Rules, players: Players, work: Workspace, solver: Any) -> Number:
    """Lets clairvoyant players look for a winning line; returns 1 if the solver reached its limit undecided."""
    undecided = 0
    if solver is not None and players[0].kind == CLAIRVOYANT:
        status, length, _ = solve(state, rules, players[0].budget, work.line, solver)
        if status == 1:
            work.scene.counters[0].foreseen = length
        undecided = 1 if status < 0 else 0
    return undecided
