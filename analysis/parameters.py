"""Texts of parameters that many public functions share. Each is written once, here.

`@checked` (arguments.py) completes docstrings by them: a parameter that a docstring does not list gets its text from
SHARED. A docstring lists what is its own, and what means something else there.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable

# By name; with `=None` for a parameter that may be left out.
SHARED = {
    "game": "str\n    Name of a game, as `houle games` lists it.",
    "setup": "Setup or str\n    From `houle.setup`, or the name of a game for its default setup.",
    "setup=None": "Setup or str, optional\n    The setup, if the text does not name it.",
    "strategies=None": "str or iterable of str, optional\n    Who plays: one for all players, or one each. Default: "
    "`thumb`, or `random` in a game without weights.",
    "measures": "str or iterable of str\n    What to compare, as in `houle.compare`.",
    "margins=None": "mapping, optional\n    The smallest difference that matters, by measure, with rates as shares: "
    '`{"win": 0.01}`.',
    "confirm": "bool\n    Whether the largest effect or the best fit is played again on as many fresh games.",
    "search_games": "int\n    Number of deals that searches play.",
    "search_games=None": "int, optional\n    Number of games with a player that searches, if fewer.",
    "threads=None": "int, optional\n    Number of threads; one per core by default. Results do not depend on it.",
    "moves": "bool\n    Whether to include the moves so far, as the player saw them.",
}
RUN = ("games", "seed", "first", "threads", "device", "progress")
PARAMETERS, RETURNS = "Parameters\n----------\n", "Returns\n-------\n"


def completed(doc: str, parameters: Iterable[inspect.Parameter]) -> str:
    """A docstring with an entry for every parameter, in the order of the signature."""
    before, _, after = inspect.cleandoc(doc).partition(RETURNS)
    about, _, listed = before.partition(PARAMETERS)
    own: dict[str, str] = {}  # entries by their names; an entry may have several
    for entry in re.findall(r"^\S.*\n(?:    .*\n)+", listed, re.MULTILINE):
        own |= dict.fromkeys(re.findall(r"\w+", re.split(r" :|\n", entry)[0]), entry)
    entries = []
    for parameter in parameters:
        if parameter.kind is not parameter.VAR_KEYWORD:
            shared = SHARED.get(f"{parameter.name}=None" if parameter.default is None else parameter.name)
            entries.append(own.get(parameter.name, f"{parameter.name} : {shared}\n" if shared else ""))
        elif "run" in own:
            entries.append(own["run"])
        else:
            entries += [own[name] for name in RUN if name in own]
            others = [f"`{name}`" + " (100,000 by default)" * (name == "games") for name in RUN if name not in own]
            entries.append(f"**run\n    {', '.join(others)}: see `houle.RunOptions`.\n")
    return f"{about}{PARAMETERS}{''.join(dict.fromkeys(entries))}\n{RETURNS}{after}"
