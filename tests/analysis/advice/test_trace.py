"""What a trace tells of a move: nothing that happened is left out, and nothing is told that did not happen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from houle.analysis.advice.trace import Ply, ending, step
from houle.solver.games.vague_attaque.text.names import called
from houle.solver.match import Match
from houle.solver.ruleset import Setup, make_setup

PLIES = 250


def plies(setup: Setup, games: int = 1, seed: int = 77) -> Iterator[tuple[dict[str, Any], Ply, Match]]:
    """Moves of random games: the snapshot before, the move, the table after it."""
    for game in range(games):
        match = Match(setup, seed, game)
        number = 0
        while match.to_move() >= 0 and number < PLIES:
            before, number = match.snapshot(), number + 1
            yield before, step(match, match.random_move(), number), match


def words(ply: Ply) -> str:
    return " | ".join((ply.spoken, *ply.events))


@pytest.mark.parametrize(("players", "variants"), [(1, ()), (2, ()), (3, ()), (4, ("teams",))])
def test_every_card_of_a_hand_of_vague_attaque_that_comes_or_goes_is_named(
    players: int, variants: tuple[str, ...]
) -> None:
    setup = make_setup("vague-attaque", players, variants)
    for before, ply, _ in plies(setup):
        told = words(ply)
        assert "->" not in told
        for old, new in zip(before["hands"], ply.after["hands"], strict=True):
            for card in set(old) ^ set(new):
                assert called(setup, card).rstrip("]") in told


@pytest.mark.parametrize(("players", "variants"), [(3, ()), (4, ("teams",))])
def test_the_dice_of_duels_are_those_that_decided(players: int, variants: tuple[str, ...]) -> None:
    """Eyes, bonus and verdict agree with each other and with what became of the card named."""
    seen = set()
    for before, ply, table in plies(make_setup("vague-attaque", players, variants), games=2):
        found = re.search(r"dice of seat (\d) against seat \d: (.*); the duel is (\w+)", words(ply))
        if not found:
            continue
        pairs = [
            (sum(map(int, mine.split("+"))), int(theirs)) for mine, theirs in re.findall(r"([\d+]+) to (\d)", found[2])
        ]
        won, lost = (sum(sign * mine > sign * theirs for mine, theirs in pairs) for sign in (1, -1))
        needed = 1 if len(pairs) == 1 else 2
        assert found[3] == ("won" if won >= needed else "lost" if lost >= needed else "tied")
        target, seat = int(table.state.target), before["seat"]
        held = ply.after["hands"][seat] if target < 41 else [place for place, _ in ply.after["zones"][seat]]
        assert (target in held) == (found[3] == "won")
        loses = ply.after["phase"] == "lose" and ply.after["to_move"] == seat
        assert loses == (found[3] == "lost" and "no card to discard" not in words(ply))
        seen.add((found[3], len(pairs)))
    assert len(seen) >= 4


def test_what_the_ships_die_shows_is_what_it_does() -> None:
    setup = make_setup("vague-attaque", 1)
    faces = setup.options["deck"].cards["solo_die"]["faces"]
    seen = set()
    for before, ply, _ in plies(setup, games=3):
        thrown = re.search(r"the ship's die shows (\d): [^|]*(.*)", words(ply))
        ended = ply.after["turn"] > before["turn"] or (ply.after["phase"] == "power" and before["phase"] != "explore")
        assert bool(thrown) == (ended and before["phase"] not in ("power", "retain")) or ply.after["over"], words(ply)
        if thrown:
            face = faces[int(thrown[1]) - 1]
            seen.add(face)
            assert bool(thrown[2]) == ("ship_" in face) or face.startswith("discard")
            assert ("turned up" in thrown[2] or "goes on the ship" in thrown[2]) == ("ship_" in face)
    assert {"nothing", "ship_if_symbol", "ship_always"} <= seen


@pytest.mark.parametrize(("players", "variants"), [(1, ()), (2, ()), (3, ()), (5, ("2v2v1",))])
def test_tricks_and_rounds_of_sea_change_are_told_whole(players: int, variants: tuple[str, ...]) -> None:
    setup = make_setup("sea-change", players, variants)
    in_trick = int(setup.rules[0].in_trick)
    rounds = 0
    for before, ply, table in plies(setup):
        told = words(ply)
        trick = re.search(r"trick: (.*); (.*) takes it with (\w+ \d+)", told)
        assert bool(trick) == (len(before["trick"]) + (2 if players == 1 else 1) == in_trick)
        if trick:
            assert trick[1].count(",") == in_trick - 1
            assert trick[3] in trick[1]
        drawn = re.search(r"draws (\w+ \d+)", told)
        assert bool(drawn) == (players == 2 and bool(before["pile"]))
        if "ends with trump" in told:
            rounds += 1
            scores = [int(score) for score in re.findall(r"(?:team|seat|player|ai)(?: \d)?: (-?\d+)", told)]
            assert scores == [int(score) for score in table.state.scores[: int(setup.rules[0].sides)]]
            assert "a victory point for" in told
    assert rounds == (3 if players == 1 else 1) or rounds > 1


def test_a_solo_round_without_an_8_is_said_to_be_lost() -> None:
    lost = 0
    for before, ply, table in plies(make_setup("sea-change", 1), games=4):
        if "ends with trump" in words(ply):
            told = "captured no 8: the round is lost" in words(ply)
            lost += told
            assert not told or int(table.state.won) == 2
            assert told or before["round"] >= 0
    assert lost


@pytest.mark.parametrize("variants", [(), ("open",)])
def test_rounds_of_land_unter_add_up(variants: tuple[str, ...]) -> None:
    rounds = 0
    for before, ply, _ in plies(make_setup("land-unter", 4, variants)):
        told = words(ply)
        assert ("takes water" in told) == (ply.after["tricks"] > before["tricks"])
        if "is over:" in told:
            rounds += 1
            gains = [int(gain) for gain in re.findall(r"seat \d ([+-]\d+) \(", told)]
            assert gains == [now - then for now, then in zip(ply.after["points"], before["points"], strict=True)]
    assert rounds == 4


def test_turns_that_vague_verte_leaves_out_are_told() -> None:
    missed = 0
    for before, ply, _ in plies(make_setup("vague-verte", 4), games=4):
        turns = re.findall(r"turn (\d+): seat (\d) (\w+)", words(ply))
        skipped = ply.after["turn"] - before["turn"] - (before["stage"] == "play")
        assert len(turns) == skipped
        for place, (turn, seat, what) in enumerate(turns, 1):
            assert (int(turn), int(seat)) == (before["turn"] + 1 + place, (before["seat"] + place) % 4)
            missed += what == "misses"
        if ply.action.startswith("draw"):
            (drawn,) = set(ply.after["hands"][ply.seat]) - set(before["hands"][ply.seat])
            assert f"draws {ply.events[0].removeprefix('draws ')}" == ply.events[0]
            assert ply.after["drawn"] == drawn
    assert missed


@pytest.mark.parametrize("players", [2, 3])
def test_draws_and_inversions_of_wave_are_told(players: int) -> None:
    setup = make_setup("wave", players, ("tide-colours", "nazare"))
    inversions = 0
    for before, ply, table in plies(setup):
        told = words(ply)
        turned = sum(map(int, re.findall(r"draws (\d) colour inversion card", told)))
        drawn = len(re.findall(r"draws \w+ \d+(?: as|$)", told))
        assert len(before["pile"]) - len(ply.after["pile"]) == turned + drawn
        inversions += turned
        assert ("reverse:" in told) == (ply.after["direction"] != before["direction"])
        if table.to_move() < 0:
            assert "the wave is complete" in ending(table)[0]
    assert inversions == 2


def test_who_is_stuck_on_what() -> None:
    setup = make_setup("wave", 3)
    stuck = 0
    for game in range(6):
        match = Match(setup, 11, game)
        while match.to_move() >= 0:
            match.apply(match.random_move())
        (said,) = ending(match)
        if "is stuck" in said:
            stuck += 1
            seat = int(match.state.acting)
            assert said.startswith(f"seat {seat} is stuck with ")
            assert said.count(",") == len(match.snapshot()["front"][seat] + match.snapshot()["back"][seat]) - 1
    assert stuck
