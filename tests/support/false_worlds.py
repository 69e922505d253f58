"""Runs the two checks of worlds on classes in plain Python, and prints what each finds: FILE ..."""

from __future__ import annotations

import json
import sys

from houle.analysis.checks.check import setups_of
from houle.analysis.checks.worlds import worlds_are_uniform
from houle.solver.invariants import InvariantBroken
from houle.solver.invariants.redealt import hidden_cards_are_imagined_anew
from houle.solver.rules.game_folders import name_plain


def found_in(file: str) -> str:
    """What is false in the worlds of a class; empty if nothing is found."""
    name_plain(file)
    setups = setups_of(file, (3,))
    try:
        hidden_cards_are_imagined_anew(setups[0], 1, 1)
        worlds_are_uniform(setups, 1, 1)
    except InvariantBroken as fault:
        return str(fault)
    return ""


if __name__ == "__main__":
    print(json.dumps({file: found_in(file) for file in sys.argv[1:]}))
