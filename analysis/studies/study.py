"""`study`: a grid of configurations from a file, begun or gone on with, and what it has come to."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

from houle.analysis.arguments import checked
from houle.analysis.studies.cell_run import Work
from houle.analysis.studies.cells import Cell, Pace, expected_games, measure
from houle.analysis.studies.executors import Cluster, Crew, Threads
from houle.analysis.studies.results import StudyResult, read_study
from houle.analysis.studies.run import Progress, execute
from houle.analysis.studies.spec import Study, read_spec
from houle.analysis.studies.store import Ending, Store, create
from houle.solver.run import default_threads


class Listener(Protocol):
    """Hears how far a study is, and may ask it to stop."""

    def measured(self, number: int, cells: int) -> None:
        """The speed of so many cells is known."""

    def report(self, progress: Progress) -> None:
        """How far it is."""

    def finish(self, work: Work, ending: Ending) -> None:
        """A cell has ended."""

    def stopping(self) -> bool:
        """Whether the study should stop now."""


class Silent:
    """A listener that shows nothing and never stops a study."""

    def measured(self, number: int, cells: int) -> None: ...

    def report(self, progress: Progress) -> None: ...

    def finish(self, work: Work, ending: Ending) -> None: ...

    def stopping(self) -> bool:
        return False


@checked
def study(
    spec: str | Path,
    *,
    db: str | Path | None = None,
    cluster: str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> StudyResult:
    """Play the grid that a file describes; goes on where an earlier run of it stopped.

    Finished chunks are kept in one SQLite file: killed at any moment, the next call continues and ends with the same
    digest. Ctrl-C keeps what is finished, and gives the result so far.

    Parameters
    ----------
    spec : path
        A TOML file: `game`, `players`, `variants`, `strategies`, `set`, `games` or `precision`, `search_games`,
        `targets`, `until_decided` with `margin`, in `[[grid]]` tables where there are several.
    db : path, optional
        Where results are kept; by default beside `spec`, with the ending .db.
    cluster : str, optional
        The address of a Dask scheduler whose workers play, as `"tcp://host:8786"`.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    StudyResult
        With `.cells`, `.frame()` (one row per cell and side) and `.as_json()`.

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
    path = Path(spec).with_suffix(".db") if db is None else Path(db)
    listener = progress or Silent()
    asked = read_spec(spec)
    try:
        begin(path, asked, listener)
        play_study(path, asked, cluster, threads, listener)
    except KeyboardInterrupt:
        if not path.exists():  # before there was anything to keep
            raise
    return read_study(path)


def begin(path: str | Path, asked: Study, listener: Listener) -> None:
    """Makes the file of a new study; one that exists is left alone."""
    if not Path(path).exists():
        create(path, asked, measure_cells(asked.cells, listener))


def measure_cells(cells: Sequence[Cell], listener: Listener) -> list[Pace]:
    """How fast every cell plays; may compile."""
    paces = []
    for number, cell in enumerate(cells, 1):
        paces.append(measure(cell))
        listener.measured(number, len(cells))
    return paces


def expected_time(asked: Study, threads: int | None, listener: Listener) -> tuple[list[int], list[float], int]:
    """Games and seconds of every cell, and on how many threads: what a dry run says."""
    workers = threads or default_threads()
    paces = measure_cells(asked.cells, listener)
    games = [expected_games(cell, pace) for cell, pace in zip(asked.cells, paces, strict=True)]
    return games, [number / pace.rate / workers for number, pace in zip(games, paces, strict=True)], workers


def play_study(
    path: str | Path, asked: Study | None, cluster: str | None, threads: int | None, listener: Listener
) -> bool:
    """Plays what the file still lacks; True where the study is complete. With `asked` it must be that study."""
    with Store(path, write=True) as store:
        store.check_rules()
        if asked is not None:
            store.check_spec(asked)
        crew: Crew = Cluster(cluster) if cluster else Threads(threads or default_threads())
        with closing(crew):
            return execute(store, crew, listener.report, listener.finish, listener.stopping)
