"""Golden traces: the same seed still plays the same game; the reference plays each game move by move like kernels."""

from __future__ import annotations

from contextlib import suppress

import pytest

from houle.analysis.checks.against_plain import decisions_beside
from houle.solver.errors import InputError
from houle.solver.invariants.play import games_end, nothing_is_left_at_the_end
from houle.solver.matches.match import Match
from houle.solver.rules import game_names, load, make_setup
from tests import cases
from tests.support.amounts import some
from tests.support.beside import reference
from tools import golden

pytestmark = pytest.mark.quick


@pytest.mark.compiled
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", game_names())
def test_traces_are_unchanged(game: str, whole: bool) -> None:
    """The ordinary run leaves out other numbers of players: the reference and the digests are compared for all."""
    usual = make_setup(game).players
    for setup in golden.setups(game):
        if not (whole or setup.variants or setup.players == usual):
            continue
        kept = golden.path(setup)
        assert kept.exists(), f"{kept.name} is missing; run `make golden`"
        assert golden.trace(setup) == kept.read_text(), f"{kept.name} differs; run `make golden` if that is intended"


def test_no_trace_is_left_over() -> None:
    expected = {golden.path(setup).name for game in game_names() for setup in golden.setups(game)}
    others = {"positions-0.4.0.txt"}  # texts of positions, which test_positions.py reads
    assert {path.name for path in golden.FOLDER.glob("*.txt")} == expected | others


LONG = pytest.param(cases.setups, 300, 1_011, id="long", marks=pytest.mark.slow)


@pytest.mark.compiled
@pytest.mark.parametrize(("choice", "games", "seed"), [pytest.param(cases.few, some(1), 11, id="short"), LONG])
@pytest.mark.parametrize("game", game_names())
def test_kernels_play_as_the_reference(game: str, choice: cases.Choice, games: int, seed: int) -> None:
    """The games that are walked beside the reference also lose no card, and list no move twice."""
    cards_in = cases.module(game).number_of_cards
    for number, setup in enumerate(choice(game)):
        cards, matches = set[tuple[int, int]](), dict[int, Match]()
        for match, plain in decisions_beside(setup, reference(setup), games, seed + number):
            cards.add((match.game, cards_in(plain.snapshot())))
            moves = match.moves()
            assert len(set(moves)) == len(moves)
            matches[match.game] = match
        for match in matches.values():  # at their ends
            nothing_is_left_at_the_end(match)
            cards.add((match.game, cards_in(match.snapshot())))
        assert len(cards) == len({number for number, _ in cards}) > 0


@pytest.mark.compiled
@pytest.mark.parametrize("game", game_names())
def test_scores_stay_in_range_at_extreme_rules(game: str) -> None:
    """Each number of the rules alone at its least and at its greatest value: the cases seldom reach the last score."""
    ruleset, played = load(game), 0
    for knob in ruleset.knobs.values():
        for value in (knob.low, knob.high) if knob.type == "int" else ():
            with suppress(InputError):  # some values need others
                setup = make_setup(game, min(ruleset.players), settings={knob.name: value})
                played += games_end(setup, 1, 11)
    assert played > 0


@pytest.mark.parametrize("game", game_names())
def test_few_cases_cover_every_rule(game: str) -> None:
    """A knob that no case changes, or a number of players without a case, would not be compared."""
    ruleset, played = load(game), cases.few(game)
    assert {setup.players for setup in played} == set(ruleset.players)
    assert {variant for setup in played for variant in setup.variants} == set(ruleset.variants)
    for knob in ruleset.knobs.values():
        assert any(setup.options[knob.name] != knob.default_for(setup.players) for setup in played), knob.name
        values = {str(setup.options[knob.name]) for setup in cases.setups(game)}
        assert {str(setup.options[knob.name]) for setup in played} == values
