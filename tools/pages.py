"""`make pages`: the pages that are made from what they are about, so that they cannot be stale.

Commands from the command line itself, knobs and games from their folders, measures from the code, numbers from
docs/almanac/*.csv. A game's page also holds what somebody wrote by hand, games/parts/GAME.md. tests/docs/test_pages.py
fails where a page is not what this writes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from houle.analysis.comparison.measures import MEASURES
from houle.analysis.strategy.rule_sentences import rule_sentence
from houle.cli.main import COMMANDS, houle
from houle.solver.ruleset import Knob, Ruleset, game_names, load, make_setup
from houle.solver.strategies.names import CLAIRVOYANT, KINDS, parse
from houle.solver.strategies.player import weights_entry

DOCS = Path(__file__).parent
ROOT = DOCS.parent
GOLDEN = ROOT / "tests" / "golden"
ALMANAC = DOCS / "almanac"
MADE = "<!-- Made by `make pages`; change what it is made from instead. -->"
PLAYTHROUGH = 26  # lines of a golden trace
SHOWN = {  # strategy -> its column
    "random": "random", "novice": "novice", "thumb": "thumb", "flat:50": "flat:50", "flat:200": "flat:200",
    "clairvoyant": "bound",
}  # fmt: skip
README_PLAYERS = ("3", "4")

MEASURE_TEXT = {
    "win": "share of games won by the first side; a shared win counts as its share",
    "score": "mean score of the first side, as the game's rules name it",
    "length": "mean number of turns of a game, as the game counts them",
    "draws": "share of games that nobody wins",
    "first-seat": "how much more often than an equal share the first seat wins",
    "spread": "mean distance between the best and the worst score of a game",
}


def table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]] | list[tuple[str, ...]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return lines + [
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows
    ]


def commands_page() -> str:
    lines = ["# Commands", "", MADE, "", "As `houle COMMAND --help` says it.", ""]
    for name in COMMANDS:
        lines += _command(houle.get_command(click.Context(houle), name), f"houle {name}", 2)
    return "\n".join(lines)


def _command(command: Any, name: str, level: int) -> list[str]:
    context = click.Context(command, info_name=name, terminal_width=100, max_content_width=100)
    lines = [f"{'#' * level} {name}", "", "```text", command.get_help(context).rstrip(), "```", ""]
    for sub in getattr(command, "commands", {}).values():
        lines += _command(sub, f"{name} {sub.name}", level + 1)
    return lines


def shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(str, value))}]"
    return str(getattr(value, "name", value))


def allowed(knob: Knob) -> str:
    if knob.choices:
        return ", ".join(knob.choices)
    if knob.low is not None:
        return f"{knob.low} to {knob.high}"
    return {"bool": "yes, no", "names": "a list of cards", "deck": "a deck file"}.get(knob.type, "a list")


def default_of(knob: Knob) -> str:
    text = shown(knob.default)
    other = "; ".join(f"{shown(value)} with {players}" for players, value in knob.by_players.items())
    return f"{text}; {other}" if other else text


def knob_rows(rules: Ruleset) -> list[tuple[str, ...]]:
    return [
        (f"`{knob.name}`", default_of(knob), allowed(knob), knob.provenance, knob.text) for knob in rules.knobs.values()
    ]


KNOB_HEAD = ("knob", "unless set", "may be", "from", "what it is")


def knobs_page() -> str:
    lines = [
        "# Knobs",
        "",
        MADE,
        "",
        "Every rule that can be turned, with `--set KNOB=VALUE` or in a file of your own.",
        "",
    ]
    for name in game_names():
        rules = load(name)
        lines += [f"## {rules.title}", "", *table(KNOB_HEAD, knob_rows(rules)), ""]
    return "\n".join(lines)


def measures_page() -> str:
    lines = ["# Measures", "", MADE, "", "What `compare`, `sweep`, `design` and targets of studies can ask for.", ""]
    lines += table(("measure", "what it is"), [(f"`{name}`", MEASURE_TEXT[name]) for name in MEASURES])
    lines += [
        "",
        "A target is `MEASURE=VALUE|LOW..HIGH[@PLAYER]`, as `win=35%..45%@thumb`. A value means 2 points more or",
    ]
    lines += [
        "less for a rate, 2% of it for all else. Which measures a table has is said where one asks for another.",
        "",
    ]
    rows = []
    for name in game_names():
        rules = load(name)
        better = "lower" if rules.lower_is_better else "higher"
        rows.append((rules.title, rules.score.replace("_", " "), better, rules.turns))
    return "\n".join([*lines, *table(("game", "score", "better is", "turns are"), rows), ""])


def where(rule: Any) -> str:
    parts = [f"{', '.join(map(str, rule.players))} players"] if rule.players else []
    parts += [" and ".join(f"`{knob}` = {shown(value)}" for knob, value in need.items()) for need in rule.needs]
    parts += [f"not with `{knob}` = {shown(value)}" for knob, value in rule.unless.items()]
    return "; ".join(parts) or "always"


def thumb_lines(name: str) -> list[str]:
    """Rules of thumb of the usual table, those that weigh most first; each as the sign of its weight means it."""
    setup = make_setup(name)
    weights = weights_entry(parse("thumb"), setup)["weights"]
    names = sorted((name for name, weight in weights.items() if weight), key=lambda name: -abs(weights[name]))
    return [f"{i}. {rule_sentence(setup, name, weights[name])} (`{name}`)" for i, name in enumerate(names, 1)]


def cells(name: str) -> list[dict[str, str]]:
    """The game's cells of the almanac."""
    file = ALMANAC / f"{name}.csv"
    if not file.exists():
        return []
    with file.open() as lines:
        return list(csv.DictReader(lines))


