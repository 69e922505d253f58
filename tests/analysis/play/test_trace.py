"""Events in a trace match what happened: nothing is left out and nothing invented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from houle.analysis.play.trace import Ply, ending, step
from houle.solver.games.vague_attaque.words import called
from houle.solver.matches.match import Match
from houle.solver.rules import Setup, make_setup
from tests.support.amounts import some

pytestmark = pytest.mark.compiled

PLIES = 250


def plies(setup: Setup, games: int = 1, seed: int = 77) -> Iterator[tuple[dict[str, Any], Ply, Match]]:
    """Moves of random games: the snapshot before, the move, the match after it."""
    for game in range(games):
        match = Match(setup, seed, game)
        number = 0
        while match.to_move() >= 0 and number < PLIES:
            before, number = match.snapshot(), number + 1
            yield before, step(match, match.random_move(), number), match


@cache
def vague_attaque(players: int, variants: tuple[str, ...], games: int = 1) -> list[tuple[dict[str, Any], Ply, int]]:
    """Moves of random games: the snapshot before, the move, the card it is aimed at."""
    setup = make_setup("vague-attaque", players, variants)
    return [(before, ply, int(match.state.target)) for before, ply, match in plies(setup, games)]


def words(ply: Ply) -> str:
    return " | ".join((ply.spoken, *ply.events))


@pytest.mark.parametrize(("players", "variants"), [(1, ()), (2, ()), (3, ()), (4, ("teams",))])
def test_vague_attaque_names_every_moved_card(players: int, variants: tuple[str, ...]) -> None:
    setup = make_setup("vague-attaque", players, variants)
    for before, ply, _ in vague_attaque(players, variants):
        text = words(ply)
        assert "->" not in text
        for old, new in zip(before["hands"], ply.after["hands"], strict=True):
            for card in set(old) ^ set(new):
                assert called(setup, card).rstrip("]") in text


@pytest.mark.parametrize(("players", "variants"), [(3, ()), (4, ("teams",))])
def test_duels_show_the_dice_that_decided(players: int, variants: tuple[str, ...]) -> None:
    """Dice, bonus and verdict agree with each other and with what happened to the card."""
    seen = set()
    for before, ply, target in vague_attaque(players, variants):
        duel = re.search(r"dice of seat (\d) against seat \d: (.*); the duel is (\w+)", words(ply))
        if not duel:
            continue
        pairs = [
            (sum(map(int, mine.split("+"))), int(theirs)) for mine, theirs in re.findall(r"([\d+]+) to (\d)", duel[2])
        ]
        won, lost = (sum(sign * mine > sign * theirs for mine, theirs in pairs) for sign in (1, -1))
        needed = 1 if len(pairs) == 1 else 2
        assert duel[3] == ("won" if won >= needed else "lost" if lost >= needed else "tied")
        seat = before["seat"]
        held = ply.after["hands"][seat] if target < 41 else [card for card, _ in ply.after["zones"][seat]]
        assert (target in held) == (duel[3] == "won")
        loses = ply.after["phase"] == "lose" and ply.after["to_move"] == seat
        assert loses == (duel[3] == "lost" and "no card to discard" not in words(ply))
        seen.add((duel[3], len(pairs)))
    assert len(seen) >= 4


def test_the_ships_die_does_what_it_shows() -> None:
    setup = make_setup("vague-attaque", 1)
    faces = setup.options["deck"].cards["solo_die"]["faces"]
    seen = set()
    for before, ply, _ in plies(setup, games=2):
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
def test_sea_change_shows_whole_tricks_and_rounds(players: int, variants: tuple[str, ...]) -> None:
    setup = make_setup("sea-change", players, variants)
    in_trick = int(setup.rules[0].in_trick)
    rounds = 0
    for before, ply, match in plies(setup):
        text = words(ply)
        trick = re.search(r"trick: (.*); (.*) takes it with (\w+ \d+)", text)
        assert bool(trick) == (len(before["trick"]) + (2 if players == 1 else 1) == in_trick)
        if trick:
            assert trick[1].count(",") == in_trick - 1
            assert trick[3] in trick[1]
        drawn = re.search(r"draws (\w+ \d+)", text)
        assert bool(drawn) == (players == 2 and bool(before["pile"]))
        if "ends with trump" in text:
            rounds += 1
            scores = [int(score) for score in re.findall(r"(?:team|seat|player|ai)(?: \d)?: (-?\d+)", text)]
            assert scores == [int(score) for score in match.state.scores[: int(setup.rules[0].sides)]]
            assert "a victory point for" in text
    assert rounds == (3 if players == 1 else 1) or rounds > 1


def test_a_solo_round_without_an_8_is_lost() -> None:
    lost = 0
    for before, ply, match in plies(make_setup("sea-change", 1), games=4):
        if "ends with trump" in words(ply):
            shown = "captured no 8: the round is lost" in words(ply)
            lost += shown
            assert not shown or int(match.state.won) == 2
            assert shown or before["round"] >= 0
    assert lost


@pytest.mark.parametrize("variants", [(), ("open",)])
def test_rounds_of_land_unter_add_up(variants: tuple[str, ...]) -> None:
    rounds = 0
    for before, ply, _ in plies(make_setup("land-unter", 4, variants)):
        text = words(ply)
        assert ("takes water" in text) == (ply.after["tricks"] > before["tricks"])
        if "is over:" in text:
            rounds += 1
            gains = [int(gain) for gain in re.findall(r"seat \d ([+-]\d+) \(", text)]
            assert gains == [now - then for now, then in zip(ply.after["points"], before["points"], strict=True)]
    assert rounds == 4


def test_vague_verte_shows_missed_turns() -> None:
    missed = 0
    for before, ply, _ in plies(make_setup("vague-verte", 4), games=2):
        turns = re.findall(r"turn (\d+): seat (\d) (\w+)", words(ply))
        skipped = ply.after["turn"] - before["turn"] - (before["stage"] == "play")
        assert len(turns) == skipped
        for later, (turn, seat, what) in enumerate(turns, 1):
            assert (int(turn), int(seat)) == (before["turn"] + 1 + later, (before["seat"] + later) % 4)
            missed += what == "misses"
        if ply.action.startswith("draw"):
            (drawn,) = set(ply.after["hands"][ply.seat]) - set(before["hands"][ply.seat])
            assert f"draws {ply.events[0].removeprefix('draws ')}" == ply.events[0]
            assert ply.after["drawn"] == drawn
    assert missed


@pytest.mark.parametrize("players", [2, 3])
def test_wave_shows_draws_and_inversions(players: int) -> None:
    setup = make_setup("wave", players, ("tide-colours", "nazare"))
    inversions = 0
    for before, ply, match in plies(setup):
        text = words(ply)
        turned = sum(map(int, re.findall(r"draws (\d) colour inversion card", text)))
        drawn = len(re.findall(r"draws \w+ \d+(?: as|$)", text))
        assert len(before["pile"]) - len(ply.after["pile"]) == turned + drawn
        inversions += turned
        assert ("reverse:" in text) == (ply.after["direction"] != before["direction"])
        if match.to_move() < 0:
            assert "the wave is complete" in ending(match)[0]
    assert inversions == 2


def test_the_ending_names_who_is_stuck() -> None:
    setup = make_setup("wave", 3)
    stuck = 0
    for game in range(some(6)):
        match = Match(setup, 11, game)
        while match.to_move() >= 0:
            match.apply(match.random_move())
        (line,) = ending(match)
        if "is stuck" in line:
            stuck += 1
            seat = int(match.state.acting)
            assert line.startswith(f"seat {seat} is stuck with ")
            assert line.count(",") == len(match.snapshot()["front"][seat] + match.snapshot()["back"][seat]) - 1
    assert stuck
