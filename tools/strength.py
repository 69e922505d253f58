"""`make ladders`: the rungs of docs/ladders.toml that are missing, and the page made of all.

    python docs/ladders.py [--minutes 10] [--only GAME] [--page]

A rung is one `houle strength` of two players: its command, n, seed and digest stand in docs/ladders.csv, with the seconds
of computing it took. A rung whose command changed is played again. `--page` plays nothing.
"""

from __future__ import annotations

import argparse
import csv
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from almanac_cells import three
from almanac_page import table_lines

from houle import setup, strength
from houle.analysis.strategy.strength import Strength
from houle.solver.ruleset import Setup, game_names, load

DOCS = Path(__file__).parent
SPEC, PAGE, FILE = DOCS / "ladders.toml", DOCS / "ladders.md", DOCS / "ladders.csv"
COLUMNS = (
    "game", "players", "rung", "below", "win", "win_low", "win_high", "gain", "gain_low", "gain_high", "deals", "seed",
    "digest", "seconds", "device", "played", "command",
)  # fmt: skip

WHAT = """\
Players from the weakest, each against the one below it, at the main table of every game and at its smallest and largest
number of players. Where all play together (WAVE, one player alone) a rung plays for all, and its gain is the difference
to the rung below on the same deals, in points of wins. Elsewhere one seat of the rung meets the rung below on all other
seats, from every seat in turn; n counts deals, and the gain is what it wins more than a fair share of the games that
somebody wins: one of those below would win that in its place. (In Vague Verte 16% of the games of three thumbs end
without a winner, so each of them wins 28%.) Behind every number its 95% interval, clustered by deal. Where search is
slow to pay, flat:50 is measured against the thumb too, in Vague Verte and Vague & Attaque at every number of players. A
last line with ismcts is tree search against flat search, with as many simulations as take about the same time. Rungs
with an H200 beside their seconds were played on such a graphics card, game for game what a CPU plays: the first deal of
every line-up was played on both."""

Row = dict[str, str]


@dataclass(frozen=True)
class Asked:
    """A rung as docs/ladders.toml asks for it."""

    game: str
    players: int
    below: str
    matchup: str
    deals: int
    seed: int
    why: str  # what is said of it where it is not above the rung below

    @property
    def key(self) -> tuple[str, ...]:
        return (self.game, str(self.players), self.matchup, self.below)

    @property
    def table(self) -> Setup:
        return setup(self.game, players=self.players)

    def stands(self, row: Row | None) -> bool:
        return row is not None and (row["deals"], row["seed"]) == (str(self.deals), str(self.seed))


def asked() -> list[Asked]:
    spec = tomllib.loads(SPEC.read_text(encoding="utf-8"))
    return [
        Asked(one["game"], one["players"], below, matchup, deals, spec["seed"], one.get("why", {}).get(matchup, ""))
        for one in spec["table"]
        for below, matchup, deals in one["rungs"]
    ]


def kept() -> dict[tuple[str, ...], Row]:
    if not FILE.exists():
        return {}
    with FILE.open() as lines:
        return {tuple(row[name] for name in ("game", "players", "rung", "below")): row for row in csv.DictReader(lines)}


def write_rows(rows: dict[tuple[str, ...], Row], order: list[Asked]) -> None:
    with FILE.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[one.key] for one in order if one.key in rows)


def played(one: Asked) -> Row:
    """A rung as a row; seconds are those of all cores together."""
    start = time.process_time()
    found: Strength = strength(
        one.table, strategies=[one.below, one.matchup], games=one.deals, search_games=one.deals, seed=one.seed
    )
    matchup = found.matchups[-1]
    assert matchup.win is not None
    assert matchup.gain is not None
    row = dict(zip(COLUMNS, one.key, strict=False)) | three("win", matchup.win) | three("gain", matchup.gain)
    row |= {"deals": str(matchup.win.n), "seed": str(one.seed), "digest": found.digest, "command": found.repeat()}
    row |= {"seconds": f"{time.process_time() - start:.1f}", "device": "cpu"}
    row["played"] = datetime.now(UTC).strftime("%Y-%m-%d")
    return row


