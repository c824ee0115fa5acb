# Two commands do everything on a fresh machine: `make run` opens the desk on the sample, `make test` passes the tests.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
export HF_HUB_OFFLINE = 1

.PHONY: help setup run desk test test-long lint security check bench performance fuzz faults soak coverage-sim gate-table screenshots pictures docs api glossary schema reading benchmarks retrieval references screens wheel release-check clean

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

desk: .venv/run.stamp ## open the desk on your own answers, with an empty store at first
	@$(BIN)/citedesk serve $(ARGS)

test: .venv/dev.stamp ## pass the tests that need neither a browser nor a desk of their own
	@$(BIN)/python -m pytest -m "not long" --numprocesses 3 --dist loadfile $(ARGS)

test-long: .venv/dev.stamp ## pass the others: they start desks, install, kill or drive a browser (and skip where there is none)
	@$(BIN)/python -m pytest -m long --numprocesses 2 --dist loadfile $(ARGS)

lint: .venv/dev.stamp ## format, style, types, layers; changes nothing
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

security: .venv/dev.stamp ## look for weak code, and for known weaknesses of the versions in constraints.txt
	@$(BIN)/bandit --quiet --configfile pyproject.toml --recursive core dashboard
	@$(BIN)/python -m tests.dependency_audit

check: lint security test test-long ## everything that must hold before a commit

bench: .venv/dev.stamp ## speeds beside a peer or floor of the same run, and their growth (ARGS=--quick or --full)
	@$(BIN)/python -m tests.bench $(ARGS)

performance: .venv/dev.stamp ## write docs/performance.md: the same table as a page
	@$(BIN)/python -m tests.bench --page docs/performance.md $(ARGS)

fuzz: .venv/dev.stamp ## 10,000 broken files for every importer, then the property tests with 10,000 examples each
	@$(BIN)/python -m tests.fuzz.importers $(ARGS)
	@HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -m "not browser" --timeout 7200 tests/core

faults: .venv/dev.stamp ## kill the process in a thousand label writes; break a desk in every way while 20 people label
	@$(BIN)/python -m tests.faults.labels $(ARGS)
	@$(BIN)/python -m tests.faults.desk_faults

MINUTES ?= 30
soak: .venv/dev.stamp ## a whole house at one desk for MINUTES=30 while it is broken in every way; what was kept
	@$(BIN)/python -m tests.faults.soak --minutes $(MINUTES) $(ARGS)

coverage-sim: .venv/dev.stamp ## how often each interval of an unsupported rate holds the rate, 2,000 windows a cell
	@$(BIN)/python -m tests.coverage_sim $(ARGS)

gate-table: .venv/dev.stamp ## every way a question can end, as real HTTP: outcome, status, reason, bytes, log rows
	@$(BIN)/python -m tests.gate_table

screenshots: .venv/dev.stamp ## every page, light and dark, 1280 and 1920 wide, full and empty, into data/local/screenshots
	@$(BIN)/python -m tests.browser.screenshots $(ARGS)

pictures: .venv/dev.stamp ## the pictures of the documentation, from the real desk on the sample, into docs/pictures
	@$(BIN)/python -m tests.browser.screenshots --pictures

docs: schema api glossary reading benchmarks retrieval references pictures screens performance ## everything in docs that is made: pages, figures, pictures, outputs of commands
	@$(BIN)/python -m tests.docs.outputs

api: .venv/dev.stamp ## write docs/api.md and docs/commands.md from the code
	@$(BIN)/python -m docs.api.generate

glossary: .venv/dev.stamp ## write docs/glossary.md from the words of the code
	@$(BIN)/python -m docs.glossary.generate

schema: .venv/dev.stamp ## write docs/schema from the records
	@$(BIN)/python -m docs.schema.generate

reading: .venv/dev.stamp ## write docs/reading.md: how well answers are read
	@$(BIN)/python -m docs.reading.generate

benchmarks: .venv/dev.stamp ## write docs/benchmarks.md: judges against people's labels, a sample of ../shared/gold/dev
	@$(BIN)/python -m docs.benchmarks.generate $(ARGS)

retrieval: .venv/dev.stamp ## write docs/retrieval.md: how well passages are found
	@$(BIN)/python -m docs.retrieval.generate

screens: .venv/dev.stamp ## write docs/screens.md: the pages measured as their peers were
	@$(BIN)/python -m docs.screens.generate $(ARGS)

references: .venv/dev.stamp ## write docs/references.md: what is found out about links and DOIs, and how often wrongly
	@$(BIN)/python -m docs.references.generate

wheel: .venv/dev.stamp ## build the wheel into dist
	@$(BIN)/python -m build --wheel

release-check: .venv/dev.stamp ## build the wheel, look through it, install it in a fresh place and open the demo there
	@$(BIN)/python -m tests.release

clean: ## remove what was made here, but never a store
	@rm -rf .venv build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
