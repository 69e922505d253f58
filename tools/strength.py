"""`make strength`: play the missing matchups of docs/data/strength.toml, and write docs/method/strength.md.

    python -m tools.strength [--minutes 10] [--only GAME] [--quick] [--page]

A matchup is one `houle strength` of two players. docs/data/strength.csv has its command, seed, digest and CPU seconds.
A matchup whose deals or seed changed is played again.
"""

from __future__ import annotations

import argparse
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from houle import setup, strength
from houle.analysis.players.line_ups import is_search, playable
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import SLOWER
from houle.analysis.tables.strength import play_strength
from houle.analysis.tables.table import Table
from houle.solver.rules import Setup, game_names, load
from tools.almanac.cells import DOCS, earlier_rules, stamp, three
from tools.rows import Row, read_rows, table, write_rows

DATA = DOCS / "data"
SPEC, PAGE, FILE = DATA / "strength.toml", DOCS / "method" / "strength.md", DATA / "strength.csv"
COLUMNS = (
    "game",
    "players",
    "player",
    "below",
    "win",
    "win_low",
    "win_high",
    "gain",
    "gain_low",
    "gain_high",
    "deals",
    "seed",
    "digest",
    "seconds",
    "played",
    "version",
    "command",
)

WHAT = """\
What more search gains over less, in points: rules of thumb alone, search with 20, 50 and 200 worlds, and the best
player of a game (`expert`), each against the next weaker one; [levels](levels.md) has people. Where all play together
(WAVE, or one player alone) the gain is the difference in wins on the same deals. Where players compete, one seat of the
player meets the weaker player on all other seats, from every seat in turn; the gain is what it wins above a fair share
of the games that somebody wins. Intervals are clustered by deal. **Bold** gains are not shown: their interval reaches 0
or less, often because about 150 s of one core are few deals."""

MADE = "<!-- Written by `make strength`: change docs/data/strength.toml instead. -->"


@dataclass(frozen=True)
class Matchup:
    """A matchup of docs/data/strength.toml."""

    game: str
    players: int
    below: str  # the weaker player
    player: str
    deals: int
    seed: int
    why: str  # printed if the player is not shown to be stronger

    @property
    def key(self) -> tuple[str, ...]:
        return (self.game, str(self.players), self.player, self.below)

    @property
    def setup(self) -> Setup:
        return setup(self.game, players=self.players)

    @property
    def title(self) -> str:
        return f"{self.game} {self.players} {self.player} against {self.below}"

    def is_current(self, row: Row | None) -> bool:
        return row is not None and (row["deals"], row["seed"]) == (str(self.deals), str(self.seed))


def matchups() -> list[Matchup]:
    spec = tomllib.loads(SPEC.read_text(encoding="utf-8"))
    return [
        Matchup(
            one["game"],
            one["players"],
            below=below,
            player=player,
            deals=deals,
            seed=spec["seed"],
            why=one.get("why", {}).get(player, ""),
        )
        for one in spec["setup"]
        for below, player, deals in one["matchups"]
    ]


def kept() -> dict[tuple[str, ...], Row]:
    return {(row["game"], row["players"], row["player"], row["below"]): row for row in read_rows(FILE)}


def strength_of(where: Setup, names: Sequence[str], deals: int, seed: int, threads: int | None = None) -> Table:
    """What players win among weaker ones, with as many deals for those that search as for others."""
    players, _ = playable(where, names)
    return play_strength(where, players, RunSpec(deals, seed, threads=threads), searched=deals)


def games_of(one: Matchup) -> int:
    """What `-n` must be, so that the player has its deals: beside quick players a search plays a twentieth."""
    searching = [is_search(player) for player in playable(one.setup, [one.below, one.player])[0]]
    return one.deals * (SLOWER if one.setup.one_sided and searching == [False, True] else 1)


