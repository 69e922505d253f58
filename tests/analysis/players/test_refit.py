"""Players fitted to a setup: found once, kept by the setup's digest, used by all players there and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

import houle
from houle.analysis.players import refit as refitting
from houle.analysis.players.refit import made_for_print
from houle.solver.players.names import parse
from houle.solver.players.player import weights_entry
from houle.solver.rules import Setup, make_setup, printed

pytestmark = pytest.mark.compiled

OWN = make_setup("wave", 3, (), {"hand.front": 4, "hand.back": 1})
ENTRY = {"name": "thumb", "weights": {"room": 7}, "gain": [0.03, 0.02, 0.04, 800]}


@pytest.fixture
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and short tunings."""
    monkeypatch.setattr(refitting, "cache_folder", lambda: tmp_path)
    for name, value in (("GENERATIONS", 2), ("POPULATION", 4), ("GAMES", 40)):
        monkeypatch.setattr(refitting, name, value)
    return tmp_path


def with_weights(setup: Setup) -> Setup:
    return Setup(setup.ruleset, setup.players, setup.variants, setup.options, setup.title, setup.changed, ENTRY)


def test_weights_are_found_once(quick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = houle.refit(OWN)
    assert len(list(quick.iterdir())) == 1
    monkeypatch.setattr(refitting, "tune", None)  # a second tuning would fail
    assert houle.refit(OWN) == first
    assert first.digest == OWN.digest


def test_all_players_of_the_setup_use_the_weights() -> None:
    own = with_weights(OWN)
    assert weights_entry(parse("thumb"), own) is ENTRY
    assert weights_entry(parse("flat:20"), own) is ENTRY
    assert not printed(own).refit
    plain, fitted = (houle.difficulty(one, strategies="family", games=200) for one in (OWN, own))
    assert plain.digest != fitted.digest
    assert plain.levels[0].beside == fitted.levels[0].beside
    assert "fitted to this variant: +3.0 points (+2.0 to +4.0) more wins" in fitted.notes[-1]
    assert not any("fitted" in note for note in plain.notes)


def test_only_own_rules_get_the_sentence() -> None:
    words = made_for_print(OWN)
    assert "made for the printed rules; --refit" in words
    assert not made_for_print(make_setup("wave", 3))
    assert not made_for_print(with_weights(OWN))
