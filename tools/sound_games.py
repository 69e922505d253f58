"""Whether `houle check` accuses sound games: both checks of imagined worlds on all games, examples and variations.

    python -m tools.sound_games                          all cases, with five seeds each
    NUMBA_DISABLE_JIT=1 python -m tools.sound_games      the check that deals one card anew, which runs so in `check`

Prints a line per case and, at the end, how many runs there were and how many accused a game.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from houle.analysis.checks.check import setups_of
from houle.analysis.checks.worlds import worlds_are_uniform
from houle.solver.compiler.kernels import JIT
from houle.solver.invariants.errors import InvariantBroken
from houle.solver.invariants.redealt import hidden_cards_are_imagined_anew
from houle.solver.rules import Setup, game_names, make_setup
from houle.solver.rules.game_folders import look_in, name_plain

SEEDS = range(1, 6)
CLASSES = ("hanabi",)  # examples that are classes in plain Python
EXAMPLES = Path(__file__).parents[1] / "examples" / "games"


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


def cases() -> dict[str, list[Setup]]:
    """All setups that are tested together, by their name."""
    found = {one.setup.summary: [one.setup] for one in VARIATIONS}
    found |= {game: setups_of(game) for game in game_names()}
    for folder in sorted(EXAMPLES.iterdir()):
        name = folder.name.replace("_", "-")
        if name not in CLASSES:
            look_in(folder / folder.name)
            found[f"{name} (example)"] = setups_of(name)
    for name in () if JIT else CLASSES:  # a class is played without the compiler
        file = str(EXAMPLES / name / name / "plain.py")
        name_plain(file)
        found[f"{name} (example)"] = setups_of(file)
    return found


def accused(setups: list[Setup], seed: int) -> str:
    """What the check says against these setups, as `houle check -n 1` runs it; empty if they pass."""
    try:
        exact = [setup for setup in setups if not setup.worlds_forget]
        if exact and (JIT or exact[0].game.class_view is not None):
            worlds_are_uniform(exact, 1, seed)
        for setup in () if JIT else setups[:: max(1, len(setups) - 1)]:  # the first and the last, as in `check`
            hidden_cards_are_imagined_anew(setup, 1, seed)
    except InvariantBroken as fault:
        return str(fault)
    return ""


def main() -> int:
    runs = failures = 0
    whole = time.process_time()
    for name, setups in cases().items():
        if setups[0].ruleset.all_open:
            continue
        start = time.process_time()
        said = [words for seed in SEEDS if (words := accused(setups, seed))]
        runs, failures = runs + len(SEEDS), failures + len(said)
        print(f"{name}: accused {len(said)} of {len(SEEDS)}, {time.process_time() - start:.1f} CPU s", flush=True)
        for words in said:
            print(f"    {words}", flush=True)
    print(f"{failures} of {runs} runs accuse a game, {time.process_time() - whole:.0f} CPU s")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
