"""The first check of `make test`: one digest for each game and kind of player, in seconds.

A kernel that is broken in any game shows here before minutes of other tests have run.
"""

from __future__ import annotations

import pytest

from houle.solver.rules import game_names
from tests.support import digests

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("game", game_names())
def test_every_kind_of_player_plays_as_before(game: str) -> None:
    made = dict(text.rsplit(",", 1) for text in digests.first_lines(game))
    kept = {head: digest for head, digest in digests.kept(digests.FIRST_FILE).items() if head.startswith(f"{game},")}
    assert made == kept, "if that is meant: make golden"
