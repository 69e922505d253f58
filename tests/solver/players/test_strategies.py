"""Strategies: independent luck, repeatability, line-ups, their errors, and the part of the kernels that plays them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from houle.solver.cards.weighted_sum import weighing
from houle.solver.errors import InputError
from houle.solver.interface import MAX_FEATURES
from houle.solver.matches.match import Match
from houle.solver.players import player, workspace
from houle.solver.players.names import parse
from houle.solver.players.player import LineUp, seat, seat_strategies
from houle.solver.players.workspace import PARTS, PEOPLE, SEARCHES, SOLVERS, make_thinking, part_of
from houle.solver.rules import find_game, game_names, make_setup
from houle.solver.run.playout import play_chunk
from tests.support.toys import quay_beside as quay
from tests.support.toys import toy, toy_player

pytestmark = pytest.mark.compiled

PLAYABLE = [game for game in game_names() if find_game(game).has("features")]


@pytest.mark.parametrize("game", PLAYABLE)
def test_search_never_reads_the_real_games_luck(game: str) -> None:
    setup = make_setup(game)
    for strategy in ("flat:4", "ismcts:12"):
        line_up = seat_strategies(setup, [strategy])
        match = Match(setup, seed=4, game=2)
        for _ in range(3):
            match.apply(match.random_move())
        decision = match.decide(line_up, key=5)
        for stream in ("root", "deal", "chance", "choice"):
            match.state[stream] = 12_345
            assert match.decide(line_up, key=5) == decision


@pytest.mark.parametrize("game", PLAYABLE)
def test_every_strategy_plays_and_repeats(game: str) -> None:
    setup = make_setup(game)
    for strategy in ("thumb", "thumb[temperature=500]", "flat:2", "ismcts:6"):
        games = 40 if ":" not in strategy else 1
        first = play_chunk(seat_strategies(setup, (strategy,)), 3, 0, games)
        assert first.games == games
        assert first.as_data() == play_chunk(seat_strategies(setup, (strategy,)), 3, 0, games).as_data()


def test_a_mixed_line_up_plays() -> None:
    setup = make_setup("wave", 3)
    tally = play_chunk(seat_strategies(setup, ("flat:3", "thumb", "random")), 1, 0, 5)
    assert tally.games == 5


def test_thumbs_beat_random_players() -> None:
    setup = make_setup("wave", 3)
    wins = [
        int(play_chunk(seat_strategies(setup, (name,)), 5, 0, 3_000).moments[0].share)
        for name in ("random", "thumb[temperature=2000]", "thumb")
    ]
    assert wins[0] < wins[1] < wins[2]


@pytest.mark.quick
def test_line_ups() -> None:
    setup = make_setup("wave", 3)
    assert seat_strategies(setup, ["thumb"]).names == ("thumb",) * 3
    with pytest.raises(InputError, match="2 strategies for 3 players"):
        seat_strategies(setup, ["thumb,random"])
    with pytest.raises(InputError, match="no weights 'nobody'"):
        seat_strategies(setup, ["thumb[weights=nobody]"])
    with pytest.raises(InputError, match="give it every seat"):
        seat_strategies(setup, ["clairvoyant,thumb,thumb"])
    assert seat_strategies(setup, ["thumb"]).digests != seat_strategies(setup, ["thumb[temperature=3]"]).digests


@pytest.mark.quick
def test_setup_without_weights_uses_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fewest conditions not met, then the nearest number of players."""
    whens: list[dict[str, Any]] = [{"players": 4, "nazare": True}, {"players": 2}, {"players": [3, 4], "virage": True}]
    entries = [{"name": "thumb", "when": when, "weights": {"room": i}} for i, when in enumerate(whens)]
    monkeypatch.setattr(player, "weights_of", lambda game: entries)
    used = [player.weights_entry(parse("thumb"), make_setup("wave", players))["when"] for players in (2, 3, 4)]
    assert used == [whens[1], whens[2], whens[0]]
    assert player.borrowed_weights(make_setup("wave", 2)) == ""
    assert player.borrowed_weights(make_setup("wave", 3)).endswith("the nearest are used, those for virage=True")


def test_other_weights_of_an_untuned_game_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    quay.make_known(monkeypatch)
    with pytest.raises(InputError, match=r"^quay has no weights 'bold'; there is thumb: all rules of thumb count the "):
        seat_strategies(make_setup("quay", 4), ["thumb[weights=bold]"])


PERSON = "level[slips=20,thought=1]"


def line_up(game: str, *players: str) -> LineUp:
    return seat_strategies(make_setup(game, 3), players)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("game", "players", "part"),
    [
        ("wave", [PERSON], PEOPLE),
        ("wave", [PERSON, "thumb", "random"], PEOPLE),
        ("wave", [PERSON, "flat:2", "thumb"], SEARCHES),
        ("wave", ["ismcts:2"], SEARCHES),
        ("wave", ["flat:2[judge=10]"], SOLVERS),
        ("wave", ["clairvoyant:2"], SOLVERS),
        ("land-unter", ["clairvoyant:2"], SEARCHES),  # without an exact solver
    ],
)
def test_parts_that_are_compiled_already_are_used(
    game: str, players: list[str], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "mark_of", lambda game, name: tmp_path / name)
    seated = line_up(game, *players)
    assert part_of(seated) == part
    assert make_thinking(seated.setup, seated).part == part
    for other in PARTS:
        (tmp_path / other).touch()
        if game == "wave":
            assert part_of(seated) == max(part, other, key=PARTS.index)
        (tmp_path / other).unlink()


@pytest.mark.compiled
def test_people_play_alike_in_every_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a toy, because no other test compiles what plays only people."""
    players = [toy_player(name) for name in (PERSON, "thumb", "random")]
    seated, tallies = seat(toy("equal", players=3), players), []
    for part in (PEOPLE, SEARCHES):
        monkeypatch.setattr(workspace, "part_of", lambda line_up, part=part: part)
        tallies.append(play_chunk(seated, 1, 0, 20).as_data())
    assert tallies[0] == tallies[1]


MOST = 2**31 - 1


@pytest.mark.parametrize("width", [0, 5, MAX_FEATURES])
def test_weighted_sums_are_exact(width: int) -> None:
    weigh = weighing(width)

    @numba.njit
    def weighed(weights, table, row):  # type: ignore[no-untyped-def]
        return weigh(0, weights, table, row)

    weights = np.zeros(MAX_FEATURES, np.int64)
    weights[:width] = np.random.default_rng(1).integers(-MOST, MOST, width)
    table = np.random.default_rng(2).integers(-MOST, MOST, (3, MAX_FEATURES))
    table[1] = -MOST
    for row in range(len(table)):
        wanted = sum(int(weight) * int(value) for weight, value in zip(weights, table[row], strict=True))
        assert weighed(weights, table, row) == (wanted + 2**63) % 2**64 - 2**63
