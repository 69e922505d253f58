"""Games while kernels are compiled: the same games, played by a process without the compiler, and counted."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from houle.analysis.run_options import RunSpec
from houle.analysis.sampling import early_games, engine
from houle.analysis.sampling.backends import Keep, Kernels, Play
from houle.analysis.sampling.engine import play_line_up
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup
from houle.solver.run.tally import Tally
from tests.support.call import PATIENCE

pytestmark = pytest.mark.compiled

SETUP = make_setup("wave", 3)
THUMB = seat_strategies(SETUP, ["thumb"])
GAMES, EARLY = 12, 3


@dataclass
class Shown:
    """A progress that hears of compiling. The kernels are there after some early games."""

    early: int = EARLY
    stop: int = 10**9  # games after which Ctrl-C comes
    heard: list[int] = field(default_factory=list)  # early games
    ready: threading.Event = field(default_factory=threading.Event)
    compiled_after: float = 0.0

    def __call__(self, games: int, seconds: float) -> None:
        if games >= self.stop:
            raise KeyboardInterrupt

    def compiling(self, game: str, searches: bool, seconds: float, counted: Sequence[tuple[str, Tally]]) -> None:
        assert (game, searches) == ("wave", False)
        self.heard.append(counted[0][1].games if counted else 0)
        if self.heard[-1] >= self.early:
            self.ready.set()

    def compiled(self, game: str, searches: bool, seconds: float) -> None:
        self.compiled_after = seconds


def with_slow_compiler(monkeypatch: pytest.MonkeyPatch, shown: Shown) -> Shown:
    """The kernels count as missing until `shown` says that they are ready."""

    class Slow:
        def __init__(self, plays: Sequence[Play], keep: Keep) -> None:
            self.process, self.began = self, time.monotonic()
            self.thread = threading.Thread(target=shown.ready.wait, args=(PATIENCE,), daemon=True)
            self.thread.start()

        def end(self) -> None:
            shown.ready.set()

    monkeypatch.setattr(early_games, "Compiling", Slow)
    monkeypatch.setattr(engine, "not_compiled", lambda seated, keep: [play for _, play in seated])
    return shown


def test_early_games_give_the_same_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = with_slow_compiler(monkeypatch, Shown())
    run = play_line_up(THUMB, RunSpec(GAMES, seed=5, first=2, progress=shown))
    assert EARLY <= shown.heard[-1] < GAMES
    assert shown.compiled_after > 0
    assert run.tally.games == GAMES
    assert run.digest == play_line_up(THUMB, RunSpec(GAMES, seed=5, first=2)).digest


def test_a_short_run_does_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = with_slow_compiler(monkeypatch, Shown(early=10**9))
    run = play_line_up(THUMB, RunSpec(2, seed=5, progress=shown))
    assert shown.compiled_after == 0
    assert run.digest == play_line_up(THUMB, RunSpec(2, seed=5)).digest


def test_ctrl_c_keeps_early_games(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = with_slow_compiler(monkeypatch, Shown(early=10**9, stop=2))
    run = play_line_up(THUMB, RunSpec(GAMES, seed=5, progress=shown))
    assert run.interrupted
    assert 2 <= run.tally.games < GAMES
    assert run.digest == play_line_up(THUMB, RunSpec(run.tally.games, seed=5)).digest


def test_a_lost_process_loses_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = with_slow_compiler(monkeypatch, Shown(early=0))
    monkeypatch.setattr(early_games, "MODULE", "houle.no_such_module")
    run = play_line_up(THUMB, RunSpec(GAMES, seed=5, progress=shown))
    assert run.digest == play_line_up(THUMB, RunSpec(GAMES, seed=5)).digest


def test_compiled_games_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a process was started")

    play_line_up(THUMB, RunSpec(1))  # compiles
    monkeypatch.setattr(early_games, "OtherProcess", refuse)
    shown = Shown()
    assert play_line_up(THUMB, RunSpec(GAMES, progress=shown)).tally.games == GAMES
    assert not shown.heard


@pytest.mark.quick
@pytest.mark.parametrize("player", ["flat:2", "ismcts:2"])
def test_searches_are_not_played_uncompiled(player: str) -> None:
    play = Play(seat_strategies(SETUP, ["thumb", "thumb", player]))
    with early_games._uncompiled([(Kernels(), play)]) as process:
        assert process is None
