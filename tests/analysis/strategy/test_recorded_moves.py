"""Moves of recorded games: whose they are, how likely nodes make them, and errors in records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import houle
from houle.analysis.players.plane import Numbers, log_prior, nodes, points
from houle.analysis.run_options import RunSpec
from houle.analysis.strategy import recorded_moves
from houle.analysis.strategy.recorded_moves import (
    RecordedMoves,
    _seats_of,
    averaged_over_noise,
    is_record,
    likelihood_of_moves,
    log_chance,
    made_chances,
    read_moves,
    words_of,
)
from houle.solver.errors import InputError
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import read_record
from houle.solver.players.names import parse
from houle.solver.rules import make_setup

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3)


@pytest.fixture(scope="module")
def record() -> str:
    return houle.trace(WAVE, strategies="thumb", seed=7, game=3).record().as_text().replace("strategies: thumb\n", "")


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chances that are not counted: every move is of a person with slips of 20 and thought of 4."""

    def chances(moves: list[Match], actions: list[int], player: str, *_: object) -> tuple[Numbers, Numbers]:
        options = parse(player).options
        far = abs(options.get("slips", 0) - 20) / 60 + abs(options.get("thought", 0) - 4) / 16
        return np.full(len(actions), 0.7 - 0.4 * far), np.full(len(actions), 0.01)

    monkeypatch.setattr(recorded_moves, "made_chances", chances)


def test_only_moves_of_the_group_with_a_choice_count(record: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(record)
    assert is_record(str(file))
    [every] = read_moves([file], "wave")
    assert {match.to_move() for match in every.matches} == {0, 1, 2}
    assert all(len(match.moves()) > 1 for match in every.matches)
    [first], [others] = read_moves([record], "wave", [0]), read_moves([record], "wave", [1, 2])
    assert {match.to_move() for match in first.matches} == {0}
    assert len(first.matches) + len(others.matches) == len(every.matches)
    [both] = read_moves([record, file], "wave")
    assert (len(both.games), len(both.matches)) == (2, 2 * len(every.matches))


def test_notes_of_a_seat_count_for_that_seat(record: str) -> None:
    notes = replace(read_record(record), seen_by=1)
    assert _seats_of(notes, ()) == _seats_of(notes, (0, 1)) == {1}
    with pytest.raises(InputError, match=r"seen by: these are notes of seat 2, which is not of your group"):
        _seats_of(notes, (0,))


@pytest.mark.parametrize(
    ("change", "seats", "complaint"),
    [
        (("game: wave", "game: land-unter"), (), "game.txt: game: this text is for land-unter, not for wave"),
        (("game: wave", "game: waves"), (), "game.txt: game: unknown game 'waves'"),
        (("move 2: seat 3", "move 2: seat 9"), (), "game.txt: move 2: "),
        (("move 1:", "move one:"), (), "game.txt: "),
        (("deal: 7/3", "deal: 7/3\nstrategies: family"), (), "game.txt: family took part; say which seats are of your"),
        (("", ""), (5,), "game.txt: seats: there is no seat 6; allowed: 1 to 3"),
    ],
)
def test_errors_name_the_record(
    change: tuple[str, str], seats: tuple[int, ...], complaint: str, record: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(record.replace(*change, 1) if change[0] else record)
    with pytest.raises(InputError) as fault:
        read_moves([file], "wave", seats)
    assert complaint in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.usefixtures("made_up")
def test_moves_tell_slips_from_thought(record: str) -> None:
    fit = houle.calibrate(WAVE, records=[record])
    assert fit.slips.low <= 20 <= fit.slips.high
    assert fit.thought.low <= 4
    assert fit.slips.high - fit.slips.low < 25
    assert fit.level.n == fit.as_json()["recorded_games"] == 1
    assert fit.evidence == f"1 game with {fit.as_json()['recorded_moves']} moves"
    best = points()[np.argmax(fit.likelihood)]
    assert best[0] == 1
    assert best[1] >= 3


@pytest.mark.usefixtures("made_up")
def test_more_thought_than_the_last_level_is_not_told_apart(record: str) -> None:
    likelihood, noise = likelihood_of_moves(read_moves([record], "wave"), RunSpec())
    by_node = dict(zip(map(tuple, points().tolist()), likelihood, strict=True))
    assert by_node[1.0, 3.0] == by_node[1.0, 4.0] > by_node[1.0, 1.0]
    assert noise.shape == (len(nodes()),)


def test_noise_flattens_the_chances_of_points() -> None:
    likelihood = -2 * ((points() - 1) ** 2).sum(axis=1)
    assert np.allclose(averaged_over_noise(likelihood, np.zeros(len(nodes()))), likelihood)

    def wide(flat: Numbers) -> float:
        chances = np.exp(flat + log_prior())
        chances /= chances.sum()
        return float(chances @ ((points() - chances @ points()) ** 2).sum(axis=1))

    assert wide(averaged_over_noise(likelihood, np.full(len(nodes()), 9.0))) > 1.2 * wide(likelihood)


def test_what_a_group_is_placed_by_in_words(record: str) -> None:
    moves = read_moves([record], "wave")
    number = len(moves[0].matches)
    assert words_of(40, []) == "40 results"
    assert words_of(1, moves) == f"1 result and 1 game with {number} moves"
    assert words_of(0, [RecordedMoves()]) == "0 results"


@pytest.mark.compiled
def test_moves_of_beginners_are_less_likely_for_seasoned_players() -> None:
    """Two games of each; the moves are likelier for the level that played them than for the other."""
    for level, other in (("first-game", "seasoned"), ("seasoned", "first-game")):
        games = [houle.trace(WAVE, strategies=level, seed=7, game=number).record().as_text() for number in range(2)]
        [own] = read_moves(games, "wave", [0, 1, 2])
        nats = [
            log_chance(*made_chances(own.matches, own.actions, who, 40, 0.05, 1, 1)).sum() for who in (level, other)
        ]
        assert nats[0] > nats[1] + 3
