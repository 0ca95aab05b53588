#!/usr/bin/env bash
# make.sh: makes the certificates of the replays anew, with new keys; the files here were made by it.
#
# They have the shape and the dates of the real ones: a root that expires, the newer root with a certificate of its own and one
# across from the old root, an intermediate below the newer, and a server's certificate.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# certificate NAME SUBJECT KEY ISSUER FROM TO EXTENSIONS: issues for the key of KEY; ISSUER - is the key itself.
certificate() {
    local name=$1 subject=$2 key=$3 issuer=$4 from=$5 to=$6 kind=$7
    [ -f "$work/$key.key" ] || openssl ecparam -name prime256v1 -genkey -noout -out "$work/$key.key"
    openssl req -new -key "$work/$key.key" -subj "/O=ProbeKit Replays/CN=$subject" -out "$work/$name.csr"
    : > "$work/index"
    cat > "$work/ca.conf" <<EOF
[ca]
default_ca = here
[here]
database = $work/index
new_certs_dir = $work
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
[any]
organizationName = optional
commonName = supplied
[authority]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[server]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = DNS:shop.test
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
EOF
    local signer=(-cert "$work/$issuer.pem" -keyfile "$work/$issuer.key")
    [ "$issuer" = - ] && signer=(-selfsign -keyfile "$work/$key.key")
    openssl ca -batch -notext -config "$work/ca.conf" -extensions "$kind" -in "$work/$name.csr" -out "$work/$name.pem" \
        -startdate "$from" -enddate "$to" "${signer[@]}" 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
}

# replay FOLDER OLD-ROOT OLD-ENDS NEW-ROOT CROSS-ENDS INTERMEDIATE LEAF-FROM LEAF-TO
replay() {
    rm -f "$work"/*.pem "$work"/*.key
    certificate old "$2" old - 20000530104838Z "$3" authority
    certificate new "$4" new - 20150604110438Z 20350604110438Z authority
    certificate cross "$4" new old 20000630104838Z "$5" authority
    certificate sub "$6" sub new 20181102000000Z 20301231235959Z authority
    certificate leaf shop.test leaf sub "$7" "$8" server
    mkdir -p "$1"
    cat "$work/leaf.pem" "$work/sub.pem" "$work/cross.pem" > "$1/chain.pem"
    cat "$work/leaf.pem" "$work/sub.pem" > "$1/short.pem"
    cat "$work/leaf.pem" > "$1/leaf.pem"
    cat "$work/leaf.pem" "$work/cross.pem" "$work/sub.pem" > "$1/shuffled.pem"
    cat "$work/old.pem" "$work/new.pem" > "$1/both-roots.pem"
    cat "$work/old.pem" > "$1/old-root.pem"
    cat "$work/new.pem" > "$1/new-root.pem"
}

replay 2021-expired-root 'Old Root X3' 20210930140115Z 'New Root X1' 20240930181403Z 'Intermediate R3' \
    20210831172350Z 20211129172349Z
replay 2020-addtrust 'Old External Root' 20200530104838Z 'New RSA Authority' 20200530104838Z 'Domain Validation CA' \
    20200101000000Z 20201231235959Z
