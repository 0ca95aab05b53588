#!/usr/bin/env bash
# image.sh FOLDER: makes FOLDER/image, an OCI image of the package probekit in FOLDER, without a daemon, and runs it from there.
#
# What the Containerfile makes with one. Root alone can do it. MIRROR names another mirror of Debian.
set -euo pipefail
folder=$(readlink -f "$1")
here=$(readlink -f "$(dirname "$0")")
. "$here/deepest.sh"
cd "$here/.."
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
fail() { echo "image.sh: $*" >&2; exit 1; }

work=$(mktemp -d)
server=
finish() {
    # The first process of a container ends at KILL whatever it has begun; other signals reach it only if it handles them.
    [ -z "$server" ] || { kill -KILL "$(deepest "$server")" && wait "$server"; } 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
deb=$(ls "$folder"/probekit_*.deb)
root=$work/root

mmdebstrap --quiet --variant=apt --mode=root --dpkgopt=force-unsafe-io --include=busybox-static,ca-certificates \
    --customize-hook="copy-in '$deb' '$here/rootfs.sh' /" \
    --customize-hook='chroot "$1" apt-get install -y -qq --no-install-recommends "/'"${deb##*/}"'" >/dev/null' \
    --customize-hook='chroot "$1" sh /rootfs.sh /image >/dev/null' \
    --skip=cleanup/apt --skip=cleanup/reproducible \
    bookworm "$root" "${MIRROR:-http://deb.debian.org/debian}"
image=$folder/image
"$here/oci" "$root/image" "$image" "$(dpkg-deb -f "$deb" Version)" "$(dpkg --print-architecture)"
bytes=$(du -sb "$image" | cut -f1)
echo "built $image: $((bytes / 1000000)) MB compressed"
[ "$bytes" -le 60000000 ] || fail "the image is larger than 60 MB"

# Another reader than our writer: every digest is right, and the configuration is one.
skopeo copy --quiet "oci:$image:latest" "dir:$work/copy"

# Runs the image as a container engine would: its own files, its user, its entry point.
config() { skopeo inspect --config "oci:$image:latest" | python3 -c 'import json, sys; print(*json.load(sys.stdin)["config"][sys.argv[1]])' "$1"; }
[ "$(config Entrypoint)" = /usr/bin/probe ] || fail "probe is not the entry point"
user=$(config User | tr -d ' ')
[ "$user" = 65532:65532 ] || fail "the image runs as $user"
layer=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["layers"][0]["digest"].partition(":")[2])' < "$work/copy/manifest.json")
mkdir -p "$work/files"
zstd -dcq "$work/copy/$layer" | tar -x -C "$work/files"
mkdir -p "$work/files/proc" "$work/files/dev"
inside() { USERSPEC=$user unshare --mount --pid --fork bash -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot --userspec="$USERSPEC" "$0" "$@"' "$work/files" \
    /bin/env -i $(config Env) "$@"; }
inside probe --version
! inside probe backends --format json | grep '"absence"' >&2 || fail "a backend has no library"
inside probe lab --check > "$work/lab.txt" || { cat "$work/lab.txt" >&2; fail "probe lab --check ended with $?"; }
tail -n 1 "$work/lab.txt"

# The health check of the Containerfile, against the exporter in the image.
inside probe serve --config.file /etc/probe/blackbox.yml --web.listen-address 127.0.0.1:0 > "$work/serve.txt" 2>&1 &
server=$!
until grep -q '^listening on' "$work/serve.txt"; do kill -0 "$server" 2>/dev/null || { cat "$work/serve.txt" >&2; fail "the exporter ended"; }; sleep 0.2; done
address=$(sed -nE 's/^listening on (.*)/\1/p' "$work/serve.txt")
inside wget -q -O /dev/null "$address/-/healthy" || fail "the exporter is not healthy"
# It is the first process of its container, and has to end when the engine says so.
kill -TERM "$(deepest "$server")"
wait "$server" || fail "the exporter ended with $?"
server=
echo "the exporter of the image is healthy, and ends at SIGTERM"
