"""Where a game was decided: every decision of a record judged by search, on what that seat knew.

At a decision all moves are made in the same imagined worlds (advice/playouts.py). The best is chosen in one half of the
worlds, and both it and the move that was made are scored in the other half: picked and scored by the same worlds, the
best of several moves would seem better than it is. What was lost is the difference, paired by world.

For one side the game is a chain: the chance before its first decision, then by turns what a move of its own lost and
what happened until it had to decide again: draws, other hands, other players' choices. Every link begins where the last
one ended, so own losses and the rest add up to the result minus the first chance.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from houle.analysis.advice.playouts import Playouts
from houle.analysis.advice.trace import ending
from houle.analysis.arguments import checked
from houle.analysis.limits import MOST_SEED, SEED, check_int
from houle.analysis.result import interval_as_json, setup_as_json, shown_side
from houle.analysis.stats.intervals import WHOLE_WIN, Interval, wilson
from houle.analysis.stats.moments import Moments
from houle.solver.errors import InputError
from houle.solver.match import Match
from houle.solver.record.game import read_record
from houle.solver.record.position import FILL, move_name
from houle.solver.ruleset import Setup, digest
from houle.solver.views import Row, view_of

if TYPE_CHECKING:
    import pandas as pd

WORLDS = 400
MOST_WORLDS = 100_000
DECIDED = 5  # moves and swings that are told apart
Progress = Callable[[int, float], None]


@dataclass(frozen=True)
class Judged:
    """One decision: the chance of the mover's side before and after it, what was lost, and the better move."""

    number: int  # of the move, from 1
    seat: int
    side: int
    made: str  # as the seat sees it; seats counted from 0
    best: str
    before: Interval  # after the best move: what the side could have
    after: Interval  # after the move that was made
    loss: Interval  # before minus after, in the same worlds
    moves: int  # that differ
    rows: tuple[Row, ...]  # the position as the seat saw it
    cards: tuple[str, str]  # the two moves by their canonical names there, the best first: which cards they are about

    @property
    def is_best(self) -> bool:
        return self.made == self.best

    def as_json(self) -> dict[str, Any]:
        return {
            "ply": self.number,
            "seat": self.seat,
            "side": self.side,
            "move": self.made,
            "best": self.best,
            "before": interval_as_json(self.before),
            "after": interval_as_json(self.after),
            "loss": interval_as_json(self.loss),
            "moves": self.moves,
        }


@dataclass(frozen=True)
class Account:
    """A game as one side had it: the first chance, what its choices cost, what all the rest brought, the result."""

    side: int
    first: float
    result: float
    lost: float  # by its own choices, of all its decisions together
    rest: float  # draws, other hands and other players' choices; below 0 where they took chances away
    swings: tuple[tuple[int, float], ...]  # after which move, and by how much the rest changed the chance

    def as_json(self) -> dict[str, Any]:
        swings = [{"after": number, "change": change} for number, change in self.swings]
        return {"side": self.side, "first": self.first, "result": self.result, "lost": self.lost, "rest": self.rest,
                "swings": swings}  # fmt: skip


