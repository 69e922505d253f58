"""Notes of a game that houle dealt: a record with the cards dealt and drawn, all of them or as one seat saw them.

A seat knows a card if the card is in the same place in all worlds that the seat can imagine. A card of its own hand
that it could not see is written too if the seat played it later: the notes are read after that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from houle.solver.games.wave.rules import KNOWN
from houle.solver.language.seats import from_1
from houle.solver.matches.match import Match
from houle.solver.matches.opening import Board, board_of, facts_of
from houle.solver.matches.record.game import Record
from houle.solver.matches.record.line_parser import Places
from houle.solver.matches.record.replaying import AT, UNSEEN, MoveOutcome, after_move, cards_drawn, events, place_of
from houle.solver.matches.record.stacked_deal import lying
from houle.solver.rules import Setup

WORLDS = 24  # sampled to find what a seat knows: a hidden card is almost never the same in all of them


def notes_of(record: Record, viewer: int | None = None) -> Record:
    """The record with its cards instead of the seed; with a `viewer`, counted from 0, only what that seat saw."""
    start, outcomes, moves = record.start(), {}, []
    later = {name.partition(" ")[2].partition(AT)[0] for seat, name in record.moves if seat == viewer}
    for number, (before, action) in enumerate(record.replay(), 1):
        seat, name = record.moves[number - 1]
        place = place_of(before, action, viewer) if viewer is not None else 0
        moves.append((seat, f"{name.partition(AT)[0]}{AT}{place}" if place else name))
        after = after_move(before, action, record.outcomes.get(number), number)
        outcome = _outcome(before, after, viewer, number, later=later if seat == viewer else set())
        outcome.events = _events(before, after, action, viewer)
        if outcome.drawn or outcome.dealt or outcome.events:
            outcomes[number] = outcome
    dealt = _dealt(start, viewer, later) | (_facts(start, viewer) if viewer is not None else {})
    record = replace(record, seed=0, game=0, deck=None, moves=tuple(moves))
    return replace(record, dealt=dealt, outcomes=outcomes, seen_by=viewer)


def _outcome(before: Match, after: Match, viewer: int | None, number: int, later: set[str]) -> MoveOutcome:
    """The cards that left the piles in a move, and the hands of a round dealt in it."""
    anew = after.setup.game.openings.DEALT_ANEW and bool(after.state.ended)
    if anew and after.to_move() >= 0:
        return MoveOutcome((), (), _dealt(after, viewer))
    cards = cards_drawn(before.setup, before, after, number)
    names = [card[0] for card in cards]
    if viewer is None or not cards or after.to_move() < 0:
        return MoveOutcome(tuple(names))
    hand = f"seat {viewer + 1}"
    passed_on = (
        _dealt(after, viewer).get(hand) if before.setup.game.hands_rotate and _new_round(before, after) else None
    )
    worlds = [cards_drawn(before.setup, before, world, number) for world in _worlds(after, viewer)]
    seen = [card for card in cards if all(world.count(card) >= cards.count(card) for world in worlds)]
    if _hides_own_cards(before.setup):
        seen += [card for card in cards if card[0] in later]
    dealt = {hand: passed_on} if passed_on else {}
    return MoveOutcome(tuple(card[0] if card in seen else UNSEEN for card in cards), (), dealt)


def _new_round(before: Match, after: Match) -> bool:
    return int(after.state.rounds) > int(before.state.rounds)


def _events(before: Match, after: Match, action: int, viewer: int | None) -> tuple[str, ...]:
    """Other events that chance decided, in words that fit into a line."""
    duels = before.setup.ruleset.name == "vague-attaque"
    lines = _chance_events(events(after, before.states, action), viewer) if duels else []
    return tuple(re.split(r"[,;#]", from_1(event))[-1].strip() for event in lines)


def _chance_events(events: Iterable[str], viewer: int | None) -> list[str]:
    """What chance decided besides draws, as everyone saw it: duels, discards, and cards that went from hand to hand, by
    name only for the two players. Seats count from 0, and a `viewer` of None sees everything.
    """
    seen = []
    for event in events:
        result = re.search(r"the duel is (won|lost|tied)$", event)
        hands = re.search(r"goes from seat (\d) to seat (\d)$", event)
        if result:
            seen.append(result[0])
        elif (
            " discards " in event
            or "is discarded" in event
            or "die shows" in event
            or (hands and (viewer is None or str(viewer) in hands.groups()))
        ):
            seen.append(event)
    return seen


def _hides_own_cards(setup: Setup) -> bool:
    """Whether players do not see some cards of their own hands: in WAVE the back cards, unless talk tells them."""
    return setup.ruleset.name == "wave" and bool(setup.rules[0].talk < KNOWN)


def _worlds(match: Match, viewer: int) -> list[Match]:
    return [match.imagine(viewer, key) for key in range(WORLDS)]


def _dealt(match: Match, viewer: int | None, later: set[str] | None = None) -> Places:
    """The cards in the smallest places of the opening, `?` for those that the viewer does not see."""
    setup, board = match.setup, board_of(match.setup)
    cards = board.faces[lying(match)]
    worlds = [] if viewer is None else [lying(each) for each in _worlds(match, viewer)]
    places: Places = {}
    for place, positions in _smallest(board, setup).items():
        names = {face: name for name, face in reversed(list(board.names[place].items()))}
        words = []
        for position in positions:
            face = int(cards[position])
            hidden = any(board.faces[world[position]] != face for world in worlds)
            if later and place.startswith(f"seat {viewer} ") and _hides_own_cards(setup):
                hidden = hidden and names[face] not in later
            words.append(UNSEEN if hidden else names[face])
        if any(word != UNSEEN for word in words):
            places[from_1(place)] = words
    return places


def _smallest(board: Board, setup: Setup) -> dict[str, list[int]]:
    """The smallest places of a board (a hand is left out if its front and back are places); no ordered piles."""
    places = {place: where for place, where in board.places.items() if where and place not in board.ordered}
    return {
        place: where for place, where in places.items() if not any(set(other) < set(where) for other in places.values())
    }


def _facts(match: Match, viewer: int) -> Places:
    """Facts about other hands that the viewer knows."""
    setup, lines = match.setup, {}
    worlds = _worlds(match, viewer)
    for fact in facts_of(setup):
        if fact.read is None or fact.labels:
            continue
        values = [fact.read(each.states) for each in (match, *worlds)]
        if values[0].ndim == 1:
            continue
        for seat in range(setup.players):
            if seat != viewer and len({int(value[0, seat]) for value in values}) == 1:
                lines[f"seat {seat + 1} {fact.name}"] = [str(int(values[0][0, seat]))]
    return lines
