"""`houle check` accuses no sound game: both checks of imagined worlds on all games, examples and variations.

Without the compiler (NUMBA_DISABLE_JIT=1) it is the check that deals one card anew, as in `houle check`, and classes in
plain Python are checked whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.checks.check import run_checks, setups_of
from houle.analysis.checks.worlds import worlds_are_uniform
from houle.cli.commands.new import LIKE, SKELETON
from houle.solver.compiler.kernels import JIT
from houle.solver.invariants.errors import FAILED, InvariantBroken
from houle.solver.invariants.redealt import hidden_cards_are_imagined_anew
from houle.solver.rules import Setup, game_names, make_setup
from houle.solver.rules.game_folders import look_in, name_plain
from tests.solver.plain.small_games import RACE
from tests.support.toys.shared_dig import SOUND

pytestmark = pytest.mark.slow

SEEDS = range(1, 6)
EXAMPLES = Path(__file__).parents[3] / "examples" / "games"
COMPILED = ("quay", "six_nimmt")  # examples that are compiled
PLAIN = ("hanabi", "the_game", "six_nimmt")  # examples that are a class with worlds of its own
CREW = Path(__file__).parents[2] / "support" / "toys" / "crew.py"


@dataclass(frozen=True)
class Variation:
    """A setup beside those that `houle check` tries by itself."""

    game: str
    players: int
    knobs: Mapping[str, Any] = field(default_factory=dict)
    variants: tuple[str, ...] = ()

    @property
    def setup(self) -> Setup:
        return make_setup(self.game, self.players, self.variants, self.knobs)


VARIATIONS = (
    Variation("wave", 3, {"hand.front": 1, "hand.back": 0}),
    Variation("wave", 3, {"hand.front": 1, "hand.back": 0}, ("nazare",)),
    Variation("wave", 3, {"facedown": "free", "hand.front": 1, "hand.back": 1}, ("nazare",)),
    Variation("wave", 2, {"dummy.up": 2, "hand.front": 2}),
    Variation("wave", 4, {"talk": "silent"}, ("virage", "tide-colours")),
    Variation("wave", 3, {"talk": "points", "hand.back": 3}),
    Variation("vague-verte", 2, {"hand": 2}, ("match",)),
    Variation("vague-verte", 3, {"road": 4, "deck.tows": 3}),
    Variation("vague-verte", 4, {"hand": 3}, ("forced", "last-square")),
    Variation("vague-attaque", 3, {"hand_limit": 3}),
    Variation("vague-attaque", 4, {"partner_gold": "parry"}, ("teams",)),
    Variation("vague-attaque", 2, {"deck": "example"}),
    Variation("land-unter", 4, {"hand": 5}, ("open",)),
    Variation("land-unter", 3, {"hand": 3, "winner_takes": "choice"}),
    Variation("land-unter", 5, {"memory": "round", "rounds": 2}),
    Variation("land-unter", 3, {"hand": 4, "deck.weather": 13}),
    Variation("sea-change", 2, {"hand": 5}),
    Variation("sea-change", 4, {"hand": 4}, ("2v2",)),
    Variation("sea-change", 3, {"deck.colours": 4, "hand": 6}),
    Variation("sea-change", 6, {"hand": 7}, ("3v3",)),
)


def accused(setups: list[Setup], seed: int) -> str:
    """What the check says against these setups, as `houle check -n 1` runs it; empty if they pass."""
    try:
        if JIT and (exact := [setup for setup in setups if not setup.worlds_forget]):
            worlds_are_uniform(exact, 1, seed)
        for setup in () if JIT else setups[:: max(1, len(setups) - 1)]:  # the first and the last, as in `check`
            hidden_cards_are_imagined_anew(setup, 1, seed)
    except InvariantBroken as fault:
        return str(fault)
    return ""


@pytest.mark.parametrize("one", [*game_names(), *VARIATIONS, *COMPILED], ids=str)
def test_sound_games_are_not_accused(one: str | Variation) -> None:
    if one in COMPILED:
        look_in(EXAMPLES / str(one) / str(one))
    setups = setups_of(one.replace("_", "-")) if isinstance(one, str) else [one.setup]
    assert [accused(setups, seed) for seed in SEEDS] == [""] * len(SEEDS)


TEXTS = {like: (SKELETON / f"{like.replace('-', '_')}.txt").read_text("utf-8") for like in LIKE}
TEXTS |= {f"dig with {name}": code for name, code in SOUND.items()}
TEXTS |= {"race with luck": RACE, "crew": CREW.read_text()}


@pytest.mark.skipif(JIT, reason="classes are played without the compiler")
@pytest.mark.parametrize("name", [*TEXTS, *PLAIN])
def test_sound_classes_are_not_accused(name: str, tmp_path: Path) -> None:
    file = tmp_path / "sound.py" if name in TEXTS else EXAMPLES / name / name / "plain.py"
    if name in TEXTS:
        file.write_text(TEXTS[name])
    name_plain(str(file))
    for seed in SEEDS:
        failed = [
            one.words
            for one in run_checks(str(file), players=(), games=4, seed=seed, bounds=False, few=False)
            if one.verdict == FAILED
        ]
        assert failed == [], seed
