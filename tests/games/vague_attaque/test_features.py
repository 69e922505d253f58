"""VAGUE & ATTAQUE: rules of thumb in hand-made positions."""

from __future__ import annotations

import pytest

from tests.games.vague_attaque.scene import encounter, place, scene
from tests.support.scenes import rated

pytestmark = pytest.mark.quick


def test_completing_and_building() -> None:
    zone = {place(0): [0, 22], place(3): [6], place(5): []}
    rows = rated(scene(phase="land", hands={0: [1, 7, 10]}, zones={0: zone}))
    assert rows["lay souvenir 1 on place 0a"]["complete"] == 1
    assert rows["lay souvenir 7 on place 3a"]["build"] == 2
    assert rows["lay souvenir 10 on place 5a"] == {"build": 1}
    assert rows["stop"] == {}


def test_the_winning_place_counts_most() -> None:
    zone = {place(0): [0, 22], place(3): [6, 7, 25]}
    rows = rated(scene(phase="land", hands={0: [1]}, zones={0: zone}))
    assert rows["lay souvenir 1 on place 0a"]["complete"] == 8


def test_two_shared_souvenirs_want_a_dedicated_third() -> None:
    zone = {place(3): [22]}  # souvenirs 22 and 25 both fit place 3
    alone = rated(scene(phase="land", hands={0: [25]}, zones={0: zone}))
    assert alone["lay souvenir 25 on place 3a"]["two_shared"] == 1
    ready = rated(scene(phase="land", hands={0: [25, 6]}, zones={0: zone}))
    assert "two_shared" not in ready["lay souvenir 25 on place 3a"]
    assert ready["lay souvenir 25 on place 3a"]["follow"] == 1


def test_loading_a_ship_that_sails_on_is_bad() -> None:
    rows = rated(scene(phase="land", hands={0: [20]}))
    assert rows["lay souvenir 20 on ship"]["ship"] == 1
    held = rated(scene(phase="land", hands={0: [20]}, ship=(0, [21])))
    assert "ship" not in held["lay souvenir 20 on ship"]
    middle = rated(scene(players=2, phase="land", hands={0: [20]}, ship=(-1, [21])))
    assert middle["lay souvenir 20 on ship"]["ship"] == 2


def test_places_are_laid_for_souvenirs_in_the_hand() -> None:
    rows = rated(scene(phase="land", hands={0: [place(0), place(1), 0, 1]}))
    assert rows["lay place 0a"] == {"lay_place": 3, "places_short": 2}
    assert rows["lay place 1a"] == {"lay_place": 1, "places_short": 2}


def test_useful_souvenirs_are_kept() -> None:
    zone = {place(0): [0, 22], place(3): [6], place(5): []}
    rows = rated(scene(phase="lose", hands={0: [1, 7, 10, 12, 14, place(7)]}, zones={0: zone}))
    uses = [-rows[f"lose souvenir {card}"]["keep_useful"] for card in (1, 7, 10, 14, 12)]
    assert uses == [36, 20, 12, 8, 4]
    assert rows["lose place 7a"] == {"keep_place": -2}


def test_places_are_fetched_when_missing() -> None:
    assert rated(scene(hands={0: [12]}))["swap souvenir 12"]["places_short"] == 2
    assert "places_short" not in rated(scene(hands={0: [12, place(0), place(1)]}))["swap souvenir 12"]


def test_duels_want_useful_cards_and_no_parry() -> None:
    zones = {0: {place(0): [0, 22]}, 1: {place(0, 1): [1], place(3): [6]}}
    rows = rated(scene(phase="encounter", zones=zones))
    assert rows["adventure"] == {}
    assert rows["duel souvenir 1"]["duel_gain"] > 0
    assert "duel_gain" not in rows["duel souvenir 6"]  # as likely won as lost, and of no use
    warned = rated(scene(phase="encounter", zones=zones, hands={1: [encounter("parry")]}))
    assert 0 < warned["duel souvenir 1"]["duel_gain"] < rows["duel souvenir 1"]["duel_gain"] // 3
    armed = rated(scene(phase="encounter", zones=zones, powers={0: "sabre"}))
    assert armed["duel souvenir 1"]["duel_gain"] > rows["duel souvenir 1"]["duel_gain"]


def test_the_leader_is_robbed_first() -> None:
    zones = {1: {place(0): [0, 1, 22], place(3): [6, 7]}, 2: {place(5): [10]}}
    rows = rated(scene(phase="encounter", zones=zones))
    assert rows["duel souvenir 6"]["rob"] > rows["duel souvenir 10"]["rob"] > 0
    thief = rated(scene(phase="steal", zones=zones, hands={1: [12], 2: [13, 14]}))
    assert thief["steal from seat 1"]["rob"] > thief["steal from seat 2"]["rob"]


def test_solo_fear_grows_with_the_ships_load() -> None:
    danger = [
        rated(scene(players=1, ship=(-1, loaded), hands={0: [12]}))["draw"].get("fear_ship", 0)
        for loaded in ([], [20], [20, 21], [20, 21, 25])
    ]
    assert danger == sorted(danger)
    assert danger[3] > 2 * danger[2] > 0
