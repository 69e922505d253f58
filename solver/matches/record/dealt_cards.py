"""The dealt cards of a record, typed in from a real game. Cards that are not named are dealt at random.

    dealt top: white 3
    dealt seat 1 front: red 2, navy 4, sky 0
    dealt seat 2 lifebelts: 4
    dealt 30 seat 1: blue 4, yellow 0        after move 30, in games that deal again or pass hands on

Places are those of the game's `board`; cards may be `?`. Games are dealt as usual. Then each card that a line wishes is
exchanged with a random card of its place that no wish put there; if it is there already, nothing happens. Deals are
uniform, and such exchanges keep all other cards uniform. A fact of the opening, such as the lifebelts of a hand, may be
a line too: other cards are exchanged until it agrees.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from houle.solver.cards.piles import lay_stack
from houle.solver.errors import PositionError
from houle.solver.language.seats import from_0, from_1
from houle.solver.matches.match import Match
from houle.solver.matches.opening import Board, Fact, board_of, facts_of
from houle.solver.matches.record.line_parser import Lines, Places, unseen
from houle.solver.matches.record.stacked_deal import StackedDeal, decks_of, draw_by_luck, kinds_of, lying
from houle.solver.rules import Setup, nearest

DEALT = "dealt "
WHAT = "record: dealt"  # how errors begin
MOST_SWAPS = 2_000  # tried until all facts agree


@dataclass(frozen=True)
class PlacedCard:
    """One card that a line wishes into a place, counted from seat 0."""

    place: str
    card: str
    face: int
    positions: tuple[int, ...]


def opening_match(setup: Setup, dealt: Places) -> Match:
    """A match with these cards dealt. Raises PositionError if there is none."""
    facts, places = _facts_of(setup, dealt)
    by_luck = Match(setup, 0)
    wishes = wishes_of(setup, places, lying(by_luck))
    match = _arranged(by_luck, wishes) if wishes else by_luck
    return _with_facts(match, wishes, facts) if facts else match


def _arranged(by_luck: Match, wishes: Sequence[PlacedCard]) -> Match:
    """The match dealt by luck, with some cards exchanged."""
    arranged = arrange(lying(by_luck), int(by_luck.state.root), board_of(by_luck.setup), wishes)
    return StackedDeal(by_luck.setup).match(arranged, by_luck)


def _with_facts(match: Match, wishes: Sequence[PlacedCard], facts: Sequence[tuple[Fact, int, int]]) -> Match:
    """Exchanges cards of other places until every fact has its value: an exchange that leads away is taken back."""
    setup, random, by_luck = match.setup, Random(0), match
    dealing, cards = StackedDeal(setup), lying(match)
    kinds, free, board = kinds_of(setup, cards), list(range(len(cards))), board_of(setup)
    for wish in wishes:
        here = [position for position in board.places[wish.place] if position in free]
        free.remove(next(position for position in here if board.faces[cards[position]] == wish.face))
    far = _distance(match, facts)
    for _ in range(MOST_SWAPS):
        if far == 0:
            return match
        one, other = random.sample(free, 2)
        if kinds[one] != kinds[other]:
            continue
        cards[one], cards[other] = cards[other], cards[one]
        changed = dealing.match(cards, by_luck)
        if (now := _distance(changed, facts)) <= far:
            match, far = changed, now
        else:
            cards[one], cards[other] = cards[other], cards[one]
    names = ", ".join(f"{DEALT}seat {seat + 1} {fact.name}" for fact, seat, _ in facts)
    raise PositionError(f"record: {names}: no deal was found that agrees with the cards and with this")


def _distance(match: Match, facts: Sequence[tuple[Fact, int, int]]) -> int:
    """How far the facts of a deal are from their values."""
    far = 0
    for fact, seat, value in facts:
        assert fact.read is not None
        values = np.asarray(fact.read(match.states))
        far += abs(int(values[0] if values.ndim == 1 else values[0, seat]) - value)
    return far


def with_hindsight(dealt: Places, seen_later: Places) -> Places:
    """The cards dealt, with cards of the opening that were seen later."""
    places = {place.removesuffix(" hand"): list(cards) for place, cards in dealt.items()}
    for place, cards in seen_later.items():
        known = places.setdefault(place, [])
        known += [card for card in cards if card not in known]
    return places


def deal_anew(before: Match, match: Match, action: int, dealt: Places, number: int) -> Match:
    """The match after a move that begins a round, with its typed cards. Hands that are passed on are only checked."""
    setup = match.setup
    if setup.game.hands_rotate:
        _check_hands(match, dealt, number)
        return match
    if not setup.game.openings.DEALT_ANEW:
        raise PositionError(f"record: {DEALT}{number}: {setup.ruleset.name} deals cards only at the start")
    wishes = wishes_of(setup, dealt, lying(match), f" {number}")
    stack = StackedDeal(setup).stack(arrange(lying(match), int(match.state.root), board_of(setup), wishes))
    again, state = before.copied(), before.state
    lay_stack(again.states[0], [*state.stack[: int(state.stacked)][::-1], *stack])
    again.apply(action)
    draw_by_luck(again, stack, match)
    return again


def _check_hands(match: Match, dealt: Places, number: int) -> None:
    """Checks that a hand that was passed on holds the cards typed for it."""
    board = board_of(match.setup)
    cards = board.faces[lying(match)]
    for wish in wishes_of(match.setup, dealt, lying(match), f" {number}"):
        if wish.face not in cards[board.places[wish.place]]:
            problem = f"{wish.card} is not in this hand; write such a line after the last move of every round"
            raise PositionError(f"record: {DEALT}{number} {from_1(wish.place)}: {problem}")


def wishes_of(setup: Setup, places: Places, dealt: Sequence[int], after: str = "") -> list[PlacedCard]:
    """The wishes of the lines; `dealt` are the cards in their positions. `?`, or `3 ?`, is any card."""
    what = f"{WHAT}{after}"
    board, kind_of, lines = board_of(setup), setup.game.openings.kind_of, Lines({}, what)
    faces, decks = [int(board.faces[card]) for card in dealt], decks_of(setup, lines, dealt)
    wishes: list[PlacedCard] = []
    for typed, words in places.items():
        place = from_0(typed.removesuffix(" hand"))
        if place not in board.places:
            there = [from_1(name) for name in board.places]
            meant = nearest(typed, there)
            allowed = f"{meant} Allowed: " if "did you mean" in meant else "; allowed: "
            raise PositionError(f"{what}: unknown place {typed!r}{allowed}{', '.join(there)}")
        called = {name: face for name, face in board.names[place].items() if face in faces}
        room = board.places[place]
        for number, name in enumerate(word for word in words if not unseen(word)):
            face = lines.card(from_1(place), name, called)
            decks[kind_of(face)].take(from_1(place), name)
            where = room[number : number + 1] if place in board.ordered else room
            fitting = tuple(position for position in where if kind_of(faces[position]) == kind_of(face))
            wishes.append(PlacedCard(place, name, face, fitting))
    _check_room(wishes, what)
    wishes.sort(key=lambda wish: len(wish.positions))  # small places first: large ones contain them
    left = {wish.place: list(wish.positions) for wish in wishes}
    whole = {place for place, free in left.items() if len(free) == sum(wish.place == place for wish in wishes)}
    # A complete hand keeps its order.
    return [replace(wish, positions=(left[wish.place].pop(0),)) if wish.place in whole else wish for wish in wishes]


def _check_room(wishes: list[PlacedCard], what: str) -> None:
    """Checks that every place has room for the cards wished into it and into the places inside it."""
    for wish in wishes:
        room = set(wish.positions)
        inside = sum(bool(other.positions) and set(other.positions) <= room for other in wishes)
        if not wish.positions:
            raise PositionError(f"{what}: {from_1(wish.place)}: {wish.card} cannot lie there at the start")
        if inside > len(room):
            raise PositionError(
                f"{what}: {from_1(wish.place)}: {inside} cards named; room for {len(room)} of this kind"
            )


def arrange(cards: Sequence[int], root: int, board: Board, wishes: Sequence[PlacedCard]) -> list[int]:
    """A deal that fulfils the wishes: the cards in their positions. Its luck comes from the key of the deal."""
    cards, free, random = list(cards), set(range(len(cards))), Random(root)
    for wish in wishes:
        source = random.choice([place for place in sorted(free) if board.faces[cards[place]] == wish.face])
        target = source
        if source not in wish.positions:
            target = random.choice([place for place in wish.positions if place in free])
        cards[source], cards[target] = cards[target], cards[source]
        free.remove(target)
    return cards


def _facts_of(setup: Setup, dealt: Places) -> tuple[list[tuple[Fact, int, int]], Places]:
    """Splits the lines into facts of hands (fact, seat, value) and lines that name cards."""
    known = {fact.name: fact for fact in facts_of(setup) if fact.read is not None and not fact.labels}
    facts, places = [], {}
    for place, words in dealt.items():
        match = re.fullmatch(r"seat ([1-9]\d?) (.+)", place)
        if not match or match[2] not in known:
            places[place] = words
            continue
        text = " ".join(words)
        if int(match[1]) > setup.players or not re.fullmatch(r"\d{1,4}", text):
            problem = f"{text[:40]!r}: write a whole number, for a seat from 1 to {setup.players}"
            raise PositionError(f"record: {DEALT}{place}: {problem}")
        facts.append((known[match[2]], int(match[1]) - 1, int(text)))
    return facts, places
