"""VAGUE & ATTAQUE: throws the dice of a duel again, because the state keeps only their result.

The throws of a duel are the first chance events of their turn: `duel.py` throws for the attacker, then for the
defender. The mixer is that of `streams.py` with Python integers, so nothing is compiled.
"""

from __future__ import annotations

from houle.solver.cards.streams import FOLD, STEP
from houle.solver.games.vague_attaque.piles import TURN

WORD = 2**64


def draw_below(stream: int, n: int) -> int:
    """The same number that `streams.below` gives at a stream's position."""
    other = stream ^ int(FOLD)
    product = stream * other
    mixed = (product >> 64) ^ (product % WORD)
    return (mixed >> 32) * n >> 32


def throws(chance: int, turn: int, number: int, faces: int) -> list[tuple[int, int]]:
    """The results of the attacker's and the defender's dice for each throw of a turn."""
    first = turn << int(TURN)
    dice = [draw_below((chance + (first + i) * int(STEP)) % WORD, faces) + 1 for i in range(2 * number)]
    return list(zip(dice[::2], dice[1::2], strict=True))


def verdict(thrown: list[tuple[int, int]], bonus: int) -> str:
    """won, lost or tied for the attacker: a single throw decides; of three throws two are needed."""
    won = sum(mine + bonus > theirs for mine, theirs in thrown)
    lost = sum(mine + bonus < theirs for mine, theirs in thrown)
    needed = 1 if len(thrown) == 1 else 2
    return "lost" if lost >= needed else "won" if won >= needed else "tied"
