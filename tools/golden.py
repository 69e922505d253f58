"""`make golden`: write the golden traces and the list of digests in tests/golden again.

A trace is one random game as text: each of the first moves with a digest of the state after it, then the end of the
game. So a change of rules, randomness or names shows as a readable difference in review. Seats count from 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from houle.analysis.play.trace import ending, step
from houle.solver.language.seats import from_1
from houle.solver.matches.match import Match
from houle.solver.rules import Setup, digest, game_names, load, make_setup
from tests import cases
from tests.support import digests

FOLDER = Path(__file__).parents[1] / "tests" / "golden"
SEED, GAME = 2026, 3
MOST_PLIES = 120


def setups(game: str) -> Iterator[Setup]:
    """The base game with every number of players, and every variant once."""
    for players in load(game).players:
        yield make_setup(game, players)
    for variant in load(game).variants:
        players = next(players for players, variants, _ in cases.module(game).CASES if variant in variants)
        yield make_setup(game, players, [variant])


def path(setup: Setup) -> Path:
    return FOLDER / f"{setup.ruleset.name}-{setup.players}-{'+'.join(setup.variants) or 'base'}.txt"


def trace(setup: Setup) -> str:
    match = Match(setup, SEED, GAME)
    lines = [f"{setup.ruleset.title}, {setup.players} players, seed {SEED}, game {GAME}", *board(match)]
    ply = 0
    while (seat := match.to_move()) >= 0:
        action = match.random_move()
        ply += 1
        if ply > MOST_PLIES:
            match.apply(action)
            continue
        shown_step = step(match, action, ply)
        lines.append(f"{ply:>4} seat {seat}: {shown_step.action} [{digest(shown_step.after)[:6]}]")
        lines += [f"       > {event}" for event in shown_step.events]
    lines += [f"{ply} plies", *board(match), *ending(match), json.dumps(match.result())]
    return from_1("\n".join(lines)) + "\n"


def board(match: Match) -> list[str]:
    return [line.rstrip() for line in str(match.setup.game.show(match.state, match.setup)).splitlines()]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for stale in FOLDER.glob("*.txt"):
        stale.unlink()
    for game in game_names():
        for setup in setups(game):
            path(setup).write_text(trace(setup))
            print(path(setup).name)
    digests.write()
    print(digests.FILE.name)


if __name__ == "__main__":
    main()
