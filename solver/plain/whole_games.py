"""Whole games of a class without states and codes of moves: for players who do not search, if only results are kept.

Luck, choices and sums are those of solver/run/playout.py, solver/players/thumb.py and the habit in person.py, number by
number. A game in which something is wrong is played again there, which says what.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from houle.solver.interface.functions import UTILITY, WIN
from houle.solver.plain import random_streams as streams
from houle.solver.plain.as_game import MOST_MOVES, PlainTable
from houle.solver.plain.plain_class import Outcome, read_result
from houle.solver.plain.random_streams import Chance, Luck
from houle.solver.players.kinds import LEVEL, RANDOM, THUMB
from houle.solver.players.person import NOISE as SLIP
from houle.solver.players.player import LineUp
from houle.solver.players.thumb import CERTAIN, COUNT, GUMBEL, LAPSES, LOWEST, NOISE_BITS, NOISE_UNIT, SIGHT
from houle.solver.run import tally as tallies
from houle.solver.run.playout import note_course, play_chunk
from houle.solver.run.tally import Tally, TallyArrays

NOISE = GUMBEL.tolist()


class WrongGameError(Exception):
    """Something that play_chunk refuses, in words for people."""


class Played(NamedTuple):
    """A finished game; `course` has who led alone after each move: side + 1, or 0."""

    outcome: Outcome
    moves: int
    course: list[int]


def can_play(line_up: LineUp) -> bool:
    """Whether nobody in a line-up imagines deals: thumbs, and people by habit."""
    return all(
        one.kind <= THUMB or (one.kind == LEVEL and not one.thought and not one.never) for one in line_up.records
    )


def play_whole_games(line_up: LineUp, seed: int, first: int, number: int, replay: int = 0, ledger: Any = None) -> Tally:
    """`play_chunk` for a class in plain Python and players who do not search: the same tally and ledger."""
    tally, table, outcomes = Tally.empty(line_up.setup), _Table(line_up, ledger is not None), []
    for row in range(number):
        try:
            played = table.play(seed, first + row, replay)
        except Exception:  # also whatever the class raises
            own = None if ledger is None else ledger[row : row + 1]
            tally.add(play_chunk(line_up, seed, first + row, number=1, replay=replay, ledger=own))
            continue
        outcomes.append(played.outcome)
        if ledger is not None:
            table.note(played, ledger[row])
    if outcomes:
        _count(outcomes, tally.sums)
    return tally


def _count(outcomes: list[Outcome], sums: TallyArrays) -> None:
    """Adds games to the sums of a tally, all at once."""
    shares = np.array([outcome.shares for outcome in outcomes], np.int64)
    scores = np.array([outcome.scores for outcome in outcomes], np.int64)
    for total in (tallies.GAMES, tallies.ENTRIES, tallies.ENTRIES_SQUARED):
        sums.totals[total] += len(outcomes)
    sums.totals[tallies.DRAWS] += np.sum(~shares.any(axis=1)) if shares.shape[1] > 1 else 0
    sums.counts[:3] += np.sum([(outcome.moves, outcome.turns, outcome.rounds) for outcome in outcomes], axis=0)
    for side, row in enumerate(sums.histogram):
        np.add.at(row, scores[:, side] - sums.lowest, 1)
    for moment, values in (
        (tallies.SHARE, shares),
        (tallies.SHARE_SQUARED, shares**2),
        (tallies.POINTS_SQUARED, scores**2),
        (tallies.POINTS_ENTRIES, scores),
    ):
        sums.moments[:, moment] += values.sum(axis=0)


class _Table:
    """The class and its players in a setup."""

    def __init__(self, line_up: LineUp, with_course: bool) -> None:
        setup = line_up.setup
        table: Any = setup.game.class_view
        assert isinstance(table, PlainTable)
        rules = setup.rules[0]
        self.plain, self.most = table.plain, setup.game.MAX_MOVES
        self.arguments = table.plain.arguments(setup.players, table.options[int(rules["number"])])
        self.sides = int(rules["sides"])
        self.low, self.high, self.lower = setup.score_range[0], setup.score_range[1], setup.ruleset.lower_is_better
        self.players = [None if record.kind == RANDOM else _Player(record, table) for record in line_up.records]
        self.with_course = with_course and table.plain.has("standing")

    def play(self, seed: int, game: int, replay: int) -> Played:
        root = streams.game_key(seed, game)
        play = root if replay == 0 else streams.derive(root, replay + streams.SEARCH)
        played = self.plain.made(
            **self.arguments(Luck(streams.derive(root, streams.DEAL)), Chance(streams.derive(play, streams.CHANCE)))
        )
        choice, made, course = streams.derive(play, streams.CHOICE), 0, []
        while (seat := played.to_move()) >= 0:
            moves = list(played.legal())
            n = len(moves)
            if type(seat) is not int or not 0 < n <= self.most or made >= MOST_MOVES - 2:
                raise WrongGameError
            try:
                single = len(set(moves)) == n
            except TypeError:  # moves that are lists
                single = False
            if not single and len(set(map(repr, moves))) < n:
                raise WrongGameError
            player = self.players[seat]
            if player is None:
                choice = choice + streams.STEP & streams.MASK
                move = moves[streams.scaled(streams.mix(choice), n)]
            elif n == 1:
                move = moves[0]
            else:
                move = player.move(played, seat, moves, choice)
                choice = choice + streams.STEP & streams.MASK
            played.apply(move)
            made += 1
            if self.with_course:
                course.append(self.leader([int(stands) for stands in played.standing()]))
        outcome = read_result(played.result(), made, self.lower)
        if len(outcome.scores) != self.sides or min(outcome.scores) < self.low or max(outcome.scores) > self.high:
            raise WrongGameError
        return Played(outcome, made, course)

    def leader(self, stands: list[int]) -> int:
        """The side that leads alone, from 1; 0 if none does."""
        stands = [*stands, *[0] * self.sides][: self.sides]
        return stands.index(max(stands)) + 1 if stands.count(max(stands)) == 1 else 0

    def note(self, played: Played, row: Any) -> None:
        """Writes a game into its row of a ledger."""
        outcome, span = played.outcome, max(self.high - self.low, 1)
        for side, (share, score) in enumerate(zip(outcome.shares, outcome.scores, strict=True)):
            gained = self.high - score if self.lower else score - self.low
            utility = (share * (UTILITY // WIN) + gained * UTILITY // span) // 2
            row[side] = (share, score, 1, utility, played.moves, outcome.turns, 0, 0, 0)
        if self.with_course:
            note_course(np.array(played.course, np.int8), played.moves, self.sides, row)


class _Player:
    """A thumb or a named player: its record as plain numbers."""

    def __init__(self, record: Any, table: PlainTable) -> None:
        self.plain, self.code = table.plain, table.code
        self.name = table.named[int(record.budget) - 1] if record.budget else ""  # of a named player
        self.by_features = table.plain.has("features")
        self.features = len(table.game.FEATURES)
        self.weights = [int(weight) for weight in record.weights[: self.features]]
        self.temperature, self.far, self.memory = int(record.temperature), int(record.far), int(record.memory)
        self.forgets, self.nearsighted, self.loses_count = (
            int(record[name]) for name in ("forgets", "nearsighted", "loses_count")
        )
        self.lapses = self.forgets + self.nearsighted + self.loses_count > 0
        self.slips = int(record.slips) if record.kind == LEVEL else 0

    def move(self, played: Any, seat: int, moves: list[Any], choice: int) -> Any:
        """Its choice among several moves; `choice` is the stream of choices before this decision."""
        stream = choice + streams.STEP & streams.MASK
        if self.name:
            return self.plain.chosen_by(
                self.name, played, seat, moves, luck=Luck(streams.derive(stream, streams.SEARCH))
            )
        weights = self.remembered(stream) if self.lapses else self.weights
        if self.by_features:
            rows = [list(played.features(move)) for move in moves]
            if {*map(len, rows)} != {self.features}:
                raise WrongGameError
        else:
            sensible = played.rules_of_thumb()
            found = moves.count(sensible)
            if found == 0:
                raise WrongGameError
            if found == 1 and weights[0] > 0 and not self.temperature and not self.slips:
                return sensible
            rows = [[move == sensible] for move in moves]
        best, best_rated, best_luck = moves[0], int(LOWEST), 0
        temperature = self.slip(rows) if self.slips else self.temperature
        for move, row in zip(moves, rows, strict=True):
            luck = streams.derive(stream, self.code(move))
            rated = sum(weight * int(value) for weight, value in zip(weights, row, strict=False))
            if temperature > 0:
                rated = rated * NOISE_UNIT + temperature * NOISE[luck >> 64 - NOISE_BITS] // 1000
            if rated > best_rated or (rated == best_rated and luck > best_luck):
                best, best_rated, best_luck = move, rated, luck
        return best

    def slip(self, rows: list[list[Any]]) -> int:
        """The temperature of a person's slips: it grows with the spread of the ratings."""
        values = [sum(weight * int(value) for weight, value in zip(self.weights, row, strict=False)) for row in rows]
        number, total = len(values), sum(values)
        deviation = sum(abs(value * number - total) for value in values) // number**2
        return SLIP * deviation * self.slips // CERTAIN

    def remembered(self, stream: int) -> list[int]:
        """The weights of the rules that the player remembers at this decision; the others are 0."""
        lapses = (stream ^ streams.APART) + LAPSES * streams.STEP & streams.MASK

        def happens(part: int, chance: int) -> bool:
            return streams.scaled(streams.mix(streams.derive(lapses, part)), CERTAIN) < chance

        sees_far, counts = not happens(SIGHT, self.nearsighted), not happens(COUNT, self.loses_count)
        return [
            weight
            if (sees_far or not self.far >> k & 1)
            and (counts or not self.memory >> k & 1)
            and not happens(k if k < SIGHT else k + 2, self.forgets)
            else 0
            for k, weight in enumerate(self.weights)
        ]
