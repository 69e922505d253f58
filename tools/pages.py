"""`make pages`: write the pages that are generated from the code, so that they are never out of date.

Commands come from the command line itself, knobs and games from their rules files, measures and Python names from the
code, numbers from docs/data/almanac/*.csv, docs/data/results.csv and docs/data/times.toml. The page of a game also has
a part written by hand, docs/games/parts/GAME.md.
tests/docs/test_pages.py fails if a page is not what this writes.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

import houle
from houle.analysis.explain.ablation import rule_sentence
from houle.analysis.explain.balance import LIMIT
from houle.analysis.measures.measures import MEASURES, words
from houle.analysis.players.line_ups import EXPERT
from houle.analysis.players.named_players import levels
from houle.analysis.stats.estimate import PERCENT, POINTS
from houle.cli.main import COMMANDS, GROUPS
from houle.cli.main import houle as program
from houle.solver.cards import cardsets, rows, streams
from houle.solver.declared import fields
from houle.solver.interface import functions, seen
from houle.solver.interface.files import FILES
from houle.solver.players.names import parse
from houle.solver.players.player import weights_entry
from houle.solver.rules import PROVENANCES, SETTLED, SOURCES, Knob, Ruleset, game_names, load, make_setup
from houle.solver.texts import capital
from tools.almanac.cells import earlier_rules, kept, people_changed
from tools.almanac.findings import findings
from tools.results import BETTER, OTHERS
from tools.results import FILE as RESULTS
from tools.rows import Row, estimate, read_rows, table

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
GOLDEN = ROOT / "tests" / "golden"
MADE = "<!-- Written by `make pages`: change the code or the rules file instead. -->"
PLAYTHROUGH = 26  # lines of a golden trace
LEVELS = (*(level.name for level in levels()), EXPERT)  # columns of the README

TARGET = """\
A win that several sides share counts in part for each.

A target is `MEASURE=VALUE|LOW..HIGH[@PLAYER]`, for example `win=35%..45%@thumb`, or has one limit: `win<=80%@expert`. A
single value allows 2 points more or less for a rate, and 2% more or less for other measures. Not every game has every
measure. `design` also takes `length:p90` and `score:p90`, what 90% of games do not exceed, and `seat-gap`, how
many more of the games the best seat wins than the worst: its interval lies inside the target if its upper end does."""

FUNCTIONS_HEAD = """\
What a game provides to be played, each a kernel with these arguments. `state` is a record of STATE that the function
may change, `rules` a record of RULES; seats count from 0. A function without a default must be written; a declared game
([declarations](declarations.md)) gets `to_move`, `determinize`, `counts`, `outcome`, `utility` and the table SEEN from
its fields. [Your own game](../guides/own-game.md) shows them in use. What a seat sees, and what the plain files of a
game provide, is at the end of this page."""

DECLARATIONS_HEAD = """\
A declared game lists its fields by who sees them, and houle derives records, knowledge, worlds and texts. All functions
below are kernels and can be called in yours. Quay in examples/games, at the end of this page, uses every declaration.

