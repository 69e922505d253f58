"""What a design should reach: targets, common wishes by name (wishes.toml), and how an answer says it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from houle.analysis.measures.measures import QUANTILE, has_measure, is_percent, measures_of, words
from houle.analysis.measures.targets import Target, parse_target
from houle.analysis.players.line_ups import usual_people
from houle.analysis.players.named_players import named_players
from houle.analysis.stats.estimate import Estimate
from houle.solver.errors import InputError
from houle.solver.rules import Setup, nearest

FILE = Path(__file__).parent / "wishes.toml"
Measured = Callable[[str, str], float]  # a measure of some players with the rules you start with

# Wishes relative to the rules you start with: `length -20%`, and `5 points easier`.
RELATIVE = re.compile(r"([\w-]+(?::p[\d.]+)?)\s*([+-])\s*(\d+(?:\.\d+)?)\s*(%|points?)?(?:@\s*(\S.*))?")
SPOKEN = re.compile(r"(\d+(?:\.\d+)?)\s*(%|points?)?\s*(easier|harder|longer|shorter)(?:@\s*(\S.*))?")
WAYS = {"easier": ("goal", 1), "harder": ("goal", -1), "longer": ("length", 1), "shorter": ("length", -1)}


@dataclass(frozen=True)
class Wish:
    """A target and the players it is for."""

    target: Target
    strategies: str  # as a line-up takes it
    who: str  # as typed

    @property
    def key(self) -> tuple[str, str]:
        return self.strategies, self.target.measure

    @property
    def measure(self) -> str:
        return self.target.measure

    def people(self) -> str:
        """The players in a sentence: `families`, `flat:50 players`."""
        player = next((player for player in named_players() if player.name == self.who), None)
        return player.who if player is not None and player.level else f"{self.who} players"

    def sentence(self, setup: Setup, estimate: Estimate) -> str:
        """What was measured: `families win 40.0% (39.6 to 40.5)`."""
        people, value = self.people(), estimate.text()
        if quantile := QUANTILE.fullmatch(self.measure):
            unit = setup.score.replace("_", " ") if quantile[1] == "score" else setup.ruleset.turns
            return f"{quantile[2]}% of games of {people} have at most {value} {unit}"
        facts = words()["measures"][self.measure]
        sentence = facts["sentence"] if setup.one_sided else facts.get("sentence_of_rivals", facts["sentence"])
        score, turns = setup.score.replace("_", " "), setup.ruleset.turns
        return str(sentence).format(people=people, value=value, score=score, turns=turns)

    def change(self, setup: Setup, effect: Estimate) -> str:
        """An effect with its sign and unit: `+9.5 points (7.8 to 11.1)`, `-4.0 (-4.2 to -3.8) tricks`."""
        if is_percent(self.measure):
            return effect.text()
        name = self.measure.partition(":")[0]
        unit = {"length": setup.ruleset.turns, "score": setup.score.replace("_", " ")}.get(name, "points")
        return f"{'+' if effect.value > 0 else ''}{effect.text()} {unit}"


@lru_cache
def common_wishes() -> Mapping[str, Mapping[str, Any]]:
    """The entries of wishes.toml by name."""
    return {entry["name"]: entry for entry in tomllib.loads(FILE.read_text(encoding="utf-8"))["wish"]}


def read_wishes(base: Setup, texts: Iterable[str], measured: Measured | None = None) -> list[Wish]:
    """Targets as typed: `win=40%@family`, several joined by `and`, or the name of a common wish.

    A target without a measure, as `14..15@family`, is for the goal of the game. One that is relative to the rules you
    start with, as `length -20%`, needs `measured`, which plays them.
    """
    wishes = []
    for text in (part.strip() for given in texts for part in given.split(" and ")):
        if measured and (relative := _relative(base, text, measured)):
            wishes.append(relative)
            continue
        text = f"{base.goal}={text}" if text[:1].isdigit() else text
        entry = common_wishes().get(text.replace("-", " "))
        if entry is None and not any(sign in text for sign in "=<>"):
            names = ", ".join(common_wishes())
            raise InputError(
                f"--target: unknown wish {text!r}{nearest(text, common_wishes())}; write a target, as win=40%@family, "
                f"or one of: {names}"
            )
        if entry is not None and entry["cooperative"] != base.one_sided:
            kind = "win or lose together" if entry["cooperative"] else "compete"
            raise InputError(f"--target: {text!r} is a wish for games in which all players {kind}")
        wishes += [_wish(base, parse_target(one, "--target", base)) for one in (entry["targets"] if entry else [text])]
    if not wishes:
        raise InputError("--target: give at least one target, as win=40%@family")
    return wishes


def _relative(base: Setup, text: str, measured: Measured) -> Wish | None:
    """A wish such as `length -20%`, `win +5@family` or `5 points easier`; None for other texts."""
    if spoken := SPOKEN.fullmatch(text):
        number, unit, word, who = spoken.groups()
        measure, sign = WAYS[word]
        measure = base.goal if measure == "goal" else measure
        if base.goal == "score" and measure == "score" and base.ruleset.lower_is_better:
            sign = -sign
    elif signed := RELATIVE.fullmatch(text):
        measure, plus, number, unit, who = signed.groups()
        sign = 1 if plus == "+" else -1
    else:
        return None
    wish = _wish(base, parse_target(f"{measure}>=0" + (f"@{who}" if who else ""), "--target"))
    change, now = sign * float(number), measured(wish.strategies, measure)
    wanted = now + change / 100 if is_percent(measure) else now * (1 + change / 100) if unit == "%" else now + change
    if is_percent(measure):
        wanted = min(max(wanted, 0.0), 1.0)
        exact = parse_target(f"{measure}={100 * wanted:.2f}%", "--target")
    else:
        exact = parse_target(f"{measure}={wanted:.2f}", "--target")
    return replace(wish, target=replace(exact, text=f"{text} ({exact.text})", player=wish.target.player, who=wish.who))


def _wish(base: Setup, target: Target) -> Wish:
    if not has_measure(base, target.measure):
        raise InputError(
            f"--target: {target.measure}: not a measure of {base.summary}; allowed: {measures_of(base)}"
        )  # fmt: skip
    strategies = target.player or usual_people(base)
    return Wish(target, strategies, target.who or strategies)
