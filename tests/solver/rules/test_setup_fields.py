"""A setup as fields and as a digest: what is written is read again, links name no files, and what names a setup."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houle.analysis.result import words_of_setup
from houle.analysis.studies.serialize import setup_from, setup_text
from houle.solver.errors import InputError, RulesError
from houle.solver.rules import Deck, Knob, Setup, game_names, load, make_setup, parse_settings
from houle.solver.rules.decks import deck_names

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3)
SHIP = make_setup("vague-attaque", 3)


def other_value(luck: random.Random, knob: Knob, now: Any) -> Any:
    """Another value of a knob; None for a deck."""
    if knob.type in ("ints", "names"):
        return now[1:]
    if knob.choices:
        return luck.choice(knob.choices)
    return not now if knob.type == "bool" else now + 1 if knob.type == "int" else None


def some_setups(game: str, number: int) -> list[Setup]:
    """Setups with some knobs turned; changes that the rules forbid are left out."""
    luck, ruleset, found = random.Random(game), load(game), list[Setup]()
    while len(found) < number:
        setup = make_setup(game, variants=luck.sample(sorted(ruleset.variants), min(1, len(ruleset.variants))))
        for knob in luck.sample(list(ruleset.knobs.values()), 3):
            with suppress(InputError):
                setup = setup.turned({knob.name: other_value(luck, knob, setup.options[knob.name])})
        found.append(setup)
    return found


@pytest.mark.parametrize("game", game_names())
def test_fields_words_and_studies_give_the_setup_again(game: str) -> None:
    for setup in some_setups(game, 12):
        again = Setup.read(setup.fields())
        assert (again.digest, again.fields()) == (setup.digest, setup.fields())
        named = replace(setup, title="Mine")
        stored = setup_from(setup_text(named), setup.digest)
        assert (stored.title, stored.fields(), stored.options) == ("Mine", setup.fields(), setup.options)
        assert stored.changed == setup.changed
        words = words_of_setup(setup)
        pairs = [words[i + 1] for i, word in enumerate(words) if word == "--set"]
        typed = make_setup(game, setup.players, setup.variants, parse_settings(setup.ruleset, pairs))
        assert typed.digest == setup.digest


def test_turned_rules_are_those_of_a_new_setup() -> None:
    turned = WAVE.turned({"hand.front": 4, "deck.missing+": ["red 3"]}, "--set")
    made = make_setup("wave", 3, (), {"hand.front": 4, "deck.missing+": ["red 3"]})
    assert (turned.digest, turned.options, turned.changed) == (made.digest, made.options, made.changed)
    assert turned.turned({"hand.front": None, "deck.missing": None}) == WAVE
    with pytest.raises(RulesError, match=r"here: hand\.front: 99 is not allowed"):
        WAVE.turned({"hand.front": 99}, "here")
    with pytest.raises(RulesError, match="wave: players: 9 is not allowed"):
        WAVE.turned({}, players=9)


def test_other_players_and_variants_keep_changed_rules() -> None:
    own = replace(make_setup("wave", 3, (), {"hand.front": 4}, place="my.toml"), title="Storm")
    more = own.turned({"hand.back": 3}, players=4, variants=["virage"])
    assert (more.players, more.variants, more.title) == (4, ("virage",), "Storm")
    assert more.changed == {"hand.front": "my.toml", "hand.back": "set"}
    assert more.digest == make_setup("wave", 4, ["virage"], {"hand.front": 4, "hand.back": 3}).digest


def test_fields_name_no_file(tmp_path: Path) -> None:
    """Not even one that is a good deck, unless the setup beside it was made with it."""
    folder = SHIP.ruleset.knobs["deck"].folder
    assert folder
    shipped = folder / "decks" / f"{deck_names(folder)[0]}.toml"
    file = tmp_path / "mine.toml"
    file.write_text(shipped.read_text())
    fields = {"game": "vague-attaque", "players": "3", "set deck": str(file)}
    for near in (None, SHIP, WAVE):
        with pytest.raises(RulesError, match=r"set: deck: .* is not allowed; allowed: "):
            Setup.read(fields, near)
    mine = Setup.read(fields, files=True)
    own = replace(mine.options["deck"], name="mine")
    near = replace(SHIP, options={**SHIP.options, "deck": own}, changed={"deck": "--set"})
    assert Setup.read({"set deck": "mine"}, near).options["deck"] == own
    assert isinstance(own, Deck)
    assert own.path == str(file)


def test_missing_fields_are_those_of_the_setup_beside() -> None:
    four = make_setup("wave", 4)
    assert Setup.read({}, four).players == 4
    assert Setup.read({"game": "land-unter"}, four).players == 3
    for fields, fault in {
        ("game", "../wave"): "unknown game",
        ("players", "x"): "players: 'x' is not allowed",
        ("variants", "none"): "unknown variant",
        ("set nothing", "1"): "wave has no knob 'nothing'",
    }.items():
        with pytest.raises(RulesError, match=fault):
            Setup.read(dict([fields]), four)


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


@pytest.mark.parametrize("game", game_names())
def test_bytes_between_rules_fields_are_zero(game: str) -> None:
    """Memory that was used before is full of other bytes: a record made from it must not keep them."""
    for _ in range(20):
        made = make_setup(game)
        blank = np.zeros(1, made.game.RULES)
        used = [np.full(blank.nbytes, 0xFF, np.uint8) for _ in range(20)]
        del used
        for name in blank.dtype.names or ():
            blank[name] = made.rules[name]
        assert made.rules.tobytes() == blank.tobytes()
