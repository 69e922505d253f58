"""Positions and records in French: what is written in French is read again, with or without accents."""

from __future__ import annotations

import pytest

from houle.solver.language.languages import catalogue_files, fold, translator, words_in
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import read_record
from houle.solver.matches.record.line_parser import NAMES, as_text, in_language
from houle.solver.matches.record.position import read_position, write_position
from houle.solver.rules import make_setup
from tests import cases

pytestmark = pytest.mark.compiled

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
                known = [name for place, words in here.lines().items() for name in (place, *words)
                         if place not in NAMES and not place.startswith("set ")]  # fmt: skip
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
