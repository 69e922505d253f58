"""Heads per player and round of 6 nimmt! with random players, simulated on its own: no code of houle or of the game.

`python simulator.py 10000` prints the mean and its standard error for 2 to 10 players.
"""

import random
import statistics
import sys

VALUE = {n: 1 + (n % 5 == 0) + 2 * (n % 10 == 0) - (n % 10 == 0) + 4 * (n % 11 == 0) for n in range(1, 105)}
VALUE[55] = 7


def one_round(players: int, choose: bool, luck: random.Random) -> list[int]:
    """The heads that each player takes in one round; without `choose`, too low cards take the fewest heads."""
    deck = luck.sample(range(1, 105), 10 * players + 4)
    rows = [[deck.pop()] for _ in range(4)]
    points = [0] * players
    for turn in range(10):  # a random hand in random order: which card comes when is random anyway
        played = sorted((deck[10 * seat + turn], seat) for seat in range(players))
        for card, seat in played:
            gaps = [card - row[-1] if row[-1] < card else 1000 for row in rows]
            at = gaps.index(min(gaps))
            too_low = gaps[at] == 1000
            if too_low:
                sums = [sum(VALUE[c] for c in row) for row in rows]
                at = luck.randrange(4) if choose else sums.index(min(sums))
            if too_low or len(rows[at]) == 5:
                points[seat] += sum(VALUE[c] for c in rows[at])
                rows[at] = []
            rows[at].append(card)
    return points


def mean_heads(players: int, choose: bool, rounds: int, seed: int) -> tuple[float, float]:
    """The mean over rounds and seats, and its standard error."""
    luck = random.Random(seed)
    means = [statistics.fmean(one_round(players, choose, luck)) for _ in range(rounds)]
    return statistics.fmean(means), statistics.stdev(means) / rounds**0.5


if __name__ == "__main__":
    for number in range(2, 11):
        for choose in (True, False):
            print(number, "choice" if choose else "fewest", *mean_heads(number, choose, int(sys.argv[1]), 1))
