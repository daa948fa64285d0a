.DEFAULT_GOAL := help
.PHONY: help setup browser engine languages shells demo test test-unit test-all shuffled pictures check audit docs links man wheels sbom format bench clean

UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
RUN := $(UV) run --no-sync
# One more than there are processors, as a browser's journeys often wait. A file's tests stay together, as what
# they share is made once for each process.
PARALLEL = $(RUN) pytest -n $(shell expr $$(nproc 2>/dev/null || echo 1) + 1) --dist loadfile --no-loadscope-reorder
QUICKEST_FIRST = unit conformance golden integration hostile acceptance chaos
PKG_TESTS = $(wildcard tests/unit/$(PKG) tests/integration/$(PKG))

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/.ready ## build .venv with everything the project needs

# Compiled here, as processes write no bytecode where PYTHONDONTWRITEBYTECODE is set, and an arena has many.
.venv/.ready: pyproject.toml uv.lock deploy/bootstrap.sh hatch_build.py bots/sdk/arena_bot.py $(wildcard deploy/server/*) $(shell find arena workers bots engines -name '*.[ch]' -o -name arena.po)
	@sh deploy/bootstrap.sh
	@$(UV) sync --locked --quiet --all-extras --compile-bytecode
	@$(RUN) python -m compileall -q -j 0 arena workers bots engines
	@touch $@

browser:
	@sh deploy/package.sh chromium "as tests of the pages are skipped without it" chromium fonts-noto-cjk

# Where bots find their tools, which is not where everybody does.
languages:
	@for each in g++:g++ javac:default-jdk-headless node:nodejs tsc:node-typescript mcs:mono-mcs,mono-runtime \
			rustc:rustc,cargo go:golang-go; do \
		PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin sh deploy/package.sh "$${each%%:*}" \
			"as tests of bots written in it are skipped without it" $$(echo "$${each#*:}" | tr , ' '); \
	done

engine:
	@sh deploy/package.sh /usr/games/gtp-rhino "as a test of adapters is skipped without it" grhino

shells:
	@sh deploy/package.sh zsh "as a test of completion is skipped without it" zsh
	@sh deploy/package.sh fish "as a test of completion is skipped without it" fish
	@sh deploy/package.sh groff "as a test of manual pages is skipped without it" groff

demo: setup ## play a whole class tournament here, from bot files to the leaderboard
	@$(RUN) arena demo

test: setup browser engine shells ## run what a change needs, quickest first; with PKG=arena/theory the tests of that package
	$(if $(PKG),$(if $(PKG_TESTS),,$(error no folder of tests mirrors "$(PKG)")))
	@$(PARALLEL) -m "not long" --one-screen $(if $(PKG),$(PKG_TESTS),$(QUICKEST_FIRST:%=tests/%))

test-unit: setup ## run what needs no process, no server and no waiting
	@$(PARALLEL) tests/unit

test-all: setup browser engine languages shells ## run every test, the long ones too
	@$(PARALLEL)

shuffled: setup browser engine languages shells ## run every test in random order
	@$(PARALLEL) -p pytest_randomly

pictures: setup browser ## take pictures/ of every page and state that a browser's test sees
	@mkdir -p pictures
	@$(PARALLEL) --pictures pictures $$(grep -l needs_chromium tests/acceptance/test_*.py)

check: setup ## lint, types, import contracts, sizes, translations, vendored files
	@$(RUN) ruff format --check .
	@$(RUN) ruff check .
	@$(RUN) mypy
	@$(RUN) lint-imports
	@$(RUN) python -m deploy.check_sizes
	@$(RUN) python -m deploy.check_translations
	@$(RUN) python -m deploy.check_vendored

audit: setup ## ask the public lists of known faults about all dependencies; needs the network
	@$(UV) export --locked --quiet --all-extras --no-emit-workspace --format requirements-txt > .venv/audited.txt
	@rm -f .venv/audit.json
	@$(if $(shell command -v timeout),timeout 180) $(UV) tool run pip-audit@2.10.1 --disable-pip --require-hashes --requirement .venv/audited.txt \
		--format json --output .venv/audit.json > .venv/audit.log 2>&1 || true
	@[ -e .venv/audit.json ] || tail -5 .venv/audit.log >&2
	@$(RUN) python -m deploy.check_audit .venv/audit.json $(AUDIT)

docs: setup ## build the documentation as a site, in site/
	@$(RUN) python -m deploy.site site
	@echo "site/ is whole; open site/index.html"

links: setup ## ask every address outside that the documentation names; needs the network
	@$(RUN) python -m deploy.site .venv/links --links

man: setup ## write manual pages of every command, in English and Chinese, in man/
	@rm -rf man
	@$(RUN) python -m deploy.man man
	@echo "man/ is whole; read a page with: man -M man arena-bot"

wheels: setup ## gather all that an installation without network needs, in wheels/, for this platform and Python
	@rm -rf wheels && mkdir wheels
	@# What only the first releases of a Python need is taken along: the other machine may have one of these.
	@$(UV) export --locked --quiet --all-extras --no-default-groups --no-emit-workspace --format requirements-txt \
		| sed -E "s/ ; python_full_version < '[0-9]+\.[0-9]+\.[0-9]+'//" > wheels/requirements.txt
	@$(UV) build --quiet --all-packages --wheel --python .venv/bin/python --out-dir wheels
	@$(UV) tool run --python .venv/bin/python pip download --quiet --require-hashes --only-binary :all: \
		--dest wheels --requirement wheels/requirements.txt
	@rm -f wheels/.gitignore
	@echo "wheels/ is whole; on the other machine: pip install --no-index --find-links wheels 'bot-arena[all]'"

sbom: setup ## list all that an installation with everything consists of, in sbom.json (CycloneDX)
	@UV_PROJECT_ENVIRONMENT=.venv/sbom $(UV) sync --locked --quiet --all-extras --no-default-groups
	@$(RUN) cyclonedx-py environment --pyproject pyproject.toml --mc-type application --output-reproducible \
		--output-file sbom.json .venv/sbom
	@$(RUN) python -m deploy.sbom sbom.json
	@rm -rf .venv/sbom

format: setup ## put every file in the house's form
	@$(RUN) ruff format .
	@$(RUN) ruff check --fix .

bench: setup ## measure; see benchmarks/README.md
	@$(UV) sync --locked --quiet --all-extras --group bench
	@$(RUN) python -m benchmarks

clean: ## remove what setup built
	rm -rf site .venv .uv .mypy_cache .ruff_cache .pytest_cache .hypothesis
