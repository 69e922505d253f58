"""Up to four findings for each game, in words, from the rows in docs/data.

A finding is a sentence that a designer would repeat and the numbers behind it. Each function below makes one, or none
where the game has no such numbers or they show nothing. The words follow from the numbers, so new rows change both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from houle.analysis.players.line_ups import EXPERT
from houle.analysis.stats.estimate import PERCENT, POINTS, Estimate
from houle.solver.rules import Setup, load, variant_name
from houle.solver.rules.setup import BASE_GAME
from tools.almanac.cells import DOCS, all_cells, is_bound, kept, searches
from tools.results import BETTER, OTHERS
from tools.results import FILE as RESULTS
from tools.rows import Row, estimate, read_rows

LEVELS = DOCS / "data" / "levels.csv"
FINDINGS = 4
USUAL = 3  # players
PEOPLE = "family"
LARGE_EDGE, SMALL_EDGE = 0.05, 0.02  # of the first seat, from where it is called large, or there is one at all
MUCH, SOME = 1.5, 1.25  # times the equal share that a better player wins
CHANGED = 0.1  # share by which a variant must change the length of games
COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

Finding = tuple[str, str] | None


@dataclass(frozen=True)
class Numbers:
    """What was played of one game."""

    game: str

    @cached_property
    def setups(self) -> dict[tuple[int, str], Setup]:
        """Every setup of the game once, in the order of docs/data/almanac.toml."""
        by_key: dict[tuple[int, str], Setup] = {}
        for cell in all_cells():
            if cell.setup.ruleset.name == self.game:
                by_key.setdefault((cell.setup.players, variant_name(cell.setup)), cell.setup)
        return by_key

    @cached_property
    def rows(self) -> dict[tuple[int, str], dict[str, Row]]:
        """The rows by setup and player; the bound is `clairvoyant`, whatever its nodes."""
        found: dict[tuple[int, str], dict[str, Row]] = {}
        for (game, players, variant, strategy), row in kept().items():
            if game == self.game:
                name = "clairvoyant" if is_bound(strategy) else strategy
                found.setdefault((int(players), variant), {})[name] = row
        return found

    @cached_property
    def results(self) -> dict[tuple[int, str], Row]:
        return {(int(row["players"]), row["what"]): row for row in read_rows(RESULTS) if row["game"] == self.game}

    @cached_property
    def experts(self) -> dict[int, Row]:
        """What an expert gains among seasoned players in the base game, by the number of players."""
        own = [row for row in read_rows(LEVELS) if (row["game"], row["level"]) == (self.game, EXPERT)]
        return {int(row["players"]): row for row in own if row["variant"] == BASE_GAME and row["players"] != "1"}

    @property
    def together(self) -> bool:
        """Whether players win or lose together, with any number of them."""
        return all(setup.one_sided for setup in self.setups.values())

    def base(self, strategy: str, least: int = 2) -> dict[int, Row]:
        """The rows of the base game by number of players."""
        return {
            players: own[strategy]
            for (players, variant), own in self.rows.items()
            if variant == BASE_GAME and strategy in own and players >= least
        }

    def variants(self, players: int) -> dict[str, dict[str, Row]]:
        """The rows by variant in which each player is a side, or all are one, as in the base game."""
        return {
            variant: own
            for (count, variant), own in self.rows.items()
            if count == players and len(self.setups[count, variant].seats_by_side) in (1, players)
        }


def findings(game: str) -> list[str]:
    """A numbered list: each finding in a sentence, then its numbers."""
    numbers = Numbers(game)
    kinds = TOGETHER if numbers.together else RIVALS
    found = [one for kind in kinds if (one := kind(numbers)) is not None]
    return [f"{i}. **{lead}** {text}" for i, (lead, text) in enumerate(found[:FINDINGS], 1)]


def rate(row: Row, name: str = "win", unit: str = PERCENT) -> Estimate:
    """A number of a row of the almanac."""
    return estimate(row, name, "games", unit, ends=(f"{name}_low", f"{name}_high"))


def result(row: Row) -> Estimate:
    """A row of docs/data/results.csv."""
    return estimate(row, "value", "n")


def count(players: int) -> str:
    return f"{COUNTS[players]} player" + ("" if players == 1 else "s")


def share(sides: int) -> str:
    return f"{100 / sides:.3g}%"


def named(variant: str) -> str:
    return f"the {variant}" if variant == BASE_GAME else f"`{variant}`"


def planner(own: dict[str, Row]) -> str | None:
    """The player with a search who wins most."""
    return max((name for name in own if searches(name)), key=lambda name: float(own[name]["win"]), default=None)


def who(strategy: str) -> str:
    return {EXPERT: "experts, who plan ahead,", PEOPLE: "families"}.get(strategy, f"{strategy} players")


def apart(one: Estimate, other: Estimate) -> bool:
    return one.difference(other).differs


# Where all win or lose together


def planning_together(numbers: Numbers) -> Finding:
    own = {what: result(row) for (players, what), row in numbers.results.items() if players == USUAL}
    if not {PEOPLE, BETTER, EXPERT} <= own.keys():
        return None
    gain = own[EXPERT].difference(own[BETTER])
    if not gain.differs:
        return None
    lead = f"Planning ahead turns a {own[PEOPLE].short(0)} game into a {own[EXPERT].short(0)} game."
    return lead, (
        f"With {count(USUAL)} families win {own[PEOPLE].text()} of games, seasoned players "
        f"{own[BETTER].text()}, and experts, who plan ahead, {own[EXPERT].text()}."
    )


def players_together(numbers: Numbers) -> Finding:
    rates = {players: rate(row) for players, row in numbers.base(PEOPLE).items()}
    if len(rates) < 2:
        return None
    worst, best = (choose(rates, key=lambda players: rates[players].value) for choose in (min, max))
    if not apart(rates[best], rates[worst]):
        return "The number of players hardly matters.", f"Families win about {rates[best].text()} with any number."
    lead = f"It is hardest with {count(worst)} and easiest with {COUNTS[best]}."
    return (
        lead,
        f"Families win {rates[worst].text()} with {COUNTS[worst]}, and {rates[best].text()} with {COUNTS[best]}.",
    )


def hardest_variant(numbers: Numbers) -> Finding:
    rates = {name: rate(own[PEOPLE]) for name, own in numbers.variants(USUAL).items() if PEOPLE in own}
    if len(rates) < 2 or BASE_GAME not in rates:
        return None
    base = rates.pop(BASE_GAME)
    worst = min(rates, key=lambda name: rates[name].value)
    if rates[worst].value > base.value or not apart(base, rates[worst]):
        return "No variant is shown to be harder than the base game.", f"Families win {base.text()} of base games."
    return f"The hardest variant is {named(worst)}.", (
        f"With {count(USUAL)} families win {rates[worst].text()} of its games, and {base.text()} of base games."
    )


def winnable(numbers: Numbers) -> Finding:
    bounds = {key: rate(own["clairvoyant"]) for key, own in numbers.rows.items() if "clairvoyant" in own}
    usual = bounds.get((USUAL, BASE_GAME))
    if usual is None:
        return None
    least = min(bounds.values(), key=lambda one: one.value)
    lead = "Almost every deal" if usual.low >= 0.9 else "Most deals" if usual.low >= 0.5 else "Not every deal"
    return f"{lead} can be won.", (
        f"Somebody who knew all cards would win {usual.text(1)} of the deals for {COUNTS[USUAL]}, and "
        f"{least.text(1)} in the setup where that is hardest. The rest is lost before the first card."
    )


# Where players compete


def first_seat(numbers: Numbers) -> Finding:
    edges = {
        players: rate(row, "first_seat", POINTS) for players, row in numbers.base(PEOPLE).items() if row["first_seat"]
    }
    if not edges:
        return None
    certain = [players for players, edge in edges.items() if edge.differs and abs(edge.value) >= SMALL_EDGE]
    if not certain:
        most = max(max(abs(edge.low), abs(edge.high)) for edge in edges.values())
        return "Going first hardly matters.", (
            f"Between families the first player is within {100 * most:.1f} points of an equal share, with any number "
            "of players."
        )
    worst = max(certain, key=lambda players: abs(edges[players].value))
    edge, row = edges[worst], numbers.base(PEOPLE)[worst]
    size = "much" if abs(edge.value) >= LARGE_EDGE else "a little"
    others = sorted((one for players, one in edges.items() if players != worst), key=lambda one: one.value)
    ends = dict.fromkeys(one.parts()[0] for one in others[:: max(1, len(others) - 1)])
    rest = f" With other numbers of players the difference is {' to '.join(ends)} points." if ends else ""
    return (
        f"With {count(worst)} the first one wins {size} {'more' if edge.value > 0 else 'less'} than an equal share.",
        (
            f"Between families the first player wins {rate(row).text()} of games, where an equal share is "
            f"{share(worst)}.{rest}"
        ),
    )


def unequal_teams(numbers: Numbers) -> Finding:
    sides = {key: [len(seats) for seats in setup.seats_by_side.values()] for key, setup in numbers.setups.items()}
    rates = {
        key: rate(numbers.rows[key][PEOPLE])
        for key, sizes in sides.items()
        if len(set(sizes)) > 1 and PEOPLE in numbers.rows.get(key, {})
    }
    if not rates:
        return None
    worst = max(rates, key=lambda key: abs(rates[key].value - 1 / len(sides[key])))
    even = 1 / len(sides[worst])
    fair = rates[worst].low - LARGE_EDGE <= even <= rates[worst].high + LARGE_EDGE
    return f"Unequal teams are {'about fair' if fair else 'not fair'}.", (
        f"In {named(worst[1])} the team of {COUNTS[sides[worst][0]]} wins {rates[worst].text()} of games between "
        f"families, where an equal share is {share(len(sides[worst]))}."
    )


def better_player(numbers: Numbers) -> Finding:
    rates = {players: result(row) for (players, what), row in numbers.results.items() if what == "better"}
    if not rates:
        return None
    families = numbers.base(OTHERS)
    won = {players: 1 - float(families[players]["draws"] or 0) if players in families else 1.0 for players in rates}
    first = min(rates)
    times = rates[first].value * first / won[first]
    lead = "Practice pays a lot." if times >= MUCH else "Practice pays." if times >= SOME else "Practice pays little."
    parts = [f"{rate.text()} of games for {COUNTS[players]}" for players, rate in rates.items()]
    equal = " and ".join(f"{100 * won[players] / players:.3g}%" for players in rates)
    of = " of the games that families finish" if min(won.values()) < 0.99 else ""
    return (
        lead,
        f"One {BETTER} player among {OTHERS} players wins {' and '.join(parts)}; an equal share{of} is {equal}.",
    )


def planning_alone(numbers: Numbers) -> Finding:
    if not numbers.experts:
        return None
    players = min(numbers.experts, key=lambda number: abs(number - USUAL))
    row = numbers.experts[players]
    gain = estimate(row, "gain", "deals", POINTS)
    pays = "pays a lot" if gain.low >= 0.1 else "pays" if gain.low > 0 else "is not shown to pay"
    return f"Planning ahead {pays}.", (
        f"An expert, who plans ahead, gains {gain.text()} among seasoned players over an equal share of "
        f"{share(players)}, with {count(players)}."
    )


def no_winner(numbers: Numbers) -> Finding:
    rows = [
        (players, name, rate(row, "draws"))
        for (players, variant), own in numbers.rows.items()
        for name, row in own.items()
        if variant == BASE_GAME and row["draws"] and name != "random"
    ]
    certain = [one for one in rows if one[2].low > 0.01]
    if not certain:
        return None
    players, name, most = max(certain, key=lambda one: one[2].value)
    family = [rate for count_, other, rate in rows if (count_, other) == (players, PEOPLE)]
    people = who(name).rstrip(",")
    rest = f", and {family[0].text()} between families" if family and name != PEOPLE else ""
    return "Some games have no winner.", (
        f"With {count(players)} {most.text()} of games between {people} have no winner{rest}."
    )


def alone(numbers: Numbers) -> Finding:
    own = numbers.rows.get((1, BASE_GAME), {})
    best = planner(own)
    if PEOPLE not in own or best is None:
        return None
    low, high = rate(own[PEOPLE]), rate(own[best])
    lead = "The solo game rewards planning." if apart(high, low) else "The solo game rewards no planning."
    return lead, f"Alone, a family player wins {low.text()} of games, {who(best)} {high.text()}."


def length(numbers: Numbers) -> Finding:
    turns = {players: float(row["turns"]) for players, row in numbers.base(PEOPLE).items() if row["turns"]}
    if len(turns) < 2:
        return None
    first, last = min(turns), max(turns)
    change = turns[last] / turns[first] - 1
    lead = "Games last about as long with any number of players."
    if abs(change) > CHANGED:
        lead = f"More players, {'longer' if change > 0 else 'shorter'} games."
    return lead, (
        f"Families need {turns[first]:.3g} {load(numbers.game).turns} on average with {COUNTS[first]}, and "
        f"{turns[last]:.3g} with {COUNTS[last]}."
    )


Kinds = Iterable[Callable[[Numbers], Finding]]
TOGETHER: Kinds = (
    planning_together,
    players_together,
    hardest_variant,
    winnable,
)
RIVALS: Kinds = (
    first_seat,
    unequal_teams,
    better_player,
    planning_alone,
    no_winner,
    alone,
    length,
)
