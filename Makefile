# Everything here sets itself up: Python 3.11+ and git are all a machine needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# One more than there are cores: what runs the service waits for it most of the time.
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
DEMO ?= .demo
# An environment that forbids Python to keep bytecode pays for it at every start of curate, and tests start it often.
unexport PYTHONDONTWRITEBYTECODE

# What is not there, in one line, with the packages of Debian and Ubuntu that bring it.
missing = { echo "curator needs $(1) (on Debian: apt install $(2))" >&2; exit 1; }

# Where tests make their files: in memory where there is room, which spares them the wait for a disk; at night on the disk.
in_memory = TMPDIR=$$([ "$$(df -Pm /dev/shm 2>/dev/null | awk 'NR == 2 {print $$4}')" -gt 2000 ] 2>/dev/null && echo /dev/shm || echo "$${TMPDIR:-/tmp}")

# On all cores, where pip has one. What runs in a jail keeps no bytecode of its own: the sandbox's is made here. A package
# may bring files for another Python, which are none of ours; litellm's proxy, what it has for clouds, pip, setuptools, the
# lexers and the tests of others, half of all, nothing here loads in a jail.
compiled = $(BIN)/python -m compileall -qq -j 0 -x "/litellm/proxy/|/mypyc?/|/(tests|pip|setuptools|pkg_resources|huggingface_hub|botocore|boto3|s3transfer|fsspec|playwright)/|/pygments/(lexers|styles)/" $(VENV)/lib curator sandbox || true

.DEFAULT_GOAL := help
.PHONY: help demo test check fix quality bench bench-service nightly torture races soak soak-service soak-fleet docs web wheel man clean

help:  ## what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

$(READY): pyproject.toml
	@command -v $(PYTHON) >/dev/null || $(call missing,Python 3.11 or newer: there is no $(PYTHON),python3 python3-venv)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || $(call missing,Python 3.11 or newer: this is $$($(PYTHON) --version),python3)
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || $(call missing,the venv module of Python with pip: $(PYTHON) has none,python3-venv)
	@command -v git >/dev/null || $(call missing,git,git)
	@echo "setting up $(VENV) (a minute or two, once)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --upgrade pip
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable . --group dev
	@$(compiled)
	@touch $(READY)

demo: $(READY)  ## the main job, with the built-in curator, on a copy of sample-wiki
	@$(BIN)/python tests/scripts/demo.py $(DEMO)

test: $(READY)  ## the tests, and which files took longest
	@$(in_memory) $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -rs -o tmp_path_retention_policy=failed

check: $(READY)  ## formatting, lint, types
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

fix: $(READY)  ## what ruff can mend by itself
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

quality: $(READY)  ## how good a wiki is made of documents: facts, material, names, links, relations; claims judged
	@$(BIN)/python tests/quality $(QUALITY)

bench: $(READY)  ## time, memory and tokens by size of wiki, as a table and as bench.json
	@$(BIN)/python tests/bench/bench.py

bench-service: $(READY)  ## throughput by number of hands, latency, idle cost and a burst of the service (ten minutes)
	@$(BIN)/python tests/bench/service.py

nightly: $(READY)  ## the tests with every example, sample and mode and the real litellm; torture, races, soak, expressions (hours)
	@TEST_DEPTH=nightly $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -rs
	@$(BIN)/python tests/faults/torture/torture.py --every 7
	@$(BIN)/python tests/faults/races/races.py --races 20000
	@$(BIN)/python tests/scripts/soak.py
	@$(BIN)/python tests/scripts/expressions.py

torture: $(READY)  ## faults at every call of every transaction: kills, torn writes, power cuts, errors (hours)
	@$(BIN)/python tests/faults/torture/torture.py

races: $(READY)  ## 20,000 races of transactions with an editor and with the user's git
	@$(BIN)/python tests/faults/races/races.py --races 20000

soak: $(READY)  ## 2,000 ingests into one wiki, 200 of them killed
	@$(BIN)/python tests/scripts/soak.py

soak-service: $(READY)  ## half an hour of the service with a model that misbehaves, killed 30 times
	@$(BIN)/python tests/scripts/soak_service.py --minutes 30 --kills 30

soak-fleet: $(READY)  ## 2,000 sources into 50 wikis by three workers, killed 20 times, with a database that restarts
	@$(BIN)/python tests/scripts/soak_fleet.py

web: $(READY)  ## fetch the scripts of others that curate open runs in the browser, by their lock file
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group web
	@$(BIN)/python tests/scripts/web_scripts.py

wheel: $(READY)  ## a wheel in dist/, tried in an environment of its own; with the scripts of make web
	@test -d curator/cli/web/static/vendor || $(MAKE) --no-print-directory web || echo "this wheel is without them" >&2
	@$(BIN)/python tests/scripts/wheel.py

docs: $(READY)  ## the documentation as a site in dist/docs
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group docs
	@$(BIN)/mkdocs build --quiet --config-file .ci/mkdocs.yml

man: $(READY)  ## the manual pages in dist/man/man1, made from the help
	@$(BIN)/curate help --man --to dist/man/man1

clean:  ## forget the environment and everything made
	@rm -rf $(VENV) $(DEMO) dist build bench.json .pytest_cache .mypy_cache .ruff_cache .hypothesis
