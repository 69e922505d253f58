"""`python -m houle.cli.demo OUT`: the quick report of WAVE over all variants and numbers of players."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from houle.cli.commands.report import SectionsProgress, write_game
from houle.cli.framework.exits import INTERRUPTED
from houle.cli.framework.options import Asked
from houle.cli.framework.progress import Interrupted
from houle.cli.warm import warm_halves

if TYPE_CHECKING:
    from houle.reports.effort import Effort

GAME = "wave"


def main(out: Path, effort: str | Effort = "quick", asked: Asked | None = None) -> None:
    start = time.perf_counter()
    print(
        "WAVE: a quick report over all variants and numbers of players. It takes two or three minutes the", flush=True
    )
    print("first time, while the compiler is at work; `houle report GAME` makes one of any game.", flush=True)
    try:
        warm_halves(GAME)  # a report compiles one thing after another; two processes need not
        with SectionsProgress(silent=False) as progress:
            page = write_game(asked or Asked(GAME), effort, 1, None, out, progress)
    except (Interrupted, KeyboardInterrupt):
        print("interrupted; nothing was written", file=sys.stderr)
        sys.exit(INTERRUPTED)
    print(f"\nsaved {page}  ({time.perf_counter() - start:.0f} s)")
    print(f"open  {page.resolve().as_uri()}")
    print(f"tables as CSV in {out / 'tables'}, figures in {out / 'figures'}, the data in {out / 'data.json'}")
    print(f"play  {_program()} play {GAME}   (a table in the browser; with --text in this terminal)")


def _program() -> str:
    """`houle` as one can type it here."""
    beside = Path(sys.executable).with_name("houle")
    return os.path.relpath(beside) if beside.exists() else "houle"


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/demo"))
