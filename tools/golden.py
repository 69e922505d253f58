"""Golden traces: one random game of every table and variant, kept as text; `make golden` writes them anew, with the
list of digests.

A trace tells every move of the first plies with a digest of the state after it and what it brought about, then how the
game ended. A change of rules, luck or names shows up as a readable difference in review. Seats count from 1, as in all
that people read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from houle.analysis.advice.trace import ending, step
from houle.analysis.result import shown_side
from houle.solver.match import Match
from houle.solver.ruleset import Setup, digest, game_names, load, make_setup
from tests import cases
from tests.support import digests

FOLDER = Path(__file__).parents[1] / "golden"
SEED, GAME = 2026, 3
MOST_PLIES = 120


def tables(game: str) -> Iterator[Setup]:
    """Every number of players in the base game, and every variant at the first table its cases play it at."""
    for players in load(game).players:
        yield make_setup(game, players)
    for variant in load(game).variants:
        players = next(players for players, variants, _ in cases.module(game).CASES if variant in variants)
        yield make_setup(game, players, [variant])


def path(setup: Setup) -> Path:
    return FOLDER / f"{setup.ruleset.name}-{setup.players}-{'+'.join(setup.variants) or 'base'}.txt"


def trace(setup: Setup) -> str:
    match = Match(setup, SEED, GAME)
    lines = [f"{setup.ruleset.title}, {setup.players} players, seed {SEED}, game {GAME}", *shown(match)]
    ply = 0
    while (seat := match.to_move()) >= 0:
        action = match.random_move()
        ply += 1
        if ply > MOST_PLIES:
            match.apply(action)
            continue
        told = step(match, action, ply)
        lines.append(f"{ply:>4} seat {seat}: {told.action} [{digest(told.after)[:6]}]")
        lines += [f"       > {event}" for event in told.events]
    lines += [f"{ply} plies", *shown(match), *ending(match), json.dumps(match.result())]
    return shown_side("\n".join(lines)) + "\n"


def shown(match: Match) -> list[str]:
    return [line.rstrip() for line in str(match.setup.game.show(match.state, match.setup)).splitlines()]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for stale in FOLDER.glob("*.txt"):
        stale.unlink()
    for game in game_names():
        for setup in tables(game):
            path(setup).write_text(trace(setup))
            print(path(setup).name)
    digests.write()
    print(digests.FILE.name)


if __name__ == "__main__":
    main()
