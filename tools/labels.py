"""`make labels`: whether houle's people agree with the labels that WAVE's rulebook gives its variants.

Every level plays each labelled variant and the base game on the same deals, for two, three and four surfers. Writes
docs/data/labels.csv and the table of docs/method/levels.md. Cells that are in the file are not played again.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import houle
from houle.analysis.players.line_ups import EXPERT
from houle.analysis.players.named_players import levels
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.stats.looks import stand
from houle.solver.rules import variant_name
from tools.rows import Row, estimate, read_rows, table, write_part, write_rows

DOCS = Path(__file__).parents[1] / "docs"
FILE, PAGE = DOCS / "data" / "labels.csv", DOCS / "method" / "levels.md"
BEGIN, END = "<!-- written by `make labels` -->\n", "<!-- end of labels -->\n"
GAME, PLAYERS, SEED = "wave", (3, 2, 4), 58
EASY, HARD = ("virage",), ("nazare",)
TIDES = (("tide-colours",), ("tide-numbers",), ("tide-colours", "tide-numbers"))
DEALS, EXPERT_DEALS = 10_000, 300
COLUMNS = (
    "players",
    "level",
    "variant",
    "label",
    "base",
    "win",
    "difference",
    "low",
    "high",
    "deals",
    "seed",
    "seconds",
)


def cell(players: int, level: str, deals: int) -> list[Row]:
    """What a level wins with every labelled variant, against the base game on the same deals."""
    variants = (EASY, *TIDES, HARD)
    setups = [houle.setup(GAME, players=players, variants=names) for names in ((), *variants)]
    houle.compare(setups, strategies=level, games=2, measures=["win"], threads=1)  # loads or compiles the kernels
    start = time.process_time()
    result = houle.compare(setups, strategies=level, games=deals, measures=["win"], seed=SEED)
    seconds = time.process_time() - start
    base = result.rows[0].value.value
    rows = []
    for row, names in zip(result.rows[1:], variants, strict=True):
        gap = row.change
        assert gap is not None
        label = "easy" if names == EASY else "expert" if names == HARD else "harder"
        numbers = (f"{value:.5f}" for value in (base, row.value.value, gap.value, gap.low, gap.high))
        values = (players, level, variant_name(row.arm.setup), label, *numbers, deals, SEED, f"{seconds:.1f}")
        rows.append(dict(zip(COLUMNS, map(str, values), strict=True)))
    return rows


def verdicts(rows: list[Row]) -> list[str]:
    """How many labels of each sort hold, and which do not."""
    lines = []
    for label, sign in (("easy", 1), ("expert", -1)):
        own = [row for row in rows if row["label"] == label]
        shown = [row for row in own if (float(row["low"]) > 0 if sign > 0 else float(row["high"]) < 0)]
        missing = "; ".join(f"{_where(row)} {_gap(row).text()}" for row in own if row not in shown)
        word = "easier" if sign > 0 else "harder"
        lines.append(
            f'- {own[0]["variant"]}, printed "{label}": {word} than the base game, shown in {len(shown)} of '
            f"{len(own)} comparisons{'; not shown: ' + missing if missing else ''}."
        )
    tides = [row for row in rows if row["label"] == "harder"]
    certain = stand([_gap(row) for row in tides])
    easier = [row for row, stands in zip(tides, certain, strict=True) if stands and float(row["difference"]) > 0]
    harder = sum(stands and float(row["difference"]) < 0 for row, stands in zip(tides, certain, strict=True))
    far = [row for row in tides if row["level"] != EXPERT and float(row["difference"]) > 0.01]
    lines.append(
        f'- The tides, printed "harder": harder in {harder}, easier in {len(easier)} of {len(tides)} '
        f"comparisons, all judged together{_listed(easier)}; below expert easier by more than 1 point in "
        f"{len(far)}{_listed([row for row in far if row not in easier])}."
    )
    return lines


def _listed(rows: list[Row]) -> str:
    return f" ({'; '.join(f'{_where(row)} {_gap(row).text()}' for row in rows)})" if rows else ""


def _where(row: Row) -> str:
    return f"{row['level']}, {row['players']} surfers, {row['variant']}"


def _gap(row: Row) -> Estimate:
    return estimate(row, "difference", "deals", POINTS)


def write_page(rows: list[Row]) -> None:
    """Writes the table and what holds into the page about levels."""
    names = list(dict.fromkeys(row["variant"] for row in rows))
    lines = []
    for players, level in dict.fromkeys((row["players"], row["level"]) for row in rows):
        own = {row["variant"]: row for row in rows if (row["players"], row["level"]) == (players, level)}
        first = own[names[0]]
        wins = (f"{100 * float(own[name]['win']):.1f}" for name in names)
        lines.append((players, level, f"{100 * float(first['base']):.1f}", *wins))
    minutes = sum({(row["players"], row["level"]): float(row["seconds"]) for row in rows}.values()) / 60
    people, experts = (
        max(int(row["deals"]) for row in rows if (row["level"] == EXPERT) == asked) for asked in (False, True)
    )
    facts = (
        f"Wins in percent, seed {SEED}, {people:,} deals of people and {experts:,} of experts, {minutes:.0f} "
        "minutes of one core. Every difference with its interval: `docs/data/labels.csv`."
    )
    short = (name.replace("tide-colours + tide-numbers", "both") for name in names)
    text = "\n".join([*verdicts(rows), "", facts, "", *table(("surfers", "level", "base", *short), lines)])
    write_part(PAGE, BEGIN, END, text)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--deals", type=int, default=DEALS, help="of every level below expert")
    options.add_argument("--expert-deals", type=int, default=EXPERT_DEALS)
    options.add_argument("--surfers", type=int, nargs="*", default=PLAYERS)
    given = options.parse_args()
    rows = read_rows(FILE)
    done = {(row["players"], row["level"]) for row in rows}
    names = [*(level.name for level in levels()), EXPERT]
    missing = [(players, name) for name in names for players in given.surfers if (str(players), name) not in done]
    order = [(str(players), name) for players in sorted(PLAYERS) for name in names]
    for players, name in missing:
        found = cell(players, name, given.expert_deals if name == EXPERT else given.deals)
        rows = sorted([*rows, *found], key=lambda row: order.index((row["players"], row["level"])))
        print(*(f"{_where(row)}: {_gap(row).text()}" for row in found), sep="\n", flush=True)
        write_rows(FILE, COLUMNS, rows)
    write_page(rows)


if __name__ == "__main__":
    main()
