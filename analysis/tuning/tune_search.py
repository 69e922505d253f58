"""Find the caution and noise of a search: `houle tune GAME --search flat:50`.

A search scores a move by its gains in imagined worlds plus `caution` times its rating by the rules of thumb (race.py),
and plays out its worlds with thumbs of some `noise`. The best values depend on the game: on how good its rules of thumb
are, and on whether partners rely on them. Candidates play the same training deals. The best is compared with the
present settings and with the thumb on other training deals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from houle.analysis.arguments import checked
from houle.analysis.limits import SEARCH_TUNING_GAMES, TRAINING_SEED
from houle.analysis.measures.goal import Goal
from houle.analysis.players.experts import keep_expert, kept_expert
from houle.analysis.players.line_ups import as_setup
from houle.analysis.players.read_players import expert_of_game, expert_strategy, read_strategy
from houle.analysis.result import Facts, Record
from houle.analysis.run_options import Progress, RunOptions, RunSpec
from houle.analysis.sampling.clustered_deals import Deals, distinct_line_ups
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.estimate import Estimate
from houle.analysis.tuning.tuning_run import Scales, Stretches, TuningTask, thumb
from houle.analysis.tuning.weights_file import TunedPlayer, conditions
from houle.solver.errors import InputError, StrategyError
from houle.solver.players.names import FLAT, ISMCTS, KINDS, Strategy, parse
from houle.solver.players.player import MILLI, player_record, weights_entry
from houle.solver.rules import Setup, digest

CAUTIONS = (0.0, 0.3, 1.0, 2.0, 4.0, 10.0)
MOST_DEALS = 10**6
NOISES = (0.0, 0.1, 0.3, 1.0)  # in units of a typical weighted rule of thumb


@dataclass(frozen=True)
class Tried:
    """One candidate and its results on the deals that all candidates played."""

    caution: float
    noise: float
    win: Estimate
    score: Estimate
    objective: float  # by which candidates are compared


@dataclass(frozen=True, repr=False)
class SearchTuning(TunedPlayer):
    """The best caution and noise of a search in a setup."""

    search: Strategy
    present: Mapping[str, Any]  # the present entry of the thumb
    tried: tuple[Tried, ...]
    caution: float
    noise: float
    over_present: Estimate  # of the goal, over the present settings, on other deals
    over_thumb: Estimate  # the same over the thumb
    score_over_thumb: Estimate
    deals: int
    for_this_setup: bool = False  # the settings are only for setups with the same knobs

    rows_key = "tried"

    @property
    def headline(self) -> str:
        gain = Goal(self.setup).says(self.over_thumb)
        return f"{self.search.text}: caution {self.caution:g}, noise {self.noise:g}, gain over the thumb {gain}"

    @property
    def improved(self) -> bool:
        """Whether the settings differ from those in the weights file."""
        return (self.caution, self.noise) != (self.present.get("caution"), self.present.get("noise"))

    def words(self) -> list[str]:
        return ["--search", self.search.text, *(["--for-this-setup"] if self.for_this_setup else [])]

    def count_words(self) -> list[str]:
        return ["-n", str(self.deals)]

    @property
    def entry(self) -> dict[str, Any]:
        """The thumb as an entry of a weights file, with these settings for searches."""
        kept = {key: value for key, value in self.present.items() if key not in ("when", "caution", "noise", "weights")}
        careful = {"caution": self.caution, "noise": self.noise, "careful": self.how}
        named = {"name": kept.pop("name", "thumb"), "when": conditions(self.setup, self.present, self.for_this_setup)}
        return {**named, **kept, **careful, "weights": dict(self.present["weights"])}

    def records(self) -> list[Record]:
        """One row per candidate."""
        return [
            {
                "search": self.search.text,
                "caution": one.caution,
                "noise": one.noise,
                "win": one.win,
                "score": one.score,
            }
            for one in self.tried
        ]

    def summary(self) -> Record:
        return {
            "search": self.search.text,
            "caution": self.caution,
            "noise": self.noise,
            "over": {"present": self.over_present, "thumb": self.over_thumb, "thumb_score": self.score_over_thumb},
            "written": self.written is not None,
        }


@checked
def tune_search(
    setup: Setup | str, search: str = "flat:50", *, for_this_setup: bool = False, **run: Unpack[RunOptions]
) -> SearchTuning:
    """Find the best caution of a search, then the best noise of the players it imagines.

    Parameters
    ----------
    search : str
        The search, `flat:N` or `ismcts:N`.
    for_this_setup : bool
        Whether the settings are only for setups with the same knobs; by default for this number of players.
    games : int
        60 by default: deals that each candidate plays, and again for the comparison.
    seed : int
        The first training seed, 1000 or above.

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
    spec = RunSpec.of({"seed": TRAINING_SEED, **run}, SEARCH_TUNING_GAMES, 2, MOST_DEALS)
    strategy = read_strategy(search, chosen)
    if KINDS[strategy.name] not in (FLAT, ISMCTS):
        raise StrategyError(f"--search: {search!r} is not allowed; allowed: flat:N or ismcts:N")
    task = TuningTask(chosen, spec)
    plays = distinct_line_ups([task.arm(strategy)]) * (len(CAUTIONS) + len(NOISES) + 3)
    spec.begin(Plan.of(("", plays, spec.games)))
    present = dict(weights_entry(parse("thumb"), chosen))
    candidates = Candidates(Stretches(task), strategy, present)
    at_present = candidates.present_settings
    noise = at_present[1]
    tried = candidates.tried([(caution, noise) for caution in CAUTIONS], 0)
    caution = _best(tried).caution
    size = Scales.measured(chosen, present["weights"], spec.seed).size(present["weights"])
    noises = sorted({noise, *(float(f"{part * size:.3g}") for part in NOISES)})
    more = candidates.tried([(caution, noise) for noise in noises], 1)
    best = _best(more)
    players = [candidates.player(best.caution, best.noise), candidates.player(*at_present)]
    pair = candidates.play([*players, thumb(dict(present["weights"]))], 2)
    name = digest({"rules": chosen.digest, "search": strategy.code, "seed": spec.seed, "games": spec.games,
                   "caution": best.caution, "noise": best.noise})  # fmt: skip
    most = float(chosen.score_range[1] - chosen.score_range[0])
    played = candidates.stretches
    facts = Facts(chosen, (), spec.seed, played.games, played.games, played.seconds, name, spec.first)
    return SearchTuning(
        facts, strategy, present, (*tried, *more), best.caution, best.noise,
        task.goal.gain(pair, 0, 1), task.goal.gain(pair, 0, 2), pair.score_gain(0, 2, most), spec.games, for_this_setup,
    )  # fmt: skip


