"""Rules, decks, specs and studies hold no code: nothing that is read from them is unpickled, evaluated or imported."""

from __future__ import annotations

import ast
import json
import pickle
import subprocess
import sys
from typing import Any

import pytest

from tests.fuzz.formats import DECK, RULES, SPEC
from tests.support.call import good
from tests.support.sources import ROOT, mentions, nodes_of, python_files

pytestmark = pytest.mark.compiled

MODULES = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "yaml", "code"}
CALLS = {"eval", "exec", "compile", "__import__", "read_pickle"}
ALLOWED = {
    "solver/compiler/cache.py": {"pickle"},  # compiled kernels are code, and kept as such
    "solver/plain/as_game.py": {"pickle"},  # copies of a game in memory, never in a file
    "solver/plain/separate.py": {"pickle"},  # the same, for worlds
    # functions made from the table or the fields of a game, which are code themselves
    "solver/interface/seen.py": {"compile", "exec"},
    "solver/declared/kernels.py": {"compile", "exec"},
}

GOOD = [
    "rules wave --rules my.toml",
    "rules vague-attaque --check-deck deck.toml",
    "study export study",
    "report study -o made",
]
PICKLED = [
    "rules wave --rules pickle.toml",
    "rules vague-attaque --set deck=pickle.toml",
    "study run pickle.toml",
    "study show pickled",
]

# Tells what is unpickled while commands work, once their modules are loaded; at last of a pickle that really is.
WATCHED = """
import json, pickle, sys
import numba.core.caching, pandas, houle.cli.commands.study, houle.cli.commands.rules, houle.reports.study
import houle.reports.html.write, houle.reports.figures.style
from houle.solver.rules import find_game
from houle.cli.main import houle
for name in ("wave", "vague-attaque"):
    find_game(name)
seen, answers = [], {}
sys.addaudithook(lambda event, facts: seen.append(event) if event == "pickle.find_class" else None)
for words in sys.argv[1:]:
    seen.clear()
    try:
        houle.main(words.split())
    except SystemExit as leave:
        answers[words] = [leave.code, *seen]
seen.clear()
pickle.loads(pickle.dumps(print))
print()
print(json.dumps({**answers, "watch": list(seen)}))
"""


def test_only_the_kernel_cache_may_hold_code() -> None:
    found: dict[str, set[str]] = {}
    for path in python_files():
        names = set()
        for node in nodes_of(path) if mentions(path, MODULES | CALLS | {"allow_pickle"}) else ():
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names} & MODULES
            elif isinstance(node, ast.ImportFrom):
                names |= {(node.module or "").partition(".")[0]} & MODULES
            elif isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                own = isinstance(node.func, ast.Name) or name == "read_pickle"  # re.compile is another matter
                names |= {name} & CALLS if own else set()
                names |= {word.arg for word in node.keywords if word.arg == "allow_pickle"}
        if names:
            found[path.relative_to(ROOT).as_posix()] = names
    assert found == ALLOWED


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """What commands answer to a file of every sort, good or with a pickle in it: exit code, and what they unpickled."""
    folder = tmp_path_factory.mktemp("data")
    for name, text in (("my.toml", RULES), ("deck.toml", DECK), ("spec.toml", SPEC)):
        (folder / name).write_text(text, encoding="utf-8")
    good("study", "run", str(folder / "spec.toml"), "-o", str(folder / "study"), "-q")
    (folder / "pickled").mkdir()
    for name in ("pickle.toml", "pickled/part-1-of-1.jsonl"):
        (folder / name).write_bytes(pickle.dumps(json.loads) * 10)
    command = [sys.executable, "-c", WATCHED, *GOOD, *PICKLED]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    found: dict[str, list[Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_nothing_is_unpickled(answers: dict[str, list[Any]]) -> None:
    assert answers["watch"] == ["pickle.find_class"]  # where something is, it is seen
    assert {words: answers[words] for words in GOOD} == {words: [0] for words in GOOD}


def test_a_pickle_in_the_place_of_data_is_refused(answers: dict[str, list[Any]]) -> None:
    assert {words: answers[words] for words in PICKLED} == {words: [2] for words in PICKLED}
