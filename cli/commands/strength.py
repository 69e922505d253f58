"""`houle strength`: how much more often each player wins than the next weaker one, on the same deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import RESPONSE_WORLDS, STRENGTH_GAMES, STRENGTH_SEARCH_GAMES
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import search_games_option, worlds_option
from houle.solver.strategies.names import MOST_BUDGET

if TYPE_CHECKING:
    from houle import League, Responses, Strength
    from houle.analysis.strategy.strength import StrengthPlan


@analysis_command(
    games=STRENGTH_GAMES, least=2, unit="deals", strategies="Players to compare, weakest first (default: all).",
    dry_run=True,
)  # fmt: skip
@search_games_option(STRENGTH_SEARCH_GAMES, least=2)
@click.option(
    "--league", metavar="NAME,NAME[,NAME...]",
    help="Instead: play every two of these against each other in all mixtures, and rate them (competitive games only).",
)  # fmt: skip
@click.option(
    "--response", metavar="NAME[,NAME...]",
    help="Instead: show how much a player gains who knows how these play (competitive games only).",
)  # fmt: skip
@worlds_option(RESPONSE_WORLDS, 1, MOST_BUDGET, " of a search, with --response")
def strength(call: Call, search_games: int, league: str | None, response: str | None, worlds: int) -> None:
    """Rank players by how much more often each wins.

    All players play the same deals. In competitive games one player sits among players of the next weaker kind, in each
    seat in turn.

    --league lets every two kinds of players meet in all mixtures and seatings, and gives them ratings. A test says
    whether ratings predict who wins, or whether that depends on who else plays.

    --response lets a searching player sit among players of each kind. Half of the --search-games choose the best search
    against them, the other half measure it. What it wins above a fair share shows how much that kind can be exploited,
    at least.

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
    call.show(result, page(result), text.short_head(result.setup))


def play_league(call: Call, players: str, search_games: int) -> None:
    """What --league does instead."""
    from houle.analysis.strategy.league_plan import parts_of_league

    if call.strategy:
        raise click.UsageError("--league: not possible together with -s")
    if call.dry_run:
        parts = parts_of_league(call.setup, players, call.games, search_games)
        lines = [f"{part.name}: {part.deals:,} deals, {text.plural(part.games, 'game')}" for part in parts]
        seconds = sum(part.expected_seconds(call.setup, part.sample, call.seed, call.threads) for part in parts)
        click.echo("\n".join([text.setup_line(call.setup), *lines, f"about {text.duration(seconds)} in all"]))
        return
    result = call.play(houle.league, call.setup, strategies=players, search_games=search_games)
    call.show(result, league_page(result), text.short_head(result.setup))


def play_response(call: Call, players: str, worlds: int, deals: int) -> None:
    """What --response does instead."""
    if call.strategy or call.dry_run:
        raise click.UsageError(f"--response: not possible together with {'-s' if call.strategy else '--dry-run'}")
    result = call.play(houle.response, call.setup, strategies=players, worlds=worlds, games=deals)
    call.show(result, response_page(result), text.short_head(result.setup))


def response_page(result: Responses) -> list[str]:
    """A row per kind of players, and what each search won on the deals that chose."""
    rows = [
        [row.strategy, row.answer, f"{row.win.n:,}", text.shown(row.win, True),
         text.points(row.gain)]
        for row in result.responses
    ]  # fmt: skip
    lines = [
        text.columns(["against", "best answer", "deals", "wins", "gain, points"], rows, right=(2,), flexible=(0, 1))
    ]
    for row in result.responses:
        tried = ", ".join(f"{name} {100 * share:.1f}%" for name, share in row.tried)
        lines += ["", text.paragraph(f"Tried against {row.strategy}, on the deals that chose: {tried}.", 0, 0)]
    return [*lines, "", text.paragraph(
        "Gain: wins above a fair share, counting only games that somebody wins. It is a lower bound: a better answer "
        "than these searches would gain more.", 0, 0,
    )]  # fmt: skip


def league_page(result: League) -> list[str]:
    """What a player of each kind wins in every mixture, the ratings, and whether they predict it."""
    names = result.strategies
    rows = [
        [f"{table.number} {names[table.one]}, {table.sides - table.number} {names[table.other]}", f"{table.win.n:,}",
         text.shown(table.win, True), text.shown(table.other_win, True),
         text.points(table.gap)]
        for table in result.compositions
    ]  # fmt: skip
    heads = ["players", "deals", "the first wins", "the other wins", "difference, points"]
    lines = [text.columns(heads, rows, right=(1,), flexible=(0,)), ""]
    lines += [f"Wins of one player of each kind; with equal players each wins {100 * result.fair:.1f}%.", ""]
    lines += rating_lines(result)
    return [*lines, *(text.paragraph(f"left out {name}: {why}", 0, 9) for name, why in result.left_out)]


