"""The pages of `houle studio` for tests: states to try, and a server in this process."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from houle.analysis.studio.state import State, read_state
from houle.cli.studio.app import NEEDS, make_app
from houle.solver.errors import InputError
from houle.solver.rules import Setup, game_names, load, make_setup, value_text
from tests.support.playing import WORD, Client, served


@contextmanager
def studio_here(near: Setup) -> Iterator[Client]:
    """Serves the studio from a thread of this process."""
    with served(make_app(near, WORD), NEEDS, near.ruleset.name) as client:
        yield client


def random_state(luck: random.Random, near: Setup) -> State:
    """A state with some knobs turned, of any game."""
    while True:
        name = luck.choice(game_names())
        ruleset = load(name)
        players = luck.choice(ruleset.players)
        query = f"game={name}&players={players}"
        try:
            plain = make_setup(name, players)
        except InputError:
            continue
        knobs = [knob for knob in ruleset.knobs.values() if knob.type in ("int", "bool", "choice")]
        for knob in luck.sample(knobs, luck.randrange(3)):
            now = plain.options[knob.name]
            value = {"bool": [True, False], "choice": knob.choices}.get(knob.type) or [now - 1, now + 1]
            query += f"&set+{knob.name}={value_text(luck.choice(list(value)))}"
        try:
            return read_state(query, near)
        except InputError:
            continue
