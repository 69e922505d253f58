"""`houle review`: where a game was decided. Every decision is judged on what its player knew.

At a decision all moves are played out in the same worlds (playouts.py). Half of the worlds choose the best move;
the other half score it and the move that was made, because the best of several moves looks too good in the worlds that
chose it. The loss is the difference, paired by world. A choice is a mistake if its loss is certainly above 0; the
intervals of all losses of a game hold together.

The account of a game has three parts, which add up to the result minus the first chance: what the reader's mistakes
lost, what mistakes of the others changed (in the worlds of the player who made them), and luck. Luck is everything
else: cards, dice, what others held, and choices that are too close to judge. Its largest changes between two decisions
of a player are named: the chance is computed after every move in between, from what that player knew, and the move that
changed it most is shown. What a mistake in between changed does not count there, and no two changes overlap, so no fall
is named twice. Changes that are no larger than the intervals of the chances are not named.

Where the goal is the score, a chance is the score that can be expected.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from houle.analysis.arguments import checked
from houle.analysis.limits import SEED, check_int
from houle.analysis.measures.goal import Goal
from houle.analysis.play.playouts import Imagined, Playouts, chance, distinct_moves
from houle.analysis.play.reasons import reasons
from houle.analysis.play.trace import ending
from houle.analysis.result import Facts, Record, command_line
from houle.analysis.run_options import OnGames
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE
from houle.solver.errors import PositionError
from houle.solver.language.seats import from_1
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import Record as GameRecord
from houle.solver.matches.record.game import read_record
from houle.solver.matches.record.position import move_name
from houle.solver.matches.record.replaying import events
from houle.solver.matches.views import Row, move_in_words, view_of
from houle.solver.rules import Setup, digest

WORLDS = 400
MOST_WORLDS = 100_000
DECIDED = 5  # moves and swings that are listed
MOST_SWING_WORLDS = 200  # per chance between two decisions
LEAST = 0.005  # half a game in 100, or so much of the range of scores: the least that is shown
DOUBTFUL = 0.03  # the least loss that is worth a word although it is not certain
FINE = 4_000  # worlds from which numbers have a decimal

Told = tuple[str, tuple[str, ...]]  # a move and its effects in words; seats count from 1


@dataclass(frozen=True)
class ReviewedGame:
    """A game move by move, as a review sees it."""

    befores: Sequence[Match]
    actions: Sequence[int]
    last: Match
    told: Callable[[int], Told]  # a move by its number, from 1
    viewer: int | None = None  # only this seat's decisions are judged; None: everybody's

    def after(self, number: int) -> Match:
        """The match after so many moves."""
        return self.befores[number] if number < len(self.befores) else self.last

    @property
    def over(self) -> bool:
        return self.last.to_move() < 0

    @cached_property
    def choices(self) -> tuple[int, ...]:
        """The numbers of the moves that were decisions which can be judged."""
        numbers = range(1, len(self.actions) + 1)
        return tuple(number for number in numbers if _has_choice(self.befores[number - 1], self.viewer))

    @property
    def confidence(self) -> float:
        """The confidence of one loss at which all losses of the game hold together."""
        return 1 - (1 - CONFIDENCE) / max(1, len(self.choices))


@dataclass(frozen=True)
class Judged:
    """One decision: the chance of the mover's side before and after it, what it lost, and the best move."""

    number: int  # of the move, from 1
    seat: int
    side: int
    made: str  # as the seat sees it; seats counted from 0
    best: str
    before: Estimate  # chance with the best move
    after: Estimate  # chance with the move that was made
    loss: Estimate  # how much better the best move is, in the same worlds
    moves: int  # different ones
    rows: tuple[Row, ...]  # the position as the seat saw it
    kinds: tuple[int, int]  # of the best move and of the move made, as `Face.moves` has them
    changes: tuple[float, ...]  # of every side's chance by the move made instead of the best, in the same worlds
    why: str  # the rule of thumb that speaks most for the best move; empty if none does
    goal: Goal

    @property
    def is_best(self) -> bool:
        return self.made == self.best

    @property
    def is_mistake(self) -> bool:
        """Whether the move certainly lost something that is shown."""
        return self.loss.low >= LEAST * self.goal.span

    @property
    def is_doubtful(self) -> bool:
        """Whether the move may have lost much, but not certainly something."""
        return not self.is_mistake and not self.is_best and self.loss.value >= DOUBTFUL * self.goal.span

    def record(self) -> Record:
        return {
            "ply": self.number,
            "seat": self.seat,
            "side": self.side,
            "move": self.made,
            "best": self.best,
            "before": self.before,
            "after": self.after,
            "loss": self.loss,
            "moves": self.moves,
            "mistake": self.is_mistake,
            "why": self.why,
        }