def rating_lines(result: League) -> list[str]:
    """Ratings if they predict who wins, else also alpha-rank."""
    ratings, ranks, names = result.ratings, result.alpha_ranks, result.strategies
    predicts = result.fits is not False
    if ratings is None:
        return ["No ratings: a player never won, or too few games were played."]
    rows = [[name, text.shown(ratings.points[i]) if i else "0"] for i, name in enumerate(names)]
    heads = ["player", "rating, points"]
    if not predicts and ranks:
        shares = [f"{100 * rank.value:.1f}% ({100 * rank.low:.1f} to {100 * rank.high:.1f})" for rank in ranks]
        rows = [[*row, share] for row, share in zip(rows, shares, strict=True)]
        heads.append("alpha-rank")
    lines = [text.columns(heads, rows, flexible=(0,)), ""]
    if result.fits is None:
        lines.append("Too few mixtures to test whether ratings predict who wins.")
    elif predicts:
        lines.append(f"Ratings (Plackett-Luce) predict who wins, as far as the games can show (p = {ratings.p:.2g}).")
    else:
        lines.append(text.paragraph(
            f"Ratings do not predict who wins (p = {ratings.p:.1g}): it depends on who else plays. Alpha-rank: how "
            "often everybody would play this way if people copied those who win more.", 0, 0,
        ))  # fmt: skip
    for mix in result.mixes:
        one, other = names[mix.one], names[mix.other]
        lines.append(text.paragraph(
            f"{one} and {other} balance each other: with {100 * mix.share:.0f}% {one}, both kinds win equally often.",
            0, 0,
        ))  # fmt: skip
    return lines


def page(result: Strength) -> list[str]:
    """A row per player, and which players are left out."""
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
        row.insert(3, text.points(matchup.gain))
        if result.fair is None:
            row.append(text.shown(matchup.score_gain))
        else:
            row.insert(1, shown_player(matchup.below) if matchup.below else "")
        rows.append(row)
    if result.fair is None:
        heads = ["player", "deals", "wins", "points more", score, f"{score} more"]
        lines = [*fitting_tables(heads, rows, 1), "", "More: than the player in the row above."]
    else:
        heads = ["player", "against", "deals", "wins", "points more", score]
        lines = [*fitting_tables(heads, rows, 2), "", text.paragraph(from_every_seat(result.fair), 0, 0)]
    doubts = [text.paragraph(f"note     {line}", 0, 9) for line in result.doubts]
    return [*lines, *([""] if left_out or doubts else []), *doubts, *left_out]


def from_every_seat(fair: float) -> str:
    """How to read wins in games where players compete."""
    return (
        f'One such player among players of the kind named under "against", in each seat in turn. Points more: than a '
        f"fair share ({100 * fair:.1f}%) of the games that somebody wins."
    )


def fitting_tables(heads: list[str], rows: list[list[str]], deals: int) -> list[str]:
    """One table, or two if it is too wide for the window: wins, then scores. `deals` is the index of that column."""
    whole = text.columns(heads, rows, right=(deals,))
    if max(map(len, whole.splitlines())) <= text.window():
        return [whole]
    first = deals + 3  # deals, wins, points more; scores follow
    parts = [[*range(first)], [0, *range(first, len(heads))]]
    wins, scores = ([heads[i] for i in part] for part in parts)
    halves = [[[row[i] for i in part] for row in rows] for part in parts]
    return [text.columns(wins, halves[0], right=(deals,)), "", text.columns(scores, halves[1])]


def plan_lines(plan: StrengthPlan, seconds: float) -> list[str]:
    """What --dry-run prints."""
    from houle.analysis.sampling.players import shown_player

    parts = [part for part in plan.parts if part.arms]
    return [
        text.setup_line(plan.setup),
        *(f"{part.name}: {part.deals:,} deals, {text.plural(part.games, 'game')}" for part in parts),
        "players: " + ", ".join(shown_player(matchup.text) for matchup in plan.strategies),
        *(f"left out {name}: {why}" for name, why in plan.left_out),
        f"{text.plural(plan.games, 'game')} in all, about {text.duration(seconds)}",
    ]
