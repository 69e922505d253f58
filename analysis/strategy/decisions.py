"""`houle decisions`: which decisions matter, and how much.

Thumbs play the games and flat search judges each of their decisions. It chooses the best and second best move on one
half of its worlds and scores them on the other half, so luck does not count as stakes. Stakes are differences in
utility (how good the end of the round is, 0 to 1) and in the share of the win. Decisions of one game are not
independent, so intervals are clustered by game.

A decision matters if its best move wins at least 5 points more than a random move (`least`). This is a size, not a
test: the worlds give each decision a gain with an error, and stats/deconvolution.py estimates how many true gains are
as large. So a search with more worlds finds the same share, only more precisely. Because thumbs play, it also judges
the same positions.

Where the goal is the score, gains are points, and 5 points are 5% of the range of scores. The usual utility is half the
share of the win and half the place of the score in its range, so the two differences that are logged give the points.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from houle.analysis.arguments import checked
from houle.analysis.blocks import OWN, Block, Column, about, note, table, text
from houle.analysis.limits import DECISIONS_GAMES, DECISIONS_LEAST, DECISIONS_SEARCH, LEAST_WORLDS
from houle.analysis.measures.goal import Goal
from houle.analysis.players.line_ups import Strategies, as_setup, one_strategy
from houle.analysis.players.named_players import THUMB, players_of
from houle.analysis.result import Facts, Finished, Record
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.backends import Chunk, Play
from houle.analysis.sampling.engine import play_games
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.deconvolution import Gains, share_beyond
from houle.analysis.stats.estimate import MISSING, POINTS, Estimate
from houle.analysis.stats.variance import Places, Vector, clustered_mean, clustered_share, per_cluster
from houle.analysis.strategy import beliefs
from houle.solver.errors import InputError, StrategyError
from houle.solver.interface import blank
from houle.solver.interface.game import FUNCTIONS
from houle.solver.matches.match import Match
from houle.solver.players.decision_log import blank_log
from houle.solver.players.names import FLAT, KINDS, WORDS, Strategy
from houle.solver.players.player import LineUp
from houle.solver.players.workspace import make_workspace
from houle.solver.rules import Setup
from houle.solver.run.playout import decide
from houle.solver.run.tally import Tally, result_digest

PHASES = 10
SHARPEST = 20  # errors are taken to be at least this part of the size that matters
LEAST_SIZE, MOST_SIZE = 0.005, 0.5  # of a win

Chosen = NDArray[np.bool_]

# Measures in words. Stakes are measured only where there is a choice.
MEASURES = {
    "per_game": "decisions per game",
    "moves": "legal moves",
    "kinds": "moves that differ",
    "forced": "share of decisions without a choice",
    "second": "best move against the second best",
    "random": "best move against a random one",
    "thumb": "best move against the thumb's choice",
    "share": "best move against a random one, in wins",
    "matters": "share of choices that matter",
    "matter_per_game": "decisions that matter per game",
    **beliefs.MEASURES,  # in games whose moves can be read
}


@dataclass
class DecisionLog:
    """The decisions of some games, row by row, and the tally of the games."""

    tally: Tally
    parts: list[tuple[Any, Any]]  # per game: DECISIONs and BELIEFs

    @property
    def games(self) -> int:
        return self.tally.games

    def add(self, other: DecisionLog) -> None:
        self.tally.add(other.tally)
        self.parts += other.parts


@dataclass(frozen=True)
class DecisionGroup:
    """A group of decisions: all, those of one phase of the game, or those of one seat."""

    part: str  # "all", "phase", "seat"
    label: str
    decisions: int
    choices: int  # decisions between moves that differ
    estimates: dict[str, Estimate]  # by MEASURES, without those that make no sense for the group


@dataclass(frozen=True, repr=False)
class Decisions(Finished):
    """The decisions of some games as rates and means."""

    search: Strategy  # the judge
    least: float  # of a win, or of the range of scores: what a choice must be worth to matter
    log: Any  # one DECISION each, see players/decision_log.py
    read: Any  # one BELIEF each, see beliefs.py; empty in games whose moves cannot be read

    command = "decisions"
    rows_key = "groups"

    @property
    def headline(self) -> str:
        goal, matters = self.goal, self.whole.estimates["matter_per_game"]
        least = f"{goal.pick(100, goal.span) * self.least:g} {goal.pick('points', goal.score)}"
        return f"{matters.text()} decisions per game matter by {least} or more"

    @property
    def goal(self) -> Goal:
        return Goal(self.setup)

    @property
    def measures(self) -> dict[str, str]:
        """The measures of this setup, in words."""
        named = {**MEASURES, "share": f"best move against a random one, in {self.goal.head}"}
        return {name: about for name, about in named.items() if name in self.whole.estimates}

    def sentences(self) -> list[Block]:
        """How many decisions a game has, how many of them matter, and whether watching the others pays."""
        whole, goal = self.whole.estimates, self.goal
        size = f"{goal.pick(100, goal.span) * self.least:g}"
        more = f"{size} more games in 100"
        more = f"{size} {'more' if goal.sign > 0 else 'fewer'} {goal.score}" if goal.is_score else more
        words = text(
            "A game of {who} has {per_game} decisions. {forced} of them leave no choice. Of the others, {matters} "
            "matter: the best move {verb}s at least {more} than a random one.",
            who=players_of(THUMB),
            per_game=whole["per_game"],
            forced=whole["forced"],
            matters=whole["matters"],
            verb=goal.verb,
            more=more,
        )
        said = [about(words, THUMB, "decisions per_game, forced, matters")]
        if "card_read" in whole:
            words = text(
                "Watching the others pays: what they play gives away hidden cards. An attentive player expects the "
                "right card with a chance of {read} instead of {even}.",
                read=whole["card_read"],
                even=whole["card_even"],
            )
            said.append(about(words, THUMB, "card_read, card_even"))
        elif "nats" in whole and whole["nats"].low > 0:
            said.append(text("Watching the others pays: what they play gives away something about their hidden cards."))
        return said

    def details(self) -> list[Block]:
        """All measures of the whole game, and how they were taken."""
        columns = [Column("measure", "measure"), Column("value", "value", OWN)]
        rows = [[about, self.whole.estimates[name]] for name, about in self.measures.items() if name != "nats"]
        return [
            table("decisions", f"All decisions of {self.games:,} games, with 95% intervals.", columns, rows),
            note(
                "The players follow the rules of thumb, and a search ({search}) judges every move. Moves are compared "
                "by how good the round ends, from 0 (lost) to 1 (won), and by at least this much: half of the imagined "
                "worlds choose the best move, the other half score it. A random move may be the best one, so the best "
                "move may be closer to it than to the second best. Intervals are clustered by game.",
                search=self.strategy,
            ),
        ]

    @property
    def strategy(self) -> str:
        return self.search.text

    def words(self) -> list[str]:
        return ["--least", f"{100 * self.least:g}"] if self.least != DECISIONS_LEAST else []

    def _gains(self, rows: Chosen) -> Gains:
        """By how much the chosen moves win or score more than random ones, with one error common to all decisions.

        The worlds of a decision distort its gain and its spread together. With its own spread as its error, small
        gains would look certain and large ones doubtful. Moves are chosen by utility; the ratio of the two gains
        turns errors in utility into errors in wins.
        """
        log, choice = self.log, self.log.kinds > 1
        n = np.maximum(log.worlds, 1)
        gains, per_utility = self._gained()
        shares, utilities = (gains / n)[choice], (log.random / n)[choice]
        ratio = float(shares.sum() / utilities.sum()) if utilities.sum() > 0 else 1.0
        error, utility_error = (
            self._error(log[name][choice], log[f"{name}_squared"][choice], n[choice]) for name in ("share", "random")
        )
        if per_utility:
            error = per_utility * utility_error
        least = self.goal.span * self.least / SHARPEST
        return Gains((gains / n)[rows], log.kinds[rows], max(error, least), max(0.0, ratio) * utility_error)

    def _gained(self) -> tuple[Vector, float]:
        """What the best moves win or score more than random ones, summed over worlds; and points per utility, or 0."""
        log, goal = self.log, self.goal
        if not goal.is_score:
            return log.share, 0.0
        if self.setup.game.functions["utility"] is not FUNCTIONS["utility"].default:
            return goal.span * log.random, goal.span
        return goal.span * (2 * log.random - log.share), 2.0 * goal.span

    @staticmethod
    def _error(sums: Vector, squares: Vector, worlds: Vector) -> float:
        """The typical standard error of a mean over so many worlds."""
        if len(sums) == 0:
            return 0.0
        within = float(np.maximum(squares - sums**2 / worlds, 0.0).sum()) / max(float((worlds - 1).sum()), 1.0)
        return math.sqrt(within * float((1 / worlds).mean()))

    @cached_property
    def groups(self) -> list[DecisionGroup]:
        """All decisions, then by phase of the game, then by seat."""
        log = self.log
        groups = [self.whole]
        length = np.bincount(self._game, minlength=self.games)
        phase = (PHASES * log.ply // np.maximum(length[self._game], 1)).astype(int)
        for i in range(PHASES):
            label = f"{100 * i // PHASES} to {100 * (i + 1) // PHASES}%"
            groups.append(self._group("phase", label, phase == i))
        for seat in range(self.setup.players):
            groups.append(self._group("seat", f"seat {seat}", log.seat == seat))
        return groups

    @cached_property
    def whole(self) -> DecisionGroup:
        return self._group("all", "all", np.ones(len(self.log), bool))

    @cached_property
    def _game(self) -> Places:
        """The game of every decision, from 0."""
        return np.asarray(self.log.game - self.first, np.int64)

    def _group(self, part: str, label: str, rows: Chosen) -> DecisionGroup:
        log = self.log
        choice = rows & (log.kinds > 1)
        worlds = np.maximum(log.worlds, 1)
        estimates = {
            "moves": self._mean(log.moves.astype(float), rows),
            "kinds": self._mean(log.kinds.astype(float), rows),
            "forced": self._share((log.kinds == 1).astype(float), rows),
        }
        for name in ("second", "random", "thumb"):
            estimates[name] = self._mean(log[name] / worlds, choice)
        estimates["share"] = replace(self._mean(self._gained()[0] / worlds, choice), unit=self.goal.pick(POINTS, ""))
        least = self.goal.span * self.least
        matters, each = share_beyond(self._gains(choice), self._game[choice], self.games, least)
        estimates["matters"] = matters
        if part != "phase":
            estimates["per_game"] = per_cluster(np.ones(int(rows.sum())), self._game[rows], self.games)
            estimates["matter_per_game"] = each
        if self.read.telling.any():
            telling = rows & (self.read.telling > 0)
            estimates["nats"] = self._mean(self.read.nats, telling)
            hidden = telling & (self.read.cards > 0)
            if self.read.cards.any():
                estimates |= {name: self._share(self.read[name], hidden) for name in beliefs.SHARES}
        return DecisionGroup(part, label, int(rows.sum()), int(choice.sum()), estimates)

    def _mean(self, values: Vector, rows: Chosen) -> Estimate:
        return clustered_mean(values[rows], self._game[rows], self.games)

    def _share(self, values: Vector, rows: Chosen) -> Estimate:
        return clustered_share(values[rows], self._game[rows], self.games)

    def records(self) -> list[Record]:
        return [
            {
                "part": group.part,
                "group": group.label,
                "decisions": group.decisions,
                "choices": group.choices,
                **{
                    column: value
                    for name in MEASURES
                    for estimate in [group.estimates.get(name, MISSING)]
                    for column, value in ((name, estimate), (f"{name}_n", estimate.n))
                },
            }
            for group in self.groups
        ]

    def summary(self) -> Record:
        return {"least": self.least, "measures": self.measures}


def check_judge(search: Strategy) -> None:
    """A StrategyError if the strategy cannot judge decisions."""
    if KINDS[search.name] != FLAT:
        raise StrategyError(f"decisions: {search.text!r} cannot judge moves; allowed: flat:N")
    if search.budget < LEAST_WORLDS:
        raise StrategyError(f"decisions: {search.text!r} has too few worlds; allowed: flat:{LEAST_WORLDS} or more")


@checked
def decisions(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    least: float = DECISIONS_LEAST,
    **run: Unpack[RunOptions],
) -> Decisions:
    """Show which decisions matter, and how much.

    Parameters
    ----------
    strategies : str, optional
        The search that judges the moves, in games that thumbs play: `flat:N`, by default `flat:200`.
    least : float
        A choice matters if its best move wins at least this much more than a random one (0.05 is 5 points).
    **run
        `games` (40 by default), `seed`, `first`, `threads`, `progress`: see `houle.RunOptions`.

    Returns
    -------
    Decisions
        Estimates for all decisions, by phase of the game and by seat, clustered by game.

    Examples
    --------
    >>> import houle
    >>> result = houle.decisions("wave", strategies="flat:20", games=3)
    >>> [group.label for group in result.groups if group.part == "seat"]
    ['seat 0', 'seat 1', 'seat 2']
    >>> {"forced", "kinds", "matter_per_game"} <= set(result.whole.estimates)
    True
    """
    played = as_setup(setup)
    search = one_strategy("decisions", strategies, DECISIONS_SEARCH, played)
    return note_decisions(played, search, RunSpec.of(run, DECISIONS_GAMES), least)


def note_decisions(setup: Setup, search: Strategy, spec: RunSpec, least: float = DECISIONS_LEAST) -> Decisions:
    """Thumbs play the games, flat search judges each of their decisions. Fewer games after Ctrl-C."""
    check_judge(search)
    if not LEAST_SIZE <= least <= MOST_SIZE:
        span = f"from {LEAST_SIZE:g} to {MOST_SIZE:g} of a win, or of the range of scores"
        raise InputError(f"least: {least:g} is not allowed; allowed: {span}")
    judges = LineUp(setup, (search,) * setup.players)
    # Judging every decision takes as long as a game in which all players search.
    spec.begin(Plan.of(("", [judges], spec.games)))
    own = {name: value for name, value in search.options.items() if name in WORDS}
    thumbs = LineUp(setup, (Strategy("thumb", "thumb", 0, own, search.entry),) * setup.players)
    _judged(Match(setup, spec.seed, spec.first), judges, thumbs, 1)  # compiles before the threads start

    def fold(chunks: list[Chunk], begin: int) -> DecisionLog:
        tally = chunks[0].tally
        matches = (Match(setup, spec.seed, begin + i) for i in range(tally.games))
        return DecisionLog(tally, [_judged(match, judges, thumbs) for match in matches])

    total = DecisionLog(Tally.empty(setup), [])
    # The judge is slow and runs on the CPU: a game per chunk, on all threads.
    seconds = play_games([Play(thumbs)], spec.but(device="cpu"), fold, total, chunk=1)
    log = np.concatenate([blank_log(0), *(log for log, _ in total.parts)]).view(np.recarray)
    read = np.concatenate([blank(beliefs.BELIEF, 0), *(read for _, read in total.parts)]).view(np.recarray)
    name = result_digest(setup, (*thumbs.digests, *judges.digests), spec.seed, spec.first, total.tally)
    return Decisions(Facts.of(judges, spec, total.games, seconds, name), search, least, log, read)


def _judged(match: Match, judges: LineUp, thumbs: LineUp, most: int | None = None) -> tuple[Any, Any]:
    """The decisions of one game (or its first `most`) and what the player to move could read before each."""
    setup, rows, read = match.setup, [], []
    note, reader = blank_log(2), beliefs.Reader.of(match.setup)
    work = make_workspace(setup, judges, note)
    moves = np.zeros(setup.game.MAX_MOVES, np.int64)
    while match.to_move() >= 0 and (most is None or match.ply < most):
        name = f"{match.seed} {match.game} {match.ply}".encode()
        key = int.from_bytes(hashlib.blake2b(name, digest_size=8).digest(), "little")
        work.scene.counters[0].noted = 0
        if reader is not None:
            read.append(reader.believes(match, key >> 1))
        match.past.fill(work.memory)
        choice = match.states[0].choice
        decide(judges, match.states, key, work, moves)
        match.states[0].choice = choice
        note[0].game, note[0].ply = match.game, match.ply
        rows.append(note[:1].copy())
        match.apply(match.decide(thumbs))
    return np.concatenate([blank_log(0), *rows]), np.concatenate([blank(beliefs.BELIEF, 0), *read])
