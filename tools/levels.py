"""`make levels`: whether a higher level wins more, in every printed setup. Writes docs/levels.csv and its page.

Setups that are in the file are not played again.
Where all play together each level has every seat, and its gain is the difference to the level below on the same deals.
Where players compete, one seat of the level meets the level below on all other seats, from every seat in turn; its gain
is what it wins above a fair share.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import houle
from houle.analysis.sampling.levels import levels
from houle.analysis.sampling.players import EXPERT
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.solver.rules import Setup, game_names, variant_name
from tools.almanac.cells import all_cells

DOCS = Path(__file__).parents[1] / "docs"
FILE, PAGE = DOCS / "levels.csv", DOCS / "method" / "levels.md"
BEGIN, END = "<!-- written by `make levels` -->\n", "<!-- end -->\n"
COLUMNS = ("game", "players", "variant", "level", "below", "win", "gain", "low", "high", "deals", "seed", "seconds")
GAMES, SEED = 10_000, 51  # of every level, fresh: nothing was tuned or chosen on this seed
EXPERT_SECONDS = 4.0  # of one core, for the expert in a setup
MOST_EXPERT, LEAST_EXPERT, PILOT = 400, 6, 2  # deals

PAIRS = 4  # of levels, in every setup

Row = dict[str, str]


def setups() -> list[Setup]:
    """Every printed setup, as in the almanac."""
    found = list({cell.setup.digest: cell.setup for cell in all_cells()}.values())
    order = {name: [one for one in found if one.ruleset.name == name] for name in game_names()}
    return sorted(found, key=lambda one: order[one.ruleset.name].index(one))  # the games in turn


def rows_of(setup: Setup) -> Iterable[Row]:
    seats = 1 if setup.one_sided else setup.players
    names = [level.name for level in levels()]
    yield from _rows(setup, names, GAMES // seats)
    pair, start = [names[-1], EXPERT], time.process_time()
    houle.strength(setup, strategies=pair, games=PILOT, search_games=PILOT, seed=SEED + 1, threads=1)
    each = (time.process_time() - start) / PILOT
    deals = max(LEAST_EXPERT, min(MOST_EXPERT, int(EXPERT_SECONDS / each)))
    yield from _rows(setup, pair, deals)


def _rows(setup: Setup, names: list[str], deals: int) -> Iterable[Row]:
    start = time.process_time()
    result = houle.strength(setup, strategies=names, games=deals, search_games=deals, seed=SEED, threads=1)
    seconds = time.process_time() - start
    for matchup in result.matchups[1:]:
        win, gain = matchup.win, matchup.gain
        assert win is not None
        assert gain is not None
        values = (setup.ruleset.name, setup.players, variant_name(setup), matchup.strategy, matchup.below,
                  *(f"{value:.5f}" for value in (win.value, gain.value, gain.low, gain.high)), deals, SEED,
                  f"{seconds / (len(names) - 1):.1f}")  # fmt: skip
        yield dict(zip(COLUMNS, map(str, values), strict=True))


def main() -> None:
    rows = list(csv.DictReader(FILE.open(encoding="utf-8"))) if FILE.exists() else []
    played = {(row["game"], row["players"], row["variant"]) for row in rows}
    missing = [one for one in setups() if (one.ruleset.name, str(one.players), variant_name(one)) not in played]
    for setup in missing:
        rows += rows_of(setup)
        print(setup.summary, *(f"{row['level']} {float(row['gain']):+.3f}" for row in rows[-4:]), flush=True)
        with FILE.open("w", newline="", encoding="utf-8") as lines:
            writer = csv.DictWriter(lines, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        write_page(rows)


def write_page(rows: list[Row]) -> None:
    """Writes the order of the levels into its page, and every pair that is not shown to be in order."""
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    tail = rest.partition(END)[2]
    table = ["| game | level over the one below | setups | in order | not shown | reversed | mean gain, points |"]
    table.append("| --- " * 7 + "|")
    for game in dict.fromkeys(row["game"] for row in rows):
        for level in dict.fromkeys(row["level"] for row in rows):
            own = [row for row in rows if (row["game"], row["level"]) == (game, level)]
            if own:
                certain = sum(float(row["low"]) > 0 for row in own)
                turned = sum(float(row["high"]) < 0 for row in own)
                mean = 100 * sum(float(row["gain"]) for row in own) / len(own)
                table.append(
                    f"| {game} | {level} over {own[0]['below']} | {len(own)} | {certain} "
                    f"| {len(own) - certain - turned} | {turned} | {mean:+.1f} |"
                )
    doubtful = [
        f"- {row['game']} for {row['players']}, {row['variant']}: {row['level']} over {row['below']} {_gain(row)}, "
        f"{row['deals']} deals"
        for row in rows
        if float(row["low"]) <= 0
    ]
    experts = [int(row["deals"]) for row in rows if row["level"] == EXPERT]
    minutes = sum(float(row["seconds"]) for row in rows) / 60
    facts = (
        f"{len(rows) // PAIRS} of {len(setups())} printed setups; played on {date.today()}, seed {SEED}; {GAMES:,} "
        f"games of each level below expert in every setup, {min(experts)} to {max(experts)} deals of the expert, "
        f"{minutes:.0f} minutes of one core in all. Every pair: `docs/levels.csv`.\n"
    )
    text = "\n".join([facts, *table, "", "Not shown to be in order, or reversed:", "", *(doubtful or ["- none"])])
    PAGE.write_text(f"{head}{BEGIN}\n{text}\n\n{END}{tail}", encoding="utf-8")


def _gain(row: Row) -> str:
    value, low, high = (float(row[key]) for key in ("gain", "low", "high"))
    return Estimate(value, low, high, int(row["deals"]), POINTS).text()


if __name__ == "__main__":
    main()
