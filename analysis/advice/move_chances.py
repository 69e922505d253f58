"""`houle.move_chances`: how likely a player makes each move at positions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from houle.analysis.advice.positions import Position, read_position
from houle.analysis.arguments import checked
from houle.analysis.limits import SEED, check_int
from houle.analysis.run_options import Progress
from houle.analysis.sampling.move_chances import MoveChances, chances_at
from houle.solver.errors import InputError
from houle.solver.matches.match import Match

REPEATS = 200
MOST_REPEATS = 1_000_000
FLOOR = 0.01


@checked
def move_chances(
    positions: Match | Position | str | Iterable[Match | Position | str],
    strategy: str = "thumb",
    *,
    repeats: int = REPEATS,
    floor: float = FLOOR,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[MoveChances]:
    """Say how likely a player makes each move, at one position or at many positions of one setup.

    Parameters
    ----------
    positions : Match, Position or str, or iterable of them
        Where the player decides: matches, positions, or positions as text.
    strategy : str
        The player, as after `-s`.
    repeats : int
        Decisions with fresh luck at each position, for players whose chances are not exact. Chances of random play, and
        of a thumb without lapses, are exact.
    floor : float
        Share of an even choice among all moves that is mixed in, the same for all players; 0 for none.
    seed : int
        Chooses the luck of repeated decisions.
    progress : callable, optional
        Called as `progress(positions, seconds)`.

    Returns
    -------
    list of MoveChances
        One for each position: `moves`, their `chances` and standard `errors`, and `of(move)`.

    Examples
    --------
    >>> import houle
    >>> match = houle.Match("wave", players=3, seed=7)
    >>> [here] = houle.move_chances(match, "thumb[temperature=300]")
    >>> here.moves[0], round(float(sum(here.chances)), 9)
    ('play red 4', 1.0)
    """
    check_int("repeats", repeats, 1, MOST_REPEATS)
    if not 0 <= floor <= 1:
        raise InputError(f"floor: {floor:g} is not allowed; allowed: a number from 0 to 1")
    one = isinstance(positions, Match | Position | str)
    given: list[Any] = [positions] if one else list(positions) if isinstance(positions, Iterable) else [None]
    if not all(isinstance(each, Match | Position | str) for each in given):
        raise InputError("positions: this is no position; allowed: matches, positions, or positions as text")
    matches = [one if isinstance(one, Match) else _match(one) for one in given]
    for number, match in enumerate(matches, 1):
        if match.setup.digest != matches[0].setup.digest:
            raise InputError(f"positions: position {number} has another setup than the first; allowed: one setup")
        if match.to_move() < 0:
            raise InputError(f"positions: position {number}: the game is over, nobody is to move")
    return chances_at(matches, strategy, repeats, floor, seed, threads, progress)


def _match(given: Position | str) -> Match:
    return (read_position(given) if isinstance(given, str) else given).match()
