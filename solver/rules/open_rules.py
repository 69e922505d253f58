"""Open rules: what the rulebook does not settle in a setup, and other answers that can be played.

`houle rules`, `houle compare --open-rules` and reports show this one list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from houle.solver.rules.knobs import SETTLED, Knob, value_text
from houle.solver.rules.setup import Setup
from houle.solver.texts import listed

SMALL = 12  # numbers up to this are changed by 1, larger ones are halved and doubled


@dataclass(frozen=True)
class Answer:
    """Another value of an open rule, and in words: `the dummy may swap`."""

    value: Any
    words: str


@dataclass(frozen=True)
class OpenRule:
    """A rule in play that the rulebook does not settle, or that is our own."""

    text: str  # what is open: `whether the dummy may swap`; a rule without a knob as a sentence
    provenance: str
    rulebook: str = ""  # what the rulebook says about it, as a sentence
    knob: str = ""  # that changes it; empty: nothing does
    answers: tuple[Answer, ...] = ()


def open_rules_in(setup: Setup) -> list[OpenRule]:
    """The open rules in play in a setup, those that can be changed first. What the user or a variant set is settled."""
    rules = []
    for knob in setup.ruleset.knobs.values():
        usual = setup.options[knob.name] == knob.default_for(setup.players) and knob.name not in setup.changed
        if knob.provenance not in SETTLED and usual and knob.in_play(setup.players, setup.options):
            answers = tuple(_answers(knob, setup.options))
            rules += (
                [
                    OpenRule(
                        knob.doubt, provenance=knob.provenance, rulebook=knob.rests_on, knob=knob.name, answers=answers
                    )
                ]
                if answers
                else []
            )
    fixed = [rule for rule in setup.fixed_rules if rule.provenance not in SETTLED]
    return [*rules, *(OpenRule(rule.text, rule.provenance) for rule in fixed)]


def _answers(knob: Knob, options: Mapping[str, Any]) -> Iterator[Answer]:
    """The other values of an open rule that matter with these values of the others."""
    now = options[knob.name]
    for entry in knob.alternatives or ({"values": by_type(knob, now)},):
        if any(options[other] != value for other, value in entry.get("needs", {}).items()):
            continue
        for value in entry.get("values", ()):
            yield Answer(value, knob.in_words(now, value) or f"{knob.name}={value_text(value)}")
        for change in entry.get("change", ()):
            if any(int(index) in options[entry["among"]] for index in change):  # else no such card is in play
                values = [change.get(str(index), value) for index, value in enumerate(now)]
                each = [knob.words["each"].format(index=index, value=value) for index, value in change.items()]
                yield Answer(values, listed(each))


def by_type(knob: Knob, usual: Any) -> list[Any]:
    """The other values of a knob for which the rules list none."""
    if knob.type == "bool":
        return [not usual]
    if knob.type == "choice":
        return [choice for choice in knob.choices if choice != usual]
    if knob.type == "int":
        near = (usual - 1, usual + 1) if abs(usual) <= SMALL else (usual // 2, usual * 2)
        return [value for value in near if knob.low is None or knob.high is None or knob.low <= value <= knob.high]
    return []
