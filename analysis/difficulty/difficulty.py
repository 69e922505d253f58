"""How hard a table is, for whom: the named players of players.toml on the same deals, from the weakest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from houle.analysis.arguments import checked
from houle.analysis.comparison.findings import Finding, all_findings
from houle.analysis.comparison.measures import difference, gain_on_arm_before
from houle.analysis.comparison.words import Band, bands, difficulty_span
from houle.analysis.limits import DEALS, MOST_GAMES, MOST_SEED, SEARCH_DEALS, SEED, check_int
from houle.analysis.result import Facts, Result, interval_as_json, interval_columns
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.lineups import as_setup, line_up
from houle.analysis.sampling.paired import Played, play_arms
from houle.analysis.sampling.players import playable, role, shown_player, usual
from houle.analysis.sampling.progress import part_of, spans_of, work_of
from houle.analysis.stats.differences import apart
from houle.analysis.stats.intervals import Interval, mean_score, score_quantile, score_share, win_rate
from houle.analysis.strategy.weak_search import doubt
from houle.solver.errors import InputError
from houle.solver.ruleset import PRINTED_RULES, Setup, digest, printed
from houle.solver.run import Progress
from houle.solver.strategies.names import KINDS, THUMB, split
from houle.solver.tally import Tally

if TYPE_CHECKING:
    import pandas as pd

QUANTILES = (0.1, 0.5, 0.9)


@dataclass(frozen=True)
class Level:
    """What one kind of player makes of the table."""

    strategy: str
    role: str
    tally: Tally
    bands: tuple[Band, ...]
    printed: Interval | None = None  # what the same player wins by the printed rules, on the same deals
    more: Interval | None = None  # by how much it wins more than that
    gain: Interval | None = (
        None  # by how much it wins more than the player before; None for the first, and beside print
    )

    @cached_property
    def win(self) -> Interval:
        return win_rate(self.tally, 0)

    @cached_property
    def score(self) -> Interval:
        return mean_score(self.tally, 0).interval

    @cached_property
    def quantiles(self) -> dict[float, Interval]:
        return {q: score_quantile(self.tally, 0, q) for q in QUANTILES}

    @cached_property
    def shares(self) -> list[Interval]:
        """Of the rulebook's bands."""
        return [score_share(self.tally, 0, band.low, band.high) for band in self.bands]

    @property
    def beside(self) -> str:
        """Its table beside the printed rules: `easier`, `harder`, or that no difference shows."""
        if self.more is None:
            return ""
        return "easier" if self.more.low > 0 else "harder" if self.more.high < 0 else "no difference shows"

    @property
    def word(self) -> str:
        """`hard`; what a bound could win says nothing about how hard it is."""
        return "" if self.strategy.startswith("clairvoyant") else difficulty_span(self.win)


