# Two commands matter: `make demo` shows what this is, `make test` proves it.
# Both install the C libraries they need (as root or through sudo) and talk to loopback only.

SWIFT ?= swift
BUILD = $(SWIFT) build --quiet

.PHONY: demo test guides build lint format requirements libraries servers

demo: libraries
	$(BUILD) --product probe
	"$$($(SWIFT) build --show-bin-path)/probe" lab --check

test: libraries
	$(BUILD) --build-tests
	$(SWIFT) test --skip-build

# Follows the guides of the documentation to the letter; it builds packages of its own, which takes minutes.
guides: libraries
	$(BUILD) --build-tests
	PROBE_GUIDES=1 $(SWIFT) test --skip-build --filter GuideTests

build: libraries
	$(BUILD)

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

# Writes the pages that tests hold to be current.
requirements:
	PROBE_WRITE_PAGES=1 $(SWIFT) test --filter RequirementsTests

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

libraries:
	@Scripts/install-libraries.sh

# The real servers that the tests talk to; tests whose server is missing say so and are skipped.
servers:
	@Scripts/install-libraries.sh --servers
