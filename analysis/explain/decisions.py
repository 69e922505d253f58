"""Which decisions matter, and how much: the data of the report's section.

Thumbs play the games and flat search judges each of their decisions. It chooses the best and second best move on one
half of its worlds and scores them on the other half, so luck does not count as stakes. Stakes are differences in
utility (how good the end of the round is, 0 to 1) and in the share of the win. Decisions of one game are not
independent, so intervals are clustered by game.

A decision matters if its best move is certainly better than a random one: the 99% interval of the gain, from the worlds
of this decision, lies above 0. Chance alone counts fewer than one decision in a hundred by mistake, and small gains go
unnoticed, so the share is a lower bound that grows with the number of worlds.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.blocks import OWN, Block, Column, about, note, table, text
from houle.analysis.limits import LEAST_WORLDS
from houle.analysis.measures.goal import Goal
from houle.analysis.players.named_players import THUMB, players_of
from houle.analysis.result import plain
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import Chunk, Play
from houle.analysis.sampling.engine import play_games
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.clusters import Places, Vector, clustered_mean, clustered_share, per_cluster
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.stats.intervals import t_quantile
from houle.solver.errors import StrategyError
from houle.solver.matches.match import Match
from houle.solver.players.decision_log import blank_log
from houle.solver.players.kinds import FLAT
from houle.solver.players.names import KINDS, WORDS, Strategy
from houle.solver.players.player import LineUp
from houle.solver.players.workspace import make_thinking
from houle.solver.rules import Setup
from houle.solver.run.playout import decide
from houle.solver.run.tally import Tally, result_digest

PHASES = 10
TINY = 1e-12  # of utility: rounding
SURE = 0.99  # confidence that the best move of a decision is better than a random one

Chosen = NDArray[np.bool_]

# Measures in words. Stakes are measured only where there is a choice.
MEASURES = {
    "per_game": "decisions per game",
    "kinds": "moves that differ",
    "forced": "share of decisions without a choice",
    "second": "best move against the second best",
    "random": "best move against a random one",
    "share": "best move against a random one, in {wins}",
    "matters": "share of choices that matter, at least",
    "matter_per_game": "decisions that matter per game, at least",
}


@dataclass
class DecisionLog:
    """The decisions of some games, row by row, and the tally of the games."""

    tally: Tally
    parts: list[Any]  # per game: DECISIONs

    @property
    def games(self) -> int:
        return self.tally.games

    def add(self, other: DecisionLog) -> None:
        self.tally.add(other.tally)
        self.parts += other.parts


@dataclass(frozen=True)
class DecisionGroup:
    """A group of decisions: all, or those of one phase of the game."""

    label: str
    decisions: int
    choices: int  # decisions between moves that differ
    estimates: dict[str, Estimate]  # by MEASURES, without those that make no sense for the group


@dataclass(frozen=True)
class Decisions:
    """The decisions of some games as rates and means."""

    setup: Setup
    search: Strategy  # the judge
    games: int
    seed: int
    first: int  # number of the first game
    log: Any  # one DECISION each, see players/decision_log.py
    digest: str

    @property
    def goal(self) -> Goal:
        return Goal(self.setup)

    def sentences(self) -> list[Block]:
        """How many decisions a game has, and how many of them matter."""
        whole = self.whole.estimates
        words = text(
            "A game of {who} has {per_game} decisions. {forced} of them leave no choice. Of the others at least "
            "{matters} matter: the best move is certainly better than a random one.",
            who=players_of(THUMB),
            per_game=whole["per_game"],
            forced=whole["forced"],
            matters=whole["matters"],
        )
        return [about(words, THUMB, "decisions per_game, forced, matters")]

    def details(self) -> list[Block]:
        """All measures of the whole game and of its phases, and how they were taken."""
        columns = [Column("measure", "measure"), Column("value", "value", OWN)]
        rows = [[words.format(wins=self.goal.head), self.whole.estimates[name]] for name, words in MEASURES.items()]
        shown = ("kinds", "random", "matters")
        parts = [
            Column("part", "part of the game"),
            Column("decisions", "decisions"),
            *(Column(name, MEASURES[name], OWN) for name in shown),
        ]
        by_phase = [[one.label, one.decisions, *(one.estimates[name] for name in shown)] for one in self.phases]
        return [
            table("decisions", f"All decisions of {self.games:,} games, with 95% intervals.", columns, rows),
            table("decisions-by-phase", "From the first to the last decision.", parts, by_phase, shown=False),
            note(
                "The players follow the rules of thumb, and a search ({search}) judges every move. Moves are compared "
                "by how good the round ends, from 0 (lost) to 1 (won). Half of the imagined deals choose the best "
                "move, the other half score it. A choice counts as one that matters if the 99% interval of this gain "
                "lies above 0; smaller gains go unnoticed. Intervals are clustered by game.",
                search=self.search.text,
            ),
        ]

    def _gained(self) -> Vector:
        """What the best moves win or score more than random ones, summed over worlds."""
        log, goal = self.log, self.goal
        if not goal.is_score:
            return np.asarray(log.share)
        if self.setup.game.has("utility"):
            return np.asarray(goal.span * log.random)
        # The usual utility is half the share of the win and half the place of the score in its range.
        return np.asarray(goal.span * (2 * log.random - log.share))

    @cached_property
    def _matters(self) -> Chosen:
        """The decisions whose best move is certainly better than a random one."""
        log, worlds = self.log, np.maximum(self.log.worlds, 1)
        within = np.maximum(log.random_squared - log.random**2 / worlds, 0.0) / np.maximum(worlds - 1, 1)
        quantiles = {number: t_quantile(int(number) - 1, SURE) for number in np.unique(worlds[log.kinds > 1])}
        half = np.array([quantiles.get(number, 0.0) for number in worlds]) * np.sqrt(within / worlds)
        return np.asarray((log.kinds > 1) & (log.random / worlds > half + TINY))

    @cached_property
    def phases(self) -> list[DecisionGroup]:
        """The decisions by phase of the game."""
        length = np.bincount(self._game, minlength=self.games)
        phase = (PHASES * self.log.ply // np.maximum(length[self._game], 1)).astype(int)
        labels = [f"{100 * i // PHASES} to {100 * (i + 1) // PHASES}%" for i in range(PHASES)]
        return [self._group(label, phase == i) for i, label in enumerate(labels)]

    @cached_property
    def whole(self) -> DecisionGroup:
        """All decisions."""
        every = np.ones(len(self.log), bool)
        group, matters = self._group("all", every), self._matters.astype(float)
        group.estimates["per_game"] = per_cluster(np.ones(len(every)), self._game, self.games)
        group.estimates["matter_per_game"] = per_cluster(matters, self._game, self.games)
        return group

    @cached_property
    def _game(self) -> Places:
        """The game of every decision, from 0."""
        return np.asarray(self.log.game - self.first, np.int64)

    def _group(self, label: str, rows: Chosen) -> DecisionGroup:
        log, choice = self.log, rows & (self.log.kinds > 1)
        worlds = np.maximum(log.worlds, 1)
        estimates = {
            "kinds": self._mean(log.kinds.astype(float), rows),
            "forced": self._share((log.kinds == 1).astype(float), rows),
            **{name: self._mean(log[name] / worlds, choice) for name in ("second", "random")},
            "share": replace(self._mean(self._gained() / worlds, choice), unit=self.goal.pick(POINTS, "")),
            "matters": self._share(self._matters.astype(float), choice),
        }
        return DecisionGroup(label, int(rows.sum()), int(choice.sum()), estimates)

    def _mean(self, values: Vector, rows: Chosen) -> Estimate:
        return clustered_mean(values[rows], self._game[rows], self.games)

    def _share(self, values: Vector, rows: Chosen) -> Estimate:
        return clustered_share(values[rows], self._game[rows], self.games)

    def as_json(self) -> dict[str, Any]:
        groups = [
            {"group": group.label, "decisions": group.decisions, "choices": group.choices, **group.estimates}
            for group in (self.whole, *self.phases)
        ]
        facts = {"judge": self.search.text, "games": self.games, "seed": self.seed, "first": self.first}
        data: dict[str, Any] = plain({**facts, "groups": groups, "result_digest": self.digest})
        return data


def check_judge(search: Strategy) -> None:
    """A StrategyError if the strategy cannot judge decisions."""
    if KINDS[search.name] != FLAT:
        raise StrategyError(f"decisions: {search.text!r} cannot judge moves; allowed: flat:N")
    if search.budget < LEAST_WORLDS:
        raise StrategyError(f"decisions: {search.text!r} has too few worlds; allowed: flat:{LEAST_WORLDS} or more")


def decisions(setup: Setup, search: Strategy, spec: RunSpec) -> Decisions:
    """Thumbs play the games, flat search judges each of their decisions. Fewer games after Ctrl-C.

    >>> from houle.solver.players.names import parse
    >>> from houle.solver.rules import make_setup
    >>> found = decisions(make_setup("wave", 3), parse("flat:20"), RunSpec(games=1))
    >>> found.whole.estimates["per_game"].value == found.whole.decisions
    True
    """
    check_judge(search)
    judges = LineUp(setup, (search,) * setup.players)
    # Judging every decision takes as long as a game in which all players search.
    spec.begin(Plan.of(("", [judges], spec.games)))
    own = {name: value for name, value in search.options.items() if name in WORDS}
    thumbs = LineUp(setup, (Strategy("thumb", "thumb", budget=0, options=own, entry=search.entry),) * setup.players)
    _judged(Match(setup, spec.seed, spec.first), judges, thumbs, 1)  # compiles before the threads start

    def fold(chunks: list[Chunk], begin: int) -> DecisionLog:
        tally = chunks[0].tally
        matches = (Match(setup, spec.seed, begin + i) for i in range(tally.games))
        return DecisionLog(tally, [_judged(match, judges, thumbs) for match in matches])

    total = DecisionLog(Tally.empty(setup), [])
    # The judge is slow and runs on the CPU: a game per chunk, on all threads.
    play_games([Play(thumbs)], spec, fold, total, chunk=1)
    log = np.concatenate([blank_log(0), *total.parts]).view(np.recarray)
    name = result_digest(setup, (*thumbs.digests, *judges.digests), spec.seed, spec.first, tally=total.tally)
    return Decisions(setup, search=search, games=total.games, seed=spec.seed, first=spec.first, log=log, digest=name)


def _judged(match: Match, judges: LineUp, thumbs: LineUp, most: int | None = None) -> Any:
    """The decisions of one game, or its first `most`."""
    setup, rows = match.setup, []
    note = blank_log()
    thinking = make_thinking(setup, judges, note)
    work = thinking.work
    moves = np.zeros(setup.game.MAX_MOVES, np.int64)
    while match.to_move() >= 0 and (most is None or match.ply < most):
        name = f"{match.seed} {match.game} {match.ply}".encode()
        key = int.from_bytes(hashlib.blake2b(name, digest_size=8).digest(), "little")
        match.past.fill(work.memory)
        choice = match.states[0].choice
        decide(judges, match.states, key, thinking, moves=moves)
        match.states[0].choice = choice
        note[0].game, note[0].ply = match.game, match.ply
        rows.append(note.copy())
        match.apply(match.decide(thumbs))
    return np.concatenate([blank_log(0), *rows])
