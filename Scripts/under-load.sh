#!/usr/bin/env bash
# under-load.sh [COMMAND…]: runs a command, `make test` without one, while LOAD processes (16) keep the processors busy.
#
# What a busy machine can make fail is no test. The load ends with the command, however that ends.
set -euo pipefail
load=${LOAD:-16}
busy=()
trap 'kill "${busy[@]}" 2>/dev/null || true' EXIT
for ((i = 0; i < load; i++)); do
  (exec sh -c 'while :; do :; done') &
  busy+=($!)
done
[ $# -gt 0 ] || set -- make test
"$@"
