"""A designer's search: which few changes of the rules make a table as wanted.

Cheap players come first. The rules as they are and every single change are played on the same deals; a model of what
changes do (effects.py) proposes settings, fewest changes first; what certainly misses a target drops out (race.py).
What is left is played by the dear players that targets name. The best are played again on fresh deals, and the numbers
of the answer are those: the games that chose a setting flatter it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.comparison.measures import is_percent, possible_measures
from houle.analysis.comparison.targets import parse_target
from houle.analysis.designing.effects import Effects
from houle.analysis.designing.memory import Memory
from houle.analysis.designing.search import Proposal, Search, Wish, shown_first
from houle.analysis.designing.space import Setting, Space, make_space
from houle.analysis.limits import DESIGN_FRESH, DESIGN_GAMES, DESIGN_SEARCH_GAMES, SEED, check_int, check_run
from houle.analysis.result import Facts, Finished, interval_as_json, interval_columns, setup_as_json
from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.lineups import setup as table_of
from houle.analysis.sampling.lineups import usual_strategy
from houle.analysis.stats.intervals import Interval
from houle.solver.errors import InputError
from houle.solver.ruleset import Setup, digest, value_text
from houle.solver.run import Progress

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Design(Finished):
    """What was found, and what it was found with."""

    space: Space
    wishes: tuple[Wish, ...]
    proposals: tuple[Proposal, ...]  # fewest changes first; the nearest one where nothing fits
    effects: Mapping[tuple[str, str], Effects]
    played: Mapping[Setting, Mapping[tuple[str, str], Interval]]  # every setting that was tried, by who played it
    found: bool  # whether some setting fits, for all that is known
    search_games: int = DESIGN_SEARCH_GAMES
    fresh_games: int = DESIGN_FRESH
    changed: tuple[str, ...] = ()  # what may be changed, as written
    limit: int = DESIGN_GAMES  # of the games of cheap players
    kept: tuple[str, ...] = ()
    db: str | None = None  # where its games are kept
    recalled: int = 0  # games that an earlier run had kept there

    command = "design"

    @property
    def tried(self) -> int:
        """Settings that were played."""
        return len(self.played)

    def best_trades(self) -> list[Setting]:
        """Settings that no other beats in every wish at once: the front where wishes conflict."""
        keys = [wish.key for wish in self.wishes]
        off = {
            setting: [abs(wish.target.off(found[wish.key])) for wish in self.wishes]
            for setting, found in self.played.items()
            if all(key in found for key in keys)
        }

        def beaten(setting: Setting) -> bool:
            mine = off[setting]
            return any(
                all(a <= b for a, b in zip(other, mine, strict=True)) and other != mine for other in off.values()
            )

        return [setting for setting in off if not beaten(setting)]

    def percent(self, measure: str) -> bool:
        """Whether people read a measure as percent."""
        return is_percent(measure)

    def count_words(self) -> list[str]:
        return ["-n", str(self.limit)]

    def words(self) -> list[str]:
        words = [word for wish in self.wishes for word in ("--target", wish.target.text)]
        words += [word for text in self.changed for word in ("--change", text)]
        words += [word for knob in self.kept for word in ("--keep", knob)]
        words += ["--search-games", str(self.search_games)] if self.search_games != DESIGN_SEARCH_GAMES else []
        words += ["--confirm-games", str(self.fresh_games)] if self.fresh_games != DESIGN_FRESH else []
        return words + (["--db", self.db] if self.db else [])

    @property
    def games_per_second(self) -> float:
        return (self.games - self.recalled) / self.seconds if self.seconds else 0.0

    def interruption(self, again: str) -> str:
        if self.db:
            return f"{self.games:,} games are kept in {self.db}; go on with: {again}"
        return f"{self.games:,} games are counted; all of them: {again}; with --db FILE the next run goes on from there"

    def effect_rows(self) -> list[dict[str, Any]]:
        """Every change by itself, then pairs that do more or less than both, for each wish."""
        rows = []
        for wish in (wish for wish in self.wishes if wish.key in self.effects):
            model = self.effects[wish.key]
            parts: list[tuple[Setting, float]] = [(frozenset({c}), model.alone(c)) for c in sorted(model.single)]
            parts += [(pair, model.beyond(pair)) for pair in model.pairs]
            for setting, effect in parts:
                what = " with ".join(self.space.words(change) for change in sorted(setting))
                kind = "alone" if len(setting) == 1 else "beyond both"
                rows.append({"strategies": wish.strategies, "measure": wish.target.measure, "change": what,
                             "kind": kind, "effect": effect})  # fmt: skip
        return rows

    def effects_beside(self, wish: Wish) -> list[tuple[str, float, list[tuple[str, float]]]]:
        """What each change does by itself, the largest first, and where another is made already, the most unlike first.

        "One card more in the back costs 6 points, with Virage 11."
        """
        model = self.effects.get(wish.key)
        if model is None:
            return []
        rows = []
        for change in sorted(model.single, key=lambda change: -abs(model.alone(change))):
            others = [other for pair in model.pairs if change in pair for other in pair - {change}]
            others.sort(key=lambda other: -abs(model.beyond(frozenset({change, other}))))
            beside = [(self.space.brief(other), model.given(change, other)) for other in others]
            rows.append((self.space.brief(change), model.alone(change), beside))
        return rows

    def frame(self) -> pd.DataFrame:
        """One row per setting of the answer; every target as x (fresh games) and x_chosen (those that chose it)."""
        import pandas as pd

        rows = []
        for proposal in self.proposals:
            row = {**self.table_columns(), "setting": proposal.label, "changes": proposal.changes, "hit": proposal.hit}
            for wish in self.wishes:
                name = f"{wish.target.measure}@{wish.strategies}"
                row |= interval_columns(name, proposal.fresh.get(wish.key))
                row |= interval_columns(f"{name}_chosen", proposal.chosen.get(wish.key))
            rows.append({**row, **self.digest_columns()})
        return pd.DataFrame(rows)

    def as_json(self) -> dict[str, Any]:
        return {
            **self.head(),
            "targets": [wish.target.text for wish in self.wishes],
            "change": {axis.name: list(axis.values) for axis in self.space.axes},
            "tried": self.tried,
            "found": self.found,
            "proposals": [self._as_json(proposal) for proposal in self.proposals],
            "effects": self.effect_rows(),
        }

    def _as_json(self, proposal: Proposal) -> dict[str, Any]:
        return {
            "setting": proposal.label,
            "changes": proposal.changes,
            "hit": proposal.hit,
            "table": setup_as_json(proposal.table),
            "targets": [
                {"target": wish.target.text, "player": wish.strategies}
                | {"chosen": interval_as_json(proposal.chosen.get(wish.key))}
                | {"fresh": interval_as_json(proposal.fresh.get(wish.key))}
                for wish in self.wishes
            ],
            "elsewhere": {
                name: {"here": interval_as_json(here), "before": interval_as_json(before)}
                for name, (here, before) in proposal.elsewhere.items()
            },
            "assumed": proposal.assumed,
        }


def design(
    setup: Setup | str,
    *,
    targets: str | Iterable[str],
    change: Mapping[str, Any] | Iterable[str] = ("all",),
    keep: Iterable[str] = (),
    games: int = DESIGN_GAMES,
    search_games: int = DESIGN_SEARCH_GAMES,
    fresh: int = DESIGN_FRESH,
    seed: int = SEED,
    db: str | Path | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Design:
    """Find the fewest changes of the rules that make a table as wanted.

    Parameters
    ----------
    table : Setup or str
        What one begins with: a table, as `houle.setup` makes it, or a game's name.
    targets : str or iterable of str
        What is wanted, as for `houle.sweep`: `"win=40%@thumb"`, `"length=55..65"`. All of them must hold; who plays
        where no player is named is the thumb.
    change : mapping or iterable of str
        Knobs that may be turned, with their alternatives (`{"hand.back": "0..4"}`) or by name alone; `"variants"` is
        one of them, `"all"` is everything.
    keep : iterable of str
        Knobs that stay as they are, where all may be changed.
    games : int
        How many of cheap players, all settings together.
    search_games : int
        How many of each setting that is left where somebody searches.
    fresh : int
        How many fresh games check each setting of the answer; as many as `search_games` where somebody searches.
    seed : int
        Of the games that choose; fresh ones are other games of the same seed.
    db : path, optional
        A file in which games are kept: the next run with it goes on where this one ends.
    threads : int, optional
        One per core by default; never part of the result.

    Returns
    -------
    Design
        With `.proposals`, `.effects`, `.frame()`, `.as_json()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> found = houle.design("wave", targets="win=40%", change={"hand.back": [0, 1, 2, 3]}, games=40_000, fresh=20_000)
    >>> [(proposal.label, proposal.hit) for proposal in found.proposals]
    [('hand.back=3', 'inside')]
    """
    base = table_of(setup) if isinstance(setup, str) else setup
    check_run(games, seed, 0)
    check_int("search_games", search_games, 1, games)
    changes = dict(change) if isinstance(change, Mapping) else dict.fromkeys(several(change))
    space = make_space(base, changes, keep)
    wishes = _wishes(base, several(targets))
    with nullcontext() if db is None else Memory(db, base) as memory:
        search = Search(space, wishes, seed, threads, progress, memory)
        order, fits = shown_first(search.run(games, search_games, fresh))
    played = {name: search.games_of(name) for name in search.races}
    name = digest({"setup": base.digest, "seed": seed, "played": played, "proposals": [p.label for p in order]})
    facts = Facts(base, (), seed, search.games, search.games, search.seconds, name)
    if search.interrupted:
        facts = Facts(base, (), seed, search.games, max(games, search.games + 1), search.seconds, name)
    values = {axis.name: ",".join(map(value_text, axis.values)) for axis in space.axes}
    written = tuple(knob if given is None else f"{knob}={values[knob]}" for knob, given in changes.items()
                    if given is None or knob in values)  # fmt: skip
    return Design(facts, space, tuple(wishes), tuple(order), search.models(), search.estimates(), fits,
                  search_games, fresh, written, games, tuple(keep), None if db is None else str(db),
                  memory.recalled if memory else 0)  # fmt: skip


def _wishes(base: Setup, targets: Sequence[str]) -> list[Wish]:
    if not targets:
        raise InputError("--target: say what is wanted, as win=40%")
    wishes = []
    for text in targets:
        target = parse_target(text, "--target")
        if target.measure not in possible_measures(base):
            has = ", ".join(possible_measures(base))
            raise InputError(f"--target: {target.measure}: {base.ruleset.name} at this table has only {has}")
        wishes.append(Wish(target, target.player or usual_strategy(base)))
    return wishes
