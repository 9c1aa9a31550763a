# `make demo` and `make test` do all the set-up: they need Python 3.11 or newer with venv, git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PARTS := 60
ifdef ALL
PART ?= 1/1
export WHOLE_PROOFS := 1
else
PART ?= today/$(PARTS)
endif
READY := $(VENV)/.ready
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Programs that tests start, and the next run of tests, find modules compiled: without that all is compiled every time.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-deps check format lint types imports rules fingerprints evidence settings rulings fix tour \
	defaults glossary gallery docs bench prove wheel pin sbom

demo: $(READY)  ## a whole game by mail between robots, to the final standings
	$(BIN)/railpost demo

test: $(READY)  ## all tests but the long proofs and the figures
	$(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder -m "not prove and not bench"

test-deps:  ## the servers (Postfix, Dovecot, PostgreSQL) and the browser (Chromium) of tests, from Debian's archive
	@tools/test-deps

check: $(READY)  ## what must hold before tests are worth running; says everything that does not
	@$(MAKE) --no-print-directory --keep-going format lint types imports rules fingerprints evidence settings rulings defaults glossary

format: $(READY)
	$(BIN)/ruff format --check .
lint: $(READY)
	$(BIN)/ruff check .
types: $(READY)
	$(BIN)/mypy
imports: $(READY)
	$(BIN)/lint-imports --no-logo
rules: $(READY)
	$(BIN)/python -m tools.rule_addresses
	$(BIN)/python -m tools.clarifications
fingerprints: $(READY)
	$(BIN)/python -m tools.fingerprint
evidence: $(READY)
	$(BIN)/python -m tools.evidence
settings: $(READY)
	$(BIN)/python -m tools.settings
rulings: $(READY)
	$(BIN)/python -m tools.rulings
defaults: $(READY)
	$(BIN)/python -m tools.defaults
glossary: $(READY)
	$(BIN)/python -m tools.glossary

fix: $(READY)  ## formats, and repairs what can be repaired without thought
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

tour: $(READY)  ## the mails in the README and in docs/tour, as they are today
	$(BIN)/python -m tools.tour

gallery: $(READY)  ## the pictures in docs/gallery, of games between robots
	$(BIN)/python -m tools.gallery

docs: $(READY)  ## the site of pages, build/pages; a link that leads nowhere stops it
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build
	@echo "build/pages/index.html is the first page"

bench: $(READY)  ## the figures of docs/performance.md
	$(BIN)/pytest -m bench -s -q -p no:xdist

prove: $(READY)  ## the part of the long proofs that is the day's turn, with its seeds; PART=2/60 is the second, ALL=1 all
	$(BIN)/pytest -n 2 --dist worksteal -m prove -rP --part $(PART)

wheel: $(READY)  ## dist/railpost-*.whl
	$(BIN)/python -m build --wheel --no-isolation

pin: $(READY)  ## newest versions that pyproject.toml admits, with hashes, into the requirements files
	$(BIN)/python -m tools.pin
	@$(MAKE) --no-print-directory sbom

sbom: $(READY)  ## docs/sbom.cdx.json, the software bill of materials, from the pinned requirements
	$(BIN)/python -m tools.sbom

# The virtual environment follows the pinned requirements: made when missing, brought up to date when they change.
$(READY): requirements-build.txt requirements-dev.txt requirements-docs.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Railpost needs Python 3.11 or newer; say which with: make PYTHON=python3.11 ...")'
	@test -x $(BIN)/python || { echo "setting up $(VENV) ..."; $(PYTHON) -m venv $(VENV); }
	@$(BIN)/python -m pip install -qq --require-hashes --only-binary :all: --requirement requirements-build.txt
	@$(BIN)/python -m pip install -qq --require-hashes --no-build-isolation --requirement requirements-dev.txt --requirement requirements-docs.txt
	@$(BIN)/python -m pip install -qq --no-deps --no-build-isolation --editable .
	@touch $@
