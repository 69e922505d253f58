"""Moves as other seats see them: a secret move is shown without what only its player knows."""

from __future__ import annotations

from houle.solver.interface import Game, says_what_others_see
from houle.solver.language.seats import authored
from houle.solver.matches.match import Match

UNSEEN = "?"
WORLDS, FORCED = 6, 0x666F_7263  # worlds that are looked at for a forced move, and the key of the first


def seen_name(match: Match, action: int, seat: int) -> str:
    """The name of a move that is about to be made, as a seat sees it.

    Moves that the seat cannot tell apart get the same name: of `choose 3` and `choose 40` others see `choose ?`.
    """
    if match.to_move() == seat:
        return match.name(action)
    label = label_of(match, action, seat)
    names = [match.name(other) for other in match.moves() if other == action or label_of(match, other, seat) == label]
    if len(set(names)) == 1 and hides_moves(match.setup.game):
        names += names_elsewhere(match, seat, label, names[0])
    if len(set(names)) == 1:
        return names[0]
    words = []
    for same in zip(*(name.split() for name in names), strict=False):
        if len(set(same)) > 1:
            break
        words.append(same[0])
    return authored(match.setup.game, " ".join([*words, UNSEEN]))


def names_elsewhere(match: Match, seat: int, label: int, name: str) -> list[str]:
    """Another name of the move in a world that the seat may be in: the last card of a hand is forced, but secret."""
    for number in range(WORLDS):
        try:
            world = match.imagine(seat, FORCED + number)
        except RuntimeError:
            continue
        for other in world.moves():
            if world.name(other) != name and label_of(world, other, seat) == label:
                return [world.name(other)]
    return []


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
