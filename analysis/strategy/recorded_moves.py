"""The moves of recorded games, and how likely players at the nodes of the plane make them.

Levels decide many times with fresh luck at every position of a record, and their moves are counted. Between nodes the
chance of each move is interpolated, as the chance of a result is. Counts of few decisions are noisy. So the noise of
the whole likelihood at each node is estimated, and the chances of points are averaged over it: a point is not called
unlikely because of the luck of counting. Thought beyond the last level takes long to count, and its moves are taken to
be those of the last level.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from houle.analysis.players.plane import NODES, Numbers, log_prior, nodes, shares, strategy_at
from houle.analysis.run_options import Progress, RunSpec
from houle.analysis.sampling.move_chances import chances_at
from houle.solver.errors import FileError, InputError
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import Record, read_record
from houle.solver.rules.files import read_text
from houle.solver.texts import count_of

REPEATS = 40  # decisions of every node at every position
FLOOR = 0.05  # share of an even choice in every chance: people make moves that no node would
DRAWS, LUCK = 200, 1  # of the noise of counting
LEAST = 1e-300
IS_RECORD = re.compile(r"^\s*(game|move 1)\s*:", re.MULTILINE | re.IGNORECASE)


@dataclass
class RecordedMoves:
    """The moves of a group in recorded games of one setup: the match before each move, and the action."""

    matches: list[Match] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    games: list[str] = field(default_factory=list)  # the records as texts


def is_record(file: str) -> bool:
    """Whether a file holds a recorded game rather than a table of results."""
    return bool(IS_RECORD.search(read_text(file)))


def read_moves(records: Iterable[str | Path], game: str, seats: Sequence[int] = ()) -> list[RecordedMoves]:
    """The moves of records, grouped by setup; an InputError names the record that cannot be read.

    `seats` are those of the group, from 0; none for all seats, or for the seat whose notes a record is.
    """
    found: dict[str, RecordedMoves] = {}
    for number, given in enumerate(records, 1):
        text, name = (str(given), f"record {number}") if "\n" in str(given) else (read_text(given), str(given))
        try:
            record = read_record(text, game=game)
            own, played = _seats_of(record, seats), record.played()
        except InputError as fault:
            raise type(fault)(f"{name}: {str(fault).removeprefix('record: ')}") from None
        here = found.setdefault(record.setup.digest, RecordedMoves())
        here.games.append(record.as_text())
        for match, action in zip(played.befores, played.actions, strict=True):
            if match.to_move() in own and len(match.moves()) > 1:
                here.matches.append(match)
                here.actions.append(action)
    if found and not any(one.matches for one in found.values()):
        raise FileError("records: no move of your group in them; allowed: games in which it had a choice")
    return list(found.values())


def _seats_of(record: Record, seats: Sequence[int]) -> set[int]:
    """The seats whose moves count."""
    players = record.setup.players
    if seats and max(seats) >= players:
        raise InputError(f"seats: there is no seat {max(seats) + 1}; allowed: 1 to {players}")
    if record.seen_by is not None:
        if seats and record.seen_by not in seats:
            raise InputError(f"seen by: these are notes of seat {record.seen_by + 1}, which is not of your group")
        return {record.seen_by}
    if record.strategies and not seats:
        others = ", ".join(record.strategies)
        raise InputError(f"{others} took part; say which seats are of your group, as in --seats 1")
    return set(seats) or set(range(players))


def made_chances(
    matches: Sequence[Match],
    actions: Sequence[int],
    player: str,
    repeats: int,
    floor: float,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[Numbers, Numbers]:
    """The chance with which a player makes each of these moves, and its standard error."""
    chances = chances_at(matches, player, repeats, floor, seed, threads, progress)
    places = [here.place(action) for here, action in zip(chances, actions, strict=True)]
    made = [(here.chances[at], here.errors[at]) for here, at in zip(chances, places, strict=True)]
    chance, error = np.array(made).reshape(-1, 2).T
    return chance, error


def log_chance(chance: Numbers, error: Numbers) -> Numbers:
    """The logarithm of chances that were counted.

    It would be too low in the mean; to second order, by its variance over twice its square.
    """
    logs: Numbers = np.log(chance) + error**2 / (2 * chance**2)
    return logs


def likelihood_of_moves(moves: Sequence[RecordedMoves], spec: RunSpec) -> tuple[Numbers, Numbers]:
    """The log likelihood of moves at every point of the plane, and the variance of its noise at every node."""
    likelihood, noise = np.zeros(len(shares())), np.zeros(len(nodes()))
    for one in moves:
        chance, error = np.array([_at_node(one, number, spec) for number in _counted()]).transpose(1, 0, 2)
        chance, error = chance[_same_moves()], error[_same_moves()]
        likelihood += log_chance(shares() @ chance, np.sqrt(shares() ** 2 @ error**2)).sum(axis=1)
        noise += (error**2 / chance**2).sum(axis=1)
    return likelihood, noise


def _counted() -> list[int]:
    """The numbers of the nodes whose moves are counted: all but those with most thought."""
    return [number for number, node in enumerate(nodes()) if node[1] != NODES[1][-1]]


def _same_moves() -> list[int]:
    """For every node, the place among those counted of the node whose moves it makes."""
    each = len(NODES[1])
    return [number // each * (each - 1) + min(number % each, each - 2) for number in range(len(nodes()))]


def _at_node(moves: RecordedMoves, number: int, spec: RunSpec) -> tuple[Numbers, Numbers]:
    player = strategy_at(nodes()[number])
    return made_chances(moves.matches, moves.actions, player, REPEATS, FLOOR, spec.seed, spec.threads)


def averaged_over_noise(likelihood: Numbers, noise: Numbers) -> Numbers:
    """A log likelihood that is as flat as the noise of counting leaves it; 0 at the likeliest point."""
    errors = np.random.default_rng(LUCK).normal(size=(DRAWS, len(noise))) * np.sqrt(noise)
    each = likelihood + log_prior() + errors @ shares().T
    chances = np.exp(each - each.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    mean: Numbers = np.log(np.maximum(chances.mean(axis=0), LEAST)) - log_prior()
    mean -= mean.max()
    return mean


def words_of(results: int, moves: Sequence[RecordedMoves]) -> str:
    """What a group is placed by: `40 results`, `5 games with 120 moves`, or both."""
    games, decisions = sum(len(one.games) for one in moves), sum(len(one.matches) for one in moves)
    recorded = f"{count_of(games, 'game')} with {count_of(decisions, 'move')}" if games else ""
    return " and ".join(filter(None, (count_of(results, "result") if results or not games else "", recorded)))
