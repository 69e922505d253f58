"""What a strategy loses if it may never make a sort of move, or if it ignores one of its rules of thumb.

Every restriction is an arm on the same deals: one side is restricted and all others are not, from every side in turn;
where all players are one side (a team, a solo game) all of them are restricted. What it costs is the difference to the
unrestricted game on the same deals, with an interval clustered by deal. Ranked, the rules of thumb say which of them
carries a strategy. Each interval holds by itself: of twenty restrictions that cost nothing one will seem to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from houle.analysis.limits import SEED
from houle.analysis.sampling.same_deals import Arm, Deals, against, deals_digest, same_deals, seats_of
from houle.analysis.stats.clusters import columns
from houle.analysis.stats.intervals import Interval, plain
from houle.analysis.strategy.rule_sentences import rule_sentence
from houle.solver.position import Table
from houle.solver.ruleset import RulesetError, Setup, nearest
from houle.solver.strategies.player import KINDS, OPTIONS, RANDOM, THUMB, WORDS, LineUp, Strategy, parse

if TYPE_CHECKING:
    import pandas as pd

DEALS = 4000
LOOKS = 40  # games stepped through to see how often a sort of move comes up

NEVER, WITHOUT = "never", "without"

Told = Callable[[int, float, int], None]  # games played, seconds of play so far, games in all


@dataclass(frozen=True)
class Chances:
    """How often a sort of move came up in some games."""

    decisions: int
    possible: int  # decisions with a move of the sort and one of another
    made: int  # decisions in which it was made
    games: int

    def as_json(self) -> dict[str, int]:
        return {"games": self.games, "decisions": self.decisions, "possible": self.possible, "made": self.made}


@dataclass(frozen=True)
class Restriction:
    """One thing that a strategy may not do, and what that costs."""

    option: str  # "never" or "without"
    name: str
    text: str  # what it is, for players; a rule of thumb as its weight has it
    strategy: str
    win: Interval | None  # share of the win, restricted; None where there is nothing to restrict
    cost: Interval | None  # share of the win lost by it
    score: Interval | None  # by how much the score is greater with it
    chances: Chances | None  # of a sort of move
    remark: str  # why there is no number; else empty

    def as_json(self) -> dict[str, Any]:
        return {
            "option": self.option,
            "name": self.name,
            "text": self.text,
            "strategy": self.strategy,
            "win": plain(self.win),
            "cost": plain(self.cost),
            "score_change": plain(self.score),
            "comes_up": self.chances.as_json() if self.chances else None,
            "remark": self.remark,
        }


@dataclass(frozen=True)
class Restricted:
    """All restrictions of a strategy, the dearest first."""

    setup: Setup
    strategy: Strategy
    free: Interval  # share of the win without restriction
    restrictions: tuple[Restriction, ...]
    together: bool  # all players are one side
    seed: int
    deals: int
    games: int
    asked: int
    digest: str
    seconds: float

    @property
    def interrupted(self) -> bool:
        return self.deals < self.asked

    def frame(self) -> pd.DataFrame:
        """A row per restriction."""
        import pandas as pd

        return pd.DataFrame(
            {
                "game": self.setup.ruleset.name,
                "players": self.setup.players,
                "variants": "+".join(self.setup.variants) or "base",
                "strategy": self.strategy.text,
                "seed": self.seed,
                "deals": self.deals,
                "option": one.option,
                "name": one.name,
                **columns("win", one.win),
                **columns("cost", one.cost),
                "score_name": self.setup.score,
                **columns("score_change", one.score),
                "possible": one.chances.possible if one.chances else None,
                "made": one.chances.made if one.chances else None,
                "remark": one.remark,
                "rules_digest": self.setup.digest,
                "result_digest": self.digest,
            }
            for one in self.restrictions
        )

    def as_json(self) -> dict[str, Any]:
        """The object that `houle restrict --json` prints."""
        return {
            "game": self.setup.ruleset.name,
            "players": self.setup.players,
            "variants": list(self.setup.variants),
            "options": self.setup.shown_options,
            "strategy": self.strategy.text,
            "seed": self.seed,
            "deals": self.deals,
            "games": self.games,
            "score": self.setup.score,
            "rules_digest": self.setup.digest,
            "result_digest": self.digest,
            "notes": list(self.setup.notes),
            "unrestricted": plain(self.free),
            "restrictions": [one.as_json() for one in self.restrictions],
            "interrupted": self.interrupted,
            "seconds": self.seconds,
        }


def limited(strategy: Strategy, option: str, name: str) -> Strategy:
    """The strategy with one more thing that it may not do."""
    if option not in OPTIONS[strategy.name]:
        able = ", ".join(text for text, options in OPTIONS.items() if option in options)
        raise RulesetError(f"restrict: {strategy.text!r} cannot be told what to leave out; allowed: {able}")
    names = [*filter(None, strategy.options.get(option, "").split("+")), name]
    options = {**strategy.options, option: "+".join(dict.fromkeys(names))}
    words = (f"{key}={value}" if key in WORDS else f"{key}={value:g}" for key, value in sorted(options.items()))
    plain_text = strategy.text.partition("[")[0]
    return replace(strategy, options=options, text=f"{plain_text}[{','.join(words)}]")


def categories_of(setup: Setup) -> dict[str, str]:
    """The categories of moves of a game, with what they are."""
    return dict(setup.game.CATEGORIES)


def rules_of_thumb(setup: Setup, strategy: Strategy) -> dict[str, str]:
    """The rules of thumb of a game, with what they say by the weights of a strategy."""
    weights = strategy.weights_entry(setup)["weights"]
    return {name: rule_sentence(setup, name, weights.get(name, 0)) for name, _ in setup.game.FEATURES}


def chosen(what: str, names: Iterable[str] | None, known: dict[str, str], setup: Setup) -> list[str]:
    """The names if the game has them; all that it has where none are given."""
    found = list(known) if names is None else list(dict.fromkeys(names))
    for name in found:
        if name not in known:
            hint = nearest(name, known) if known else "; it has none"
            raise RulesetError(f"{setup.ruleset.name} has no {what} {name!r}{hint}")
    return found


def comes_up(setup: Setup, strategy: Strategy, seed: int, games: int = LOOKS) -> dict[str, Chances]:
    """How often each sort of move can be made and is made, in games of the strategy stepped by hand.

    In place of a strategy that searches its rules of thumb decide: a search would take too long for a look.
    """
    plays = strategy if KINDS[strategy.name] <= THUMB else replace(strategy, name="thumb", options={}, text="thumb")
    players = LineUp(setup, (plays,) * setup.players)
    names = list(categories_of(setup))
    possible, made, decisions = dict.fromkeys(names, 0), dict.fromkeys(names, 0), 0
    for game in range(games):
        table = Table(setup, seed, game)
        while table.to_move() >= 0:
            categories = {move: set(table.categories(move)) for move in table.moves()}
            move = table.decide(players)
            decisions += 1
            for name in names:
                having = sum(name in found for found in categories.values())
                possible[name] += 0 < having < len(categories)
                made[name] += name in categories[move]
            table.apply(move)
    return {name: Chances(decisions, possible[name], made[name], games) for name in names}


def restrict(
    setup: Setup,
    strategy: str | Strategy = "thumb",
    never: Iterable[str] | None = None,
    without: Iterable[str] | None = None,
    deals: int = DEALS,
    seed: int = SEED,
    threads: int | None = None,
    told: Told | None = None,
) -> Restricted:
    """Plays every restriction on the same deals; all sorts of moves and all rules of thumb by default.

    This is the ablation of a strategy: restrict(setup, never=()) ranks its rules of thumb.
    """
    free = parse(strategy) if isinstance(strategy, str) else strategy
    if KINDS[free.name] == RANDOM:
        limited(free, NEVER, "")
    asked = [(NEVER, name) for name in chosen("sort of move", never, categories_of(setup), setup)]
    asked += [(WITHOUT, name) for name in chosen("rule of thumb", without, rules_of_thumb(setup, free), setup)]
    weights = free.weights_entry(setup)["weights"]
    played = [(option, name) for option, name in asked if option == NEVER or weights.get(name)]
    chances = comes_up(setup, free, seed) if any(option == NEVER for option, _ in asked) else {}
    arms = [_unrestricted(setup, free), *(against(setup, limited(free, *one), free) for one in played)]
    plays = 1 + sum(map(len, arms[1:]))

    def progress(done: int, seconds: float) -> None:
        if told:
            told(done * plays, seconds, deals * plays)

    found = same_deals(setup, arms, seed, deals, 0, threads, progress)
    rows = []
    for one in asked:
        arm = 1 + played.index(one) if one in played else 0
        rows.append(_row(setup, limited(free, *one), one, found, arm, chances))
    rows.sort(key=lambda row: (row.cost is None, -row.cost.value if row.cost else 0.0))
    digest = deals_digest(setup, arms, seed, 0, found)
    together = len(seats_of(setup)) == 1
    return Restricted(
        setup, free, found.win(0), tuple(rows), together, seed, found.number, found.number * plays, deals, digest,
        found.seconds,
    )  # fmt: skip


def _unrestricted(setup: Setup, free: Strategy) -> Arm:
    """One play of every deal, read from all sides as the restricted ones are."""
    line_up = LineUp(setup, (free,) * setup.players)
    return [(line_up, side) for side in seats_of(setup)]


def _row(
    setup: Setup, strategy: Strategy, one: tuple[str, str], found: Deals, arm: int, chances: dict[str, Chances]
) -> Restriction:
    """What the deals say of one restriction; `arm` 0 is none."""
    option, name = one
    text = (categories_of(setup) if option == NEVER else rules_of_thumb(setup, strategy))[name]
    seen = chances.get(name) if option == NEVER else None
    remark = ""
    if not arm:
        remark = "has no weight at this table"
    elif found.same(0, arm):
        remark = f"changed nothing in {found.number:,} deals"
        if seen and not seen.possible:
            remark = f"never came up: {remark}"
    if remark:
        return Restriction(option, name, text, strategy.text, None, None, None, seen, remark)
    low, high = setup.score_range
    cost, change = found.gain(0, arm), found.score_gain(arm, 0, float(high - low))
    return Restriction(option, name, text, strategy.text, found.win(arm), cost, change, seen, "")
