"""`houle study`: run many setups in one batch that can be interrupted and resumed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Protocol

from houle.analysis.arguments import checked
from houle.analysis.studies.cell import WHOLE, Cell, Pace, StudyPart, expected_games, measure
from houle.analysis.studies.cell_progress import CellRun
from houle.analysis.studies.executors import Cluster, Crew, Threads
from houle.analysis.studies.results import StudyResult, read_study
from houle.analysis.studies.runner import Progress, execute
from houle.analysis.studies.spec import Study, read_spec
from houle.analysis.studies.store import CellEnd, Store, create
from houle.solver.players.names import THUMB
from houle.solver.run import default_threads


class Listener(Protocol):
    """Is informed about the progress of a study, and may stop it."""

    def measured(self, number: int, cells: int) -> None:
        """The speed of `number` cells is known."""

    def report(self, progress: Progress) -> None:
        """The study has made progress."""

    def finish(self, cell: CellRun, end: CellEnd) -> None:
        """A cell has ended."""

    def stopping(self) -> bool:
        """Whether the study should stop now."""


class Silent:
    """A listener that shows nothing and never stops a study."""

    def measured(self, number: int, cells: int) -> None: ...

    def report(self, progress: Progress) -> None: ...

    def finish(self, cell: CellRun, end: CellEnd) -> None: ...

    def stopping(self) -> bool:
        return False


@checked
def study(
    spec: str | Path,
    *,
    db: str | Path | None = None,
    cluster: str | None = None,
    threads: int | None = None,
    part: str | None = None,
    progress: Listener | None = None,
) -> StudyResult:
    """Run all setups that a file describes; continues where an earlier run stopped.

    Finished games are kept in one SQLite file. If the run is killed at any moment, the next call continues and gives
    the same results. Ctrl-C keeps what is finished and returns the result so far.

    Parameters
    ----------
    spec : path
        A TOML file: `game`, `players`, `variants`, `strategies`, `set`, `games` or `precision`, `search_games`,
        `targets`, `until_decided` with `margin`, in `[[grid]]` tables where there are several.
    db : path, optional
        The file for the results; by default that of `spec` with the ending .db.
    cluster : str, optional
        The address of a Dask scheduler whose workers play, such as `"tcp://host:8786"`.
    part : str, optional
        Play only this part of the study, such as `"3/20"`, into a file of its own; `houle.merge_study` adds parts up.

    Returns
    -------
    StudyResult
        As `houle.read_study` returns it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import houle
    >>> spec = Path(tempfile.mkdtemp()) / "study.toml"
    >>> _ = spec.write_text('game = "wave"\\nplayers = [2, 3]\\nstrategies = "random"\\ngames = 200\\n')
    >>> result = houle.study(spec)
    >>> len(result.cells), result.games, result.interrupted
    (2, 400, False)
    """
    listener, which = progress or Silent(), StudyPart.parse(part) if part else WHOLE
    asked = read_spec(spec)
    path = default_file(spec, which) if db is None else Path(db)
    try:
        begin(path, asked, listener, which)
        play_study(path, asked, cluster, threads, listener, which)
    except KeyboardInterrupt:
        if not path.exists():  # nothing was played yet
            raise
    return read_study(path)


def default_file(spec: str | Path, part: StudyPart = WHOLE) -> Path:
    """The file of a study, or of a part of it: beside the spec, `study.db` or `study-03-of-20.db`."""
    path = Path(spec)
    number = f"{part.number:0{len(str(part.of))}}"
    return path.with_suffix(".db") if part == WHOLE else path.with_name(f"{path.stem}-{number}-of-{part.of}.db")


def begin(path: str | Path, asked: Study, listener: Listener, part: StudyPart = WHOLE) -> None:
    """Create the file of a new study; an existing file is not changed."""
    if not Path(path).exists():
        create(path, asked, measure_cells(asked.cells, listener, part), part)


def measure_cells(cells: Sequence[Cell], listener: Listener, part: StudyPart = WHOLE) -> list[Pace]:
    """Measure how fast every cell of a part plays; may compile. Cells that differ only in their seed are measured once.

    A game of players that search takes long, so such cells that differ only in knobs are measured once too.
    """
    paces: dict[object, Pace] = {}
    kinds: list[object] = []
    for number, cell in enumerate(cells, 1):
        start, stop = part.share(number, cell.games, cell.may_stop)
        alike = cell.setup.digest if cell.line_up.level <= THUMB else (cell.setup.ruleset.name, cell.setup.variants)
        kind = start < stop and (alike, cell.setup.players, cell.strategies, cell.games, cell.chunk)
        if kind not in paces:
            paces[kind] = measure(cell) if kind else Pace(cell.chunk or 1, 1.0, ())  # another part plays it
        kinds.append(kind)
        listener.measured(number, len(cells))
    return [paces[kind] for kind in kinds]


def expected_time(
    asked: Study, threads: int | None, listener: Listener, part: StudyPart = WHOLE
) -> tuple[list[int], list[float], int]:
    """Expected games and seconds of every cell, and the number of threads, for a dry run."""
    workers = threads or default_threads()
    paces = measure_cells(asked.cells, listener, part)
    games = []
    for number, (cell, pace) in enumerate(zip(asked.cells, paces, strict=True), 1):
        start, stop = part.share(number, cell.games, cell.may_stop)
        games.append(min(expected_games(cell, pace), stop - start))
    rates = usual_rates(asked.cells, [pace.rate for pace in paces])
    return games, [number / rate / workers for number, rate in zip(games, rates, strict=True)], workers


def usual_rates(cells: Sequence[Cell], rates: Sequence[float]) -> list[float]:
    """Each cell's speed as the median of cells with the same game, number of players and strategies.

    A few games are timed, so on a busy machine single measurements are far off.
    """
    kinds = [(cell.setup.ruleset.name, cell.setup.players, cell.strategies) for cell in cells]
    alike: dict[object, list[float]] = {}
    for kind, rate in zip(kinds, rates, strict=True):
        alike.setdefault(kind, []).append(rate)
    return [median(alike[kind]) for kind in kinds]


def play_study(
    path: str | Path,
    asked: Study | None,
    cluster: str | None,
    threads: int | None,
    listener: Listener,
    part: StudyPart = WHOLE,
) -> bool:
    """Play the games that the file lacks; returns whether it is complete. With `asked` it must be that study."""
    with Store(path, write=True) as store:
        store.check_rules()
        if asked is not None:
            store.check_spec(asked, part)
        crew: Crew = Cluster(cluster) if cluster else Threads(threads or default_threads())
        with closing(crew):
            return execute(store, crew, listener.report, listener.finish, listener.stopping)
