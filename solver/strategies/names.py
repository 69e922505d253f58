"""Strategies as they are typed: `thumb[temperature=0.3]`, `flat:200`, `ismcts:400[weights=rival]`.

A name, a budget where the strategy searches, and options in brackets. Nothing here needs the compiler or knows a game:
whether a table has such weights or such moves is asked when a player is seated, see player.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from houle.solver.errors import InputError
from houle.solver.ruleset import nearest

CHEATS = "clairvoyant cheats: it knows every hand and the order of the pile; a bound, not a player"

# What must be compiled for a strategy; everything above THUMB is one entry.
RANDOM, THUMB, FLAT, ISMCTS, CLAIRVOYANT = range(5)
KINDS = {
    "random": RANDOM,
    "greedy": THUMB,
    "novice": THUMB,
    "thumb": THUMB,
    "flat": FLAT,
    "ismcts": ISMCTS,
    "clairvoyant": CLAIRVOYANT,
}
BUDGETS = {"flat": 200, "ismcts": 400, "clairvoyant": 0}  # worlds, simulations; the clairvoyant's depends on the game
MOST_BUDGET = 100_000_000
LAPSES = ("forgets", "nearsighted", "loses_count")  # of a thumb at a decision, each with a chance in percent
OPTIONS: dict[str, tuple[str, ...]] = {
    "random": (),
    "greedy": ("temperature", *LAPSES, "never", "without"),
    "novice": ("temperature", *LAPSES, "weights", "never", "without"),
    "thumb": ("temperature", *LAPSES, "weights", "never", "without"),
    "flat": ("weights", "noise", "caution", "reads", "weighs", "judge", "plays", "mix", "ends", "never", "without"),
    "ismcts": ("weights", "noise", "caution", "explore", "reads", "weighs", "mix", "never", "without"),
    "clairvoyant": ("weights",),
}
WORDS = ("weights", "never", "without")  # options that name things, several with +; the others are numbers
MOST_NUMBER = 1_000_000
CERTAIN = 100  # percent
MOST_WEIGHED = 1000  # worlds of a reader at a decision
MOST = dict.fromkeys((*LAPSES, "mix", "plays"), CERTAIN)
MOST |= {"ends": 6, "weighs": MOST_WEIGHED}  # with four tricks a game of two took twelve times as long
MOST_SHOWN = 60  # characters of a text in a complaint


@dataclass(frozen=True)
class Strategy:
    """A strategy whose name, budget and options are possible."""

    text: str  # canonical: "flat:200[noise=0.5]"
    name: str
    budget: int
    options: Mapping[str, Any] = field(default_factory=dict)
    entry: Mapping[str, Any] | None = None  # weights that are in no file, as an entry of one: what tuning tries


_SHAPE = re.compile(r"^([a-z]+)(?::([0-9_]+))?(?:\[(.*)\])?$")
_NUMBER = re.compile(r"[0-9]+(_[0-9]+)*")


def parse(text: str) -> Strategy:
    """One strategy as typed; a RulesetError of one line if it is none."""
    match = _SHAPE.match(text.strip())
    name = match[1] if match else text.partition(":")[0].partition("[")[0]
    if name not in KINDS:
        raise InputError(f"unknown strategy {_shown(name)}{nearest(name, KINDS)}")
    if match is None:
        raise InputError(f"strategy {_shown(text)}: write name, name:N or name[key=value,...]")
    budget = BUDGETS.get(name, 0)
    if match[2]:
        if name not in BUDGETS:
            raise InputError(f"strategy {_shown(text)}: {name} takes no number")
        budget = _budget(text, match[2])
    options: dict[str, Any] = {}
    for pair in filter(None, (part.strip() for part in (match[3] or "").split(","))):
        key, _, value = (part.strip() for part in pair.partition("="))
        if key not in OPTIONS[name]:
            allowed = OPTIONS[name]
            hint = nearest(key, allowed) if allowed else "; it has no options"
            raise InputError(f"strategy {_shown(text)}: {name} has no option {_shown(key)}{hint}")
        options[key] = value if key in WORDS else _decimal(text, key, value)
    shown = f"{name}:{budget}" if budget else name
    if options:
        pairs = (f"{key}={value}" if key in WORDS else f"{key}={value:g}" for key, value in sorted(options.items()))
        shown += f"[{','.join(pairs)}]"
    return Strategy(shown, name, budget, options)


def _budget(text: str, number: str) -> int:
    """Digits are counted before they are read: Python reads no number of thousands of them."""
    digits = number.replace("_", "").lstrip("0") if _NUMBER.fullmatch(number) else ""
    budget = int(digits) if 0 < len(digits) <= len(str(MOST_BUDGET)) else 0
    if not 1 <= budget <= MOST_BUDGET:
        raise InputError(f"strategy {_shown(text)}: {_shown(number)} is not allowed; allowed: 1 to {MOST_BUDGET}")
    return budget


def _decimal(text: str, key: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    most = MOST.get(key, MOST_NUMBER)
    if not 0 <= number <= most:
        raise InputError(
            f"strategy {_shown(text)}: {key}: {_shown(value)} is not allowed; allowed: a number from 0 to {most}"
        )
    return number


def _shown(text: str) -> str:
    """A text as complaints quote it: on one line, and not longer than a line."""
    return repr(text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}...")


def split(text: str) -> list[str]:
    """A line-up as typed: commas outside brackets separate seats."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text) if part.strip()]
