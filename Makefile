.DEFAULT_GOAL := help
.PHONY: help setup demo test check format bench clean

UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
RUN := $(UV) run --no-sync

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/.ready ## build .venv with everything the project needs

.venv/.ready: pyproject.toml uv.lock deploy/bootstrap.sh
	@sh deploy/bootstrap.sh
	@$(UV) sync --locked --quiet
	@touch $@

demo: setup ## play a whole class tournament here, from bot files to the leaderboard
	@$(RUN) arena demo

test: setup ## run every test
	@$(RUN) pytest -n auto

check: setup ## lint, types, import contracts, translations, vendored files
	@$(RUN) ruff format --check .
	@$(RUN) ruff check .
	@$(RUN) mypy
	@$(RUN) lint-imports
	@$(RUN) python -m deploy.check_translations
	@$(RUN) python -m deploy.check_vendored

format: setup ## put every file in the house's form
	@$(RUN) ruff format .
	@$(RUN) ruff check --fix .

bench: setup ## measure; see benchmarks/README.md
	@$(UV) sync --locked --quiet --group bench
	@$(RUN) python -m benchmarks

clean: ## remove what setup built
	rm -rf .venv .uv .mypy_cache .ruff_cache .pytest_cache .hypothesis
