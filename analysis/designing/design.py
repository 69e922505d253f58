"""`design`: find the fewest changes of the rules that reach a target.

Fast players come first. They play the unchanged rules and every single change on the same deals. A model of what
changes do (effects.py) proposes settings, fewest changes first, and a setting that certainly misses a target drops out
(race.py). Players that search then play what is left. The best settings are played again on fresh deals, and the answer
shows only these numbers, because the games that chose a setting flatter it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from houle.analysis.arguments import checked
from houle.analysis.comparison.measures import is_percent, possible_measures
from houle.analysis.comparison.targets import parse_target
from houle.analysis.designing.effects import Effects
from houle.analysis.designing.search import Proposal, Search, Wish, shown_first
from houle.analysis.designing.space import Setting, Space, make_space
from houle.analysis.limits import DESIGN_FRESH, DESIGN_GAMES, DESIGN_SEARCH_GAMES, check_int
from houle.analysis.result import Facts, Finished, Record, setup_as_json
from houle.analysis.run import RunOptions, RunSpec
from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.lineups import as_setup, usual_strategy
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.solver.errors import InputError
from houle.solver.rules import Setup, digest, value_text

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Design(Finished):
    """Changes of the rules that reach the targets, and what each change does."""

    space: Space
    wishes: tuple[Wish, ...]
    proposals: tuple[Proposal, ...]  # fewest changes first; only the nearest one if nothing fits
    effects: Mapping[tuple[str, str], Effects]
    played: Mapping[Setting, Mapping[tuple[str, str], Estimate]]  # every setting that was tried, by line-up and measure
    found: bool  # whether some setting reaches the targets, as far as known
    search_games: int = DESIGN_SEARCH_GAMES
    fresh_games: int = DESIGN_FRESH
    changed: tuple[str, ...] = ()  # what may be changed, as written
    limit: int = DESIGN_GAMES  # of the games of fast players
    kept: tuple[str, ...] = ()

    command = "design"
    rows_key = "proposals"

    @property
    def headline(self) -> str:
        wanted = " and ".join(wish.target.text for wish in self.wishes)
        if not self.proposals:
            return wanted
        best, wish = self.proposals[0], self.wishes[0]
        estimate = best.fresh.get(wish.key) or best.chosen.get(wish.key)
        number = f" ({wish.target.measure} {estimate.text()})" if estimate else ""
        return f"{wanted}: {'' if self.found else 'not reached, nearest '}{best.label}{number}"

    @property
    def tried(self) -> int:
        """Settings that were played."""
        return len(self.played)

    def best_trades(self) -> list[Setting]:
        """Settings that no other setting beats in every target at once (the Pareto front)."""
        keys = [wish.key for wish in self.wishes]
        off = {
            setting: [abs(wish.target.off(measured[wish.key])) for wish in self.wishes]
            for setting, measured in self.played.items()
            if all(key in measured for key in keys)
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
        return words

    def interruption(self, again: str) -> str:
        return f"{self.games:,} games are counted; the whole again: {again}"

    def effect_rows(self) -> list[dict[str, Any]]:
        """The effect of every change by itself, then of pairs beyond the sum of both, for each target."""
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
        """What each change does by itself, largest first, and what it does if another change is already made.

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
        """One row per proposal; every target as x (fresh games) and x_chosen (the games that chose it)."""
        import pandas as pd

        rows = []
        for proposal in self.proposals:
            row = {**self.setup_columns(), "setting": proposal.label, "changes": proposal.changes, "hit": proposal.hit}
            for wish in self.wishes:
                name = f"{wish.target.measure}@{wish.strategies}"
                row |= proposal.fresh.get(wish.key, MISSING).columns(name)
                row |= proposal.chosen.get(wish.key, MISSING).columns(f"{name}_chosen")
            rows.append({**row, **self.digest_columns()})
        return pd.DataFrame(rows)

    def records(self) -> list[Record]:
        return [
            {
                "setting": proposal.label,
                "changes": proposal.changes,
                "hit": proposal.hit,
                "setup": setup_as_json(proposal.setup),
                "targets": [
                    {
                        "target": wish.target.text,
                        "player": wish.strategies,
                        "chosen": proposal.chosen.get(wish.key, MISSING),
                        "fresh": proposal.fresh.get(wish.key, MISSING),
                    }
                    for wish in self.wishes
                ],
                "elsewhere": {
                    name: {"here": here, "before": before} for name, (here, before) in proposal.elsewhere.items()
                },
                "assumed": proposal.assumed,
            }
            for proposal in self.proposals
        ]

    def summary(self) -> Record:
        return {
            "targets": [wish.target.text for wish in self.wishes],
            "change": {axis.name: axis.values for axis in self.space.axes},
            "tried": self.tried,
            "found": self.found,
            "effects": self.effect_rows(),
        }