| you need | you write |
| --- | --- |
| a hand that only its player sees | `own={"hand": per_seat(cards(52))}` |
| a hand that everybody but its player sees | `others={"hand": per_seat(ordered(50, 5))}` |
| what everybody knows about hidden cards | `facts={"may": about("hand")}`, and `rows.tell` for a clue |
| names of cards | `card_name(setup, card)`: `Y4` instead of 17 in texts and pages; several cards may share one |
| a choice that stays secret until all have chosen | `is_secret(state, rules)`: whether the next action is face down |
| several rounds | `fields(..., rounds=True)`, and `state.rounds += 1` at the end of each |
| teams | `fields(..., teams=2)`; `seating(options, players)` for other teams |
| dice | `1 + luck(state, 6)` |
| a discard pile that becomes the pile | `move_all(state.discard, state.pile)` |
| several sets | `public={"won": cards(30, 2)}`: `state.won[0]` and `state.won[1]` |
| rows in order | `public={"rows": ordered(104, 5, 4)}`: four rows of at most five cards |
| a row that nobody sees, or only its player | `ordered` in `hidden`, or `per_seat(ordered(...))` in `own` |
| cards that people count from 1 | `fields(..., first=1)` |
| more than eight players | nothing: there is room for the players of rules.toml, up to ten |"""

EXAMPLE = ROOT / "examples" / "games" / "quay" / "quay" / "quay.py"

PLAIN_WORDS = {
    "has": "Whether a card is in the set.",
    "add": "Adds a card.",
    "remove": "Removes a card.",
    "clear": "Removes all cards.",
    "add_all": "Adds the cards of the other set.",
    "remove_all": "Removes the cards of the other set.",
}

DECLARED = (
    ("Fields", fields, ("fields", "number", "cards", "ordered", "per_seat", "about")),
    ("Luck", streams, ("luck",)),
    (
        "Sets of cards",
        cardsets,
        (
            "has",
            "add",
            "remove",
            "count",
            "count_both",
            "is_inside",
            "following",
            "list_cards",
            "nth",
            "clear",
            "fill",
            "copy",
            "add_all",
            "remove_all",
            "keep",
            "random_card",
            "draw",
            "move_all",
            "put",
        ),
    ),
    (
        "Rows of cards",
        rows,
        ("length", "end", "append", "take_end", "take", "add_to", "move_all", "take_known", "tell", "forget"),
    ),
)

KNOBS = """\
Every rule that you can change, with `--set KNOB=VALUE` or in a file (`--rules FILE`). `houle rules GAME` shows the
rules of any setup. `houle design` leaves alone what is part of what the game is, unless you name it. The source says
where the default comes from:"""


def page_head(title: str, about: str) -> list[str]:
    """How a generated page begins."""
    return [f"# {title}", "", MADE, "", about, ""]


def command_pages() -> dict[str, str]:
    """A list of all commands by group, and a page for each: its help, and the guides that use it."""
    about = "One page each: what `houle COMMAND --help` prints, and the guides that use it."
    lines = page_head("Commands", about)
    for title, commands in GROUPS.items():
        rows = [(f"[{name}](commands/{name}.md)", what) for name, what in commands.items()]
        lines += [f"## {title}", "", *table(("command", "what it does"), rows), ""]
    made = {"commands": "\n".join(lines)}
    for name in COMMANDS:
        lines = _command(program.get_command(click.Context(program), name), f"houle {name}", 1)
        used = [f"[{title}](../../{page})" for page, title in guides_with(f"houle {name} ")]
        lines += [f"Guides: {', '.join(used)}.", ""] if used else []
        made[f"commands/{name}"] = "\n".join([lines[0], "", MADE, *lines[1:]])
    return made


def guides_with(text: str) -> list[tuple[str, str]]:
    """Path and title of every guide that contains a text."""
    found = []
    for folder in ("start", "guides"):
        for path in sorted((DOCS / folder).glob("*.md")):
            page = path.read_text(encoding="utf-8")
            if text in page:
                found.append((f"{folder}/{path.name}", page.partition("\n")[0].removeprefix("# ")))
    return found


def _command(command: Any, name: str, level: int) -> list[str]:
    context = click.Context(command, info_name=name, terminal_width=100, **program.context_settings)
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
        return f"{'a list of ' if knob.type == 'ints' else ''}{knob.low} to {knob.high}"
    return {"bool": "yes, no", "names": "a list of names", "deck": "a deck file"}.get(knob.type, "a list")


def default_of(knob: Knob) -> str:
    text = shown(knob.default)
    other = "; ".join(f"{shown(value)} with {players}" for players, value in knob.by_players.items())
    return f"{text}; {other}" if other else text


PART = " Part of what the game is."


def knob_rows(rules: Ruleset) -> list[tuple[str, ...]]:
    return [
        (
            f"`{knob.name}`",
            default_of(knob),
            allowed(knob),
            knob.provenance,
            f"{knob.text}{'' if knob.tunable else PART}",
            knob.rests_on,
        )
        for knob in rules.knobs.values()
    ]


def knobs_page() -> str:
    lines = [*page_head("Knobs", KNOBS), *(f"- **{one}**: {SOURCES[one]}" for one in PROVENANCES), ""]
    for name in game_names():
        rules = load(name)
        head = ("knob", "default", "allowed", "source", "what it is", "what the rulebook says")
        lines += [f"## {rules.title}", "", *table(head, knob_rows(rules)), ""]
    return "\n".join(lines)


def measures_page() -> str:
    lines = page_head("Measures", "What `compare`, `sweep`, `design` and the targets of studies can measure.")
    lines += table(("measure", "what it is"), [(f"`{name}`", words()["measures"][name]["about"]) for name in MEASURES])
    lines += ["", TARGET, ""]
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
    """The rules of thumb of the usual setup as sentences, the largest weights first."""
    setup = make_setup(name)
    weights = weights_entry(parse("thumb"), setup)["weights"]
    names = sorted((name for name, weight in weights.items() if weight), key=lambda name: -abs(weights[name]))
    return [f"{i}. {rule_sentence(setup, name, weights[name])} (`{name}`)" for i, name in enumerate(names, 1)]


def numbers(name: str) -> list[str]:
    """Findings about a game, and where all its numbers are."""
    rows = [row for row in kept().values() if row["game"] == name]
    if not rows:
        return ["The almanac has no numbers of this game yet."]
    about = "Wins, scores, lengths, draws and commands of every setup: [the almanac](../method/almanac.md)."
    people = "Families and other levels are simulated ([tested on real people](../method/people.md))."
    return [*findings(name), "", *earlier_rules(name, rows), f"{about} {people}"]


def readme() -> str:
    """The README with the wins of the levels and the times of the demo, from docs/data."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [*together_lines(results()), "", *when_played()]
    return with_part(with_part(text, "numbers", lines), "times", demo_times())


