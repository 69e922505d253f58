"""Points of the bots, and how often rebuilt partners make the recorded move.

    python tests/measure.py points [games]      # each bot with itself, 2 to 5 players
    python tests/measure.py partners            # games of people who are not kept back
    python tests/measure.py fit                 # the weights of the rebuilt partners in bots.py

Weights are fitted to games of the people whose number leaves 1 when divided by 3, and measured on those who leave 2.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "hanabi"))
import bots
import people

from houle.solver.plain.random_streams import Chance, Luck, derive, game_key

PARTNERS = ("outer", "intentional", "full")


def points(name: str, players: int, games: int, seed: int = 1) -> tuple[float, float]:
    """Mean points of a bot that plays with itself, and half the width of the 95% interval; points are kept."""
    scores = []
    for number in range(games):
        key = game_key(seed, number)
        game = people.plain_class().open(players, {"keeps_points": True}, Luck(derive(key, 1)), Chance(0))
        luck = Luck(derive(key, 3))
        while game.to_move() >= 0:
            game.apply(bots.decide(bots.BOTS[name], bots.Seen.of(game), luck))
        scores.append(game.result()["scores"][0])
    mean = sum(scores) / games
    return mean, 1.96 * math.sqrt(sum((score - mean) ** 2 for score in scores) / (games - 1) / games)


def partner_moves(partner: str, groups: tuple[int, ...] = (1, 2)) -> Iterator[tuple[dict[str, Any], Any, str]]:
    """The recorded moves of a partner in games of these groups of people: game, match before the move, move.

    Group 0 is kept back.
    """
    assert 0 not in groups
    for game in people.recorded_games():
        group = int(game["person"], 16) % 3
        if game["partner"] == partner and group in groups and not people.has_changed_places(game):
            for match, move in people.replay(game):
                if move and match.to_move() == 0:
                    yield game, match, move


def fidelity(partner: str, groups: tuple[int, ...] = (1, 2)) -> tuple[int, float, float, float]:
    """Recorded moves of a partner, the mean chance that its rebuild makes them, that chance if the rebuild were exact,
    and the share of moves that it can make."""
    moves, chance, exact, possible = 0, 0.0, 0.0, 0
    for _, match, move in partner_moves(partner, groups):
        own = bots.choices(bots.BOTS[f"partner-{partner}"], bots.Seen.of(match))
        moves, exact = moves + 1, exact + 1 / len(own)
        chance, possible = chance + (move in own) / len(own), possible + (move in own)
    return moves, chance / moves, exact / moves, possible / moves


def fitted(rows: list[Any], chosen: list[int]) -> list[float]:
    """Weights of facts that make the chosen of several options most likely (a conditional logit)."""
    table = np.zeros((len(rows), max(map(len, rows)), len(rows[0][0])))
    closed = np.full(table.shape[:2], -1e9)
    for i, row in enumerate(rows):
        table[i, : len(row)], closed[i, : len(row)] = row, 0
    at, number = np.array(chosen), np.arange(len(rows))

    def loss(weights: Any) -> Any:
        rating = table @ weights + closed
        share = np.exp(rating - rating.max(1, keepdims=True))
        share /= share.sum(1, keepdims=True)
        slope = table[number, at].sum(0) - np.einsum("ij,ijk->k", share, table)
        return -np.log(share[number, at] + 1e-300).sum() + 0.01 * weights @ weights, -slope + 0.02 * weights

    return [round(float(one), 1) for one in minimize(loss, np.zeros(table.shape[2]), jac=True, method="L-BFGS-B").x]


def fit(partner: str) -> None:
    """Prints weights for the clues and the discards of a partner."""
    clues: Any = ([], [])
    discards: Any = ([], [])
    for _, match, move in partner_moves(partner, (1,)):
        seen = bots.Seen.of(match)
        first = bots.BOTS[f"partner-{partner}"][: -2 - len(bots.REST)]
        if move.startswith("play") or any(rule(seen) for rule in first):
            continue
        if move.startswith("discard"):
            discards[0].append([bots.discard_facts(seen, place) for place in range(len(seen.mine))])
            discards[1].append(int(move.split()[1]) - 1)
        names = [bots.clue(1, one) for one in seen.clue_moves(1)]
        options = {
            name: facts
            for name, one in zip(names, seen.clue_moves(1), strict=True)
            if (facts := bots.clue_facts(seen, 1, one)) is not None
        }
        if seen.clues and (move in options or move.startswith("discard")):
            clues[0].append([[0.0] * 16, *options.values()])
            clues[1].append([*options].index(move) + 1 if move in options else 0)
    print(partner, "clues", fitted(*clues))
    print(partner, "discards", fitted(*discards), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["points"]:
        games = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000
        for name in bots.BOTS:
            found = [points(name, players, games) for players in (2, 3, 4, 5)]
            print(f"| {name} |", " | ".join(f"{mean:.2f} ± {half:.2f}" for mean, half in found), "|", flush=True)
    elif sys.argv[1:2] == ["fit"]:
        fit("intentional")
        fit("full")
    else:
        for partner in PARTNERS:
            for groups in ((1,), (2,), (1, 2)):
                moves, chance, exact, possible = fidelity(partner, groups)
                print(f"| {partner} | {groups} | {moves:,} | {chance:.1%} | {exact:.1%} | {possible:.1%} |", flush=True)
