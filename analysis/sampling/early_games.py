"""Games while kernels are compiled: played uncompiled in one process, while another compiles.

Kernels are also plain Python: slower, with equal results. So the first games of a run are played in a process without
the compiler until the compiled kernels are there. They are the same games, and they are counted. Only players that do
not search are fast enough for that.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from houle.analysis.run_options import RunSpec, Watch
from houle.analysis.sampling.backends import Backend, Chunk, Keep, Kernels, Play
from houle.solver.compiler import cache
from houle.solver.compiler.kernels import loaded_only
from houle.solver.interface.game import Game
from houle.solver.players.names import THUMB
from houle.solver.players.player import LineUp
from houle.solver.rules import find_game
from houle.solver.run.tally import Tally
from houle.solver.trusted_code import python_module

MODULE = "houle.analysis.sampling.early_games"
EARLY_SECONDS = 0.5  # of uncompiled play at a time: then it is time to look whether kernels are there
WAIT_SECONDS = 0.2  # between two looks while nothing is played

Seated = Sequence[tuple[Backend, Play]]


class _Pickler(pickle.Pickler):
    """Names a game instead of copying it: its functions are those of the process that reads."""

    def persistent_id(self, value: Any) -> str | None:
        return value.name if isinstance(value, Game) else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: str) -> Game:
        return find_game(name)


class OtherProcess:
    """A process that plays chunks for this one; with `compiled` it compiles the kernels for them first.

    Both kinds have the same priority: if compiling gave way, it would take several times as long on a busy machine.
    """

    def __init__(self, compiled: bool) -> None:
        environment = os.environ | {"NUMBA_DISABLE_JIT": "0" if compiled else "1"}
        _running.add(self)
        self.process = subprocess.Popen(
            python_module(MODULE), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment,
        )  # fmt: skip

    def play(self, play: Play, seed: int, first: int, number: int, keep: Keep) -> Chunk:
        """A chunk, as a backend plays it; OSError or EOFError if the process has ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        _Pickler(self.process.stdin).dump((play, seed, first, number, keep))
        self.process.stdin.flush()
        chunk: Chunk = pickle.load(self.process.stdout)
        return chunk

    def end(self) -> None:
        _running.discard(self)
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # what it did not read is lost
                pipe.close()  # type: ignore[union-attr]


_running: set[OtherProcess] = set()


def stop() -> None:
    """Ends all such processes: a run may end before it needs what they compile."""
    for process in list(_running):
        process.end()


atexit.register(stop)


