"""`python -m tools.demo OUT`: a quick report on WAVE with all variants and numbers of players."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from houle.cli.commands.report import write_game
from houle.cli.framework.exits import Interrupted
from houle.cli.framework.options import Asked
from houle.cli.framework.progress import SectionsProgress
from houle.cli.warm import warm_halves

if TYPE_CHECKING:
    from houle.reports.effort import Effort

GAME = "wave"


def main(out: Path, effort: str | Effort = "quick", asked: Asked | None = None) -> None:
    start = time.perf_counter()
    print("Writing a quick report on WAVE with all variants and numbers of players.", flush=True)
    print("The first time takes two or three minutes, because kernels are compiled.", flush=True)
    try:
        warm_halves(GAME)  # two processes compile faster than the report alone
        with SectionsProgress(silent=False) as progress:
            page = write_game(asked or Asked(GAME), effort, 1, None, out, progress)
    except Interrupted as fault:
        print(f"interrupted{fault}", file=sys.stderr)
        sys.exit(fault.code)
    print(f"\nsaved {page}  ({time.perf_counter() - start:.0f} s)")
    print(f"open  {page.resolve().as_uri()}")
    print(f"tables (CSV) are in {out / 'tables'}, figures in {out / 'figures'}, all data in {out / 'data.json'}")
    print(f"play  {_program()} play {GAME}   (in the browser; with --text in this terminal)")


def _program() -> str:
    """The command `houle` as you can type it in this folder."""
    beside = Path(sys.executable).with_name("houle")
    return os.path.relpath(beside) if beside.exists() else "houle"


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/demo"))