def difficulty_page() -> str:
    """The page about difficulty with the numbers of all base games, from docs/data/results.csv."""
    text = (DOCS / "method" / "difficulty.md").read_text(encoding="utf-8")
    lines = [*together_lines(results()), "", *rivals_lines(results()), "", *when_played()]
    return with_part(text, "numbers", lines)


def with_part(text: str, mark: str, lines: Iterable[str]) -> str:
    """A page with other lines between the comments `mark` and `/mark`."""
    head, _, rest = text.partition(f"<!-- {mark} -->")
    made = "\n".join(lines)
    return f"{head}<!-- {mark} -->\n{made}\n<!-- /{mark} -->{rest.partition(f'<!-- /{mark} -->')[2]}"


def results() -> dict[tuple[str, str, str], Row]:
    return {(row["game"], row["players"], row["what"]): row for row in read_rows(RESULTS)}


def together_lines(found: Mapping[tuple[str, str, str], Row]) -> list[str]:
    """What each level wins where all win or lose together."""
    setups = dict.fromkeys(key[:2] for key in found if key[2] == LEVELS[0])
    rows = [
        (load(game).title, players, *(rate(found[game, players, level]) for level in LEVELS))
        for game, players in setups
    ]
    lines = ["Games won in percent, with 95% intervals, where all win or lose together:", ""]
    return [*lines, *table(("game", "players", *LEVELS), rows)]


def rivals_lines(found: Mapping[tuple[str, str, str], Row]) -> list[str]:
    """Advantage, first seat and length where players compete."""
    lines = [
        f"Where players compete: what one {BETTER} player wins in percent against {OTHERS} players; between {BETTER}",
        "players, what the first seat wins above an equal share, and how long half and nine in ten of the games last:",
        "",
    ]
    columns = ("game", "players", "equal share", "a better player", "first seat, points", "length: half, nine in ten")
    rows = [
        (
            load(game).title,
            players,
            f"{100 / int(players):.3g}",
            rate(found[game, players, "better"]),
            rate(found[game, players, "edge"]),
            length(found, game, players),
        )
        for game, players, what in found
        if what == "better"
    ]
    return [*lines, *table(columns, rows)]


def when_played() -> list[str]:
    """When the results were played, and how many of them before people changed."""
    rows = read_rows(RESULTS)
    played = " and ".join(sorted({row["played"] for row in rows}))
    lines = [f"Played on {played} by `make results`; counts, seeds and commands: `docs/data/results.csv`."]
    before, text = people_changed()
    old = sum(row["played"] < before for row in rows)
    return [*lines, f"{old} of {len(rows)} rows {text}"] if old else lines


