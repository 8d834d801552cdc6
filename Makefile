# Everything from a fresh clone; it needs python3 (3.11 or newer, with venv) and a C compiler.

PYTHON ?= python3
STORE ?= runs/store
SIZE ?= 6
METRIC ?= checkmate
FORMAT ?=
OUT ?=
MOVES ?=
BOOKS ?= 1x1 2x2 3x3 4x4 5x5 6x6
PLIES ?= 2
BENCH ?=
INPUTS ?= 1000000
SEED ?= 1

# Code for this very processor where that is well tried, portable code elsewhere.
ifeq ($(shell uname -m),x86_64)
CFLAGS ?= -O3 -march=native
else
CFLAGS ?= -O3
endif
export CFLAGS

VENV := .venv
HEXBOOK := $(VENV)/bin/hexbook
BUILT := $(VENV)/.installed
CYTHON := $(wildcard solver/*/*.pyx solver/*/*.pxd solver/*/*.h)

.PHONY: all build test 7x7 8x8 7x7-lengths references table gallery books explorer query certify weights bench fuzz sanitize clean help

all: build  ## environment, build, and all openings up to 6x6 with their tables
	@for size in 1x1 2x2 3x3 4x4 5x5 6x6; do $(HEXBOOK) run runs/$$size.toml --store $(STORE) && echo || exit; done

build: $(BUILT)  ## environment and build only

$(BUILT): pyproject.toml $(CYTHON)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hexbook needs Python 3.11 or newer: make PYTHON=...")'
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --editable '.[test]'
	touch $@

test: build  ## the test suite
	$(VENV)/bin/python -m pytest

7x7: build  ## winners of all openings of 7x7, and their map
	@$(HEXBOOK) run runs/7x7.toml --store $(STORE)

8x8: build  ## winners of the openings of 8x8, more than an hour of CPU time (two processes, 3 GiB together)
	@$(HEXBOOK) run runs/8x8.toml --store $(STORE)

7x7-lengths: build  ## the lengths of 7x7 and their map, from the table of them; what it leaves open is searched (Ctrl-C ends that)
	@$(HEXBOOK) run runs/7x7-checkmate.toml --store $(STORE)

references: build  ## all reference tables in runs/, solved anew
	@for file in $(filter-out runs/7x7-checkmate.toml,$(wildcard runs/*.toml)); do $(HEXBOOK) run $$file --store none && echo || exit; done

table: build  ## the opening table: make table SIZE=6 METRIC=winner (FORMAT=svg OUT=6x6.svg)
	@$(HEXBOOK) table $(SIZE) --metric $(METRIC) --store $(STORE) $(if $(FORMAT),--format $(FORMAT)) $(if $(OUT),--output $(OUT))

gallery: build  ## the tables of 3x3 to 7x7 as pictures, into runs/gallery
	@for n in 3 4 5 6; do for metric in checkmate connection; do \
		$(HEXBOOK) table $$n --metric $$metric --store $(STORE) -o runs/gallery/$${n}x$$n-$$metric.svg || exit; done; done
	@$(HEXBOOK) table 7 --bounds runs/reference/7x7-checkmate.csv --store $(STORE) -o runs/gallery/7x7-checkmate.svg

books: build  ## opening books in runs/books, of all square boards up to 6x6 or: make books BOOKS=7x7 METRIC=winner
	@for size in $(BOOKS); do $(HEXBOOK) book build $$size --metric $(METRIC) --plies $(PLIES) -o runs/books/$$size-$(METRIC).book --store $(STORE) || exit; done

explorer: build  ## a web page to walk through the book of a board, into runs/books: make explorer SIZE=5 (OUT=page.html)
	@mkdir -p runs/books
	@$(HEXBOOK) explore $(SIZE) --metric $(METRIC) --store $(STORE) -o $(or $(OUT),runs/books/hex-$(SIZE).html)

query: build  ## every move and its value: make query SIZE=6 MOVES="c3 d4"
	@$(HEXBOOK) query $(SIZE) "$(MOVES)" --metric $(METRIC) --store $(STORE)

certify: build  ## a proof of winner and length, checked: make certify SIZE=6 MOVES=c3 OUT=c3.cert (WITHIN=30)
	@$(HEXBOOK) certify $(SIZE) "$(MOVES)" --metric $(METRIC) --store $(STORE) $(if $(WITHIN),--within $(WITHIN)) -o $(or $(OUT),position.cert)
	@$(HEXBOOK) check $(or $(OUT),position.cert)

weights: build  ## learn the order of moves anew from the proofs of this build, into solver/kernel/*.h, some hours (installs PyTorch)
	$(VENV)/bin/python -m pip install --quiet --editable '.[learning]'
	$(VENV)/bin/python -m solver.learning

bench: build  ## the benchmarks, or those named: make bench BENCH="winner6 length"
	@$(HEXBOOK) bench $(BENCH)

fuzz: build  ## the readers against INPUTS inputs, guided by coverage: make fuzz INPUTS=10000 SEED=2
	$(VENV)/bin/python -m pip install --quiet --editable '.[test,fuzz]'
	$(VENV)/bin/python tests/fuzz.py --inputs $(INPUTS) --seed $(SEED)

sanitize: build  ## what is compiled, built with GCC's address and undefined-behaviour sanitizers, under its tests: some minutes
	$(VENV)/bin/python tests/sanitize.py

clean:  ## remove environment and build products; results in runs/ stay
	rm -rf $(VENV) build *.egg-info .pytest_cache .hypothesis solver/*/*.c solver/*/*.so
	find solver books tests -name __pycache__ -prune -exec rm -rf {} +

help:  ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*##/make \1:/p' $(MAKEFILE_LIST)
