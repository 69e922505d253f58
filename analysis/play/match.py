"""A game in progress for Python: legal moves by name, push and pop, and the position as text.

    match = houle.Match("wave", players=3, seed=7)
    match.push(match.legal_moves[0])
    print(match.position())
    match.pop()

Seats count from 0, as everywhere in Python; texts count them from 1.
"""

from __future__ import annotations

from typing import Any

from houle.analysis.players.line_ups import setup as make_setup
from houle.solver.errors import InputError
from houle.solver.interface import WIN
from houle.solver.matches import match as stepped
from houle.solver.matches.record.position import write_position
from houle.solver.rules import Setup, nearest


class Match(stepped.Match):
    """One game, stepped move by move. It deals the same cards as `houle trace` with the same seed and game.

    Parameters
    ----------
    game : str or Setup
        Name of a game, with `players`, `variants`, `set` and `rules` as for `houle.setup`; or a setup.
    seed, number : int
        Which deal: game `number` of this seed.

    Examples
    --------
    >>> import houle
    >>> match = houle.Match("wave", players=3, seed=7)
    >>> match.to_move()
    0
    >>> before = match.position()
    >>> match.push(match.legal_moves[0])
    >>> match.pop() in match.legal_moves
    True
    >>> match.position() == before
    True
    """

    def __init__(self, game: str | Setup, seed: int = 1, number: int = 0, **setup: Any) -> None:
        super().__init__(make_setup(game, **setup) if isinstance(game, str) else game, seed, number)
        self._earlier: list[tuple[str, stepped.Match]] = []

    @property
    def legal_moves(self) -> list[str]:
        """The names of the legal moves; empty when the game is over."""
        return [] if self.is_over else self.names()

    @property
    def is_over(self) -> bool:
        return self.to_move() < 0

    @property
    def made(self) -> list[str]:
        """The names of the moves that were pushed."""
        return [name for name, _ in self._earlier]

    def push(self, move: str) -> None:
        """Makes a legal move, by its name."""
        names = self.legal_moves
        if move not in names:
            raise InputError(f"move: {move!r} is not legal{nearest(move, names) if names else '; the game is over'}")
        self._earlier.append((move, self.copied()))
        self.apply(self.moves()[names.index(move)])

    def pop(self) -> str:
        """Takes the last pushed move back; returns its name."""
        if not self._earlier:
            raise InputError("pop: no move was pushed")
        name, before = self._earlier.pop()
        self.put_back(before)
        return name

    def position(self) -> str:
        """What the seat to move knows, as text that `houle.read_position` and `houle advise` read."""
        return write_position(self).as_text()

    def scores(self) -> list[int]:
        """The score of every side, when the game is over."""
        if not self.is_over:
            raise InputError("scores: the game is not over")
        return [int(score) for score in self.result()["scores"]]

    def shares(self) -> list[float]:
        """What every seat wins, when the game is over: 1 if its side alone wins, a part of 1 if several sides do."""
        if not self.is_over:
            raise InputError("shares: the game is not over")
        shares, sides = self.result()["shares"], self.setup.rules[0].side
        return [shares[int(sides[seat])] / WIN for seat in range(self.setup.players)]
