"""`houle new`: the skeleton of a game of one's own, which plays and passes `houle check` as it is."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

import click

from houle.solver.errors import InputError
from houle.solver.ruleset import game_names

SKELETON = Path(__file__).parent.parent / "skeleton"

# What is written where; @module@ stands for the game's name as Python writes it.
FILES = {
    "pyproject.txt": "pyproject.toml",
    "readme.txt": "README.md",
    "rules.txt": "@module@/rules.toml",
    "plain.txt": "@module@/plain.py",
    "game.txt": "@module@/@module@.py",
    "test.txt": "tests/test_@module@.py",
}


@click.command()
@click.argument("name")
@click.option("--title", metavar="TEXT", help="What people call the game; its name in capitals if not given.")
@click.option("--in", "folder", type=click.Path(), default=".", show_default=True, metavar="FOLDER",
              help="Where to put it.")  # fmt: skip
def new(name: str, title: str | None, folder: str) -> None:
    """Write the skeleton of a game of your own, NAME.

    A small game that works: in plain Python, as kernels, with its rules, tests and a package around it. It passes
    `houle check` as it is; change it step by step, the plain version first.

    \b
    Examples:
      houle new my-game
      houle new my-game --title "My Game" --in games
    """
    module = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", name) or keyword.iskeyword(module):
        raise InputError(f"{name!r} is not allowed; allowed: small letters, digits and -, as in my-game")
    shown = module.replace("_", "-")
    if shown in game_names():
        raise InputError(f"there is a game {shown} already; give it another name")
    if title and not re.fullmatch(r"[^\"\\\n]{1,60}", title):
        raise InputError("--title: allowed are up to 60 letters without quotation marks")
    root = Path(folder) / shown
    if root.exists():
        raise InputError(f"{root}: is there already")
    words = {"module": module, "name": shown, "title": title or shown.replace("-", " ").title()}
    for source, target in FILES.items():
        path = root / _filled(target, words)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_filled((SKELETON / source).read_text(encoding="utf-8"), words), encoding="utf-8")
    click.echo("\n".join([
        f"{root} is written; it plays as it is:",
        f"  houle try {root / module / 'plain.py'} -p 3 --trace",
        f"  houle check {root / module}",
        f"  houle --game-path {root / module} simulate {shown} -p 3 -s random",
    ]))  # fmt: skip


def _filled(text: str, words: dict[str, str]) -> str:
    return re.sub("@(module|name|title)@", lambda match: words[match[1]], text)
