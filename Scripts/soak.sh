#!/usr/bin/env bash
# Runs `probe` for long on loopback, and kills it at random moments. Prints figures, and fails if a long scan or watch takes
# more and more memory, descriptors, threads or children, or if a kill loses or doubles anything. Builds nothing.
#
#   Scripts/soak.sh [PROBE]      default: .build-release/release/probe
#
# TARGETS of the long scan, ROUNDS of the watch (six hours, one in ten seconds), KILLS of each kind, BACKEND, SEED.
set -euo pipefail
cd "$(dirname "$0")/.."
probe=${1:-.build-release/release/probe}
targets=${TARGETS:-100000} rounds=${ROUNDS:-2160} kills=${KILLS:-500} backend=${BACKEND:-all}
RANDOM=${SEED:-1}
for tool in jq sqlite3 zstd; do
    command -v "$tool" >/dev/null || { echo "soak.sh needs $tool: make servers installs it" >&2; exit 1; }
done
folder=$(mktemp -d)
trap 'kill "${lab:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
ca=$folder/ca.pem

"$probe" lab --ca-file "$ca" > "$folder/lab" &
lab=$!
for _ in $(seq 600); do grep -q '^probe models' "$folder/lab" && break; sleep 0.1; done
# The words of the command line for an endpoint.
words() { grep '^probe' "$folder/lab" | sed -n "$(awk '/^ID /{f=1; next} f && NF==0 {exit} f {print $1}' "$folder/lab" |
    grep -nx "$1" | cut -d: -f1)p"; }
good=$(words good | grep -oE '127\.0\.0\.1:[0-9]+' | head -1)
dns=$(words model-listed | grep -oE -- '--dns-server [^ ]+' | cut -d' ' -f2)
fail() { echo "soak: $*" >&2; exit 1; }
nap() { sleep "$(awk -v n=$((RANDOM % 1000)) -v most="$1" 'BEGIN { printf "%.3f", most * n / 1000 }')"; }

# Writes what a process takes, once a quarter of a second, until it ends: KiB, descriptors, threads, children.
sample() {
    local memory threads
    while memory=$(awk '/VmRSS/ {print $2}' "/proc/$1/status" 2>/dev/null) && [ -n "$memory" ]; do
        threads=$(awk '/Threads/ {print $2}' "/proc/$1/status" 2>/dev/null) || break
        echo "$memory $(ls "/proc/$1/fd" 2>/dev/null | wc -l) $threads $(cat "/proc/$1/task/"*/children 2>/dev/null | wc -w)"
        sleep 0.25
    done
}

# Compares the most of the second third of the samples with the most of the last one.
flat() {
    awk -v name="$1" '{ for (i = 1; i <= 4; i++) v[NR, i] = $i }
        END {
            split("KiB descriptors threads children", what); split("8192 16 2 0", slack)
            for (i = 1; i <= 4; i++) {
                a = b = 0
                for (n = int(NR / 3) + 1; n <= NR; n++) if (n <= 2 * NR / 3) { if (v[n, i] > a) a = v[n, i] }
                    else if (v[n, i] > b) b = v[n, i]
                grows = b > a * 1.1 + slack[i]; bad = bad || grows
                line = line sprintf(", %s %d then %d%s", what[i], a, b, grows ? " (grows)" : "")
            }
            if (NR < 9) { line = line ", too few samples"; bad = 1 }
            print name line; exit bad
        }' "$2" || fail "$1 does not stay flat"
}

# The number of targets that a scan has a whole result of, and of those that it has twice.
done_in() { jq -rc 'select(.scan) | .scan.id' < "$1" 2>/dev/null | sort | uniq -c | awk '$1 > n {d++} END {print NR+0, d+0}' n="$2"; }

list() { awk -v n="$1" -v good="$good" 'BEGIN { for (i = 0; i < n; i++) print good ",good" i ".good.test" }'; }

long_scan() {
    list "$targets" > "$folder/long"
    local began=$SECONDS pid
    "$probe" scan --ca "$ca" --backend openssl --list "$folder/long" --timeout 30 > "$folder/out" 2> /dev/null & pid=$!
    sample "$pid" > "$folder/samples"
    wait "$pid" || true
    flat "scan of $targets targets in $((SECONDS - began)) s" "$folder/samples"
    [ "$(tail -n 1 "$folder/out" | jq -r '"\(.complete) \(.counts.targets)"')" = "true $targets" ] ||
        fail "the manifest of the long scan is another: $(tail -n 1 "$folder/out")"
}

long_watch() {
    local began=$SECONDS pid
    "$probe" watch --connect "$good" --ca "$ca" --backend "$backend" --model tampa --model-host models.test \
        --dns-server "$dns" --resolver ldns --every 0.1 --jitter 0 --rounds "$rounds" --timeout 30 --cache "$folder/watch.db" \
        --format json good.test > "$folder/out" 2> "$folder/errors" & pid=$!
    sample "$pid" > "$folder/samples"
    wait "$pid" || fail "the watch ended with $?: $(tail -n 3 "$folder/out" "$folder/errors")"
    flat "watch of $rounds rounds in $((SECONDS - began)) s" "$folder/samples"
}

# Prints the whole lines of a file, packed or not.
whole_lines() {
    case $1 in
    *.zst) zstd -dcq "$1" 2> /dev/null || true ;;
    *) cat "$1" ;;
    esac > "$folder/unpacked"
    if [ -n "$(tail -c 1 "$folder/unpacked")" ]; then head -n -1 "$folder/unpacked"; else cat "$folder/unpacked"; fi
}

