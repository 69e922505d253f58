"""Chunks on the workers of a Dask scheduler. Dask looks after lost workers; the log stays with this process."""

from __future__ import annotations

import logging
import warnings
from typing import Any, NamedTuple

from houle.analysis.sampling.backends import count_games
from houle.analysis.studies.cell import Chunk, Listener, Played, Study
from houle.analysis.studies.log import codes_of
from houle.analysis.studies.serialize import Data, cell_data, cell_from, package_version, rules_code
from houle.solver.errors import ClusterError, InputError, StudyError
from houle.solver.rules import look_in
from houle.solver.rules.game_folders import game_paths
from houle.solver.run.tally import Tally

CONNECT_SECONDS = 15
AHEAD = 4  # chunks per thread of a worker, to hide the network
SHOWN = 8  # letters of a digest in a message


class Needs(NamedTuple):
    """What a worker needs to play a study."""

    houle: str  # its version
    codes: dict[str, str]  # the digest of the code of each game
    game_paths: tuple[str, ...]  # folders with external games, which a worker may have at the same path


def unfit(needs: Needs) -> str:
    """Why this process cannot play a study; empty if it can. Workers run this."""
    if package_version("houle") != needs.houle:
        return f"it has houle {package_version('houle')}, not {needs.houle}; install the same version"
    for folder in needs.game_paths:
        look_in(folder)
    for game, code in needs.codes.items():
        try:
            own = rules_code(game)
        except InputError as fault:
            return f"it cannot play {game}: {fault}"
        if own != code:
            digests = f"digest {own[:SHOWN]}, yours {code[:SHOWN]}"
            return f"its code for {game} differs from yours ({digests}); install the same version"
    return ""


def play_portable(needs: Needs, cell: Data, first: int, games: int) -> Tally:
    """Play a chunk of a cell that is given as plain data. Workers run this, also those that joined later."""
    if why := unfit(needs):
        raise StudyError(why)
    same = cell_from(cell)
    return count_games(same.line_up, same.seed, first, games)


def on_cluster(study: Study, chunks: list[Chunk], address: str, listener: Listener) -> Played:
    """Plays chunks on a cluster and yields them as they end."""
    from distributed import as_completed

    client = _connected(address)
    needs = Needs(package_version("houle"), codes_of(study), tuple(game_paths()))
    cells = [cell_data(cell) for cell in study.cells]
    running: dict[str, Chunk] = {}
    rest = iter(chunks)
    queue = as_completed(loop=client.loop)

    def send() -> None:
        chunk = None if listener.stopping() else next(rest, None)
        if chunk is not None:
            future = client.submit(
                play_portable, needs, cells[chunk.cell - 1], chunk.first, chunk.games, pure=False, workers=fit
            )
            running[future.key] = chunk
            queue.add(future)

    try:
        fit = _fit_workers(client, needs, address, listener)
        for _ in range(AHEAD * max(1, sum(client.nthreads().values()))):
            send()
        for future in queue:
            chunk = running.pop(future.key)
            try:
                tally = future.result()
            except StudyError as fault:
                raise StudyError(f"a worker of {address}: {fault}") from None
            except BaseException as fault:
                raise _lost(address, fault) from None
            yield chunk, tally
            send()
    finally:
        client.close(timeout=2)


def _connected(address: str) -> Any:
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise ClusterError("--cluster needs dask.distributed: pip install 'houle[cluster]'") from None
    # Dask's own messages about lost connections would hide the one line that matters.
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module="distributed")
    # By default it keeps the last thousand batches of messages in memory.
    dask.config.set({"distributed.admin.low-level-log-length": 10})
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as fault:
        reason = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
        raise ClusterError(f"--cluster {address}: no Dask scheduler answers ({reason})") from None


def _fit_workers(client: Any, needs: Needs, address: str, listener: Listener) -> list[str] | None:
    """The workers that play as this process does; None if all do, so that later ones may join. Names the others."""
    answers = client.run(unfit, needs)
    fit = [worker for worker, why in answers.items() if not why]
    for worker, why in sorted(answers.items()):
        if why:
            listener.note(f"worker {worker} is left out: {why}")
    if answers and not fit:
        raise StudyError(f"{address}: no worker can play this study: {next(iter(answers.values()))}")
    return None if len(fit) == len(answers) else fit


def _lost(address: str, fault: BaseException) -> ClusterError:
    from distributed import CancelledError

    if isinstance(fault, CancelledError) or type(fault).__name__ == "FutureCancelledError":
        return ClusterError(f"{address}: the scheduler is gone; finished games are logged, run the command again")
    line = " ".join(str(fault).split()) or type(fault).__name__
    return ClusterError(f"a worker of {address} failed: {line}; finished games are logged")
