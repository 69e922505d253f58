# ruff: noqa: E501
"""Positions as text (houle.solver.matches.record): players decide there as in the game; errors are one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from houle.solver.errors import InputError
from houle.solver.invariants.errors import InvariantBroken
from houle.solver.invariants.shown import positions_read_back
from houle.solver.matches.match import Match
from houle.solver.matches.record import position as positions
from houle.solver.matches.record.position import read_position, text_of, write_position
from houle.solver.rules import game_names, make_setup
from tests import cases
from tests.support.amounts import some

pytestmark = pytest.mark.quick

GAMES = game_names()
MANY = 2000  # positions of a game in the slow test
WRITTEN_BEFORE = Path(__file__).parents[1] / "golden" / "positions-0.4.0.txt"


@pytest.mark.compiled
@pytest.mark.parametrize("game", GAMES)
def test_positions_read_back(game: str) -> None:
    """One position in each setup; searches decide in every twelfth, to keep this fast."""
    checked = 0
    for number, setup in enumerate(cases.few_knowledge(game)):
        names = ("thumb",) if number % 12 else ("thumb", "flat:20", "ismcts:50")
        checked += positions_read_back(setup, 3, number, every=5, strategies=names, most=some(1))
    assert checked >= 10


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_thousands_of_positions_read_back(game: str) -> None:
    setups = cases.knowledge(game)
    checked = number = 0
    while checked < MANY:
        each = max(1, MANY // len(setups))
        setup = setups[number % len(setups)]
        checked += positions_read_back(
            setup, games=20, seed=500 + number, every=7, strategies=("thumb", "flat:20", "ismcts:50"), most=each
        )
        number += 1


@pytest.mark.parametrize("game", GAMES)
def test_a_position_keeps_no_hidden_card(game: str) -> None:
    """Its match is the same game to the seat to move, and another game to everybody else."""
    match = Match(make_setup(game), 5)
    again, mover = write_position(match).match(), match.to_move()
    same = [again.knows(seat) == match.knows(seat) for seat in range(match.setup.players)]
    assert same == [seat == mover for seat in range(match.setup.players)]


@pytest.mark.parametrize("game", GAMES)
def test_both_forms_say_the_same(game: str) -> None:
    match = Match(make_setup(game), 5)
    for _ in range(9):
        match.apply(match.moves()[0])
    written = write_position(match, ["seat 1 did something"])
    for form in ("text", "json"):
        read = read_position(text_of(written, form))
        assert read == written
        assert read.lines() == written.lines()
    in_one_line = "; ".join(written.as_text().splitlines())
    assert read_position(in_one_line) == written


@pytest.mark.compiled
@pytest.mark.parametrize("game", GAMES)
def test_positions_of_0_4_0_are_read(game: str) -> None:
    """Texts that 0.4.0 wrote say the same now: people keep positions in files."""
    texts = [text for text in WRITTEN_BEFORE.read_text().split("\n\n") if f"game: {game}\n" in text]
    assert len(texts) == 8
    for text in texts:
        assert read_position(text).as_text() == f"{text.strip()}\n"


@pytest.mark.compiled
def test_another_card_is_another_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """The invariant fails if a line is lost: here the direction of play."""
    setup = make_setup("wave")
    write = positions.lines_of

    def forgetful(*asked: Any) -> dict[str, list[str]]:
        return {place: words for place, words in write(*asked).items() if place != "direction"}

    monkeypatch.setattr(positions, "lines_of", forgetful)
    with pytest.raises(InvariantBroken):
        positions_read_back(setup, 60, 1, every=3, strategies=("flat:20",), most=None)


def test_only_the_seats_own_luck_is_kept() -> None:
    """The keys of searches and choices are kept, those of the deal are not; without the line the key is fixed."""
    match = Match(make_setup("wave", settings={"talk": "known"}), 5, 8)
    for _ in range(4):
        match.apply(match.random_move())
    written = write_position(match)
    assert written.lines()["luck"] == ["5/8/4"]
    read = read_position(written.as_text()).match()
    assert (read.seed, read.game, read.ply, read.state.choice) == (5, 8, 4, match.state.choice)
    assert read.state.deal != match.state.deal
    bare = read_position(written.as_text().replace("luck: 5/8/4\n", "")).match()
    assert (bare.seed, bare.game, bare.ply) == (0, 0, 0)


WAVE = "game: wave; players: 3; set talk: known; seat: 1; top: white 3; seat 1 front: red 2, navy 4, sky 0; \
seat 1 back: red 1, sky 2; seat 2 back: navy 1, white 4; seat 3 back: yellow 1, yellow 2"


def test_missing_lines_mean_unknown_cards() -> None:
    read = read_position(WAVE)
    assert read.places["seat 2 front"] == ["?", "?", "?"]
    assert read.places["pile"] == ["18"]
    assert read.luck is None
    assert "play red 2" in read.match().names()


FAULTS = {
    "": "position: it is empty",
    "top white 3": "position: 'top white 3': write lines such as `seat: 1`",
    WAVE + "; top: red 1": "position: top: there are two lines of this name",
    WAVE + "; middle: red 1": "position: unknown place 'middle'",
    WAVE + "; derection: clockwise": "position: unknown place 'derection'; did you mean 'direction'",
    WAVE + "; laid: red 1": "position: seat 1 back: red 1 is named twice, here and at laid",
    WAVE + "; laid: rad 1": "position: laid: unknown card 'rad 1'; did you mean 'red 1'",
    WAVE + "; pile: 19": "position: pile: 19 cards do not fit: 18 of the 34 cards are nowhere else",
    WAVE + "; seat 2 front: ?, ?": "position: seat 2 front: 4 cards in the hand; while there is a pile it has 5",
    WAVE + "; seat 2 front: 6": "position: seat 2 front: '6' is one card too many; this hand has room for 5",
    WAVE
    + "; seat 2 front: ?, ?, ?, ?": "position: seat 2 back: 'white 4' is one card too many; this hand has room for 5",
    WAVE
    + "; seat 2 front: 2 ?, sky 1": "position: seat 2 front: sky 1 does not agree with the other lines; write ? for cards that seat 1 has not seen",
    WAVE.replace("navy 1, white 4", "?, white 4"): "position: seat 2 back: seat 1 sees these cards; write their names",
    WAVE.replace("seat: 1", "seat: 0"): "position: seat: seats count from 1",
    WAVE.replace("seat: 1", "seat: 4"): "position: seat: '4' is not allowed; allowed: a whole number from 1 to 3",
    WAVE.replace("top: white 3; ", ""): "position: top: this line is missing",
    WAVE + "; direction: left": "position: direction: 'left' is not allowed; allowed: clockwise, anticlockwise",
    WAVE + "; luck: 1/2": "position: luck: '1/2': write SEED/GAME/PLY",
    WAVE + "; moves: seat 4 play red 1": "position: moves: move 1, 'seat 4 play red 1': write who did what",
    WAVE
    + "; variants: virage; virage: red 5; taken: ?": "position: taken: write the names of these cards instead of ?",
    WAVE.replace(
        "seat 1 front", "seat 1 fronts"
    ): "position: unknown place 'seat 1 fronts'; did you mean 'seat 1 front'",
    WAVE
    + "; variants: virage; virage: red 5": "position: swap: this line is missing; write `open` if this turn's swap is still to be decided, else `closed`",
    WAVE
    + "; variants: tide-colours; inversion cards: ² colours": "position: inversion cards: '² colours' is not allowed",
    WAVE.replace("game: wave", "game: waev"): "position: game: unknown game 'waev'; did you mean 'wave'",
    WAVE + "; rules: 0123": "position: rules: written for 0123, but the rules here are",
    WAVE.replace("white 3", "navy 3").replace(
        "red 2, navy 4, sky 0", "red 2, sky 1, sky 0"
    ): "position: seat: seat 1 has no legal move here",
    WAVE.replace("white 3", "white 1") + "; laid: sky 4, sky 5": "position: laid: sky 4 cannot lie below white 1",
    '{"seat": [[1]]}': "position: seat: write a text, a number or a list of these",
    '{"seat": ': "position: not valid JSON",
    "seat = 1": "position: 'seat = 1': write lines such as `seat: 1`",
}


VERTE = "game: vague-verte; players: 2; seat: 1; face-up: ducks; seat 1 hand: tow, car red 1, car red 2, ducks, \
ambulance, breakdown red; seat 1 road: car red 1, breakdown red"
SEA = "game: sea-change; players: 3; seat: 2; trump: blue; trick: blue 4; seat 2 hand: "
SEA_HAND = ", ".join(f"{colour} {value}" for colour in ("yellow", "violet") for value in range(5, 10))
UNTER = "game: land-unter; players: 3; seat: 1; water: 7, 3; seat 1 hand: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12; \
seat 2 pack: 4; seat 3 pack: 4"
ATTAQUE = "game: vague-attaque; players: 3; seat: 1; seat 1 artefact: artefact 0; seat 2 artefact: artefact 1; \
seat 3 artefact: artefact 2; seat 1 ship: none; seat 1 hand: souvenir 1, souvenir 2, place 1a; \
seat 2 hand: souvenir ?, souvenir ?, place ?; seat 3 hand: souvenir ?, place ?"
FAULTS |= {
    ATTAQUE.replace("souvenir 2", "souvenir 1"): "position: seat 1 hand: souvenir 1 is named twice, here and at seat 1",
    ATTAQUE.replace(
        "artefact 1", "artefact 0"
    ): "position: seat 2 artefact: artefact 0 is named twice, here and at seat 1",
    ATTAQUE.replace("seat 1 ship: none; ", ""): "position: ship: the ship is in somebody's zone",
    ATTAQUE.replace(
        "seat 2 hand: souvenir ?", "seat 2 hand: souvenir 7"
    ): "position: seat 2 hand: souvenir 7 does not agree with the other lines; write ?",
    ATTAQUE.replace("souvenir 2, place 1a", "souvenir ?"): "position: seat 1 hand: seat 1 sees these cards",
    ATTAQUE + "; souvenirs left: 3": "position: souvenirs left: 3 cards do not fit: 36 are nowhere else",
    ATTAQUE + "; phase: sleep": "position: phase: 'sleep' is not allowed; allowed: explore, encounter",
    ATTAQUE
    + "; seat 2 place 2a: none; seat 3 place 2a: none": "position: seat 3 place 2a: it is also in the zone of seat 2",
    ATTAQUE
    + "; encounters discarded: souvenir 9": "position: encounters discarded: souvenir 9 is not allowed; allowed: encounters",
    ATTAQUE + "; places of shuffle 0: place 2a": "position: unknown place 'places of shuffle 0'",
    ATTAQUE + "; clue 1 cards: ?": "position: clue 1 cards: write the names of these cards instead of ?",
    VERTE + "; red lights: 9": "position: red lights: '9' is not allowed; allowed: a whole number from 1 to 7",
    VERTE + "; red lights: 2, 2": "position: red lights: row 2 is named twice",
    VERTE + "; seat 2 road: tow": "position: seat 2 road: square 1: tow cannot lie there: a road begins with a car",
    VERTE
    + "; seat 2 road: car blue 1, breakdown red, car blue 2": "position: seat 2 road: square 2: write a breakdown that was passed as `breakdown red + tow`",
    VERTE + "; seat 2 hand: ? @1": "position: seat 2 hand: ? @1: there were only 0 reshuffles",
    VERTE + "; drawn: green light": "position: drawn: green light is not in the hand",
    VERTE + "; stock: 3": "position: stock: 3 cards do not fit",
    VERTE
    + "; seat 2 road: car red 1, car red 1, car red 1, car red 1": "position: seat 2 road: car red 1 is named too often; the deck has",
    SEA + "yellow 4": "position: seat 2 hand: 1 cards; after 0 tricks it has 10",
    SEA.replace("trump: blue; ", "") + SEA_HAND: "position: trump: the first card of a round makes",
    SEA
    + SEA_HAND
    + "; seat 1 captured: blue 0": "position: seat 1 captured: 1 cards; allowed: whole tricks of 3 cards, ? for forgotten",
    SEA
    + SEA_HAND
    + "; seat 1 captured: 30 ?": "position: seat 1 captured: 30 cards are captured; allowed: at most 9 tricks of 3 cards",
    SEA + SEA_HAND + "; seat 3 hand: 9 ?": "position: seat 3 hand: 9 cards; by the other lines it has 10",
    SEA
    + SEA_HAND
    + "; seat 2 void: violet": "position: seat 2 void: the hand holds violet 5, so it is not void in violet",
    SEA + SEA_HAND.replace("violet 9", "blue 4"): "position: seat 2 hand: blue 4 is named twice, here and at trick",
    UNTER.replace("7, 3", "7"): "position: water: 1 cards; allowed: two, as in every trick",
    UNTER.replace("7, 3", "7, 99"): "position: water: unknown card '99'; did you mean '9'",
    UNTER.replace("7, 3", "7, 7") + "; water left: 7": "position: water left: 7 is named too often; the deck has 2",
    UNTER + "; seat 2 hand: 40, 11 ?": "position: seat 2 hand: 40 does not agree with the other lines; write ? for",
    UNTER.replace("pack: 4", "pack: 12"): "position: seat 2 pack, seat 3 pack: no deal of the remaining cards",
    UNTER + "; trick: 3": "position: water left: 22 cards; trick 3 has 18 left",
    UNTER + "; step: take": "position: step: nothing to choose: the highest card takes",
}


@pytest.mark.parametrize("text", FAULTS, ids=range(len(FAULTS)))
def test_faults_are_one_line(text: str) -> None:
    with pytest.raises(InputError) as fault:
        read_position(text)
    assert str(fault.value).startswith(FAULTS[text])
    assert "\n" not in str(fault.value)


@pytest.mark.compiled
def test_contradicting_lines_are_refused() -> None:
    """Cards without a possible value, and two cards with the same only possible value."""
    silent = "variants: nazare; set talk: silent; players: 3; game: wave; seat: 1; wave: white 3; seat 1 front: red 2, \
navy 4, sky 0; seat 2 back: navy 1, white 4; seat 3 back: yellow 1, yellow 2"
    assert read_position(f"{silent}; seat 1 @4 may be: red 1")
    for lines, fault in (
        ("seat 1 @4 may be: white 4", "seat 1 @4 may be: no card fits this"),
        ("seat 1 @4 may be: red 1; seat 1 @4 is not: red 1", "seat 1 @4 may be: no card fits this"),
        ("seat 2 @4 may be: red 1", "seat 2 @4 may be: no card fits this, and navy 1 is there"),
        ("seat 1 @4 may be: red 1; seat 1 @5 may be: red 1", "no deal agrees with all lines"),
    ):
        with pytest.raises(InputError, match=f"position: {fault}"):
            read_position(f"{silent}; {lines}")


def test_text_must_agree_with_the_setup() -> None:
    setup = make_setup("wave", 3, ["virage"])
    for lines, fault in (
        ("players: 4", "players: this text is for 4, the setup has 3"),
        ("variants: nazare", "variants: this text is for nazare, the setup has virage"),
        ("game: land-unter", "game: this text is for land-unter, not for wave"),
        ("set hand.front: 4", "set hand.front: this text is for 4, the setup has 3"),
    ):
        with pytest.raises(InputError, match=fault):
            read_position(lines, setup)


def test_signals_in_nazare_do_not_depend_on_hidden_cards() -> None:
    """Whether back cards may be sunk depends on front cards that the surfer who signals does not see."""
    setup = make_setup("wave", 3, ["nazare"])
    match = Match(setup, 2)
    for _ in range(10):
        match.apply(match.random_move())
    assert match.is_signal()
    assert read_position(write_position(match).as_text(), setup).match().names() == match.names()


def test_a_signal_about_the_last_card_of_the_dummy_is_read_back() -> None:
    """Others point at its face-up cards, also when it has no face-down card left."""
    match = Match(make_setup("wave", 2, ["tide-colours", "nazare"]), 11, 135)
    while match.ply < 55:
        match.apply(match.random_move())
    text = write_position(match).as_text()
    assert "dummy up: yellow 2 @5\ndummy down: none" in text
    assert read_position(text).as_text() == text
