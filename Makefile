# Chalkline. `make run` starts the server, `make test` passes the tests; both install what is missing.

SHELL := /bin/bash
SWIFT ?= swift
LISTEN ?= 127.0.0.1:8080
VENV := .venv
PYTHON := $(VENV)/bin/python

# Debian packages: what the build links, what the browser test needs, and the proxies of `make conformance`.
BUILD_PACKAGES := libcurl4-openssl-dev libsqlite3-dev libssl-dev zlib1g-dev pkg-config openssl
PROXY_PACKAGES := nginx-light haproxy
TEST_PACKAGES := python3-venv chromium fonts-noto-cjk
# Public data sets, where they lie beside the project; nothing but tests and scores uses them.
EVAL_DATA ?= $(abspath $(wildcard ../shared/data))
# Pinned, so that a run today and a run next year test the same.
TEST_REQUIREMENTS := Tests/requirements.txt

# How long each fuzz target runs.
FUZZ_SECONDS ?= 60

export SWIFT_BACKTRACE := enable=no

.PHONY: help run build release test check format lint unit release-tests e2e browser eval bench bench-programs bench-json bench-tokens bench-ask tls-scan fuzz conformance conformance-fast clean packages test-packages venv

help:
	@echo 'make run     build and start the server with the built-in tutor on http://$(LISTEN)'
	@echo 'make test    every test: unit, release, end to end, browser'
	@echo 'make check   what CI runs: lint, then make test'
	@echo 'make build | unit | release-tests | e2e | browser | lint | format | clean'
	@echo 'make asan | tsan      unit tests under sanitizers; SANITIZE=NetIOTests chooses some'
	@echo 'make checker | kills | storm | stalled | markers | power | soak | soak-fast'
	@echo 'make bench | bench-json | bench-tokens | bench-ask | conformance | tls-scan | fuzz | eval'

run: release
	.build/release/chalkline serve --listen $(LISTEN)

build: packages
	$(SWIFT) build

release: packages
	$(SWIFT) build -c release --product chalkline

test: unit checker release-tests e2e browser

check: lint test

# --- tests -----------------------------------------------------------------------------------------------------------

unit: packages
	$(SWIFT) test

# Long random runs (a session's interleavings fifty times as often as in debug, generated derivations, screens) and the
# evaluation data, where there is some.
release-tests: packages
	@$(if $(EVAL_DATA),,echo 'skipped: tests on evaluation data (EVAL_DATA names no folder)')
	$(if $(EVAL_DATA),CHALKLINE_EVAL_DATA=$(EVAL_DATA)) $(SWIFT) test -c release \
		--filter 'Interleaving|GeneratedDerivation|ScreenStateModel|Evaluation|Recorded'

e2e: release bench-programs venv
	$(PYTHON) -m pytest -q Tests/e2e

browser: release venv test-packages
	$(PYTHON) Tests/browser/run.py

# Scores the relevance filter: make eval EVAL_DATA=folder
eval: release
	python3 Tests/eval/select_scores.py --chalkline .build/release/chalkline --data $(EVAL_DATA)

# Prints what an echo costs this transport, plain C and other libraries: make bench BENCH='--rounds 5 --only picows'
bench: packages
	Tests/bench/echo_table.py $(BENCH)

bench-programs: packages
	$(SWIFT) build -c release --product bench
	$(SWIFT) build -c release --product epoll-echo

# Scans the server's TLS with sslyze, and with testssl where it is installed.
tls-scan: release venv
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -r Tests/tls/requirements.txt
	$(PYTHON) Tests/tls/scan.py

# JSON in and out against Foundation and Python on the same bytes.
bench-json: packages
	$(SWIFT) build -c release --product bench
	.build/release/bench json
	.build/release/bench json --emit artifacts/json
	python3 Tests/bench/json_peer.py artifacts/json

# All Autobahn cases, directly and through nginx and haproxy with TLS; docs/conformance.md. About 10 minutes.
conformance: conformance-tools
	$(CONFORMANCE)

# Without most compression cases and without proxies: about half a minute.
conformance-fast: conformance-tools
	$(CONFORMANCE) --fast

CONFORMANCE := $(VENV)-conformance/bin/python Tests/conformance/run.py --bench .build/release/bench

