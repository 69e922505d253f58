"""What studies store as text is read back unchanged."""

from __future__ import annotations

import json

import pytest

from houle.analysis.studies.serialize import tally_from
from houle.solver.rules import make_setup
from houle.solver.run.tally import Tally

pytestmark = pytest.mark.quick


def test_negative_scores_are_read_back() -> None:
    setup = make_setup("sea-change", 3)
    tally = Tally.empty(setup)
    tally.totals[0].games = 4
    for side, score in enumerate((tally.lowest, -1, 7)):
        tally.histogram[side, score - tally.lowest] = 4
    read = tally_from(setup, json.loads(json.dumps(tally.as_data())))
    assert read.as_data() == tally.as_data()
    assert read.scores(1) == {-1: 4}
