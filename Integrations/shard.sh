#!/bin/sh
# shard.sh INDEX COUNT LIST RESULTS [OPTION…]: one part of a list, begun or continued.
#
# Ends with 0 when every target of the part has its lines in RESULTS, whatever the verdicts are: for a scheduler that
# repeats what fails, a server that fails is no failure. Anything else ends with the command's exit code, or with 75.
#   PROBE  the command (probe); RESULTS that are packed (.zst) are read by zstd, and a database's (.sqlite) by sqlite3
set -eu
[ "$#" -ge 4 ] || { echo "usage: shard.sh INDEX COUNT LIST RESULTS [OPTION…]" >&2; exit 64; }
index=$1 count=$2 list=$3 results=$4
shift 4
case $(printf %s "$results" | tr '[:upper:]' '[:lower:]') in
  *.zst) form=packed reader=zstd ;;
  *.sqlite | *.sqlite3) form=database reader=sqlite3 ;;
  *) form=lines reader=tail ;;
esac
command -v "$reader" >/dev/null || { echo "shard.sh: there is no $reader to read $results" >&2; exit 64; }

"${PROBE:-probe}" scan --list "$list" --shard "$index/$count" --resume "$results" "$@" &
scan=$!
trap 'kill -TERM "$scan"' TERM INT HUP
code=0
wait "$scan" || code=$?
# A signal ends the wait before it ends the scan, which writes its manifest first.
while kill -0 "$scan" 2>/dev/null; do
  code=0
  wait "$scan" || code=$?
done

# What is set in a user's own files for sqlite3 is left out.
last=''
case $form in
  packed) last=$(zstd -dcq "$results" | tail -n 1) || true ;;
  database)
    [ ! -e "$results" ] || last=$(sqlite3 -init /dev/null -batch -noheader -list -readonly "$results" \
      'SELECT json FROM lines ORDER BY number DESC LIMIT 1') || true ;;
  lines) last=$(tail -n 1 "$results" 2>/dev/null || true) ;;
esac
case $last in
  *'"complete":true'*'"schema":"probe-scan/1"'*) exit 0 ;;
esac
[ "$code" -ne 0 ] || code=75
exit "$code"
