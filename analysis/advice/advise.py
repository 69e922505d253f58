"""`houle advise`: what to play at a position, and why. Every move with what it wins or scores, and what it loses."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from houle.analysis.advice.playouts import Imagined, Playouts
from houle.analysis.advice.positions import read_position
from houle.analysis.advice.reasons import Reasons, reasons
from houle.analysis.arguments import checked
from houle.analysis.limits import SEED, check_int
from houle.analysis.measures.goal import Goal, Results
from houle.analysis.players.experts import NAME, calibrated
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.read_players import EXPERT, players_at
from houle.analysis.result import Facts, Record, command_line
from houle.analysis.run_options import Progress
from houle.analysis.stats.confidence_sequences import Bernstein, BetTuning
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.stats.intervals import CONFIDENCE
from houle.analysis.stats.width import look_counts
from houle.solver.language.seats import from_1
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import Position, move_name
from houle.solver.rules import Setup, digest

FIRST_LOOK = 100
CLOSE = 0.01  # a loss of less than one game in 100, or of a hundredth of the range of scores, does not matter
EQUAL = 0.015  # moves that lose less are called equally good; of the range of scores where the score is the goal


def confidence_of_pairs(moves: int) -> float:
    """The confidence per pair of moves at which all pairs hold together at CONFIDENCE."""
    return 1 - (1 - CONFIDENCE) / max(1, moves * (moves - 1) // 2)


def world_counts(most: int) -> Iterator[int]:
    """Numbers of worlds at which to look, up to `most`: each three tenths more than the one before."""
    return look_counts(most, FIRST_LOOK, lambda count: 3 * count // 10 + 1)


def gain_sequence(goal: Goal, gains: Results, seen_at: list[int], confidence: float) -> Estimate:
    """The mean of gains, as a confidence sequence over the looks `seen_at`."""
    sequence = Bernstein(BetTuning(100 * CLOSE / 2, confidence))
    values = (1 + gains / goal.span) / 2
    start = 0
    for end in seen_at:
        part = values[start:end]
        sequence.add(len(part), float(part.sum()), float(((part - sequence.centre) ** 2).sum()))
        start = end
    return replace(sequence.interval().scale(2).shift(-1).scale(goal.span), unit=goal.pick(POINTS, ""))


def losses(goal: Goal, results: Results, best: int, seen_at: list[int]) -> list[Estimate]:
    """By how much the best move is better than each move; 0 for itself."""
    confidence = confidence_of_pairs(results.shape[1])
    gains = goal.sign * (results[:, [best]] - results)
    nothing = goal.gain_of(0.0, 0.0, 0.0, len(results))
    return [
        nothing if move == best else gain_sequence(goal, gains[:, move], seen_at, confidence)
        for move in range(results.shape[1])
    ]


def is_certain(goal: Goal, lost: list[Estimate], best: int) -> bool:
    """Whether every other move is known to be worse, or close to the best."""
    close = CLOSE * goal.span
    return all(-loss.low <= (0.0 if loss.low > 0 else close) for i, loss in enumerate(lost) if i != best)


WORLDS = 400
MOST_WORLDS = 1_000_000
MOST_WHEN_CERTAIN = 40_000  # worlds; enough for moves that differ by little more than a point
NO_ADVISERS = ("random", "clairvoyant")  # named players who are not asked


@dataclass(frozen=True)
class AdvisedMove:
    """A move, its win chance, and what it loses against the best move."""

    action: int
    name: str  # as the seat sees it, seats counted from 0
    win: Estimate  # chance of the player's side
    loss: Estimate  # wins or points, against the best move in the same worlds; corrected for all pairs of moves
    points: Estimate  # mean score of the player's side
    sides: tuple[Estimate, ...]  # chances of all sides
    players: tuple[str, ...]  # named players who would play it
    ends: dict[str, float]  # how games end after it, in the game's words, and how often; may be empty


@dataclass(frozen=True, repr=False)
class Advice(Imagined):
    """What to play at a position. Every move is played out in each world."""

    command = "advise"
    rows_key = "moves"

    position: Position
    moves: tuple[AdvisedMove, ...]  # the best first
    why: Reasons | None  # the best move against `rival`, by the rules of thumb
    certain: bool  # worlds were imagined until the best was known, so losses are confidence sequences
    decided: bool  # the best move is known, or the others are within a point

    @property
    def headline(self) -> str:
        word = "so far" if self.contenders and not self.decided else "best"
        return f"{word}: {from_1(self.best.name)}, {self.goal.verb}s {self.goal.says(self.reached(self.best))}"

    @property
    def goal(self) -> Goal:
        return Goal(self.setup)

    def reached(self, move: AdvisedMove) -> Estimate:
        """The chance to win with a move, or the score."""
        return self.goal.pick(move.win, move.points)

    @property
    def unasked(self) -> str:
        """Which named player is not asked, and why; empty if all are."""
        if self.position.forgotten is not None:
            return "named players are not asked, because they would remember the cards that you wrote as ?"
        why = f"{EXPERT} and {NAME} are not asked, because they read the others"
        why += ": a position does not say where in a hand each card came from"
        notes = "a seat's notes of the game do (houle trace --record FILE --seen-by SEAT)"
        return f"{why}; {notes}" if calibrated(self.setup) and not self.position.notes else ""

    @property
    def best(self) -> AdvisedMove:
        return self.moves[0]

    @property
    def equal(self) -> tuple[AdvisedMove, ...]:
        """The best move and those that are about as good."""
        return tuple(move for move in self.moves if move.loss.value < EQUAL * self.goal.span)

    @property
    def rival(self) -> AdvisedMove | None:
        """The best of the moves that are worse; the next one if none is; None if there is no other move."""
        return _rival(self.moves, self.goal)

    @property
    def most_lost(self) -> float:
        """The most that the best move may lose against another."""
        return max([0.0, *(-move.loss.low for move in self.moves[1:])])

    @property
    def matters(self) -> bool:
        """Whether some move may lose more than a point."""
        return any(move.loss.high > CLOSE * self.goal.span for move in self.moves[1:])

    @property
    def all_alike(self) -> str:
        """`lost` or `won` if every imagined game ended so, whatever was played; else empty."""
        chances = set() if self.goal.is_score else {move.win.value for move in self.moves}
        return {0.0: "lost", 1.0: "won"}.get(chances.pop(), "") if len(chances) == 1 else ""

    @property
    def contenders(self) -> tuple[AdvisedMove, ...]:
        """Other moves that may be as good as the best."""
        return tuple(move for move in self.moves[1:] if move.loss.low <= 0)

    def words(self) -> list[str]:
        return ["--position", "; ".join((self.position.notes or self.position.as_text()).splitlines())]

    def count_words(self) -> list[str]:
        return ["--worlds", str(self.asked), "--certain"] if self.certain else ["--worlds", str(self.games)]

    def repeat(self, setup_words: Sequence[str] | None = None) -> str:
        """The command that gives exactly this result again; the position names its setup."""
        where = [self.setup.ruleset.name] if setup_words is None else list(setup_words)
        words = [self.command, *where, *self.words(), *self.count_words(), "--seed", str(self.seed)]
        return command_line(words, self.setup)

    def records(self) -> list[Record]:
        """One row per move, the best first."""
        names = [name for name, _ in self.setup.game.side_names(self.setup)]
        return [
            {
                "rank": rank,
                "move": move.name,
                "win": move.win,
                "loss": move.loss,
                "score": move.points,
                "sides": {name: chance.as_json() for name, chance in zip(names, move.sides, strict=True)},
                "chosen_by": move.players,
                "ends": move.ends,
            }
            for rank, move in enumerate(self.moves, 1)
        ]

    def summary(self) -> Record:
        return {
            "position": self.position.as_json(),
            "seat": self.position.seat,
            "certain": self.certain,
            "decided": self.decided,
            "best": self.best.name,
            "most_lost": self.most_lost,
            "matters": self.matters,
            "all_alike": self.all_alike,
            "why": self.why.as_json(self.rival.name) if self.why is not None and self.rival is not None else None,
        }

    def setup_columns(self) -> dict[str, Any]:
        return super().setup_columns() | {"seat": self.position.seat}


@checked
def advise(
    position: Position | str,
    *,
    setup: Setup | str | None = None,
    worlds: int | None = None,
    seconds: float | None = None,
    certain: bool = False,
    seed: int = SEED,
    players: bool = True,
    progress: Progress | None = None,
) -> Advice:
    """Say what to play at a position: every move ranked by its win chance, or by its score if that is the goal.

    Parameters
    ----------
    position : Position or str
        From `houle.position` or `houle.read_position`, or a position as text or as a file.
    worlds : int, optional
        Worlds to imagine that fit what the player knows; 400 by default.
    seconds : float, optional
        Imagine worlds for this long instead.
    certain : bool
        Imagine worlds until the best move is known, or all contenders are within a point of it.
    seed : int
        Chooses the worlds.
    players : bool
        Whether named players are asked for their move.

    Returns
    -------
    Advice
        The moves, best first, each with its chance and its loss against the best; and the reasons.

    Examples
    --------
    >>> import houle
    >>> here = houle.position("wave", seed=7, game=3, ply=5)
    >>> advice = houle.advise(here, worlds=50, players=False)
    >>> advice.best.name, len(advice.moves)
    ('play the card @4', 4)
    """
    here = position if isinstance(position, Position) else read_position(position, setup)
    check_int("worlds", WORLDS if worlds is None else worlds, 1, MOST_WORLDS)
    match = here.match()
    start = time.perf_counter()
    most = worlds or (MOST_WHEN_CERTAIN if certain else MOST_WORLDS if seconds is not None else WORLDS)
    playouts = Playouts(match, seed)
    if len(playouts.actions) == 1:
        most, certain = min(most, WORLDS), False
    seen_at = _imagine(playouts, most, seconds, certain, start, progress)
    return _advice(here, match, playouts, seen_at if certain else None, players, most, start)


def _imagine(
    playouts: Playouts, most: int, seconds: float | None, certain: bool, start: float, progress: Progress | None
) -> list[int]:
    """Play worlds until there are enough; returns the numbers of worlds at which the result was checked."""
    seen_at: list[int] = []
    for end in world_counts(most) if certain else [most]:
        while playouts.worlds < end:
            if seconds is not None and playouts.worlds and time.perf_counter() - start >= seconds:
                return [*seen_at, playouts.worlds]
            # The first batches are small, so that a short time limit holds and progress starts early.
            playouts.play(min(end - playouts.worlds, playouts.at_once, max(10, playouts.worlds)))
            if progress is not None:
                progress(playouts.worlds, time.perf_counter() - start)
        seen_at.append(end)
        if certain:
            best = playouts.ranked()[0]
            if is_certain(playouts.goal, losses(playouts.goal, playouts.results, best, seen_at), best):
                break
    return seen_at


def _advice(
    position: Position,
    match: Match,
    playouts: Playouts,
    seen_at: list[int] | None,
    ask: bool,
    asked: int,
    start: float,
) -> Advice:
    setup, ranked = position.setup, playouts.ranked()
    best = ranked[0]
    if seen_at is not None:
        lost = losses(playouts.goal, playouts.results, best, seen_at)
    else:
        lost = [playouts.loss(i, best, confidence_of_pairs(len(ranked))) for i in range(len(ranked))]
    choices = _choices(position, match) if ask and position.forgotten is None else {}
    moves = tuple(
        AdvisedMove(
            playouts.actions[i],
            move_name(match, playouts.actions[i], position.seat),
            playouts.win(i),
            lost[i],
            playouts.points(i),
            tuple(playouts.win(i, side) for side in range(int(setup.rules[0].sides))),
            tuple(name for name, action in choices.items() if action == playouts.actions[i]),
            {words: number / playouts.worlds for words, number in playouts.ends[i].most_common()},
        )
        for i in ranked
    )
    rival = _rival(moves, playouts.goal)
    why = reasons(match, playouts.thumbs, moves[0].action, rival.action) if rival is not None else None
    results = playouts.results if playouts.goal.is_score else playouts.shares
    shares = [playouts.actions, results.sum(axis=0).tolist()]
    numbers = {"seed": playouts.seed, "worlds": playouts.worlds, "shares": shares}
    name = digest({"rules": setup.digest, "position": position.lines(), **numbers})
    who = playouts.thumbs.names[:1]
    facts = Facts(setup, who, playouts.seed, playouts.worlds, asked, time.perf_counter() - start, name)
    decided = seen_at is not None and is_certain(playouts.goal, lost, best)
    return Advice(facts, position, moves, why, seen_at is not None, decided)


def _rival(moves: Sequence[AdvisedMove], goal: Goal) -> AdvisedMove | None:
    """The move that the best one is compared with."""
    worse = (move for move in moves if move.loss.value >= EQUAL * goal.span)
    return next(worse, moves[1] if len(moves) > 1 else None)


def _choices(position: Position, match: Match) -> dict[str, int]:
    """What each named player would play, with the luck of the seat. Who reads the others needs notes."""
    choices: dict[str, int] = {}
    kinds = {match.seen(action, position.seat)[1]: action for action in reversed(match.moves())}
    for seated in players_at(position.setup):
        if seated.missing or seated.player.level or seated.player.name in NO_ADVISERS:
            continue
        players = line_up(position.setup, seated.player.name)
        if players.reads and not position.notes:
            continue
        here = position.match()
        if not position.notes:  # a position as text tells no more
            here.past = here.told_past()
        action = here.decide(players)
        choices[seated.player.name] = kinds[match.seen(action, position.seat)[1]]
    return choices
