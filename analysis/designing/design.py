"""`design`: find few and small changes of the rules that reach a target. search.py says how."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from houle.analysis.arguments import checked
from houle.analysis.designing.search import Key, Proposal, Search, fits
from houle.analysis.designing.space import AS_IT_IS, Change, Setting, Space, listed, make_space
from houle.analysis.designing.wishes import Wish, read_wishes
from houle.analysis.limits import DESIGN_TIME, MOST_GAMES
from houle.analysis.measures.targets import INSIDE, PERHAPS
from houle.analysis.players.line_ups import as_setup
from houle.analysis.result import Facts, Finished, Record, setup_as_json
from houle.analysis.run_options import RunOptions, RunSpec, read_time
from houle.analysis.sampling.alternatives import several
from houle.analysis.stats.estimate import MISSING, Estimate
from houle.analysis.tables.effects import JOINT
from houle.solver.rules import Setup, digest, value_text

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Design(Finished):
    """Changes of the rules that reach the targets, and what each of them does there."""

    space: Space
    wishes: tuple[Wish, ...]
    proposals: tuple[Proposal, ...]  # the answer, then other kinds; only the nearest one if nothing fits
    effects: Mapping[Key, Mapping[Change, Estimate]]  # of single changes, on the same deals, by line-up and measure
    played: Mapping[Setting, Mapping[Key, Estimate]]  # every setting that was played, the unchanged rules too
    dead: tuple[str, ...]  # changes that altered no game
    impossible: bool  # every combination was played, and each misses
    stopped: str = ""  # why the search ended before it had enough: time, games or asked
    limit: int = MOST_GAMES  # the games that it might play
    changed: tuple[str, ...] = ()  # what may be changed, as written
    kept: tuple[str, ...] = ()
    asked_for: tuple[str, ...] = ()  # targets as written

    command = "design"
    rows_key = "proposals"

    @property
    def part(self) -> None:
        """None: what is played later depends on the results of all that is played before."""

    @property
    def found(self) -> bool:
        """Whether the first proposal reaches the targets, as far as known."""
        return bool(self.proposals) and fits(self.proposals[0], self.wishes)

    @property
    def now(self) -> Mapping[Key, Estimate]:
        """What the unchanged rules reach: on new deals if they are a proposal, so that pages have one number of it."""
        fresh = [one.fresh for one in self.proposals if not one.setting]
        return {**self.played.get(AS_IT_IS, {}), **(fresh[0] if fresh else {})}

    @property
    def tried(self) -> int:
        """How many settings were played."""
        return len(self.played)

    @property
    def headline(self) -> str:
        return f"{' and '.join(self.asked_for)}: {self.sentence()}"

    def sentence(self) -> str:
        """The answer in one sentence."""
        if not self.proposals:
            return f"Nothing is proposed: the search ended after {self.games:,} games, before it measured a proposal."
        best = self.proposals[0]
        said = self._says(best)
        if best.hit == INSIDE and not best.setting:
            return f"Nothing has to change: {said}."
        if self.found:
            sure = "" if best.hit == INSIDE else "; more games must show whether that is inside the target"
            return f"{said[0].upper()}{said[1:]}{sure}."
        if self.impossible:
            counted = f"all {self.space.size:,} combinations were counted, and each misses"
            return f"Impossible with these changes: {counted}. Nearest: {said}."
        perhaps = ", perhaps inside the target" if best.hit == PERHAPS else ""
        return f"Not found: {self.tried:,} combinations in {self.games:,} games. Nearest{perhaps}: {said}."

    def _says(self, proposal: Proposal) -> str:
        parts = [wish.sentence(proposal.setup, proposal.fresh[wish.key]) for wish in self.wishes]
        label = proposal.label
        how = label if label.startswith("with") else f"with {label}" if proposal.setting else "without any change"
        if ", without " in how:
            how = " and without ".join(how.rsplit(", without ", 1))
        return f"{listed(parts)} {how}"

    @property
    def not_tried(self) -> list[str]:
        """What the search left out, for people."""
        lines = [f"lists of numbers ({listed(self.space.untried)}): give values to try"] if self.space.untried else []
        if self.space.identity:
            lines.append(f"{listed(self.space.identity)}: part of what the game is; --change with the name tries it")
        lines += [f"kept: {listed(self.kept)}"] if self.kept else []
        return lines

    def remarks(self) -> list[str]:
        """Wishes that ask for nothing: those that the unchanged rules meet, and those that everything meets."""
        lines = []
        for wish in self.wishes:
            every = [known[wish.key] for known in self.played.values() if wish.key in known]
            now = self.now.get(wish.key)
            if len(every) > 1 and all(wish.target.holds(one) == INSIDE for one in every):
                played = f"all {len(every)} combinations that were played"
                lines.append(f"{wish.target.text} holds with {played}, so it asks for nothing")
            elif now is not None and wish.target.holds(now) == INSIDE:
                lines.append(f"{wish.target.text} holds without any change: {wish.sentence(self.setup, now)}")
        return lines

    def words(self) -> list[str]:
        words = [word for text in self.asked_for for word in ("--target", text)]
        words += [word for text in self.changed for word in ("--change", text)]
        words += [word for knob in self.kept for word in ("--keep", knob)]
        return [*words, "-n", str(max(self.games, 1))]

    def frame(self, whole: bool = False) -> pd.DataFrame:
        """One row per proposal; every target as x (fresh games) and x_chosen (the games that chose it)."""
        import pandas as pd

        rows = []
        for proposal in self.proposals:
            row = {**self.setup_columns(), "setting": proposal.label, "changes": proposal.changes, "hit": proposal.hit}
            for wish in self.wishes:
                name = f"{wish.measure}@{wish.who}"
                row |= proposal.fresh.get(wish.key, MISSING).columns(name)
                row |= proposal.chosen.get(wish.key, MISSING).columns(f"{name}_chosen")
            rows.append({**row, **self.digest_columns()})
        names = [*self.setup_columns(), "setting", "changes", "hit", *self.digest_columns()]
        return pd.DataFrame(rows, columns=None if rows else names)

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
                "open_rules": proposal.open_rules,
                "without": [
                    {"change": self.space.words(change), "player": wish.who, "measure": wish.measure}
                    | dict(zip(("value", "effect"), known[wish.key], strict=True))
                    for change, known in proposal.without.items()
                    for wish in self.wishes
                ],
            }
            for proposal in self.proposals
        ]

    def summary(self) -> Record:
        effects = [
            {
                "player": wish.who,
                "measure": wish.measure,
                "change": self.space.words(change),
                "effect": effect,
                "intervals": JOINT,
            }
            for wish in self.wishes
            for change, effect in self.effects.get(wish.key, {}).items()
        ]
        return {
            "targets": [wish.target.text for wish in self.wishes],
            "answer": self.sentence(),
            "change": {
                axis.name: [self.space.words((i, j)) for j in range(1, len(axis.values))]
                for i, axis in enumerate(self.space.axes)
            },
            "tried": self.tried,
            "found": self.found,
            "impossible": self.impossible,
            "without_effect": list(self.dead),
            "not_possible": dict(self.space.dropped),
            "not_tried": self.not_tried,
            "remarks": self.remarks(),
            "effects": effects,
            "stopped": self.stopped,
        }


@checked
def design(
    setup: Setup | str,
    *,
    targets: str | Iterable[str],
    change: Mapping[str, Any] | Iterable[str] = ("all",),
    keep: Iterable[str] = (),
    budget: str = DESIGN_TIME,
    **run: Unpack[RunOptions],
) -> Design:
    """Find few and small changes of the rules that reach a target.

    Parameters
    ----------
    setup : Setup or str
        What you start with: from `houle.setup`, or the name of a game for its default setup.
    targets : str or iterable of str
        What you want, as for `houle.sweep`: `"win=40%@family"`, `"length:p90<=45"`, `"seat-gap<=3%"`. Without a measure
        (`"40%@family"`) it is for the goal of the game: wins, or the score. All targets must hold. Families play if no
        players are named.
    change : mapping or iterable of str
        Rules that may be changed, with their alternatives (`{"hand.back": "0..4"}`) or only by name; `"variants"` is
        one of them, `"all"` is every small change: nothing that is part of what the game is, such as table talk. Any
        cards of a list may go and come.
    keep : iterable of str
        Rules that stay as they are.
    budget : str
        The time that the search may take, as `"90s"`, compiling not counted.
    games : int, optional
        The games that the search may play, in place of a time. With the number that a search has played, it gives the
        same answer again. Players that search play a twentieth of the deals of others.

    Returns
    -------
    Design
        With `.sentence()`, `.proposals`, `.effects`, `.frame()`, `.as_json()` and `.repeat()`.

    Examples
    --------
    >>> import houle
    >>> hands = {"hand.back": [0, 1, 2, 3]}
    >>> easier = houle.design("wave", targets="win=30..38%@thumb", change=hands, games=20_000)
    >>> [(proposal.label, proposal.hit) for proposal in easier.proposals]
    [('hand.back=3', 'inside')]
    """
    base, seconds = as_setup(setup), read_time(budget)
    spec = RunSpec.of(run, MOST_GAMES)
    wishes = read_wishes(base, several(targets))
    changes = dict(change) if isinstance(change, Mapping) else dict.fromkeys(several(change))
    space = make_space(base, changes, keep)
    search = Search(space, wishes, spec, seconds if spec.games == MOST_GAMES else math.inf)
    proposals = search.run()
    which = {"setup": base.digest, "seed": spec.seed, **({"first": spec.first} if spec.first else {})}
    played = [stage.sample.digest for stage in search.stages if stage.sample.games]
    name = digest({**which, "played": played, "proposals": [proposal.label for proposal in proposals]})
    asked = search.games + int(spec.watch.stopped)
    facts = Facts(
        base,
        strategies=(),
        seed=spec.seed,
        games=search.games,
        asked=asked,
        seconds=search.seconds,
        digest=name,
        first=spec.first,
    )
    written = tuple(knob if given is None else f"{knob}={_written(given)}" for knob, given in changes.items())
    return Design(
        facts,
        space=space,
        wishes=tuple(wishes),
        proposals=tuple(proposals),
        effects=search.effects,
        played=search.played,
        dead=tuple(search.dead),
        impossible=search.all_miss,
        stopped=search.stopped,
        limit=spec.games,
        changed=written,
        kept=tuple(keep),
        asked_for=tuple(several(targets)),
    )


def _written(given: Any) -> str:
    """Alternatives as --change takes them."""
    return given if isinstance(given, str) else ",".join(map(value_text, several(given)))
