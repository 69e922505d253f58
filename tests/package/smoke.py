"""Install a wheel in an empty environment, play all games, write a quick report and run a study. Slow.

    python -m tests.package.smoke --wheel dist/houle-0.3.0-py3-none-any.whl [--constraints FILE | --newest] [--light]

The dependencies are those of constraints.txt, the lowest ones (`make oldest`) or the newest (`make newest`). Digests
must equal those in tests/golden with any versions. `--light` compiles less, because another numba compiles everything
again: rules of thumb for one game only, and a report on the study, which needs no search.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
DIGESTS = ROOT / "tests" / "golden" / "digests.csv"
EXTRAS = "cluster,parquet"
SHOWN = ("numba", "numpy", "pandas", "matplotlib", "scipy", "click", "rich", "cma", "jinja2", "dask", "pyarrow")
STRATEGIES = ("random", "thumb")  # the report compiles search for one game

STUDY = """
name = "Two ways to play"
games = 2_000
[[grid]]
game = "wave"
players = [2, 3]
strategies = ["random", "thumb"]
"""


class Installed:
    """houle in a fresh environment, called from an empty folder."""

    def __init__(self, folder: Path, wheel: Path, constraints: Path | None) -> None:
        self.folder = folder
        environment = folder / "env"
        _run([sys.executable, "-m", "venv", str(environment)], folder)
        pip = [str(environment / "bin" / "pip"), "--disable-pip-version-check", "-q", "install"]
        limits = ["-c", str(constraints)] if constraints else []
        _run([*pip, *limits, f"{wheel}[{EXTRAS}]"], folder)
        self.houle = str(environment / "bin" / "houle")
        self.python = str(environment / "bin" / "python")

    def call(self, *words: str) -> str:
        return _run([self.houle, *words], self.folder)

    def versions(self) -> str:
        code = f"from importlib.metadata import version; print(*(f'{{n}} {{version(n)}}' for n in {SHOWN}), sep=', ')"
        return _run([self.python, "-c", code], self.folder).strip()


def _run(words: list[str], folder: Path) -> str:
    """The output of a command that cannot see the checkout."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expected(light: bool) -> list[dict[str, str]]:
    """The first line of every game and strategy in the list of digests."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    with DIGESTS.open() as lines:
        for row in csv.DictReader(lines):
            if row["strategy"] in STRATEGIES and row["variant"] == "base":
                found.setdefault((row["game"], row["strategy"]), row)
    rows = list(found.values())
    return [row for row in rows if row["strategy"] == "random" or row["game"] == rows[0]["game"]] if light else rows


def play_all_games(installed: Installed, light: bool) -> None:
    for row in expected(light):
        words = ("-p", row["players"], "-s", row["strategy"], "-n", row["games"], "--seed", "1", "--json")
        start = time.perf_counter()
        found = json.loads(installed.call("simulate", row["game"], *words))["result_digest"]
        if found != row["digest"]:
            raise SystemExit(f"{row['game']} {row['strategy']}: digest {found}, expected {row['digest']}")
        print(f"{row['game']:<14} {row['strategy']:<7} {found}  {time.perf_counter() - start:5.1f} s", flush=True)


def write_report(installed: Installed, light: bool) -> None:
    start = time.perf_counter()
    words = ("study",) if light else ("wave", "-p", "3", "-v", "base", "--effort", "quick")
    installed.call("report", *words, "-o", "report", "--quiet")
    page = installed.folder / "report" / "index.html"
    if "<svg" not in page.read_text():
        raise SystemExit(f"{page}: a report without a figure")
    print(f"report of {words[0]}  {time.perf_counter() - start:5.1f} s", flush=True)


def run_study(installed: Installed) -> None:
    (installed.folder / "study.toml").write_text(STUDY)
    installed.call("study", "run", "study.toml", "-o", "study", "--quiet")
    installed.call("study", "export", "study", "-o", "study.parquet")
    rows = installed.call("study", "show", "study").count("thumb")
    if rows < 2:
        raise SystemExit("the study shows no cells")
    print("study: four cells, exported as parquet", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--constraints", type=Path, default=ROOT / "constraints.txt")
    parser.add_argument("--newest", action="store_true")
    parser.add_argument("--light", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="houle-wheel-") as folder:
        limits = None if asked.newest else asked.constraints.resolve()
        installed = Installed(Path(folder), asked.wheel.resolve(), limits)
        print(f"{installed.call('--version').strip()} with {installed.versions()}", flush=True)
        play_all_games(installed, asked.light)
        run_study(installed)
        write_report(installed, asked.light)


if __name__ == "__main__":
    main()
