"""Facts about a state, and scores by which real states can be told from imagined ones.

A snapshot becomes facts: which values a field has, in the whole game, at a seat, or at a place of a hand. Scores are
learned from some games and tested on others (worlds.py). There are three kinds:

- UNSEEN: facts, or two facts about the same seat or place, that real games do not have, such as a red card in a place
  that was called blue, or a hand whose lowest card is below a number that is known about it;
- SHIFTED: how much more often real games have the values of a field;
- ALIKE: what a state has in common with the other states of its group.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Entity = tuple[int, ...]  # nothing: the whole game; a seat; a seat and a place
Fact = tuple[str, Hashable]  # a field and its value
Whole = NDArray[np.int64]
Scores = NDArray[np.float64]  # groups x states of a group

UNSEEN, SHIFTED, ALIKE = "unseen", "shifted", "alike"
ALL_CARDS, OWN, HERE = "cards in all", "own", " here"
LEVELS = 3  # sizes of entities
MOST_VALUES = 160  # of a field in pairs: the most frequent ones
EXPECTED = 4.0  # a pair that never occurs is striking if so many were expected
BESIDE = (0, 0)  # makes the entity of a seat one that is in no pairs
LOWEST, HIGHEST, TOTAL = "lowest", "highest", "total"
BELOW, EQUAL, ABOVE = "below", "equal", "above"
INSIDE, OUTSIDE, THIS, OTHER = "inside", "not inside", "this seat", "another seat"
WIDE = 40  # a number with more different values is also read bit by bit


@dataclass(frozen=True)
class ListShape:
    """Which lists have an entry for each seat, and which of those have an entry for each place of a hand."""

    by_seat: frozenset[str]
    by_place: frozenset[str]
    seats: frozenset[str] = frozenset()  # single numbers that may be seats; -1 stands for none

    @classmethod
    def of(cls, snapshots: Iterable[tuple[Mapping[str, Any], int]]) -> ListShape:
        """The shape of snapshots, each given with the number of players. A number below it may be a seat.

        Places of a hand mean something if another list always has as many entries for each seat; otherwise the order
        of a list may be of no importance, and only its values count.
        """
        seats, marks, lengths = dict[str, bool](), dict[str, bool](), defaultdict[str, list[Any]](list)
        for snapshot, players in snapshots:
            for name, value in snapshot.items():
                marks[name] = marks.get(name, True) and type(value) is int and -1 <= value < players
                fits = isinstance(value, list | tuple) and len(value) == players
                nested = fits and all(isinstance(one, list | tuple) for one in value)
                seats[name] = seats.get(name, True) and fits
                lengths[name].append(tuple(map(len, value)) if nested else None)
        rows = {name: tuple(found) for name, found in lengths.items() if seats[name] and None not in found}
        times = Counter(rows.values())
        return cls(
            frozenset(name for name, fits in seats.items() if fits),
            frozenset(name for name, found in rows.items() if times[found] > 1),
            frozenset(name for name, fits in marks.items() if fits),
        )


def facts_of(snapshot: Mapping[str, Any], seat: int, shape: ListShape) -> list[tuple[Entity, Fact]]:
    """The facts of a snapshot, each with what it is about; also which entities belong to `seat`."""
    facts, copies = list[tuple[Entity, Fact]](), Counter[Hashable]()
    for name, value in snapshot.items():
        if name in shape.by_seat:
            for owner, one in enumerate(value):
                _read(facts, copies, one, name, entity=(owner,), places=name in shape.by_place)
        else:
            _read(facts, copies, value, name, entity=(), places=False)
    entities = sorted({entity for entity, _ in facts if entity})
    facts += [(entity, (OWN, entity[0] == seat)) for entity in entities]
    marks = [(name, snapshot[name]) for name in shape.seats & snapshot.keys()]
    facts += [(one, (f"{name} is", THIS if one[0] == mark else OTHER)) for name, mark in marks for one in entities]
    facts += _comparisons(snapshot, shape)
    facts += _inside(snapshot, shape)
    return facts + [((), (ALL_CARDS, pair)) for pair in copies.items()]


def _comparisons(snapshot: Mapping[str, Any], shape: ListShape) -> Iterator[tuple[Entity, Fact]]:
    """How the lowest and highest number of each hand, and their sum, lie beside every single number.

    Values themselves come together too seldom to show that a hand is above a number. These facts are in no pairs.
    """
    single = {name: value for name, value in snapshot.items() if type(value) is int}
    by_seat = {name: snapshot[name] for name in shape.by_seat if name in snapshot}
    for name, hands in by_seat.items():
        for owner, hand in enumerate(hands):
            if not isinstance(hand, list | tuple) or not hand or any(type(card) is not int for card in hand):
                continue
            own = {other: rows[owner] for other, rows in by_seat.items() if type(rows[owner]) is int}
            for word, amount in ((LOWEST, min(hand)), (HIGHEST, max(hand)), (TOTAL, sum(hand))):
                for other, number in (single | own).items():
                    lies = BELOW if amount < number else ABOVE if amount > number else EQUAL
                    yield (owner, *BESIDE), (f"{word} {name} beside {other}", lies)


def _inside(snapshot: Mapping[str, Any], shape: ListShape) -> Iterator[tuple[Entity, Fact]]:
    """Whether the cards in one list of a seat are all in another one: cards that were shown are in the hand."""
    for name, other in permutations(shape.by_seat & snapshot.keys(), 2):
        for owner, both in enumerate(zip(snapshot[name], snapshot[other], strict=True)):
            if all(isinstance(one, list | tuple | frozenset) and all(map(_is_card, one)) for one in both) and both[0]:
                yield (owner, *BESIDE), (f"{name} beside {other}", INSIDE if {*both[0]} <= {*both[1]} else OUTSIDE)


def _read(
    facts: list[tuple[Entity, Fact]], copies: Counter[Hashable], value: Any, name: str, entity: Entity, places: bool
) -> None:
    if isinstance(value, Mapping):
        for key, one in value.items():
            _read(facts, copies, one, f"{name} {key}", entity=entity, places=False)
    elif isinstance(value, set | frozenset):
        facts += [(entity, (name, one)) for one in value]
    elif isinstance(value, list | tuple):
        if all(map(_is_card, value)) and len(entity) < LEVELS - 1:
            copies.update(value)
            facts += [(entity, (name, one)) for one in dict.fromkeys(value)]
            if not places:
                return
        for number, one in enumerate(value):
            here = (*entity, number) if places else entity
            _read(facts, copies, one, f"{name}{HERE}" if places else f"{name} {number + 1}", entity=here, places=False)
    else:
        facts.append((entity, (name, value if isinstance(value, Hashable) else repr(value))))


def _is_card(value: Any) -> bool:
    """Whether a value is one card or number; so is a tuple of such values."""
    return isinstance(value, int | str | float | None) or (isinstance(value, tuple) and all(map(_is_card, value)))


@dataclass
class Book:
    """Numbers for entities and facts, in the order in which they come up."""

    entities: dict[Entity, int] = field(default_factory=dict)
    facts: dict[Fact, int] = field(default_factory=dict)

    def written(self, facts: Iterable[tuple[Entity, Fact]]) -> Whole:
        """The numbers of some facts: rows of entity and fact."""
        return np.array(
            [
                (self.entities.setdefault(entity, len(self.entities)), self.facts.setdefault(fact, len(self.facts)))
                for entity, fact in facts
            ],
            np.int64,
        ).reshape(-1, 2)


class Sample:
    """The facts of groups of states, one per row: the number of its state, what it is about, and the fact."""

    def __init__(self, groups: list[list[Whole]], book: Book) -> None:
        self.book, self.size, self.number = book, len(groups[0]), len(groups)
        states = [state for group in groups for state in group]
        self.state = np.repeat(np.arange(len(states)), [len(state) for state in states])
        self.entity, self.fact = np.concatenate(states).T
        placed = (self.state // self.size * len(book.entities) + self.entity) * len(book.facts) + self.fact
        _, where, times = np.unique(placed, return_inverse=True, return_counts=True)
        self.times = times[where]  # how many states of the group have it


class Key(NamedTuple):
    """Names a score: its kind, the size of the entities of a pair (-1: no pair), and its fields."""

    kind: str
    level: int
    fields: tuple[str, ...]


class FactModel:
    """What is learned from a sample: which facts and pairs of facts real states have, and how often."""

    def __init__(self, sample: Sample) -> None:
        self.facts = list(sample.book.facts)
        self.names = sorted({name for name, _ in self.facts})
        self.field = self._fields(sample.book)
        real = sample.state % sample.size == 0
        self.real = np.bincount(sample.fact[real], minlength=len(self.facts))
        self.worlds = np.bincount(sample.fact[~real], minlength=len(self.facts)) / max(sample.size - 1, 1)
        hidden = np.unique(self.field[sample.fact[sample.times < sample.size]])
        self.hidden = [self.names[number] for number in hidden]
        self.pairs = [UnseenPairs(self, level, sample) for level in range(LEVELS)]

    def _fields(self, book: Book) -> Whole:
        """The number of the field of each fact; that of an unknown field is one more than all."""
        number = {name: i for i, name in enumerate(self.names)}
        return np.array([number.get(name, len(number)) for name, _ in book.facts], np.int64)

    def keys(self) -> list[Key]:
        """The names of all scores."""
        single = [Key(kind, -1, (name,)) for kind in (UNSEEN, SHIFTED, ALIKE) for name in self.hidden]
        return single + [key for pairs in self.pairs for key in pairs.striking()]

    def scores(self, sample: Sample, keys: Iterable[Key]) -> dict[Key, Scores]:
        """Some scores of all states, up to what all states of a group have in common."""
        differ = sample.times < sample.size
        state, fact = sample.state[differ], sample.fact[differ]
        new = len(sample.book.facts) - len(self.facts)
        real, worlds = (np.append(counts, np.zeros(new)) for counts in (self.real, self.worlds))
        amounts = {UNSEEN: real == 0, SHIFTED: np.log((real + 2) / (worlds + 2))}
        fields, found = self._fields(sample.book)[fact], dict[Key, Scores]()
        for key in keys:
            if key.level < 0:
                of = fields == self.names.index(key.fields[0])
                amount = sample.times[differ] if key.kind == ALIKE else amounts[key.kind][fact]
                sums = np.bincount(state[of], amount[of].astype(float), sample.number * sample.size)
                found[key] = sums.astype(np.float64).reshape(sample.number, sample.size)
        for pairs in self.pairs:
            found |= pairs.scores(sample, [key for key in keys if key.level == pairs.level])
        return found


class UnseenPairs:
    """Pairs of facts about the same seat, the same place or the whole game that real states never have."""

    def __init__(self, model: FactModel, level: int, sample: Sample) -> None:
        self.level, self.hidden = level, set(model.hidden)
        sizes = self._sizes(sample.book)
        at_level = np.bincount(sample.fact[sizes[sample.entity] == level], minlength=len(model.facts))
        # What the whole game has one value of also counts for each seat.
        whole = np.bincount(sample.fact[sizes[sample.entity] == 0], minlength=len(model.facts))
        of_field = np.bincount(model.field, whole, len(model.names))
        single = of_field[model.field] == sample.number * sample.size
        self.context = single & (whole > 0) & (at_level == 0) if level == 1 else np.zeros(len(model.facts), bool)
        counts = at_level + np.where(self.context, whole, 0)
        by_field = defaultdict[str, list[int]](list)
        for number in np.argsort(-counts, kind="stable"):
            if counts[number]:
                by_field[model.facts[number][0]].append(int(number))
        self.columns, self.values = dict[str, slice](), list[Fact]()
        self.column = np.full(len(model.facts), -1)
        self.bits = list[tuple[int, int, Whole]]()  # a bit, its first column, and its value in every fact (-1: none)
        for name, numbers in sorted(by_field.items()):
            values = [model.facts[number][1] for number in numbers]
            start, kept = len(self.values), numbers[:MOST_VALUES]
            self.column[kept] = range(start, start + len(kept))
            self.values += [model.facts[number] for number in kept]
            self.columns[name] = slice(start, len(self.values))
            if len(values) > WIDE and all(type(value) is int and value >= 0 for value in values):
                self._add_bits(name, numbers, np.array(values, np.uint64))
        rows, _ = self._matrix(sample, sample.state % sample.size == 0)
        alone = rows.sum(axis=0)
        self.never = (rows.T @ rows == 0) & (np.outer(alone, alone) >= EXPECTED * max(len(rows), 1))

    def _add_bits(self, name: str, numbers: list[int], values: NDArray[np.uint64]) -> None:
        start = len(self.values)
        for bit in range(int(values.max()).bit_length()):
            found = np.full(len(self.column), -1)
            found[numbers] = (values >> np.uint64(bit)) & np.uint64(1)
            self.bits.append((bit, len(self.values), found))
            self.values += [(name, f"with bit {bit} {'set' if value else 'not set'}") for value in range(2)]
        self.columns[f"{name}, bit by bit"] = slice(start, len(self.values))
        self.hidden |= {f"{name}, bit by bit"} if name in self.hidden else set()

    def striking(self) -> list[Key]:
        """The names of the pairs of fields some of whose values never come together."""
        fields = combinations_with_replacement(sorted(self.columns), 2)
        return [
            Key(UNSEEN, self.level, (one, other))
            for one, other in fields
            if {one, other} & self.hidden and self.never[self.columns[one], self.columns[other]].any()
        ]

    def scores(self, sample: Sample, keys: Iterable[Key]) -> dict[Key, Scores]:
        """How many such pairs each state has."""
        if not keys:
            return {}
        rows, states = self._matrix(sample)
        found = dict[Key, Scores]()
        for key in keys:
            one, other = (self.columns[name] for name in key.fields)
            hits = ((rows[:, one] @ self.never[one, other].astype(np.float32)) * rows[:, other]).sum(axis=1)
            sums = np.bincount(states, hits, sample.number * sample.size)
            found[key] = sums.astype(np.float64).reshape(sample.number, sample.size)
        return found

    def worst(self, sample: Sample, key: Key) -> tuple[Fact, Fact]:
        """The pair that worlds have most often."""
        rows, _ = self._matrix(sample, sample.state % sample.size > 0)
        one, other = (self.columns[name] for name in key.fields)
        hits = (rows[:, one].T @ rows[:, other]) * self.never[one, other]
        first, second = np.unravel_index(int(hits.argmax()), hits.shape)
        return self.values[one.start + int(first)], self.values[other.start + int(second)]

    @staticmethod
    def _sizes(book: Book) -> Whole:
        return np.array([len(entity) for entity in book.entities], np.int64)

    def _matrix(self, sample: Sample, among: NDArray[np.bool_] | None = None) -> tuple[NDArray[np.float32], Whole]:
        """A row for every entity with 1 for each of its facts, and the number of the state of each row."""
        known = sample.fact < len(self.column)  # others came up after learning
        known = known if among is None else known & among
        state, entity, fact = sample.state[known], sample.entity[known], sample.fact[known]
        here = self._sizes(sample.book)[entity] == self.level
        codes, row = np.unique(state[here] * len(sample.book.entities) + entity[here], return_inverse=True)
        states = codes // len(sample.book.entities)
        matrix = np.zeros((len(codes), len(self.values)), np.float32)
        column = self.column[fact[here]]
        matrix[row[column >= 0], column[column >= 0]] = 1
        for _, start, found in self.bits:
            value = found[fact[here]]
            matrix[row[value >= 0], start + value[value >= 0]] = 1
        whole = self.context[fact]
        shared = np.zeros((sample.number * sample.size, len(self.values)), np.float32)
        if whole.any():
            kept = self.column[fact[whole]] >= 0
            shared[state[whole][kept], self.column[fact[whole]][kept]] = 1
            matrix += shared[states]
        return matrix, states


def chance(scores: Scores, higher: bool) -> float:
    """A bound on the chance that the real states, the first of each group, score so high (or low) by luck.

    Where the states of a group are exchangeable, the real one is equally likely to have any of its scores. This is
    Chernoff's bound on the sum of such draws. It holds for any scores and any number of groups.
    """
    off = (scores - scores.mean(axis=1, keepdims=True)) * (1 if higher else -1)
    off = off[np.abs(off).max(axis=1) > 0]
    if not len(off):
        return 1.0
    steps = np.geomspace(0.01, 30, 60)[:, None, None] / np.abs(off).max()
    logs = np.log(np.exp(steps * off).mean(axis=2)).sum(axis=1) - steps[:, 0, 0] * off[:, 0].sum()
    return min(1.0, float(np.exp(logs.min())))
