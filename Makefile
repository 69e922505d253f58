# Two commands do everything on a machine with python3 (3.11 or newer) and make: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo install test check format lint types warm bench browser slow gpu coverage examples golden dist wheel oldest newest pages docs docs-browser notebooks almanac ladders clean

demo: $(BIN)/houle
	$(BIN)/python -m houle.cli.demo out/demo

# The program alone, which `demo` and `test` install too.
install: $(BIN)/houle
	@echo "run $(BIN)/houle --help"

# Kernels are compiled first, two games at a time; then two workers share what was compiled.
test: $(READY) warm
	$(BIN)/python -m pytest -n 2 --dist loadfile

# Looks and changes nothing; `make format` is what changes files.
check: $(READY) lint types test

format: $(READY)
	$(BIN)/ruff format .

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY) .typing
	$(BIN)/mypy

warm: $(READY)
	$(BIN)/python -m houle.cli.warm

bench: $(READY)
	$(BIN)/houle bench
	$(BIN)/houle bench --search
	$(BIN)/houle bench --studies

# Reports of all games, of an own variant and of a study, opened in Chromium; a game of each at its table, by clicks.
browser: $(READY)
	$(BIN)/python -m pytest -m "slow or not slow" tests/reports/test_browser.py tests/cli/play/test_browser.py

slow: $(READY)
	$(BIN)/python -m pytest -m slow

# Where there is a CUDA graphics card: the same digests there as on the CPU; elsewhere skipped with the reason.
gpu: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,gpu]'
	$(BIN)/python -m pytest -m gpu tests/solver/run tests/cli/bench

# Slow: every interval of the house against known truths; the table is docs/coverage.md.
coverage: $(READY)
	$(BIN)/python -m tests.coverage

# Slow: the example games compiled, held against the laws, and installed as wheels into an environment of their own.
examples: $(READY)
	for game in examples/games/*/; do $(BIN)/python -m pytest -m "slow or not slow" --rootdir $$game $$game/tests || exit 1; done
	$(BIN)/python -m pytest -m "slow or not slow" tests/examples

golden: $(READY)
	$(BIN)/python -m tests.support.golden

# The pages that are made from code, rules and almanac.
pages: $(READY)
	$(BIN)/python docs/generate.py

# The site, in an environment of its own: docs/_build/html/index.html. A warning is an error.
docs: .venv-docs/.ready
	.venv-docs/bin/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

.venv-docs/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	touch .venv-docs/.ready

# Slow: the site built anew, every page opened in Chromium.
docs-browser: .venv-docs/.ready
	.venv-docs/bin/pip install --quiet --disable-pip-version-check -c constraints.txt pytest
	.venv-docs/bin/python -m pytest -m slow tests/docs/test_site.py

# Slow: the example notebooks from top to bottom.
notebooks: .venv-docs/.ready
	.venv-docs/bin/pip install --quiet --disable-pip-version-check -c constraints.txt pytest
	.venv-docs/bin/python -m pytest -m "slow or not slow" tests/docs/test_notebooks.py

# Plays the cells of docs/almanac.toml that are missing or whose digest changed, and writes what is made of them; with
# HOULE_DEVICE=gpu on a graphics card. What another machine shall play: docs/almanac.py --ask, --answers.
almanac: $(READY)
	$(BIN)/python docs/almanac.py
	$(BIN)/python docs/generate.py

# Plays the rungs of docs/ladders.toml that are missing, and writes their page.
ladders: $(READY)
	$(BIN)/python docs/ladders.py

# Wheel and source archive in dist/.
dist: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check build
	rm -rf dist build
	$(BIN)/python -m build --outdir dist .

# Slow: the wheel in an empty environment outside the checkout plays all games, writes a quick report, runs a study.
wheel: dist
	$(BIN)/python -m tests.package.smoke --wheel dist/houle-*.whl

# Slow: all games, a study and its report with the lowest versions of all dependencies, and with the newest there are.
oldest: dist
	$(BIN)/python -m tests.package.smoke --wheel dist/houle-*.whl --constraints constraints-oldest.txt --light

newest: dist
	$(BIN)/python -m tests.package.smoke --wheel dist/houle-*.whl --newest --light

# The program and what its tables need, which is all that the demo needs; then what develops and tests it.
$(BIN)/houle: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[play]'
	touch $(BIN)/houle

$(READY): $(BIN)/houle
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(READY)

# mypy wants to see the rooms as the namespace they install into.
.typing:
	mkdir -p .typing/houle
	for room in solver analysis reports cli; do ln -sfn ../../$$room .typing/houle/$$room; done
	for file in __init__.pyi py.typed; do ln -sfn ../../houle/$$file .typing/houle/$$file; done
	ln -sfn ../tests/typing/user_script.py .typing/user_script.py

clean:
	rm -rf .venv .venv-docs .typing out docs/_build docs/notebooks .mypy_cache .ruff_cache .pytest_cache
