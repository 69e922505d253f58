"""VAGUE VERTE: every rule of thumb in hand-made positions."""

from __future__ import annotations

import pytest

from houle.solver.matches.match import Match
from tests.games.vague_verte.scene import do, match_with
from tests.support.scenes import rated

pytestmark = pytest.mark.quick

CARS = ["car red 1", "car blue 1", "car green 1"]


def after_drawing(match: Match, source: str = "draw face-up") -> dict[str, dict[str, int]]:
    do(match, source)
    return rated(match)


def attacked(tows_seen: list[str], road: int) -> dict[str, int]:
    match = match_with([["car red 1", "breakdown blue"], ["car blue 1", "car blue 2"]], tows_seen, road=road)
    do(match, "play car red 1", "play car blue 1")
    return after_drawing(match, "draw stock")["play breakdown blue on seat 1"]


def test_breakdown_counts_chance_of_no_tow() -> None:
    assert attacked(["tow"] * 8, 7)["breakdown"] == 64
    some = attacked(["tow"], 7)["breakdown"]
    assert 0 < some < 64
    assert attacked(["tow"] * 4, 7)["breakdown"] > some


def test_a_player_seen_taking_a_tow_has_one() -> None:
    match = match_with([["car red 1", "breakdown blue"], ["car blue 1"]], ["tow"])
    do(match, "play car red 1", "draw face-up", "play car blue 1")
    assert "breakdown" not in after_drawing(match, "draw stock")["play breakdown blue on seat 1"]


def test_red_light_counts_who_is_stopped() -> None:
    pile = ["green light"] * 4 + ["ambulance"]
    match = match_with([["car red 1", "car red 2", "red light"], ["car blue 1"]], pile)
    do(match, "play car red 1", "play car blue 1", "play car red 2")
    do(match, "draw stock")
    match.apply(int(match.state.drawn))
    rows = after_drawing(match, "draw stock")
    assert rows["play red light at row 1"]["red"] == 64
    assert "bars_self" not in rows["play red light at row 1"]
    assert rows["play red light at row 2"]["red"] == 32
    assert rows["play red light at row 2"]["bars_self"] == 16
    assert rows["play red light at row 3"]["bars_self"] == 8
    assert "red" not in rows["play red light at row 7"]  # beyond the last row there is nothing to stop
    assert "bars_self" not in rows["play red light at row 7"]


def test_risk_counts_the_breakdowns_that_may_come() -> None:
    match = match_with([["car red 1", "car blue 1", "breakdown red"], CARS], ["breakdown red", "car green 1"])
    rows = after_drawing(match)
    assert "risk" not in rows["play car red 1"]
    assert rows["play car blue 1"]["risk"] == 4
    match = match_with([["car blue 1", "tow"], CARS], ["breakdown blue", "ducks"])
    assert after_drawing(match)["play car blue 1"]["risk"] == 1


def test_keeping_a_card_is_rated_against_discarding_it() -> None:
    match = match_with([["tow", "tow", "ducks"], CARS], ["car red 2"])
    assert rated(match)["draw face-up"] == {"keep_cars": 6, "gift": -2}  # three ahead, and the only one that fits
    assert rated(match)["draw stock"] == {"stock": 1}
    rows = after_drawing(match)
    assert rows["discard car red 2"]["keep_cars"] == -6
    assert rows["discard tow"] == {"keep_tow": -1}
    assert "discard ducks" in rows
    assert rows["discard ducks"] == {}
