"""Catalogues: phrases with placeholders, lists, numbers, typography, and typed words back into English."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.solver.language.languages import (
    ENGLISH,
    catalogue_files,
    conjugated,
    fold,
    read_typed,
    translator,
    words_in,
)
from houle.solver.language.seats import third_person, with_names
from houle.solver.rules import home

pytestmark = pytest.mark.quick

TOY = """
[cards]
"{colour} {N}" = "{N} {colour}"
"red" = "rouge"
"sky" = "bleu ciel"
[places]
"seat {N} front" = "place {N} de face"
[moves]
"play {card}" = "jouer {card}"
[events]
"{who} draws {card}: {N} left" = "{who} pioche {card} : il en reste {N}"
"you" = "vous"
"{who} is ready?" = "{who} : prêt ?"
"see {X}" = "voir {X}"
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, ...]:
    file = tmp_path / "french.toml"
    file.write_text(TOY, encoding="utf-8")
    return (file,)


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("red", "rouge"),
        ("play sky 3", "jouer 3 bleu ciel"),
        ("Play sky 3.", "Jouer 3 bleu ciel."),
        ("red 1, sky 2 and red 3", "1 rouge, 2 bleu ciel et 3 rouge"),
        ("you draws red 2: 1,200.5 left", "vous pioche 2 rouge\xa0: il en reste 1\u202f200,5"),
        ("you is ready?", "vous\xa0: prêt\u202f?"),
        ("see FILE.txt", "voir FILE.txt"),
        ("12", "12"),
    ],
)
def test_phrases_are_translated(files: tuple[Path, ...], english: str, french: str) -> None:
    assert translator(files).find(english) == french


@pytest.mark.parametrize(
    ("move", "you", "another"),
    [
        ("jouer le 3 rouge", "jouez le 3 rouge", "joue le 3 rouge"),
        ("prendre la carte visible", "prenez la carte visible", "prend la carte visible"),
        ("partir à l'aventure", "partez à l'aventure", "part à l'aventure"),
        ("ne plus rien poser", "ne posez plus rien", "ne pose plus rien"),
        ("ne pas échanger", "n’échangez pas", "n’échange pas"),
        ("la garder pour plus tard", "la gardez pour plus tard", "la garde pour plus tard"),
        ("12", "12", "12"),
        ("vous défier pour la caverne", "vous défiez pour la caverne", "vous défie pour la caverne"),
    ],
)
def test_french_moves_are_conjugated(move: str, you: str, another: str) -> None:
    assert (conjugated(move, True), conjugated(move, False)) == (you, another)


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("play red 3", "plays red 3"),
        ("go on an adventure", "goes on an adventure"),
        ("do not swap", "does not swap"),
        ("parry the attack", "parries the attack"),
        ("discard it", "discards it"),
        ("draw", "draws"),
    ],
)
def test_moves_of_others_are_in_the_third_person(move: str, said: str) -> None:
    assert third_person(move) == said


def test_what_you_do_is_in_the_second_person() -> None:
    assert with_names("seat 1 reaches the end", ["you"]) == "you reach the end"


@pytest.mark.parametrize("text", ["play green 3", "plays red 3", "red 1, green 2", "{colour} 3"])
def test_texts_with_unknown_parts_stay_english(files: tuple[Path, ...], text: str) -> None:
    assert translator(files).find(text) is None
    assert words_in("fr", files)(text) == text
    assert words_in(ENGLISH, files)(text) == text


@pytest.mark.parametrize(
    ("typed", "english"),
    [
        ("3 bleu ciel", "sky 3"),
        ("3 BLEU  ciel", "sky 3"),
        ("place 2 de face", "seat 2 front"),
        ("jouer 1 rouge", "play red 1"),
        ("play red 1", "play red 1"),
        ("3 vert", "3 vert"),
    ],
)
def test_typed_french_is_read(files: tuple[Path, ...], typed: str, english: str) -> None:
    assert read_typed(typed, files) == english


def test_accents_and_apostrophes_are_optional() -> None:
    assert fold("L’Été  œuf") == fold("l'ete oeuf")


def test_games_without_a_catalogue_have_no_files(tmp_path: Path) -> None:
    assert catalogue_files(ENGLISH, "wave") == ()
    shared = catalogue_files("fr", None, [tmp_path])
    assert len(shared) == 1
    assert catalogue_files("fr", "wave") == (home("wave").folder / "french.toml", *shared)
