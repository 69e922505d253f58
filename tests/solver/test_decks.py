"""Records replay their game, also with a real deck, whose cards are dealt and drawn in order."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import houle
from houle.analysis.play.trace import replay
from houle.analysis.players.line_ups import line_up
from houle.solver.cards.piles import pile_as_it_lies
from houle.solver.errors import InputError, PositionError
from houle.solver.invariants.knowledge import Decider
from houle.solver.matches.match import Match
from houle.solver.matches.opening import board_of
from houle.solver.matches.record.game import Record, read_record
from houle.solver.matches.record.line_parser import Lines, as_text
from houle.solver.matches.record.position import write_position
from houle.solver.matches.record.setup_head import write_head
from houle.solver.matches.record.stacked_deal import decks_of, kinds_of, lying
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, game_names, load, make_setup
from tests.support.notes import notes_of

pytestmark = pytest.mark.quick

GAMES = [("wave", 3), ("vague-verte", 2), ("sea-change", 3), ("land-unter", 3), ("vague-attaque", 2)]


def shuffled_deck(setup: Setup, seed: int) -> list[str]:
    """All cards of a setup by name, in a random order; the cards of each kind lie in positions of this kind."""
    dealt, random = lying(Match(setup, 0)), Random(seed)
    words = {kind: [*map(deck.shown, deck.deck)] for kind, deck in decks_of(setup, Lines({}, ""), dealt).items()}
    for names in words.values():
        random.shuffle(names)
    return [words[kind].pop() for kind in kinds_of(setup, dealt)]


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
        (lambda deck: ["wihte 3", *deck[1:]], "record: deck: card 1: unknown card 'wihte 3'; did you mean 'white 3'"),
        (lambda deck: deck[:-1], "record: deck: 33 cards are named; allowed: 34, all cards of the game in the order"),
        (lambda deck: [deck[1], *deck[1:]], "record: deck: card 2: .* is named twice, here and at deck: card 1"),
    ],
)
def test_wrong_decks_are_one_line(change, error: str) -> None:  # type: ignore[no-untyped-def]
    setup = houle.setup("wave", players=3)
    with pytest.raises(PositionError, match=error) as fault:
        read_record(record_text(setup, change(shuffled_deck(setup, 5)), []))
    assert "\n" not in str(fault.value)


def shown(trace: houle.Trace) -> list[object]:
    """What people see of a game; which of two equal cards was played is not visible."""
    return [trace.ending, trace.result, *((ply.seat, ply.action, ply.events, ply.shown) for ply in trace.plies)]


@pytest.mark.compiled
@pytest.mark.parametrize("game", game_names())
def test_records_replay_the_game(game: str) -> None:
    variant = next(iter(load(game).variants), "base")
    for setup in (houle.setup(game), houle.setup(game, variants=variant)):
        played = houle.trace(setup, strategies="thumb", seed=11, game=1)
        text = played.record().as_text()
        assert read_record(text).as_text() == text
        assert shown(houle.replay(text)) == shown(played)


@pytest.mark.compiled
def test_games_lost_before_the_first_move_replay() -> None:
    played = houle.trace("wave", strategies="random", seed=7, game=11)
    text = played.record().as_text()
    assert "move 1:" not in text
    assert shown(houle.replay(text)) == shown(played)
    assert houle.review(text, worlds=2).decisions == ()


KNOWN = houle.setup("wave", set={"talk": "known"})
GAME = houle.trace(KNOWN, seed=7, game=3).record().as_text()
FAULTS = {
    "": "record: it is empty",
    GAME.replace("deal: 7/3", "deal: 7"): "record: deal: '7': write SEED/GAME in whole numbers, as 7/3",
    GAME.replace("deal: 7/3", f"deal: {2**64}/3"): f"record: deal: '{2**64}/3': write SEED/GAME",
    GAME.replace("deal: 7/3\n", ""): "record: deal: this line is missing",
    GAME.replace("deal: 7/3", "deal: 7/4"): "record: move 1: 'play yellow 2' is not possible here; possible: ",
    GAME.replace("move 2: seat 2", "move 2: seat 3"): "record: move 2: seat 2 has to move, not seat 3",
    GAME.replace("3: seat 3 play red 0", "3: seat 3 play rad 0"): "record: move 3: 'play rad 0' is not possible here",
    GAME.replace("move 3: seat 3", "move 3: seat 0"): "record: move 3: 'seat 0 play red 0': write who did what",
    GAME.replace("move 3:", "move 300:"): "record: unknown place 'move 300'",
    GAME.replace("game: wave", "game: chess"): "record: game: unknown game 'chess'",
    GAME.replace("rules: ", "rules: 0"): "record: rules: written for 0",
    GAME.partition("move 4")[0]: "record: it ends after move 3, but the game is not over: seat 2 has to move",
    GAME + "drawn 1: red 0\n": "record: drawn 1: the line `deal` gives all cards",
    GAME + "seen by: 1\n": "record: seen by: the line `deal` gives all cards",
    GAME + "dealt top: red 0\n": "record: deal: write either the seed and number of the game or the cards dealt",
    GAME + "broken off: perhaps\n": "record: broken off: 'perhaps' is not allowed; allowed: yes, no",
    GAME + "_: 3\n": "record: unknown place '_'; there is game, players, variants, set talk, rules, broken off, move N",
    GAME.partition("move 1:")[0]: "record: move 1: this line is missing",
}


def beginning(game: str, most: int = 60, setup: Setup | None = None) -> Record:
    """The first moves of a game, or all of a short one."""
    match = Match(setup or make_setup(game), 11)
    seated, moves = line_up(match.setup, "thumb"), []
    while match.to_move() >= 0 and len(moves) < most:
        action = match.decide(seated)
        moves.append((match.to_move(), match.name(action)))
        match.apply(action)
    names = tuple(dict.fromkeys(seated.names))
    return Record(
        match.setup,
        seed=match.seed,
        game=match.game,
        strategies=names,
        moves=tuple(moves),
        broken_off=match.to_move() >= 0,
    )


def without_slots(places: dict[str, list[str]]) -> dict[str, list[str]]:
    """The places without the order of cards in a hand."""
    return {place: sorted(word.partition(" @")[0] for word in words) for place, words in places.items()}


@pytest.mark.compiled
@pytest.mark.parametrize("game", game_names())
def test_notes_of_all_cards_replay_the_game(game: str) -> None:
    """Cards dealt and drawn, dice and thefts instead of a seed give the same game."""
    record = beginning(game)
    text = notes_of(record).as_text()
    assert "deal:" not in text
    assert read_record(text).as_text() == text
    again, played = houle.replay(text), houle.replay(record.as_text())
    assert [(ply.seat, ply.action, ply.shown) for ply in again.plies] == [
        (ply.seat, ply.action, ply.shown) for ply in played.plies
    ]
    assert (again.ending, again.result) == (played.ending, played.result)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "seat", "most"),
    [("wave", 0, 99), ("sea-change", 1, 40), ("land-unter", 0, 40), ("vague-verte", 2, 30), ("vague-attaque", 0, 14)],
)
def test_one_seats_notes_hold_what_it_knew(game: str, seat: int, most: int) -> None:
    """Wherever the seat has to move, the notes give exactly what it knew in the game."""
    record = beginning(game, most, KNOWN if game == "wave" else None)
    text = notes_of(record, seat).as_text()
    assert f"seen by: {seat + 1}" in text
    checked = 0
    for here, (before, _) in zip(read_record(text).replay(), record.replay(), strict=True):
        if before.to_move() == seat:
            mine, truth = (write_position(match).places for match in (here[0], before))
            assert without_slots(mine) == without_slots(truth)
            checked += 1
    assert checked >= 5


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("setup", "most", "seat"),
    [
        (KNOWN, 99, 0),
        (make_setup("wave", 4, settings={"talk": "known"}), 99, 3),
        (make_setup("wave", 3, ("virage",), {"talk": "known"}), 99, 1),
        (make_setup("wave", 3, ("nazare",), {"talk": "known"}), 30, 2),
    ],
    ids=lambda each: f"{each.players}-{'-'.join(each.variants)}" if isinstance(each, Setup) else None,
)
def test_readers_read_notes_as_the_game(setup: Setup, most: int, seat: int) -> None:
    """Worlds get the same odds, and the decision is the same."""
    record, compared = beginning(setup.ruleset.name, most, setup), 0
    decider = Decider(seat_strategies(setup, ["flat:4[reads=1600,weighs=16]"]))
    notes = read_record(notes_of(record, seat).as_text())
    for (here, _), (before, _) in zip(notes.replay(), record.replay(), strict=True):
        if before.to_move() == seat:
            here.state.choice = before.state.choice
            there, odds = decider.decide(before, 7), decider.odds()
            move = decider.decide(here, 7)
            assert np.array_equal(decider.odds(), odds)
            assert here.seen(move, seat) == before.seen(there, seat)
            compared += int(odds.min() < odds.max())
    assert compared >= 3


@pytest.mark.compiled
def test_notes_without_slots_have_no_past() -> None:
    """WAVE: without the slot that a card came from, the earlier hand is unknown."""
    text = notes_of(beginning("wave", 3, KNOWN), 0).as_text()
    assert "move 2: seat 2 play yellow 5 @1\n" in text
    assert houle.read_position(text).notes == text
    assert not houle.read_position(text.replace(" @1\n", "\n")).notes
    assert not houle.position(KNOWN, seed=11, game=0, ply=3).notes
    moved = houle.read_position(text.replace("yellow 5 @1", "yellow 5 @5"))  # a slot where the others saw another card
    assert (moved.seat, moved.notes) == (0, "")


@pytest.mark.compiled
def test_readers_advise_only_in_notes() -> None:
    advice = houle.advise(notes_of(beginning("wave", 12, KNOWN), 0).as_text(), worlds=20)
    again = houle.advise(advice.words()[1], worlds=20)
    typed = houle.advise(advice.position.as_text(), worlds=20)
    asked, repeated, without = (
        {name for move in each.moves for name in move.players} for each in (advice, again, typed)
    )
    assert asked == repeated == without | {"expert"}
    assert "expert" not in without
    assert advice.unasked == ""
    assert typed.unasked.startswith("the expert is not asked, because it reads the others: ")
    assert (again.moves, again.digest) == (advice.moves, advice.digest)


@pytest.mark.compiled
def test_broken_off_games_are_replayed() -> None:
    text = GAME.partition("move 4")[0] + "broken off: yes\n"
    played = houle.replay(text)
    assert len(played.plies) == 3
    assert played.result is None
    assert played.ending == ("broken off: seat 2 has to move",)
    assert played.record().as_text() == text
    assert houle.position_in(text, 3).as_text() == houle.position(KNOWN, seed=7, game=3, ply=3).as_text()
    assert houle.replay(GAME.partition("move 1:")[0] + "broken off: yes\n").plies == ()


TYPED = """game: wave
players: 3
set talk: known
seen by: 1
dealt top: white 3
dealt seat 1 front: red 2, navy 4, sky 0
dealt seat 1 back: red 1, sky 2
dealt seat 2 back: navy 1, white 4
dealt seat 3 back: yellow 1, ?
move 1: seat 1 play red 2
drawn 1: yellow 0
move 2: seat 2 play navy 1
drawn 2: sky 5
move 3: seat 3 play sky 3
drawn 3: ?
broken off: yes
"""


@pytest.mark.compiled
def test_typed_cards_are_replayed() -> None:
    played = houle.replay(TYPED)
    assert [ply.events for ply in played.plies] == [("drawn: yellow 0",), ("drawn: sky 5",), ("drawn: ?",)]
    assert "seat 1 front: navy 4 @2, sky 0 @3" in played.plies[2].shown
    here = houle.position_in(TYPED.partition("move 1")[0] + "broken off: yes", 0)
    assert here.places["seat 2 front"] == ["?", "?", "?"]
    assert sorted(here.places["seat 1 front"]) == ["navy 4", "red 2", "sky 0"]


# The third move lays a card that seat 1 had not seen: houle tries many deals before one fits.
SHORT = TYPED.partition("move 3")[0] + "broken off: yes\n"
FAULTS |= {
    SHORT.replace("red 2, navy 4", "red 9, navy 4"): "record: dealt: seat 1 front: unknown card 'red 9'",
    SHORT.replace(
        "red 2, navy 4", "red 1, navy 4"
    ): "record: dealt: seat 1 back: red 1 is named twice, here and at seat 1 front",
    SHORT.replace("dealt top", "dealt tip"): "record: dealt: unknown place 'tip'",
    SHORT.replace(
        "seat 3 back: yellow 1, ?", "seat 3 back: yellow 1, red 0, red 3"
    ): "record: dealt: seat 3 back: 3 cards named; room for 2",
    SHORT.replace("drawn 1: yellow 0", "drawn 1: red 1"): "record: drawn 1: 'red 1' cannot be drawn there",
    SHORT.replace("drawn 1: yellow 0", "drawn 1: yellow 0, red 0"): "record: drawn 1: other cards than yellow 0, red 0",
    SHORT.replace("drawn 2", "drawn 3"): "record: drawn 3: there is no move 3; the last is move 2",
    SHORT.replace("seat 2 play navy 1", "seat 2 play red 1"): "record: move 2: 'play red 1' is not possible here",
    SHORT.replace("broken off: yes\n", ""): "record: it ends after move 2, but the game is not over",
    SHORT + "then 2: the sky falls\n": "record: then 2: this does not happen in the move: the sky falls",
    SHORT + "dealt 2 seat 1: red 2\n": "record: dealt 2: wave deals cards only at the start",
    SHORT + "dealt seat 2 own reverses: many\n": "record: dealt seat 2 own reverses: 'many': write a whole number",
    SHORT + "dealt seat 2 own reverses: 60\n": "record: dealt seat 2 own reverses: no deal was found that agrees",
}


@pytest.mark.compiled
@pytest.mark.parametrize("text", FAULTS, ids=range(len(FAULTS)))
def test_faults_are_one_line(text: str) -> None:
    with pytest.raises(InputError) as fault:
        houle.replay(text)
    assert str(fault.value).startswith(FAULTS[text])
    assert "\n" not in str(fault.value)