@dataclass(frozen=True, repr=False)
class Difficulty(Result):
    """A table's difficulty from below to above. Its games are those of the strategies that are quick."""

    table: Setup
    # Quick strategies on all the deals, those that search on the first of them; one by one beside the printed rules,
    # which are then the first arm of each.
    played: tuple[Played, ...]
    left_out: tuple[tuple[str, str], ...]  # strategy, why
    numbers: tuple[int, int]  # deals that were asked for, and how many of them for strategies that search

    command = "difficulty"

    @cached_property
    def facts(self) -> Facts:
        quick = self.played[0]
        names = tuple(arm.label for part in self.played for arm in part.arms if arm.setup is self.table)
        seconds = sum(part.seconds for part in self.played)
        name = digest([part.digest for part in self.played])
        return Facts(self.table, names, quick.seed, quick.batches[0].number, quick.asked, seconds, name)

    @property
    def interrupted(self) -> bool:
        return any(part.interrupted for part in self.played)

    @property
    def games_per_second(self) -> float:
        played = sum(part.games for part in self.played)
        return played / self.seconds if self.seconds else 0.0

    @property
    def printed(self) -> Setup | None:
        """The printed rules, where they were played beside one's own."""
        first = self.played[0].arms[0].setup
        return None if first is self.table else first

    def words(self) -> list[str]:
        return ["--alone"] if self.printed is None and differs(self.table) else []

    def count_words(self) -> list[str]:
        games, searched = self.numbers
        for part in self.played if self.printed is None else ():
            number = part.batches[0].number
            games, searched = (games, number) if searching(part.arms) else (number, searched)
        return ["-n", str(games), "--search-games", str(searched)]

    def interruption(self, again: str) -> str:
        counted = ", ".join(f"{part.batches[0].number:,} of {part.asked:,}" for part in self.played)
        what = "exactly this part" if self.printed is None else "the whole"
        return f"{counted} deals are counted; {what} again: {again}"

    @cached_property
    def levels(self) -> list[Level]:
        """From the weakest; those of which a game was played."""
        own = tuple(bands(self.setup))
        found: list[Level] = []
        for part in self.played:
            for i, arm in enumerate(part.arms):
                if part.tally(i).games and arm.setup is self.table:
                    gain = self._gain(part, i, found)
                    found.append(Level(arm.label, role(arm.label), part.tally(i), own, *self._beside(part, i), gain))
        return found

    def _gain(self, part: Played, arm: int, before: Sequence[Level]) -> Interval | None:
        """On the same deals; who searches has but the first of them, and is held for independent of the player before.

        That is too wide rather than too narrow: what deals they share makes both win more, or less.
        """
        if self.printed is not None or not before:
            return None
        return gain_on_arm_before(part, arm) or apart(win_rate(part.tally(arm), 0), before[-1].win)

    def _beside(self, part: Played, arm: int) -> tuple[Interval | None, Interval | None]:
        """What the printed rules give the same player, and the difference."""
        if self.printed is None:
            return None, None
        return win_rate(part.tally(0), 0), difference(part, arm, "win").interval

    @cached_property
    def findings(self) -> list[Finding]:
        found = [finding for part in self.played for finding in all_findings(part)]
        return [finding for finding in found if finding.arm != PRINTED_RULES]

    @cached_property
    def doubts(self) -> list[str]:
        """Players that search and are certainly worse than the one before, each in a sentence."""
        pairs = zip(self.levels[1:], self.levels, strict=False) if self.printed is None else ()
        found = [
            doubt(self.setup, level.strategy, before.strategy, level.gain, apart(level.score, before.score))
            for level, before in pairs
            if level.word and before.word
        ]
        return [sentence for sentence in found if sentence]

    @cached_property
    def verdict(self) -> list[str]:
        """The table in sentences."""
        lines = [f"{level.word} for {level.role}: {_percent(level.win)}" for level in self.levels if level.word]
        bound = next((level for level in self.levels if not level.word), None)
        said = ["; ".join(lines)] if lines else []
        said += [*self._beside_print(), *self.doubts]
        if bound is not None:
            undecided = " or undecided" if bound.tally.unresolved else ""
            said.append(f"{_percent(bound.win)} of the deals can be won at all, the others by nobody{undecided}")
        return said

    def _beside_print(self) -> list[str]:
        """Whom the own variant is easier or harder for than the printed rules, in a sentence."""
        whom: dict[str, list[str]] = {}
        for level in self.levels:
            if level.more is not None:
                whom.setdefault(level.beside, []).append(shown_player(level.strategy))
        told = [f"{word} for {', '.join(names)}" for word, names in whom.items()]
        return [f"beside the {PRINTED_RULES}: {'; '.join(told)}"] if told else []

    def frame(self) -> pd.DataFrame:
        """One row per strategy."""
        import pandas as pd

        return pd.DataFrame([self._row(level) for level in self.levels])

    def _row(self, level: Level) -> dict[str, Any]:
        estimates: dict[str, Interval | None] = {"win": level.win, "score": level.score}
        estimates |= {f"score_q{round(100 * q)}": found for q, found in level.quantiles.items()}
        if self.printed is None:
            estimates |= {"gain": level.gain}
        else:
            estimates |= {"printed_win": level.printed, "more_than_printed": level.more}
        names = (f"band_{band.label}" for band in level.bands)
        estimates |= dict(zip(names, level.shares, strict=True))
        return {
            **self.setup_columns(),
            "games": level.tally.games,
            "strategy": level.strategy,
            "role": level.role,
            "n": level.tally.games,
            "word": level.word,
            "score_name": self.setup.score,
            **{key: end for name, found in estimates.items() for key, end in interval_columns(name, found).items()},
            **self.digest_columns(),
        }

    def as_json(self) -> dict[str, Any]:
        """The object that `houle difficulty --json` prints."""
        return {
            **self.head(),
            "score": self.setup.score,
            "verdict": self.verdict,
            "levels": [
                {
                    "strategy": level.strategy,
                    "role": level.role,
                    "word": level.word or None,
                    "n": level.tally.games,
                    "win": interval_as_json(level.win),
                    "gain": interval_as_json(level.gain),
                    "printed": interval_as_json(level.printed),
                    "more_than_printed": interval_as_json(level.more),
                    "beside_print": level.beside or None,
                    "score": interval_as_json(level.score),
                    "quantiles": {str(q): interval_as_json(found) for q, found in level.quantiles.items()},
                    "bands": [
                        {"band": band.label, "word": band.word, **interval_as_json(found)}
                        for band, found in zip(level.bands, level.shares, strict=True)
                    ],
                    "histogram": {str(score): number for score, number in level.tally.scores(0).items()},
                }
                for level in self.levels
            ],
            "left_out": [{"strategy": text, "why": why} for text, why in self.left_out],
            "findings": [finding.as_json() for finding in self.findings],
        }