def demo_times() -> list[str]:
    """The times of the first minutes, from docs/data/times.toml."""
    one = tomllib.loads((DOCS / "data" / "times.toml").read_text(encoding="utf-8"))["demo"]
    minutes, seconds = divmod(one["whole"], 60)
    return [
        f"`{one['command']}` on {one['where']} takes {minutes} min {seconds} s, of which installing takes "
        f"{one['installing']} s.",
        f"Then the first sentence comes after {one['first']} s, what families win after {one['families']} s, and the "
        f"page after {one['page']} s.",
    ]


def rate(row: Row) -> str:
    """A rate in percent, or a difference of rates in points, with its interval."""
    unit = POINTS if row["what"] == "edge" else PERCENT
    value, span = estimate(row, "value", "n", unit).parts()
    return f"{value} ({span})"


def length(found: Mapping[tuple[str, str, str], Row], game: str, players: str) -> str:
    half, most = (found[game, players, name]["value"] for name in ("turns_50", "turns_90"))
    endless, turns = found.get((game, players, "endless")), load(game).turns
    if endless is None or float(most) < load(game).knobs[LIMIT].default:  # type: ignore[operator]
        return f"{half}, {most} {turns}"
    return f"{half} {turns}; {100 * float(endless['value']):.0f}% do not end within {most}, where we stop them"


def game_page(name: str) -> str:
    rules = load(name)
    what, _, knows = (DOCS / "games" / "parts" / f"{name}.md").read_text().partition("<!-- knows -->")
    lines = [f"# {rules.title}", "", MADE, "", f"*{rules.about}*", "", what.strip(), ""]
    lines += [f"`houle play {name}` plays it in the browser, `houle studio {name}` turns its rules.", ""]
    lines += ["## How often players win", "", *numbers(name), "", "## Variants", ""]
    if rules.variants:
        rows = [(f"`{one.name}`", one.text, one.level, one.provenance) for one in rules.variants.values()]
        lines += [*table(("variant", "what it changes", "level", "source"), rows), ""]
    lines += ["## Rules as houle plays them", "", "Rules that you can change are [knobs](../reference/knobs.md).", ""]
    lines += table(("rule", "applies", "source"), [(rule.text, where(rule), rule.provenance) for rule in rules.fixed])
    lines += ["", "## Open rules", "", "What the rulebook does not settle, and what is our own:", ""]
    lines += [*(f"**{note}**\n" for note in rules.notes)]
    lines += [
        f"- {capital(knob.doubt)} (`{knob.name}`, {knob.provenance}). {knob.rests_on}"
        for knob in rules.knobs.values()
        if knob.provenance not in SETTLED
    ]
    lines += [
        "",
        f"`houle compare {name} --open-rules` changes those of these knobs that are in play and ranks them by effect;",
        "`-p` and `-v` choose the setup. Rules of the table above that are not printed are open too.",
        "",
    ]
    lines += ["## What a player knows", "", knows.strip(), "", "## Rules of thumb", ""]
    lines += [
        "How to play well without planning ahead, in short rules. The higher a rule stands, the more it counts where"
    ]
    lines += ["it applies; some apply only in variants. How many games each one wins is another question:"]
    lines += [
        f"`houle report {name} --only rules-of-thumb` measures it.",
        "",
        *thumb_lines(name),
        "",
        "## A random game",
        "",
    ]
    golden = next(iter(sorted(GOLDEN.glob(f"{name}-3-base.txt")))).read_text().splitlines()
    lines += ["The start of a random game (from `tests/golden`):", "", "```text"]
    shown_lines = [re.sub(r" \[[0-9a-f]{6}\]$", "", line) for line in golden[:PLAYTHROUGH]]
    return "\n".join([*lines, *shown_lines, *(["..."] if len(golden) > PLAYTHROUGH else []), "```", ""])


