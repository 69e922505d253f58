"""Records with a real deck: its cards are dealt and drawn in order, in every game with text records."""

from __future__ import annotations

from random import Random

import pytest

import houle
from houle.analysis.play.trace import replay
from houle.solver.cards.piles import pile_as_it_lies
from houle.solver.errors import PositionError
from houle.solver.matches.match import Match
from houle.solver.matches.opening import board_of
from houle.solver.matches.record.deck import layout_of
from houle.solver.matches.record.game import Record, read_record
from houle.solver.matches.record.line_parser import as_text
from houle.solver.matches.record.setup_head import write_head
from houle.solver.matches.record.stacked_deal import lying
from houle.solver.rules import Setup

pytestmark = pytest.mark.quick

GAMES = [("wave", 3), ("vague-verte", 2), ("sea-change", 3), ("land-unter", 3), ("vague-attaque", 2)]


def shuffled_deck(setup: Setup, seed: int) -> list[str]:
    """All cards of a setup by name, in a random order; the cards of each kind lie in positions of this kind."""
    layout, random = layout_of(setup), Random(seed)
    words = {}
    for kind, known in layout.names.items():
        called = {cards: name for name, cards in known.items()}  # a card may have several names
        words[kind] = [name for cards, name in called.items() for _ in cards]
        random.shuffle(words[kind])
    return [words[kind].pop() for kind in layout.kinds]


def record_text(setup: Setup, deck: list[str], moves: list[tuple[int, str]]) -> str:
    lines = write_head(setup) | {"deck": deck}
    lines |= {f"move {number}": [f"seat {seat + 1} {name}"] for number, (seat, name) in enumerate(moves, 1)}
    return as_text(lines | {"broken off": ["yes"]})


def played(setup: Setup, deck: list[str], plies: int) -> tuple[Record, list[Match]]:
    """A record of random moves with this deck, and the match after each of them."""
    read = read_record(record_text(setup, deck, []))
    assert read.deck is not None
    match, moves, after, random = read.start(), [], [], Random(1)
    for _ in range(plies):
        if match.to_move() < 0:
            break
        place = random.randrange(len(match.moves()))
        moves.append((match.to_move(), match.names()[place]))
        match = match.copied()
        match.apply(match.moves()[place])
        after.append(match)
    return read_record(record_text(setup, deck, moves)), after


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_cards_are_dealt_and_drawn_in_order(game: str, players: int) -> None:
    setup = houle.setup(game, players=players)
    deck = shuffled_deck(setup, 5)
    record, matches = played(setup, deck, 12)
    assert record.deck is not None
    start = record.start()
    cards = lying(start)
    for where in board_of(setup).places.values():
        assert sorted(cards[place] for place in where) == sorted(record.deck.cards[place] for place in where)
    if game == "vague-attaque":  # its piles lie in order, behind two hands of three cards
        assert cards[6:] == list(record.deck.cards)[6:]
        return
    order = [card & 255 for card in record.deck.cards]  # a water card is 256 + its value
    for match in matches:
        left = pile_as_it_lies(match.state)
        assert sorted(left) == sorted(order[len(order) - len(left) :])
    assert len(left) < len(pile_as_it_lies(start.state)) or game == "sea-change"


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_records_with_a_deck_read_back(game: str, players: int) -> None:
    setup = houle.setup(game, players=players)
    record, matches = played(setup, shuffled_deck(setup, 6), 8)
    assert read_record(record.as_text()) == record
    replayed = record.played()
    assert replayed.match.snapshot() == matches[-1].snapshot()
    assert len(replay(record.as_text()).plies) == len(record.moves)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_imagined_worlds_forget_the_order(game: str, players: int) -> None:
    setup = houle.setup(game, players=players)
    start = read_record(record_text(setup, shuffled_deck(setup, 7), [])).start()
    seat = start.to_move()
    if game == "vague-attaque":  # its piles lie in order: an imagined one has another
        piles = {start.imagine(seat, key).state.pile[0].tobytes() for key in range(4)}
        assert len(piles) == 4
        return
    assert start.state.stacked > 0 or game == "sea-change"
    assert start.imagine(seat, 3).state.stacked == 0


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda deck: ["wihte 3", *deck[1:]], "record: deck: unknown card 'wihte 3'; did you mean 'white 3'"),
        (lambda deck: deck[:-1], "record: deck: 33 cards are named; allowed: 34, all cards of the game in the order"),
        (lambda deck: [deck[1], *deck[1:]], "record: deck: card 2: .* is in the deck only once"),
    ],
)
def test_wrong_decks_are_one_line(change, error: str) -> None:  # type: ignore[no-untyped-def]
    setup = houle.setup("wave", players=3)
    with pytest.raises(PositionError, match=error) as fault:
        read_record(record_text(setup, change(shuffled_deck(setup, 5)), []))
    assert "\n" not in str(fault.value)