def percent(row: dict[str, str]) -> str:
    """In percent, with enough digits to tell a small rate from none."""
    value, low, high = (100 * float(row[part]) for part in ("win", "win_low", "win_high"))
    digits = 1 if high >= 5 else 2 if high >= 0.1 else 3
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def by_player(rows: list[dict[str, str]]) -> dict[tuple[str, str], dict[str, str]]:
    """(players, variant) -> who plays -> wins; the bound, however many nodes its solver had, is one player."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        name = parse(row["strategy"]).name
        who = name if KINDS[name] == CLAIRVOYANT else row["strategy"]
        found.setdefault((row["players"], row["variant"]), {})[who] = percent(row)
    return found


def numbers(name: str) -> list[str]:
    found = by_player(cells(name))
    if not found:
        return ["The almanac has no cells of this game yet."]
    who = [key for key in SHOWN if any(key in own for own in found.values())]
    rows = [(*place, *(own.get(key, "") for key in who)) for place, own in found.items()]
    lines = ["Wins of the first side in percent, all seats playing alike, with 95% intervals.", ""]
    lines += table(("players", "variant", *(SHOWN[key] for key in who)), rows)
    return [*lines, "", "Scores, lengths, draws, seeds, digests and commands: [the almanac](../almanac.md)."]


def thinking_ahead() -> list[str]:
    """What search wins beside rules of thumb with three surfers, as the almanac has it."""
    found = by_player(cells("wave"))
    base, virage = found.get(("3", "base game"), {}), found.get(("3", "virage"), {})
    if not {"flat:50", "flat:200"} <= base.keys() & virage.keys():
        return []
    return [
        "",
        "- **WAVE** can be played far better than rules of thumb do: with three surfers `thumb` wins"
        f" {base['thumb']}, `flat:50` {base['flat:50']}, `flat:200` {base['flat:200']}.",
        f"- **Virage** is harder for those who follow rules of thumb, {virage['thumb']}, and much easier for those who"
        f" think ahead: `flat:50` wins {virage['flat:50']}, `flat:200` {virage['flat:200']}.",
    ]


def readme() -> str:
    """The README with the numbers of every game's base game."""
    found: list[tuple[str, str, dict[str, str]]] = []
    for name in game_names():
        for (players, variant), own in by_player(cells(name)).items():
            if variant == "base game" and players in README_PLAYERS:
                found.append((load(name).title, players, own))
    who = [key for key in SHOWN if any(key in own for *_, own in found)]
    rows = [(title, players, *(own.get(key, "") for key in who)) for title, players, own in found]
    text = (ROOT / "README.md").read_text()
    head, _, rest = text.partition("<!-- numbers -->")
    dates = sorted({row["played"] for name in game_names() for row in cells(name)})
    made = "\n".join(table(("game", "players", *(SHOWN[key] for key in who)), rows))
    made += f"\n\nSeed and counts: `docs/almanac.toml`; played on {' and '.join(dates)} by `make almanac`."
    made += "".join(f"\n{line}" for line in thinking_ahead())
    return f"{head}<!-- numbers -->\n{made}\n<!-- /numbers -->{rest.partition('<!-- /numbers -->')[2]}"


