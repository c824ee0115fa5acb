# Two commands do everything on a fresh machine: `make run` opens the desk on the sample, `make test` passes the tests.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
export HF_HUB_OFFLINE = 1

.PHONY: help setup run test lint check bench fuzz faults gate-table screenshots schema reading benchmarks wheel clean

help: ## say what there is to make
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/^([a-z-]+):.*## /  \1\t/' | expand -t 16

# A stamp is newer than what it was made from: the second run installs nothing.
.venv/run.stamp: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Citedesk needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing Citedesk into .venv (once; a minute or two)"
	@$(PIP) --editable .
	@touch $@

.venv/dev.stamp: .venv/run.stamp
	@echo "Installing the test tools into .venv (once)"
	@$(PIP) --editable '.[dev]'
	@touch $@

setup: .venv/dev.stamp ## set up .venv for running, testing and checking

run: .venv/run.stamp ## open the desk on the sample answers
	@$(BIN)/citedesk demo $(ARGS)

test: .venv/dev.stamp ## pass the tests (those in a browser skip where there is none)
	@$(BIN)/python -m pytest --numprocesses 2 --dist loadfile $(ARGS)

lint: .venv/dev.stamp ## format, style, types, layers; changes nothing
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

check: lint test ## everything that must hold before a commit

bench: .venv/dev.stamp ## speeds, each beside its floor measured in the same run
	@$(BIN)/python -m tests.bench $(ARGS)

fuzz: .venv/dev.stamp ## 10,000 broken files for every importer, then the property tests with 10,000 examples each
	@$(BIN)/python -m tests.fuzz.importers $(ARGS)
	@HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -m "not browser" --timeout 7200 tests/core

faults: .venv/dev.stamp ## kill the process at random points of a thousand label writes, many times
	@$(BIN)/python -m tests.faults.labels $(ARGS)

gate-table: .venv/dev.stamp ## every way a question can end, as real HTTP: outcome, status, reason, bytes, log rows
	@$(BIN)/python -m tests.gate_table

screenshots: .venv/dev.stamp ## every page, light and dark, 1280 and 1920 wide, full and empty, into data/local/screenshots
	@$(BIN)/python -m tests.browser.screenshots $(ARGS)

schema: .venv/dev.stamp ## write docs/schema from the records
	@$(BIN)/python -m docs.schema.generate

reading: .venv/dev.stamp ## write docs/reading.md: how well answers are read
	@$(BIN)/python -m docs.reading.generate

benchmarks: .venv/dev.stamp ## write docs/benchmarks.md: judges against people's labels, a sample of ../shared/gold/dev
	@$(BIN)/python -m docs.benchmarks.generate $(ARGS)

wheel: .venv/dev.stamp ## build the wheel into dist
	@$(BIN)/python -m build --wheel

clean: ## remove what was made here, but never a store
	@rm -rf .venv build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
