"""A user's own variant: what it is called, and what differs from print in words.

Whatever differs from the printed rules (`--set`, a rules file, a deck) is a variant of the user's own. Every heading,
figure and page names it by `variant_name` and says what differs by `difference_words`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from houle.solver.ruleset.decks import Deck
from houle.solver.ruleset.setup import BY_HAND, Setup

BASE_GAME = "base game"  # the printed rules without a variant
PRINTED_RULES = "printed rules"  # what an own variant is compared with
YOURS = "yours"  # where a rule comes from that the user set

MOST_SETTINGS = 3  # in a name that is made from what was set
LONG_VALUE = 30  # letters of a value from which on it is no part of a name
LONG_LIST = 12  # items from which on a list is told by how much of it differs
MOST_CARDS = 6  # named in a sentence


@dataclass(frozen=True)
class RuleChange:
    """One rule that is not as printed."""

    knob: str
    printed: Any  # the value without the user's changes
    now: Any
    provenance: str  # of the value that it replaces
    source: str  # where the user set it: a file, or "--set"

    @property
    def words(self) -> str:
        """`hand.front = 2, not 3 (printed)`."""
        if isinstance(self.now, list) and isinstance(self.printed, list) and len(self.now) > LONG_LIST:
            return f"{self.knob}: {_differing(self.printed, self.now)} ({self.provenance})"
        return f"{self.knob} = {value_shown(self.now)}, not {value_shown(self.printed)} ({self.provenance})"


def rule_changes(setup: Setup) -> list[RuleChange]:
    """Every rule that is not as printed, in the order they were set."""
    knobs = setup.ruleset.knobs
    return [
        RuleChange(knob, before, now, knobs[knob].provenance, setup.changed[knob])
        for knob, before, now in setup.differences
    ]


def is_own(setup: Setup) -> bool:
    """Whether a table is a variant of the user's own: it has a name, or a rule that is not as printed."""
    return bool(setup.title or setup.differences)


def printed(setup: Setup) -> Setup:
    """The same table by the printed rules."""
    return replace(setup, options=setup.plain_options, title="", changed={})


def variant_name(setup: Setup) -> str:
    """`base game`, `virage + nazare`; of one's own `2+3`, `2+3, virage`, or what was set: `virage, hand.back=3`.

    A named variant tells what was set by hand on top of it; one without a name is called by what was set.
    """
    told = [change for change in rule_changes(setup) if not setup.title or change.source in BY_HAND]
    settings = [_setting(change) for change in told[:MOST_SETTINGS]]
    more = [f"{len(told) - MOST_SETTINGS} more"] if len(told) > MOST_SETTINGS else []
    parts = [setup.title, " + ".join(setup.variants), *settings, *more]
    return ", ".join(filter(None, parts)) or BASE_GAME


def _setting(change: RuleChange) -> str:
    """`hand.back=3`, as typed; a long value is not told in a name."""
    value = value_text(change.now)
    return f"{change.knob}={value}" if len(value) <= LONG_VALUE else f"{change.knob} changed"


def own_name(setup: Setup) -> str:
    """The name of one's own variant; empty for the printed rules."""
    return variant_name(setup) if is_own(setup) else ""


def names_beside(setups: Iterable[Setup]) -> list[str]:
    """What tables are called beside one another: the printed one beside an own variant is `printed rules`."""
    tables = list(setups)
    compared = {table.variants for table in tables if is_own(table)}
    return [
        ", ".join([PRINTED_RULES, *([" + ".join(table.variants)] if table.variants else [])])
        if table.variants in compared and not is_own(table)
        else variant_name(table)
        for table in tables
    ]


def difference_words(setup: Setup) -> list[str]:
    """What differs from print: every rule that was set, then what that does to the deck."""
    return [*(change.words for change in rule_changes(setup)), *_deck_words(setup)]


def differences_line(setup: Setup) -> str:
    """The same in one line, for captions: `2+3: hand.front = 2, not 3 (printed)`; empty for the printed rules."""
    if not is_own(setup):
        return ""
    words = difference_words(setup) or ["no rule differs from print"]
    return f"{variant_name(setup)}: {'; '.join(words)}"


def provenance(setup: Setup, knob: str) -> str:
    """Where a rule of a table comes from: `yours` where the user set it to something else than print."""
    changed = {change.knob for change in rule_changes(setup)}
    return YOURS if knob in changed else setup.ruleset.knobs[knob].provenance


def value_text(value: Any) -> str:
    """A knob's value as it is typed after `--set key=`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "[" + ",".join(map(str, value)) + "]" if isinstance(value, list | tuple) else str(value)


def value_shown(value: Any) -> str:
    """A knob's value as people read it: lists with room between their items."""
    return value_text(value).replace(",", ", ") if isinstance(value, list | tuple) else value_text(value)


def _differing(printed: list[Any], now: list[Any]) -> str:
    """A long list, by how much of it differs."""
    if len(printed) != len(now):
        return f"{len(now)} values, not {len(printed)}"
    places = [i for i, (a, b) in enumerate(zip(printed, now, strict=True)) if a != b]
    first = places[0]
    text = f"value {first + 1} is {now[first]}, not {printed[first]}"
    return text if len(places) == 1 else f"{len(places)} of {len(now)} values differ; {text}"


def _deck_words(setup: Setup) -> list[str]:
    """`navy 5 is in now; 35 cards`: which cards came and went, where the game can name its cards."""
    name_cards = getattr(setup.game.file("opening"), "cards", None)
    if name_cards is None or not setup.differences:
        return []
    before, now = Counter(name_cards(printed(setup))), Counter(name_cards(setup))
    came, went = now - before, before - now
    words = [*_cards(came, "in"), *_cards(went, "out")]
    for _, value, other in setup.differences:
        if isinstance(value, Deck) and isinstance(other, Deck):
            words += _texts_changed(value.cards, other.cards)
    if came or went:
        words.append(f"{now.total()} cards" + ("" if now.total() == before.total() else f", not {before.total()}"))
    return ["; ".join(words)] if words else []


def _cards(cards: Counter[str], where: str) -> list[str]:
    """`navy 5 is in now`, `2 x tow are out now`."""
    names = [name if number == 1 else f"{number} x {name}" for name, number in sorted(cards.items())]
    if not names:
        return []
    if len(names) > MOST_CARDS:
        return [f"{cards.total()} cards are {where} now"]
    return [f"{_listed(names)} {'is' if cards.total() == 1 else 'are'} {where} now"]


def _texts_changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Cards of the same name that say something else."""
    changed = []
    for kind, cards in now.items():
        entries, others = (_by_name(deck) for deck in (cards, before.get(kind)))
        changed += [name for name, entry in entries.items() if name in others and others[name] != entry]
    if not changed:
        return []
    names = _listed(changed) if len(changed) <= MOST_CARDS else f"{len(changed)} cards"
    return [f"{names} {'is' if len(changed) == 1 else 'are'} changed"]


def _by_name(cards: Any) -> dict[str, Any]:
    """Entries of a deck by their names, without where they come from."""
    found: dict[str, Any] = {}
    for card in cards if isinstance(cards, list) else ():
        if isinstance(card, dict):
            found[str(card.get("name", len(found)))] = {key: card[key] for key in card if key != "provenance"}
    return found


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
