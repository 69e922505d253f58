"""The invariant of redealt cards: worlds do not follow cards that the seat cannot see.

A game is dealt again with one random draw changed, and its moves are made again. Where they stay legal and the seat is
shown the same at every ply, it cannot tell the two games apart, so it must imagine the same worlds in both.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from houle.solver.cards import streams
from houle.solver.compiler.kernels import JIT
from houle.solver.invariants.errors import begin, demand, difference
from houle.solver.matches.match import Match
from houle.solver.plain import random_streams
from houle.solver.rules import Setup

PLIES = (0, 3, 8)
TRIES = 60  # changed draws at a ply
ENOUGH = 6  # games found that the seat cannot tell apart
WORLDS = 4


def hidden_cards_are_imagined_anew(setup: Setup, games: int, seed: int) -> int:
    """Worlds are the same for every deal that looks the same to the seat; returns how many such deals were compared.

    It changes random draws, which is possible only without the compiler.
    """
    if JIT:
        return 0
    return sum(_compared(setup, seed, game, ply) for game in range(games) for ply in PLIES)


def _compared(setup: Setup, seed: int, game: int, ply: int) -> int:
    drawn: list[int] = []
    with changed_draws(setup, {}, drawn):
        match = Match(setup, seed, game)
    actions, shown = [], [[match.knows(seat) for seat in range(setup.players)]]
    while match.ply < ply and match.to_move() >= 0:
        begin(match)
        actions.append(match.random_move())
        match.apply(actions[-1])
        shown.append([match.knows(seat) for seat in range(setup.players)])
    seat, luck, found = match.to_move(), Random(f"{seed} {game} {ply}"), 0
    if seat < 0:
        return 0
    begin(match)
    real, worlds = match.snapshot(), _worlds(match, seat)
    draws = list(dict.fromkeys(drawn))
    for _ in range(TRIES):
        counter = luck.choice(draws)
        # Small changes exchange neighbours, where cards are counted from the lowest; large ones any two cards.
        bits = (int(streams.mix(streams.U8(counter))) + (luck.choice((-1, 1)) << luck.randint(56, 63))) % 2**64
        with changed_draws(setup, {counter: bits}):
            other = Match(setup, seed, game)
            if not _looks_the_same(other, actions, shown, seat) or (twin := other.snapshot()) == real:
                continue
            found += 1
            for key, (one, two) in enumerate(zip(worlds, _worlds(other, seat), strict=True)):
                demand(one == two, match, _words(setup, seat, real, twin, one, two, key))
        if found == ENOUGH:
            break
    return found


def _worlds(match: Match, seat: int) -> list[dict[str, Any]]:
    return [match.imagine(seat, key).snapshot() for key in range(WORLDS)]


def _looks_the_same(match: Match, actions: list[int], shown: list[list[int]], seat: int) -> bool:
    """Makes the moves as far as they are legal and the seat is shown what it was shown in the real game."""
    for action, labels in zip([*actions, None], shown, strict=True):
        if match.knows(seat) != labels[seat]:
            return False
        if action is not None:
            if action not in match.moves():
                return False
            match.apply(action)
    return match.to_move() == seat


def _words(setup: Setup, seat: int, real: Any, twin: Any, one: Any, two: Any, key: int) -> str:
    who = "imagine()" if setup.game.plain is not None else "determinize"
    for name in real:
        if real[name] != twin[name] and one[name] == real[name] and two[name] == twin[name]:
            kept = f"{who} keeps {name} in world {key}, but seat {seat} cannot see it"
            return f"{kept}: it is shown the same if {name} {difference(real[name], twin[name])}"
    return f"{who} makes another world {key} of seat {seat} if only cards that it cannot see differ: {difference(one, two)}"


@contextmanager
def changed_draws(setup: Setup, changes: dict[int, int], drawn: list[int] | None = None) -> Iterator[None]:
    """Replaces the random bits at some positions of streams, and notes all positions that are drawn from."""
    kernel, plain, table = streams.mix, random_streams.mix, setup.game.plain

    def of_kernel(counter: Any) -> Any:
        if drawn is not None:
            drawn.append(int(counter))
        return streams.U8(changes[int(counter)]) if int(counter) in changes else kernel(counter)

    def of_class(counter: int) -> int:
        if drawn is not None:
            drawn.append(counter)
        return changes[counter] if counter in changes else plain(counter)

    def forget() -> None:
        """Objects of a class are kept by the keys of their luck, which do not tell changed draws."""
        for kept in (table.live, table.frozen, table.missed) if table is not None else ():
            kept.clear()

    forget()
    streams.mix, random_streams.mix = of_kernel, of_class
    try:
        yield
    finally:
        streams.mix, random_streams.mix = kernel, plain
        forget()
