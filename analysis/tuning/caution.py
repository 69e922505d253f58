"""Find the caution and noise of a search: `houle tune GAME --search flat:50`.

A search prefers another move to the thumb's only if it is better by `caution` standard errors, and plays out its worlds
with thumbs of some `noise`. The best values depend on the game: on its length, and on how many moves differ. Candidates
play the same training deals. The best is compared with the present settings and with the thumb on other training deals.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.arguments import checked
from houle.analysis.limits import SEARCH_TUNING_GAMES, TRAINING_SEED, check_int
from houle.analysis.result import Facts, Finished, interval_as_json, interval_columns
from houle.analysis.sampling.lineups import as_setup
from houle.analysis.sampling.players import read_strategy
from houle.analysis.sampling.progress import expect, part_of
from houle.analysis.sampling.same_deals import Deals, same_deals
from houle.analysis.stats.estimate import Estimate
from houle.analysis.tuning.scales import Scales
from houle.analysis.tuning.task import TuningTask, thumb
from houle.analysis.tuning.weights_file import as_toml, conditions, store
from houle.solver.errors import StrategyError
from houle.solver.ruleset import Setup, digest
from houle.solver.run import Progress
from houle.solver.strategies.names import FLAT, ISMCTS, KINDS, Strategy, parse
from houle.solver.strategies.player import weights_entry

if TYPE_CHECKING:
    import pandas as pd

CAUTIONS = (0.0, 1.0, 2.0, 3.0, 4.0)  # standard errors
NOISES = (0.0, 0.1, 0.3)  # in units of a typical weighted rule of thumb


@dataclass(frozen=True)
class Tried:
    """One candidate and its results on the deals that all candidates played."""

    caution: float
    noise: float
    win: Estimate
    score: Estimate
    objective: float  # by which candidates are compared


@dataclass(frozen=True, repr=False)
class SearchTuning(Finished):
    """The best caution and noise of a search in a setup."""

    search: Strategy
    present: Mapping[str, Any]  # the present entry of the thumb
    tried: tuple[Tried, ...]
    caution: float
    noise: float
    over_present: Estimate  # share of the win over the present settings, on other deals
    over_thumb: Estimate  # the same over the thumb
    score_over_thumb: Estimate
    deals: int
    written: Path | None = None

    command = "tune"

    @property
    def headline(self) -> str:
        gain = self.over_thumb.text()
        return f"{self.search.text}: caution {self.caution:g}, noise {self.noise:g}, gain over the thumb {gain}"

    @property
    def changed(self) -> bool:
        return (self.caution, self.noise) != _settings(self.present)

    def words(self) -> list[str]:
        return ["--search", self.search.text]

    def count_words(self) -> list[str]:
        return ["-n", str(self.deals)]

    @property
    def entry(self) -> dict[str, Any]:
        """The thumb as an entry of a weights file, with these settings for searches."""
        kept = {key: value for key, value in self.present.items() if key not in ("when", "caution", "noise", "weights")}
        careful = {"caution": self.caution, "noise": self.noise, "careful": self.repeat()}
        named = {"name": kept.pop("name", "thumb"), "when": conditions(self.setup)}
        return {**named, **kept, **careful, "weights": dict(self.present["weights"])}

    @property
    def toml(self) -> str:
        """The player as an entry of a weights file, in TOML."""
        return as_toml(self.entry)

    def store(self) -> SearchTuning:
        """Write the settings into the game's weights file if they changed."""
        return replace(self, written=store(self.setup.ruleset.name, self.entry)) if self.changed else self

    def frame(self) -> pd.DataFrame:
        """One row per candidate."""
        import pandas as pd

        return pd.DataFrame(
            {
                **self.setup_columns(),
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
            "over": {name: interval_as_json(gain) for name, gain in over.items()},
            "written": self.written is not None,
        }


@checked
def tune_search(
    setup: Setup | str,
    search: str = "flat:50",
    *,
    games: int = SEARCH_TUNING_GAMES,
    seed: int = TRAINING_SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SearchTuning:
    """Find the best caution of a search, then the best noise of the players it imagines.

    Parameters
    ----------
    setup : Setup or str
        From `houle.setup`, or the name of a game for its default setup.
    search : str
        The search, `flat:N` or `ismcts:N`.
    games : int
        Deals that each candidate plays, and again for the comparison.
    seed : int
        First training seed, 1000 or above.
    threads : int, optional
        Number of threads; one per core by default. It does not change the result.
    progress : callable, optional
        Called as `progress(games, seconds)` while games are played.

    Returns
    -------
    SearchTuning
        With `.caution`, `.noise`, `.over_thumb`, `.toml` and `.store()`.

    Examples
    --------
    >>> import houle
    >>> result = houle.tune_search("wave", "flat:2", games=3)
    >>> result.search.text, result.caution >= 0
    ('flat:2', True)
    """
    chosen = as_setup(setup)
    check_int("games", games, 2, 10**6)
    strategy = read_strategy(search, chosen)
    if KINDS[strategy.name] not in (FLAT, ISMCTS):
        raise StrategyError(f"--search: {search!r} is not allowed; allowed: flat:N or ismcts:N")
    task = TuningTask(chosen, games=games, seed=seed, threads=threads)
    present = dict(weights_entry(parse("thumb"), chosen))
    played = _Played(task, strategy, present, progress)
    _, noise = _settings(present)
    tried = played.candidates([(caution, noise) for caution in CAUTIONS], 0)
    caution = _best(tried).caution
    size = Scales.measured(chosen, present["weights"], seed).size(present["weights"])
    noises = sorted({noise, *(float(f"{part * size:.3g}") for part in NOISES)})
    more = played.candidates([(caution, noise) for noise in noises], 1)
    best = _best(more)
    pair = played.deals([played.player(best.caution, best.noise), played.player(*_settings(present)),
                         thumb(dict(present["weights"]))], 2)  # fmt: skip
    name = digest({"rules": chosen.digest, "search": strategy.text, "seed": seed, "games": games,
                   "caution": best.caution, "noise": best.noise})  # fmt: skip
    most = float(chosen.score_range[1] - chosen.score_range[0])
    facts = Facts(chosen, (), seed, played.games, played.games, played.seconds, name)
    return SearchTuning(
        facts, strategy, present, (*tried, *more), best.caution, best.noise, pair.gain(0, 1), pair.gain(0, 2),
        pair.score_gain(0, 2, most), games,
    )  # fmt: skip


def _settings(entry: Mapping[str, Any]) -> tuple[float, float]:
    return float(entry.get("caution", 0.0)), float(entry.get("noise", 0.0))


def _best(tried: Sequence[Tried]) -> Tried:
    """The best candidate; of equally good ones the most careful."""
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
        watched = part_of(self.progress, self.games, self.seconds, plays, "tuning the search")
        dealt = same_deals(
            self.task.setup, arms, self.task.seed + stage, self.task.games, 0, self.task.threads, watched
        )
        self.games += dealt.number * plays
        return dealt

    def candidates(self, settings: Sequence[tuple[float, float]], stage: int) -> list[Tried]:
        dealt = self.deals([self.player(*one) for one in settings], stage)
        return [
            Tried(*one, dealt.win(arm), dealt.score(arm), self.task.objective(dealt, arm))
            for arm, one in enumerate(settings)
        ]
