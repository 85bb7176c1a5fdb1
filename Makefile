# The front door. Everything lives in .venv; the first call sets it up, later ones work offline.

PYTHON ?= python3
HOSTS ?= claude-code opencode codex dsh copilot gemini qwen pi cline
# the tests that must reach every branch of the modules listed under [tool.coverage.run]
COVERED := $(addprefix tests/,test_assess.py test_attribution.py test_bystanders.py test_plan.py test_verdict.py test_settings.py test_taking_over.py history reclaim/test_executor.py reclaim/test_guard.py reclaim/test_journal.py)
BIN := .venv/bin
export HOSTS

.DEFAULT_GOAL := help
.PHONY: help run test check format live bench demo-craft mutants soak golden screenshots translations package lock set-up set-up-run set-up-live clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: set-up-run ## set everything up and start the app
	$(BIN)/python -m trayapp

test: check ## set everything up, check, and run all tests
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q $(COVERED)
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --skip-covered
	$(BIN)/python -m pytest --durations=10 $(addprefix --ignore=,$(COVERED))

check: set-up ## lint, format, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: set-up ## let ruff set the format and mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

live: set-up-live ## test against real agent hosts (2.5 GB, half an hour); HOSTS="claude-code codex" selects, DOCS=1 writes the table
	$(BIN)/python -m pytest -n 0 -m live tests/live $(if $(DOCS),--docs)

bench: set-up ## measure what it all costs, beside references; ONLY="tick tray" selects, QUICK=1 for minutes
	$(BIN)/python -m tests.bench $(ONLY) $(if $(QUICK),--quick) $(if $(DOCS),--docs)

demo-craft: set-up ## play the founding scene: 15 sessions, 23 backends, 20 helpers; the last line is JSON
	@$(BIN)/python -m tests.hosts.craft_demo $(if $(CLOSE_HELPERS),--close-helpers)

mutants: set-up ## change the rules one slip at a time and show the slips that no test notices (minutes)
	$(BIN)/python -m tests.mutation

soak: set-up ## use the face for an hour at ten times its speed, and show that nothing grows (minutes)
	$(BIN)/python -m tests.soak

golden: set-up ## renew the pictures that tests compare every face with; look at them first
	$(BIN)/python -m tests.ui.pictures --renew

screenshots: set-up ## draw docs/screenshots anew: popover, window and tray, light and dark
	$(BIN)/python -m scripts.screenshots docs/screenshots

translations: set-up ## find what is said, bring the translations up to date (docs/translating.md)
	$(BIN)/python -m scripts.translations

package: set-up ## build the app for this system with PyInstaller, into dist/
	$(BIN)/pyinstaller --noconfirm --clean packaging/agentring.spec

lock: set-up ## resolve the dependencies anew, for all systems
	$(BIN)/python scripts/lock.py

set-up: ; @$(PYTHON) scripts/set_up.py dev
set-up-run: ; @$(PYTHON) scripts/set_up.py run
set-up-live: ; @$(PYTHON) scripts/set_up.py live

clean: ## remove the environment, caches and builds
	rm -rf .venv build dist .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis .coverage
	find trayapp tests scripts -name __pycache__ -prune -exec rm -rf {} +
