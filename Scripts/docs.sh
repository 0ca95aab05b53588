#!/usr/bin/env bash
# docs.sh MODULES FOLDER: writes the documentation of the libraries as a static site into FOLDER. A comment's link that leads nowhere
# is an error; one that names a type of another of these libraries is plain code on the page.
#
# MODULES is the folder of what `swift build` made. The compiler's own docc is enough: a plugin would be a dependency of everybody
# who uses the package.
set -euo pipefail
modules=$(readlink -f "$1")
mkdir -p "$2"
site=$(readlink -f "$2")
cd "$(dirname "$0")/.."

# Those that a module's comments link to come before it.
libraries=(
    ProbeKit ProbePins ProbeDNS ProbeTrust ProbeRoots ProbeSignatures ProbeRun ProbeReport ProbeSHA256 ProbeMatch ProbeSurvey ProbeNet
    ProbeExternal ProbeProfiles ProbeClients ProbeStore ProbeScan ProbeLab ProbeConformance ProbeConformanceTesting ProbeServe ProbeCommand
    ProbeOpenSSL TransportOpenSSL TransportGnuTLS TransportCurl TransportNIOSSL
    ResolverLDNS ResolverCAres ResolverUnbound ResolverDoH
)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

maps=()
while read -r map; do maps+=(-Xcc "-fmodule-map-file=$map"); done < <(
    find "$modules" -maxdepth 2 -name module.modulemap -path '*.build/*'
    find Sources .build/checkouts/*/Sources -name module.modulemap
)
for headers in .build/checkouts/*/Sources/*/include; do maps+=(-Xcc "-I$headers"); done
archives=()
touch "$work/links"
for library in "${libraries[@]}"; do
    graphs=$work/$library
    mkdir "$graphs"
    swift-symbolgraph-extract -module-name "$library" -I "$modules/Modules" "${maps[@]}" -target "$(uname -m)-unknown-linux-gnu" \
        -minimum-access-level public -skip-inherited-docs -skip-synthesized-members -output-dir "$graphs" 2> "$work/log" \
        || { cat "$work/log" >&2; exit 1; }
    catalogue=$(find "Sources/$library" -name '*.docc')
    docc convert ${catalogue:+"$catalogue"} --additional-symbol-graph-dir "$graphs" --output-path "$work/$library.doccarchive" \
        --fallback-display-name "$library" --fallback-bundle-identifier "$library" --transform-for-static-hosting \
        --enable-experimental-external-link-support "${archives[@]/#/--dependency=}" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    grep -E "^warning: '.*' (doesn't exist at|is ambiguous at)|^warning: .*Can't resolve" "$work/log" >> "$work/links" || true
    archives+=("$work/$library.doccarchive")
done

python3 - "$work" <<'CHECK'
import json, pathlib, re, sys

work = pathlib.Path(sys.argv[1])
types = {
    ".".join(symbol["pathComponents"])
    for file in work.glob("*/*.symbols.json") for symbol in json.loads(file.read_text())["symbols"]
}
broken = {
    line for line in (work / "links").read_text().splitlines()
    if (name := re.match(r"warning: '([^']*)'", line)) is None or name.group(1).replace("/", ".") not in types
}
if broken:
    sys.exit("links that lead nowhere:\n" + "\n".join(sorted(broken)))
CHECK

rm -rf "$site"
docc merge "${archives[@]}" --output-path "$site" --synthesized-landing-page-name ProbeKit --synthesized-landing-page-kind Package
