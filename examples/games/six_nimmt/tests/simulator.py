"""Heads per player and round of 6 nimmt! with random players, simulated on its own: no code of houle or of the game.

Many rounds at once, an array entry each. Which card of a random hand comes when is random, so the cards are played in
the order in which they were dealt. `python simulator.py 100000 5` prints the mean over rounds and seats and half the
width of its 95% interval, for 2 to 10 players; rounds and seed are the arguments.
"""

import sys

import numpy as np

HEADS = np.ones(105, np.int64)  # by the number of the card; 0 is no card
HEADS[0] = 0
HEADS[np.arange(5, 105, 10)] = 2
HEADS[np.arange(10, 105, 10)] = 3
HEADS[np.arange(11, 105, 11)] = 5
HEADS[55] = 7


def rounds(players: int, chooses: bool, many: int, luck: np.random.Generator) -> np.ndarray:
    """The heads that each player takes: a line per round. A card that is too low takes a random row if its player
    `chooses`, or the row with the fewest heads, the first of equals."""
    deck = np.argsort(luck.random((many, 104)), axis=1) + 1
    dealt = deck[:, : 10 * players].reshape(many, 10, players)
    last = deck[:, 10 * players : 10 * players + 4].copy()  # the last card of each row
    size, load = np.ones((many, 4), np.int64), HEADS[last]  # cards and heads of each row
    taken, which = np.zeros((many, players), np.int64), np.arange(many)
    for turn in range(10):
        for seat in np.argsort(dealt[:, turn], axis=1).T:  # who has the lowest card, the next one, ...
            card = dealt[which, turn, seat]
            gap = np.where(last < card[:, None], card[:, None] - last, 1000)
            low = gap.min(axis=1) == 1000
            any_row = luck.integers(0, 4, many) if chooses else load.argmin(axis=1)
            row = np.where(low, any_row, gap.argmin(axis=1))
            takes = low | (size[which, row] == 5)
            taken[which, seat] += np.where(takes, load[which, row], 0)
            size[which, row] = np.where(takes, 0, size[which, row]) + 1
            load[which, row] = np.where(takes, 0, load[which, row]) + HEADS[card]
            last[which, row] = card
    return taken


def mean_heads(players: int, chooses: bool, many: int, seed: int) -> tuple[float, float]:
    """The mean over rounds and seats, and its standard error."""
    means = rounds(players, chooses, many, np.random.default_rng((seed, players, chooses))).mean(axis=1)
    return float(means.mean()), float(means.std(ddof=1) / many**0.5)


if __name__ == "__main__":
    for number in range(2, 11):
        for chooses in (True, False):
            mean, error = mean_heads(number, chooses, int(sys.argv[1]), int(sys.argv[2]))
            print(number, "choice" if chooses else "fewest", f"{mean:.3f} ± {1.96 * error:.3f}")
