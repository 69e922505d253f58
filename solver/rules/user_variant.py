"""A user's own variant: its name, and its differences from the printed rules in words.

Any change of the printed rules (`--set`, a rules file, a deck) makes a variant of the user's own. Headings, figures and
pages name it by `variant_name` and list the differences by `difference_words`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from houle.solver.errors import InputError, KnobError
from houle.solver.rules.decks import Deck
from houle.solver.rules.knobs import YOURS, RuleChange
from houle.solver.rules.setup import Setup, rule_changes, variant_name
from houle.solver.texts import listed

PRINTED_RULES = "printed rules"  # what a user's own variant is compared with

MOST_CARDS = 6  # named in a sentence


def is_own(setup: Setup) -> bool:
    """Whether a setup is a user's own variant: it has a title or a rule that differs from the printed ones."""
    return bool(setup.title or setup.differences)


def printed(setup: Setup) -> Setup:
    """The same setup with the printed rules."""
    return replace(setup, options=setup.plain_options, title="", changed={}, refit={})


def own_name(setup: Setup) -> str:
    """The name of a user's own variant; empty for the printed rules."""
    return variant_name(setup) if is_own(setup) else ""


def names_beside(setups: Iterable[Setup]) -> list[str]:
    """Names of setups that are shown together: beside a user's variant the original is `printed rules`."""
    setups = list(setups)
    compared = {setup.variants for setup in setups if is_own(setup)}
    return [
        ", ".join([PRINTED_RULES, *([" + ".join(setup.variants)] if setup.variants else [])])
        if setup.variants in compared and not is_own(setup)
        else variant_name(setup)
        for setup in setups
    ]


def difference_words(setup: Setup) -> list[str]:
    """The differences from the printed rules: every changed rule, then the changes of the deck."""
    return [*(change.words for change in rule_changes(setup)), *_deck_words(setup)]


def differences_line(setup: Setup) -> str:
    """The differences in one line, for captions: `2+3: hand.front = 2, not 3 (printed)`; empty for printed rules."""
    if not is_own(setup):
        return ""
    words = difference_words(setup) or ["no rule differs from the printed rules"]
    return f"{variant_name(setup)}: {'; '.join(words)}"


def plain_differences(setup: Setup) -> list[str]:
    """The differences for people who do not know the knobs: `one card more in front`, then the changes of the deck."""
    deck, knobs = _deck_words(setup, "with", "without"), setup.ruleset.knobs
    words = []
    for change in rule_changes(setup):
        plain = knobs[change.knob].in_words(change.printed, change.now)
        words += [plain] if plain else [] if deck and _changes_cards(setup, change) else [change.words]
    return [*words, *deck]


def _changes_cards(setup: Setup, change: RuleChange) -> bool:
    """Whether the cards that came and went say a change: without it the deck is another one, or impossible."""
    if setup.ruleset.knobs[change.knob].type == "deck":
        return True
    name_cards = setup.game.openings.cards
    try:
        before = replace(setup, options={**setup.options, change.knob: change.printed})
        return name_cards is None or Counter(name_cards(before)) != Counter(name_cards(setup))
    except (InputError, KnobError):
        return True


def provenance(setup: Setup, knob: str) -> str:
    """The provenance of a knob's value in a setup: `yours` if the user changed it."""
    changed = {change.knob for change in rule_changes(setup)}
    return YOURS if knob in changed else setup.source_of(knob)


def _deck_words(setup: Setup, more: str = "", less: str = "") -> list[str]:
    """Which cards were added and removed, if the game can name its cards: `navy 5 is in now; 35 cards`.

    With words for more and less, as in a sentence: `without navy 5 (33 cards, not 34)`.
    """
    name_cards = setup.game.openings.cards
    if name_cards is None or not setup.differences:
        return []
    before, now = Counter(name_cards(printed(setup))), Counter(name_cards(setup))
    came, went = now - before, before - now
    words = [*_cards(came, "in", more), *_cards(went, "out", less)]
    for _, value, other in setup.differences:
        if isinstance(value, Deck) and isinstance(other, Deck):
            words += _texts_changed(value.cards, other.cards)
    if came or went:
        total = f"{now.total()} cards" + ("" if now.total() == before.total() else f", not {before.total()}")
        words = [f"{' and '.join(words)} ({total})"] if more else [*words, total]
    return ["; ".join(words)] if words else []


def _cards(cards: Counter[str], where: str, word: str) -> list[str]:
    """`navy 5 is in now`, `2 x tow are out now`; with a word before the cards `with navy 5`."""
    names = [name if number == 1 else f"{number} x {name}" for name, number in sorted(cards.items())]
    if not names:
        return []
    if len(names) > MOST_CARDS:
        return [f"{word} {cards.total()} cards" if word else f"{cards.total()} cards are {where} now"]
    if word:
        return [f"{word} {listed(names)}"]
    return [f"{listed(names)} {'is' if cards.total() == 1 else 'are'} {where} now"]


def _texts_changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Cards of the same name with a different text."""
    changed = []
    for kind, cards in now.items():
        entries, others = (_by_name(deck) for deck in (cards, before.get(kind)))
        changed += [name for name, entry in entries.items() if name in others and others[name] != entry]
    if not changed:
        return []
    names = listed(changed) if len(changed) <= MOST_CARDS else f"{len(changed)} cards"
    return [f"{names} {'is' if len(changed) == 1 else 'are'} changed"]


def _by_name(cards: Any) -> dict[str, Any]:
    """Entries of a deck by name, without their provenance."""
    entries: dict[str, Any] = {}
    for card in cards if isinstance(cards, list) else ():
        if isinstance(card, dict):
            entries[str(card.get("name", len(entries)))] = {key: card[key] for key in card if key != "provenance"}
    return entries
