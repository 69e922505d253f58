"""Compare searches at equal time: a challenger against a reference, in every game with 2 to 4 players.

    python -m tools.search_table --seconds 600 --jobs 16 --out table.csv

A pair is `CHALLENGER against REFERENCE`. `*` as the budget of a challenger is chosen so that it takes as long per
decision as the reference, on this machine. Where all play together each player has every seat. Where players compete
one seat of the challenger meets the reference on all others, from every seat in turn. Pairs that are in the file are
not played again.
"""

from __future__ import annotations

import argparse
import csv
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import houle
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.solver.errors import InputError
from houle.solver.rules import Setup, game_names
from tools.strength import strength_of

REFERENCES = ("flat:50", "flat:200")
TREE, EVALUATING = "ismcts:*", "flat:*[ahead=8]"
PLAYERS = ("2", "3", "4", "4/2v2")
AGAINST = " against "
SEED = 7301  # fresh: nothing was tuned or chosen on it
PILOT = 3  # seconds to measure the time per decision of a player
ANY = "*"
COLUMNS = ("game", "players", "pair", "challenger", "reference", "gain", "low", "high", "deals", "seed", "ms",
           "reference_ms", "seconds", "digest")  # fmt: skip

Row = dict[str, str]
Cell = tuple[str, str, str]  # game, players, pair


def seconds_per_move(setup: Setup, strategy: str, seed: int) -> float:
    """CPU seconds per decision where all seats play the strategy, on deals that the comparison does not use."""
    lineup, moves, games = line_up(setup, strategy), 0, 0
    start = time.process_time()
    while time.process_time() - start < PILOT:
        moves += int(play_line_up(lineup, RunSpec(1, seed, first=games, threads=1)).tally.counts[0])
        games += 1
    return (time.process_time() - start) / moves


def equal_time(setup: Setup, challenger: str, reference: float, seed: int) -> str:
    """The challenger with the budget that takes as long per decision as the reference."""
    budget = 100
    for _ in range(2 if ANY in challenger else 0):
        taken = seconds_per_move(setup, challenger.replace(ANY, str(budget)), seed)
        budget = max(1, round(budget * reference / taken))
    return challenger.replace(ANY, str(budget))


def compile_game(game: str) -> None:
    """Fills the cache of kernels, so that only one process compiles each game."""
    houle.strength(game, strategies="flat:1,ismcts:1", games=2, threads=1)


def setup_of(game: str, players: str) -> Setup | None:
    """The setup of `4` or `4/2v2`, or None where the game has no such setup."""
    number, _, variant = players.partition("/")
    try:
        return houle.setup(game, players=int(number), variants=[variant] if variant else ())
    except InputError:
        return None


def pairs(setup: Setup) -> list[str]:
    challengers = [TREE, EVALUATING] if setup.game.has("prospects") else [TREE]
    return [f"{one}{AGAINST}{other}" for one in challengers for other in REFERENCES]


def row_of(cell: Cell, seconds: float, seed: int) -> Row:
    game, players, pair = cell
    setup = setup_of(game, players)
    assert setup is not None
    asked, reference = pair.split(AGAINST)
    slow = seconds_per_move(setup, reference, seed + 1)
    challenger = equal_time(setup, asked, slow, seed + 1)
    own = seconds_per_move(setup, challenger, seed + 1)
    start = time.process_time()
    strength_of(setup, [reference, challenger], 2, seed + 1, threads=1)
    deals = max(2, int(seconds * 2 / (time.process_time() - start)))
    start = time.process_time()
    found = strength_of(setup, [reference, challenger], deals, seed, threads=1)
    gain = found.of("win")[-1].change
    assert gain is not None
    points = (f"{100 * value:.2f}" for value in (gain.value, gain.low, gain.high))
    values = (*cell, challenger, reference, *points, deals, seed, f"{1000 * own:.3f}", f"{1000 * slow:.3f}",
              f"{time.process_time() - start:.0f}", found.digest)  # fmt: skip
    return dict(zip(COLUMNS, map(str, values), strict=True))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", nargs="+", default=list(game_names()), metavar="GAME")
    options.add_argument("--players", nargs="+", default=PLAYERS, metavar="N", help="with a variant: 4/2v2")
    options.add_argument("--pairs", nargs="+", metavar="PAIR", help="default: tree search and evaluations")
    options.add_argument("--seconds", type=float, default=600, help="CPU seconds per pair")
    options.add_argument("--jobs", type=int, default=1, help="processes")
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--out", type=Path, required=True)
    asked = options.parse_args()
    rows = list(csv.DictReader(asked.out.open())) if asked.out.exists() else []
    done = {(row["game"], row["players"], row["pair"]) for row in rows}
    setups = [(game, n, setup) for game in asked.games for n in asked.players if (setup := setup_of(game, n))]
    cells = [
        (game, n, pair)
        for game, n, setup in setups
        for pair in asked.pairs or pairs(setup)
        if (game, n, pair) not in done
    ]
    with ProcessPoolExecutor(asked.jobs) as pool:
        list(pool.map(compile_game, dict.fromkeys(game for game, _, _ in cells)))
        for played in as_completed([pool.submit(row_of, cell, asked.seconds, asked.seed) for cell in cells]):
            rows.append(played.result())
            print(*rows[-1].values(), flush=True)
            with asked.out.open("w", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
                writer.writeheader()
                writer.writerows(sorted(rows, key=lambda row: [row[name] for name in COLUMNS[:3]]))
    for pair in dict.fromkeys(row["pair"] for row in rows):
        print(pair, mean_gain([row for row in rows if row["pair"] == pair]))


def mean_gain(rows: list[Row]) -> str:
    """The mean of the gains in several setups, each counted once, with its 95% interval."""
    mean = sum(float(row["gain"]) for row in rows) / len(rows)
    half = sum(((float(row["high"]) - float(row["low"])) / 2) ** 2 for row in rows) ** 0.5 / len(rows)
    return f"{mean:+.2f} ({mean - half:+.2f} to {mean + half:+.2f}), {len(rows)} setups"


if __name__ == "__main__":
    main()
