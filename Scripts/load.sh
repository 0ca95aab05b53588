#!/usr/bin/env bash
# load.sh PROGRAM [SECONDS]: wrk scrapes `probe serve` about 2000 targets on loopback, and every answer has to be there and be right.
#
# The targets are 2000 addresses of 127.0.0.0/8 at which one nginx answers. Memory is compared when each was asked four times, and when
# SECONDS, two minutes when not given, are over.
set -euo pipefail
program=$(readlink -f "$1")
seconds=${2:-120}
targets=2000
work=$(mktemp -d)
pids=()
finish() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
fail() { echo "load.sh: $*" >&2; exit 1; }
cd "$work"

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -subj '/CN=Load CA' -days 30 \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign 2>/dev/null
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout leaf.key -out leaf.csr -subj '/CN=load.test' 2>/dev/null
openssl x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -out leaf.pem -days 20 -extfile <(printf '%s\n' subjectAltName=DNS:load.test \
    basicConstraints=critical,CA:FALSE keyUsage=critical,digitalSignature extendedKeyUsage=serverAuth) 2>/dev/null

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("0.0.0.0", 0)); print(s.getsockname()[1])')
cat > nginx.conf <<NGINX
daemon off; pid nginx.pid; error_log error.log; worker_processes 1;
events { worker_connections 4096; }
http {
    access_log off; client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;
    server { listen $port ssl backlog=4096; ssl_certificate leaf.pem; ssl_certificate_key leaf.key; return 204; }
}
NGINX
nginx -p "$work" -c nginx.conf 2>nginx.log &
pids+=($!)
printf 'modules: {load: {prober: tcp, timeout: 60s, tcp: {tls: true, tls_config: {ca_file: ca.pem, server_name: load.test}}}}\n' > serve.yml
"$program" serve --config.file serve.yml --web.listen-address 127.0.0.1:0 --allow-network 127.0.0.0/8 > serve.log 2>&1 &
server=$!
pids+=("$server")
until grep -q '^listening on' serve.log && [ -s nginx.pid ]; do
    # kill succeeds if one of several is there.
    for pid in "${pids[@]}"; do kill -0 "$pid" 2>/dev/null || { cat nginx.log serve.log >&2; fail "a server ended"; }; done
    sleep 0.2
done
address=$(sed -nE 's/^listening on (.*)/\1/p' serve.log)

# One thread of wrk, so that its numbers are in one place.
cat > scrape.lua <<LUA
local asked, passed, other = 0, 0, {}
function request()
    asked = asked + 1
    local n = asked % $targets
    return wrk.format("GET", string.format("/probe?module=load&target=127.0.%d.%d:$port", 1 + math.floor(n / 250), 1 + n % 250))
end
function response(status, headers, body)
    if status == 200 and body:find("\nprobe_success 1\n", 1, true) then
        passed = passed + 1
    else
        other[status] = (other[status] or 0) + 1
    end
    wrk.thread:set("passed", passed)
    local words = ""
    for code, count in pairs(other) do words = words .. " " .. code .. ":" .. count end
    wrk.thread:set("other", words)
end
local threads = {}
function setup(thread) table.insert(threads, thread) end
function done(summary, latency)
    local e = summary.errors
    print(string.format("passed %d, answers %d, errors of connections %d, timeouts %d, p99 %.0f ms", threads[1]:get("passed") or 0,
        summary.requests, e.connect + e.read + e.write, e.timeout, latency:percentile(99) / 1000))
    print("other:" .. (threads[1]:get("other") or ""))
end
LUA
resident() { awk '/^VmRSS/ { print $2 }' "/proc/$server/status"; }
run() { wrk --threads 1 --connections 32 --timeout 120s --duration "$1s" --script scrape.lua "$address"; }
scraped=0
for _ in {1..60}; do
    run 15 > warm.txt
    scraped=$((scraped + $(sed -nE 's/^passed ([0-9]+),.*/\1/p' warm.txt)))
    [ "$scraped" -lt $((targets * 4)) ] || break
done
[ "$scraped" -ge $((targets * 4)) ] || fail "only $scraped scrapes passed in a quarter of an hour, before the load"
before=$(resident)
run "$seconds" > load.txt
after=$(resident)
grep -hE '^(passed|other|Requests/sec)' load.txt
echo "memory: $((before / 1024)) MB, then $((after / 1024)) MB"
echo "descriptors: $(ls "/proc/$server/fd" | wc -l)"

read -r passed answers < <(sed -nE 's/^passed ([0-9]+), answers ([0-9]+), errors of connections 0, timeouts 0.*/\1 \2/p' load.txt) \
    || fail "answers were lost"
[ "$passed" -ge "$targets" ] || fail "only $passed scrapes, fewer than there are targets"
[ "$passed" -ge "$answers" ] || fail "$((answers - passed)) of $answers answers were not a verdict that passes"
[ "$after" -le $((before + before / 10)) ] || fail "memory grew from $before to $after KB"
kill -TERM "$server"
wait "$server" || fail "the exporter ended with $?"
echo "nothing lost, and memory is flat"
