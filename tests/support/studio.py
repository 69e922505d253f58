"""The pages of `houle studio` for tests: states to try, and a server in this process."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from houle.analysis.studio.state import State, read_state
from houle.cli.studio.app import NEEDS, make_app
from houle.cli.web.guard import Guard
from houle.cli.web.preparing import PREPARATION, Prepared
from houle.cli.web.server import bound, server_of
from houle.solver.errors import InputError
from houle.solver.rules import Setup, game_names, load, make_setup, value_text
from tests.support.call import PATIENCE
from tests.support.playing import WORD, Client


@contextmanager
def studio_here(near: Setup) -> Iterator[Client]:
    """Serves the studio from a thread of this process."""
    door = bound(0)
    port = int(door.getsockname()[1])
    guard = Guard(Prepared(make_app(near, {}, WORD), NEEDS, near.ruleset.name), WORD)
    guard.open_for(port)
    PREPARATION.start(near.ruleset.name).done.wait(PATIENCE)
    server = server_of(guard)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
    thread.start()
    try:
        end = time.monotonic() + PATIENCE
        while not server.started:
            assert thread.is_alive(), "the server ended before it served a page"
            assert time.monotonic() < end, f"the server did not start in {PATIENCE:.0f} seconds"
            time.sleep(0.01)
        yield Client(port)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


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
