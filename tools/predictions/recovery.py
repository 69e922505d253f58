"""`python -m tools.predictions.recovery`: known points of the plane, placed again by the moves of their own games.

Prints a row of the table in docs/method/prediction.md for each number of games.
"""

from __future__ import annotations

import argparse

import numpy as np

import houle
from houle.analysis.players.line_ups import line_up
from houle.analysis.players.plane import in_levels, nodes, points
from houle.analysis.run_options import RunSpec
from houle.analysis.strategy.calibration import chances_of_points
from houle.analysis.strategy.recorded_moves import RecordedMoves, averaged_over_noise, likelihood_of_moves
from houle.solver.matches.match import Match
from houle.solver.rules import Setup, make_setup
from tools.predictions.__main__ import placed, recovery_row
from tools.predictions.groups import TRUTH_SEED, known_points, player_at


def played(setup: Setup, player: str, game: int) -> RecordedMoves:
    """The moves with a choice of one game of this player in all seats."""
    seated, moves, match = line_up(setup, player), RecordedMoves(games=[str(game)]), Match(setup, TRUTH_SEED, game)
    while match.to_move() >= 0:
        before = match.copied()
        action = match.decide(seated)
        if len(before.moves()) > 1:
            moves.matches.append(before)
            moves.actions.append(action)
        match.apply(action)
    return moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="wave")
    parser.add_argument("-p", "--players", type=int, default=3)
    parser.add_argument("--points", type=int, default=30)
    parser.add_argument("--games", default="1,5", help="numbers of games, as in 1,5,20")
    parser.add_argument("--look-in", help="folder of a game of your own")
    given = parser.parse_args()
    if given.look_in:
        houle.look_in(given.look_in)
    setup, numbers = make_setup(given.game, given.players), [int(word) for word in given.games.split(",")]
    rows: dict[int, list[tuple[float, ...]]] = {number: [] for number in numbers}
    for count, point in enumerate(known_points()[: given.points]):
        likelihood, noise = np.zeros(len(points())), np.zeros(len(nodes()))
        for game in range(max(numbers)):
            here = likelihood_of_moves([played(setup, player_at(point), count * 1_000 + game)], RunSpec(threads=1))
            likelihood, noise = likelihood + here[0], noise + here[1]
            if game + 1 in numbers:
                chances = chances_of_points(averaged_over_noise(likelihood, noise))
                rows[game + 1].append(placed(chances, np.array(in_levels(*point))))
        for number, found in rows.items():
            mean = np.mean(found, axis=0)
            print(recovery_row(setup.ruleset.title, f"moves, games: {number}", len(found), mean), flush=True)


if __name__ == "__main__":
    main()
