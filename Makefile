# On a machine with python3 (3.11 or newer) and make, start with `make demo` and `make test`.
PYTHON ?= python3
# Test processes: `make test JOBS=8` on a machine with eight cores.
JOBS ?= 2
BIN := .venv/bin
READY := .venv/.ready
# Python compiles a module to bytecode on first use and keeps it; pip would compile all of SciPy, pandas and Matplotlib.
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
PYTEST := $(BIN)/python -m pytest --durations 10
# Without bytecode files every test process would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo install test first quick fuzz faults check format lint types warm bench browser slow coverage examples golden kept dist wheel oldest newest pages pictures docs docs-browser notebooks almanac results strength levels labels clean

# Installs only what the demo needs, and prints how long that takes.
demo:
	@start=$$(date +%s); $(MAKE) --no-print-directory $(BIN)/houle; echo "installing: $$(( $$(date +%s) - start )) s"
	$(BIN)/houle demo

# Installs the program only; `demo` and `test` do this too.
install: $(BIN)/houle
	@echo "run $(BIN)/houle --help"

# Kernels are compiled first, two games at a time, because the test processes share them.
# Classes in plain Python are played without the compiler, so their tests run without it; so do a few moves of Hanabi.
PLAIN := tests/pages tests/solver/plain tests/analysis/checks/test_author_mistakes.py \
	tests/analysis/play/test_hidden_hands.py tests/tools/test_people.py
test: $(READY) warm first
	$(PYTEST) -n $(JOBS) --dist loadfile --ignore tests/test_first.py
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q --cost quick $(PLAIN)

# Seconds: one digest for each game and kind of player, so that a broken kernel shows before the other tests run.
first: $(READY) warm
	$(BIN)/python -m pytest tests/test_first.py

# For every edit: the tests that need no compiler. Kernels run as plain Python.
quick: $(READY)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n $(JOBS) --dist loadfile --cost quick

# Changes no file; `make format` does.
check: $(READY) lint types test

format: $(READY)
	$(BIN)/ruff format .

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

warm: $(READY)
	$(BIN)/python -m houle.cli.warm

bench: $(READY)
	$(BIN)/python -m tools.bench
	$(BIN)/python -m tools.bench --in-c
	$(BIN)/python -m tools.bench --search
	$(BIN)/python -m tools.bench --studio 50

# Opens reports in Chromium and plays a game of each by clicks.
browser: $(READY)
	$(PYTEST) --cost browser,slow tests/reports/test_browser.py tests/cli/play/test_browser.py tests/cli/studio/test_browser.py

UNCOMPILED := tests/fuzz/test_canaries.py tests/analysis/checks/test_sound_games.py tests/analysis/checks/test_author_mistakes.py
# Hours of games: what was left out of `test`. HOULE_CASES multiplies the random games, positions and examples of tests.
HOULE_CASES ?= 3
slow: $(READY) warm
	HOULE_CASES=$(HOULE_CASES) $(PYTEST) -n $(JOBS) --dist worksteal --cost slow
	HOULE_CASES=$(HOULE_CASES) NUMBA_DISABLE_JIT=1 $(PYTEST) -n $(JOBS) --cost slow $(UNCOMPILED)

# Minutes: wrong words for every option, changed files of every format, changed study logs, random command lines.
# `make slow` runs them too. Lines about classes in plain Python are run without the compiler.
fuzz: $(READY) warm
	HOULE_CASES=$(HOULE_CASES) $(PYTEST) --cost slow tests/fuzz
	HOULE_CASES=$(HOULE_CASES) NUMBA_DISABLE_JIT=1 $(PYTEST) --cost slow $(UNCOMPILED)

# Hours: plants the faults of tools/faults/faults.toml one at a time and writes which test catches each.
faults: $(READY) warm
	$(BIN)/python -m tools.faults --jobs $(JOBS) --out out/faults.csv

# Slow: checks every kind of interval against known truths and writes docs/method/coverage.md.
coverage: $(READY)
	$(BIN)/python -m tests.coverage

