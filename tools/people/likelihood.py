"""Question a: do houle's people move as people do? Models with free numbers, fits by experience, and the verdict.

docs/method/people.md says what was asked. Here a *point* is a model with its numbers set, a player as after `-s`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from houle.analysis.stats.estimate import Estimate
from tools.people.games import Decision
from tools.people.moves import Nats, estimated

TEMPERATURES = (300, 600, 1000, 1500, 2200, 3200, 4700, 7000, 10000)
LAPSES = (
    (60, 100, 60),
    (45, 80, 45),
    (30, 60, 30),
    (22.5, 50, 22.5),
    (15, 40, 15),
    (10, 30, 10),
    (5, 20, 5),
    (2.5, 10, 2.5),
    (0, 0, 0),
)
SLIPS, THOUGHTS = (5, 10, 20, 35, 50, 70, 100), (0, 1, 2, 4)
LINE = tuple(step / 2 for step in range(7))  # first-game to seasoned
MODELS = {
    "random": ("random",),
    "temperature": tuple(f"thumb[temperature={one}]" for one in TEMPERATURES),
    "lapses of 0.3.0": tuple(f"thumb[forgets={f:g},nearsighted={n:g},loses_count={c:g}]" for f, n, c in LAPSES),
    "new people": tuple(f"level[slips={slips},thought={thought}]" for slips in SLIPS for thought in THOUGHTS),
}
ON_THE_LINE = tuple(f"level:{place:g}" for place in LINE)
POINTS = tuple(dict.fromkeys([*(point for points in MODELS.values() for point in points), *ON_THE_LINE]))
NEVER, HAS = "never played", "has played"
EXPERIENCE = {"new": NEVER, "dabbling": HAS, "intermediate": HAS, "expert": HAS}
LEAST_GAIN, SIGNIFICANT, PERMUTATIONS, PARTS, SEED = 0.02, 0.05, 10_000, 5, 1

Choice = NDArray[np.bool_]
Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Likelihoods:
    """The mean nats of every person at every point, in one sort of games."""

    people: tuple[str, ...]
    experience: tuple[str, ...]  # NEVER, HAS, or nothing without an answer
    kept_back: Choice
    decisions: int
    nats: dict[str, Nats]  # by point, of every person

    @classmethod
    def of(
        cls, decisions: Sequence[Decision], nats: dict[str, Nats], chosen: Callable[[Decision], bool]
    ) -> Likelihoods:
        wanted = np.array([chosen(one) for one in decisions], bool)
        own = [one for one, here in zip(decisions, wanted, strict=True) if here]
        people, first, member = np.unique([one.person for one in own], return_index=True, return_inverse=True)
        means = {point: np.bincount(member, values[wanted]) / np.bincount(member) for point, values in nats.items()}
        experience = tuple(EXPERIENCE.get(own[at].experience or "", "") for at in first)
        kept_back = np.array([own[at].is_kept_back for at in first], bool)
        return cls(
            people=tuple(map(str, people)), experience=experience, kept_back=kept_back, decisions=len(own), nats=means
        )

    def without(self, removed: set[str]) -> Likelihoods:
        """The same with some people removed."""
        kept = np.array([person not in removed for person in self.people], bool)
        people = tuple(person for person, here in zip(self.people, kept, strict=True) if here)
        experience = tuple(one for one, here in zip(self.experience, kept, strict=True) if here)
        nats = {point: values[kept] for point, values in self.nats.items()}
        return Likelihoods(
            people=people, experience=experience, kept_back=self.kept_back[kept], decisions=self.decisions, nats=nats
        )

    @cached_property
    def groups(self) -> dict[str, Choice]:
        """The people of each experience; everybody for people without an answer."""
        answers = np.array(self.experience)
        return {NEVER: answers == NEVER, HAS: answers == HAS, "": np.ones(len(answers), bool)}

    def fitted(self, model: str, among: Choice) -> dict[str, str]:
        """The best point of a model for each experience, among some people."""
        best = {}
        for experience, group in self.groups.items():
            own = group & among
            own = own if own.any() else among
            best[experience] = min(MODELS[model], key=lambda point: float(self.nats[point][own].mean()))
        return best

    def scored(self, fits: dict[str, str]) -> Nats:
        """The nats of every person at the point of that person's experience."""
        return np.array([self.nats[fits[answer]][at] for at, answer in enumerate(self.experience)])

    def held_out(self, model: str) -> tuple[Nats, dict[str, str]]:
        """The nats of the people kept back, with fits to the others; the fits."""
        fits = self.fitted(model, ~self.kept_back)
        return self.scored(fits)[self.kept_back], fits

    def cross_validated(self, model: str) -> Nats:
        """The nats of the people for fitting, each with fits to the other parts."""
        part = np.array([int(person, 16) // 3 % PARTS for person in self.people])
        nats = np.zeros(len(self.people))
        for number in range(PARTS):
            own = part == number
            if (own & ~self.kept_back).any():
                nats[own] = self.scored(self.fitted(model, ~self.kept_back & ~own))[own]
        return nats[~self.kept_back]

    @cached_property
    def places(self) -> Nats:
        """Everybody's best point along first-game ... seasoned."""
        places: Nats = np.array(LINE)[np.argmin([self.nats[point] for point in ON_THE_LINE], axis=0)]
        return places


@dataclass(frozen=True)
class MovesAnswer:
    """What came out of question a for the people kept back."""

    rows: dict[str, tuple[Estimate, dict[str, str]]]  # nats per move by model, with the fits
    gain: Estimate  # of the new people over the temperature, in nats per move
    places: dict[str, tuple[int, float]]  # people and mean place, by experience
    p: float

    @property
    def passed(self) -> bool:
        return self.gain.value >= LEAST_GAIN and self.gain.low > 0 and self.is_lower

    @property
    def is_lower(self) -> bool:
        return self.p < SIGNIFICANT

    def lines(self) -> list[str]:
        lines = [f"a. moves of first games of {next(iter(self.rows.values()))[0].n} people kept back, nats per move"]
        for model, (nats, fits) in self.rows.items():
            named = "" if model == "random" else f"  {NEVER}: {fits[NEVER]}; {HAS}: {fits[HAS]}"
            lines.append(f"   {model:<16} {nats.value:.4f} ({nats.low:.4f} to {nats.high:.4f}){named}")
        gain = self.gain
        lines.append(
            f"   new people beside temperature: {gain.value:+.4f} ({gain.low:+.4f} to {gain.high:+.4f}) nats gained"
        )
        means = ", ".join(f"{name} {mean:.2f} ({number} people)" for name, (number, mean) in self.places.items())
        return [*lines, f"   mean point, first-game 0 to seasoned 3: {means}; p = {self.p:.4f}"]


def answer(here: Likelihoods) -> MovesAnswer:
    """Question a for the people kept back."""
    rows, scored = {}, {}
    for model in MODELS:
        scored[model], fits = here.held_out(model)
        rows[model] = (estimated(scored[model], SEED), fits)
    gain = estimated(scored["temperature"] - scored["new people"], SEED)
    answers = np.array(here.experience)[here.kept_back]
    places = here.places[here.kept_back]
    groups = {name: places[answers == name] for name in (NEVER, HAS)}
    known = {name: (len(own), float(own.mean()) if len(own) else math.nan) for name, own in groups.items()}
    both = all(map(len, groups.values()))
    p = permutation(places[answers != ""], answers[answers != ""] == NEVER) if both else 1.0  # nothing to compare
    return MovesAnswer(rows, gain, known, p)


def permutation(values: Nats, lower: Choice) -> float:
    """How often a random group of the same size has a mean as far below the others (one-sided)."""
    rng = np.random.default_rng(SEED)
    found = values[~lower].mean() - values[lower].mean()
    shuffled = np.array([rng.permutation(lower) for _ in range(PERMUTATIONS)])
    low = shuffled @ values / lower.sum()
    high = (values.sum() - shuffled @ values) / (~lower).sum()
    return float((1 + (high - low >= found - 1e-12).sum()) / (1 + PERMUTATIONS))


def descriptive(here: Likelihoods, games: str) -> list[str]:
    """The people for fitting, cross-validated, by experience: without a verdict."""
    lines = [f"   {games}, {int((~here.kept_back).sum())} people for fitting, cross-validated, without a verdict"]
    scored = {model: here.cross_validated(model) for model in MODELS}
    answers = np.array(here.experience)[~here.kept_back]
    for name in (NEVER, HAS, ""):
        own = answers == name if name else np.ones(len(answers), bool)
        if own.any():
            means = ", ".join(f"{model} {values[own].mean():.3f}" for model, values in scored.items())
            lines.append(f"     {name or 'all'} ({int(own.sum())}): {means}")
    return lines
