"""`houle strength`: every strategy against the one below it, on the same deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import RESPONSE_WORLDS, STRENGTH_GAMES, STRENGTH_SEARCH_GAMES
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import Whole, search_games_option
from houle.solver.strategies.names import MOST_BUDGET

if TYPE_CHECKING:
    from houle import League, Responses, Strength
    from houle.analysis.strategy.strength import StrengthPlan


@analysis_command(
    games=STRENGTH_GAMES, least=2, unit="deals", strategies="The players from the weakest; all there are by default.",
    dry_run=True,
)  # fmt: skip
@search_games_option(STRENGTH_SEARCH_GAMES, least=2)
@click.option(
    "--league", metavar="NAME,NAME[,NAME...]",
    help="Instead: every two of these players at tables of every composition, where players compete.",
)  # fmt: skip
@click.option(
    "--response", metavar="NAME[,NAME...]",
    help="Instead: how much a search gains that answers these players, where players compete.",
)  # fmt: skip
@click.option(
    "--worlds", type=Whole(1, MOST_BUDGET), default=RESPONSE_WORLDS, show_default=True, metavar="N",
    help="Worlds of the searches that answer, with --response.",
)  # fmt: skip
def strength(call: Call, search_games: int, league: str | None, response: str | None, worlds: int) -> None:
    """Compare strategies of GAME, each with the one below it.

    Every rung is played on the same deals, with 95% intervals. Where players compete, one side of the rung meets the
    rung below on all other sides, from every seat in turn; n counts deals.

    --league plays every two kinds at tables with 1, 2, ... of the one and the rest of the other, in every seating, and
    rates them; a test says whether ratings can tell who wins, or whether that depends on who else sits down.

    --response seats one search among players of each kind, from every seat in turn: of searches that expect different
    things of the others the best is chosen on one half of the --search-games and scored on the other half. What it wins
    above a fair share is how much that kind can be exploited, at least.

    \b
    Examples:
      houle strength wave -p 3
      houle strength wave -v nazare -s random,thumb,flat:100 -n 2000 --search-games 200
      houle strength land-unter -p 4 --league "thumb,thumb[weights=rival],flat:50" -n 2000 --search-games 100
      houle strength land-unter -p 4 --response random,thumb --search-games 100
    """
    from houle.analysis.strategy.strength import plan_strength

    if response is not None:
        if league is not None:
            raise click.UsageError("--response: not possible together with --league")
        play_response(call, response, worlds, search_games)
        return
    if league is not None:
        play_league(call, league, search_games)
        return
    if call.dry_run:
        plan = plan_strength(
            call.setup, strategies=call.strategies, games=call.games, search_games=search_games
        )  # fmt: skip
        click.echo("\n".join(plan_lines(plan, plan.expected_seconds(call.seed, call.threads))))
        return
    result = call.play(houle.strength, call.setup, search_games=search_games)
    head = [*text.differences(result.setup), f"{text.table_line(result.setup)}; seed {result.seed}, 95% intervals"]
    call.tell(result, page(result), head)


def play_league(call: Call, players: str, search_games: int) -> None:
    """What `ladder` does instead, with --league."""
    from houle.analysis.strategy.league_plan import parts_of_league

    if call.strategy:
        raise click.UsageError("--league: not possible together with -s")
    if call.dry_run:
        parts = parts_of_league(call.setup, players, call.games, search_games)
        lines = [f"{part.name}: {part.deals:,} deals, {text.plural(part.games, 'game')}" for part in parts]
        seconds = sum(part.expected_seconds(call.setup, part.sample, call.seed, call.threads) for part in parts)
        click.echo("\n".join([text.table_line(call.setup), *lines, f"in all about {text.duration(seconds)}"]))
        return
    result = call.play(houle.league, call.setup, strategies=players, search_games=search_games)
    head = [*text.differences(result.setup), f"{text.table_line(result.setup)}; seed {result.seed}, 95% intervals"]
    call.tell(result, league_page(result), head)


def play_response(call: Call, players: str, worlds: int, deals: int) -> None:
    """What `ladder` does instead, with --response."""
    if call.strategy or call.dry_run:
        raise click.UsageError(f"--response: not possible together with {'-s' if call.strategy else '--dry-run'}")
    result = call.play(houle.response, call.setup, strategies=players, worlds=worlds, games=deals)
    head = [*text.differences(result.setup), f"{text.table_line(result.setup)}; seed {result.seed}, 95% intervals"]
    call.tell(result, response_page(result), head)


def response_page(result: Responses) -> list[str]:
    """A row per kind of players, and what every answer got on the deals that chose."""
    rows = [
        [row.strategy, row.answer, f"{row.win.n:,}", text.shown(row.win, True),
         text.shown(row.gain, True).replace("%", "", 1)]
        for row in result.responses
    ]  # fmt: skip
    lines = [text.columns(["the others", "answer", "deals", "wins", "gain, points"], rows, right=(2,), flexible=(0, 1))]
    for row in result.responses:
        tried = ", ".join(f"{name} {100 * share:.1f}%" for name, share in row.tried)
        lines += ["", text.paragraph(f"Answers to {row.strategy} on the deals before: {tried}.", 0, 0)]
    return [*lines, "", text.paragraph(
        "Gain: what it wins above a fair share of the games that somebody wins. Answers are searches, and none of them "
        "imagines players who search: whoever answers better gains more.", 0, 0,
    )]  # fmt: skip


def league_page(result: League) -> list[str]:
    """What a side of either kind wins at every composition, the ratings, and whether they tell."""
    names = result.strategies
    rows = [
        [f"{table.number} {names[table.one]}, {table.seats - table.number} {names[table.other]}", f"{table.win.n:,}",
         text.shown(table.win, True), text.shown(table.other_win, True),
         text.shown(table.gap, True).replace("%", "", 1)]
        for table in result.tables
    ]  # fmt: skip
    heads = ["table", "deals", "the first wins", "the other wins", "more, points"]
    lines = [text.columns(heads, rows, right=(1,), flexible=(0,)), ""]
    lines += [f"A side of the first kind, a side of the other; equal players win {100 * result.fair:.1f}%.", ""]
    lines += rating_lines(result)
    return [*lines, *(text.paragraph(f"left out {name}: {why}", 0, 9) for name, why in result.left_out)]


def rating_lines(result: League) -> list[str]:
    """Ratings where they tell, alpha-rank where they do not."""
    ratings, ranks, names = result.ratings, result.alpha_ranks, result.strategies
    told = result.fits is not False
    if ratings is None:
        return ["No ratings: somebody never won, or too little was played."]
    rows = [[name, text.shown(ratings.points[i]) if i else "0"] for i, name in enumerate(names)]
    heads = ["player", "rating, points"]
    if not told and ranks:
        shares = [f"{100 * rank.value:.1f}% ({100 * rank.low:.1f} to {100 * rank.high:.1f})" for rank in ranks]
        rows = [[*row, share] for row, share in zip(rows, shares, strict=True)]
        heads.append("alpha-rank")
    lines = [text.columns(heads, rows, flexible=(0,)), ""]
    if result.fits is None:
        lines.append("Whether ratings tell what happens cannot be tested with so few tables.")
    elif told:
        lines.append(f"Ratings (Plackett-Luce) tell what happens as far as can be seen (p = {ratings.p:.2g}).")
    else:
        lines.append(text.paragraph(
            f"Ratings do not tell what happens (p = {ratings.p:.1g}): what one wins depends on who else sits down. "
            "Alpha-rank: how much of the time it would be what all play, where people copy who wins more.", 0, 0,
        ))  # fmt: skip
    for mix in result.mixes:
        one, other = names[mix.one], names[mix.other]
        lines.append(text.paragraph(
            f"{one} and {other} live together: with {100 * mix.share:.0f}% {one} a player of either kind wins as much.",
            0, 0,
        ))  # fmt: skip
    return lines


def page(result: Strength) -> list[str]:
    """A row per rung, and which rungs are not there."""
    from houle.analysis.sampling.players import shown_player

    score = result.setup.score
    left_out = [text.paragraph(f"left out {name}: {why}", 0, 9) for name, why in result.left_out]
    rows = []
    for matchup in result.matchups:
        row = [
            shown_player(matchup.strategy),
            f"{matchup.win.n:,}" if matchup.win else "",
            text.shown(matchup.win, True),
            text.shown(matchup.score),
        ]
        row.insert(3, text.shown(matchup.gain, True).replace("%", "", 1))
        if result.fair is None:
            row.append(text.shown(matchup.score_gain))
        else:
            row.insert(1, shown_player(matchup.below) if matchup.below else "")
        rows.append(row)
    if result.fair is None:
        heads = ["player", "deals", "wins", "points more", score, f"{score} more"]
        lines = [*narrow_enough(heads, rows, 1), "", "More than the player above it in this table."]
    else:
        heads = ["player", "against", "deals", "wins", "points more", score]
        lines = [*narrow_enough(heads, rows, 2), "", text.paragraph(from_every_seat(result.fair), 0, 0)]
    doubts = [text.paragraph(f"note     {line}", 0, 9) for line in result.doubts]
    return [*lines, *([""] if left_out or doubts else []), *doubts, *left_out]


def from_every_seat(fair: float) -> str:
    """What wins and gains are where players compete."""
    return (
        f"One side of the player, from every seat in turn; more than a fair share ({100 * fair:.1f}%) of the games "
        "that somebody wins, which one of the others would win in its place."
    )


def narrow_enough(heads: list[str], rows: list[list[str]], deals: int) -> list[str]:
    """One table, or two where a line would not fit the window: wins, then scores; `deals` is the column of numbers."""
    whole = text.columns(heads, rows, right=(deals,))
    if max(map(len, whole.splitlines())) <= text.window():
        return [whole]
    first = deals + 3  # the number, wins, points more; scores follow
    parts = [[*range(first)], [0, *range(first, len(heads))]]
    wins, scores = ([heads[i] for i in part] for part in parts)
    halves = [[[row[i] for i in part] for row in rows] for part in parts]
    return [text.columns(wins, halves[0], right=(deals,)), "", text.columns(scores, halves[1])]


def plan_lines(plan: StrengthPlan, seconds: float) -> list[str]:
    """What would be played, with the time that a few deals of it predict."""
    from houle.analysis.sampling.players import shown_player

    parts = [part for part in plan.parts if part.arms]
    return [
        text.table_line(plan.setup),
        *(f"{part.name}: {part.deals:,} deals, {text.plural(part.games, 'game')}" for part in parts),
        "players: " + ", ".join(shown_player(matchup.text) for matchup in plan.strategies),
        *(f"left out {name}: {why}" for name, why in plan.left_out),
        f"in all {text.plural(plan.games, 'game')}, about {text.duration(seconds)}",
    ]