PYTHON = """\
```python
import houle

wave = houle.setup("wave", players=3, variants="virage")
result = houle.simulate(wave, strategies="family", games=100_000)
result.frame()
```

Analyses take a setup first (`houle.setup(...)`, or the name of a game) and everything else by keyword. Each returns a
result with `frame()` (pandas), `as_json()`, `plot()` and `repeat()`, the command that gives the same numbers again. A
notebook shows it as a table. Seats count from 0, as in JSON and CSV. `**run` stands for `games`, `seed`,
`threads` and `progress`: how many games, which ones, and on how many cores.

A test runs the examples below, except that of `report`, which takes minutes.
"""
RUN = set(houle.RunOptions.__annotations__)
HEADINGS = re.compile(r"^(Parameters|Returns|Examples)\n-+\n", re.MULTILINE)


def python_page() -> str:
    """The public functions with their docstrings as Markdown, then the classes."""
    functions = [name for name in dir(houle) if inspect.isfunction(getattr(houle, name))]
    classes = [name for name in dir(houle) if inspect.isclass(getattr(houle, name))]
    groups = {"Setups": ["setup", "grid"]}
    for title, commands in GROUPS.items():
        groups[title] = [name for name in (command.replace("-", "_") for command in commands) if name in functions]
    named = {name for names in groups.values() for name in names}
    groups["More"] = [name for name in functions if name not in named]
    lines = ["# Python", "", MADE, "", PYTHON]
    groups = {title: names for title, names in groups.items() if names}
    lines += [f"- {title}: {', '.join(f'[{name}](#{name})' for name in names)}" for title, names in groups.items()] + [
        ""
    ]
    for title, names in groups.items():
        lines += [f"## {title}", "", *(line for name in names for line in _function(name))]
    rows = [(f"`houle.{name}`", first_line(getattr(houle, name))) for name in classes]
    lines += ["## Classes", "", *table(("class", "what it is"), rows), ""]
    lines += ["[Learners](../guides/learners.md) steps games by `houle.Match`.", ""]
    return "\n".join(lines)


def first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def _function(name: str) -> list[str]:
    """Heading, call, what it does, its parameters and an example."""
    function = getattr(houle, name)
    about, *parts = HEADINGS.split(inspect.getdoc(function) or "")
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    lines = [f"### {name}", "", "```text", _call(name, function), "```", "", about.strip(), ""]
    for entry in re.split(r"\n(?=\S)", sections.get("Parameters", "").strip()):
        what, _, text = entry.partition("\n")
        if what:
            names, _, kind = what.partition(" : ")
            named = ", ".join(f"`{one}`" for one in names.split(", "))
            lines.append(f"- {named}{f' ({kind})' if kind else ''}: {' '.join(text.split())}")
    returns, _, what = sections.get("Returns", "").strip().partition("\n")
    lines += ["", f"Returns `{returns}`. {' '.join(what.split())}".rstrip(), ""] if returns else [""]
    if example := sections.get("Examples", "").strip():
        lines += ["```pycon", example, "```", ""]
    return lines


def _call(name: str, function: Any) -> str:
    """The call with names and defaults; types are in the list of parameters."""
    parameters = inspect.signature(function).parameters
    short = parameters.keys() >= RUN
    parts = []
    for parameter in parameters.values():
        if short and parameter.name in RUN:
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        parts.append(parameter.name + ("" if parameter.default is parameter.empty else f"={parameter.default!r}"))
    parts += ["**run"] if short else []
    return f"houle.{name}({', '.join(parts)})"


def functions_page() -> str:
    """The game functions, from the comments in solver/interface/functions.py."""
    lines = page_head("Game functions", FUNCTIONS_HEAD)
    source = Path(inspect.getsourcefile(functions) or "").read_text(encoding="utf-8")
    comment: list[str] = []
    for line in source.splitlines():
        if line.startswith("# ---- ") and ":" in line:
            file, _, what = line.removeprefix("# ---- ").partition(": ")
            lines += ["", f"## {what[:1].upper()}{what[1:]}", "", f"In {file}, or in the one file of a small game.", ""]
        elif line.startswith("# "):
            comment.append(line.removeprefix("# "))
        elif found := re.match(r"(\w+) = game_function\(", line):
            arguments, _, meaning = " ".join(comment).partition(")")
            result = re.match(r" -> ", meaning)
            meaning = meaning[result.end() :] if result else meaning.lstrip(": ")
            returns = "returns " if result else ""
            lines.append(f"- `{found[1]}{arguments})`: {returns}{meaning}")
            comment = []
        elif not line.startswith("#"):
            comment = []
    return "\n".join([*lines, "", *seen_lines(), *file_lines(), ""])