def play(minutes: float, only: str, quick: bool) -> None:
    order, rows = asked(), kept()
    end = time.monotonic() + 60 * minutes
    for one in order:
        if time.monotonic() > end:
            break
        if quick and ":" in one.matchup:
            continue
        if one.game.startswith(only) and not one.stands(rows.get(one.key)):
            rows[one.key] = played(one)
            write_rows(rows, order)
            print(" ".join(one.key), verdict(rows[one.key]), rows[one.key]["seconds"], "s", flush=True)
    print(f"{sum(one.key in rows for one in order)} of {len(order)} rungs there")


def verdict(row: Row) -> str:
    """Whether a rung is above the one below, beyond its interval."""
    if float(row["gain_low"]) > 0:
        return "above"
    return "below" if float(row["gain_high"]) < 0 else "not shown"


def percent(row: Row, name: str) -> str:
    value, low, high = (100 * float(row[part]) for part in (name, f"{name}_low", f"{name}_high"))
    return f"{value:.1f} ({low:.1f} to {high:.1f})"


def page() -> str:
    order, rows = asked(), kept()
    there = [rows[one.key] for one in order if one.key in rows]
    lines = ["# Ladders", "", "<!-- Made by `make ladders`; change docs/ladders.toml instead. -->", "", WHAT]
    if there:
        dates = sorted({row["played"] for row in there})
        above = sum(verdict(row) == "above" for row in there)
        seconds = sum(float(row["seconds"]) for row in there)
        lines += ["", f"Played on {' and '.join(dates)}, seed {there[0]['seed']}, {seconds:.0f} s in all: {above} of"]
        lines += [f"{len(there)} rungs are above the one below beyond their interval. Commands: `docs/ladders.csv`."]
    for game in game_names():
        own = [one for one in order if one.game == game and one.key in rows]
        if own:
            lines += ["", f"## {load(game).title}", "", *game_table(own, rows), *reasons(own, rows)]
    missing = [" ".join(one.key[:3]) for one in order if one.key not in rows]
    return "\n".join([*lines, "", *([f"Not played yet: {', '.join(missing)}.", ""] if missing else [])])


def game_table(own: list[Asked], rows: dict[tuple[str, ...], Row]) -> Iterator[str]:
    head = ("players", "rung", "over", "wins, %", "gain, points", "n", "seconds", "is it above?")

    def parts(one: Asked) -> Iterator[str]:
        row = rows[one.key]
        yield from (str(one.players), one.matchup, one.below, percent(row, "win"), percent(row, "gain"))
        yield f"{int(row['deals']):,}"
        yield row["seconds"] + ("" if row["device"] == "cpu" else f", {row['device']}")
        yield {"above": "yes", "below": "**no: worse**", "not shown": "**not shown**"}[verdict(row)]

    return table_lines(head, map(parts, own))


def reasons(own: list[Asked], rows: dict[tuple[str, ...], Row]) -> Iterator[str]:
    """What was written of rungs that are not above the one below."""
    told = [one for one in own if one.why and verdict(rows[one.key]) != "above"]
    if told:
        yield ""
    for one in told:
        players = f"{one.players} players" if one.players > 1 else "alone"
        yield f"- {players}, {one.rung} over {one.below}: {one.why}"


def main() -> None:
    options = argparse.ArgumentParser(description="Play the missing rungs of the ladders and write their page.")
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--only", default="", help="a game")
    options.add_argument("--quick", action="store_true", help="no rungs that search")
    options.add_argument("--page", action="store_true", help="play nothing")
    told = options.parse_args()
    if not told.page:
        play(told.minutes, told.only, told.quick)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
