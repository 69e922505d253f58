"""The site: `make docs` builds it with Sphinx into docs/_build/html; warnings are errors."""

import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

DOCS = Path(__file__).parent
ROOT = DOCS.parent

project = "houle"
author = "the authors of houle"
release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
version = release

extensions = ["myst_nb"]
exclude_patterns = ["_build", "games/parts", "**.ipynb_checkpoints"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
nb_execution_mode = "off"  # notebooks are executed by tests/docs/test_notebooks.py; here they are shown

html_theme = "furo"
html_title = f"houle {release}"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["site.css"]

# Notebooks live in examples/, where people look for them; the site shows copies.
NOTEBOOKS = DOCS / "notebooks"
shutil.rmtree(NOTEBOOKS, ignore_errors=True)
NOTEBOOKS.mkdir()
for notebook in sorted((ROOT / "examples").glob("*.ipynb")):
    shutil.copy(notebook, NOTEBOOKS)


def setup(app: Any) -> None:
    """Positions and records are blocks of their own kinds, which tests read; here they are plain text."""
    kinds = {
        kind for page in DOCS.rglob("*.md") for kind in re.findall(r"^```([a-z]+)$", page.read_text(), re.MULTILINE)
    }
    for kind in sorted(kinds):
        try:
            get_lexer_by_name(kind)
        except ClassNotFound:
            app.add_lexer(kind, TextLexer)
    app.connect("source-read", list_commands)


def list_commands(app: Any, page: str, source: list[str]) -> None:
    """The list of commands has their pages below it in the sidebar; a forge would show the directive as text."""
    if page == "reference/commands":
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\ncommands/*\n```\n"
