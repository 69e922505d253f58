"""Long work of the studio in the background: a report, and the search for rules that reach the target."""

from __future__ import annotations

import secrets
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import houle
from houle.analysis.designing.search import Proposal
from houle.analysis.designing.wishes import read_wishes
from houle.analysis.result import command_line, words_of_setup
from houle.analysis.run_options import Progress, read_time
from houle.analysis.studio.state import State
from houle.cli.framework.text import duration
from houle.solver.errors import InputError

MOST_JOBS = 12
SEARCH_TIME = "90s"
LEAST_SHARE = 0.03  # of the work that must be done before the time left is estimated


@dataclass
class Job:
    """Something that takes long."""

    title: str
    state: State
    work: Callable[[Job], None]
    command: str  # that does the same
    id: str = field(default_factory=lambda: secrets.token_hex(6))
    began: float = field(default_factory=time.monotonic)
    share: float = 0.0
    seconds: float = 0.0  # that a search may take; 0 if nobody knows before
    end: float = 0.0  # of a search, on the clock
    stopping: bool = False  # the user wants what there is
    steps: list[str] = field(default_factory=list)
    done: bool = False
    problem: str = ""
    folder: Path | None = None  # of a report
    result: Any = None
    proposals: list[Any] = field(default_factory=list)  # of a search that goes on: what may fit so far
    wishes: list[Any] = field(default_factory=list)

    def run(self) -> None:
        try:
            self.work(self)
        except InputError as fault:
            self.problem = str(fault)
        except Exception as fault:  # shown on the page; the server goes on
            self.problem = f"{type(fault).__name__}: {fault}"
        self.done = True

    @property
    def words(self) -> str:
        now = time.monotonic()
        spent, left = now - self.began, ""
        if self.end:
            left = f", at most {duration(max(self.end - now, 0.0))} left"
        elif self.share > LEAST_SHARE:
            left = f", about {duration(spent * (1 - self.share) / self.share)} left"
        return f"{self.steps[-1] if self.steps else 'Starting'} ({duration(spent)} so far{left})"


class Jobs:
    """Jobs by their number; one runs at a time."""

    def __init__(self) -> None:
        self.all: OrderedDict[str, Job] = OrderedDict()
        self.lock = threading.Lock()

    @property
    def running(self) -> list[Job]:
        return [one for one in list(self.all.values()) if not one.done]

    def start(self, job: Job) -> str:
        running = self.running
        if same := next((one for one in running if (one.title, one.command) == (job.title, job.command)), None):
            return same.id  # a page that was loaded again asks again
        if len(running) >= MOST_JOBS // 4:
            raise InputError(f"{len(running)} reports or searches are running already; wait for one of them")
        self.all[job.id] = job
        while len(self.all) > MOST_JOBS:
            self.all.popitem(last=False)

        def work() -> None:
            with self.lock:
                job.began = time.monotonic()
                job.run()

        threading.Thread(target=work, daemon=True).start()
        return job.id

    def get(self, name: str) -> Job:
        if name not in self.all:
            raise InputError("this report or search is gone: the server was started again; start it once more")
        return self.all[name]


def report_job(state: State) -> Job:
    """A quick report about the setup of a state."""
    words = words_of_setup(state.setup)

    def work(job: Job) -> None:
        folder = Path(tempfile.mkdtemp(prefix="houle-report-"))

        def progress(title: str, number: int, steps: int, share: float, seconds: float) -> None:
            job.share = share
            if not job.steps or not job.steps[-1].endswith(title):
                job.steps.append(f"{number} of {steps}: {title}")

        houle.report(
            state.setup,
            effort="quick",
            seed=state.seed,
            out=folder,
            progress=progress,
            command_words=[*words, "--effort", "quick", "--seed", str(state.seed)],
        )
        job.folder = folder

    line = command_line(["report", *words, "--seed", str(state.seed)], state.setup)
    return Job(f"A report about {state.setup.title or state.setup.ruleset.title}", state, work, line)


class Watched(Progress):
    """The progress of a design search."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def found(self, proposals: list[Proposal]) -> None:
        self.job.proposals = proposals

    def stops(self) -> bool:
        return self.job.stopping

    def __call__(self, games: int, seconds: float) -> None:
        self.job.share = min(0.99, self.share or 0.0)
        self.job.end = time.monotonic() + (1 - self.job.share) * self.job.seconds
        words = f"{self.doing or 'playing'}: {games:,} games"
        if self.job.steps and self.job.steps[-1].partition(":")[0] == words.partition(":")[0]:
            self.job.steps[-1] = words
        else:
            self.job.steps.append(words)


def design_job(state: State) -> Job:
    """The search for few and small changes that reach the target from here; locked knobs stay."""
    target = state.target.wish(state.setup)
    options = {
        "targets": target,
        "keep": state.locked,
        "budget": SEARCH_TIME,
        "seed": state.seed,
    }

    def work(job: Job) -> None:
        job.wishes = read_wishes(state.setup, [target])
        job.result = houle.design(state.setup, **options, progress=Watched(job))  # type: ignore[arg-type]
        job.command = job.result.repeat()

    kept = [word for knob in state.locked for word in ("--keep", knob)]
    words = ["design", *words_of_setup(state.setup), "--target", target, *kept, "--seed", str(state.seed)]
    line = command_line(words, state.setup)
    return Job(f"Towards {target}", state, work, line, seconds=read_time(SEARCH_TIME))
