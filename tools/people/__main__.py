"""How likely houle's players make the moves of people.

    python -m tools.people FILE [-s PLAYER ...] [--repeats N] [--floor SHARE] [--seed SEED] [--people others]

FILE has games of Hanabi in the format of examples/games/hanabi/people. Each person counts once, with at most 200 moves;
first games are shown apart from later ones. Fewer nats per move are better. The people who are kept back for a test
(`person`, hexadecimal, can be divided by 3) are left out unless --people says so.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

import houle
from houle.analysis.advice.move_chances import FLOOR, REPEATS
from tools.people.games import is_kept_back, read_decisions, read_games
from tools.people.moves import nats_of, scores, table

PLAYERS = ("random", "thumb", "thumb[temperature=600]", "family")
OTHERS, KEPT_BACK, ALL = "others", "kept-back", "all"


class Shown:
    """Shows on stderr how far a part is, at most once a second."""

    def __init__(self, part: str, whole: int) -> None:
        self.part, self.whole, self.last = part, whole, 0.0

    def __call__(self, done: int, seconds: float = 0.0) -> None:
        if time.monotonic() > self.last + 1 or done == self.whole:
            self.last = time.monotonic()
            end = "\n" if done == self.whole else ""
            print(f"\r{self.part}: {done:,} of {self.whole:,}", end=end, file=sys.stderr, flush=True)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-s", "players", multiple=True, help=f"A player; several are allowed. Default: {', '.join(PLAYERS)}.")
@click.option("--repeats", default=REPEATS, show_default=True, help="Decisions that are counted per position.")
@click.option("--floor", default=FLOOR, show_default=True, help="Share of an even choice among all moves.")
@click.option("--seed", default=1, show_default=True)
@click.option("--people", default=OTHERS, show_default=True, type=click.Choice([OTHERS, KEPT_BACK, ALL]))
def main(file: Path, players: tuple[str, ...], repeats: int, floor: float, seed: int, people: str) -> None:
    """Score how likely players make the moves of people in FILE."""
    try:
        games = [game for game in read_games(file) if people == ALL or is_kept_back(game) == (people == KEPT_BACK)]
        shown = Shown("replayed games", len(games))
        decisions, left_out = read_decisions(games, file, shown)
        shown(len(games))
        if not decisions:
            raise houle.InputError(f"{file}: no move of these people; allowed: --people {OTHERS}, {KEPT_BACK} or {ALL}")
        nats = {}
        for player in dict.fromkeys(players or PLAYERS):
            nats[player] = nats_of(decisions, player, repeats, floor, seed, Shown(player, len(decisions)))
    except houle.InputError as fault:
        print(file=sys.stderr)
        raise click.ClickException(str(fault)) from None
    click.echo("\n".join(table(scores(decisions, nats, seed))))
    click.echo(f"{left_out} games against the rules left out; repeats {repeats}, floor {floor:g}, seed {seed}")


if __name__ == "__main__":
    main()
