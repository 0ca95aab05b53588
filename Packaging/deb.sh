#!/usr/bin/env bash
# deb.sh PROGRAM FOLDER: packages PROGRAM, which `make release` built, and the backends of Plugins as .deb files in FOLDER.
#
# DEBFULLNAME and DEBEMAIL name the maintainer, as for Debian's own tools. Needs
# what install-tools.sh installs.
set -euo pipefail
program=$(readlink -f "$1")
mkdir -p "$2"
out=$(readlink -f "$2")
cd "$(dirname "$0")/.."
. Packaging/deb-metadata.sh

export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
version=$("$program" --version)
version=$(deb_version "$version")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/probekit-$version
mkdir "$tree"
# What git knows, so that nothing that an earlier build left behind is packaged.
git ls-files -z README.md CHANGELOG.md docs Schemas Plugins Examples | tar -c --null -T - | tar -x -C "$tree"
cp -r Packaging/debian "$tree/debian"
maintainer="${DEBFULLNAME:-The ProbeKit authors} <${DEBEMAIL:-probekit@localhost}>"
with_maintainer "$maintainer" < Packaging/debian/control > "$tree/debian/control"
cp "$program" "$tree/probe"
Packaging/opened-libraries.sh "$program" > "$tree/opened-libraries"
# What it calls in them decides which versions the package asks for.
sed -n '/#define/,$s/F(\([a-zA-Z0-9_]*\))/\n\1\n/gp' Sources/CProbe*/functions.c | grep -x '[a-zA-Z0-9]*_[a-zA-Z0-9_]*' |
    sort -u > "$tree/opened-functions"
cp Examples/prometheus/blackbox.yml "$tree/blackbox.yml"
cp Examples/systemd/probe-serve.service "$tree/debian/probekit.probe-serve.service"
Packaging/pages "$program" "$tree"

page() { # PROGRAM FOLDER WHAT
    local kind=${1#probe-} name option
    kind=${kind%%-*} name=${1#probe-*-}
    option=backend
    [ "$kind" = resolver ] && option=resolver
    sed -e "s/@DATE@/$(LC_ALL=C date -u -d "@$SOURCE_DATE_EPOCH" '+%B %-d, %Y')/; s/@TITLE@/${1^^}/; s/@NAME@/$1/; s/@WHAT@/$3/" \
        -e "s/@OPTION@/$option/; s/@BACKEND@/$name/; s/@FOLDER@/$2/" Packaging/plugin.mdoc > "$tree/plugin-pages/$1.1"
}
mkdir "$tree/plugin-pages"
page probe-transport-python-ssl python-ssl "Python's ssl as a backend of probe"
page probe-resolver-dnspython python-ssl "dnspython as a backend of probe"
page probe-transport-go-tls go-tls "Go's crypto\/tls as a backend of probe"
page probe-transport-java-jsse java-jsse "Java's JSSE as a backend of probe"
page probe-transport-mbedtls mbedtls "Mbed TLS as a backend of probe"
page probe-transport-nss nss "Mozilla's NSS as a backend of probe"
page probe-resolver-glibc glibc "glibc's stub resolver as a backend of probe"

cat > "$tree/debian/changelog" <<CHANGELOG
probekit ($version) bookworm; urgency=medium

  * What changed is in /usr/share/doc/probekit/CHANGELOG.md.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGELOG

# debhelper gives Go a home of its own; its cache is the one that is there.
export GOCACHE=${GOCACHE:-${HOME:-/tmp}/.cache/go-build}
log=$work/log
if ! (cd "$tree" && dpkg-buildpackage --build=binary --no-sign --root-command=fakeroot) > "$log" 2>&1; then
    tail -60 "$log" >&2
    exit 1
fi
rm -f "$out"/probekit*.deb "$out"/probekit*.changes "$out"/probekit*.buildinfo
mv "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$out"

# Without an address of its own the maintainer's is the only thing that lintian may object to.
suppress=bogus-mail-host,bogus-mail-host-in-debian-changelog
[ -z "${DEBEMAIL:-}" ] || suppress=
lintian --allow-root --fail-on error,warning ${suppress:+--suppress-tags "$suppress"} "$out"/probekit_*.changes
