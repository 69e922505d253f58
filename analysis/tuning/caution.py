"""How careful a search should be: `houle tune GAME --search flat:50`.

A search leaves the thumb's own move only where another is better by `caution` standard errors, and plays out its worlds
with thumbs of some `noise`. What is best hangs on the game: on how long it is and how many moves differ, in units that
weights alone do not tell. Candidates play the same training deals; the best is held against the present settings and
against the thumb on other training deals.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.limits import SEARCH_TUNING_GAMES, TRAINING_SEED, check_int
from houle.analysis.result import Facts, Finished, interval_as_json, interval_columns
from houle.analysis.sampling.lineups import as_setup
from houle.analysis.sampling.progress import expect, part_of
from houle.analysis.sampling.same_deals import Deals, same_deals
from houle.analysis.stats.intervals import Interval
from houle.analysis.tuning.scales import Scales
from houle.analysis.tuning.task import TuningTask, thumb
from houle.analysis.tuning.weights_file import as_toml, conditions, store
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress
from houle.solver.strategies.names import FLAT, ISMCTS, KINDS, Strategy, parse
from houle.solver.strategies.player import weights_entry

if TYPE_CHECKING:
    import pandas as pd

CAUTIONS = (0.0, 1.0, 2.0, 3.0, 4.0)  # standard errors
NOISES = (0.0, 0.1, 0.3)  # of what the weights of a rule of thumb come to


@dataclass(frozen=True)
class Tried:
    """One candidate and what it reached on the deals that all of them played."""

    caution: float
    noise: float
    win: Interval
    score: Interval
    objective: float  # what candidates are compared by


@dataclass(frozen=True, repr=False)
class SearchTuning(Finished):
    """How careful a search should be at a table."""

    search: Strategy
    present: Mapping[str, Any]  # the thumb's entry as it was
    tried: tuple[Tried, ...]
    caution: float
    noise: float
    over_present: Interval  # share of the win over the present settings, on other deals
    over_thumb: Interval  # the same over the thumb
    score_over_thumb: Interval
    deals: int
    written: Path | None = None

    command = "tune"

    @property
    def changed(self) -> bool:
        return (self.caution, self.noise) != _settings(self.present)

    def words(self) -> list[str]:
        return ["--search", self.search.text]

    def count_words(self) -> list[str]:
        return ["-n", str(self.deals)]

    @property
    def entry(self) -> dict[str, Any]:
        """The thumb as an entry of a weights file, with these settings for the searches that imagine it."""
        kept = {key: value for key, value in self.present.items() if key not in ("when", "caution", "noise", "weights")}
        careful = {"caution": self.caution, "noise": self.noise, "careful": self.repeat()}
        named = {"name": kept.pop("name", "thumb"), "when": conditions(self.setup)}
        return {**named, **kept, **careful, "weights": dict(self.present["weights"])}

    @property
    def toml(self) -> str:
        """The player as it stands in a weights file."""
        return as_toml(self.entry)

    def store(self) -> SearchTuning:
        """Puts the settings into the game's weights file where they are other than the present ones."""
        return replace(self, written=store(self.setup.ruleset.name, self.entry)) if self.changed else self

    def frame(self) -> pd.DataFrame:
        """One row per candidate."""
        import pandas as pd

        return pd.DataFrame(
            {
                **self.table_columns(),
                "search": self.search.text,
                "caution": one.caution,
                "noise": one.noise,
                **interval_columns("win", one.win),
                **interval_columns("score", one.score),
                **self.digest_columns(),
            }
            for one in self.tried
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle tune --search --json` prints."""
        tried = [
            {"caution": one.caution, "noise": one.noise, "win": interval_as_json(one.win),
             "score": interval_as_json(one.score)}
            for one in self.tried
        ]  # fmt: skip
        over = {"present": self.over_present, "thumb": self.over_thumb, "thumb_score": self.score_over_thumb}
        return {
            **self.head(),
            "search": self.search.text,
            "caution": self.caution,
            "noise": self.noise,
            "tried": tried,
            "over": {name: interval_as_json(found) for name, found in over.items()},
            "written": self.written is not None,
        }


def tune_search(
    setup: Setup | str,
    search: str = "flat:50",
    *,
    games: int = SEARCH_TUNING_GAMES,
    seed: int = TRAINING_SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SearchTuning:
    """Find how careful a search should be: first its caution, then the noise of the players it imagines.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    search : str
        The search, `flat:N` or `ismcts:N`.
    games : int
        Deals that every candidate plays, and again for the comparison.
    seed : int
        First training seed, 1000 or above.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    SearchTuning
        With `.caution`, `.noise`, `.over_thumb`, `.toml` and `.store()`.

    Examples
    --------
    >>> import houle
    >>> found = houle.tune_search("wave", "flat:2", games=3)
    >>> found.search.text, found.caution >= 0
    ('flat:2', True)
    """
    table = as_setup(setup)
    check_int("games", games, 2, 10**6)
    strategy = parse(search)
    if KINDS[strategy.name] not in (FLAT, ISMCTS):
        raise InputError(f"--search: {search!r} is not allowed; allowed: flat:N or ismcts:N")
    task = TuningTask(table, games=games, seed=seed, threads=threads)
    present = dict(weights_entry(parse("thumb"), table))
    played = _Played(task, strategy, present, progress)
    _, noise = _settings(present)
    tried = played.candidates([(caution, noise) for caution in CAUTIONS], 0)
    caution = _best(tried).caution
    size = Scales.measured(table, present["weights"], seed).size(present["weights"])
    noises = sorted({noise, *(float(f"{part * size:.3g}") for part in NOISES)})
    more = played.candidates([(caution, noise) for noise in noises], 1)
    chosen = _best(more)
    pair = played.deals([played.player(chosen.caution, chosen.noise), played.player(*_settings(present)),
                         thumb(dict(present["weights"]))], 2)  # fmt: skip
    name = digest({"rules": table.digest, "search": strategy.text, "seed": seed, "games": games,
                   "caution": chosen.caution, "noise": chosen.noise})  # fmt: skip
    most = float(table.score_range[1] - table.score_range[0])
    facts = Facts(table, (), seed, played.games, played.games, played.seconds, name)
    return SearchTuning(
        facts, strategy, present, (*tried, *more), chosen.caution, chosen.noise, pair.gain(0, 1), pair.gain(0, 2),
        pair.score_gain(0, 2, most), games,
    )  # fmt: skip


def _settings(entry: Mapping[str, Any]) -> tuple[float, float]:
    return float(entry.get("caution", 0.0)), float(entry.get("noise", 0.0))


def _best(tried: Sequence[Tried]) -> Tried:
    """The candidate that reached most, of equals the most careful."""
    return max(tried, key=lambda one: (one.objective, one.caution))


class _Played:
    """Plays candidates on training deals and counts their games."""

    def __init__(
        self, task: TuningTask, search: Strategy, present: Mapping[str, Any], progress: Progress | None
    ) -> None:
        self.task, self.search, self.present, self.progress = task, search, present, progress
        self.games, self.start = 0, time.perf_counter()
        expect(progress, task.plays * task.games * (len(CAUTIONS) + len(NOISES) + 3))

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.start

    def player(self, caution: float, noise: float) -> Strategy:
        entry = {**self.present, "caution": caution, "noise": noise}
        return Strategy(self.search.text, self.search.name, self.search.budget, self.search.options, entry)

    def deals(self, players: Sequence[Strategy], stage: int) -> Deals:
        arms = [self.task.arm(player) for player in players]
        plays = sum(map(len, arms))
        watched = part_of(self.progress, self.games, self.seconds, plays, "how careful")
        found = same_deals(
            self.task.setup, arms, self.task.seed + stage, self.task.games, 0, self.task.threads, watched
        )
        self.games += found.number * plays
        return found

    def candidates(self, settings: Sequence[tuple[float, float]], stage: int) -> list[Tried]:
        dealt = self.deals([self.player(*one) for one in settings], stage)
        return [
            Tried(*one, dealt.win(arm), dealt.score(arm), self.task.objective(dealt, arm))
            for arm, one in enumerate(settings)
        ]
