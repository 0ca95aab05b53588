#!/usr/bin/env bash
# sanitize.sh thread|address [PATTERN]: runs the tests with a sanitizer, the latter with that of undefined behavior in C as well;
# ends with 1 when it reports anything.
#
# PATTERN chooses tests by name. Builds in a folder of its own, which takes ten minutes on two cores; the reports stay in it.
# Valgrind is no choice: memcheck 3.19 ends itself where libdispatch ends the main thread.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
kind=${1:-}
case $kind in
# What shares values between threads; parsers and judges are functions of their arguments.
thread) pattern='ProbeNetTests|Transport[A-Za-z]+Tests|Resolver[A-Za-z]+Tests|ProbeOpenSSLTests|ProbeScanTests|ProbeExternalTests|ProbeStoreTests|ProbeServeTests|ProbeLabTests|ConformanceTests|(Cache|Memory|Watch|Prober|Once|Flight)[A-Za-z]*Tests' ;;
address) pattern=. ;;
*) echo "sanitize.sh: '$kind' is not known; choose thread or address" >&2; exit 64 ;;
esac
pattern=${2:-$pattern}
# Left out are the tests that read our sources, those that start programs rather than call functions, and those of long work.
skip='ArchitectureTests|ProbeCommandTests|GuideTests|PluginTests|RequirementsTests|ExampleTests|Hostile|LateLoopTests|RecordFormTests'

build=(--sanitize="$kind" --scratch-path ".build-$kind")
# UndefinedBehaviorSanitizer comes along for our C, whose runtime is part of AddressSanitizer's; what is checked out is not ours.
[ "$kind" != address ] || build+=(-Xcc -fsanitize=undefined -Xcc -fno-sanitize=vptr,function
    -Xcc "-fsanitize-ignorelist=$PWD/Scripts/sanitizers/undefined.txt")
"$swift" build --quiet --build-tests "${build[@]}"
folder=$("$swift" build --show-bin-path "${build[@]}")
reports=$folder/reports
rm -rf "$reports"
mkdir -p "$reports"

# Swift's own backtracer would handle a crash first.
export SWIFT_BACKTRACE=enable=no
case $kind in
thread)
    clang -O1 -shared -fPIC -o "$folder/mutex.so" Scripts/sanitizers/mutex.c
    environment=(LD_PRELOAD="$folder/mutex.so"
        TSAN_OPTIONS="log_path=$reports/report exitcode=0 history_size=4 suppressions=$PWD/Scripts/sanitizers/threads.txt") ;;
address)
    # Leaks are looked for with LEAKS=1, and read by a person: docs/fuzzing.md has what is reported and is not ours.
    environment=(ASAN_OPTIONS="log_path=$reports/report detect_leaks=${LEAKS:-0}"
        LSAN_OPTIONS="suppressions=$PWD/Scripts/sanitizers/leaks.txt print_suppressions=0"
        UBSAN_OPTIONS="print_stacktrace=1") ;;
esac
status=0
env "${environment[@]}" "$folder/ProbeKitPackageTests.xctest" --testing-library swift-testing \
    --skip "$skip" --filter "$pattern" || status=$?

if [ -n "$(ls "$reports")" ]; then
    grep -h '^SUMMARY: ' "$reports"/* | sort | uniq -c | sort -rn
    echo "$kind: reports are in $reports" >&2
    exit 1
fi
echo "$kind: no report"
exit "$status"
