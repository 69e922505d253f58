"""The pages of `houle studio` for tests: states to try, a server in this process, and a walk to a target."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from houle.analysis.kept import Kept
from houle.analysis.studio import single_changes
from houle.analysis.studio.rows import CountedRows, StudioRows
from houle.analysis.studio.state import State, read_state
from houle.cli.studio.app import NEEDS, make_app
from houle.cli.studio.extras import Extras
from houle.solver.errors import InputError
from houle.solver.rules import Setup, game_names, load, make_setup, value_text
from tests.support.playing import WORD, Client, Guest, served


def few_games(patch: pytest.MonkeyPatch, state: Path) -> None:
    """Few games of everything that the studio counts, and a state folder of its own."""
    patch.setenv("HOULE_STATE_DIR", str(state))
    patch.setattr(single_changes, "ROUNDS", (20, 20))
    patch.setattr(single_changes, "CARD_ROUNDS", (20,))


def all_counted(state: State) -> Extras:
    """A state with its answers and all cards and rules counted."""
    live = StudioRows(state, CountedRows())
    while not live.counted:
        live.step(lambda: False)
    extras = Extras(live, Kept(50), deck_is_open=True)
    while extras.step(lambda: False):
        pass
    return extras


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


@dataclass(frozen=True)
class Walk:
    """How a user got from the first page to a page to send."""

    clicks: int  # and fields that were typed
    seconds: dict[str, float]  # by what was reached, from the start
    query: str  # of the variant
    page: str  # to send


def walk_to_target(guest: Guest, home: str, low: int, high: int) -> Walk:
    """Opens the studio, types a target, takes the first proposal that reaches it, and saves a page to send."""
    begin, seconds = time.monotonic(), dict[str, float]()

    def reach(what: str, expression: str) -> None:
        guest.wait_for(expression)
        seconds[what] = time.monotonic() - begin

    guest.go(home)
    reach("numbers", "document.body.dataset.shown !== undefined")
    for field, value in (("low", low), ("high", high)):
        guest.browser.ask(
            f"const {field} = document.querySelector('#{field}'); {field}.value = '{value}'; "
            f"{field}.dispatchEvent(new Event('input', {{bubbles: true}})); 1"
        )
    guest.wait_for(f"location.search.includes('target={low}..{high}')")
    guest.click("#design", leaves=False)
    items = "Array.from(document.querySelectorAll('.proposals li'))"
    first = f"{items}.find(one => one.innerText.includes('reaches the target'))"
    reach("proposal", "document.querySelector('.proposals li') !== null")
    reach("confirmed", f"{first} !== undefined && !{first}.innerText.includes('(so far)')")
    guest.browser.ask(f"{first}.querySelector('a').id = 'take'; 1")
    guest.click("#take", leaves=False)
    guest.wait_for("location.search.includes('set+') && document.body.dataset.shown === location.search.slice(1)")
    reach("taken", "!document.body.classList.contains('stale')")
    reach("known", "document.querySelector('#precision').dataset.say === undefined")
    guest.browser.ask(
        "fetch(document.querySelector('#send').href).then(answer => answer.text())"
        ".then(text => { window.sent = text; }); 1"
    )
    reach("sent", "window.sent !== undefined")
    return Walk(5, seconds, guest.browser.ask("location.search.slice(1)"), guest.browser.ask("window.sent"))