@dataclass(frozen=True)
class Swing:
    """How luck or others changed the chance between two decisions of a player, and the move that changed it most."""

    after: int  # the decision
    start: float  # chance after it
    end: float  # chance at the player's next decision, or the result
    number: int  # the move that changed most
    seat: int  # who made it
    move: str  # for people, as its effects: seats count from 1
    events: tuple[str, ...]

    @property
    def change(self) -> float:
        return self.end - self.start

    def record(self) -> Record:
        return {**vars(self), "change": self.change}


@dataclass(frozen=True)
class Account:
    """A game from one side: the first chance, what mistakes and luck changed, and the result.

    `first - lost + others + luck` is the result.
    """

    side: int
    first: float
    result: float  # or the chance after the last decision so far
    lost: float  # by its own mistakes; in the account of a seat by those of the seat
    others: float | None  # what mistakes of the others changed; None if their decisions were not judged
    luck: float  # everything else
    swings: tuple[Swing, ...]  # the largest changes by luck

    def record(self) -> Record:
        return {**vars(self), "swings": [swing.record() for swing in self.swings]}


@dataclass(frozen=True, repr=False)
class Review(Imagined):
    """All decisions of a game with a choice, and the account of every side."""

    decisions: tuple[Judged, ...]
    accounts: tuple[Account, ...]
    moves: int
    ending: tuple[str, ...]
    result: dict[str, Any]
    record: str
    file: str = ""

    command = "review"
    rows_key = "decisions"

    @property
    def worlds(self) -> int:
        """Worlds imagined at every decision."""
        return self.games

    @property
    def headline(self) -> str:
        """The move that cost most."""
        wrong = mistakes(self.decisions)
        if not wrong:
            return f"{self.moves} moves, no move certainly lost chances"
        worst = wrong[0]
        change = worst.goal.says(worst.loss.scale(-1), self.digits)
        return f"{self.moves} moves; the costliest is move {worst.number} by seat {worst.seat + 1}: {change}"

    @property
    def digits(self) -> int:
        """Decimals of all numbers of this review."""
        return digits_of(self.worlds, self.goal)

    @property
    def goal(self) -> Goal:
        return Goal(self.setup)

    def __repr__(self) -> str:
        return f"Review({self.setup.ruleset.name}, {self.setup.players} players: {self.headline})"

    def account(self, side: int) -> Account:
        return self.accounts[side]

    def of_side(self, side: int) -> list[Judged]:
        return [one for one in self.decisions if one.side == side]

    def deciding(self, side: int) -> list[Judged]:
        """The mistakes that cost most, from the worst."""
        return mistakes(self.of_side(side))[:DECIDED]

    def repeat(self) -> str:
        """The command that gives exactly this result again; the record names its setup."""
        words = ["review", self.file or "RECORD", "--worlds", str(self.worlds), "--seed", str(self.seed)]
        return command_line(words, self.setup)

    def records(self) -> list[Record]:
        """One row per decision."""
        return [one.record() for one in self.decisions]

    def summary(self) -> Record:
        names = [name for name, _ in self.setup.game.side_names(self.setup)]
        return {
            "moves": self.moves,
            "sides": [{"name": name, **account.record()} for name, account in zip(names, self.accounts, strict=True)],
            "ending": self.ending,
            "result": self.result,
            "record": self.record,
        }


