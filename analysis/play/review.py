"""`houle review`: where a finished game was decided. Every decision is judged on what its player knew.

At a decision all moves are played out in the same worlds (advice/playouts.py). Half of the worlds choose the best move;
the other half score it and the move that was made, because the best of several moves looks too good in the worlds that
chose it. The loss is the difference, paired by world.

For one side a game is a chain: the chance before its first decision, then in turn what its move lost and what happened
until its next decision (draws, other hands, other players). Each link starts where the last one ended, so its losses
and the rest add up to the result minus the first chance.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from houle.analysis.advice.playouts import Imagined, Playouts, paired_loss, win_chance
from houle.analysis.advice.trace import ending
from houle.analysis.arguments import checked
from houle.analysis.limits import SEED, check_int
from houle.analysis.result import Facts, Record, shown_side
from houle.analysis.run import Progress
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.solver.errors import PositionError
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import read_record
from houle.solver.matches.record.position import FILL, move_name
from houle.solver.matches.views import Row, view_of
from houle.solver.rules import Setup, digest

WORLDS = 400
MOST_WORLDS = 100_000
DECIDED = 5  # moves and swings that are listed


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
    loss: Estimate  # before minus after, in the same worlds
    moves: int  # different ones
    rows: tuple[Row, ...]  # the position as the seat saw it
    cards: tuple[str, str]  # canonical names of the best move and of the move made

    @property
    def is_best(self) -> bool:
        return self.made == self.best

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
        }


@dataclass(frozen=True)
class Account:
    """A game from one side: the first chance, what its choices cost, what everything else changed, the result."""

    side: int
    first: float
    result: float
    lost: float  # by its own choices, all decisions together
    rest: float  # draws, other hands and other players; below 0 if they cost chances
    swings: tuple[tuple[int, float], ...]  # number of a move, and how the rest changed the chance after it

    def record(self) -> Record:
        swings = [{"after": number, "change": change} for number, change in self.swings]
        return {**vars(self), "swings": swings}


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
        worst = max(self.decisions, key=lambda one: one.loss.value, default=None)
        if worst is None or worst.loss.value <= 0:
            return f"{self.moves} moves, no move lost chances"
        change = worst.loss.scale(-1).text()
        return f"{self.moves} moves; the costliest is move {worst.number} by seat {worst.seat + 1}: {change}"

    def __repr__(self) -> str:
        return f"Review({self.setup.ruleset.name}, {self.setup.players} players: {self.headline})"

    def account(self, side: int) -> Account:
        return self.accounts[side]

    def of_side(self, side: int) -> list[Judged]:
        return [one for one in self.decisions if one.side == side]

    def deciding(self, side: int) -> list[Judged]:
        """The moves that cost most: certain losses first, each group from the worst."""
        lost = [one for one in self.of_side(side) if one.loss.value > 0]
        return sorted(lost, key=lambda one: (one.loss.low <= 0, -one.loss.value))[:DECIDED]

    def repeat(self, setup_words: Sequence[str] | None = None) -> str:
        """The command that gives exactly this result again; the record names its setup."""
        words = ["houle", "review", self.file or "RECORD", "--worlds", str(self.worlds), "--seed", str(self.seed)]
        return shlex.join(words)

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
    progress: Progress | None = None,
) -> Review:
    """Judge every decision of a finished game on what its player knew.

    Parameters
    ----------
    record : str
        The text of a record, from `houle play` or `houle trace --record`, or typed in from a real game. In one seat's
        notes only the decisions of that seat are judged.
    setup : Setup, optional
        The setup, if the text does not name it.
    worlds : int
        Worlds to imagine at every decision; half of them choose the best move, the other half score.
    seed : int
        Chooses the worlds.

    Returns
    -------
    Review
        The decisions, and for every side what its own choices lost and what everything else changed.

    Examples
    --------
    >>> import houle
    >>> game = houle.trace("wave", seed=7, game=3)
    >>> account = houle.review(game.record().as_text(), worlds=20).account(0)
    >>> abs(round(account.first - account.lost + account.rest - account.result, 9))
    0.0
    """
    check_int("worlds", worlds, 2, MOST_WORLDS)
    read, start = read_record(record, setup), time.perf_counter()
    played = read.played()  # reports impossible moves before any work
    if played.match.to_move() >= 0:
        raise PositionError("record: the game was broken off; a review needs a game played to its end")
    decisions: list[Judged] = []
    moves = len(played.actions)
    for number, (before, action) in enumerate(zip(played.befores, played.actions, strict=True), 1):
        # One seat's notes do not hold what the others knew.
        if read.seen_by is None or before.to_move() == read.seen_by:
            one = _judge(before, action, number, worlds, seed)
            decisions += [one] if one is not None else []
        if progress is not None:
            progress(number, time.perf_counter() - start)
    result = played.match.result()
    shares = [share / WHOLE_WIN for share in result["shares"]]
    accounts = tuple(_account(side, share, decisions) for side, share in enumerate(shares))
    name = digest({"rules": read.setup.digest, "record": record, "seed": seed, "worlds": worlds})
    facts = Facts(read.setup, (), seed, worlds, worlds, time.perf_counter() - start, name)
    return Review(facts, tuple(decisions), accounts, moves, ending(played.match), result, record, file)


def _judge(match: Match, action: int, number: int, worlds: int, seed: int) -> Judged | None:
    """Judge one decision; None if there was no choice."""
    here = copy(match)
    here.states = match.states.copy()
    playouts = Playouts(here, seed)
    if len(playouts.actions) < 2:
        return None
    while playouts.worlds < worlds:
        playouts.play(min(worlds - playouts.worlds, playouts.at_once))
    seat, shares = playouts.seat, playouts.shares
    chooses, scores = shares[0::2], shares[1::2]
    kind = here.seen(action, seat)[1]
    made = next(i for i, one in enumerate(playouts.actions) if here.seen(one, seat)[1] == kind)
    best = int(np.argmax(chooses.sum(axis=0)))
    if chooses[:, best].sum() == chooses[:, made].sum():
        best = made
    before, after = (win_chance(scores[:, move]) for move in (best, made))
    names = [move_name(here, playouts.actions[move], seat) for move in (made, best)]
    world = here.imagine(seat, FILL)
    cards = world.name(playouts.actions[best]), world.name(playouts.actions[made])
    return Judged(
        number, seat, playouts.side, names[0], names[1], before, after, paired_loss(scores, made, best),
        len(playouts.actions), tuple(view_of(world.state, here.setup, seat)), cards,
    )  # fmt: skip


def _account(side: int, result: float, decisions: list[Judged]) -> Account:
    """The chain of one side; a side without a choice starts with its result."""
    own = [one for one in decisions if one.side == side]
    if not own:
        return Account(side, result, result, 0.0, 0.0, ())
    lost = sum(one.before.value - one.after.value for one in own)
    follows = [one.before.value for one in own[1:]] + [result]
    swings = [(one.number, then - one.after.value) for one, then in zip(own, follows, strict=True)]
    largest = sorted(swings, key=lambda swing: -abs(swing[1]))[:DECIDED]
    rest = sum(change for _, change in swings)
    return Account(side, own[0].before.value, result, lost, rest, tuple(largest))


def side_words(setup: Setup, side: int) -> str:
    """A side for people."""
    return shown_side(setup.game.side_names(setup)[side][0])