def game_page(name: str) -> str:
    rules = load(name)
    what, _, knows = (DOCS / "games" / "parts" / f"{name}.md").read_text().partition("<!-- knows -->")
    lines = [f"# {rules.title}", "", MADE, "", f"*{rules.about}*", "", what.strip(), ""]
    lines += ["## Rules as we play them", ""]
    lines += table(("rule", "where", "from"), [(rule.text, where(rule), rule.provenance) for rule in rules.fixed])
    lines += ["", f"`houle rules {name}` shows those of any table. **printed**: in the rulebook; **found**: stated by"]
    lines += [
        "independent public sources; **inferred**: follows from examples or counts; **assumed**: print is silent."
    ]
    lines += ["", "## Modes and knobs", ""]
    if rules.variants:
        rows = [(f"`{one.name}`", one.text, one.level, one.provenance) for one in rules.variants.values()]
        lines += [*table(("variant", "what it changes", "level", "from"), rows), ""]
    lines += [*table(KNOB_HEAD, knob_rows(rules)), "", "## What a player knows", "", knows.strip(), ""]
    lines += ["## Rules of thumb", "", "Of the usual table, those that weigh most first. What forgetting one costs:"]
    lines += [f"`houle ablate {name} -s thumb`.", "", *thumb_lines(name), ""]
    lines += ["## The numbers", "", *numbers(name), "", "## A playthrough", ""]
    golden = next(iter(sorted(GOLDEN.glob(f"{name}-3-base.txt")))).read_text().splitlines()
    lines += ["The beginning of a game at random, as the tests keep it (`tests/golden`):", "", "```text"]
    kept = [re.sub(r" \[[0-9a-f]{6}\]$", "", line) for line in golden[:PLAYTHROUGH]]
    lines += [*kept, *(["..."] if len(golden) > PLAYTHROUGH else []), "```", "", "## What is assumed", ""]
    open_rules = [f"- `{knob.name}`: {knob.text}" for knob in rules.knobs.values() if knob.provenance in OPEN]
    open_rules += [f"- {rule.text}" for rule in rules.fixed if rule.provenance in OPEN]
    lines += [*(f"**{note}**\n" for note in rules.notes), *open_rules]
    lines += ["", f"`houle assumptions {name} ` turns every knob of these and ranks them by what they change.", ""]
    return "\n".join(lines)


OPEN = ("assumed", "inferred")


def pages() -> dict[Path, str]:
    """Every page that is made, and its text."""
    found = {DOCS / "games" / f"{name}.md": game_page(name) for name in game_names()}
    found[ROOT / "README.md"] = readme()
    found[DOCS / "reference" / "commands.md"] = commands_page()
    found[DOCS / "reference" / "knobs.md"] = knobs_page()
    found[DOCS / "reference" / "measures.md"] = measures_page()
    return found


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text)
        print(path.relative_to(ROOT))