killed_scans() {
    kill_scans resume
    kill_scans resume.zst
}

# Kills a scan, and goes on with it, until it is done, as often as it takes.
kill_scans() {
    local file=$folder/$1 count=0 scans=0 pid code n=500
    list "$n" > "$folder/short"
    while [ "$count" -lt "$kills" ]; do
        rm -f "$file"; : > "$folder/before"
        while :; do
            "$probe" scan --ca "$ca" --backend openssl --list "$folder/short" --timeout 30 --concurrency 4 \
                --resume "$file" > /dev/null 2> "$folder/errors" & pid=$!
            nap 1
            kill -9 "$pid" 2> /dev/null || true
            code=0; wait "$pid" 2> /dev/null || code=$?
            # Whole lines stay as they were.
            if [ -e "$file" ]; then whole_lines "$file"; fi > "$folder/after"
            [ ! -s "$folder/before" ] ||
                cmp -s -n "$(stat -c %s "$folder/before")" "$folder/before" "$folder/after" || fail "a kill of the scan lost lines"
            [ "$code" = 137 ] || break
            count=$((count + 1))
            mv "$folder/after" "$folder/before"
        done
        [ "$(done_in "$folder/after" 1)" = "$n 0" ] || fail "a killed scan has $(done_in "$folder/after" 1) of $n targets"
        [ "$(tail -n 1 "$folder/after" | jq -r '"\(.complete) \(.counts.targets)"')" = "true $n" ] ||
            fail "the manifest of a killed scan is another"
        scans=$((scans + 1))
    done
    echo "scan with --resume $1: $count kills over $scans lists of $n targets, none lost, none twice"
}

# Kills lookups that write to a store; what one that ended had written is remembered after every kill.
killed_stores() {
    local count=0 ended=0 pid code model
    # In a process of its own, which it becomes.
    look() { exec "$probe" models models.test --model "$1" --dns-server "$dns" --resolver "$2" --cache "$folder/store.db" --format json; }
    declare -A known=()
    while [ "$count" -lt "$kills" ]; do
        model=$(printf 'dc\nflorida\ntampa\natlanta\n' | sed -n "$((RANDOM % 4 + 1))p") resolver=ldns
        [ $((RANDOM % 2)) = 0 ] || resolver=cares
        if [ $((RANDOM % 8)) = 0 ]; then rm -f "$folder"/store.db*; known=(); fi
        look "$model" "$resolver" > "$folder/out" 2>> "$folder/store-errors" & pid=$!
        nap 0.4
        kill -9 "$pid" 2> /dev/null || true
        code=0; wait "$pid" 2> /dev/null || code=$?
        case $code in
        137) count=$((count + 1)) ;;
        0) ended=$((ended + 1)); known[$model/$resolver]=1 ;;
        *) fail "a lookup beside a killed one ended with $code: $(cat "$folder/out")" ;;
        esac
        [ ! -s "$folder/store-errors" ] || fail "a store is damaged: $(cat "$folder/store-errors")"
        [ ! -e "$folder/store.db" ] || [ "$(sqlite3 "$folder/store.db" 'pragma integrity_check')" = ok ] ||
            fail "a store is damaged"
        for entry in "${!known[@]}"; do
            [ $((RANDOM % 8)) != 0 ] && continue
            look "${entry%/*}" "${entry#*/}" | grep -q model-cached || fail "a success of ${entry} was lost"
        done
    done
    echo "store: $count kills beside $ended lookups that ended, every success of theirs kept, the file whole"
}

# Kills a watch with a store; the next one begins where it was, and its lines are whole.
killed_watches() {
    local count=0 pid torn
    while [ "$count" -lt "$kills" ]; do
        "$probe" watch --connect "$good" --ca "$ca" --backend openssl,gnutls --model tampa --model-host models.test \
            --dns-server "$dns" --resolver ldns --every 0.1 --jitter 50 --cache "$folder/killed.db" --format json good.test \
            > "$folder/out" 2> "$folder/errors" & pid=$!
        nap 1.5
        kill -9 "$pid" 2> /dev/null || true
        wait "$pid" 2> /dev/null || true
        count=$((count + 1))
        [ ! -s "$folder/errors" ] || fail "a watch complains: $(cat "$folder/errors")"
        jq -r '"\(.subject) \(.transport) \(.kind)"' < "$folder/out" > "$folder/seen" || fail "a watch wrote half a line"
        torn=$(sort "$folder/seen" | uniq -d)
        [ -z "$torn" ] || fail "a watch reported twice: $torn"
        [ ! -e "$folder/killed.db" ] || [ "$(sqlite3 "$folder/killed.db" 'pragma integrity_check')" = ok ] ||
            fail "the store of a watch is damaged"
    done
    "$probe" watch --connect "$good" --ca "$ca" --backend openssl,gnutls --rounds 1 --cache "$folder/killed.db" good.test \
        > "$folder/out" 2> "$folder/errors" || fail "the watch after the kills ended with $?"
    [ ! -s "$folder/errors" ] && ! grep -q drift "$folder/out" || fail "the watch after the kills: $(cat "$folder/errors" "$folder/out")"
    echo "watch: $count kills, its lines whole, none twice, its store whole"
}

for part in ${PARTS:-long_scan long_watch killed_scans killed_stores killed_watches}; do "$part"; done
