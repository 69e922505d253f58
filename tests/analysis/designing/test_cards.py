"""The card doctor: what single cards do."""

from __future__ import annotations

import pytest

import houle
from houle.solver.errors import InputError

pytestmark = pytest.mark.compiled


def test_cards_are_ranked_by_what_they_do() -> None:
    doctor = houle.card_effects(houle.setup("wave", players=3, set={"talk": "known"}), strategies="thumb", games=12_000)
    wins = {row.label: row.change for row in doctor.of("win")}
    assert doctor.rows[0].label.endswith(" in")  # the printed deck leaves out its hardest cards
    harder = wins["white 0 in"]
    assert harder is not None
    assert harder.high < 0
    assert len(wins) == 60
    assert len(doctor.frame()) == 60 * 2


def test_effects_of_cards_agree_with_compare() -> None:
    base = houle.setup("wave", players=3)
    doctor = houle.card_effects(base, strategies="thumb", games=6_100, seed=3)
    row = doctor.row("sky 5 out", "win")
    assert row is not None
    assert row.change is not None
    arms = houle.grid("wave", players=3, strategies="thumb", set={"deck.missing+": [[], ["sky 5"]]})
    compared = houle.compare(arms, games=row.value.n, seed=3, measures=["win"]).rows[-1]
    assert compared.change is not None
    assert row.change.value == pytest.approx(compared.change.value)


def test_owners_of_dealt_cards_are_counted() -> None:
    """Card texts of a deck file: each is taken away and doubled, and artefacts have owners."""
    doctor = houle.card_effects(houle.setup("vague-attaque", players=4), strategies="thumb", games=12_000, threads=1)
    owners = {row.label: row.note for row in doctor.rows if row.note}
    assert len(owners) == 5
    assert owners["artefact Chest without its text"].startswith("its owner wins -")
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
