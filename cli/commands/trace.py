"""`houle trace`: one game move by move, with the real names of the cards, to be checked by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from houle.cli.framework import options
from houle.cli.framework import text as tables

if TYPE_CHECKING:
    from houle.solver.position import Table
    from houle.solver.ruleset import Setup

MOST_INDEX = 2**62


@click.command()
@options.setup_options
@options.strategy_option
@options.seed_option
@click.option(
    "--game",
    "index",
    type=options.Whole(0, MOST_INDEX),
    default=0,
    metavar="N",
    help="Which game of the seed.",
)
@options.json_option
@options.out_option
def trace(
    asked: options.Asked, strategy: tuple[str, ...], seed: int, index: int, as_json: bool, out: str | None
) -> None:
    """Replay one game of GAME move by move.

    The table, who moves, what was possible, what was done. Game N of a seed is the game that `simulate`
    counts under that number. -o writes .json or .txt.

    \b
    Examples:
      houle trace wave --seed 7 --game 3
      houle trace wave -v nazare --seed 7 --game 3 --json
      houle trace sea-change -p 4 -s thumb --seed 7
    """
    from houle.solver.position import Table
    from houle.solver.strategies.player import line_up

    options.check_out(out, (".json", ".txt"))
    setup = asked.setup()
    names = options.strategies(strategy, setup.players)
    players = line_up(setup, names)
    if any(strategy.name == "clairvoyant" for strategy in players.strategies):
        raise click.UsageError("-s: clairvoyant finds whole games, it cannot be traced move by move")
    table = Table(setup, seed, index)
    start = table.snapshot()
    plies: list[dict[str, Any]] = []
    pages = [heading(setup, seed, index, names), show(table)]
    while (seat := table.to_move()) >= 0:
        action = table.decide(players)
        name, possible = table.name(action), table.names()
        acting = int(getattr(table.state, "acting", seat))
        table.apply(action)
        plies.append(
            {"ply": len(plies) + 1, "seat": seat, "acting": acting, "possible": possible, "action": name}
            | {"after": table.snapshot()}
        )
        pages += ["", ply_text(plies[-1]), show(table)]
    result = table.result()
    repeat = [
        "trace",
        *asked.words(setup),
        *options.strategy_words(names),
        "--seed",
        str(seed),
        "--game",
        str(index),
    ]
    pages += ["", ending(setup, result), *tables.notes(setup), f"repeat   {options.shell_line(repeat)}"]
    text = "\n".join(pages) + "\n"
    data = {
        "game": setup.ruleset.name,
        "players": setup.players,
        "variants": list(setup.variants),
        "options": setup.shown_options,
        "strategies": list(names),
        "seed": seed,
        "index": index,
        "rules_digest": setup.digest,
        "notes": list(setup.notes),
        "start": start,
        "plies": plies,
        "result": result,
    }
    if out:
        options.write_out(out, json.dumps(data, indent=2) + "\n" if out.endswith(".json") else text)
    click.echo(json.dumps(data, indent=2) + "\n" if as_json else text, nl=False)


def heading(setup: Setup, seed: int, index: int, strategies: tuple[str, ...]) -> str:
    who = strategies[0] if len(set(strategies)) == 1 else ", ".join(strategies)
    lines = [
        *tables.differences(setup),
        f"{tables.table_line(setup)}; seed {seed}, game {index}, strategy {who}",
        "",
    ]
    return "\n".join(lines)


def show(table: Table) -> str:
    """The table as the game shows it, below the number of the move."""
    shown = str(table.setup.game.show(table.state, table.setup))
    return "\n".join(tables.paragraph(line.strip(), 5 + _depth(line), 4) for line in shown.splitlines())


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def ply_text(ply: dict[str, Any]) -> str:
    """Who moves and what, then what else was possible."""
    hand = "" if ply["acting"] == ply["seat"] else f" (with the hand of seat {ply['acting']})"
    line = f"{ply['ply']:>3}  seat {ply['seat']}{hand}: {ply['action']}"
    others = [name for name in dict.fromkeys(ply["possible"]) if name != ply["action"]]
    if not others:
        return line + "  (nothing else was possible)"
    return line + "\n" + tables.paragraph(f"instead of: {', '.join(others)}", 5, 4)


def ending(setup: Setup, result: dict[str, Any]) -> str:
    rows = []
    for side, (name, _) in enumerate(setup.game.side_names(setup)):
        share = result["shares"][side]
        verdict = "no" if share == 0 else "yes" if share == 840 else f"{share / 840:.3f} of it"
        rows.append([name, str(result["scores"][side]), verdict])
    end = "over, without a winner" if result["drawn"] else "over"
    counts = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in result["counts"].items())
    return "\n".join([end + ": " + counts, tables.columns(["side", setup.score, "won"], rows, right=(1,))])