@checked
def review(
    record: str,
    *,
    setup: Setup | None = None,
    worlds: int = WORLDS,
    seed: int = SEED,
    file: str = "",
    progress: OnGames | None = None,
) -> Review:
    """Judge every decision of a finished game on what its player knew.

    Parameters
    ----------
    record : str
        The text of a record, from `houle play` or `houle trace --record`, or typed in from a real game. In one seat's
        notes only the decisions of that seat are judged.
    worlds : int
        Worlds to imagine at every decision; half of them choose the best move, the other half score.
    seed : int
        Chooses the worlds.

    Returns
    -------
    Review
        The decisions, and for every side what its own mistakes, those of the others, and luck changed.

    Examples
    --------
    >>> import houle
    >>> game = houle.trace("wave", seed=7, game=3)
    >>> account = houle.review(game.record().as_text(), worlds=20).account(0)
    >>> abs(round(account.first - account.lost + account.others + account.luck - account.result, 9))
    0.0
    """
    check_int("worlds", worlds, 2, MOST_WORLDS)
    read, start = read_record(record, setup), time.perf_counter()
    played = played_record(read)  # reports impossible moves before any work
    if not played.over:
        raise PositionError("record: the game was broken off; a review needs a game played to its end")
    decisions: list[Judged] = []
    moves = len(played.actions)
    for number in range(1, moves + 1):
        one = judge(played, number, worlds, seed)
        decisions += [one] if one is not None else []
        if progress is not None:
            progress(number, time.perf_counter() - start)
    accounts = tuple(
        account(played, side, decisions, worlds) for side in range(len(read.setup.game.side_names(read.setup)))
    )
    name = digest({"rules": read.setup.digest, "record": record, "seed": seed, "worlds": worlds})
    facts = Facts(
        read.setup,
        strategies=(),
        seed=seed,
        games=worlds,
        asked=worlds,
        seconds=time.perf_counter() - start,
        digest=name,
    )
    end = played.last
    return Review(
        facts,
        decisions=tuple(decisions),
        accounts=accounts,
        moves=moves,
        ending=ending(end),
        result=end.result(),
        record=record,
        file=file,
    )


def played_record(read: GameRecord) -> ReviewedGame:
    """The game of a record; one seat's notes do not hold what the others knew."""
    replay, viewer = read.played(), read.seen_by

    def told(number: int) -> Told:
        before, action = replay.befores[number - 1], replay.actions[number - 1]
        seat = before.to_move()
        words = said(before, action, seat if viewer is None else viewer, done=viewer not in (None, seat))
        if viewer is None:
            return from_1(words), tuple(map(from_1, events(game.after(number), before.states, action)))
        came = read.outcomes.get(number)
        drawn = (f"draws {', '.join(came.drawn)}",) if came is not None and came.drawn else ()
        return from_1(words), (*drawn, *came.events) if came is not None else ()

    game = ReviewedGame(befores=replay.befores, actions=replay.actions, last=replay.match, told=told, viewer=viewer)
    return game


def digits_of(worlds: int, goal: Goal) -> int:
    """Decimals that this many worlds support, in percent or in points."""
    return int(worlds >= FINE) + goal.is_score


def mistakes(decisions: Iterable[Judged], side: int | None = None) -> list[Judged]:
    """The decisions that certainly lost something, the worst first; with a side those that changed it most."""

    def size(one: Judged) -> float:
        return one.loss.value if side is None else abs(one.changes[side])

    return sorted((one for one in decisions if one.is_mistake), key=lambda one: (-size(one), one.number))


def _has_choice(match: Match, viewer: int | None) -> bool:
    return viewer in (None, match.to_move()) and len(distinct_moves(match)) > 1


def judge(played: ReviewedGame, number: int, worlds: int, seed: int) -> Judged | None:
    """Judge one decision; None if there was no choice, or its player's knowledge is not in the notes."""
    if number not in played.choices:
        return None
    match, action = played.befores[number - 1], played.actions[number - 1]
    here = copy(match)
    here.states = match.states.copy()
    playouts = Playouts(here, seed)
    while playouts.worlds < worlds:
        playouts.play(min(worlds - playouts.worlds, playouts.at_once))
    seat, goal = playouts.seat, playouts.goal
    scores = playouts.results[1::2]
    totals = goal.sign * playouts.results[0::2].sum(axis=0).round(6)  # so that equal sums of shares are equal
    kind = here.seen(action, seat)[1]
    made = next(i for i, one in enumerate(playouts.actions) if here.seen(one, seat)[1] == kind)
    best = int(np.argmax(totals))
    if totals[best] == totals[made]:
        best = made
    before, after = (goal.expected(scores[:, move]) for move in (best, made))
    names = [said(here, playouts.actions[move], seat) for move in (made, best)]
    kinds = here.seen(playouts.actions[best], seat)[1], kind
    rules = reasons(here, playouts.thumbs, playouts.actions[best], playouts.actions[made]) if best != made else None
    why = rules.speaks.sentence if rules is not None and rules.speaks is not None else ""
    return Judged(
        number=number,
        seat=seat,
        side=playouts.side,
        made=names[0],
        best=names[1],
        before=before,
        after=after,
        loss=goal.paired(scores, made, best, played.confidence),
        moves=len(playouts.actions),
        rows=tuple(view_of(here.state, here.setup, seat)),
        kinds=kinds,
        changes=playouts.changes(made, best, slice(1, None, 2)),
        why=why,
        goal=goal,
    )


