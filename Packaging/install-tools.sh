#!/usr/bin/env bash
# Installs what `make deb`, `make try` and `make image` need and this machine lacks.
set -euo pipefail

wanted=(
    # the packages, and the backends in them
    build-essential debhelper dpkg-dev fakeroot lintian
    golang-go default-jdk-headless libjansson-dev libmbedtls-dev libnss3-dev libnspr4-dev pkg-config python3
    # the roots in which they are tried, and the image
    mmdebstrap debian-archive-keyring skopeo zstd buildah
    # manual pages and completions
    mandoc zsh fish
    # the CI files, whose steps are run
    python3-yaml
)
missing=()
for package in "${wanted[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ "${#missing[@]}" -eq 0 ] && exit 0
run=()
[ "$(id -u)" -eq 0 ] || run=(sudo)
echo "Installing ${missing[*]}" >&2
"${run[@]}" apt-get update -qq
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
