"""What the studio shows, as an address: the setup, the target, who plays, and what is pinned and locked.

The whole state is in the query of the address, so a reload, a bookmark or another server shows the same. An address
names no file: a deck of your own is known by its name, as long as the server was started with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import parse_qsl, urlencode

from houle.analysis.limits import MOST_SEED, SEED
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import SEAT_GAP, uneven
from houle.analysis.players.line_ups import EXPERT, playable
from houle.analysis.players.named_players import levels
from houle.analysis.stats.seat_gap import MARGIN
from houle.solver.errors import InputError
from houle.solver.rules import SET, Knob, Setup, field_text, find_knob, nearest
from houle.solver.texts import typed_number, visible

MOST_SIGNS = 30_000  # characters of an address
MOST_FIELDS = 300
MOST_NAME = 80
LOCK = "lock"
PIN = "pin"
FAMILY = "family"
USUAL_TARGET = (38.0, 42.0)  # percent
USUAL_SCORE = (0.6, 0.7)  # of the way from the worst score to the best
USUAL_GAP = 100 * MARGIN  # points
AIM = ("low", "high", "aimed")  # the target in three fields of a form
FIELDS = ("game", "players", "variant", LOCK, "target", "who", "seed", "name", PIN, *AIM)


@dataclass(frozen=True)
class StudioTarget:
    """What the designer wants: wins or points for a kind of player, or fair seats in a game of rivals."""

    low: float  # percent, or points where the score is the goal; of fair seats 0
    high: float
    who: str

    @property
    def text(self) -> str:
        return f"{self.low:g}..{self.high:g}@{self.who}"

    def wish(self, setup: Setup) -> str:
        """The same as `houle design --target` takes it."""
        if setup.one_sided:
            return f"{setup.goal}={self.low:g}..{self.high:g}{'' if Goal(setup).is_score else '%'}@{self.who}"
        return f"{SEAT_GAP}<={self.high:g}%@{self.who}"


@dataclass(frozen=True)
class State:
    """Everything that the page shows."""

    setup: Setup
    target: StudioTarget
    who: str  # plays where one kind of player is shown: lengths, scores, seats
    locked: tuple[str, ...] = ()  # knobs that the design search leaves alone
    seed: int = SEED
    pin: str = ""  # the query of another state, which is shown beside this one

    @cached_property
    def query(self) -> str:
        """The state as the query of an address; what has its default is left out."""
        return self.with_rules({})

    def with_rules(self, rules: Mapping[str, str]) -> str:
        """The same with the texts of some rules, which are not checked before somebody opens it."""
        setup, usual = self.setup, usual_target(self.setup)
        fields = setup.fields() | {f"{SET}{rule}": text for rule, text in rules.items()}
        values = [(name, text) for name, text in fields.items() if name != "variants"]
        values[2:2] = [("variant", name) for name in setup.variants]  # one field each, as in a form
        values += [("name", setup.title)] if setup.title else []
        values += [(LOCK, knob) for knob in self.locked]
        values += [("target", self.target.text)] if self.target != usual else []
        values += [("who", self.who)] if self.who != usual.who else []
        values += [("seed", str(self.seed))] if self.seed != SEED else []
        values += [(PIN, self.pin)] if self.pin else []
        return urlencode(values, safe="/,:@.[]")

    @property
    def without_pin(self) -> State:
        return replace(self, pin="")


def people(setup: Setup) -> list[str]:
    """The kinds of people who can play a setup, from the weakest."""
    found, _ = playable(setup, [level.name for level in levels()]) if setup.game.has("features") else ([], [])
    return [one.text for one in found] or ["random"]


def searchers(setup: Setup) -> list[str]:
    """Players that plan ahead, whose games take long."""
    return [one.text for one in playable(setup, [EXPERT])[0]] if setup.game.has("features") else []


def aim_of(setup: Setup) -> str:
    """The measure that targets are for: wins, points, or how much more the best seat wins than the worst."""
    return setup.goal if setup.one_sided else "first-seat" if uneven(setup) else SEAT_GAP


def by_variants(knob: Knob, setup: Setup) -> bool:
    """Whether a rule is turned by the variants alone: each has its own switch."""
    variants = [one.set for one in setup.ruleset.variants.values() if list(one.set) == [knob.name]]
    switched = [knob.default, *(one[knob.name] for one in variants)]
    values: list[object] = [False, True] if knob.type == "bool" else [*knob.choices]
    return bool(values) and all(one in switched for one in values) and f"{SET}{knob.name}" not in setup.fields()


def turnable(knob: Knob, setup: Setup) -> bool:
    """Whether a rule is in play and has no switch as a variant."""
    return knob.in_play(setup.players, setup.options) and not by_variants(knob, setup)


def usual_target(setup: Setup) -> StudioTarget:
    """The target of a new setup; its players are also those that are shown in detail."""
    low, high = USUAL_TARGET if setup.one_sided else (0.0, USUAL_GAP)
    goal = Goal(setup)
    if goal.is_score:
        low, high = sorted(round(goal.ends[goal.sign < 0] + goal.sign * part * goal.span) for part in USUAL_SCORE)
    names = people(setup)
    return StudioTarget(low, high, FAMILY if FAMILY in names else names[-1])


def first_state(setup: Setup) -> State:
    """A setup with the usual target."""
    target = usual_target(setup)
    return State(setup, target, target.who)


def read_state(query: str, near: Setup) -> State:
    """The state of an address; InputError of one line if there is none. `near` has a deck that may come from a file."""
    if len(query) > MOST_SIGNS:
        raise InputError(f"address: longer than {MOST_SIGNS:,} characters")
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise InputError(f"address: more than {MOST_FIELDS} values") from None
    return state_of(pairs, near)


def filled_in(pairs: list[tuple[str, str]], last: State) -> list[tuple[str, str]]:
    """The fields of a form that was filled in; what was not touched follows a new game, players or variant."""
    given = dict(pairs)
    setup = last.setup
    if given.get("game", setup.ruleset.name) != setup.ruleset.name:
        return [("game", given["game"])]
    changed = setup.fields()
    texts: dict[str, list[str]] = {}
    for name, value in pairs:
        texts.setdefault(name, []).append(value)
    same = {
        name
        for name, some in texts.items()
        if name.startswith(SET)
        and name not in changed
        and (now := setup.options.get(name.removeprefix(SET))) is not None
        and ",".join(filter(None, some)) == field_text(now)
    }
    return [(name, value) for name, value in pairs if name not in same]


def state_of(pairs: list[tuple[str, str]], near: Setup) -> State:
    """The state that the fields of a form or an address describe."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        if name not in FIELDS and not name.startswith(SET):
            raise InputError(f"address: {visible(name[:40])!r} is unknown{nearest(name[:40], FIELDS)}")
        if len(value) > 4_000:
            raise InputError(f"{visible(name[:40])}: longer than 4,000 characters")
        values.setdefault(name, []).append(value)
    for name in values:
        if len(values[name]) > 1 and name not in ("variant", LOCK) and not name.startswith(SET):
            raise InputError(f"{name}: given twice")
    one = {name: ("+" if name == "variant" else ",").join(given) for name, given in values.items()}
    setup, title = Setup.read(one, near), " ".join(visible(one.get("name", "")).split())
    if len(title) > MOST_NAME:
        raise InputError(f"name: longer than {MOST_NAME} characters")
    setup = replace(setup, title=title) if title else setup
    locked = tuple(dict.fromkeys(values.get(LOCK, ())))
    for knob in locked:
        find_knob(setup.ruleset, knob, LOCK)
    usual = usual_target(setup)
    who = one.get("who") or usual.who
    _check_who("who", who, setup)
    seed = typed_number(one.get("seed") or str(SEED))
    if seed is None or not 0 <= seed <= MOST_SEED:
        raise InputError(f"seed: {visible(one['seed'][:40])!r} is not allowed; allowed: a whole number from 0")
    aim = [one.get(name, "").strip() for name in AIM]
    target = f"{aim[0] or '0'}..{aim[1]}@{aim[2]}" if aim[1] and aim[2] else one.get("target", "")
    return State(
        setup,
        target=_target(target, setup) if target else usual,
        who=who,
        locked=locked,
        seed=seed,
        pin=one.get(PIN, ""),
    )


def _check_who(what: str, who: str, setup: Setup) -> None:
    if who not in people(setup):
        raise InputError(f"{what}: {visible(who[:40])!r} is not allowed; allowed: {', '.join(people(setup))}")


def _end_of_target(text: str, low: float, high: float) -> float:
    if not re.fullmatch(r"-?\d{1,6}(\.\d{1,3})?", text, re.ASCII) or not low <= float(text) <= high:
        raise InputError(f"target: {visible(text[:40])!r} is not allowed; allowed: a number from {low:g} to {high:g}")
    return float(text)


def _target(text: str, setup: Setup) -> StudioTarget:
    match = re.fullmatch(r"(-?[\d.]{1,8})\.\.(-?[\d.]{1,8})@([^\s@]{1,60})", text, re.ASCII)
    if not match:
        raise InputError(f"target: {visible(text[:40])!r} is not allowed; allowed: LOW..HIGH@PLAYER, as 38..42@family")
    least, most = Goal(setup).ends if Goal(setup).is_score else (0, 100)
    low, high = (_end_of_target(end, least, most) for end in (match[1], match[2]))
    _check_who("target", match[3], setup)
    if low > high:
        raise InputError("target: the first number must not be greater than the second")
    return StudioTarget(low, high, match[3])
