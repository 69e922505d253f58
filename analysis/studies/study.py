"""`houle study`: run many setups in one batch that can be interrupted and resumed."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from pathlib import Path

from houle.analysis.arguments import checked
from houle.analysis.sampling.plan import PILOT_SECONDS, play_pilot
from houle.analysis.studies.cell import WHOLE, Silent, Study, StudyPart
from houle.analysis.studies.play import play_study
from houle.analysis.studies.results import StudyResult, read_study
from houle.analysis.studies.spec import read_spec

MOST_TIMED = 200  # kinds of cells that a dry run times, each for itself
TIMING = 10.0  # seconds for all of them, as games of a search differ in length
LONGEST_TIMING = 0.5  # seconds of one kind


@checked
def study(
    spec: str | Path,
    *,
    folder: str | Path | None = None,
    cluster: str | None = None,
    threads: int | None = None,
    part: str | None = None,
) -> StudyResult:
    """Run all setups that a file describes; continues where an earlier run stopped.

    Finished games are logged in a folder. If the run is killed at any moment, the next call continues and gives the
    same results. Ctrl-C keeps what is finished and returns the result so far.

    Parameters
    ----------
    spec : path
        A TOML file: `game`, `players`, `variants`, `strategies`, `set`, `games`, `search_games`, `targets`, in
        `[[grid]]` tables where there are several.
    folder : path, optional
        The folder for the results; by default the name of `spec` without its ending.
    cluster : str, optional
        The address of a Dask scheduler whose workers play, such as `"tcp://host:8786"`.
    part : str, optional
        Play only this part of the study, such as `"3/20"`. Copy the files of all parts into one folder.

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
    asked, which = read_spec(spec), StudyPart.parse(part) if part else WHOLE
    where = default_folder(spec) if folder is None else Path(folder)
    with suppress(KeyboardInterrupt):
        play_study(asked, where, which, cluster, threads=threads, listener=Silent())
    return read_study(where)


def default_folder(spec: str | Path) -> Path:
    """The folder of a study: beside the spec, with its name."""
    path = Path(spec)
    return path.with_suffix("") if path.suffix else path.with_name(f"{path.name}-results")


def expected_seconds(asked: Study, part: StudyPart = WHOLE) -> tuple[list[int], list[float]]:
    """Games of this part and seconds of one core for every cell, for a dry run; plays a few games of each kind.

    Two cells are of one kind if they differ only in their seed and number of games. If there are very many kinds, every
    n-th is timed, and the others take as long as the one before.
    """
    games = [0] * len(asked.cells)
    for chunk in part.chunks(asked.sizes):
        games[chunk.cell - 1] += chunk.games
    kinds: list[Hashable] = [(cell.setup.digest, cell.line_up.digests) for cell in asked.cells]
    played = list(dict.fromkeys(kind for kind, number in zip(kinds, games, strict=True) if number))
    timed = set(played[:: -(-len(played) // MOST_TIMED) or 1])
    enough = max(PILOT_SECONDS, min(LONGEST_TIMING, TIMING / max(1, len(timed))))
    seconds: dict[Hashable, float] = {}
    for kind, cell, number in zip(kinds, asked.cells, games, strict=True):
        if number and kind not in seconds:
            last = next(reversed(seconds.values()), 0.0)
            seconds[kind] = 1 / play_pilot(cell.line_up, cell.seed, cell.games, enough).rate if kind in timed else last
    return games, [number * seconds.get(kind, 0.0) for kind, number in zip(kinds, games, strict=True)]
