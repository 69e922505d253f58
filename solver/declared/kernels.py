"""Game functions of declared games: `counts`, `determinize`, and wrappers of `apply` and `deal`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from houle.solver.cards import cardsets, rows
from houle.solver.cards.bits import ONE, U8, ZERO
from houle.solver.cards.counting import MAX_CARDS, MAX_KINDS, Groups, split
from houle.solver.cards.streams import advance, below, derive, start_world
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.records import filler
from houle.solver.compiler.types import Action, Flag, Key, Number, Numbers, Rules, Seat, State
from houle.solver.declared.fields import DeclaredField, Fields
from houle.solver.interface import defaults

Function = Callable[..., Any]

TRIES = 10_000  # deals per world until one is possible
PATIENCE = U8(200)  # misses until the ways to deal are counted
MAX_GROUPS, MAX_CELLS = 16, 1 << 14  # of different facts, and to count: where there are more, tries go on
WORLD = U8(11)  # part of a world's key, for its cards
# The luck of a deal: its random stream, whether some cards do not fit the facts, and how often they did not.
STREAM, MISFIT, MISSES = 0, 1, 2
NEVER = U8(2)  # MISFIT: no cards fit


def counting_apply(play: Function) -> Function:
    """Wraps `apply` to count moves and turns. A turn ends when another seat is to move."""

    @kernel
    def apply(state: State, rules: Rules, action: Action) -> None:
        before = state.mover
        play(state, rules, action)
        state.moves += 1
        state.turns += before != state.mover

    return apply


def clearing_deal(declared: Fields, dtype: np.dtype[Any], deal: Function) -> Function:
    """Wraps `deal` to clear all counts and declared fields of the state first."""
    counts = ("moves", "turns", *(("rounds",) if declared.rounds else ()))
    clear = filler(dtype, dict.fromkeys(counts, 0) | {name: part.empty for name, part in declared.all.items()})
    keep_facts = make_facts(declared)

    @kernel
    def deal_anew(state: State, rules: Rules) -> None:
        clear(state)
        deal(state, rules)
        keep_facts(state, rules)

    return deal_anew


@kernel
def _counts_of_rounds(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.moves
    out[1] += state.turns
    out[2] += state.rounds


@kernel
def end_of_this_round(state: State, root: State) -> Flag:
    """The `search_over` of games of several rounds."""
    return state.mover < 0 or state.rounds != root.rounds


def make_counts(names: Sequence[str], rounds: bool) -> Function:
    """Makes `counts`: moves, turns, rounds, then the fields of these names."""
    added = [f'out[{place}] += state["{name}"]' for place, name in enumerate(names, 3)]
    first = _counts_of_rounds if rounds else defaults.counts
    return written("counts(state, rules, out)", ["first(state, rules, out)", *added], first=first)


def make_determinize(declared: Fields, possible: Function | None) -> Function:
    """Makes `determinize`: deals the cards that the seat does not see again until the world is possible."""
    sizes = sorted({part.cards for part in declared.secret.values()})
    deal_anew = written(
        "deal_anew(state, rules, seat, luck)", [line for size in sizes for line in _dealing(declared, size)]
    )
    fits = possible or _always

    @outlined
    def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
        start_world(state, key)
        state.stacked = 0
        luck = local_zeros(3, np.uint64)
        luck[STREAM] = derive(key, WORLD)
        for _ in range(TRIES):
            luck[MISFIT] = ZERO
            deal_anew(state, rules, seat, luck)
            if luck[MISFIT] == ZERO and fits(state, rules):
                return True
            if luck[MISFIT] == NEVER:
                return False
        return False

    return determinize


@kernel
def _always(state: State, rules: Rules) -> Flag:
    return True


def clearing_determinize(declared: Fields, dtype: np.dtype[Any], deal_again: Function) -> Function:
    """Wraps `determinize` to clear all hidden fields if no world is found: the real cards must not stay."""
    clear = filler(dtype, {name: part.empty for name, part in declared.secret.items()})

    @kernel
    def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
        found = deal_again(state, rules, seat, key)
        if not found:
            clear(state)
        return found

    return determinize


@outlined
def draw_fitting(sets: Any, n: Number, left: Any, drawn: Numbers, luck: Any) -> Flag:
    """Tries to draw a card for each of n sets from those left; returns whether it worked.

    All ways to draw n different cards are equally likely. The smallest set comes first, and in each step every card
    that fits has the chance 1 / `room`. `room` is the most cards that any way can leave to choose from in this step:
    those of the set, less one for each earlier set inside it. Where fewer are left, the draw may fail; the caller tries
    again.
    """
    for i in range(n):
        cardsets.keep(sets[i], left)
        drawn[i] = -1
    for _ in range(n):
        chosen, room = np.int64(-1), np.int64(0)
        for i in range(n):
            if drawn[i] < 0 and (chosen < 0 or cardsets.count(sets[i]) < room):
                chosen, room = np.int64(i), cardsets.count(sets[i])
        for i in range(n):
            if drawn[i] >= 0 and cardsets.is_inside(sets[i], sets[chosen]):
                room -= 1
        if room < 1:  # fewer cards than sets inside this one
            luck[MISFIT] = NEVER
            return False
        place = random_below(room, luck)
        if place >= cardsets.count_both(sets[chosen], left):
            luck[MISFIT], luck[MISSES] = ONE, luck[MISSES] + ONE
            return False
        drawn[chosen] = cardsets.nth_of_both(sets[chosen], left, place)
        cardsets.remove(left, drawn[chosen])
    return True


@outlined
def draw_known(sets: Any, n: Number, left: Any, drawn: Numbers, kinds: Any, luck: Any) -> Flag:
    """Draws a card for each of n sets from those left: it tries, and after many misses it counts all ways.

    Equal sets are a group, and cards that are in the same sets are a kind (counting.py). `kinds` has room for a set of
    each kind. Where the ways are too many to count, tries go on.
    """
    if luck[MISSES] < PATIENCE:
        return draw_fitting(sets, n, left, drawn, luck)
    first, size = local_zeros(MAX_GROUPS, np.int64), local_zeros(MAX_GROUPS, np.int64)
    groups, number = 0, 1
    cardsets.copy(kinds[0], left)
    for i in range(n):
        cardsets.keep(sets[i], left)
        group = 0
        while group < groups and not cardsets.is_same(sets[i], sets[first[group]]):
            group += 1
        if group == MAX_GROUPS:
            return draw_fitting(sets, n, left, drawn, luck)
        if group == groups:
            first[group] = i
            groups += 1
            for kind in range(number):
                if 0 < cardsets.count_both(kinds[kind], sets[i]) < cardsets.count(kinds[kind]):
                    if number == MAX_KINDS:
                        return draw_fitting(sets, n, left, drawn, luck)
                    cardsets.copy(kinds[number], kinds[kind])
                    cardsets.remove_all(kinds[number], sets[i])
                    cardsets.keep(kinds[kind], sets[i])
                    number += 1
        size[group] += 1
        drawn[i] = group
    # `there`: the cards of each kind, 0 of the one that no group may hold.
    there = local_zeros(MAX_KINDS, np.int64)
    room, share = local_zeros((MAX_GROUPS, MAX_KINDS), np.int64), local_zeros((MAX_GROUPS, MAX_KINDS), np.int64)
    cells, most = 1.0, 0
    for kind in range(number):
        for group in range(groups):
            room[group, kind] = cardsets.count_both(kinds[kind], sets[first[group]])
            there[kind] = max(there[kind], room[group, kind])
        cells, most = cells * (there[kind] + 1), max(most, there[kind])
    if most > MAX_CARDS or groups * cells > MAX_CELLS * (most + 1):
        return draw_fitting(sets, n, left, drawn, luck)
    luck[STREAM], found = split(Groups(groups, number, there, size, room, there[:0]), share, luck[STREAM])
    luck[MISFIT] = ZERO if found else NEVER
    for i in range(n if found else 0):
        group, kind, place = drawn[i], 0, random_below(size[drawn[i]], luck)
        while place >= share[group, kind]:
            place -= share[group, kind]
            kind += 1
        share[group, kind] -= 1
        size[group] -= 1
        place = random_below(cardsets.count_both(kinds[kind], left), luck)
        drawn[i] = cardsets.nth_of_both(kinds[kind], left, place)
        cardsets.remove(left, drawn[i])
    return found


@kernel
def random_below(n: Number, luck: Any) -> Number:
    """The next random number below n."""
    luck[STREAM] = advance(luck[STREAM])
    return np.int64(below(luck[STREAM], n))


# ---- Kernels written as text: the name of a field must be a constant to the compiler


def written(head: str, lines: Sequence[str], **used: Any) -> Function:
    """The kernel of a head and the lines of its body."""
    body = "".join(f"\n    {line}" for line in lines or ["pass"])
    names = {**globals(), **used}
    exec(compile(f"def {head}:{body}", "<declared>", "exec"), names)
    made: Function = kernel(names[head.partition("(")[0]])
    return made


def _each(
    name: str, part: DeclaredField, do: str, sees: tuple[bool, bool] = (False, False), facts: str = ""
) -> list[str]:
    """Lines that do something to each set or row of a field, or to those that the seat does not see.

    `sees` says whether a seat sees its own and those of others. In `do` {cards} is a set or row, {facts} what is known
    about its cards.
    """
    index = [*["owner"] * part.by_seat, *(f"place_{i}" for i in range(len(part.places)))]
    heads = ["for owner in range(rules.seats):"] * part.by_seat
    heads += [f"if not ({sees[0]} if owner == seat else {sees[1]}):"] * (part.by_seat and any(sees))
    heads += [f"for place_{i} in range({size}):" for i, size in enumerate(part.places)]
    at = f"[{', '.join(index)}]" if index else ""
    done = do.format(cards=f'state["{name}"]{at}', facts=f'state["{facts}"]{at}')
    return [f"{'    ' * depth}{line}" for depth, line in enumerate([*heads, done])]


def _dealing(declared: Fields, size: int) -> list[str]:
    """Lines that deal again all cards of sets and rows of this size that the seat does not see."""
    facts = {part.of: name for name, part in declared.facts.items()}
    zones = {name: part for name, part in declared.secret.items() if part.cards == size}
    sees = {name: (declared.sees(name, True), declared.sees(name, False)) for name in zones}
    # Cards with facts are drawn first. The last set takes what is left; usually it is the pile, the largest.
    known, free = [name for name in zones if name in facts], [name for name in zones if name not in facts]
    rest = [name for name in free[-1:] if not zones[name].most and not zones[name].shape]

    def each(names: Iterable[str], in_row: str, in_set: str) -> list[str]:
        return [
            line
            for name, part in zones.items()
            if name in names
            for line in _each(name, part, in_row if part.most else in_set, sees[name], facts=facts.get(name, ""))
        ]

    words, stream = cardsets.words(size), f"luck[{STREAM}]"
    most = min(size, sum(_most(zones[name], sees[name], declared.seats) for name in known)) or 1
    left, sets, drawn, kinds = (f"{what}_{size}" for what in ("left", "sets", "drawn", "kinds"))
    lines = [f"{left} = local_zeros({words}, np.uint64)"]
    lines += each(zones, f"rows.add_to({{cards}}, {left})", f"cardsets.add_all({left}, {{cards}})")
    deal = [f"{stream} = {kind}.deal_again({{cards}}, {left}, {stream})" for kind in ("rows", "cardsets")]
    dealt = each({*free} - {*rest}, *deal) + each(rest, "", f"cardsets.copy({{cards}}, {left})")
    if not known:
        return lines + dealt
    lines += [f"{sets} = local_zeros(({most}, {words}), np.uint64)", f"{drawn} = local_zeros({most}, np.int64)"]
    lines += [f"{kinds} = local_zeros(({MAX_KINDS}, {words}), np.uint64)", "n = np.int64(0)"]
    lines += each(known, *(f"n = list_{kind}({{cards}}, {{facts}}, {sets}, n)" for kind in ("row", "set")))
    lay = each(known, *(f"n = lay_{kind}({{cards}}, {drawn}, n)" for kind in ("row", "set")))
    fitting = f"if draw_known({sets}, n, {left}, {drawn}, {kinds}, luck):"
    return [*lines, fitting, *(f"    {line}" for line in ("n = np.int64(0)", *lay, *dealt))]


def _most(part: DeclaredField, sees: tuple[bool, bool], seats: int) -> int:
    """The most cards of a field that a seat does not see."""
    return (part.most or part.cards) * (seats if part.by_seat and not sees[1] else 1)


def make_facts(declared: Fields) -> Function:
    """Makes a step after a deal: facts, which say nothing before, keep the cards that the game has."""
    lines = list[str]()
    for size in sorted({part.cards for part in declared.facts.values()}):
        lines.append(f"deck_{size} = local_zeros({cardsets.words(size)}, np.uint64)")
        places = {name: part for name, part in declared.all.items() if part.cards == size}
        for name, part in places.items():
            add = "rows.add_to({{cards}}, {})" if part.most else "cardsets.add_all({}, {{cards}})"
            lines += [] if part.of else _each(name, part, add.format(f"deck_{size}"))
        for name, part in places.items():
            lines += _each(name, part, f"cardsets.keep({{cards}}, deck_{size})") if part.of else []
    return written("keep_facts(state, rules)", lines)


# The facts of each card are listed in `sets` from place n on, and the drawn cards are laid in this order.


@kernel
def list_row(row: Any, facts: Any, sets: Any, n: Number) -> Number:
    for place in range(rows.length(row)):
        cardsets.copy(sets[n + place], facts[place])
    return n + rows.length(row)


@kernel
def list_set(cards: Any, facts: Any, sets: Any, n: Number) -> Number:
    for place in range(cardsets.count(cards)):
        cardsets.copy(sets[n + place], facts)
    return n + cardsets.count(cards)


@kernel
def lay_row(row: Any, drawn: Numbers, n: Number) -> Number:
    for place in range(rows.length(row)):
        row[place] = drawn[n + place]
    return n + rows.length(row)


@kernel
def lay_set(cards: Any, drawn: Numbers, n: Number) -> Number:
    number = cardsets.count(cards)
    cardsets.clear(cards)
    for place in range(number):
        cardsets.add(cards, drawn[n + place])
    return n + number
