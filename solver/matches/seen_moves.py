"""Moves as other seats see them: a secret move is shown without what only its player knows."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property

from houle.solver.errors import WorldError
from houle.solver.interface import Game, says_what_others_see
from houle.solver.language.seats import authored
from houle.solver.matches.match import Match

UNSEEN = "?"
WORLDS, FORCED = 6, 0x666F_7263  # worlds that are looked at for a forced move, and the key of the first


def seen_name(match: Match, action: int, seat: int) -> str:
    """The name of a move that is about to be made, as a seat sees it."""
    return SeenMoves(match, seat).name(action)


class SeenMoves:
    """The moves of a decision as a seat sees them. What it sees of each is found once, for all of them."""

    def __init__(self, match: Match, seat: int) -> None:
        self.match, self.seat = match, seat

    def name(self, action: int) -> str:
        """Moves that the seat cannot tell apart get the same name: of `choose 3` and `choose 40` others see
        `choose ?`."""
        if self.match.to_move() == self.seat:
            return self.match.name(action)
        label = self._labels[action]
        names = [self.match.name(other) for other, seen in self._labels.items() if seen == label]
        if len(set(names)) == 1 and hides_moves(self.match.setup.game):
            names += self._elsewhere(label, names[0])
        if len(set(names)) == 1:
            return names[0]
        words = []
        for same in zip(*(name.split() for name in names), strict=False):
            if len(set(same)) > 1:
                break
            words.append(same[0])
        return authored(self.match.setup.game, " ".join([*words, UNSEEN]))

    def _elsewhere(self, label: int, name: str) -> list[str]:
        """Another name of the move in a world that the seat may be in: the last card of a hand is forced, but
        secret."""
        for world, labels in self._worlds:
            for other, seen in labels.items():
                if seen == label and world.name(other) != name:
                    return [world.name(other)]
        return []

    @cached_property
    def _labels(self) -> dict[int, int]:
        return {action: label_of(self.match, action, self.seat) for action in self.match.moves()}

    @cached_property
    def _worlds(self) -> list[tuple[Match, dict[int, int]]]:
        """Worlds that the seat may be in, with what it sees of the moves there."""
        worlds = []
        for number in range(WORLDS):
            with suppress(WorldError):  # no world may fit
                world = self.match.imagine(self.seat, FORCED + number)
                worlds.append((world, {other: label_of(world, other, self.seat) for other in world.moves()}))
        return worlds


def hides_moves(game: Game) -> bool:
    """Whether other seats may see less of a move than its name."""
    return says_what_others_see(game) or is_derived(game)


def is_derived(game: Game) -> bool:
    """Whether what others see of a move follows from what they know after it."""
    return game.declared is not None or (game.class_view is not None and game.class_view.has_view)


def label_of(match: Match, action: int, seat: int) -> int:
    """What a seat sees of a move: what the game says, or what the seat knows after it in a declared game."""
    game = match.setup.game
    if says_what_others_see(game) or not is_derived(game):
        return match.seen(action, seat)[0]
    return match.after(action).knows(seat)
