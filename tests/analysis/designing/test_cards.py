"""The card doctor: what single cards do."""

from __future__ import annotations

import pytest

import houle
from houle.solver.errors import InputError

pytestmark = pytest.mark.compiled


def test_cards_are_ranked_by_what_they_do() -> None:
    doctor = houle.card_effects(houle.setup("wave", players=3, set={"talk": "known"}), games=12_000)
    by_name = {(row.card, row.what): row.effects for row in doctor.rows}
    assert doctor.rows[0].what == "in"  # the printed deck leaves out its hardest cards
    assert by_name["white 0", "in"]["win"].high < 0
    assert len(by_name) == 60
    assert doctor.rows[0].size >= doctor.rows[-1].size
    assert len(doctor.frame()) == 60


def test_effects_of_cards_agree_with_compare() -> None:
    base = houle.setup("wave", players=3)
    doctor = houle.card_effects(base, games=6_100, seed=3)
    (row,) = [row for row in doctor.rows if (row.card, row.what) == ("sky 5", "out")]
    arms = houle.grid("wave", players=3, strategies="thumb", set={"deck.missing+": [[], ["sky 5"]]})
    compared = houle.compare(arms, games=doctor.each, seed=3, measures=["win"]).rows[-1]
    assert compared.difference is not None
    assert row.effects["win"].value == pytest.approx(compared.difference.interval.value)


def test_owners_of_dealt_cards_are_counted() -> None:
    """Card texts of a deck file: each is taken away and doubled, and artefacts have owners."""
    doctor = houle.card_effects(houle.setup("vague-attaque", players=4), games=12_000, threads=1)
    owners = {row.card: row.owner for row in doctor.rows if row.owner is not None}
    assert len(owners) == 5
    assert owners["artefact Chest"].high < 0
    assert {"balance", "length", "first-seat"} == set(doctor.measures)


@pytest.mark.quick
@pytest.mark.parametrize("game", ["wave", "land-unter", "sea-change", "vague-attaque", "vague-verte"])
def test_games_name_changes_of_their_cards(game: str) -> None:
    setup = houle.setup(game)
    changes = setup.game.openings.card_changes(setup)
    assert changes
    assert {change.knob for change in changes} <= set(setup.options)


@pytest.mark.quick
def test_a_deck_that_is_dealt_out_completely_is_refused() -> None:
    with pytest.raises(InputError, match="no single card can be taken out or added; every 0 out"):
        houle.card_effects("sea-change")