def account(
    played: ReviewedGame, side: int, decisions: Sequence[Judged], worlds: int, seat: int | None = None
) -> Account:
    """The account of a side, or of one seat of it; a side without a choice starts with its result."""
    of_side = [one for one in decisions if one.side == side]
    result = Goal(played.last.setup).in_result(played.last.result(), side) if played.over else None
    if not of_side:
        return Account(
            side=side,
            first=result or 0.0,
            result=result or 0.0,
            lost=0.0,
            others=None if played.viewer is not None else 0.0,
            luck=0.0,
            swings=(),
        )
    first, now = of_side[0], of_side[-1].after.value if result is None else result
    wrong = [one for one in decisions if one.is_mistake and one.number >= first.number]
    own = [one for one in of_side if seat in (None, one.seat)]
    numbers = {one.number for one in own}
    lost = sum(first.goal.sign * one.loss.value for one in wrong if one.number in numbers)
    others = sum(one.changes[side] for one in wrong if one.number not in numbers)
    luck = now - first.before.value + lost - others
    found = swings(played, own, wrong, result, worlds=worlds)
    known = None if played.viewer is not None else others
    return Account(side=side, first=first.before.value, result=now, lost=lost, others=known, luck=luck, swings=found)


def swings(
    played: ReviewedGame, own: list[Judged], wrong: list[Judged], result: float | None, worlds: int
) -> tuple[Swing, ...]:
    """The largest changes by luck between two decisions of a player, each named by the move that changed most."""
    spans: list[tuple[Judged, int, float]] = []  # a decision, the last move until the next one, the chance then
    for seat in {one.seat for one in own}:
        mine = [one for one in own if one.seat == seat]
        spans += [(one, then.number - 1, then.before.value) for one, then in pairwise(mine) if _differ(one, then)]
        if result is not None and not mine[-1].after.low <= result <= mine[-1].after.high:
            spans.append((mine[-1], len(played.actions), result))
    found: dict[range, Swing] = {}
    known = {one.number: one.changes[own[0].side] for one in wrong} if own else {}
    least = {one.number: max(LEAST * one.goal.span, one.after.half) for one in own}

    def lucky(span: tuple[Judged, int, float]) -> float:
        one, last, end = span
        return abs(end - _start(one, last, known))

    for one, last, end in sorted(spans, key=lucky, reverse=True):
        moves = range(one.number, last + 1)
        if len(found) == DECIDED or lucky((one, last, end)) < least[one.number]:
            break
        if not any(moves.start < other.stop and other.start < moves.stop for other in found):
            found[moves] = _swing(played, one, last, end, worlds=min(worlds, MOST_SWING_WORLDS), known=known)
    return tuple(found.values())


def _start(one: Judged, last: int, known: dict[int, float]) -> float:
    """The chance after a decision if the mistakes until `last` are made at once."""
    later = sum(change for number, change in known.items() if one.number < number <= last)
    least, most = one.goal.pick((0, 1), one.goal.setup.score_range)
    return min(most, max(least, one.after.value + later))


def _differ(one: Judged, then: Judged) -> bool:
    """Whether the chance certainly changed between two decisions."""
    return one.after.high < then.before.low or then.before.high < one.after.low


def _swing(played: ReviewedGame, one: Judged, last: int, end: float, worlds: int, known: dict[int, float]) -> Swing:
    """Names the move that changed the chance most after a decision, up to the player's next one."""
    made, start = played.actions[one.number - 1], _start(one, last, known)
    way = 1 if end >= start else -1
    between = [chance(played.after(number), one.seat, worlds, made).value for number in range(one.number, last)]
    steps = [way * (after - before) for before, after in pairwise([one.after.value, *between, end])]
    for place in range(1, len(steps)):
        steps[place] -= way * known.get(one.number + place, 0.0)  # a mistake is named elsewhere
    if len(steps) > 1 and not played.told(one.number)[1]:
        steps[0] = -math.inf  # the player's own move brought no card, so it was no luck
    number = one.number + int(np.argmax(steps))
    words, effects = played.told(number)
    return Swing(
        after=one.number,
        start=start,
        end=end,
        number=number,
        seat=played.befores[number - 1].to_move(),
        move=words,
        events=effects,
    )


def said(match: Match, action: int, seat: int, done: bool = False) -> str:
    """A move as a seat sees it, in the words of the table; seats count from 0."""
    return move_in_words(match.setup, move_name(match, action, seat, done))


def side_words(setup: Setup, side: int) -> str:
    """A side for people."""
    return from_1(setup.game.side_names(setup)[side][0])
