#!/usr/bin/env bash
# Judges a certificate that is to be deployed against every file of pins that was shipped, before it is deployed and without
# a connection:
#
#   before-rotation.sh api.example.com renewed.pem Info.plist network_security_config.xml app.yaml
#
# Prints the exit code of each file's clients, and ends with the highest: 0 means that all of them accept the certificate. Where
# no file has pins for the host it ends with 10: nothing was looked at, and the name may be wrong.
# PROBE names the program; PROBE_OPTIONS has further options, like "--ca ca.pem --expires-within 30d".
set -uo pipefail
if [ $# -lt 3 ]; then
    echo "usage: before-rotation.sh HOST CHAIN.pem PIN-FILE..." >&2
    exit 64
fi
host=$1 chain=$2; shift 2
worst=0 pinned=0
for file in "$@"; do
    # shellcheck disable=SC2086 # options are words
    report=$("${PROBE:-probe}" check --chain "$chain" --profile "$file" ${PROBE_OPTIONS:-} "$host" 2>&1)
    code=$?
    unlisted=
    if grep -q 'host-not-listed' <<< "$report"; then unlisted=$'\tno pins for this host'; else pinned=1; fi
    printf '%s\t%s%s\n' "$code" "$file" "$unlisted"
    if [ "$code" -ne 0 ]; then printf '%s\n' "$report" >&2; fi
    if [ "$code" -gt "$worst" ]; then worst=$code; fi
done
if [ "$worst" -eq 0 ] && [ "$pinned" -eq 0 ]; then
    echo "no file has pins for $host: check the name" >&2
    worst=10
fi
exit "$worst"
