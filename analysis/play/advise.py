"""`houle advise`: what to play at a position, and why. Every move with what it wins or scores, and what it loses."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from houle.analysis.arguments import checked
from houle.analysis.limits import SEED, check_int
from houle.analysis.measures.goal import Goal
from houle.analysis.play.playouts import Imagined, Playouts
from houle.analysis.play.positions import read_position
from houle.analysis.play.reasons import Reasons, reasons
from houle.analysis.players.line_ups import EXPERT, line_up
from houle.analysis.players.listing import players_at
from houle.analysis.result import Facts, Record, command_line
from houle.analysis.run_options import OnGames
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.looks import confidence_at
from houle.solver.language.seats import from_1
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import Position, move_name
from houle.solver.rules import Setup, digest

CLOSE = 0.01  # a loss of less than one game in 100, or of a hundredth of the range of scores, does not matter
WORLDS = 400
MOST_WORLDS = 1_000_000
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

    @property
    def headline(self) -> str:
        word = "so far" if self.contenders else "best"
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
        why = f"the {EXPERT} is not asked, because it reads the others"
        why += ": a position does not say where in a hand each card came from"
        notes = "a seat's notes of the game do (docs/reference/positions.md)"
        return f"{why}; {notes}" if line_up(self.setup, EXPERT).reads and not self.position.notes else ""

    @property
    def best(self) -> AdvisedMove:
        return self.moves[0]

    @property
    def rival(self) -> AdvisedMove | None:
        """The best of the moves that are certainly worse; the next one if none is; None if there is no other move."""
        return _rival(self.moves)

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
        return [
            "--position",
            "; ".join((self.position.notes or self.position.as_text()).splitlines()),
            "--worlds",
            str(self.games),
        ]

    def repeat(self) -> str:
        """The command that gives exactly this result again; the position names its setup."""
        words = [self.command, self.setup.ruleset.name, *self.words(), "--seed", str(self.seed)]
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
    worlds: int = WORLDS,
    seed: int = SEED,
    players: bool = True,
    progress: OnGames | None = None,
) -> Advice:
    """Say what to play at a position: every move ranked by its win chance, or by its score if that is the goal.

    Parameters
    ----------
    position : Position or str
        From `houle.position` or `houle.read_position`, or a position as text or as a file.
    worlds : int
        Worlds to imagine that fit what the player knows.
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
    check_int("worlds", worlds, 1, MOST_WORLDS)
    match = here.match()
    start = time.perf_counter()
    playouts = Playouts(match, seed)
    most = worlds if len(playouts.actions) > 1 else min(worlds, WORLDS)
    while playouts.worlds < most:
        # The first batches are small, so that progress starts early.
        playouts.play(min(most - playouts.worlds, playouts.at_once, max(10, playouts.worlds)))
        if progress is not None:
            progress(playouts.worlds, time.perf_counter() - start)
    return _advice(here, match, playouts, players, asked=most, start=start)


def _advice(position: Position, match: Match, playouts: Playouts, ask: bool, asked: int, start: float) -> Advice:
    setup, ranked = position.setup, playouts.ranked()
    best, pairs = ranked[0], len(ranked) * (len(ranked) - 1) // 2
    confidence = confidence_at(1, pairs)  # all pairs of moves hold together, because the best is picked
    lost = [playouts.loss(i, best, confidence) for i in range(len(ranked))]
    choices = _choices(position, match) if ask and position.forgotten is None else {}
    moves = tuple(
        AdvisedMove(
            action=playouts.actions[i],
            name=move_name(match, playouts.actions[i], position.seat),
            win=playouts.win(i),
            loss=lost[i],
            points=playouts.points(i),
            sides=tuple(playouts.win(i, side) for side in range(int(setup.rules[0].sides))),
            players=tuple(name for name, action in choices.items() if action == playouts.actions[i]),
            ends={words: number / playouts.worlds for words, number in playouts.ends[i].most_common()},
        )
        for i in ranked
    )
    rival = _rival(moves)
    why = reasons(match, playouts.thumbs, moves[0].action, rival.action) if rival is not None else None
    results = playouts.results if playouts.goal.is_score else playouts.shares
    shares = [playouts.actions, results.sum(axis=0).tolist()]
    numbers = {"seed": playouts.seed, "worlds": playouts.worlds, "shares": shares}
    name = digest({"rules": setup.digest, "position": position.lines(), **numbers})
    who = playouts.thumbs.names[:1]
    facts = Facts(
        setup,
        strategies=who,
        seed=playouts.seed,
        games=playouts.worlds,
        asked=asked,
        seconds=time.perf_counter() - start,
        digest=name,
    )
    return Advice(facts, position, moves, why)


def _rival(moves: Sequence[AdvisedMove]) -> AdvisedMove | None:
    """The move that the best one is compared with."""
    worse = (move for move in moves[1:] if move.loss.low > 0)
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
