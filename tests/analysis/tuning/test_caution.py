"""How careful a search should be: candidates on the same training deals, written beside the weights they belong to."""

from __future__ import annotations

import pytest

from houle.analysis.tuning.caution import CAUTIONS, tune_search
from houle.solver.errors import InputError
from houle.solver.ruleset import make_setup
from houle.solver.strategies.names import parse
from houle.solver.strategies.player import player_record, weights_entry
from tests.support.call import call

WAVE = make_setup("wave", 3)


def test_every_candidate_is_tried_and_the_best_is_an_entry_that_plays() -> None:
    found = tune_search(WAVE, "flat:2", games=3, threads=1)
    assert [one.caution for one in found.tried[: len(CAUTIONS)]] == list(CAUTIONS)
    assert found.caution in CAUTIONS
    assert (found.caution, found.noise) in {(one.caution, one.noise) for one in found.tried}
    assert found.entry["weights"] == weights_entry(parse("thumb"), WAVE)["weights"]
    assert found.entry["when"] == {"players": 3}
    assert found.over_thumb.n == 3
    assert "--search flat:2" in found.repeat()
    strategy = parse("flat:2")
    record = player_record(type(strategy)(strategy.text, "flat", 2, {}, found.entry), WAVE)[0]
    assert record.caution == round(1000 * found.caution)
    assert found.as_json()["tried"][0]["win"]["n"] == 3
    assert len(found.frame()) == len(found.tried)


def test_only_searches_are_careful_and_training_seeds_are_kept_apart() -> None:
    with pytest.raises(InputError, match="allowed: flat:N or ismcts:N"):
        tune_search(WAVE, "thumb")
    with pytest.raises(InputError, match="allowed for tuning: 1000"):
        tune_search(WAVE, "flat:2", seed=1)
    assert call("tune", "wave", "--search", "random").exit_code == 2
