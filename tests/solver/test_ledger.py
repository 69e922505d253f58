"""Ledgers: openings, final states, who led when; forbidden moves; the log of decisions; and sums of chunks."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from houle.solver import interface
from houle.solver.errors import InputError
from houle.solver.matches.match import Match
from houle.solver.players.decision_log import blank_log
from houle.solver.players.player import seat_strategies
from houle.solver.players.workspace import make_thinking
from houle.solver.rules import find_game, game_names, make_setup
from houle.solver.run.playout import decide, play_chunk
from houle.solver.run.tally import Tally, blank_ledger, columns
from tests.support.amounts import some

pytestmark = pytest.mark.compiled

GAMES = some(2)
THUMBED = [game for game in game_names() if find_game(game).has("features")]


def stands(match: Match) -> list[int]:
    """The values of `standing`, computed from the snapshot."""
    seen, setup = match.snapshot(), match.setup
    rules = setup.rules[0]
    if setup.ruleset.name == "sea-change":
        return [1000 * vp + (0 if seen["over"] else p) for vp, p in zip(seen["vp"], seen["points"], strict=True)]
    if setup.ruleset.name == "land-unter":
        now = [
            int(rules.eliminated) if out else belts * int(rules.belt)
            for out, belts in zip(seen["out"], seen["belts"], strict=True)
        ]
        return [p + (0 if seen["over"] else n) for p, n in zip(seen["points"], now, strict=True)]
    if setup.ruleset.name == "vague-verte":
        return [len(road) for road in seen["roads"]]
    zones = [sum(len(lying) for _, lying in zone) for zone in seen["zones"]]
    return [100 * done + lying for done, lying in zip(seen["validated"], zones, strict=True)]


def alone_in_front(values: list[int]) -> int:
    best = max(values)
    return values.index(best) + 1 if values.count(best) == 1 else 0


@pytest.mark.parametrize("game", THUMBED)
def test_ledger_matches_games_stepped_by_hand(game: str) -> None:
    setup = make_setup(game)
    sides = int(setup.rules[0].sides)
    ledger = blank_ledger(GAMES, sides)
    openings, final_states = interface.blank(setup.game.STATE, GAMES), interface.blank(setup.game.STATE, GAMES)
    whole = play_chunk(
        seat_strategies(setup, ("thumb",)), 3, 0, GAMES, ledger=ledger, openings=openings, final_states=final_states
    )
    line_up = seat_strategies(setup, ["thumb"])
    for number in range(GAMES):
        match = Match(setup, 3, number)
        assert setup.game.snapshot(openings[number], setup) == match.snapshot()
        course, signals = [], 0
        while match.to_move() >= 0:
            signals += match.is_signal()
            match.apply(match.decide(line_up))
            if game != "wave":
                course.append(alone_in_front(stands(match)))
        assert setup.game.snapshot(final_states[number], setup) == match.snapshot()
        assert (ledger.plies[number, :] == match.ply - signals).all()
        assert ledger.share[number, :].tolist() == match.result()["shares"]
        check_course(ledger[number], course)
    again = play_chunk(seat_strategies(setup, ("thumb",)), 3, 0, GAMES, openings=openings, given=True)
    assert again.as_data() == whole.as_data()


def check_course(row: Any, course: list[int]) -> None:
    leaders = [leader for leader in course if leader]
    changes = sum(1 for before, after in pairwise(leaders) if before != after)
    assert (row.changes[:] == changes).all()
    for side in range(len(row)):
        ahead = [leader == side + 1 for leader in course]
        decided = len(course) - next((i for i, led in enumerate(reversed(ahead)) if not led), len(course))
        if course:
            assert row.decided[side] == (decided if ahead[-1] else len(course))
        quarters = sum(1 << q for q in range(3) if course and ahead[(q + 1) * len(course) // 4])
        assert row.quarters[side] == quarters


@pytest.mark.parametrize("game", THUMBED)
def test_forbidden_moves_are_made_only_when_forced(game: str) -> None:
    setup = make_setup(game, variants=["virage", "nazare"] if game == "wave" else ())
    made = set()
    for category in setup.game.CATEGORIES:
        free, bound = seat_strategies(setup, ["thumb"]), seat_strategies(setup, [f"thumb[never={category}]"])
        match = Match(setup, 1)
        while match.to_move() >= 0:
            categories = {action: match.categories(action) for action in match.moves()}
            choice = match.decide(bound)
            assert category not in categories[choice] or all(category in each for each in categories.values())
            match.apply(match.decide(free))
            made |= {category} if any(category in each for each in categories.values()) else set()
    assert len(made) >= len(setup.game.CATEGORIES) - 2  # some are rare in one game


def test_without_and_never_take_known_names_only() -> None:
    setup = make_setup("wave")
    name = setup.game.FEATURES[0][0]
    record = seat_strategies(setup, [f"thumb[without={name}]"]).records[0]
    assert record.weights[0] == 0
    assert record.weights[1:].any()
    with pytest.raises(InputError, match="no sort of move 'swop'; did you mean 'swap'"):
        seat_strategies(setup, ["thumb[never=swop]"])
    with pytest.raises(InputError, match="no rule of thumb 'luck'"):
        seat_strategies(setup, ["thumb[without=luck]"])


@pytest.mark.parametrize("game", THUMBED)
def test_every_decision_of_flat_search_is_noted(game: str) -> None:
    setup, note, forced = make_setup(game), blank_log(), 0
    line_up, match = seat_strategies(setup, ("flat:4",)), Match(setup, 3)
    thinking, moves = make_thinking(setup, line_up, note), np.zeros(setup.game.MAX_MOVES, np.int64)
    while match.to_move() >= 0:
        action = decide(line_up, match.states.copy(), match.ply, thinking, moves=moves)
        assert 1 <= note[0].kinds <= len(match.moves())
        assert note[0].worlds == (2 if note[0].kinds > 1 else 0)
        if note[0].kinds == 1:
            forced += 1
            assert not any(note[0][name] for name in ("second", "random", "random_squared", "share"))
        match.apply(action)
    assert forced < match.ply


def test_plays_of_a_deal_have_their_own_luck() -> None:
    """The same cards, other choices at random."""
    setup, ledgers = make_setup("land-unter", 3), []
    for replay in (0, 0, 1):
        ledgers.append(blank_ledger(40, 3))
        play_chunk(seat_strategies(setup, ("random",)), seed=3, first=7, number=40, replay=replay, ledger=ledgers[-1])
    first, again, other = (ledger.points for ledger in ledgers)
    assert (first == again).all()
    assert (first != other).any()


@pytest.mark.quick
def test_every_number_of_two_tallies_is_added() -> None:
    both = [Tally.empty(make_setup("wave", 3)) for _ in range(2)]
    parts = [(columns(one.totals), one.counts, columns(one.moments), one.histogram) for one in both]
    for number, arrays in enumerate(parts, 1):
        for array in arrays:
            array[:] = number
    both[0].add(both[1])
    assert all(array.size and (array == 3).all() for array in parts[0])
    assert all((array == 2).all() for array in parts[1])
