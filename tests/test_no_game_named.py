"""Nothing outside a game's folder names a game or what is a game's own: a new one needs no line anywhere else.

Docstrings may give examples, and help is made of them. Everything else that a program reads or prints is looked at:
names, texts, data files and templates; comments may name a game.
"""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import pytest

from houle.solver.rules import find_game, game_names, home, load
from tests.support.sources import ROOMS, ROOT

pytestmark = pytest.mark.quick

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
    names = {name: {*find_game(name).STATE.names, *find_game(name).RULES.names, *load(name).knobs}
             for name in shipped}  # fmt: skip
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
