"""`make levels`: whether a higher level wins more, in every printed setup. Writes docs/data/levels.csv and its page.

    python -m tools.levels [--jobs 16] [GAME...]

Setups that are in the file are not played again, but those of games that are named, with as many deals as before.
Where all play together each level has every seat, and its gain is the difference to the level below on the same deals.
Where players compete, one seat of the level meets the level below on all other seats, from every seat in turn; its gain
is what it wins above a fair share.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import date
from statistics import median

from houle.analysis.players.line_ups import EXPERT, expert_strategy, line_up
from houle.analysis.players.named_players import levels
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.stats.estimate import POINTS
from houle.solver.rules import Setup, game_names, variant_name
from tools.almanac.cells import DOCS, all_cells
from tools.rows import Row, estimate, read_rows, table, write_part, write_rows
from tools.strength import strength_of

FILE, PAGE = DOCS / "data" / "levels.csv", DOCS / "method" / "levels.md"
BEGIN, END = "<!-- written by `make levels` -->\n", "<!-- end -->\n"
COLUMNS = (
    "game",
    "players",
    "variant",
    "level",
    "below",
    "win",
    "gain",
    "low",
    "high",
    "deals",
    "seed",
    "seconds",
    "move",
)
GAMES, SEED = 2_500, 58  # of every level, fresh: nothing was tuned or chosen on this seed
EXPERT_MINUTES = 4.0  # of one core, for the expert in all setups of a game
MOST_EXPERT, LEAST_EXPERT, PILOT = 2_000, 6, 10  # deals
PAIRS = 4  # of levels, in every setup


def setups() -> list[Setup]:
    """Every printed setup, as in the almanac, the games in turn."""
    found = list({cell.setup.digest: cell.setup for cell in all_cells()}.values())
    return sorted(found, key=lambda one: list(game_names()).index(one.ruleset.name))


def rows_of(setup: Setup, expert_seconds: float, deals: int = 0) -> list[Row]:
    """The rows of a setup, with so many deals of the expert; 0 for what fits into the seconds."""
    seats = 1 if setup.one_sided else setup.players
    names = [level.name for level in levels()]
    pilot = RunSpec(PILOT, SEED + 1, threads=1)
    play_line_up(line_up(setup, EXPERT), RunSpec(1, SEED + 1, threads=1))  # loads or compiles the kernels
    start = time.process_time()
    moves = play_line_up(line_up(setup, EXPERT), pilot).tally.counts[0]
    per_move = (time.process_time() - start) / moves
    pair, start = [names[-1], EXPERT], time.process_time()
    strength_of(setup, pair, PILOT, SEED + 1, threads=1)
    each = (time.process_time() - start) / PILOT
    deals = deals or max(LEAST_EXPERT, min(MOST_EXPERT, int(expert_seconds / each)))
    return [
        *_rows(setup, names, GAMES // seats),
        *(row | {"move": f"{per_move:.5f}"} for row in _rows(setup, pair, deals)),
    ]


def rows_at(key: tuple[str, str, str], expert_seconds: float, deals: int) -> list[Row]:
    """The rows of one setup, found by its key: setups do not travel between processes."""
    return rows_of(next(one for one in setups() if _key(one) == key), expert_seconds, deals)


def _rows(setup: Setup, names: list[str], deals: int) -> list[Row]:
    start = time.process_time()
    result = strength_of(setup, names, deals, SEED, threads=1)
    seconds = (time.process_time() - start) / (len(names) - 1)
    rows = []
    for row in result.of("win"):
        win, gain = row.value, row.change
        if gain is None:
            continue
        values = (
            setup.ruleset.name,
            setup.players,
            variant_name(setup),
            row.label,
            row.against,
            *(f"{value:.5f}" for value in (win.value, gain.value, gain.low, gain.high)),
            deals,
            SEED,
            f"{seconds:.1f}",
            "",
        )
        rows.append(dict(zip(COLUMNS, map(str, values), strict=True)))
    return rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--jobs", type=int, default=1, help="setups that are played at the same time")
    options.add_argument("games", nargs="*", help="whose setups are played again")
    asked = options.parse_args()
    order = {_key(one): one for one in setups()}
    before = read_rows(FILE)
    deals = {_place(row): int(row["deals"]) for row in before if row["level"] == EXPERT}
    rows = [row for row in before if row["game"] not in asked.games]
    share = Counter(game for game, _, _ in order)
    missing = sorted(order.keys() - set(map(_place, rows)), key=lambda key: share[key[0]])  # the longest first
    with ProcessPoolExecutor(asked.jobs) as pool:
        played = [pool.submit(rows_at, key, 60 * EXPERT_MINUTES / share[key[0]], deals.get(key, 0)) for key in missing]
        for one in as_completed(played):
            rows += one.result()
            rows.sort(key=lambda row: list(order).index(_place(row)))
            print(
                *(
                    f"{row['game']} {row['players']} {row['variant']}: {row['level']} {row['gain']}"
                    for row in one.result()
                ),
                sep="\n",
                flush=True,
            )
            write_rows(FILE, COLUMNS, rows)
            write_page(rows)


def _key(setup: Setup) -> tuple[str, str, str]:
    return setup.ruleset.name, str(setup.players), variant_name(setup)


def _place(row: Row) -> tuple[str, str, str]:
    return row["game"], row["players"], row["variant"]


def write_page(rows: list[Row]) -> None:
    """Writes the order of the levels into its page, and every pair that is reversed."""
    pairs = dict.fromkeys((row["level"], row["below"]) for row in rows)
    lines = [
        (
            game,
            *(_in_order([row for row in rows if (row["game"], row["level"]) == (game, level)]) for level, _ in pairs),
        )
        for game in dict.fromkeys(row["game"] for row in rows)
    ]
    head = ("game", *(f"{level} over {below}" for level, below in pairs))
    turned_round = [
        f"- {row['game']} for {row['players']}, {row['variant']}: {row['level']} over {row['below']} "
        f"{estimate(row, 'gain', 'deals', POINTS).text()}, "
        f"{int(row['deals']):,} deals"
        for row in rows
        if float(row["high"]) < 0
    ]
    experts = [int(row["deals"]) for row in rows if row["level"] == EXPERT]
    times = []
    for game in dict.fromkeys(row["game"] for row in rows):
        moves = [1_000 * float(row["move"]) for row in rows if row["game"] == game and row["move"]]
        search = expert_strategy(next(one for one in setups() if one.ruleset.name == game))
        times.append((game, f"`{search}`", f"{median(moves):.1f} ({min(moves):.1f} to {max(moves):.1f})"))
    minutes = sum(float(row["seconds"]) for row in rows) / 60
    facts = (
        f"{len(rows) // PAIRS} of {len(setups())} printed setups; played on {date.today()}, seed {SEED}; {GAMES:,} "
        f"games of each level below expert in every setup, {min(experts)} to {max(experts):,} deals of the expert, "
        f"{minutes:.0f} minutes of one core in all. Every pair with its interval: "
        "`docs/data/levels.csv`. How many setups are shown to be in order, and the mean gain in points:\n"
    )
    of_moves = table(("game", "expert", "milliseconds per move, median of its setups and range"), times)
    of_moves += ["", "On one core of the machine that played the table, all seats experts."]
    reversed_lines = ["Reversed:", "", *turned_round] if turned_round else ["No pair is reversed."]
    text = "\n".join([facts, *table(head, lines), "", *of_moves, "", *reversed_lines])
    write_part(PAGE, BEGIN, END, text)


def _in_order(rows: list[Row]) -> str:
    """In how many setups a level certainly wins more than the one below, and by how many points on average."""
    if not rows:
        return ""
    certain = sum(float(row["low"]) > 0 for row in rows)
    mean = 100 * sum(float(row["gain"]) for row in rows) / len(rows)
    return f"{certain} of {len(rows)}, {mean:+.1f}"


if __name__ == "__main__":
    main()
