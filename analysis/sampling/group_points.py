"""Arms of groups of people, played also at each of the points that stand for what is not known about a group.

`estimate` and `difference` (measures.py) then have the uncertainty of the group, not only the luck of the games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle

from houle.analysis.players.groups import Group
from houle.analysis.players.named_players import strategy_of
from houle.analysis.players.plane import DRAWN
from houle.analysis.players.read_players import group_of
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired_arms import PlayedArms, play_arms
from houle.solver.errors import InputError
from houle.solver.players.names import parse
from houle.solver.players.player import seat

LEAST_GAMES = 50  # at each point of a group
STRIDES = (1, 7, 3, 9, 11, 13, 17, 19)  # without a factor of DRAWN: several groups are not at their weakest together


def games_per_point(games: int) -> int:
    """How many games each point of a group plays, when a player plays `games`."""
    return max(games // DRAWN, min(LEAST_GAMES, games))


def groups_in(arms: Sequence[Arm]) -> dict[str, Group]:
    """The groups of people among the players, by name."""
    players = (strategy for arm in arms for strategy in arm.line_up.strategies)
    return {strategy.text: group for strategy in players if (group := group_of(strategy))}


def at_points(played: PlayedArms, spec: RunSpec, pairs: bool = True) -> PlayedArms:
    """The same, with every arm also played at the points of the groups of people, by as many games together."""
    found = groups_in(played.arms)
    if not found or played.interrupted:
        return played
    parts = []
    for number in range(DRAWN):
        part = play_arms([_at(arm, found, number) for arm in played.arms], _few(spec, played), pairs)
        if part.interrupted:
            return replace(played, counts=(), asked=played.asked + 1)  # as after Ctrl-C before: not all was played
        parts.append(part)
    return replace(played, points=tuple(parts), seconds=played.seconds + sum(part.seconds for part in parts))


def _few(spec: RunSpec, played: PlayedArms) -> RunSpec:
    return spec.part(games_per_point(min(played.tally(arm).games for arm in range(len(played.arms)))))


def _at(arm: Arm, found: dict[str, Group], number: int) -> Arm:
    """An arm with every group at one of its points; of the second group it is another one than of the first."""
    strides = dict(zip(found, cycle(STRIDES), strict=False))
    players = []
    for strategy in arm.line_up.strategies:
        if strategy.text in found:
            points, turn = found[strategy.text].points, number * strides[strategy.text]
            players.append(parse(strategy_of(*points[turn % len(points)])).called(strategy.text))
        else:
            players.append(strategy)
    return replace(arm, line_up=seat(arm.setup, players))


def refuse_groups(arms: Sequence[Arm], what: str) -> None:
    """Raises InputError if a group of people plays where games decide when to stop."""
    for name in groups_in(arms):
        raise InputError(f"{what}: not possible for {name}: more games do not tell more about a group; give -n instead")
