#!/usr/bin/env bash
# tests.sh ARGUMENTS…: runs the tests that are built, and those that failed once more, with nothing beside them.
#
# What fails twice is broken. What holds the second time is named as unsteady and has to be fixed, but one machine that stood
# still for seconds does not refuse a change. A crash, and more than two unsteady tests, do.
#
# What the tests and their children free is filled with other bytes, so that reading it after that is noticed.
#
# PROBE_SKIPPED=FILE adds the names of the tests that are skipped to a file, with their reasons. --were-skipped FILE runs those
# alone, with everything installed, and refuses what is skipped again for another reason than the ones below.
set -uo pipefail
swift=${SWIFT:-swift}
export GLIBC_TUNABLES=${GLIBC_TUNABLES:-glibc.malloc.tcache_count=0:glibc.malloc.perturb=165}
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT

# Why a test may be skipped though `make servers plugins` has installed everything: another command runs it, the machine can't,
# or something is not part of these packages.
may_be_skipped=(
    'make guides runs it' '`make test-release` runs it' ': make clients$'
    'this processor has no ' 'this machine has no address ' 'this kernel does not count what threads wait'
    'iproute2 and user namespaces are needed' 'systemd-analyze is not installed' 'axe.sh did not fetch axe-core'
)
[ "$(id -u)" -eq 0 ] || may_be_skipped+=('starts as root alone')

# The names of the tests in lines like Module.Suite/name(…)/File.swift:1:1, as an expression of --filter.
expression() { sed -E 's/[(\t].*//; s/[.]/\\&/g; s/$/\\(/' | sort -u | paste -sd '|'; }

# The names of the test cases that have an element in the report, and after a tab the element's text.
with() {
    awk -v element="<$1" '
        /<testcase / { name = $0 }
        at = index($0, element) {
            text = substr($0, at)
            sub(/^<[^>]*>/, "", text)
            sub(/<.*/, "", text)
            print name "\t" text
        }' "$reports/tests-swift-testing.xml" 2>/dev/null |
        sed -E 's/.*classname="([^"]*)" name="([^"(]*)\([^\t]*/\1\/\2/' | sort -u
}

again=
if [ "${1:-}" = --were-skipped ]; then
    names=$(expression < "$2") || exit
    [ -n "$names" ] || { echo "tests.sh: $2 names no test" >&2; exit 1; }
    shift 2
    set -- --filter "$names" "$@"
    again=$reports/skipped
    export PROBE_SKIPPED=$again
fi
if [ -n "${PROBE_SKIPPED:-}" ]; then touch "$PROBE_SKIPPED" || exit; fi

"$swift" test --skip-build -c release --xunit-output "$reports/tests.xml" "$@"
status=$?
if [ -n "${PROBE_SKIPPED:-}" ]; then with skipped >> "$PROBE_SKIPPED"; fi

if [ "$status" -ne 0 ]; then
    mapfile -t failed < <(with failure | cut -f 1 | sort -u)
    if [ "${#failed[@]}" -eq 0 ] || [ "${#failed[@]}" -gt 2 ]; then exit "$status"; fi

    printf '\n== once more, alone: %s\n' "${failed[*]}"
    "$swift" test --skip-build -c release --filter "$(printf '%s\n' "${failed[@]}" | expression)" || exit
    printf '\n== UNSTEADY, to be fixed: %s\n' "${failed[*]}"
fi

if [ -n "$again" ]; then
    printf '\n== skipped again\n'
    sort -u "$again"
    refused=$(grep -Ev -- "$(IFS='|'; echo "${may_be_skipped[*]}")" "$again" | sort -u)
    if [ -n "$refused" ]; then
        printf '\n== SKIPPED, though everything is installed:\n%s\n' "$refused" >&2
        exit 1
    fi
fi
