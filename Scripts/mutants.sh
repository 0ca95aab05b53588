#!/usr/bin/env bash
# mutants.sh PAGE FOLDER…: whether the unit tests would notice if the code in these folders were wrong.
#
# Writes mutants of the folders into a copy of the checkout, builds the copy once (again without those that do not
# compile), and runs on each mutant the suites that reach it. With SINCE=REF only mutants of lines that changed since.
#   SCRATCH  the copy (.build-mutants/checkout): kept, so that the next build is short
#   SUITES   a pattern of the suites that are run (those of ProbeKitTests)
#   COMPILE  the command that builds the tests of the copy
set -euo pipefail
page=$1
shift
checkout=$(cd "$(dirname "$0")/.." && pwd)
scratch=${SCRATCH:-$checkout/.build-mutants/checkout}
suites=${SUITES:-^ProbeKitTests\\.}
compile=${COMPILE:-swift build --build-tests}
# They take seconds each, and decide nothing that shorter ones do not.
busy='Hostile|RecordForm|LinearReading'

tool=(--package-path "$checkout/Mutants" --scratch-path "$checkout/.build-mutants")
${TOOL:-swift build} "${tool[@]}" --product mutants
mutants=$(swift build "${tool[@]}" --show-bin-path)/mutants

mkdir -p "$scratch"
cd "$checkout"
git ls-files --cached --others --exclude-standard | sort >"$scratch.files"
[ ! -f "$scratch.copied" ] || comm -13 "$scratch.files" "$scratch.copied" | (cd "$scratch" && xargs -r -d '\n' rm -f)
xargs -d '\n' cp --update --parents --target-directory="$scratch" <"$scratch.files"
mv "$scratch.files" "$scratch.copied"
rm -f "$scratch/mutants-excluded.json"
log=$(mktemp)
trap 'rm -f "$log" "$log.diff"' EXIT
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  "$mutants" write --scratch "$scratch" --checkout "$checkout" "$@"
  (cd "$scratch" && $compile) >"$log" 2>&1 && break
  [ "$attempt" -lt 10 ] || { tail -20 "$log"; exit 1; }
  "$mutants" drop --scratch "$scratch" --log "$log"
done

options=()
if [ -n "${SINCE:-}" ]; then
  git -C "$checkout" diff --unified=0 "$SINCE" -- "$@" >"$log.diff"
  options+=(--changed "$log.diff")
fi
"$mutants" run --scratch "$scratch" --program "$scratch/.build/debug/ProbeKitPackageTests.xctest" \
  --suites "$suites" --skip "$busy" --equivalents "$checkout/Mutants/equivalents.json" --output "$page" "${options[@]}"
