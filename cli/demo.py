"""`python -m houle.cli.demo OUT`: the WAVE difficulty table, printed, and saved as CSV and as a figure."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from houle.cli import tables
from houle.solver.ruleset import load

if TYPE_CHECKING:
    import pandas as pd

GAME = "wave"
GAMES = 1_000_000


def page(frame: pd.DataFrame) -> str:
    """The table: one line per variant and number of players."""
    rows = []
    for cell in frame.to_dict("records"):
        win, low, high = (100 * cell[key] for key in ("win", "win_low", "win_high"))
        score = tables.estimate(cell["score"], cell["score_low"], cell["score_high"])
        rows.append(
            [
                cell["variants"],
                str(cell["players"]),
                tables.estimate(win, low, high, "%"),
                f"{score} {cell['score_name']}",
            ]
        )
    return tables.columns(["variant", "players", "games won", "mean score"], rows, right=(1,))


def main(out: Path, games: int = GAMES) -> None:
    from houle.analysis.difficulty import difficulty
    from houle.reports.difficulty import draw

    title = load(GAME).title
    out.mkdir(parents=True, exist_ok=True)
    print(f"{title}: how hard is it at random? {games:,} games each, seed 1, 95% intervals", flush=True)
    frame = difficulty(GAME, games)
    print("\n" + page(frame))
    table, figure = out / f"{GAME}-difficulty.csv", out / f"{GAME}-difficulty.png"
    frame.to_csv(table, index=False)
    draw(frame, f"{title}: how hard is it at random?", figure)
    print(f"\nsaved {table} and {figure}")
    print(f"repeat a line: houle simulate {GAME} -p PLAYERS -v VARIANT -n {games} --seed 1")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/demo"))