@dataclass(frozen=True)
class Review:
    """All decisions of a game that had a choice, and the account of every side."""

    setup: Setup
    seed: int
    worlds: int
    decisions: tuple[Judged, ...]
    accounts: tuple[Account, ...]
    moves: int
    ending: tuple[str, ...]
    result: dict[str, Any]
    record: str
    seconds: float
    file: str = ""

    def account(self, side: int) -> Account:
        return self.accounts[side]

    def of_side(self, side: int) -> list[Judged]:
        return [one for one in self.decisions if one.side == side]

    def deciding(self, side: int) -> list[Judged]:
        """The moves that cost most, the worst first; those that cost something for certain before the others."""
        lost = [one for one in self.of_side(side) if one.loss.value > 0]
        return sorted(lost, key=lambda one: (one.loss.low <= 0, -one.loss.value))[:DECIDED]

    @property
    def digest(self) -> str:
        return digest({"rules": self.setup.digest, "record": self.record, "seed": self.seed, "worlds": self.worlds})

    def repeat(self) -> str:
        words = ["houle", "review", self.file or "RECORD", "--worlds", str(self.worlds), "--seed", str(self.seed)]
        return shlex.join(words)

    def as_json(self) -> dict[str, Any]:
        names = [name for name, _ in self.setup.game.side_names(self.setup)]
        return {
            **setup_as_json(self.setup),
            "worlds": self.worlds,
            "seed": self.seed,
            "moves": self.moves,
            "sides": [{"name": name, **account.as_json()} for name, account in zip(names, self.accounts, strict=True)],
            "decisions": [one.as_json() for one in self.decisions],
            "ending": list(self.ending),
            "result": self.result,
            "record": self.record,
            "rules_digest": self.setup.digest,
            "result_digest": self.digest,
            "notes": list(self.setup.notes),
            "seconds": self.seconds,
        }

    def frame(self) -> pd.DataFrame:
        import pandas as pd

        rows = []
        for one in self.decisions:
            row: dict[str, Any] = {"ply": one.number, "seat": one.seat, "side": one.side, "move": one.made}
            for name, found in (("before", one.before), ("after", one.after), ("loss", one.loss)):
                row |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
            rows.append(row | {"best": one.best})
        return pd.DataFrame(rows)


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
    """Judge every decision of a finished game by search, on what its seat knew.

    Parameters
    ----------
    record : str
        The text of a record, as `houle play` and `houle trace --record` write it, or as somebody typed it in from a
        real table; of one seat's notes the decisions of that seat are judged.
    setup : Setup, optional
        The table, where the text does not say it.
    worlds : int
        Worlds to imagine at every decision; half of them choose the best move, the others score.
    seed : int
        Names the worlds.

    Returns
    -------
    Review
        The decisions, and for every side what its own choices lost and what all the rest brought.

    Examples
    --------
    >>> import houle
    >>> game = houle.trace("wave", seed=7, game=3)
    >>> found = houle.review(game.record().as_text(), worlds=20)
    >>> account = found.account(0)
    >>> abs(round(account.first - account.lost + account.rest - account.result, 9))
    0.0
    """
    check_int("worlds", worlds, 2, MOST_WORLDS)
    check_int("seed", seed, 0, MOST_SEED)
    read, start = read_record(record, setup), time.perf_counter()
    if not read.setup.game.has_features:
        raise InputError(f"{read.setup.ruleset.name} has no rules of thumb, so there is nobody to play moves out")
    played = read.played()  # a move that is not possible is told before any time is spent
    if played.match.to_move() >= 0:
        raise InputError("record: the game was broken off; a review judges games that were played to their end")
    found: list[Judged] = []
    moves = len(played.actions)
    for number, (table, action) in enumerate(zip(played.befores, played.actions, strict=True), 1):
        # What the others knew is not in one seat's notes.
        if read.seen_by is None or table.to_move() == read.seen_by:
            one = _judge(table, action, number, worlds, seed)
            found += [one] if one is not None else []
        if progress is not None:
            progress(number, time.perf_counter() - start)
    result = played.match.result()
    shares = [share / WHOLE_WIN for share in result["shares"]]
    accounts = tuple(_account(side, share, found) for side, share in enumerate(shares))
    return Review(
        read.setup, seed, worlds, tuple(found), accounts, moves, ending(played.match), result, record,
        time.perf_counter() - start, file,
    )  # fmt: skip


def _judge(match: Match, action: int, number: int, worlds: int, seed: int) -> Judged | None:
    """One decision; None where there was no choice."""
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
    n = len(scores)
    before, after = (wilson(float(scores[:, move].mean()) / WHOLE_WIN, n) for move in (best, made))
    nothing = Interval(0.0, 0.0, 0.0, n)
    pairs = Moments.of(("best", "made"), scores[:, [best, made]].astype(np.int64))
    loss = pairs.rate_difference(pairs.mean("best", WHOLE_WIN), pairs.mean("made", WHOLE_WIN))
    names = [move_name(here, playouts.actions[move], seat) for move in (made, best)]
    world = here.imagine(seat, FILL)
    cards = world.name(playouts.actions[best]), world.name(playouts.actions[made])
    return Judged(
        number, seat, playouts.side, names[0], names[1], before, after, nothing if best == made else loss,
        len(playouts.actions), tuple(view_of(world.state, here.setup, seat)), cards,
    )  # fmt: skip


def _account(side: int, result: float, decisions: list[Judged]) -> Account:
    """The chain of one side; a side without a choice has the result from the beginning."""
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
