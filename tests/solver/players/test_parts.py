"""Line-ups that think are played by the part of the kernels that they need, or by a greater one that is compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.solver.players import workspace
from houle.solver.players.player import LineUp, seat_strategies
from houle.solver.players.workspace import PARTS, PEOPLE, SEARCHES, SOLVERS, make_thinking, part_of
from houle.solver.rules import make_setup
from houle.solver.run.playout import play_chunk

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
    seated, tallies = line_up("land-unter", PERSON, "thumb", "random"), []
    for part in (PEOPLE, SEARCHES):
        monkeypatch.setattr(workspace, "part_of", lambda line_up, part=part: part)
        tallies.append(play_chunk(seated, 1, 0, 20).as_data())
    assert tallies[0] == tallies[1]
