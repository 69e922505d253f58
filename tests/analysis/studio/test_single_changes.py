"""Single changes under a rule: more games until the sign is known, and no more than that."""

from __future__ import annotations

import pytest

from houle.analysis.studio.single_changes import ROUNDS, SingleChanges
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled


def test_changes_play_until_their_sign_is_known() -> None:
    changes = SingleChanges(make_setup("wave", 3), "thumb", 1, cards=False)
    assert {"thumb"} == {*changes.base.names}
    steps = 0
    while changes.step(lambda: False):
        steps += 1
    assert changes.done
    assert steps > len({rule for rule, _ in changes.changes}), "one rule at a time, in rounds"
    games = {key: changes.effect(key).n for key in changes.found}
    known = {key for key in games if changes.effect(key).differs}
    assert games.keys() == changes.changes.keys()
    assert {games[key] for key in known} >= {*ROUNDS[:2]}
    for rule in {rule for rule, _ in games}:
        open_steps = [key for key in games if key[0] == rule and key not in known and not changes.found[key].idle]
        assert not open_steps or max(games[key] for key in open_steps) == ROUNDS[-1]
        assert [step for step, _ in changes.steps(rule)] == sorted(
            (step for name, step in known if name == rule), key=lambda step: changes.effect((rule, step)).value
        )