def _percent(found: Interval) -> str:
    return f"{100 * found.value:.3g}% ({100 * found.low:.3g} to {100 * found.high:.3g})"


def levels_of(setup: Setup, texts: Sequence[str] = ()) -> tuple[list[list[Arm]], list[tuple[str, str]]]:
    """The arms that are quick and those that search, and why some strategies are left out."""
    if not setup.one_sided:
        name = setup.ruleset.name
        raise InputError(
            f"{name}: players compete at this table, so it is not hard or easy as such; see houle strength {name}"
        )
    found, left_out = playable(setup, texts) if texts else usual(setup, "difficulty")
    stages: list[list[Arm]] = [[], []]
    for strategy in found:
        names = line_up(setup, strategy.text).names
        stages[KINDS[strategy.name] > THUMB].append(Arm(setup, names, {}, strategy.text))
    return [stage for stage in stages if stage], left_out


def differs(setup: Setup) -> bool:
    """Whether a table is played by other rules than the printed ones."""
    return setup.digest != printed(setup).digest


def stages_of(
    setup: Setup,
    strategies: str | Iterable[str] | None,
    games: int,
    search_games: int,
    beside_print: bool | None = None,
) -> tuple[list[tuple[list[Arm], int]], list[tuple[str, str]]]:
    """What is played: arms and how many deals of each; fewer where a move takes a search. And what is left out.

    Beside the printed rules every player is a stage of its own: the same player by print, then by the own rules.
    """
    given = (strategies,) if isinstance(strategies, str) else tuple(strategies or ())
    stages, left_out = levels_of(setup, [part for text in given for part in split(text)])
    if differs(setup) if beside_print is None else beside_print:
        table = printed(setup)
        stages = [[Arm(table, arm.strategies, {}, PRINTED_RULES), arm] for stage in stages for arm in stage]
    return [(arms, min(games, search_games) if searching(arms) else games) for arms in stages], left_out


def searching(arms: Sequence[Arm]) -> bool:
    return max(arm.line_up.level for arm in arms) > THUMB


@checked
def difficulty(
    setup: Setup | str,
    *,
    strategies: str | Iterable[str] | None = None,
    games: int = DEALS,
    search_games: int = SEARCH_DEALS,
    beside_print: bool | None = None,
    seed: int = SEED,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Difficulty:
    """Say how hard a table is, and for whom: from play at random up to what nobody can beat.

    For games that a team or a player alone wins or loses.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    strategies : str or iterable of str, optional
        Other players than the named ones (`houle players GAME`), from the weakest.
    games, search_games : int
        How many deals, and how many of them for strategies that search.
    beside_print : bool, optional
        Whether every player also plays by the printed rules, on the same deals; where nothing is said, if the table
        is a variant of one's own.
    seed : int
        Names the deals.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    Bracket
        With `.levels`, `.verdict`, `.frame()`, `.as_json()`, `.plot()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> result = houle.bracket(houle.setup("wave"), strategies=["random", "thumb"], games=4_000)
    >>> [(level.strategy, level.word) for level in result.levels]
    [('random', 'nearly impossible'), ('thumb', 'hard')]
    """
    table = as_setup(setup)
    check_int("games", games, 2, MOST_GAMES)
    check_int("search_games", search_games, 1, MOST_GAMES)
    check_int("seed", seed, 0, MOST_SEED)
    stages, left_out = stages_of(table, strategies, games, search_games, beside_print)
    parts: list[Played] = []
    spans = spans_of([number * sum(work_of(arm.line_up.strategies) for arm in arms) for arms, number in stages])
    for (arms, number), span in zip(stages, spans, strict=True):
        if parts and parts[-1].interrupted:
            break
        before, spent = sum(part.games for part in parts), sum(part.seconds for part in parts)
        told = part_of(progress, before, spent, span=span, total=number * len(arms))
        parts.append(play_arms(arms, seed, number, threads, told, matchups=True))
    return Difficulty(table, tuple(parts), tuple(left_out), (games, search_games))