def played(one: Matchup) -> Row:
    """The row of a matchup; its seconds are CPU seconds."""
    start = time.process_time()
    result = strength(one.setup, strategies=[one.below, one.player], games=games_of(one), seed=one.seed)
    matchup = result.of("win")[-1]
    assert matchup.change is not None
    row = dict(zip(COLUMNS, one.key, strict=False)) | three("win", matchup.value) | three("gain", matchup.change)
    row |= {"deals": str(matchup.value.n), "seed": str(one.seed), "digest": result.digest, "command": result.repeat()}
    row["seconds"] = f"{time.process_time() - start:.1f}"
    return row | stamp()


def play(minutes: float, only: str, quick: bool) -> None:
    order, rows = matchups(), kept()
    end = time.monotonic() + 60 * minutes
    for one in order:
        if time.monotonic() > end:
            break
        if quick and ":" in one.player:
            continue
        if one.game.startswith(only) and not one.is_current(rows.get(one.key)):
            rows[one.key] = played(one)
            write_rows(FILE, COLUMNS, (rows[each.key] for each in order if each.key in rows))
            print(one.title, verdict(rows[one.key]), rows[one.key]["seconds"], "s", flush=True)
    print(f"{sum(one.key in rows for one in order)} of {len(order)} matchups played")


def verdict(row: Row) -> str:
    """Whether the player is stronger than the one below, beyond the interval."""
    if float(row["gain_low"]) > 0:
        return "stronger"
    return "weaker" if float(row["gain_high"]) < 0 else "not shown"


def page() -> str:
    order, rows = matchups(), kept()
    there = [rows[one.key] for one in order if one.key in rows]
    lines = ["# How strong players are against each other", "", MADE, "", WHAT]
    if there:
        dates = sorted({row["played"] for row in there})
        stronger = sum(verdict(row) == "stronger" for row in there)
        seconds = sum(float(row["seconds"]) for row in there)
        lines += [
            "",
            f"Played on {' and '.join(dates)}, seed {there[0]['seed']}, {seconds:.0f} s in all. The player is shown to",
            f"be stronger in {stronger} of {len(there)} matchups; `docs/data/strength.csv` has the command of each.",
        ]
    for game in game_names():
        own = [one for one in order if one.game == game and one.key in rows]
        if own:
            note = earlier_rules(game, [rows[one.key] for one in own])
            lines += ["", f"## {load(game).title}", "", *note, *game_table(own, rows), *reasons(own, rows)]
    missing = [one.title for one in order if one.key not in rows]
    return "\n".join([*lines, "", *([f"Not played yet: {', '.join(missing)}.", ""] if missing else [])])


def game_table(own: list[Matchup], rows: dict[tuple[str, ...], Row]) -> list[str]:
    """A line per number of players, with a column per pair of players."""
    pairs = list(dict.fromkeys((one.player, one.below) for one in own))
    gains = {(one.players, one.player, one.below): gain(rows[one.key]) for one in own}
    head = ("players", *(f"{player} over {below}" for player, below in pairs))

    def parts(players: int) -> Iterator[str]:
        yield str(players)
        yield from (gains.get((players, *pair), "") for pair in pairs)

    return table(head, map(parts, dict.fromkeys(one.players for one in own)))


def gain(row: Row) -> str:
    """The gain in points with its interval; bold where the player is not shown to be stronger."""
    value, low, high = (100 * float(row[part]) for part in ("gain", "gain_low", "gain_high"))
    text = f"{value:.1f} ({low:.1f} to {high:.1f})"
    return text if verdict(row) == "stronger" else f"**{text}**"


def reasons(own: list[Matchup], rows: dict[tuple[str, ...], Row]) -> Iterator[str]:
    """Why some players are not shown to be stronger."""
    explained = [one for one in own if one.why and verdict(rows[one.key]) != "stronger"]
    if explained:
        yield ""
    for one in explained:
        players = f"{one.players} players" if one.players > 1 else "alone"
        yield f"- {players}, {one.player} against {one.below}: {one.why}"


def main() -> None:
    options = argparse.ArgumentParser(description="Play the missing matchups and write docs/method/strength.md.")
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--only", default="", help="a game")
    options.add_argument("--quick", action="store_true", help="no players that search")
    options.add_argument("--page", action="store_true", help="play nothing")
    asked = options.parse_args()
    if not asked.page:
        play(asked.minutes, asked.only, asked.quick)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