def _best(tried: Sequence[Tried]) -> Tried:
    """The best candidate; of equally good ones the most careful."""
    return max(tried, key=lambda one: (one.objective, one.caution))


@dataclass
class Candidates:
    """Plays candidates on training deals."""

    stretches: Stretches
    search: Strategy
    present: Mapping[str, Any]

    @property
    def present_settings(self) -> tuple[float, float]:
        """The caution and noise with which the search plays now."""
        record = player_record(self.search, self.stretches.task.setup)[0]
        return float(record.caution) / MILLI, float(record.noise) / MILLI

    def player(self, caution: float, noise: float) -> Strategy:
        return replace(self.search, entry={**self.present, "caution": caution, "noise": noise})

    def play(self, players: Sequence[Strategy], stage: int) -> Deals:
        task = self.stretches.task
        return self.stretches.play([task.arm(player) for player in players], task.seed + stage, "tuning the search")

    def tried(self, settings: Sequence[tuple[float, float]], stage: int) -> list[Tried]:
        dealt = self.play([self.player(*one) for one in settings], stage)
        return [
            Tried(*one, dealt.win(arm), dealt.score(arm), self.stretches.task.objective(dealt, arm))
            for arm, one in enumerate(settings)
        ]


EXPERT_GAMES, EXPERT_SEED = 40, 3_000  # games that each of them plays
TRIED = "flat:20"  # one caution suits all budgets, so what suits 20 worlds suits the 200 of the expert
EXPERT_CAUTIONS = (0.0, 0.3, 1.0, 3.0, 10.0)


def find_expert(setup: Setup, progress: Progress | None = None) -> str:
    """The expert of a setup. A game that has none gets one: the best of some searches and the thumb."""
    usual = expert_strategy(setup)
    if expert_of_game(setup) or kept_expert(setup) or not setup.game.is_compiled:
        return usual
    try:
        present = weights_entry(parse("thumb"), setup)
    except InputError:  # no rules of thumb: nothing to search with
        return usual
    task = TuningTask(setup, RunSpec(EXPERT_GAMES, EXPERT_SEED, progress=progress))
    task = replace(task, spec=task.spec.but(games=max(2, EXPERT_GAMES // task.plays)))
    tried = Candidates(Stretches(task), parse(TRIED), present)
    noise = tried.present_settings[1]
    dealt = tried.play(
        [thumb(dict(present["weights"])), *(tried.player(caution, noise) for caution in EXPERT_CAUTIONS)], 0
    )
    best = max(range(len(dealt.plays)), key=lambda arm: task.objective(dealt, arm))
    found = "thumb" if best == 0 else f"{usual}[caution={EXPERT_CAUTIONS[best - 1]:g}]"
    keep_expert(setup, found)
    return found
