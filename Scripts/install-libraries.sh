#!/usr/bin/env bash
# Installs what the build needs and this machine lacks: the C libraries behind the backends.
# With --servers also the real servers that the tests talk to, and the browser that opens pages.
set -euo pipefail

libraries=(
    libssl-dev libgnutls28-dev libcurl4-openssl-dev
    libldns-dev libc-ares-dev libunbound-dev libsqlite3-dev libxml2-dev zlib1g-dev libzstd-dev libidn2-dev libcrypt-dev
    pkg-config ca-certificates binutils
)
servers=(
    openssl gnutls-bin softhsm2 curl nginx-light haproxy apache2-bin
    nsd knot bind9 pdns-server pdns-backend-bind unbound dnsdist ldnsutils
    chromium-shell
    postfix dovecot-imapd dovecot-pop3d dovecot-lmtpd dovecot-managesieved postgresql mariadb-server-core
    slapd prosody vsftpd
    squid tinyproxy dante-server
    prometheus prometheus-blackbox-exporter sslscan
    slurm-wlm munge
    mandoc zsh fish wrk zstd sqlite3 jq publicsuffix
)
# The tools that the backends in Plugins are built with and run on.
plugins=(
    golang-go default-jdk-headless python3 python3-dnspython python3-venv python3-pip
    gcc make libmbedtls-dev libnss3-dev libnspr4-dev libjansson-dev
)
# What the clients in Plugins/clients are built with besides.
clients=(
    libwolfssl-dev libokhttp-java libokio-java nodejs libnode-dev
    cargo librust-rustls-dev librust-serde-json-dev librust-base64-dev
)
# The tools that benchmarks count and compare with, and are built by; nginx and Go for the least scanner.
bench=(valgrind openssl gnutls-bin curl sslscan ldnsutils dnsperf nsd nginx-light golang-go gcc python3 python3-venv)
# The cross compiler and emulator for the hash path of another processor.
processors=(qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross)

if ! command -v swift >/dev/null; then
    echo "ProbeKit needs Swift 6.3, and there is no 'swift' on this machine." >&2
    echo "Get it from https://www.swift.org/install/linux/ and put its usr/bin in PATH." >&2
    exit 1
fi

wanted=("${libraries[@]}")
[ "${1:-}" = "--servers" ] && wanted+=("${servers[@]}" "${plugins[@]}")

[ "${1:-}" = "--clients" ] && wanted+=("${plugins[@]}" "${clients[@]}")
[ "${1:-}" = "--bench" ] && wanted+=("${bench[@]}")
[ "${1:-}" = "--processors" ] && wanted+=("${processors[@]}")

if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian: make sure that the equivalents of these packages are installed: ${wanted[*]}" >&2
    exit 0
fi

node_has_headers='require("fs").accessSync(require("path").resolve(process.execPath, "../../include/node/node_api.h"))'
missing=()
for package in "${wanted[@]}"; do
    # nginx-light is one of several packages that bring nginx; any of them will do.
    [ "$package" = nginx-light ] && command -v nginx >/dev/null && continue
    [ "$package" = cargo ] && command -v cargo >/dev/null && continue
    # Another distributor's Node has its headers in itself, and Debian's packages can't be installed beside it.
    case "$package" in nodejs | libnode-dev) node -e "$node_has_headers" 2>/dev/null && continue ;; esac
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ "${#missing[@]}" -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ]; then
    run=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    run=(sudo)
elif command -v sudo >/dev/null && [ -t 0 ]; then
    run=(sudo)
else
    echo "These packages are missing and only root can install them: ${missing[*]}" >&2
    echo "Ask for: apt-get install ${missing[*]}" >&2
    exit 1
fi

# The servers are started by the tests, never by the system: keep apt from starting them now.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | "${run[@]}" tee "$policy" >/dev/null
    "${run[@]}" chmod +x "$policy"
    trap '"${run[@]}" rm -f "$policy"' EXIT
fi

echo "Installing ${missing[*]}" >&2
"${run[@]}" apt-get update -qq
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
