#!/usr/bin/env bash
# Makes the certificates and keys that the example servers present, each in its folder. They are kept in the repository, so
# that the pins in the profiles stay true; run it only to make other ones, and then put the pins it prints into the profiles.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# authority FOLDER NAME SUBJECT [ISSUER]: a CA for twenty years; without an issuer its certificate is FOLDER/NAME.pem.
authority() {
    local folder=$1 name=$2 subject=$3 issuer=${4:-$2}
    openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/$name.key"
    sign "$name" "$subject" "$issuer" 20200101000000Z 20400101000000Z "
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign, cRLSign"
    if [ "$issuer" = "$name" ]; then cp "$work/$name.crt" "$folder/$name.pem"; fi
}

# key NAME: a key that several certificates may have.
key() { [ -e "$work/$1.key" ] || openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/$1.key"; }

# server FOLDER NAME KEY ISSUER START END HOST...: FOLDER/servers/NAME.pem with key, leaf and intermediate.
server() {
    local folder=$1 name=$2 key=$3 issuer=$4 start=$5 end=$6; shift 6
    key "$key"
    if [ "$key" != "$name" ]; then cp "$work/$key.key" "$work/$name.key"; fi
    sign "$name" "/CN=$1" "$issuer" "$start" "$end" "
        basicConstraints = critical, CA:FALSE
        keyUsage = critical, digitalSignature
        extendedKeyUsage = serverAuth
        subjectAltName = $(printf 'DNS:%s,' "$@" | sed 's/,$//')"
    mkdir -p "$folder/servers"
    cat "$work/$name.key" "$work/$name.crt" >"$folder/servers/$name.pem"
    cat "$work/$name.chain" >>"$folder/servers/$name.pem"
    pins "$folder/$name" "$work/$name.crt"
}

# content FOLDER NAME SUBJECT ISSUER START END: FOLDER/signed/NAME.p7s, a signature over FOLDER/signed/manifest.json.
content() {
    local folder=$1 name=$2 subject=$3 issuer=$4 start=$5 end=$6
    key "$name"
    sign "$name" "$subject" "$issuer" "$start" "$end" "
        basicConstraints = critical, CA:FALSE
        keyUsage = critical, digitalSignature
        extendedKeyUsage = emailProtection"
    mkdir -p "$folder/signed"
    [ -e "$folder/signed/manifest.json" ] || printf '{"allowed": true}\n' >"$folder/signed/manifest.json"
    openssl cms -sign -binary -md sha256 -in "$folder/signed/manifest.json" -signer "$work/$name.crt" \
        -inkey "$work/$name.key" -outform DER -out "$folder/signed/$name.p7s"
}

# sign NAME SUBJECT ISSUER START END EXTENSIONS
sign() {
    local name=$1 subject=$2 issuer=$3 start=$4 end=$5 extensions=$6
    printf '[ca]\ndefault_ca = it\n[it]\ndatabase = %s/index\nnew_certs_dir = %s\nserial = %s/serial\nrand_serial = yes\ndefault_md = sha256\npolicy = any\nunique_subject = no\n[any]\ncommonName = supplied\norganizationName = optional\n[ext]\nsubjectKeyIdentifier = hash\n%s\n' \
        "$work" "$work" "$work" "$extensions" >"$work/config"
    if [ "$issuer" != "$name" ]; then echo 'authorityKeyIdentifier = keyid' >>"$work/config"; fi
    : >"$work/index"
    openssl req -new -key "$work/$name.key" -subj "$subject" -out "$work/$name.csr"
    local self=()
    if [ "$issuer" = "$name" ]; then self=(-selfsign); else self=(-cert "$work/$issuer.crt"); fi
    openssl ca -batch -notext -config "$work/config" -extensions ext -keyfile "$work/$issuer.key" "${self[@]}" \
        -startdate "$start" -enddate "$end" -in "$work/$name.csr" -out "$work/$name.crt" 2>"$work/log" ||
        { cat "$work/log" >&2; exit 1; }
    # The certificates that a server presents after it: its issuer and those above, without the root.
    : >"$work/$name.chain"
    if [ "$issuer" != "$name" ] && [ -e "$work/$issuer.below-root" ]; then
        cat "$work/$issuer.crt" "$work/$issuer.chain" >"$work/$name.chain"
    fi
    if [ "$issuer" != "$name" ]; then touch "$work/$name.below-root"; fi
}

# pins LABEL CERTIFICATE
pins() {
    local der; der="$work/der"
    openssl x509 -in "$2" -pubkey -noout | openssl pkey -pubin -outform der >"$der"
    printf '%-42s cert   %s\n' "$1" "$(openssl x509 -in "$2" -noout -fingerprint -sha256 | cut -d= -f2)"
    printf '%-42s spki   %s\n' "$1" "$(openssl dgst -sha256 -binary "$der" | base64)"
    printf '%-42s rawkey %s\n' "$1" "$(tail -c 65 "$der" | sha256sum | cut -d' ' -f1)"
}

# Lutheran Radio: a certificate and two keys are pinned, and the month before the certificate's end is a transition.
radio=lutheran-radio
mkdir -p $radio
authority $radio ca "/O=Example/CN=Example Radio CA"
authority $radio attacker "/O=Example/CN=Example Intercepting CA"
server $radio current radio-key ca 20250826000000Z 20260826235959Z livestream.lutheran.radio
server $radio renewed radio-key ca 20260720000000Z 20270720235959Z livestream.lutheran.radio
server $radio alternate alternate-key ca 20260720000000Z 20270720235959Z livestream.lutheran.radio
server $radio unknown-key unknown-key ca 20260720000000Z 20270720235959Z livestream.lutheran.radio
server $radio intercepted intercepted-key attacker 20250826000000Z 20270826235959Z livestream.lutheran.radio

# The AVFoundation design: one certificate is pinned, and in its last month any certificate that is trusted will do.
player=avfoundation
mkdir -p $player
authority $player ca "/O=Example/CN=Example Player CA"
authority $player attacker "/O=Example/CN=Example Intercepting CA"
server $player pinned player-key ca 20240820000000Z 20250820235959Z stream.example stream2.example
server $player next next-key ca 20250715000000Z 20260715235959Z stream.example stream2.example
server $player intercepted player-attack attacker 20240820000000Z 20270820235959Z stream.example

# Timor: raw keys of leaf, intermediate and root are pinned for every host.
timor=timor
mkdir -p $timor
authority $timor ca "/O=Example/CN=Example Timor Root"
authority $timor intermediate "/O=Example/CN=Example Timor Intermediate" ca
authority $timor next-intermediate "/O=Example/CN=Example Timor Intermediate 2" ca
authority $timor other-ca "/O=Example/CN=Example Other Root"
authority $timor attacker "/O=Example/CN=Example Intercepting CA"
server $timor leaf timor-leaf intermediate 20250101000000Z 20270101000000Z api.timor.example accounts.timor.example
server $timor renewed timor-renewed intermediate 20260101000000Z 20270701000000Z api.timor.example accounts.timor.example
server $timor moved timor-moved next-intermediate 20260101000000Z 20270701000000Z api.timor.example accounts.timor.example
server $timor elsewhere timor-elsewhere other-ca 20260101000000Z 20270701000000Z api.timor.example accounts.timor.example
server $timor intercepted timor-attack attacker 20250101000000Z 20270701000000Z api.timor.example accounts.timor.example
pins $timor/intermediate "$work/intermediate.crt"
pins $timor/ca "$work/ca.crt"

# minvws: the system's roots don't count, the certificate is compared attribute by attribute, content is signed.
minvws=minvws
mkdir -p $minvws
authority $minvws ca "/O=Example/CN=Example Government Root"
authority $minvws government "/O=Example/CN=Example Government CA" ca
authority $minvws attacker "/O=Example/CN=Example Intercepting CA"
server $minvws expected minvws-key government 20250101000000Z 20270101000000Z holder.rdobeheer.example
server $minvws renewed minvws-key government 20260101000000Z 20270701000000Z holder.rdobeheer.example
for name in expected renewed; do openssl x509 -in "$work/$name.crt" -out "$minvws/$name.pem"; done
server $minvws intercepted minvws-attack attacker 20250101000000Z 20270101000000Z holder.rdobeheer.example

# The content it fetches has to be signed by a signer below a root of signers.
authority $minvws signers-ca "/O=Example/CN=Example Signers Root"
content minvws signer "/O=Example/CN=manifest.rdobeheer.example" signers-ca 20250101000000Z 20270101000000Z
content minvws stranger "/O=Example/CN=manifest.elsewhere.example" signers-ca 20250101000000Z 20270101000000Z
printf '{"allowed": false}\n' >"$minvws/signed/tampered.json"

# ecall: three services, each with raw keys of its own, in three environments.
ecall=ecall
mkdir -p $ecall
authority $ecall ca "/O=Example/CN=Example Call Root"
authority $ecall outer "/O=Example/CN=Example Call Outer CA" ca
authority $ecall inner "/O=Example/CN=Example Call Inner CA" outer
authority $ecall attacker "/O=Example/CN=Example Intercepting CA"
for service in api socket janus; do
    server $ecall $service ecall-$service ca 20250101000000Z 20270101000000Z $service.ecall.example
done
server $ecall api-backup ecall-api-backup ca 20260101000000Z 20270701000000Z api.ecall.example
server $ecall api-unknown ecall-api-unknown ca 20260101000000Z 20270701000000Z api.ecall.example
server $ecall staging ecall-staging ca 20250101000000Z 20270101000000Z api.staging.ecall.example
server $ecall dev ecall-dev ca 20250101000000Z 20270101000000Z api.dev.ecall.example
server $ecall deep ecall-deep inner 20250101000000Z 20270101000000Z janus.ecall.example
server $ecall intercepted ecall-attack attacker 20250101000000Z 20270101000000Z api.ecall.example api.dev.ecall.example
pins $ecall/outer "$work/outer.crt"
pins $ecall/ca "$work/ca.crt"