def answer() -> None:
    """Plays the chunks that the parent process asks for, until it ends. It also takes care of Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr  # nothing that a game prints may get between the answers
    with suppress(EOFError, OSError):
        while True:
            answers.write(pickle.dumps(Kernels().play(*_Unpickler(asked).load())))
            answers.flush()


@dataclass
class Compiling:
    """Kernels that another process compiles."""

    plays: Sequence[Play]
    keep: Keep
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.process = OtherProcess(compiled=True)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        with suppress(OSError, EOFError, pickle.PickleError):  # then this process compiles them
            for play in self.plays:
                self.process.play(play, 0, 0, 0, self.keep)

    @property
    def game(self) -> str:
        return self.plays[0].line_up.setup.ruleset.name

    @property
    def searches(self) -> bool:
        return any(play.line_up.level > THUMB for play in self.plays)


class EarlyGames:
    """What a run does while its kernels are compiled."""

    def __init__(self, shown: Any) -> None:
        self.shown = shown  # hears `compiling(game, searches, seconds, lines)` and `compiled(game, searches, seconds)`
        self.searches: dict[str, Compiling] = {}  # by game: kernels of searches that a later stage needs

    @classmethod
    def of(cls, spec: RunSpec) -> EarlyGames | None:
        """That of a run which shows its progress to a person; None for others."""
        watch = spec.progress
        if not isinstance(watch, Watch) or not hasattr(watch.shown, "compiling"):
            return None
        if watch.early is None:
            watch.early = cls(watch.shown)
        return watch.early  # type: ignore[return-value]

    def need(self, line_ups: Iterable[LineUp], keep: Keep) -> None:
        """Starts to compile the searches of later stages beside the first stage."""
        for line_up in line_ups:
            name, play = line_up.setup.ruleset.name, Play(line_up)
            if line_up.level > THUMB and name not in self.searches and not _is_loaded(play, keep):
                self.searches[name] = Compiling([play], keep)

    def play(
        self,
        seated: Seated,
        missing: Sequence[Play],
        spec: RunSpec,
        keep: Keep,
        count: Callable[[list[Chunk], int], None],
    ) -> int:
        """Plays first games uncompiled until the kernels of `missing` are compiled; returns how many were played.

        `count` is called with each chunk and its first game; it raises KeyboardInterrupt after Ctrl-C.
        """
        game = missing[0].line_up.setup.ruleset.name
        searches = any(play.line_up.level > THUMB for play in missing)
        compiling = self.searches.pop(game, None) if searches else None
        done = 0
        with _ended(compiling or Compiling(missing, keep)) as work, _uncompiled(seated) as early:
            sums = [Tally.empty(play.line_up.setup) for _, play in seated]
            number = 1
            while work.thread.is_alive() and done < spec.games:
                self.shown.compiling(game, searches, time.monotonic() - work.began, _lines(seated, sums))
                if early is None:
                    work.thread.join(WAIT_SECONDS)
                    count([], spec.first + done)
                    continue
                begin = time.monotonic()
                number = min(number, spec.games - done)
                try:
                    chunks = [early.play(play, spec.seed, spec.first + done, number, keep) for _, play in seated]
                except (OSError, EOFError, pickle.PickleError):
                    early = None  # the compiled kernels will play them
                    continue
                for tally, chunk in zip(sums, chunks, strict=True):
                    tally.add(chunk.tally)
                count(chunks, spec.first + done)
                done += number
                number = max(1, min(2 * number, int(number * EARLY_SECONDS / (time.monotonic() - begin))))
            if not work.thread.is_alive():
                self.shown.compiled(game, searches, time.monotonic() - work.began)
        return done


@contextmanager
def _ended(compiling: Compiling) -> Iterator[Compiling]:
    try:
        yield compiling
    finally:
        compiling.process.end()


@contextmanager
def _uncompiled(seated: Seated) -> Iterator[OtherProcess | None]:
    """A process without the compiler; None if these players would be too slow there."""
    if any(play.line_up.level > THUMB or not isinstance(backend, Kernels) for backend, play in seated):
        yield None
        return
    early = OtherProcess(compiled=False)
    try:
        yield early
    finally:
        early.end()


def _lines(seated: Seated, sums: Sequence[Tally]) -> list[tuple[str, Tally]]:
    """The players of each line-up with the games counted so far."""
    return [(play.line_up.names[0], tally) for (_, play), tally in zip(seated, sums, strict=True) if tally.games]


def _is_loaded(play: Play, keep: Keep) -> bool:
    """Whether the kernels of a line-up are compiled; loads them from the cache."""
    with loaded_only() as refused:
        Kernels().play(play, 0, 0, 0, keep)
    return not refused


def not_compiled(seated: Seated, keep: Keep) -> list[Play]:
    """The plays whose kernels must be compiled, one of each kind, the quickest to compile first."""
    missing: dict[tuple[str, int], Play] = {}
    for backend, play in seated:
        line_up = play.line_up
        key = (line_up.setup.ruleset.name, min(line_up.level, THUMB + 1))
        if isinstance(backend, Kernels) and key not in missing and not _is_loaded(play, keep):
            missing[key] = play
    if cache.unusable():  # another process could not hand over what it compiles
        return []
    return sorted(missing.values(), key=lambda play: play.line_up.level)


if __name__ == "__main__":
    answer()
