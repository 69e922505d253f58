"""Positions of the printed rulebooks, in French, and random ones with a line changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest

import houle
from houle.solver.errors import InputError, PositionError
from houle.solver.language.languages import catalogue_files, fold, translator, words_in
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import read_record
from houle.solver.matches.record.line_parser import NAMES, as_text, in_language
from houle.solver.matches.record.position import read_position, write_position
from houle.solver.rules import game_names, make_setup
from tests import cases
from tests.support.amounts import some

pytestmark = pytest.mark.compiled

WAVE = """
game: wave
players: 3
seat: 2
top: rouge 4
seat 2 front: bleu ciel 0, jaune 3, orange 1
seat 1 back: blanc 3, bleu marine 2
seat 3 back: jaune 2, orange 5
"""
NAZARE = """
game: wave
players: 3
variants: nazare
seat: 1
wave: blanc 1, orange 0, jaune 1, bleu marine 3
seat 1 front: jaune 5, rouge 3, bleu ciel 1
seat 2 back: jaune 2, orange 4
seat 3 back: blanc 5, rouge 0
"""
# Daniel leads blue 5, Martine has no blue and gives violet 8, Anne ducks with blue 4.
SEA_CHANGE = """
game: sea-change
players: 3
seat: 3
trump: jaune
trick: bleu 5, violet 8
seat 2 void: bleu
seat 3 hand: bleu 4, bleu 9, jaune 10, violet 6
seat 1 captured: 18 ?
"""
# A breakdown stops the own road, and fits the last car of the other one.
VAGUE_VERTE = """
game: vague-verte
players: 2
seat: 1
step: play
seat 1 road: auto rouge 3, panne rouge
seat 2 road: auto bleue 1, auto jaune 4
seat 1 hand: remorquage, panne jaune, canards, auto verte 2, ambulance, auto rouge 1
"""
# Phase II: an adventure, or a duel for a souvenir. Places and souvenirs by their names.
VAGUE_ATTAQUE = """
game: vague-attaque
players: 3
seat: 1
phase: encounter
seat 1 artefact: Hook
seat 2 artefact: Sabre
seat 3 artefact: Chest
seat 1 ship: none
seat 1 lighthouse: Lamp that still burns
seat 2 volcano (b): Driftwood
seat 1 hand: Salt box, Old sea chart
"""


@pytest.mark.parametrize(
    ("text", "plays", "forbidden"),
    [
        (WAVE, ["play sky 0"], ["play yellow 3", "play orange 1"]),
        (NAZARE, ["play yellow 5"], ["play red 3", "play sky 1"]),
        (SEA_CHANGE, ["play blue 4", "play blue 9"], ["play yellow 10", "play violet 6"]),
        (VAGUE_VERTE, ["play tow", "play breakdown yellow on seat 1"], ["play car green 2", "play ambulance"]),
        (VAGUE_ATTAQUE, ["adventure", "duel souvenir 24"], []),
    ],
    ids=["wave", "nazare", "sea-change", "vague-verte", "vague-attaque"],
)
def test_examples_of_the_rulebooks(text: str, plays: list[str], forbidden: list[str]) -> None:
    names = read_position(text).match().names()
    assert set(plays) <= set(names), names
    assert not set(forbidden) & set(names), names


def test_another_fault_does_not_accuse_good_lines() -> None:
    with pytest.raises(PositionError, match="seat 3 hand: unknown card 'violet 99'"):
        read_position(SEA_CHANGE.replace("violet 6", "violet 99"))


def test_error_names_the_missing_line() -> None:
    with pytest.raises(
        PositionError, match="seat 3 back: seat 2 sees these cards; this line with their names is missing"
    ):
        read_position(WAVE.replace("seat 3 back: jaune 2, orange 5\n", ""))


GAMES = ["wave", "sea-change", "land-unter", "vague-verte", "vague-attaque"]
TYPED = """
surfeur: 1; dessus: blanc 3; posées: 2 blanc
surfeur 1 de face: rouge 4, jaune 2, bleu marine 4
surfeur 2 de dos: 1 orange, 2 orange; surfeur 3 de dos: 1 bleu ciel, 2 bleu ciel
"""


@pytest.mark.parametrize("chosen", cases.CHOICES)
@pytest.mark.parametrize("game", GAMES)
def test_positions_in_french_are_read_again(game: str, chosen: cases.Choice) -> None:
    files = catalogue_files("fr", game)
    for number, setup in enumerate(chosen(game)):
        match = Match(setup, 7, number)
        for ply in range(12):
            if match.to_move() < 0:
                break
            if ply % 6 == 0:
                here = write_position(match)
                known = [
                    name
                    for place, words in here.lines().items()
                    for name in (place, *words)
                    if place not in NAMES and not place.startswith("set ")
                ]
                assert [text for text in known if translator(files).find(text) is None] == []
                french = as_text(in_language(here.lines(), words_in("fr", files)))
                assert read_position(french, setup).as_text() == here.as_text()
            match.apply(match.random_move())


def test_typed_positions_need_no_accents() -> None:
    setup = make_setup("wave", 3)
    accents = read_position(TYPED, setup)
    plain = read_position("\n".join(fold(line) for line in TYPED.strip().splitlines()), setup)
    english = read_position(
        "seat: 1; top: white 3; laid: white 2; seat 1 front: red 4, yellow 2, navy 4; "
        "seat 2 back: orange 1, orange 2; seat 3 back: sky 1, sky 2",
        setup,
    )
    assert accents.as_text() == plain.as_text() == english.as_text()


def test_records_are_read_in_french() -> None:
    record = read_record("jeu: wave\njoueurs: 3\ndonne: 7/3\ncoup 1: surfeur 2 jouer le 3 blanc\ninterrompue: oui")
    assert record.moves == ((1, "play white 3"),)
    assert record.broken_off


GUIDE = Path(__file__).parents[2] / "docs" / "reference" / "positions.md"
EXAMPLES = re.findall(r"```position\n(.*?)```", GUIDE.read_text(), re.DOTALL)
RECORDS = re.findall(r"```record\n(.*?)```", GUIDE.read_text(), re.DOTALL)


def fault_of(read: Callable[[str], object], text: str) -> str:
    """The error message of a text, or nothing. Any other exception would be a traceback to a user."""
    try:
        read(text)
    except InputError as fault:
        return str(fault)
    return ""


@cache
def texts() -> list[str]:
    examples = list(EXAMPLES)
    for game in game_names():
        for variant in ("base", *list(make_setup(game).ruleset.variants)[:2]):
            match = Match(make_setup(game, variants=[variant]), 3)
            for _ in range(12):
                match.apply(match.moves()[0])
            examples.append(write_position(match).as_text())
    return examples


@cache
def known_lines() -> list[str]:
    return sorted({line for text in texts() for line in text.splitlines()})


@cache
def known_words() -> list[str]:
    return sorted({word for line in known_lines() for word in re.split(r"[:,]\s*", line)})


ENDS = (", ?", ", 3 ?", ", none", " @9", ", -1", ", 99", "; seat: 2", ", \u2028")  # of a line
MARKS = ("", "{}", "[]", "{", "[a]", 'a = "', "a: b", "seat: 1", '{"a": {"b": 1}}')


def any_text(luck: Random, most: int) -> str:
    """Any characters, half of them those of a keyboard; no halves of a pair, which no file has."""
    signs = [luck.choice((luck.randrange(32, 127), luck.randrange(0xD800))) for _ in range(luck.randint(0, most))]
    return "".join(map(chr, signs))


def changed(luck: Random) -> str:
    """A text with lines removed, added, edited or replaced at random."""
    lines = luck.choice(texts()).splitlines()
    for _ in range(luck.randint(1, 4)):
        place, what = luck.randrange(max(1, len(lines))), luck.randrange(5)
        if what == 1 or not lines:
            lines.insert(place, luck.choice(known_lines()))
        elif what == 0:
            del lines[place]
        elif what == 2:
            key, _, words = lines[place].partition(":")
            items = words.split(",")
            items[luck.randrange(len(items))] = " " + luck.choice(known_words())
            lines[place] = f"{key}:{','.join(items)}"
        elif what == 3:
            lines[place] += luck.choice(ENDS)
        else:
            lines[place] = any_text(luck, 30)
    return "\n".join(lines)


def test_a_changed_position_is_read_or_refused() -> None:
    for number in range(some(100)):
        text = changed(Random(number))
        fault = fault_of(read_position, text)
        assert "\n" not in fault, text
        if not fault:
            position = read_position(text)
            assert position.match().moves(), text
            assert read_position(position.as_text()).lines() == position.lines(), text


@pytest.mark.quick
def test_any_text_is_refused_in_one_line() -> None:
    for text in (*MARKS, *(any_text(Random(number), 60) for number in range(some(100)))):
        for read in (read_position, read_record):
            with pytest.raises(InputError) as fault:
                read(text)
            assert "\n" not in str(fault.value), text


def test_a_changed_record_is_replayed_or_refused() -> None:
    record = houle.trace("wave", seed=7, game=3).record().as_text().splitlines()
    for number in range(some(20)):
        luck = Random(number)
        lines, place = list(record), luck.randrange(len(record))
        ways = [], [luck.choice(record)], [lines[place].replace("1", "2")], [lines[place] + "?"]
        lines[place : place + 1] = luck.choice(ways)
        text = "\n".join(lines)
        assert "\n" not in fault_of(houle.replay, text), text


@pytest.mark.parametrize("text", EXAMPLES, ids=[text.split()[1] for text in EXAMPLES])
def test_guide_examples_get_advice(text: str) -> None:
    advice = houle.advise(text, worlds=10, players=False)
    assert advice.moves
    assert advice.games == 10


@pytest.mark.quick
def test_guide_has_an_example_of_every_game() -> None:
    assert sorted(text.split()[1] for text in EXAMPLES) == sorted(game_names())


def test_the_record_of_the_guide_is_replayed() -> None:
    (text,) = RECORDS
    assert [ply.seat for ply in houle.replay(text).plies] == [0, 1, 2]
