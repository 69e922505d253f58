"""What a design should reach: targets and the players they are for, and how an answer says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from houle.analysis.measures.measures import QUANTILE, has_measure, is_percent, measures_of, words
from houle.analysis.measures.targets import Target, parse_target
from houle.analysis.players.line_ups import usual_people
from houle.analysis.players.named_players import named_players
from houle.analysis.stats.estimate import Estimate
from houle.solver.errors import InputError
from houle.solver.players.names import split
from houle.solver.rules import Setup


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


def read_wishes(base: Setup, texts: Iterable[str]) -> list[Wish]:
    """Targets as typed: `win=40%@family`, or several joined by `and`.

    A target without a measure, as `14..15@family`, is for the goal of the game.
    """
    parts = [part.strip() for given in texts for part in given.split(" and ")]
    if not any(parts):
        raise InputError("--target: give at least one target, as win=40%@family")
    return [
        _wish(base, parse_target(f"{base.goal}={text}" if text[:1].isdigit() else text, "--target", base))
        for text in parts
    ]


def _wish(base: Setup, target: Target) -> Wish:
    if not has_measure(base, target.measure):
        raise InputError(f"--target: {target.measure}: not a measure of {base.summary}; allowed: {measures_of(base)}")
    strategies = target.player or usual_people(base)
    if target.measure == "win" and not base.one_sided and len(set(split(strategies))) == 1:
        asked = "ask for fair seats (seat-gap<=3%), the length (length=40) or the spread (spread<=5)"
        raise InputError(f"--target: {target.text}: all play alike, so this is how often the first side wins; {asked}")
    return Wish(target, strategies, target.who or strategies)
