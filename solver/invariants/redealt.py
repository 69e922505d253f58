"""The invariant of redealt cards: worlds and players do not follow cards that the seat cannot see.

A game is dealt again with one random draw changed, and its moves are made again; or another seat makes one other move.
Where all moves stay legal and the seat is shown the same at every ply, it cannot tell the two games apart, so it must
imagine the same worlds in both, and rules of thumb and named players must make the same move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from random import Random
from typing import Any, NamedTuple

from houle.solver.cards import streams
from houle.solver.cards.bits import U8
from houle.solver.compiler.kernels import JIT
from houle.solver.invariants.errors import begin, demand, difference
from houle.solver.invariants.knowledge import Decider
from houle.solver.matches.match import Match
from houle.solver.plain import random_streams
from houle.solver.plain.as_game import PlainTable
from houle.solver.plain.separate import leaves
from houle.solver.players.player import named_in, seat_strategies, weights_of
from houle.solver.rules import Setup

PLIES = (0, 1, 3, 8)
TRIES = 60  # changed draws at a ply
CHOICES = 12  # changed moves at a ply; those that the seat sees cost no world
ENOUGH = 10  # games found that the seat cannot tell apart, by draws and by moves
WORLDS = 4
FIRST_KEY = 1 << 40  # of worlds: no seed, whose draws are changed
UNSEEN = "it uses what its seat does not see"
PLAYED_ON = 24  # plies of two worlds that are compared


class Fault(NamedTuple):
    """Worlds that follow hidden cards, and whether the words say which value is kept."""

    match: Match
    names_the_value: bool
    words: str


class Decision(NamedTuple):
    """A decision of a real game, how it came about, and worlds that its seat imagines."""

    match: Match
    actions: list[int]
    shown: list[list[int]]  # what each seat knew at each ply
    real: dict[str, Any]
    everything: dict[str, Any]  # what the snapshot of a class may leave out
    worlds: list[dict[str, Any]]
    decided: dict[str, tuple[int, str]]  # the move of each player


Change = tuple[dict[int, int], list[int]]  # random bits by their position, and all moves
Told = tuple[dict[str, Any], list[dict[str, Any]]]  # a real state and worlds that a seat imagines in it


def hidden_cards_are_imagined_anew(setup: Setup, games: int, seed: int) -> int:
    """Worlds are the same for every deal that looks the same to the seat; returns how many such deals were compared.

    It changes random draws, which is possible only without the compiler. A class needs `view` and `imagine`.
    """
    view = setup.game.class_view
    if JIT or (view is not None and not (view.has_view and hasattr(view.made, "imagine"))):
        return 0
    checked, players = 0, players_of(setup)
    for game in range(games):
        faults: list[Fault] = []
        checked += sum(_compared(setup, seed, game, ply, players=players, faults=faults) for ply in PLIES)
        for fault in sorted(faults, key=lambda fault: not fault.names_the_value):
            demand(False, fault.match, fault.words)
    return checked


def has_thumb(setup: Setup) -> bool:
    """Whether a thumb can play the game: it has rules of thumb and weights for them; a plain class needs no weights."""
    return setup.game.has("features") and (not setup.game.is_compiled or bool(weights_of(setup.ruleset.name)))


def players_of(setup: Setup) -> dict[str, Decider]:
    """The players who decide by themselves: rules of thumb, and the named players of a class."""
    texts = {"thumb": "thumb"} if has_thumb(setup) else {}
    texts |= {name: f"thumb[weights={name}]" for name in named_in(setup)}
    return {name: Decider(seat_strategies(setup, [text])) for name, text in texts.items()}


def _compared(setup: Setup, seed: int, game: int, ply: int, players: Mapping[str, Decider], faults: list[Fault]) -> int:
    """Compares one decision with those in games that look the same; returns how many such games it found."""
    drawn: list[int] = []
    with changed_draws(setup, {}, drawn):
        match = Match(setup, seed, game)
    actions, shown = list[int](), [[match.knows(seat) for seat in range(setup.players)]]
    movers, legal = list[int](), list[list[int]]()
    while match.ply < ply and match.to_move() >= 0:
        begin(match)
        movers.append(match.to_move())
        legal.append(match.moves())
        actions.append(match.random_move())
        with nullcontext() if setup.game.class_view is None else changed_draws(setup, {}, drawn):
            match.apply(actions[-1])
        shown.append([match.knows(seat) for seat in range(setup.players)])
    if (seat := match.to_move()) < 0:
        return 0
    luck = Random(f"{seed} {game} {ply}")
    begin(match)
    decided = _decided(match, players)  # first: worlds may change what a player looks at outside the game
    decision = Decision(
        match=match,
        actions=actions,
        shown=shown,
        real=match.snapshot(),
        everything=_all_of(match),
        worlds=_worlds(match, seat),
        decided=decided,
    )
    by_draws = _twins(decision, _other_draws(list(dict.fromkeys(drawn)), actions, luck), players, faults)
    return by_draws + _twins(decision, _other_moves(decision, movers, legal, luck), players, faults)


def _decided(match: Match, players: Mapping[str, Decider]) -> dict[str, tuple[int, str]]:
    """What each player does: the kind of move that its seat sees, and its name."""
    moves = {name: player.decide(match, match.ply) for name, player in players.items()}
    return {name: (match.seen(move, match.to_move())[1], match.name(move)) for name, move in moves.items()}


def _other_draws(draws: list[int], actions: list[int], luck: Random) -> Iterator[Change]:
    """The same moves after another deal."""
    luck.shuffle(draws)
    for number in range(TRIES):
        counter = draws[number % len(draws)]
        # Small changes exchange neighbours, where cards are counted from the lowest; large ones any two cards.
        bits = (int(streams.mix(U8(counter))) + (luck.choice((-1, 1)) << luck.randint(56, 63))) % 2**64
        yield {counter: bits}, actions


def _other_moves(decision: Decision, movers: list[int], legal: list[list[int]], luck: Random) -> Iterator[Change]:
    """The same deal with one other move of another seat. The latest come first: they may be secret still."""
    tried, seat = 0, decision.match.to_move()
    for at in reversed(range(len(movers))):
        others = [action for action in legal[at] if action != decision.actions[at] and movers[at] != seat]
        for action in luck.sample(others, min(len(others), CHOICES - tried)):
            tried += 1
            yield {}, [*decision.actions[:at], action, *decision.actions[at + 1 :]]


def _twins(decision: Decision, changes: Iterable[Change], players: Mapping[str, Decider], faults: list[Fault]) -> int:
    """Compares games with one change that the seat does not notice; returns how many such games it found."""
    match, twins, stories = decision.match, 0, dict[int, list[Any]]()
    setup, seat = match.setup, match.to_move()
    for draws, actions in changes:
        with changed_draws(setup, draws):
            other = Match(setup, match.seed, match.game)
            if not _looks_the_same(other, actions, decision.shown, seat):
                continue
            if (twin := other.snapshot()) == decision.real and _all_of(other) == decision.everything:
                continue
            other.states["choice"] = match.states["choice"]
            for player, (kind, move) in _decided(other, players).items():
                if kind != decision.decided[player][0]:
                    plays = f"{player} in seat {seat} plays {decision.decided[player][1]!r}, and {move!r} in a game"
                    faults.append(Fault(match, False, f"{plays} that looks the same to it: {UNSEEN}"))
            others = _worlds(other, seat)
            # The snapshot of a class may leave out what its worlds keep, so they are played on even if it is the same.
            usual = -1 if setup.game.class_view is None else twins % WORLDS
            key = next((key for key in range(WORLDS) if others[key] != decision.worlds[key]), usual)
            story = _story(other.imagine(seat, FIRST_KEY + key)) if key >= 0 else []
        twins += 1
        if key >= 0 and key not in stories:
            stories[key] = _story(match.imagine(seat, FIRST_KEY + key))
        if key >= 0 and stories[key] != story:
            words = _words(setup, seat, (decision.real, decision.worlds), (twin, others))
            faults.append(Fault(match, *words))
        if twins == ENOUGH:
            break
    return twins


def _all_of(match: Match) -> dict[str, Any]:
    """Every value of an object of a class."""
    table = match.setup.game.class_view
    return leaves(table.look(match.state, match.setup.rules[0]).played) if isinstance(table, PlainTable) else {}


def _worlds(match: Match, seat: int) -> list[dict[str, Any]]:
    return [match.imagine(seat, FIRST_KEY + key).snapshot() for key in range(WORLDS)]


def _story(world: Match) -> list[Any]:
    """What all seats are shown in a world that is played on; the same for cards that nobody can ever tell apart."""
    story, luck = list[Any](), Random(world.ply)
    while world.to_move() >= 0 and len(story) < PLAYED_ON:
        moves = {world.name(action): action for action in world.moves()}
        name = luck.choice(sorted(moves))
        story.append(([world.knows(seat) for seat in range(world.setup.players)], sorted(moves), name))
        world.apply(moves[name])
    return story


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


def _words(setup: Setup, seat: int, real: Told, twin: Told) -> tuple[bool, str]:
    """What is false; whether it says which value is kept, which helps more than where worlds differ."""
    who = "imagine()" if setup.game.class_view is not None else "determinize"
    here, there = _leaves(real[0]), _leaves(twin[0])
    one, two = map(_leaves, real[1]), map(_leaves, twin[1])
    worlds = list(zip(one, two, strict=True))
    for place in here:
        if here[place] != there.get(place) and all(
            mine.get(place) == here[place] and other.get(place) == there.get(place) for mine, other in worlds
        ):
            kept = f"{who} keeps {place} in all of {WORLDS} worlds, but seat {seat} does not see it"
            return True, f"{kept}: it is shown the same if {place} is {here[place]!r} and {there.get(place)!r}"
    differences = (difference(mine, other) for mine, other in zip(real[1], twin[1], strict=True) if mine != other)
    differs = next(differences, "the snapshot is the same, but it is played on differently")
    return False, f"{who} makes another world of seat {seat} if only cards that it does not see differ: {differs}"


def _leaves(value: Any, name: str = "") -> dict[str, Any]:
    """The single values in a snapshot, by where they are; the order of a set does not matter."""
    if isinstance(value, Mapping):
        parts = [(f"{name} {key}".strip(), one) for key, one in value.items()]
    elif isinstance(value, list | tuple):
        parts = [(f"{name}[{number}]", one) for number, one in enumerate(value)]
    else:
        return {name: sorted(map(repr, value)) if isinstance(value, set | frozenset) else value}
    return {place: one for part, inner in parts for place, one in _leaves(inner, part).items()}


@contextmanager
def changed_draws(setup: Setup, changes: dict[int, int], drawn: list[int] | None = None) -> Iterator[None]:
    """Replaces the random bits at some positions of streams, and notes all positions that are drawn from."""
    kernel, plain = streams.mix, random_streams.mix
    objects: Any = setup.game.class_view  # of a class; they are kept by the keys of their luck

    def of_kernel(counter: Any) -> Any:
        if drawn is not None:
            drawn.append(int(counter))
        return U8(changes[int(counter)]) if int(counter) in changes else kernel(counter)

    def of_class(counter: int) -> int:
        if drawn is not None:
            drawn.append(counter)
        return changes[counter] if counter in changes else plain(counter)

    if objects is not None:
        objects.forget()
    streams.mix, random_streams.mix = of_kernel, of_class
    try:
        yield
    finally:
        streams.mix, random_streams.mix = kernel, plain
        if objects is not None:
            objects.forget()