.PHONY: conformance-tools
conformance-tools: packages $(VENV)-conformance/.ready
	@Tests/setup/packages.sh $(PROXY_PACKAGES)
	$(SWIFT) build -c release --product bench

# Every fuzz target for FUZZ_SECONDS; docs/fuzzing.md. FUZZ_TARGETS="json sse" chooses some.
fuzz: packages
	CHALKLINE_FUZZ=1 $(SWIFT) build -c release --product fuzz --scratch-path .build/fuzz
	Tests/fuzz/run.sh .build/fuzz/release/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

# Relayed tokens against raw sockets and Python's libraries; whole turns: make bench-tokens TOKENS='--rounds 5'
.PHONY: bench-tokens bench-ask
bench-tokens: packages
	$(SWIFT) build -c release --product bench
	@test -x $(VENV)-tokens/bin/python || python3 -m venv $(VENV)-tokens
	$(VENV)-tokens/bin/python -m pip install --quiet --disable-pip-version-check \
		websockets==17.4 httpx==0.28.1 uvloop==0.23.0
	$(VENV)-tokens/bin/python Tests/bench/tokens.py $(TOKENS)

bench-ask: release
	$(SWIFT) build -c release --product bench
	python3 Tests/bench/ask.py $(ASK)

# The unit tests under AddressSanitizer with LeakSanitizer, and under ThreadSanitizer, each in a build of its own; the
# tests named by SANITIZE, a regular expression: make asan SANITIZE=NetIOTests. XCTest's runner, which has no tests here,
# is left out: it leaks.
SANITIZE ?= .
.PHONY: asan tsan
asan: packages
	ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/sanitizers/lsan.txt:print_suppressions=0 \
		$(SWIFT) test --disable-xctest --sanitize=address --scratch-path .build/asan --filter '$(SANITIZE)'

tsan: packages
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/sanitizers/tsan.txt:halt_on_error=0 \
		$(SWIFT) test --disable-xctest --sanitize=thread --scratch-path .build/tsan --filter '$(SANITIZE)'

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

format:
	$(SWIFT) format format --in-place --recursive --parallel Package.swift Sources Tests

clean:
	rm -rf .build $(VENV) $(VENV)-conformance artifacts

# --- trials: docs/reliability.md ------------------------------------------------------------------------------------

.PHONY: checker kills storm stalled markers power soak soak-fast

# The history checker finds the faults that are planted in a server of its own.
checker: venv
	$(PYTHON) -m pytest -q --noconftest Tests/reliability

# SEED repeats a trial; each prints its own.
TRIAL = $(PYTHON) Tests/reliability
KILLS ?= 200
kills: release venv
	$(TRIAL)/kill.py --kills $(KILLS) $(if $(SEED),--seed $(SEED))

storm: release venv
	ulimit -n $$(ulimit -Hn) && $(TRIAL)/storm.py $(if $(SEED),--seed $(SEED))

stalled: release venv
	$(TRIAL)/stalled.py $(if $(SEED),--seed $(SEED))

markers: release venv
	ulimit -n $$(ulimit -Hn) && $(TRIAL)/markers.py $(if $(SEED),--seed $(SEED))

power: release venv
	$(TRIAL)/power.py --copies 30 $(if $(SEED),--seed $(SEED))

MINUTES ?= 30
soak: kills
	$(TRIAL)/soak.py --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

soak-fast: release venv
	$(TRIAL)/soak.py --fast $(if $(SEED),--seed $(SEED))

# --- set-up ----------------------------------------------------------------------------------------------------------

packages:
	@Tests/setup/packages.sh $(BUILD_PACKAGES)

test-packages:
	@Tests/setup/packages.sh $(TEST_PACKAGES)

venv: $(VENV)/.ready

$(VENV)/.ready: $(TEST_REQUIREMENTS)
	@python3 -c 'import ensurepip' 2>/dev/null || Tests/setup/packages.sh python3-venv
	python3 -m venv $(VENV)
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -r $(TEST_REQUIREMENTS)
	@touch $@

# A venv of its own: the runner's copy of the cases is mended.
$(VENV)-conformance/.ready: Tests/conformance/requirements.txt
	@python3 -c 'import ensurepip' 2>/dev/null || Tests/setup/packages.sh python3-venv
	python3 -m venv $(VENV)-conformance
	$(VENV)-conformance/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@
