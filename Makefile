# Every target sets up what it needs. PYTHON picks the interpreter the environment is made with.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: demo test check evals docs wheel wheel-test soak mutation clean

demo: $(VENV)/.base ## Replay the document sequence: no key, no network once installed
	$(BIN)/henceforth demo

test: $(VENV)/.dev ## All tests, then those of what is shipped against the built wheel
	$(BIN)/pytest
	$(MAKE) --no-print-directory wheel-test

wheel-test: wheel
	$(PYTHON) -m venv --clear build/venv
	build/venv/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	build/venv/bin/python -m pip install --quiet dist/*.whl --group test
	build/venv/bin/pytest tests/test_door.py tests/test_readme.py tests/test_layout.py \
		tests/prompts tests/schemas tests/pipeline/core tests/pipeline/stores tests/evals/data

check: $(VENV)/.dev ## Style, types, and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

evals: $(VENV)/.dev ## Gold labels on every case, and what is recorded against its baseline
	$(BIN)/henceforth eval run --labels gold --suite cases --no-behaviour
	$(BIN)/henceforth eval run --replay fixtures/cassettes/document-sequence --no-behaviour \
		--suite document-sequence --suite repository-and-workspace \
		--baseline evals/baselines/document-sequence.json

wheel: $(VENV)/.dev ## Build wheel and sdist
	rm -rf dist
	$(BIN)/python -m build --outdir dist > /dev/null

soak: $(VENV)/.dev ## What takes minutes: both batch steps on a local Ray, a worker killed
	$(BIN)/python -m pip install --quiet --editable '.[ray]'
	$(BIN)/pytest -m ray

mutation: $(VENV)/.dev ## How many planted faults in the pure core the tests notice
	$(BIN)/mutmut run

clean:
	rm -rf $(VENV) build dist .hypothesis .pytest_cache .mypy_cache .ruff_cache mutants

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'

$(VENV)/.base: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@ $(VENV)/.base
