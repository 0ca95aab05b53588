#!/usr/bin/env bash
# Measures `probe scan` on loopback: its memory over a short and a long list, and what a tenth of bad targets costs the
# good ones. Prints figures, and ends with 1 if a long list takes too much memory or a scan breaks; builds nothing.
#
#   Scripts/measure-scan.sh [PROBE]      default: .build-release/release/probe
set -euo pipefail
cd "$(dirname "$0")/.."
probe=${1:-.build-release/release/probe}
short=${SHORT:-1000} long=${LONG:-100000} rounds=${ROUNDS:-3}
folder=$(mktemp -d)
trap 'kill "${lab:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT

"$probe" lab --ca-file "$folder/ca.pem" > "$folder/lab" &
lab=$!
for _ in $(seq 100); do grep -q '^probe models' "$folder/lab" && break; sleep 0.1; done
# The address that the command line of an endpoint dials.
place() { grep '^probe' "$folder/lab" | sed -n "$(awk '/^ID /{f=1; next} f && NF==0 {exit} f {print $1}' "$folder/lab" |
    grep -nx "$1" | cut -d: -f1)p" | grep -oE '127\.0\.0\.1:[0-9]+' | head -1; }
good=$(place good)
silent=$(place silent)
reset=$(place reset)
dead=$(place dead-port)
# A scan ends with 0 or the code of an outcome; others are usage, faults of the program and signals.
ended() { [ "$1" -eq 0 ] || { [ "$1" -ge 10 ] && [ "$1" -lt 64 ]; } || { echo "measure-scan.sh: a scan ended with $1" >&2; exit 1; }; }
scan() { "$probe" scan --ca "$folder/ca.pem" --timeout "${TIMEOUT:-10}" "$@"; }

# The most memory, in KiB, that a scan of a list took.
memory() {
    "$probe" scan --ca "$folder/ca.pem" --list "$1" "${@:2}" > "$folder/out" & local pid=$! most=0 now
    while now=$(awk '/VmHWM/ {print $2}' "/proc/$pid/status" 2>/dev/null) && [ -n "$now" ]; do
        most=$now; sleep 0.05
    done
    local code=0
    wait "$pid" || code=$?
    ended "$code"
    echo "$most"
}

# A list of so many targets, a tenth of them a server and the rest ports that refuse.
list() { awk -v n="$1" -v good="$good" -v dead="$dead" 'BEGIN { for (i = 0; i < n; i++)
    print (i % 10 == 0 ? good : dead) ",good" i ".good.test" }'; }
for backend in ${BACKENDS:-openssl}; do
    list "$short" > "$folder/short"; list "$long" > "$folder/long"
    a=$(memory "$folder/short" --backend "$backend")
    b=$(memory "$folder/long" --backend "$backend")
    awk -v n="$backend" -v s="$short" -v l="$long" -v a="$a" -v b="$b" \
        'BEGIN { printf "memory %s: %d targets %d KiB, %d targets %d KiB, ratio %.2f (at most 1.2)\n", n, s, a, l, b, b / a
            exit b / a > 1.2 }'
done

# Good targets a second, alone and with a tenth of bad ones among them, by turns.
rate() {
    local began after code=0
    began=$(date +%s%N); scan --list "$1" --backend "${BACKEND:-openssl}" > "$folder/out" || code=$?; after=$(date +%s%N)
    ended "$code"
    # Until the last good target: the bad ones' own deadline at the end delays no other.
    awk -v n="$(grep -c '"outcome":"pass"' "$folder/out")" -v t=$((after - began)) -v tail="${2:-0}" \
        'BEGIN { printf "%.0f", n / (t / 1e9 - tail) }'
}
count=${COUNT:-6000}
awk -v n="$count" -v good="$good" 'BEGIN { for (i = 0; i < n; i++) print good ",good.test" }' > "$folder/good"
awk -v n="$count" -v good="$good" -v bad="$silent $reset $dead" 'BEGIN { split(bad, b, " ")
    for (i = 0; i < n; i++) { print good ",good.test"; if (i % 9 == 8) print b[1 + int(i / 9) % 3] ",good.test" } }' \
    > "$folder/mixed"
awk -v n="$count" -v good="$good" -v silent="$silent" 'BEGIN { for (i = 0; i < n; i++) {
    print good ",good.test"; if (i % 9 == 8) print silent ",good.test" } }' > "$folder/silent"
for round in $(seq "$rounds"); do
    alone=$(rate "$folder/good")
    mixed=$(rate "$folder/mixed" "${TIMEOUT:-10}")
    quiet=$(rate "$folder/silent" "${TIMEOUT:-10}")
    echo "round $round: $alone/s alone, $mixed/s with a tenth silent, resetting or dead, $quiet/s with a tenth silent"
done
