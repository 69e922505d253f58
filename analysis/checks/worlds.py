"""Check that imagined worlds are uniform: no score may tell the real state from worlds that its seat imagines.

Random games are played to one of a few plies. A seat saw the same moves in every deal that fits, but a player with more
legal moves makes each of them less often. So a game is kept with a chance in proportion to the product of the numbers
of legal moves of the others, as far as the largest product among some games. Then every deal that fits what the seat
knows is equally likely, and the real state is exchangeable with worlds drawn evenly from those deals. Where others have
just chosen in secret the seat may imagine that they still choose, so such games are not compared.

Scores (facts.py) are learned from half of the games. Those that tell real states from worlds in the other half are
tested on new games, at most ROUNDS times. A sound game fails in one of 1 / LEVEL runs at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from houle.analysis.checks.facts import (
    ALIKE,
    ALL_CARDS,
    EQUAL,
    HERE,
    SHIFTED,
    Book,
    Fact,
    FactModel,
    Key,
    ListShape,
    Sample,
    chance,
    facts_of,
)
from houle.solver.compiler.kernels import JIT
from houle.solver.invariants.errors import InvariantBroken, begin, place
from houle.solver.matches.match import Match
from houle.solver.matches.seen_moves import label_of
from houle.solver.rules import Setup

EARLIER = "earlier"  # begins the name of what a seat was shown before
LEVEL = 0.001  # false alarms per run
WORLDS = 3  # per real state
PLIES = (0, 1, 2, 3, 5, 8, 12)
BATCH = 40  # games of a setup and ply, whose products of legal moves are compared
BATCHES = {True: 20, False: 6}  # per game of `check`, with the compiler and without
CLASS_BATCHES = 12  # of a class in plain Python
ROUNDS = 2  # tests on new games; each round has twice the games of the one before
SUSPECTS, SUSPICIOUS = 6, 0.5  # scores that are tested: at most so many, and so many by luck in a sound game
JUDGED, MOST_MOVES = 3, 6  # how often a word is judged to be secret, and how many moves are compared


View = dict[str, Any]  # numbers that a seat is shown, by name


class MadeMove(NamedTuple):
    """A move: who made it, of how many legal ones, and whether others do not see which."""

    seat: int
    legal: int
    secret: bool


class RealAndImagined(NamedTuple):
    """A real match, and snapshots of it and of worlds that the seat to move imagines."""

    match: Match
    seat: int
    snapshots: list[dict[str, object]]


@dataclass
class Evidence:
    """The groups of a run, and their facts by number."""

    setups: Sequence[Setup]
    seed: int
    shape: ListShape | None = None
    games: int = 0  # so far

    def __post_init__(self) -> None:
        self.book = Book()
        self.judged, self.secret = Counter[tuple[str, ...]](), set[tuple[str, ...]]()

    def groups(self, batches: int) -> list[RealAndImagined]:
        """Groups from new games, of setups and plies in turn."""
        kinds = [(setup, ply) for ply in PLIES for setup in self.setups]
        order = np.random.default_rng(self.seed).permutation(len(kinds))
        found = list[RealAndImagined]()
        for number in range(batches):
            found += self._batch(*kinds[order[number % len(kinds)]])
        return found

    def _batch(self, setup: Setup, ply: int) -> Iterator[RealAndImagined]:
        reached = list[tuple[float, Match, View]]()
        for game in range(self.games, self.games + BATCH):
            match, made, views = Match(setup, self.seed, game), list[MadeMove](), list[list[View]]()
            match.states = np.asarray(match.states)
            while match.ply < ply and match.to_move() >= 0:
                begin(match)
                action = match.random_move()
                made.append(MadeMove(match.to_move(), len(match.moves()), self._is_secret(match, action)))
                match.apply(action)
                views.append(views_of(match))
            seat = match.to_move()
            own = max((number for number, move in enumerate(made) if move.seat == seat), default=0)
            if seat >= 0 and not any(move.secret for move in made[own:] if move.seat != seat):
                weight = sum(np.log(move.legal) for move in made if move.seat != seat)
                reached.append((weight, match, earlier([view[seat] for view in views])))
        self.games += BATCH
        most = max((weight for weight, _, _ in reached), default=0.0)
        luck = np.random.default_rng((self.seed, self.games))
        for weight, match, known in reached:
            if luck.random() < np.exp(weight - most):
                begin(match)
                seat, first = match.to_move(), self.seed * 1_000_003 + WORLDS * match.game
                worlds = [match.imagine(seat, first + number).snapshot() for number in range(WORLDS)]
                yield RealAndImagined(match, seat, [{**one, **known} for one in (match.snapshot(), *worlds)])

    def _is_secret(self, match: Match, action: int) -> bool:
        """Whether the next seat cannot tell a move from another one; judged by the first moves with the same word."""
        name, seat = match.name(action), (match.to_move() + 1) % match.setup.players
        word = match.setup.digest, *name.split()[:1]
        if self.judged[word] < JUDGED and seat != match.to_move():
            self.judged[word] += 1
            label = label_of(match, action, seat)
            others = [move for move in match.moves()[:MOST_MOVES] if match.name(move) != name]
            if any(label_of(match, move, seat) == label for move in others):
                self.secret.add(word)
        return word in self.secret

    def sample(self, groups: Sequence[RealAndImagined]) -> Sample:
        """The facts of some groups."""
        if self.shape is None:
            self.shape = ListShape.of((one, group.match.setup.players) for group in groups for one in group.snapshots)
        shape = self.shape
        written = [[self.book.written(facts_of(one, group.seat, shape)) for one in group.snapshots] for group in groups]
        return Sample(written, self.book)


def views_of(match: Match) -> list[View]:
    """What each seat of a class is shown now, as far as it is numbers; nothing for other games."""
    view, players = match.setup.game.class_view, match.setup.players
    if view is None or not view.has_view:
        return [{}] * players
    return [numbers_of(view.seen(match.state, match.setup.rules[0], seat), players) for seat in range(players)]


def numbers_of(view: Mapping[str, object], players: int) -> View:
    """The numbers of a view: single ones, and lists with a number or a list of cards for each seat."""
    found = View()
    for name, value in view.items():
        if type(value) is int:
            found[name] = value
        elif isinstance(value, list | tuple) and len(value) == players:
            if all(type(one) is int for one in value):
                found[name] = list(value)
            elif all(isinstance(one, list | tuple) and all(type(card) in (int, str) for card in one) for one in value):
                found[name] = [frozenset(one) for one in value]
    return found


def earlier(views: Sequence[View]) -> View:
    """What a seat was shown at earlier plies, beside what it is shown now: the highest numbers, and cards of a seat."""
    found = View()
    for view in views[:-1]:
        for name, value in view.items():
            before: Any = found.get(f"{EARLIER} {name}", value)
            lists = isinstance(value, list) and isinstance(before, list)
            found[f"{EARLIER} {name}"] = list(map(_together, before, value)) if lists else _together(before, value)
    return found


def _together(before: Any, now: Any) -> Any:
    """The higher number, or the cards of both; what is of two kinds counts as it was first."""
    if isinstance(before, int) and isinstance(now, int):
        return max(before, now)
    return before | now if isinstance(before, frozenset) and isinstance(now, frozenset) else before


def worlds_are_uniform(setups: Sequence[Setup], games: int, seed: int) -> int:
    """Check all setups of a game together; returns the number of worlds, 0 if nothing is hidden."""
    evidence = Evidence(setups, seed)
    batches = games * (BATCHES[JIT] if setups[0].game.class_view is None else CLASS_BATCHES)
    groups = evidence.groups(batches)
    if len(groups) < 2:
        return 0
    halves = [evidence.sample(groups[start::2]) for start in range(2)]
    model = FactModel(halves[0])
    keys = model.keys()
    found = chances(model, halves[1], keys)
    suspects = sorted((key for key in keys if found[key] < SUSPICIOUS / len(keys)), key=found.__getitem__)[:SUSPECTS]
    model = FactModel(evidence.sample(groups)) if suspects else model
    for number in range(ROUNDS if suspects else 0):
        groups = evidence.groups(batches << number)
        sample = evidence.sample(groups)
        found = chances(model, sample, suspects)
        worst = min(suspects, key=found.__getitem__)
        if found[worst] < LEVEL / ROUNDS / len(suspects):
            raise InvariantBroken(words(model, sample, worst, groups))
        if found[worst] > 0.05:
            break
    return len(groups) * WORLDS if model.hidden else 0


def chances(model: FactModel, sample: Sample, keys: Sequence[Key]) -> dict[Key, float]:
    """The chance of each score to tell real states from worlds so well by luck."""

    def of(key: Key) -> float:
        if key.kind == ALIKE:
            return min(1.0, 2 * min(chance(scores[key], True), chance(scores[key], False)))
        return chance(scores[key], key.kind == SHIFTED)

    scores = model.scores(sample, keys)
    return {key: of(key) for key in keys}


def words(model: FactModel, sample: Sample, key: Key, groups: Sequence[RealAndImagined]) -> str:
    """What is false, with a game that shows it."""
    scores = model.scores(sample, [key])[key]
    off = scores - scores[:, :1]
    shows = groups[int((-off.min(axis=1) if key.kind == SHIFTED else np.abs(off).max(axis=1)).argmax())]
    real, worlds = (scores[:, :1] > 0).sum(), (scores[:, 1:] > 0).sum()
    if key.kind == ALIKE and key.fields[0] != ALL_CARDS:
        more = "less" if scores[:, 0].mean() < scores[:, 1:].mean() else "more"
        false = f"worlds whose {key.fields[0]} have {more} in common with the real game than with each other"
        return f"{place(shows.match)}: seat {shows.seat} imagines {false}"
    if key.level >= 0:
        what = " and ".join(_named(*fact) for fact in model.pairs[key.level].worst(sample, key))
        what += (" together", " at one seat", " at one place")[key.level] + ", and the like,"
    else:
        fact, real, worlds = _farthest(model, sample, key)
        what = _named(*fact)
    counts = f"in {worlds:,} of {len(groups) * WORLDS:,} worlds, but in {real:,} of {len(groups):,} real games"
    return f"{place(shows.match)}: seat {shows.seat} imagines {what} {counts}"


def _farthest(model: FactModel, sample: Sample, key: Key) -> tuple[Fact, int, int]:
    """The value of a field that worlds have too often most, and how often real states and worlds do."""
    facts = list(sample.book.facts)
    differ, first = sample.times < sample.size, sample.state % sample.size == 0
    real = np.bincount(sample.fact[differ & first], minlength=len(facts))
    worlds = np.bincount(sample.fact[differ & ~first], minlength=len(facts))
    off = (worlds / (sample.size - 1) - real) / np.sqrt(real + worlds + 1)
    off[[fact[0] != key.fields[0] for fact in facts]] = -np.inf
    farthest = int(off.argmax())
    return facts[farthest], int(real[farthest]), int(worlds[farthest])


def _named(name: str, value: object) -> str:
    """A fact in words."""
    if name == ALL_CARDS and isinstance(value, tuple):
        return f"{value[1]} times {value[0]} among all cards"
    if " beside " in name:
        hand, _, other = name.partition(" beside ")
        return f"the {hand} {value} {other}" if value != EQUAL else f"the {hand} equal to {other}"
    return f"{name.removesuffix(HERE)} {value}"