def seen_lines() -> list[str]:
    """The parts of the table SEEN, from docstrings."""
    lines = ["## What a seat sees: SEEN in knows.py", "", *(inspect.getdoc(seen) or "").splitlines()[2:], ""]
    names = (
        "number",
        "flag",
        "choice",
        "seat_number",
        "mark",
        "cards",
        "count",
        "row",
        "numbers",
        "each_seat",
        "each_other",
        "each_side",
    )
    for part in (getattr(seen, name) for name in names):
        given = ", ".join(inspect.signature(part).parameters)
        lines.append(f"- `{part.__name__}({given})`: {' '.join((inspect.getdoc(part) or '').split())}")
    lines += ["", "Every part may have these too:", ""]
    for name, text in comments_of(seen.Part).items():
        lines += [f"- `{name}`: {text}"] if text and name not in ("get", "writes") else []
    return [*lines, ""]


def file_lines() -> list[str]:
    """What the plain files of a game provide, from the comments in solver/interface/files.py."""
    lines = []
    for kind in FILES:
        file, _, what = (inspect.getdoc(kind) or "").partition(": ")
        lines += [f"## {file}: {what.rstrip('.')}", "", "All names are optional.", ""]
        lines += [f"- `{name}`: {text}" if text else f"- `{name}`" for name, text in comments_of(kind).items()] + [""]
    return lines


def comments_of(kind: type) -> dict[str, str]:
    """The fields of a class with their comments: those before a field, and the one behind it."""
    found, before = dict[str, str](), list[str]()
    for line in inspect.getsource(kind).splitlines():
        if text := re.fullmatch(r" {4}# (.*)", line):
            before.append(text[1])
        elif field := re.match(r" {4}(\w+): [^#]*(?:# (.*))?$", line):
            found[field[1]] = " ".join([*before, field[2] or ""]).strip()
            before = []
    return found


def declarations_page() -> str:
    """What a declared game is made of, from docstrings."""
    lines = page_head("Declarations and sets of cards", DECLARATIONS_HEAD)
    for title, module, names in DECLARED:
        lines += [f"## {title}", "", f"`from houle.own_game import {'rows' if module is rows else '...'}`", ""]
        for name in names:
            function = getattr(module, name)
            function = getattr(function, "py_func", function)
            text = " ".join((inspect.getdoc(function) or PLAIN_WORDS.get(name, "")).split())
            given = ", ".join(inspect.signature(function).parameters)
            lines.append(f"- `{name}({given})`: {text}")
        lines.append("")
    parts = re.split(r"\n\n\n|\n\n(?=FIELDS)", EXAMPLE.read_text(encoding="utf-8"))
    shown = [
        part
        for part in parts
        if re.search(r"^FIELDS|^def (is_secret|reveal|draw_card|end_round)\b", part, re.MULTILINE)
    ]
    lines += ["## An example", "", "From `examples/games/quay`:", "", "```python", "\n\n\n".join(shown), "```", ""]
    return "\n".join(lines)


def pages() -> dict[Path, str]:
    """The text of every generated page."""
    reference = DOCS / "reference"
    return {
        **{DOCS / "games" / f"{name}.md": game_page(name) for name in game_names()},
        ROOT / "README.md": readme(),
        DOCS / "method" / "difficulty.md": difficulty_page(),
        **{reference / f"{name}.md": text for name, text in command_pages().items()},
        reference / "knobs.md": knobs_page(),
        reference / "measures.md": measures_page(),
        reference / "python.md": python_page(),
        reference / "game-functions.md": functions_page(),
        reference / "declarations.md": declarations_page(),
    }


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text)
        print(path.relative_to(ROOT))
