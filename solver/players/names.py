"""Strategies as users type them: `thumb[temperature=300]`, `flat:200`, `level[slips=20,thought=1]`.

A name, a budget where the strategy searches, and options in brackets. Nothing here needs the compiler or a game:
player.py checks whether a setup has the weights and moves that the options name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from houle.solver.errors import StrategyError
from houle.solver.players.kinds import CLAIRVOYANT, FLAT, ISMCTS, LEVEL, MOST_WEIGHED, RANDOM, THUMB
from houle.solver.rules import nearest

KINDS = {
    "random": RANDOM,
    "thumb": THUMB,
    "flat": FLAT,
    "ismcts": ISMCTS,
    "clairvoyant": CLAIRVOYANT,
    "level": LEVEL,
}
BUDGETS = {"flat": 200, "ismcts": 400, "clairvoyant": 0}  # worlds, simulations; 0: depends on the game
MOST_BUDGET = 100_000_000
LAPSES = ("forgets", "nearsighted", "loses_count")  # mistakes of a thumb, each with a chance in percent per decision
POINT = ("slips", "thought")  # where a person is on the plane: slips in percent, thought in imagined deals
OPTIONS: dict[str, tuple[str, ...]] = {
    "random": (),
    "thumb": ("temperature", *LAPSES, "weights", "never", "without"),
    "flat": ("weights", "noise", "caution", "reads", "heeds", "weighs", "judge", "plays", "ahead", "never", "without"),
    "ismcts": ("weights", "noise", "caution", "explore", "reads", "heeds", "weighs", "ahead", "never", "without"),
    "clairvoyant": ("weights",),
    "level": (*POINT, "weights", "noise", "caution", "heeds", "weighs", "ahead", "never", "without"),
}
WORDS = ("weights", "never", "without")  # options that are names, joined with +; the others are numbers
MOST_NUMBER = 1_000_000
CERTAIN = 100  # percent
MOST_THOUGHT = 100  # deals
MOST = dict.fromkeys((*LAPSES, "slips", "plays"), CERTAIN) | {"weighs": MOST_WEIGHED, "thought": MOST_THOUGHT}
BEHIND = " = "  # in a portable strategy, between the name and what it stands for
MOST_SHOWN = 60  # characters of a text in an error message


@dataclass(frozen=True)
class Strategy:
    """A strategy with a valid name, budget and options."""

    text: str  # what people read: "family", "flat:200[noise=0.5]"
    name: str
    budget: int
    options: Mapping[str, Any] = field(default_factory=dict)
    entry: Mapping[str, Any] | None = None  # weights from no file (tuning), in the form of a file's entry
    behind: str = ""  # what `text` stands for, if it is the name of a player: "thumb[forgets=15]"

    @property
    def code(self) -> str:
        """The strategy in full. Digests contain it, so a name of its own changes no result."""
        return self.behind or self.text

    def called(self, text: str) -> Strategy:
        """The same strategy under the name of a player."""
        return self if text == self.code else replace(self, text=text, behind=self.code)

    @property
    def portable(self) -> str:
        """The name and what it stands for, `family = thumb[forgets=15]`: for processes that may not know the name."""
        return f"{self.text}{BEHIND}{self.behind}" if self.behind else self.text


_SHAPE = re.compile(r"^([a-z]+)(?::([0-9_]+))?(?:\[(.*)\])?$")
_NUMBER = re.compile(r"[0-9]+(_[0-9]+)*")


def parse(text: str) -> Strategy:
    """Reads a strategy as typed. Raises StrategyError if there is no such strategy."""
    match = _SHAPE.match(text.strip())
    name = match[1] if match else text.partition(":")[0].partition("[")[0]
    if name not in KINDS:
        raise StrategyError(f"unknown strategy {_shown(name)}{nearest(name, KINDS)}")
    if match is None:
        raise StrategyError(f"strategy {_shown(text)}: write name, name:N or name[key=value,...]")
    budget = BUDGETS.get(name, 0)
    if match[2]:
        if name not in BUDGETS:
            raise StrategyError(f"strategy {_shown(text)}: {name} takes no number")
        budget = _budget(text, match[2])
    options: dict[str, Any] = {}
    for pair in filter(None, (part.strip() for part in (match[3] or "").split(","))):
        key, _, value = (part.strip() for part in pair.partition("="))
        if key not in OPTIONS[name]:
            allowed = OPTIONS[name]
            hint = nearest(key, allowed) if allowed else "; it has no options"
            raise StrategyError(f"strategy {_shown(text)}: {name} has no option {_shown(key)}{hint}")
        options[key] = value if key in WORDS else _decimal(text, key, value)
    shown = f"{name}:{budget}" if budget else name
    if options:
        pairs = (f"{key}={value}" if key in WORDS else f"{key}={value:g}" for key, value in sorted(options.items()))
        shown += f"[{','.join(pairs)}]"
    return Strategy(shown, name, budget, options)


def _budget(text: str, number: str) -> int:
    """Reads a budget. Digits are counted first, because Python refuses numbers of thousands of digits."""
    digits = number.replace("_", "").lstrip("0") if _NUMBER.fullmatch(number) else ""
    budget = int(digits) if 0 < len(digits) <= len(str(MOST_BUDGET)) else 0
    if not 1 <= budget <= MOST_BUDGET:
        raise StrategyError(f"strategy {_shown(text)}: {_shown(number)} is not allowed; allowed: 1 to {MOST_BUDGET}")
    return budget


def _decimal(text: str, key: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    most = MOST.get(key, MOST_NUMBER)
    if not 0 <= number <= most:
        raise StrategyError(
            f"strategy {_shown(text)}: {key}: {_shown(value)} is not allowed; allowed: a number from 0 to {most}"
        )
    return number


def _shown(text: str) -> str:
    """A text as error messages quote it: on one line, shortened."""
    return repr(text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}...")


def parse_portable(text: str) -> Strategy:
    """Reads what `Strategy.portable` wrote."""
    name, _, code = text.partition(BEHIND)
    return parse(code).called(name) if code else parse(text)


def split(text: str) -> list[str]:
    """Splits a line-up as typed into strategies: at commas outside brackets."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text) if part.strip()]
