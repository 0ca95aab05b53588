#!/usr/bin/env bash
# containerfile.sh [FOLDER]: builds the Containerfile with buildah, without a daemon or a registry, and runs its health check.
#
# Its base images are made here: Debian's by mmdebstrap, Swift's of the same with the toolchain of this machine. FOLDER with a
# package probekit stands in for the stage `build`, which takes as long as `make deb`. Root alone can do it. MIRROR names another
# mirror of Debian; PROGRAM a file to copy the image's program to, so that `Scripts/reproducible.sh` can compare it with another build.
set -euo pipefail
here=$(readlink -f "$(dirname "$0")")
. "$here/deepest.sh"
source=$(readlink -f "$here/..")
folder=${1:+$(readlink -f "$1")}
mirror=${MIRROR:-http://deb.debian.org/debian}
fail() { echo "containerfile.sh: $*" >&2; exit 1; }

work=$(mktemp -d -p "${TMPDIR:-/var/tmp}")
server=
name=probe-containerfile-$$
run() { buildah --root "$work/storage" --runroot "$work/run" "$@"; }
finish() {
    [ -z "$server" ] || kill "$(deepest "$server")" 2>/dev/null || true
    run rm --all >/dev/null 2>&1 || true
    # The storage is mounted over itself.
    umount "$work"/storage/overlay 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
step() { printf '%4d s  %s\n' "$SECONDS" "$*"; }

# base NAME FOLDER PACKAGES: an image of bookworm with more packages, by the name that the Containerfile asks for.
base() {
    mkdir -p "$2"
    mmdebstrap --quiet --variant=minbase --mode=root --dpkgopt=force-unsafe-io --include="$3" bookworm "$2/root.tar" "$mirror"
    printf 'FROM scratch\nADD root.tar /\n%s\n' "${4:-}" > "$2/Containerfile"
    run bud --quiet --isolation chroot --tag "$1" "$2" >/dev/null
    rm "$2/root.tar"
    step "made $1"
}
mapfile -t images < <(sed -nE 's/^FROM (docker\.io[^ ]+) AS .*/\1/p' "$source/Containerfile")
[ "${#images[@]}" -eq 2 ] || fail "the Containerfile has other base images: ${images[*]}"
base "${images[1]}" "$work/debian" ca-certificates

stage=()
context=$work/context
if [ -n "$folder" ]; then
    mkdir -p "$work/build/work/.build-release/deb" "$work/build/work/Packaging"
    cp "$folder"/probekit_*.deb "$work/build/work/.build-release/deb"
    cp "$here/rootfs.sh" "$work/build/work/Packaging"
    stage=(--build-context "build=$work/build")
    mkdir "$context"
else
    toolchain=$(readlink -f "$(dirname "$(readlink -f "$(command -v swift)")")/..")
    mkdir -p "$work/swift"
    cp -al "$toolchain" "$work/swift/usr" 2>/dev/null || cp -a "$toolchain" "$work/swift/usr"
    base "${images[0]}" "$work/swift" \
        ca-certificates,binutils,git,gnupg2,libc6-dev,libcurl4-openssl-dev,libedit2,libgcc-12-dev,libpython3-dev,libsqlite3-0,libstdc++-12-dev,libxml2-dev,libncurses6,libz3-dev,pkg-config,tzdata,zlib1g-dev \
        'COPY usr /usr'
    # What is committed, with the packages that Swift fetched for it already.
    git clone -q "$source" "$context"
    rm -f "$context/.containerignore"
    mkdir -p "$context/.build-release"
    for part in repositories checkouts workspace-state.json; do
        [ ! -e "$source/.build/$part" ] || cp -a "$source/.build/$part" "$context/.build-release/"
    done
fi
run bud --isolation chroot --format docker "${stage[@]}" --tag "$name" --file "$source/Containerfile" "$context" \
    > "$work/log" 2>&1 || { tail -40 "$work/log" >&2; fail "buildah ended with an error"; }
step "built the Containerfile"

# The image as its engine would read it.
inspect() { run inspect --type image --format "$1" "$name"; }
[ "$(inspect '{{.OCIv1.Config.User}}')" = 65532:65532 ] || fail "it runs as another user"
[ "$(inspect '{{.OCIv1.Config.Entrypoint}}')" = "[/usr/bin/probe]" ] || fail "probe is not the entry point"
read -r -a check <<< "$(inspect '{{range .Docker.Config.Healthcheck.Test}}{{.}} {{end}}')"
[ "${check[0]}" = CMD ] || fail "there is no health check"

container=$(run from "$name")
inside() { run run --isolation chroot "$container" -- "$@"; }
if [ -n "${PROGRAM:-}" ]; then
    cp "$(run mount "$container")/usr/bin/probe" "$PROGRAM"
    run unmount "$container" >/dev/null
fi
inside /usr/bin/probe --version
inside /usr/bin/probe lab --check > "$work/lab.txt" || { cat "$work/lab.txt" >&2; fail "probe lab --check ended with $?"; }
tail -n 1 "$work/lab.txt"
inside grep -q '^Uid:[[:space:]]65532[[:space:]]' /proc/self/status || fail "it runs as another user"

# The container has this machine's network; the health check asks its own address there.
inside /usr/bin/probe serve --config.file /etc/probe/blackbox.yml --web.listen-address 127.0.0.1:9115 > "$work/serve.txt" 2>&1 &
server=$!
until grep -qs '^listening on' "$work/serve.txt"; do
    kill -0 "$server" 2>/dev/null || { cat "$work/serve.txt" >&2; fail "the exporter ended"; }
    sleep 0.2
done
inside "${check[@]:1}" || fail "the health check of the image failed"
echo "the health check of the image passes: ${check[*]:1}"
kill -TERM "$(deepest "$server")"
wait "$server" || fail "the exporter ended with $?"
server=
! inside "${check[@]:1}" 2>/dev/null || fail "the health check passes without the exporter"
step "the exporter ends at SIGTERM, and the health check fails without it"
