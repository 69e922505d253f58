"""`houle new`: the files of a small new game that can be played and passes `houle check`."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

import click

from houle.cli.framework import options
from houle.cli.framework.command import Call, command
from houle.solver.errors import FileError, RulesError
from houle.solver.rules import game_names

SKELETON = Path(__file__).parent.parent / "skeleton"

# Template -> file; @module@ is the name of the game as a Python module.
FILES = {
    "pyproject.txt": "pyproject.toml",
    "readme.txt": "README.md",
    "rules.txt": "@module@/rules.toml",
    "plain.txt": "@module@/plain.py",
    "game.txt": "@module@/@module@.py",
    "test.txt": "tests/test_@module@.py",
}


@command()
@click.argument("name")
@click.option("--title", metavar="TEXT", help="Title of the game for people (default: made from NAME).")
@click.option("--in", "folder", type=options.FileName(), default=".", show_default=True, metavar="FOLDER",
              help="Folder to create it in.")  # fmt: skip
def new(call: Call, name: str, title: str | None, folder: str) -> None:
    """Create the files of a new game that already works.

    NAME is the name of your game. You get a small trick-taking game: its rules, a version in plain Python, a fast
    version, tests, and a package to install. Change it step by step, the plain version first, and run `houle check`
    after each step.

    \b
    Examples:
      houle new my-game
      houle new my-game --title "My Game" --in games
    """
    module = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", name) or keyword.iskeyword(module):
        raise RulesError(f"{name!r} is not allowed as a name; allowed: lower-case letters, digits and -, as in my-game")
    shown = module.replace("_", "-")
    if shown in game_names():
        raise RulesError(f"a game named {shown} exists already; choose another name")
    if title and not re.fullmatch(r"[^\"\\\n]{1,60}", title):
        raise RulesError(f"--title: {title!r} is not allowed; allowed: up to 60 characters without quotation marks")
    root = Path(folder) / shown
    if root.exists():
        raise FileError(f"{root}: exists already")
    words = {"module": module, "name": shown, "title": title or shown.replace("-", " ").title()}
    for source, target in FILES.items():
        path = root / _filled(target, words)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_filled((SKELETON / source).read_text(encoding="utf-8"), words), encoding="utf-8")
    click.echo("\n".join([
        f"Created {root}. You can play it now:",
        f"  houle try {root / module / 'plain.py'} -p 3 --trace",
        f"  houle check {root / module}",
        f"  houle --game-path {root / module} simulate {shown} -p 3 -s random",
    ]))  # fmt: skip


def _filled(text: str, words: dict[str, str]) -> str:
    return re.sub("@(module|name|title)@", lambda match: words[match[1]], text)
