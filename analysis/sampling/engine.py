"""The engine: plays the same games with several line-ups and adds up what is kept of them.

Every analysis says what it plays (`Play`), which games (`RunSpec`), what is kept of a game (`Keep`), and how a chunk of
games becomes sums (`fold`). The engine compiles before the clock starts, plays chunks over threads or processes, adds
the sums in the order of the games, reports progress in games, and ends at Ctrl-C with a prefix of the games that can be
repeated exactly.

The sections of a report ask for the same games of the same people, who think, in many ways. The progress of a report
has `shared`, a dict in which the chunks of such games stay. Sums do not depend on the size of chunks, so results are
those of games that are played again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from houle.analysis.players.line_ups import thinks
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import (
    TALLY,
    THINKING_CHUNK,
    Backend,
    Chunk,
    Keep,
    Kernels,
    Play,
    backend_for,
    play_class,
)
from houle.analysis.sampling.plan import Plan, work_of
from houle.solver.plain.processes import time_of
from houle.solver.players.player import LineUp
from houle.solver.run.chunks import FIRST_CHUNK, Part, Run, in_chunks
from houle.solver.run.tally import Tally

STATES = 4096  # states kept in memory together, per thread

MOST_SHARED = 5_000  # games of a run: states of more games take too much memory
EVERYTHING = Keep(ledger=True, openings=True, final_states=True)

Fold = Callable[[list[Chunk], int], Part]  # a chunk of each line-up, and the number of its first game -> sums


def play_games(
    plays: Sequence[Play], spec: RunSpec, fold: Fold[Part], total: Part, keep: Keep = TALLY, chunk: int | None = None
) -> float:
    """Play the games of a run with every line-up and add their sums to `total`; returns the seconds.

    After Ctrl-C `total` holds fewer games. `chunk` sets the games per chunk; by default the measured speed does.
    """
    spec.begin(Plan.of(("", [play.line_up for play in plays], spec.games)))  # unless there is a plan of the whole
    backends = [backend_for(play, spec.threads) for play in plays]
    seated = list(zip(backends, plays, strict=True))
    shared = SharedGames.of(spec, plays)
    if shared is not None and chunk is None:
        chunk = THINKING_CHUNK  # what was played before is found by whole chunks

    def play_one(backend: Backend, play: Play, at: int, number: int) -> Chunk:
        if spec.watch.shown.stops():
            raise KeyboardInterrupt
        if shared is not None:
            return shared.play(backend, play, spec.seed, at, number=number, keep=keep)
        return backend.play(play, spec.seed, at, number, keep=keep)

    def job(begin: int, number: int) -> Part:
        step = STATES if keep.states else number
        parts = [
            fold([play_one(backend, play, at, min(step, begin + number - at)) for backend, play in seated], at)
            for at in range(begin, begin + number, step)
        ]
        for part in parts[1:]:
            parts[0].add(part)
        return parts[0]

    workers = max(backend.workers(spec.threads) for backend in backends)
    plain = [play for play in plays if not play.line_up.setup.game.is_compiled]
    if plain and spec.budget < math.inf:
        trials = [partial(_one_game, play, spec) for play in plain]
        seconds = time_of(trials, partial(job, spec.first, 1), spec.games, workers)
        name = plain[0].line_up.setup.ruleset.name
        spec.spend(seconds, f"{name}: {spec.games:,} games of {len(plain)} line-ups")
    start_with = min(backend.first_chunk(play) for backend, play in seated)
    work = sum(work_of(play.line_up) for play in plays)
    kinds = {(play.line_up.setup.digest, play.line_up.level): (backend, play) for backend, play in seated}
    for backend, play in kinds.values():  # compiles what the games need, before several threads would
        backend.play(play, spec.seed, spec.first, number=0, keep=keep)
    return run_jobs(
        job, total, spec=spec, plays=len(plays), start_with=start_with, workers=workers, chunk=chunk, work=work
    )


def _one_game(play: Play, spec: RunSpec, number: int) -> None:
    play_class(play, spec.seed, spec.first + number, number=1, keep=TALLY)


def run_jobs(
    job: Callable[[int, int], Part],
    total: Part,
    spec: RunSpec,
    plays: int = 1,
    start_with: int = FIRST_CHUNK,
    workers: int | None = None,
    chunk: int | None = None,
    work: float = 1.0,
) -> float:
    """Call `job(first game, number of games)` for all games of a run, add its sums to `total`; returns the seconds.

    `plays` is the number of games that a job plays for each game number, `work` their rough work.
    """
    watch = spec.watch

    def report(done: int, seconds: float) -> None:
        watch(done * plays, seconds, done * work, spec.doing)

    seconds = in_chunks(
        job,
        total,
        games=spec.games,
        first=spec.first,
        threads=workers or spec.threads,
        chunk=chunk,
        progress=report,
        start_with=start_with,
    )
    watch.end(total.games * plays, seconds, total.games * work)
    return seconds


def play_line_up(line_up: LineUp, spec: RunSpec, chunk: int | None = None) -> Run:
    """Play games with one line-up and count them."""
    total = Tally.empty(line_up.setup)
    seconds = play_games([Play(line_up)], spec, lambda chunks, _: chunks[0].tally, total, chunk=chunk)
    return Run(
        line_up.setup, line_up=line_up, seed=spec.seed, first=spec.first, tally=total, asked=spec.games, seconds=seconds
    )


@dataclass(frozen=True)
class SharedGames:
    """The chunks of people who think, by players and games."""

    chunks: dict[Any, Chunk]

    @classmethod
    def of(cls, spec: RunSpec, plays: Sequence[Play]) -> SharedGames | None:
        """Those of a run; None if it shares no games, or if nobody thinks in it."""
        chunks = spec.watch.shown.shared
        thinking = any(thinks(play.line_up) for play in plays) and spec.games <= MOST_SHARED
        return cls(chunks) if chunks is not None and thinking else None

    def play(self, backend: Backend, play: Play, seed: int, first: int, number: int, keep: Keep) -> Chunk:
        """A chunk as the backend plays it, or as it was played before."""
        seated = play.line_up
        if not isinstance(backend, Kernels) or not thinks(seated):
            return backend.play(play, seed, first, number, keep=keep)
        key = seated.setup.digest, seated.digests, play.replay, seed, first + play.offset, number
        if key not in self.chunks:
            self.chunks[key] = backend.play(play, seed, first, number, keep=EVERYTHING)
        chunk = self.chunks[key]
        openings = chunk.openings.copy() if keep.openings else None  # copies: a reader may go on from a state
        return replace(chunk, openings=openings, final_states=chunk.final_states.copy() if keep.final_states else None)
