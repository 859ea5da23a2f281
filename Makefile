# Ludoteca. `make play` and `make test` are the two commands; each sets up what it needs on a fresh machine.
#
#   make play     set up, start the tables on this machine and open them in the browser
#   make test     set up, then every check, and every rule, promise and page once, in the browser too
#   make test-all the same at full width: all configurations, long games, many positions
#   make check    what the change since the branch main needs, in a minute (make check GAME=octiles: one game's tests)
#   make setup    only the environment: $(VENV) with the locked dependencies and the project
#   make lint     the checks that run no test: ruff, mypy, import-linter, tsc
#   make bench    how fast rules and search are on this machine
#   make cpp      the same random games played by C++ (needs g++), and how many times as fast
#   make pictures draw the pictures of the lobby, of the rules pages and of the README anew, and the icons
#   make docs     build the documentation, which servers then show at /docs (make docs LINKS=1: look links up)
#   make wheel    wheels into dist/: one for every computer, one with the rules compiled for this Python
#   make lock     work out the four locks anew from pyproject.toml (make lock UPGRADE=1: to the newest releases)
#   make clean    remove what builds and tools leave behind (make distclean: the environment and node_modules too)
#
# Another place for the environment: make play VENV=/some/where. Another Python: make play PYTHON=python3.12.

VENV   ?= .venv
PYTHON ?= python3
UV     := 0.13.8

BIN       := $(VENV)/bin
INSTALLED := $(VENV)/.ludoteca-installed
FOR_TESTS := $(VENV)/.ludoteca-installed-for-tests
IN_FULL   := $(VENV)/.ludoteca-installed-in-full

.DEFAULT_GOAL := help
.PHONY: help setup play test test-all check lint bench cpp pictures docs wheel lock clean distclean

help:
	@sed -n 's/^#   //p' Makefile

setup: $(FOR_TESTS)

# Hashes are checked for everything that comes from outside, the build backend included; then the project itself, without
# dependencies and without a build environment of its own. A lock is complete, so pip looks for nothing beyond it
# (--no-deps): its resolver takes the newest release for `package[extra]`, whatever `package` is pinned to, and refuses
# that for want of a hash on the day of a release. Who plays needs no tools of tests. The project's own modules are
# translated here, as pip does with packages: the first start is half a second shorter.
$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Ludoteca needs Python 3.11 or newer. Name one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $$(test -e $(VENV)/pyvenv.cfg && echo --clear) $(VENV) || \
	  { echo "Python could not make a virtual environment. On Debian: apt-get install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q src/ludoteca
	@touch $@

$(FOR_TESTS): $(INSTALLED) requirements-dev.lock
	$(BIN)/python -m pip install --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	@touch $@

# What `make test` does without: OpenSpiel, Dask, Ray, Sphinx.
$(IN_FULL): $(FOR_TESTS) requirements-full.lock
	$(BIN)/python -m pip install --disable-pip-version-check --no-deps --require-hashes -r requirements-full.lock
	@touch $@

# PLAY: other options, such as PLAY="--port 9000 --no-open".
play: $(INSTALLED)
	@$(BIN)/ludoteca serve --open $(PLAY)

test: setup
	$(BIN)/python scripts/run_tests.py test

test-all: $(IN_FULL)
	$(BIN)/python scripts/run_tests.py test-all $(if $(AFTER_TEST),--after-test)

check: setup
	$(BIN)/python scripts/run_tests.py check $(GAME)

lint: setup
	$(BIN)/python scripts/run_tests.py lint

bench: setup
	$(BIN)/ludoteca bench

cpp: setup
	$(BIN)/python -m benchmarks.cpp.run

wheel: setup
	$(BIN)/python scripts/make_wheel.py

docs: $(IN_FULL)
	$(BIN)/python scripts/make_docs.py $(if $(LINKS),--links)

pictures: setup
	$(BIN)/python scripts/ready_pictures.py

# Locks for every platform and every Python from 3.11: what the tests run with is what everybody gets. requirements.lock
# has the extra `server`, requirements-dev.lock the tools of tests besides, requirements-full.lock the extras `research`,
# `cluster` and `docs` besides, requirements-image.lock what the image of deploy/ carries; all in the same versions.
LOCK := pip compile pyproject.toml --extra server --quiet --universal --python-version 3.11 --fork-strategy fewest \
  --generate-hashes --custom-compile-command "make lock"
lock:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --disable-pip-version-check --quiet uv==$(UV)
	.venv-lock/bin/uv $(LOCK) --extra build --extra dev --extra research --extra cluster --extra docs \
	  --output-file requirements-full.lock $(if $(UPGRADE),--upgrade)
	.venv-lock/bin/uv $(LOCK) --extra build --extra dev --constraint requirements-full.lock --output-file requirements-dev.lock --upgrade
	.venv-lock/bin/uv $(LOCK) --extra build --constraint requirements-dev.lock --output-file requirements.lock --upgrade
	.venv-lock/bin/uv $(LOCK) --extra postgres --extra tracing --constraint requirements-full.lock \
	  --output-file requirements-image.lock --upgrade
	@if grep -nE '://|^ *--(extra-)?index|^ *--find-links' requirements*.lock; then \
	  echo "a lock names a host" >&2; exit 1; fi
	npm install --package-lock-only --no-audit --no-fund $(if $(UPGRADE),&& npm update --package-lock-only)
	@if grep -n '"resolved"' package-lock.json; then echo "package-lock.json names a host" >&2; exit 1; fi

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage .coverage.* htmlcov
	rm -rf docs/rulebooks docs/reference docs/_static/games docs/_static/emblem.svg src/ludoteca/web/documentation*/
	find src tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	test ! -e $(VENV)/pyvenv.cfg || rm -rf $(VENV)
	rm -rf .venv-lock node_modules
