"""The examples of the printed rulebooks as positions, typed as a player at a French table would."""

from __future__ import annotations

import pytest

from houle.solver.errors import PositionError
from houle.solver.matches.record.position import read_position

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
