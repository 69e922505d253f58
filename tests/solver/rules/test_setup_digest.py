"""The digest of a setup: what names it, and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from houle.solver.rules import Setup, game_names, make_setup

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3)


def with_knob(setup: Setup, value: int) -> Setup:
    """The setup in a game with one more knob, whose default is 0."""
    knob = replace(setup.ruleset.knobs["hand.front"], name="new", default=0, by_players={}, low=0, high=9)
    ruleset = replace(setup.ruleset, knobs={**setup.ruleset.knobs, "new": knob})
    return replace(setup, ruleset=ruleset, options={**setup.options, "new": value})


def test_a_new_knob_renames_nothing() -> None:
    assert with_knob(WAVE, 0).digest == WAVE.digest
    assert with_knob(WAVE, 1).digest != WAVE.digest


def test_a_knob_set_to_its_default_renames_nothing() -> None:
    assert make_setup("wave", 3, settings={"hand.front": 3}).digest == WAVE.digest
    assert make_setup("wave", 3, settings={"hand.front": 4}).digest != WAVE.digest


def test_players_variants_and_version_are_named() -> None:
    newer = replace(WAVE, ruleset=replace(WAVE.ruleset, version=WAVE.ruleset.version + 1))
    digests = {WAVE.digest, newer.digest, make_setup("wave", 2).digest, make_setup("wave", 3, ["virage"]).digest}
    assert len(digests) == 4


def test_knobs_without_effect_are_left_out() -> None:
    """Knobs that need another knob, which is off."""
    idle = [
        (setup, knob.name)
        for game in game_names()
        for setup in [make_setup(game)]
        for knob in setup.ruleset.knobs.values()
        if not knob.in_force(setup.options)
    ]
    assert idle
    for setup, knob in idle:
        assert replace(setup, options={**setup.options, knob: object()}).digest == setup.digest
