# `make demo` and `make test` do all of their set-up by themselves; a second call starts in seconds.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
LINT = $(RUN)/ruff check . && $(RUN)/ruff format --check . && $(RUN)/mypy && $(RUN)/lint-imports
# More than there are processors: a test that waits for a browser, a process or a clock leaves its own idle.
WORKERS = $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) * 2 )))
STAMP := $(VENV)/.ready
COMPILED := $(VENV)/.compiled
STOREYS := core benchmarks tui themes

.PHONY: demo test thorough replays setup lint types bench docs casts clean

demo: $(STAMP)
	@$(RUN)/webbench-tui demo

# The linters run beside the tests and are heard when those are through. What Python compiles is kept, whatever
# the machine's habit: the tests start hundreds of processes, and every worker would compile all of them again.
# So one process compiles what changed since the last time, before there are workers; and Playwright's driver
# finds what Node compiled, a quarter of what it costs to start one.
test: export PYTHONDONTWRITEBYTECODE =
test: export NODE_COMPILE_CACHE = $(CURDIR)/$(VENV)/node
test: $(STAMP)
	@($(LINT)) >$(VENV)/lint.log 2>&1 & linters=$$!; \
	[ -e $(COMPILED) ] && [ -z "$$(find $(STOREYS) tests -name '*.py' -newer $(COMPILED))" ] || \
	  { touch $(COMPILED); $(RUN)/pytest --collect-only -qq >/dev/null 2>&1; }; \
	$(RUN)/pytest -n $(WORKERS) --dist worksteal; tested=$$?; \
	wait $$linters; linted=$$?; cat $(VENV)/lint.log; \
	[ $$tested = 0 ] && [ $$linted = 0 ]

# All tests: those that are slow and tell little that faster ones don't, and every bundled task. Pages that flood
# take what there is of a machine: they come last, one at a time, or they would hold up whatever runs beside them.
thorough: export WEBBENCH_THOROUGH = 1
thorough: export WEBBENCH_REPLAYS = all
thorough: $(STAMP) types
	$(RUN)/pytest -n $(WORKERS) --dist worksteal -m "not flood"; tested=$$?; \
	$(RUN)/pytest -m flood && [ $$tested = 0 ]

# Reference lists and near misses of all bundles, of which `make test` replays only a sample of Laptop Arena's.
replays: $(STAMP)
	WEBBENCH_REPLAYS=all $(RUN)/pytest -n auto --dist worksteal tests/benchmarks/assistantbench/bundle/test_small_web.py \
	  tests/benchmarks/demo/agents/test_oracle.py tests/benchmarks/webarena/bundle/test_laptop_arena.py \
	  tests/benchmarks/webcanvas/test_bundle.py

setup: $(STAMP)

lint: $(STAMP)
	$(LINT)

# A second opinion on types, over the tests too, as editors have it. It takes over a minute of a processor, which
# the tests of `make test` need for themselves.
types: $(STAMP) $(RUN)/basedpyright
	$(RUN)/basedpyright --pythonpath $(RUN)/python

$(RUN)/basedpyright: | $(STAMP)
	$(RUN)/python -m pip install --quiet --disable-pip-version-check --root-user-action=ignore -c constraints.txt -e '.[types]'

bench: $(STAMP)
	$(RUN)/python -m tests.performance

# The docs as a site in build/docs. A broken link fails; nothing in it asks the network, and its search needs no server.
docs: $(STAMP)
	$(RUN)/python docs/site/build.py build/docs
	@echo "Open build/docs/index.html"

# The recordings of the first five minutes, made anew by driving the program.
casts: $(STAMP)
	$(RUN)/python docs/casts/record.py

$(STAMP): pyproject.toml constraints.txt .ci/setup.sh
	@PYTHON="$(PYTHON)" VENV="$(VENV)" sh .ci/setup.sh
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info
