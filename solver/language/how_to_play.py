"""How to play a setup, on one screen: reads how_to_play.toml in the folder of a game.

solver/games/wave/how_to_play.toml explains the entries. A game without the file has no such page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from houle.solver.errors import RulesError
from houle.solver.language.languages import ENGLISH, catalogue_files, typeset, words_in
from houle.solver.rules.decks import shown_value
from houle.solver.rules.files import read_toml
from houle.solver.rules.game_folders import home
from houle.solver.rules.knobs import value_text
from houle.solver.rules.rules_file import FixedRule, flat
from houle.solver.rules.setup import Setup
from houle.solver.rules.user_variant import provenance

FILE = "how_to_play.toml"
TITLES = read_toml(Path(__file__).with_name("titles.toml"))  # of the parts, by language


@dataclass(frozen=True)
class Reading:
    """A rule that the rulebook leaves open or that we had to find out: how it is played here, and its source."""

    text: str
    provenance: str


@dataclass(frozen=True)
class HowToPlay:
    """The rules of a setup in a few sentences."""

    parts: tuple[tuple[str, tuple[str, ...]], ...]  # titles and paragraphs
    readings: tuple[Reading, ...]
    decisions: tuple[tuple[frozenset[str], tuple[str, ...]], ...]  # first words of moves, and explanations

    def kind(self, moves: Iterable[str]) -> int | None:
        """Which kind of decision offers these moves; None if it has no explanation."""
        verbs = {move.split(" ")[0] for move in moves}
        return next((number for number, (known, _) in enumerate(self.decisions) if verbs & known), None)

    def explanation(self, kind: int, before: int) -> str:
        """What to look at in such a decision, if so many of the kind came before it."""
        texts = self.decisions[kind][1]
        return texts[min(before, len(texts) - 1)]


def how_to_play(setup: Setup, language: str = ENGLISH) -> HowToPlay | None:
    """The page of a setup; None if the game has none."""
    path = home(setup.ruleset.name).folder / FILE
    if not path.is_file():
        return None
    data = _read(path)
    parts: dict[str, list[str]] = {}
    for entry in _in_force(data.get("part", ()), setup):
        parts.setdefault(TITLES[language][entry["about"]], []).append(_text(entry[language], setup, language))
    decisions = [
        (frozenset(entry["moves"]), tuple(_text(text, setup, language) for text in entry[language]))
        for entry in _in_force(data.get("decision", ()), setup)
    ]
    titled = tuple((title, tuple(texts)) for title, texts in parts.items())
    return HowToPlay(titled, tuple(_readings(data.get("reading", ()), setup, language)), tuple(decisions))


@lru_cache
def _read(path: Path) -> dict[str, Any]:
    return read_toml(path)


def _in_force(entries: Iterable[dict[str, Any]], setup: Setup) -> Iterator[dict[str, Any]]:
    """The entries that hold in this setup, as rules without a knob do."""
    for entry in entries:
        needs, unless = flat(entry.get("needs", {})), flat(entry.get("unless", {}))
        rule = FixedRule(
            "", provenance="", players=tuple(entry.get("players", ())), needs=(needs,) if needs else (), unless=unless
        )
        if rule.in_force(setup.players, setup.options):
            yield entry


def _readings(entries: Iterable[dict[str, Any]], setup: Setup, language: str) -> Iterator[Reading]:
    for entry in _in_force(entries, setup):
        knob = entry.get("knob")
        if knob is None:
            named = [rule for rule in setup.ruleset.fixed if rule.text == entry["rule"]]
            if not named:
                raise RulesError(f"{FILE} of {setup.ruleset.name}: rules.toml has no rule {entry['rule']!r}")
            if named[0] in setup.fixed_rules:
                yield Reading(_text(entry.get(language, entry["rule"]), setup, language), named[0].provenance)
        elif setup.options[knob] == entry.get("value", setup.options[knob]):
            yield Reading(_text(entry[language], setup, language), provenance(setup, knob))


def _text(text: str, setup: Setup, language: str) -> str:
    """A text with the values of its knobs."""
    words = words_in(language, catalogue_files(language, setup.ruleset.name))

    def value(match: re.Match[str]) -> str:
        shown = shown_value(setup.options[match[1]])
        return ", ".join(words(value_text(one)) for one in (shown if isinstance(shown, list) else [shown]))

    filled = re.sub(r"\{([\w.]+)\}", value, text)
    return filled if language == ENGLISH else typeset(filled)
