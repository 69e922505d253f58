"""Tuning of a search: candidates play the same training deals, and the best becomes an entry of the weights file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import houle.analysis.tuning.weights_file as weights_files
from houle.analysis.tuning.tune_search import CAUTIONS, SearchTuning, tune_search
from houle.analysis.tuning.tuning_run import TuningInterrupted
from houle.solver.errors import InputError
from houle.solver.players.names import parse
from houle.solver.players.player import player_record, weights_entry
from houle.solver.players.weights import read_weights
from houle.solver.rules import make_setup
from tests.support.call import call

pytestmark = pytest.mark.compiled

WAVE = make_setup("wave", 3)


@pytest.fixture(scope="module")
def result() -> SearchTuning:
    return tune_search(WAVE, "flat:2", games=3, threads=1)


def test_the_best_candidate_becomes_a_playable_entry(result: SearchTuning) -> None:
    assert [one.caution for one in result.tried[: len(CAUTIONS)]] == list(CAUTIONS)
    assert result.caution in CAUTIONS
    assert (result.caution, result.noise) in {(one.caution, one.noise) for one in result.tried}
    assert result.entry["weights"] == weights_entry(parse("thumb"), WAVE)["weights"]
    assert result.entry["when"] == {"players": 3}
    assert result.over_thumb.n == 3
    assert "--search flat:2" in result.repeat()
    strategy = parse("flat:2")
    record = player_record(type(strategy)(strategy.text, "flat", 2, {}, result.entry), WAVE)[0]
    assert record.caution == round(1000 * result.caution)
    assert result.as_json()["tried"][0]["win"]["n"] == 3
    assert len(result.frame()) == len(result.tried)


def test_ctrl_c_leaves_no_result() -> None:
    def stop(done: int, seconds: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(TuningInterrupted, match=r"^interrupted$"):
        tune_search(WAVE, "flat:2", games=3, progress=stop)


def test_saved_settings_are_read_back(result: SearchTuning, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "weights.toml"
    monkeypatch.setattr(weights_files, "weights_file", lambda game: file)
    stored = replace(result, caution=result.caution + 1).store()
    assert stored.written == file
    entry = read_weights(file)["player"][0]
    assert (entry["caution"], entry["noise"]) == (stored.caution, stored.noise)
    assert entry["careful"] == stored.how


@pytest.mark.quick
def test_other_players_and_evaluation_seeds_are_refused() -> None:
    with pytest.raises(InputError, match="allowed: flat:N or ismcts:N"):
        tune_search(WAVE, "thumb")
    with pytest.raises(InputError, match="allowed for tuning: 1000"):
        tune_search(WAVE, "flat:2", seed=1)
    assert call("tune", "wave", "--search", "random").exit_code == 2