# Slow: compiles and checks the example games and installs them as wheels into a fresh environment.
examples: $(READY)
	for game in examples/games/*/; do $(BIN)/python -m pytest --rootdir $$game $$game/tests || exit 1; done
	$(BIN)/python -m pytest --cost all tests/examples

# Writes the golden traces and the list of digests again; the changelog must say why.
golden: $(READY)
	$(BIN)/python -m tools.golden

# Writes what every command prints anew, and names each page that changed. One page: python -m tests.pages trace.
kept: $(READY) warm
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m tests.pages
	$(BIN)/python -m tests.pages

# Writes the pages that are generated from code, rules and almanac.
pages: $(READY)
	$(BIN)/python -m tools.pages

# Minutes: makes the pictures of the documentation again, with the program and Chromium. Some: python -m tools.pictures NAME.
pictures: $(READY)
	$(BIN)/python -m tools.pictures

# Builds the site in its own environment: docs/_build/html/index.html. Warnings are errors.
docs: .venv-docs/.ready
	.venv-docs/bin/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

.venv-docs/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	touch .venv-docs/.ready

# Slow: builds the site and opens every page in Chromium.
docs-browser: .venv-docs/.ready
	.venv-docs/bin/pip install --quiet --disable-pip-version-check -c constraints.txt pytest pytest-timeout
	.venv-docs/bin/python -m pytest --cost all tests/docs/test_site.py

# Slow: runs the example notebooks.
notebooks: .venv-docs/.ready
	.venv-docs/bin/pip install --quiet --disable-pip-version-check -c constraints.txt pytest pytest-timeout
	.venv-docs/bin/python -m pytest --cost all tests/docs/test_notebooks.py

# Plays the cells of docs/data/almanac.toml that are missing or out of date, and writes the pages.
almanac: $(READY)
	$(BIN)/python -m tools.almanac
	$(BIN)/python -m tools.pages

# Plays the missing matchups of docs/data/strength.toml and writes docs/method/strength.md.
strength: $(READY)
	$(BIN)/python -m tools.strength

# Minutes: plays the numbers of the README (docs/data/results.csv) and writes them into it.
results: $(READY)
	$(BIN)/python -m tools.results
	$(BIN)/python -m tools.pages

# Slow: measures whether higher levels win more in every printed setup, and writes docs/data/levels.csv and its page.
levels: $(READY)
	$(BIN)/python -m tools.levels

# Slow: whether houle's people agree with the labels of print; writes docs/data/labels.csv and its page.
labels: $(READY)
	$(BIN)/python -m tools.labels

# Builds the wheel and the source archive in dist/.
dist: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check build
	rm -rf dist build
	$(BIN)/python -m build --outdir dist .

# Slow: installs the wheel in an empty environment, plays all games, writes a quick report and runs a study.
wheel: dist
	$(BIN)/python -m tests.package.smoke --wheel dist/houle-*.whl

# Slow: the same with the lowest versions of all dependencies, and with the newest.
oldest: dist
	$(BIN)/python -m tests.package.smoke --wheel dist/houle-*.whl --constraints constraints-oldest.txt --light

newest: dist
	$(BIN)/python -m tests.package.smoke --wheel dist/houle-*.whl --newest --light

# The program with its game in the browser is enough for the demo; $(READY) has the tools for development and tests too.
$(BIN)/houle: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(INSTALL) -e '.[play]'
	touch $(BIN)/houle

$(READY): pyproject.toml constraints.txt | .typing
	$(PYTHON) -m venv .venv
	$(INSTALL) -e '.[dev]'
	touch $(BIN)/houle $(READY)

# mypy and editors need the folders under the package name they are installed as.
.typing:
	mkdir -p .typing/houle
	for room in solver analysis reports cli; do ln -sfn ../../$$room .typing/houle/$$room; done
	for file in __init__.pyi own_game.py py.typed; do ln -sfn ../../houle/$$file .typing/houle/$$file; done
	ln -sfn ../tests/typing/user_script.py .typing/user_script.py

clean:
	rm -rf .venv .venv-docs .typing out docs/_build docs/notebooks .mypy_cache .ruff_cache .pytest_cache
