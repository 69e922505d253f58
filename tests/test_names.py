"""One name per thing in commands, functions, files and pages; no game is named outside its folder."""

from __future__ import annotations

import ast
import importlib
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import houle
from houle.cli.main import COMMANDS
from houle.reports.build import SECTIONS
from houle.solver.rules import find_game, game_names, home, load
from tests.fuzz.cases import commands
from tests.support.sources import ROOMS, ROOT, mentions, nodes_of, python_files

pytestmark = pytest.mark.quick

# Command -> public function, class of its result, file, report section (empty where there is none).
THINGS = {
    "simulate": ("simulate", "Simulation", "analysis/sampling/simulate.py", ""),
    "compare": ("compare", "Table", "analysis/tables/compare.py", ""),
    "sweep": ("sweep", "Table", "analysis/tables/sweep.py", ""),
    "difficulty": ("difficulty", "Table", "analysis/tables/difficulty.py", "difficulty"),
    "balance": ("balance", "Balance", "analysis/explain/balance.py", "balance"),
    "strength": ("strength", "Table", "analysis/tables/strength.py", "strength"),
    "design": ("design", "Design", "analysis/designing/design.py", ""),
    "tune": ("tune", "Tuning", "analysis/players/tune.py", ""),
    "trace": ("trace", "Trace", "analysis/play/trace.py", ""),
    "advise": ("advise", "Advice", "analysis/play/advise.py", ""),
    "review": ("review", "Review", "analysis/play/review.py", ""),
    "study": ("study", "StudyResult", "analysis/studies/study.py", ""),
    "report": ("report", "Report", "reports/build.py", ""),
}

# Names that are gone, of commands, options, classes, functions, files and sections of a report.
RETIRED_OPTIONS = {"--assumed", "--learning", "--called", "--takes", "--with"}
RETIRED_COMMANDS = {"bracket", "ladder", "setups", "starts", "restrict", "survival", "bench", "fit", "try"}
RETIRED_DEFINITIONS = {
    "Bracket",
    "Ladder",
    "Rung",
    "Survival",
    "Deaths",
    "LevelFit",
    "Restriction",
    "Lot",
    "Verb",
    "Law",
    "LawBroken",
    "Trial",
    "RulesetError",
    "bracket",
    "ladder",
    "survival",
    "restrict",
    "fit_levels",
    "mortality",
    "together",
    "seats_of",
    "or_agreed",
    "aside",
    "worth",
    "read_setups",
    "measure_skill",
    "try_games",
}
RETIRED_FILES = {
    "contract",
    "verbs",
    "stand_ins",
    "laws",
    "bracket",
    "brackets",
    "ladder",
    "ladders",
    "rungs",
    "survival",
    "starts",
    "setups",
    "restrict",
    "bands",
    "level_fit",
    "sweep_assumed",
    "former",
    "mixing",
    "twins",
    "how_games_end",
    "house",
}
RETIRED_SECTIONS = {"bands", "survival", "setups", "starts", "shape", "assumed"}

# Dialect and names that are gone; looked for in everything that people or engineers read.
PHRASES = re.compile(
    r"\b(?:hangs? on|hanging on|whoever|one's own|the house|(?:is|are|was|were) told|stand-ins?|mended?"
    r"|so many percent|RulesetError|laws? of fair play|novices?|talk=advice"
    r"|houle (?:bracket|ladder|setups|restrict|survival|bench|try)|a place a line|your table plays|tells nothing"
    r"|all but impossible|greedy)\b|--(?:assumed|called|takes)\b"
)
RECORDED = re.compile('command = "houle tune ')  # how weights were found, by the program of that day
TEXTS = (".py", ".pyi", ".md", ".toml", ".j2", ".txt", ".ipynb", ".js", ".css", ".yml", ".yaml")
# The history, the lab record and this list may name what is gone.
MAY_NAME = {"CHANGELOG.md", "docs/method/experiments.md", "tests/test_names.py"}


