#!/bin/sh
# shard.sh INDEX COUNT LIST RESULTS [OPTION…]: one part of a list, begun or continued.
#
# Ends with 0 when every target of the part has its lines in RESULTS by the manifest that this run added, whatever the
# verdicts are: a scheduler repeats what fails, and a verdict is a result. Anything else ends with the command's exit
# code, or with 75: a run that fails does so even where an earlier one was complete.
#   PROBE  the command (probe); RESULTS that are packed (.zst) are read by zstd, and a database's (.sqlite) by sqlite3
set -eu
[ "$#" -ge 4 ] || { echo "usage: shard.sh INDEX COUNT LIST RESULTS [OPTION…]" >&2; exit 64; }
index=$1 count=$2 list=$3 results=$4
shift 4
case $(printf %s "$results" | tr '[:upper:]' '[:lower:]') in
  *.zst) form=packed reader=zstd ;;
  *.sqlite | *.sqlite3) form=database reader=sqlite3 ;;
  *) form=lines reader=grep ;;
esac
command -v "$reader" >/dev/null || {
  echo "shard.sh: $results is read by $reader, which is missing; install it" >&2
  exit 64
}

# Prints the number of manifests in the results that say that the part is complete. A run adds one at most, and the
# command never removes one, unlike the end of a file that a killed run left: the last line alone may be an older run's.
# The dot keeps a manifest that lacks its line break from counting.
manifests() {
  [ -s "$results" ] || { echo 0; return; }
  if [ "$form" = database ]; then
    # Settings in a user's own files for sqlite3 are left out.
    sqlite3 -init /dev/null -batch -noheader -list -readonly "$results" \
      "SELECT count(*) FROM lines WHERE schema = 'probe-scan/1' AND json LIKE '%\"complete\":true%'"
    return
  fi
  {
    # A frame that a killed run left open is read as far as it goes.
    if [ "$form" = packed ]; then zstd -dcq "$results" || true; else cat "$results"; fi
    echo .
  } | LC_ALL=C grep -ac '"complete":true.*"schema":"probe-scan/1".*}$' || true
}

# As the first process of a container, a shell without a trap would ignore the signal and begin the scan.
trap 'exit 75' TERM INT HUP
# Results that can't be read now have no manifest that is known to be new. The command says what is wrong with them.
before=$(manifests 2>/dev/null) || before=999999999

"${PROBE:-probe}" scan --list "$list" --shard "$index/$count" --resume "$results" "$@" &
scan=$!
trap 'kill -TERM "$scan" 2>/dev/null || true' TERM INT HUP
code=0
wait "$scan" || code=$?
# A signal ends the wait before it ends the scan, which writes its manifest first.
while kill -0 "$scan" 2>/dev/null; do
  code=0
  wait "$scan" || code=$?
done

# The scan has ended: a signal that comes now must not make a failure of a part that is complete.
trap '' TERM INT HUP
after=$(manifests) || after=0
[ "$after" -le "$before" ] || exit 0
[ "$code" -ne 0 ] || code=75
exit "$code"
