#!/usr/bin/env bash
# mutants.sh PAGE PATH…: whether the unit tests would notice if the code in these folders and files were wrong.
#
# Writes mutants of the folders into a copy of the checkout, builds the copy once (again without those that do not
# compile), and runs on each mutant the suites that reach it. With SINCE=REF only mutants of lines that changed since.
#   SCRATCH  the copy (.build-mutants/checkout): kept, so that the next build is short
#   KEPT     the answers (.build-mutants/outcomes): what was noticed is not run again; without the file, everything is
#   TESTS    the test target that is run; the others are not built
#   COMPILE  the command that builds the tests of the copy
set -euo pipefail
page=$1
shift
checkout=$(cd "$(dirname "$0")/.." && pwd)
scratch=${SCRATCH:-$checkout/.build-mutants/checkout}
kept=${KEPT:-$checkout/.build-mutants/outcomes}
tests=${TESTS:-ProbeKitTests}
compile=${COMPILE:-swift build --product ProbeKitPackageTests}
# They take seconds each, and decide nothing that shorter ones do not.
busy='Hostile|RecordForm|LinearReading'

tool=(--package-path "$checkout/Mutants" --scratch-path "$checkout/.build-mutants")
${TOOL:-swift build} "${tool[@]}" --product mutants
mutants=$(swift build "${tool[@]}" --show-bin-path)/mutants

mkdir -p "$scratch"
cd "$checkout"
git ls-files --cached --others --exclude-standard | sort >"$scratch.files"
[ ! -f "$scratch.copied" ] || comm -13 "$scratch.files" "$scratch.copied" | (cd "$scratch" && xargs -r -d '\n' rm -f)
# What is mutated is written by the tool, and the package has other tests: the rest is copied if it is newer.
folders=$(printf '%s\n' "$@" | paste -sd '|')
grep -vE "^(Package\.swift$|($folders)(/.*\.swift)?$)" "$scratch.files" \
  | xargs -d '\n' cp --update --preserve=timestamps --parents --target-directory="$scratch"
mv "$scratch.files" "$scratch.copied"
package=$(cat Package.swift; echo "package.targets.removeAll { \$0.isTest && \$0.name != \"$tests\" }")
[ "$package" = "$(cat "$scratch/Package.swift" 2>/dev/null)" ] || echo "$package" >"$scratch/Package.swift"
log=$(mktemp)
trap 'rm -f "$log" "$log.diff"' EXIT
run=(--about "$(date -u +%F), at $(git rev-parse --short HEAD), with the suites of \`$tests\` but for those that take seconds.")
changed=()
if [ -n "${SINCE:-}" ]; then
  git diff --unified=0 "$SINCE" -- "$@" >"$log.diff"
  changed=(--changed "$log.diff")
  run+=(--least 95)
fi
for attempt in {1..20}; do
  "$mutants" write --scratch "$scratch" --checkout "$checkout" "${changed[@]}" "$@"
  (cd "$scratch" && $compile) >"$log" 2>&1 && break
  [ "$attempt" -lt 20 ] || { tail -20 "$log"; exit 1; }
  "$mutants" drop --scratch "$scratch" --log "$log" || { grep -m 20 error: "$log"; exit 1; }
done
"$mutants" run --scratch "$scratch" --program "$scratch/.build/debug/ProbeKitPackageTests.xctest" \
  --suites "^$tests\\." --skip "$busy" --equivalents "$checkout/Mutants/equivalents.json" --kept "$kept" \
  --output "$page" "${changed[@]}" "${run[@]}"