def tracked(suffixes: tuple[str, ...]) -> Iterator[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        if name.endswith(suffixes) and name not in MAY_NAME and (ROOT / name).exists():
            yield ROOT / name


def definitions(names: set[str]) -> Iterator[tuple[Path, ast.ClassDef | ast.FunctionDef]]:
    """Classes and functions in the files that mention one of these names."""
    for path in python_files():
        for node in nodes_of(path) if mentions(path, names) else ():
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                yield path.relative_to(ROOT), node


@pytest.mark.parametrize("command", THINGS)
def test_one_thing_has_one_name(command: str) -> None:
    function, result, file, section = THINGS[command]
    assert command in COMMANDS
    assert getattr(houle, function).__module__ == "houle." + file.removesuffix(".py").replace("/", ".")
    assert getattr(houle, result).__name__ == result
    assert (ROOT / file).exists()
    if section:
        assert section in {step.name for step in SECTIONS}
        assert (ROOT / "reports" / "sections" / f"{section}.py").exists()


def test_no_command_or_option_has_a_retired_name() -> None:
    assert not RETIRED_COMMANDS & COMMANDS.keys()
    for name, command in commands():
        options = {option for parameter in command.params for option in parameter.opts}
        assert not RETIRED_OPTIONS & options, f"houle {name}"


@pytest.mark.compiled
def test_no_class_or_function_has_a_retired_name() -> None:
    written = definitions(RETIRED_DEFINITIONS)
    assert not [f"{path}: {node.name}" for path, node in written if node.name in RETIRED_DEFINITIONS]


@pytest.mark.compiled
def test_no_file_or_section_has_a_retired_name() -> None:
    paths = [path.relative_to(ROOT) for path in tracked((".py", ".md", ".csv", ".toml", ".mplstyle"))]
    stems = {str(path): {*path.with_suffix("").parts} for path in paths}
    assert not [path for path, parts in stems.items() if parts & RETIRED_FILES]
    assert not RETIRED_SECTIONS & {step.name for step in SECTIONS}
    sections = importlib.import_module("houle.reports.sections").__path__[0]
    assert {step.name.replace("-", "_") for step in SECTIONS} == {
        path.stem for path in Path(sections).glob("*.py") if path.stem != "__init__"
    }


@pytest.mark.compiled
def test_no_text_uses_a_retired_phrase() -> None:
    named = []
    for path in tracked(TEXTS):
        text = path.read_text(encoding="utf-8")
        if not PHRASES.search(text):  # most files; searching line by line takes longer
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if (phrase := PHRASES.search(line)) and not RECORDED.search(line):
                named.append(f"{path.relative_to(ROOT)}:{number}: {phrase[0]}")
    assert not named, f"{len(named)} lines\n" + "\n".join(named[:40])


@pytest.mark.parametrize("phrase", ["it hangs on", "were told", "stand-ins", "use --called x", "houle try", "greedy"])
def test_retired_phrases_are_noticed(phrase: str) -> None:
    assert PHRASES.search(f"a line, {phrase}.")


FILE_NAME = re.compile(r"(?<![\w./-])(?:[a-z_]+/)*[a-z_]+\.py\b(?! of 0\.4\.0)")
EXAMPLES = {"my_game.py", "game.py", "home/me/game.py", "json.py"}  # files that a user may have


def test_comments_name_files_that_exist() -> None:
    files = [str(path.relative_to(ROOT)) for path in tracked((".py",))]
    there = {file[start:] for file in files for start in (0, *(place.end() for place in re.finditer("/", file)))}
    there |= {f"houle/{file}" for file in files} | EXAMPLES
    gone = [
        f"{path}: {name}"
        for path in python_files()
        for name in FILE_NAME.findall(path.read_text(encoding="utf-8"))
        if name not in there
    ]
    assert not gone


DATA = (".toml", ".html", ".css", ".js", ".mplstyle", ".c")

EXAMPLE = {"hand.front"}  # the knob that help texts use as an example
COMMON = {"open", "match", "forced", "teams", "small", "expert"}  # variants whose names are ordinary words


def words() -> list[str]:
    """Names of games and of their variants, what their players are called, fields and knobs that only one game has."""
    shipped = [name for name in game_names() if not home(name).is_outside]
    found = {word for name in shipped for word in (name, name.replace("-", "_"), load(name).title.lower())}
    for name in shipped:
        found |= {variant for variant in load(name).variants if len(variant) > 3 and variant not in COMMON}
        found |= {load(name).player} - {"player"}
    return sorted(found | {"surfers", *own_fields(shipped)})


def own_fields(shipped: list[str]) -> set[str]:
    """Knobs and fields of one game's records that no other has, unless they look like ordinary words."""
    names = {name: {*find_game(name).STATE.names, *find_game(name).RULES.names, *load(name).knobs} for name in shipped}
    alone = {
        one
        for name in shipped
        for one in names[name]
        if re.search("[_.]", one) and not any(one in names[other] for other in shipped if other != name)
    }
    return alone - EXAMPLE - {name.replace("-", "_") for name in shipped}


def said(path: Path) -> list[tuple[int, str]]:
    """The lines that count, with their numbers."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        comment = "#" if path.suffix == ".toml" else "\0"
        return [(number, line.partition(comment)[0]) for number, line in enumerate(text.splitlines(), 1)]
    found, before = [], tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        docstring = token.type == tokenize.STRING and before in (tokenize.NEWLINE, tokenize.INDENT)
        if token.type in (tokenize.STRING, tokenize.NAME) and not docstring:
            found.append((token.start[0], token.string))
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.type
    return found


def files() -> list[Path]:
    found = [path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in (".py", *DATA)]
    return [path for path in found if path.relative_to(ROOT).parts[:2] != ("solver", "games")]


@pytest.mark.compiled
@pytest.mark.parametrize("room", ROOMS)
def test_no_game_is_named_outside_its_folder(room: str) -> None:
    pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, words()))})(?![\w-])", re.IGNORECASE)
    named = [
        f"{path.relative_to(ROOT)}:{number}: {text.strip()[:100]}"
        for path in files()
        if path.relative_to(ROOT).parts[0] == room
        for number, text in said(path)
        if pattern.search(text)
    ]
    assert not named, "\n".join(named)


def test_the_test_sees_what_it_looks_for(tmp_path: Path) -> None:
    file = tmp_path / "room.py"
    file.write_text('"""WAVE."""\n# of Sea Change\nx = rules.virage_must_fit\ny = "wave"\n')
    assert [text for _, text in said(file)] == ["x", "rules", "virage_must_fit", "y", '"wave"']
    assert {"wave", "sea_change", "surfer", "nazare", "virage_must_fit"} <= set(words())
