#!/usr/bin/env bash
# try.sh FOLDER [SUITE]: installs the packages in FOLDER into an empty root of a Debian suite, asks a server there, and removes them.
#
# Root alone can make such a root. Servers and clients talk over loopback; packages come from the mirror. MIRROR names another one.
set -euo pipefail
debs=$(readlink -f "$1")
suite=${2:-bookworm}
here=$(readlink -f "$(dirname "$0")")
. "$here/deepest.sh"
mirror=${MIRROR:-http://deb.debian.org/debian}

root=$(mktemp -d)
lab=
finish() {
    # Its shell first, which would report that the program was killed.
    [ -z "$lab" ] || { kill "$lab" "$(deepest "$lab")" && wait "$lab"; } 2>/dev/null || true
    umount "$root/proc" 2>/dev/null || true
    rm -rf "$root"
}
trap finish EXIT

step() { printf '%4d s  %s\n' "$SECONDS" "$*"; }
fail() { echo "try.sh: $*" >&2; exit 1; }
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
install() { inside apt-get install -y -qq --no-install-recommends "$@" >"$root/apt.log" 2>&1 || { cat "$root/apt.log" >&2; fail "apt-get install $* failed"; }; }

mmdebstrap --quiet --variant=apt --mode=root --dpkgopt=force-unsafe-io "$suite" "$root" "$mirror"
chmod 755 "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
mkdir "$root/debs"
cp "$debs"/probekit*.deb "$root/debs"
step "an empty $suite is there"

# As a new user: two commands install, the next one has a verdict.
began=$SECONDS
inside apt-get update -qq
install $(cd "$root" && ls ./debs/probekit_*.deb | sed 's,^\.,,')
step "apt-get update, apt-get install ./probekit_*.deb"
inside probe --version
! inside probe backends --format json | grep '"absence"' >&2 || fail "a backend has no library"

# `probe lab` lists its servers, then a command line for each in the same order.
inside probe lab --ca-file /root/ca.pem > "$root/lab.txt" &
lab=$!
until grep -q '^probe models' "$root/lab.txt" 2>/dev/null; do
    kill -0 "$lab" 2>/dev/null || fail "the lab ended"
    sleep 0.2
done
server() { # NAME: the command line for this server
    local row
    row=$(sed '1,/^ID /d' "$root/lab.txt" | awk -v id="$1" '$1 == id { print NR }')
    grep '^probe --connect' "$root/lab.txt" | sed -n "${row:?no server $1}p"
}
expect() { # CODE COMMAND…
    local code=0
    inside "${@:2}" > "$root/out.txt" 2>&1 || code=$?
    [ "$code" -eq "$1" ] || { cat "$root/out.txt" >&2; fail "${*:2} ended with $code, not $1"; }
}
expect 0 $(server good)
cat "$root/out.txt"
step "the first verdict: 3 commands and $((SECONDS - began)) s after the empty root"
expect 10 $(server wrong-pin)
expect 11 $(server expired)

# Pages, completions, the unit and its configuration are where they are looked for.
for path in man/man1/probe.1.gz man/man1/probe-profile-lint.1.gz bash-completion/completions/probe \
    zsh/vendor-completions/_probe fish/vendor_completions.d/probe.fish probekit/Schemas/probe-1.schema.json; do
    [ -f "$root/usr/share/$path" ] || fail "/usr/share/$path is missing"
done
[ -e "$root/lib/systemd/system/probe-serve.service" ] || [ -e "$root/usr/lib/systemd/system/probe-serve.service" ] \
    || fail "there is no unit"
expect 0 probe serve --config.file /etc/probe/blackbox.yml --config.check
step "pages, completions, unit, configuration"

# Each package with a program is a backend by its name, and asks the same server.
for deb in $(cd "$root" && ls ./debs/probekit-*.deb | sed 's,^\.,,'); do
    # They are built for bookworm; where another suite has a later release of the library below, there is no package for it.
    if [ "$suite" != bookworm ] && ! inside apt-get install --simulate "$deb" >/dev/null 2>&1; then
        step "${deb##*/} does not go with $suite's libraries"
        continue
    fi
    install "$deb"
    case $deb in
        */probekit-python_*) expect 0 $(server good) --backend python-ssl; expect 0 probe backends --plugin /usr/bin/probe-resolver-dnspython ;;
        */probekit-glibc_*) expect 0 probe backends --plugin /usr/bin/probe-resolver-glibc ;;
        *) name=${deb##*/probekit-}; expect 0 $(server good) --backend "${name%%_*}" ;;
    esac
    step "${deb##*/}"
done
[ -f "$root/usr/lib/systemd/system/probe-serve.service.d/java.conf" ] || fail "there is no drop-in for Java"

purge() { inside apt-get purge -y -qq 'probekit*' >"$root/apt.log" 2>&1 || { cat "$root/apt.log" >&2; fail "purge failed"; }; }

# The steps of the CI files, as their services would run them: they install the package, let a good server pass, and stop a bad one.
package=$(cd "$root" && ls ./debs/probekit_*.deb | sed 's,^\.,,')
mkdir "$root/app"
gate() { # CODE SERVER FILE: a copy of the package is installed by the file's own steps
    local words pin code=0
    words=$(server "$2")
    pin=${words##*--pin } pin=${pin%% *}
    words=${words#probe } words=${words%% --pin*}
    printf 'profile: 1\nservices:\n  api:\n    url: https://good.test\n    pins: [{position: leaf, anyOf: ["%s"]}]\n' "${pin/@leaf/}" > "$root/app/app.yaml"
    INPUT_PROFILE=app.yaml INPUT_ARGUMENTS=$words INPUT_PACKAGE=$package /usr/bin/python3 "$here/ci-steps" "$3" > "$root/app/steps.sh"
    inside env -C /app PROBE_PACKAGE="$package" PROBE_ARGUMENTS="$words" GITHUB_OUTPUT=/app/output bash steps.sh > "$root/out.txt" 2>&1 || code=$?
    [ "$code" -eq "$1" ] || { cat "$root/out.txt" >&2; fail "the steps of $3 ended with $code for '$2', not $1"; }
}
for file in "$here/../action.yml" "$here/../Examples/ci/gitlab-ci.yml" "$here/../Examples/ci/Jenkinsfile"; do
    purge
    gate 0 good "$file"
    [ -s "$root/app/probe.xml" ] || [ -s "$root/app/probe.sarif" ] || fail "$file wrote no report"
    gate 10 wrong-pin "$file"
    rm -f "$root/app"/probe.*
    step "the steps of ${file##*/} pass a good server and stop a bad one"
done
grep -qx 'exit-code=10' "$root/app/output" || fail "the action has no output exit-code"

hook=$(/usr/bin/python3 -c 'import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))[0]["entry"])' "$here/../.pre-commit-hooks.yaml")
sed 's/position: leaf/position: nowhere/' "$root/app/app.yaml" > "$root/app/broken.yaml"
expect 0 bash -c "$hook /app/app.yaml"
expect 65 bash -c "$hook /app/broken.yaml /app/app.yaml"
step "the hook for pre-commit lets a good profile pass, and stops a broken one"

purge
left=$(find "$root/usr" "$root/etc" "$root/lib/systemd" -iname '*probe*' ! -path '*/modprobe*' ! -name 'modprobe*' ! -name '*kprobe*' \
    ! -name '*uprobe*' ! -path "*/debs/*" 2>/dev/null | grep -v -e kernel-img -e /usr/share/perl -e /usr/lib/jvm || true)
[ -z "$left" ] || fail "left behind: $left"
step "purged, and nothing is left"
