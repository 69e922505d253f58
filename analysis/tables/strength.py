"""`strength`: what one better player wins among weaker ones, for every pair of players on the same deals.

In competitive games one side plays a strategy and all other sides play a weaker one, from every side in turn; n counts
deals and intervals are clustered by deal. The gain is what it wins above a fair share of the games that somebody wins,
which is what one of the others would win in its place. In cooperative and solo games each strategy plays for all seats,
and is compared with the next weaker one on the same deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Unpack

from houle.analysis.arguments import checked
from houle.analysis.blocks import Block, about, exact, note, text
from houle.analysis.limits import STRENGTH_GAMES, STRENGTH_SEARCH_GAMES
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import Difference, difference, estimate
from houle.analysis.players.line_ups import (
    EXPERT,
    Strategies,
    as_setup,
    has_search,
    is_search,
    names_of,
    playable,
    read_strategy,
    usual,
)
from houle.analysis.players.named_players import FAMILY, levels, player_kind, players_of
from houle.analysis.run_options import RunOptions, RunSpec
from houle.analysis.sampling.experiment import Experiment, Sample, against, other_sides, play
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.tables.table import Row, Table
from houle.solver.errors import StrategyError
from houle.solver.players.kinds import FLAT, ISMCTS
from houle.solver.players.names import KINDS, Strategy
from houle.solver.rules import Setup
from houle.solver.texts import capital, in_words

QUESTION = "What does one better player win among weaker ones?"
SEARCHES = (FLAT, ISMCTS)
LEAST_DEALS = 2  # of which anything can be said


def _searches(strategy: str, setup: Setup) -> bool:
    return KINDS[read_strategy(strategy, setup).name] in SEARCHES


def doubt(setup: Setup, strategy: str, below: str, more_wins: Estimate | None, more_score: Estimate | None) -> str:
    """A warning sentence if a search is certainly worse than a player that does not search, else an empty string.

    `more_wins` and `more_score` are what the search gets more than that player, on the same deals.
    """
    if not below or not _searches(strategy, setup) or _searches(below, setup):
        return ""
    fewer = more_wins is not None and more_wins.high < 0 and setup.goal == "win"
    lower = setup.ruleset.lower_is_better
    worse = more_score is not None and (more_score.low > 0 if lower else more_score.high < 0)
    if not fewer and not worse:
        return ""
    parts = [f"its wins differ by {more_wins.text()}"] if fewer and more_wins is not None else []
    if worse and more_score is not None:
        parts.append(f"its {setup.score.replace('_', ' ')} differs by {more_score.text()}")
    return (
        f"{strategy} is weaker than {below} here: {', and '.join(parts)}. Give it more worlds, or more "
        f"caution; its options: houle players {setup.ruleset.name}"
    )


def _one(kind: str) -> str:
    """`a family player`, `an expert`."""
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def fair_share(setup: Setup) -> float:
    """What everybody would win if all were equal."""
    return 1 / len(setup.seats_by_side)


def sentence(row: Row) -> Block:
    """`A seasoned player wins 42% (38 to 45) of games against two family players; an equal share is 33.3%.`"""
    setup, goal = row.setup, Goal(row.setup)
    if setup.one_sided:
        said = text(
            "{who} {verb} {reached}, {more} compared with {whom}.",
            who=capital(players_of(row.label)),
            verb=goal.verb,
            whom=players_of(row.against),
            reached=goal.shown(row.value),
            more=row.change and goal.more(row.change),
        )
        return about(said, row.label, goal.measure)
    sides = setup.seats_by_side
    better, others = (name if name == EXPERT else f"{player_kind(name)} player" for name in (row.label, row.against))
    who, whom = capital(_one(better)), f"{in_words(len(sides) - 1)} {others}s"
    if any(len(seats) > 1 for seats in sides.values()):
        who, whom = f"A team of {better}s", f"{others}s"
    elif len(sides) == 2:
        whom = _one(others)
    if goal.is_score:
        said = text("{who} scores {score} against {whom}.", who=who, whom=whom, score=goal.shown(row.value))
    else:
        said = text(
            "{who} wins {win} of games against {whom}; an equal share is {fair}.",
            who=who,
            whom=whom,
            win=row.value,
            fair=exact(fair_share(setup), PERCENT),
        )
    return about(said, f"{row.label} against {row.against}", goal.measure)


def pair_of(result: Table, better: str, below: str) -> Row | None:
    """A player among weaker ones, if it was played."""
    found = (row for row in result.of(result.measures[0]) if (row.label, row.against) == (better, below))
    return next(found, None)


def _sentences(setup: Setup, rows: Sequence[Row]) -> list[Block]:
    """What the best level wins among families and among beginners, and what a search wins; or only the last row."""
    people = [level.name for level in levels()]
    played = [row for row in rows if row.against]
    ends = [row for row in played if row.label == people[-1] and row.against in (FAMILY, people[0])]
    searching = [row for row in played if row.label not in people and _searches(row.label, setup)]
    telling = played if setup.one_sided else [*ends, *searching]
    return [sentence(row) for row in telling or played[-1:]]


def pairs_of(setup: Setup, players: Sequence[Strategy]) -> list[tuple[int, int]]:
    """Who is compared with whom, by index; -1 for nobody.

    Where players compete each one meets every weaker one. A search meets only the next weaker one, because it is slow.
    """
    if setup.one_sided:
        return [(i, i - 1) for i in range(len(players))]
    if len(players) < 2:
        given = ", ".join(one.text for one in players) or "none"
        raise StrategyError(f"strength: players compete here, so give at least two, the weakest first; given: {given}")
    quick = [i for i, one in enumerate(players) if not is_search(one)]
    weaker = [[j for j in quick if j < i] if i in quick else [] for i in range(len(players))]
    return [(i, j) for i in range(1, len(players)) for j in weaker[i] or [i - 1]]


def experiment_of(setup: Setup, players: Sequence[Strategy]) -> Experiment:
    """Every pair of players: an arm for the better one and, where players compete, one for the sides against it.

    Searches are played after all others.
    """
    arms: list[Arm] = []
    compared: list[tuple[int, int]] = []
    slow: list[bool] = []
    for better, below in pairs_of(setup, players):
        strategy, weaker = players[better], players[below] if below >= 0 else None
        searching = is_search(strategy) or (not setup.one_sided and weaker is not None and is_search(weaker))
        own = against(setup, strategy, None if setup.one_sided else weaker, strategy.text)
        arms.append(own)
        slow.append(searching)
        if not setup.one_sided:
            arms.append(other_sides(own, weaker.text if weaker else ""))
            slow.append(searching)
            compared.append((len(arms) - 2, len(arms) - 1))
        elif below >= 0:
            compared.append((len(arms) - 1, below))
    groups = [tuple(arm for arm, search in enumerate(slow) if search is later) for later in (False, True)]
    return Experiment(tuple(arms), tuple(compared), tuple(filter(None, groups)))


@checked
def strength(setup: Setup | str, *, strategies: Strategies = None, **run: Unpack[RunOptions]) -> Table:
    """Measure what one better player wins among weaker ones, on the same deals.

    Where all win together, every player plays with its like, and is compared with the next weaker one.

    Parameters
    ----------
    strategies : str or iterable of str, optional
        Players from the weakest, separated by commas; by default the levels of people and the expert.
    games : int
        500 deals by default; of players that search a twentieth, at least 100, or 50 if all do.

    Returns
    -------
    Table
        A row for every pair, with the gain over the weaker player or over a fair share.

    Examples
    --------
    >>> import houle
    >>> result = houle.strength("wave", strategies="random,thumb", games=400)
    >>> result.rows[1].against, result.rows[1].change.low > 0
    ('random', True)
    """
    played, names = as_setup(setup), names_of(strategies)
    players, left_out = playable(played, names) if names else usual(played, "strength")
    usually = STRENGTH_SEARCH_GAMES if all(map(is_search, players)) else STRENGTH_GAMES
    return play_strength(played, players, RunSpec.of(run, usually, LEAST_DEALS), left_out)


def play_strength(
    setup: Setup,
    players: Sequence[Strategy],
    spec: RunSpec,
    left_out: Iterable[tuple[str, str]] = (),
    searched: int | None = None,
) -> Table:
    """Like `strength`, for players that were read; `searched` are the deals of those that search."""
    experiment = experiment_of(setup, players)
    if searched is not None:
        slow = [any(has_search(line_up) for line_up, _ in arm.plays) for arm in experiment.arms]
        experiment = replace(experiment, deals=tuple(min(searched, spec.games) if one else spec.games for one in slow))
    goal, sample = Goal(setup), play(experiment, spec)
    rows = tuple(_rows(sample, goal))
    own = [row for row in rows if row.measure == goal.measure]
    heads = {"label": "player", "difference": "more than the one above"}
    how: tuple[Block, ...] = ()
    if not setup.one_sided:
        heads |= {"against": "against", "difference": "more"}
        how = (
            note(
                "One such player among players of the kind named under \u201cagainst\u201d, in each seat in turn. "
                "More: than a fair share ({fair}) of the games that somebody wins.",
                fair=exact(fair_share(setup), PERCENT),
            ),
        )
    weak = [doubt(setup, row.label, row.against, *_gains(sample, row)) for row in own]
    remarks = (*how, *(note("{line}.", line=line) for line in weak if line))
    return Table(
        "strength",
        QUESTION,
        main=setup,
        sample=sample,
        rows=rows,
        measures=(goal.measure,),
        sentences=tuple(_sentences(setup, own)),
        remarks=remarks,
        heads=heads,
        left_out=(*left_out, *sample.left_out),
        options=("-s", ",".join(player.text for player in players)),
    )


def _gains(sample: Sample, row: Row) -> tuple[Estimate | None, Estimate | None]:
    """How many more wins, and points where all play together, than the weaker player."""
    other = dict(sample.pairs).get(row.number)
    if other is None:
        return None, None
    score = difference(sample, row.number, "score", other=other).interval if row.setup.one_sided else None
    return difference(sample, row.number, "win", other=other).interval, score


def _rows(sample: Sample, goal: Goal) -> Iterable[Row]:
    other_of, sides = dict(sample.pairs), len(goal.setup.seats_by_side)
    others = set() if goal.setup.one_sided else set(other_of.values())
    for measure in dict.fromkeys((goal.measure, "win", "score")):
        for number, arm in enumerate(sample.arms):
            if number in others or not sample.deals(number):
                continue
            row, other = (
                Row(arm=arm, number=number, label=arm.label, measure=measure, value=estimate(sample, number, measure)),
                other_of.get(number),
            )
            if other is None:
                yield row
                continue
            gap: Difference | None = difference(sample, number, measure, other=other)
            if gap and not goal.setup.one_sided:  # above a fair share of the games that somebody wins
                fair = gap.interval.scale((sides - 1) / sides)
                gap = replace(gap, interval=fair) if measure == "win" else None
            yield replace(
                row, against=sample.arms[other].label, beside=estimate(sample, other, measure), difference=gap
            )
