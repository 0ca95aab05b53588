#!/usr/bin/env bash
# sanitize.sh thread|address|memory [PATTERN]: runs the tests with a checker beside them; ends with 1 when it reports anything.
#
#   thread    ThreadSanitizer: two threads at one value without an order between them
#   address   AddressSanitizer and UndefinedBehaviorSanitizer, and what is left at the end that nothing points to
#   memory    Valgrind, over the tests of what owns objects of C libraries, which sanitizers do not see into
#
# PATTERN chooses tests by name. Builds for each in a folder of its own, which takes ten minutes on two cores; reports stay in it.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
kind=${1:?thread, address or memory}
pattern=${2:-}
# Left out are the tests that read our sources, and those that start the command or other programs rather than call functions.
skip='ArchitectureTests|ProbeCommandTests|GuideTests|PluginTests|RequirementsTests|ExampleTests|Hostile|LateLoopTests|RecordFormTests'

case $kind in
thread) build=(--sanitize=thread --scratch-path .build-thread) ;;
address) build=(--sanitize=address --sanitize=undefined --scratch-path .build-address) ;;
memory)
    build=()
    pattern=${pattern:-TransportOpenSSLTests|TransportGnuTLSTests|TransportCurlTests|ResolverCAresTests|ResolverUnboundTests}
    ;;
*) echo "sanitize.sh: '$kind' is not known; choose thread, address or memory" >&2; exit 64 ;;
esac
"$swift" build --quiet --build-tests "${build[@]}"
folder=$("$swift" build --show-bin-path "${build[@]}")
reports=$folder/reports
rm -rf "$reports"
mkdir -p "$reports"

# Without Swift's own backtracer, which would handle a crash first.
export SWIFT_BACKTRACE=enable=no
run=(env)
case $kind in
thread)
    clang -O1 -shared -fPIC -o "$folder/mutex.so" Scripts/sanitizers/mutex.c
    run+=(LD_PRELOAD="$folder/mutex.so" TSAN_OPTIONS="log_path=$reports/report exitcode=0 history_size=4 suppressions=$PWD/Scripts/sanitizers/threads.txt")
    ;;
address)
    run+=(ASAN_OPTIONS="log_path=$reports/report detect_leaks=1"
        LSAN_OPTIONS="suppressions=$PWD/Scripts/sanitizers/leaks.txt:print_suppressions=0"
        UBSAN_OPTIONS="log_path=$reports/undefined print_stacktrace=1")
    ;;
memory)
    run=(valgrind --quiet --error-exitcode=0 --log-file="$reports/report" --suppressions=Scripts/sanitizers/memory.txt
        --num-callers=40 --leak-check=no)
    ;;
esac

tests=("$folder/ProbeKitPackageTests.xctest" --testing-library swift-testing --skip "$skip")
[ -z "$pattern" ] || tests+=(--filter "$pattern")
status=0
"${run[@]}" "${tests[@]}" || status=$?

count=$(cat "$reports"/* 2>/dev/null | grep -cE '^SUMMARY: |runtime error: |^==[0-9]+== (Invalid|Conditional|Use of|Syscall|Process terminating)' || true)
if [ "$count" -gt 0 ]; then
    grep -hE '^SUMMARY: |runtime error: |^==[0-9]+== (Invalid|Conditional|Use of|Syscall)' "$reports"/* | sort | uniq -c | sort -rn
    echo "$kind: $count reports, in $reports" >&2
    exit 1
fi
echo "$kind: no report"
exit "$status"