@checked
def design(
    setup: Setup | str,
    *,
    targets: str | Iterable[str],
    change: Mapping[str, Any] | Iterable[str] = ("all",),
    keep: Iterable[str] = (),
    search_games: int = DESIGN_SEARCH_GAMES,
    fresh: int = DESIGN_FRESH,
    **run: Unpack[RunOptions],
) -> Design:
    """Find the fewest changes of the rules that reach a target.

    Parameters
    ----------
    setup : Setup or str
        What you start with: from `houle.setup`, or the name of a game for its default setup.
    targets : str or iterable of str
        What you want, as for `houle.sweep`: `"win=40%@thumb"`, `"length=55..65"`. All targets must hold. The thumb
        plays if no player is named.
    change : mapping or iterable of str
        Rules that may be changed, with their alternatives (`{"hand.back": "0..4"}`) or only by name; `"variants"` is
        one of them, `"all"` is everything.
    keep : iterable of str
        Rules that stay as they are.
    search_games : int
        Number of games of each remaining setting, for players that search.
    fresh : int
        Number of fresh games that check each proposal; `search_games` for players that search.
    **run
        `games` (of fast players, all settings together, 2,000,000 by default), `seed`, `first`, `threads`, `device`,
        `progress`: see `houle.RunOptions`.

    Returns
    -------
    Design
        With `.proposals`, `.effects`, `.frame()`, `.as_json()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> easier = houle.design("wave", targets="win=40%", change={"hand.back": [0, 1, 2, 3]}, games=40_000, fresh=20_000)
    >>> [(proposal.label, proposal.hit) for proposal in easier.proposals]
    [('hand.back=3', 'inside')]
    """
    base, spec = as_setup(setup), RunSpec.of(run, DESIGN_GAMES)
    check_int("search_games", search_games, 1, spec.games)
    changes = dict(change) if isinstance(change, Mapping) else dict.fromkeys(several(change))
    space = make_space(base, changes, keep)
    wishes = _wishes(base, several(targets))
    search = Search(space, wishes, spec)
    order, fits = shown_first(search.run(search_games, fresh))
    played = {name: search.games_of(name) for name in search.races}
    which = {"setup": base.digest, "seed": spec.seed, **({"first": spec.first} if spec.first else {})}
    name = digest({**which, "played": played, "proposals": [proposal.label for proposal in order]})
    asked = max(spec.games, search.games + 1) if search.interrupted else search.games
    facts = Facts(base, (), spec.seed, search.games, asked, search.seconds, name, spec.first)
    values = {axis.name: ",".join(map(value_text, axis.values)) for axis in space.axes}
    written = tuple(knob if given is None else f"{knob}={values[knob]}" for knob, given in changes.items()
                    if given is None or knob in values)  # fmt: skip
    return Design(facts, space, tuple(wishes), tuple(order), search.models(), search.estimates(), fits,
                  search_games, fresh, written, spec.games, tuple(keep))  # fmt: skip


def _wishes(base: Setup, targets: Sequence[str]) -> list[Wish]:
    if not targets:
        raise InputError("--target: give at least one target, as win=40%")
    wishes = []
    for text in targets:
        target = parse_target(text, "--target")
        if target.measure not in possible_measures(base):
            has = ", ".join(possible_measures(base))
            raise InputError(f"--target: {target.measure}: not a measure of {base.summary}; allowed: {has}")
        wishes.append(Wish(target, target.player or usual_strategy(base)))
    return wishes
