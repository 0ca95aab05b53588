#!/usr/bin/env bash
# make.sh [REPLAY...]: makes the certificates of the replays anew, with new keys; the files here were made by it.
#
# They have the shape and the dates of the real ones: a root that expires, the newer root with a certificate of its own and one
# across from the old root, an intermediate below the newer, and a server's certificate.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
digest=sha256

# wanted REPLAY: true for those that are named, or for all.
asked=" $* "
wanted() { [[ $asked == "  " || $asked == *" $1 "* ]] && rm -f "$work"/*.pem "$work"/*.key && mkdir -p "$1"; }

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
default_md = $digest
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
authorityInfoAccess = caIssuers;URI:http://issuers.test/sub.der
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
    wanted "$1" || return 0
    certificate old "$2" old - 20000530104838Z "$3" authority
    certificate new "$4" new - 20150604110438Z 20350604110438Z authority
    certificate cross "$4" new old 20000630104838Z "$5" authority
    certificate sub "$6" sub new 20181102000000Z 20301231235959Z authority
    certificate leaf shop.test leaf sub "$7" "$8" server
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

# A leaf signed with SHA-1 before 2016, when authorities had to stop, and the same with SHA-256.
if wanted 2017-sha1; then
    certificate root 'Root G1' root - 20100101000000Z 20350101000000Z authority
    openssl genrsa -out "$work/sub.key" 2048 2> /dev/null
    certificate sub 'Server CA G1' sub root 20120101000000Z 20300101000000Z authority
    certificate new shop.test leaf sub 20150601000000Z 20171231235959Z server
    digest=sha1 certificate leaf shop.test leaf sub 20150601000000Z 20171231235959Z server
    cat "$work/leaf.pem" "$work/sub.pem" > 2017-sha1/chain.pem
    cat "$work/new.pem" "$work/sub.pem" > 2017-sha1/sha256.pem
    cat "$work/root.pem" > 2017-sha1/root.pem
fi

# 825 days, issued the day after and the day before the limit of 398, and 398 days.
if wanted 2020-lifetime; then
    certificate root 'Root G2' root - 20100101000000Z 20350101000000Z authority
    certificate sub 'Server CA G2' sub root 20180101000000Z 20300101000000Z authority
    certificate leaf shop.test leaf sub 20200902000000Z 20221205235959Z server
    certificate before shop.test leaf sub 20200830000000Z 20221202235959Z server
    certificate year shop.test leaf sub 20210902000000Z 20221004235959Z server
    for chain in leaf before year; do cat "$work/$chain.pem" "$work/sub.pem" > "2020-lifetime/$chain.pem"; done
    mv 2020-lifetime/leaf.pem 2020-lifetime/chain.pem
    cat "$work/root.pem" > 2020-lifetime/root.pem
fi

# A root that browsers no longer trust, sent by the server, and a replacement below another.
if wanted 2018-distrust; then
    certificate old 'Old Class 3 Root G5' old - 20061108000000Z 20360716235959Z authority
    certificate new 'New Global Root' new - 20061110000000Z 20311110000000Z authority
    certificate oldsub 'Old Class 3 Server CA G4' oldsub old 20131031000000Z 20231030235959Z authority
    certificate newsub 'New RSA CA 2018' newsub new 20171106000000Z 20271106000000Z authority
    certificate leaf shop.test leaf oldsub 20170601000000Z 20190601000000Z server
    certificate replaced shop.test leaf newsub 20180801000000Z 20190901000000Z server
    cat "$work/leaf.pem" "$work/oldsub.pem" "$work/old.pem" > 2018-distrust/chain.pem
    cat "$work/replaced.pem" "$work/newsub.pem" > 2018-distrust/replaced.pem
    cat "$work/old.pem" "$work/new.pem" > 2018-distrust/both-roots.pem
    cat "$work/new.pem" > 2018-distrust/new-root.pem
fi
