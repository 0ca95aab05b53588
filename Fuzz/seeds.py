#!/usr/bin/env python3
"""seeds.py FOLDER: writes the first inputs of each target, for libFuzzer to begin with: FOLDER/TARGET/seed-N.

They come from openssl, from the samples of the tests and from the examples. `fuzz.py --minimise` chooses among them.
"""

import base64
import io
import json
import pathlib
import plistlib
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
import textwrap
import zipfile

ROOT = pathlib.Path(__file__).parent.parent
FOLDER = pathlib.Path(sys.argv[1])
counts = {}


def seed(target, data):
    data = data.encode() if isinstance(data, str) else data
    (FOLDER / target).mkdir(parents=True, exist_ok=True)
    counts[target] = counts.get(target, 0) + 1
    (FOLDER / target / f"seed-{counts[target]}").write_bytes(data)


def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *map(str, arguments)], input=data, capture_output=True, check=True, cwd=work).stdout


EXTENSIONS = {
    "leaf": "subjectAltName=DNS:a.test,DNS:*.b.test,IP:127.0.0.1,IP:::1,email:a@b.test,URI:https://a.test/\n"
    "basicConstraints=CA:FALSE\nkeyUsage=digitalSignature\nextendedKeyUsage=serverAuth\ntlsfeature=status_request\n"
    "subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\ncertificatePolicies=1.2.3.4,2.23.140.1.2.1\n",
    "ca": "basicConstraints=critical,CA:TRUE,pathlen:1\nkeyUsage=critical,keyCertSign,cRLSign\n"
    "nameConstraints=critical,permitted;DNS:.test,permitted;IP:127.0.0.0/255.0.0.0,excluded;email:b.test\n"
    "policyConstraints=requireExplicitPolicy:3,inhibitPolicyMapping:0\ninhibitAnyPolicy=1\n"
    "certificatePolicies=2.5.29.32.0\npolicyMappings=1.2.3.4:1.2.3.5\nsubjectKeyIdentifier=hash\n",
    "signer": "keyUsage=digitalSignature\nextendedKeyUsage=OCSPSigning\nsubjectKeyIdentifier=hash\n",
    "bare": "",
}
KEYS = {
    "p256": ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"], "p384": ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"],
    "rsa": ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"], "weak": ["RSA", "-pkeyopt", "rsa_keygen_bits:1024"],
    "ed25519": ["ED25519"],
}


def certificate(name, key, extensions, issuer=None, more=()):
    openssl("req", "-new", "-key", f"{key}.key", "-subj", f"/C=NL/O=Lab/CN={name}.test", "-out", "request")
    (work / "extensions").write_text(EXTENSIONS[extensions])
    signing = ["-CA", f"{issuer}.pem", "-CAkey", "p256.key"] if issuer else ["-key", f"{key}.key"]
    openssl(
        "x509", "-req", "-in", "request", "-days", 90, "-extfile", "extensions", *signing, *more, "-out", f"{name}.pem")
    return openssl("x509", "-in", f"{name}.pem", "-outform", "DER")


def certificates():
    for name, options in KEYS.items():
        openssl("genpkey", "-algorithm", *options, "-out", f"{name}.key")
    made = [certificate("ca", "p256", "ca")]
    made += [certificate(f"{key}-leaf", key, "leaf", "ca") for key in KEYS]
    made += [certificate("bare", "p256", "bare"), certificate("sha1", "rsa", "leaf", more=["-sha1"])]
    made.append(certificate("pss", "rsa", "leaf", more=["-sigopt", "rsa_padding_mode:pss"]))
    made.append(certificate("signer", "p384", "signer", "ca"))
    for der in made:
        seed("der-walk", der)
        seed("certificate", der)
        seed("profile-material", b"\x01" + der)
    for name in ("ca", "p256-leaf", "signer"):
        pem = (work / f"{name}.pem").read_bytes()
        seed("pem-text", pem)
        seed("profile-material", b"\x00" + pem)
    seed("pem-text", openssl("x509", "-in", "p256-leaf.pem", "-trustout", "-addtrust", "serverAuth"))
    seed("pem-text", made[1])
    for key in ("p256", "ed25519", "rsa"):
        public = openssl("pkey", "-in", f"{key}.key", "-pubout")
        der = openssl("pkey", "-in", f"{key}.key", "-pubout", "-outform", "DER")
        seed("pem-text", public)
        seed("der-walk", der)
        seed("profile-material", b"\x02" + public)
        seed("profile-material", b"\x03" + der)


def revocations():
    """A list by `openssl ca`, and responses by `openssl ocsp`, both out of one index of certificates."""
    serial = openssl("x509", "-in", "p256-leaf.pem", "-noout", "-serial").decode().strip().split("=")[1]
    (work / "ca.cnf").write_text(
        "[ca]\ndefault_ca=own\n[own]\ndatabase=index\ncrlnumber=number\ndefault_md=sha256\ndefault_crl_days=30\n"
        "crl_extensions=list\n[list]\nauthorityKeyIdentifier=keyid\nissuingDistributionPoint=critical,@point\n"
        "[point]\nfullname=URI:http://a.test/crl\nonlyuser=TRUE\n")
    for status, since, reason in (("V", "", ""), ("R", "260101000000Z", ""), ("R", "260101000000Z", ",keyCompromise")):
        line = f"{status}\t281231235959Z\t{since}{reason}\t{serial}\tunknown\t/CN=a.test\n"
        (work / "index").write_text(line)
        (work / "number").write_text("01\n")
        common = ["ca", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "p256.key", "-gencrl"]
        pem = openssl(*common)
        seed("pem-text", pem)
        seed("revocation-list", openssl("crl", "-outform", "DER", data=pem))
        for signer, key in (("ca", "p256"), ("signer", "p384")):
            openssl(
                "ocsp", "-index", "index", "-CA", "ca.pem", "-rsigner", f"{signer}.pem", "-rkey", f"{key}.key",
                "-issuer", "ca.pem", "-cert", "p256-leaf.pem", "-respout", "response", "-ndays", 3)
            seed("ocsp-response", (work / "response").read_bytes())
    seed("ocsp-response", bytes.fromhex("30030a0106"))


def messages():
    for options in ([], ["-keyid"], ["-noattr"], ["-nodetach"], ["-nocerts"], ["-md", "sha512"]):
        for name, key in (("p256-leaf", "p256"), ("rsa-leaf", "rsa")):
            common = ["cms", "-sign", "-binary", "-signer", f"{name}.pem", "-inkey", f"{key}.key", *options]
            seed("cms-message", openssl(*common, "-outform", "DER", data=b"content"))
    seed("cms-message", openssl(*common, "-outform", "PEM", data=b"content"))


def name(text):
    return b"".join(bytes([len(label)]) + label.encode() for label in text.split(".") if label) + b"\0"


def record(owner, kind, data, ttl=60, group=1):
    return owner + struct.pack(">HHIH", kind, group, ttl, len(data)) + data


def replies():
    pointer, zone = b"\xc0\x0c", name("a.test")
    txt = lambda *strings: b"".join(bytes([len(each)]) + each for each in strings)
    soa = record(zone, 6, name("ns.a.test") + name("a.a.test") + struct.pack(">5I", 1, 2, 3, 4, 5))
    opt = b"\0" + struct.pack(">HHIH", 41, 1232, 0x8000, 8) + struct.pack(">HHH", 15, 4, 18) + b"no"

    def reply(answers=(), authorities=(), additional=(), code=0, flags=0x8180):
        seed("dns-message", struct.pack(
            ">6H", 7, flags | code, 1, len(answers), len(authorities), len(additional)) + name("models.a.test")
            + struct.pack(">HH", 16, 1) + b"".join([*answers, *authorities, *additional]))

    reply([record(pointer, 16, txt(b"dc,florida"))], additional=[opt])
    reply([record(pointer, 16, txt(b"dc,", b"florida")), record(pointer, 16, txt(b"\xff\0", b""))])
    reply([record(pointer, 5, name("b.a.test")), record(name("b.a.test"), 16, txt(b"dc"))])
    reply([record(pointer, 5, b"\x01b\xc0\x13"), record(b"\x01b\xc0\x13", 16, txt(b"dc"))])
    reply(authorities=[soa])
    reply(authorities=[soa], code=3)
    reply(code=2, additional=[opt])
    reply(flags=0x8380)
    forms = {
        1: b"\x7f\0\0\x01", 28: bytes(16), 2: zone, 12: zone, 15: b"\0\x01" + zone, 33: bytes(6) + zone, 39: zone,
        35: bytes(4) + txt(b"S", b"s", b"") + zone, 43: b"\0\x01\x0d\x02" + bytes(32), 52: b"\x03\x01\x01" + bytes(32),
        46: b"\0\x10\x0d\x02" + bytes(14) + zone + bytes(64), 47: zone + b"\0\x06\x40\0\0\0\0\x03", 48: b"\x01\x01\x03\x0d" + bytes(64),
        50: b"\x01\0\0\x05\x04abcd\x14" + bytes(20) + b"\0\x01\x40", 64: b"\0\x01" + zone + b"\0\x01\0\x03\x02h2",
        257: b"\0\x05issuea.test", 29: bytes(16), 42: b"\0\x01\x18\x03\x7f\0\0", 45: b"\x0a\x03\x02" + zone + b"key",
        260: b"\x0a\x03" + zone, 55: b"\x04\x02\0\x04abcdkeys" + zone, 13: txt(b"c", b"o"), 99: txt(b"v=spf1"),
    }
    for kind, data in forms.items():
        reply([record(pointer, 16, txt(b"dc"))], additional=[record(zone, kind, data)])


def frame(*blocks):
    """A frame of Zstandard whose blocks are not compressed (RFC 8878, 3.1.1)."""
    headers = (struct.pack("<I", len(block) << 3 | (block is blocks[-1]))[:3] for block in blocks)
    return b"\x28\xb5\x2f\xfd\0\x58" + b"".join(header + block for header, block in zip(headers, blocks))


def texts():
    for text in ('"dc,florida"', '"dc," "florida"', 'bare \\"x\\" "\\000\\255\\;"', '""', '"\\\\"'):
        seed("txt-text", text)
    for text in (
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "2026-07-27T00:00:00Z", "2024-02-29T23:59:59.123+01:30", "21d", "12h", "30m", "90s", "90",
            "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"):
        seed("date-text", text)
    for text in (
            "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nAge: 3\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\nRetry-After: 120\r\nContent-Length: 3\r\n\r\nabc",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
            "HTTP/1.0 200\nDate: a\n b\n\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"):
        seed("http-head", text)
    for text in (
            "a.test", "https://a.test:8443", "127.0.0.1:443,a.test", "10.0.0.0/24", "[2001:db8::/120]:853,b.test",
            "192.0.2.0/30:8443", "[::1]:443", "fe80::1%lo", "xn--bcher-kva.test",
            '{"target":"a.test:443","connect":"127.0.0.1:1","name":"b.test","service":"s","timeout":1.5,'
            '"pins":["sha256//fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYY="]}'):
        seed("scan-line", text)
    for text in (
            "a: &a [1, 2]\nb: *a\nc: {d: *a, <<: *a}\n",
            "x: &a [1,1,1,1,1,1,1,1,1]\n" + "".join(
                f"{each}: &{each} [{','.join(['*' + last] * 9)}]\n" for last, each in zip("abcd", "bcde")),
            "a: 1\na: 2\n",
            "? [a]\n: b\n",
            'text: |\n  one\n  two\nfolded: >-\n  one\n  two\nnone: ~\nempty:\nquoted: "\\x00\\u263a"\n',
            "- off\n- 0x7f\n- .inf\n- !!binary AAAA\n- 'it''s'\n",
            '{"a": [1, {"b": null}], "c": "d"}',
            "--- a\n--- b\n",
            "a: *b\n",
            "&a a: &b b\n*a : *b\n",
            "[" * 40 + "]" * 40,
            "%YAML 1.2\n---\n# none\n",
            "a: [b\n",
            "\ufeffa: b\r\n"):
        seed("yaml-node", text)
    done = '{"evidence":{},"outcome":"%s","scan":{"id":"%032x","result":%d,"results":%d},"schema":"probe/1"}\n'
    wrong = '{"fix":"f","id":"%032x","message":"m","schema":"probe-scan-error/1"}\n'
    seed("resume-file", done % ("pass", 1, 1, 1) + done % ("unreachable", 2, 1, 2) + done % ("pass", 2, 2, 2) + wrong % 3)
    seed("resume-file", done % ("unreachable", 1, 1, 1)
         + (done % ("pass", 1, 1, 1)).replace('"results":1', '"results":1,"retry":true'))
    seed("resume-file", done % ("pass", 1, 1, 1) + '{"evidence":{"a')
    seed("resume-file", "{}\n")
    one, two = (done % ("pass", 1, 1, 1)).encode(), (done % ("unreachable", 2, 1, 1)).encode()
    for packed in (frame(one + two), frame(one) + frame(two), frame(one, two, b""), frame(one, two)[:-40],
                   frame(one + two[:-20]), b"\x50\x2a\x4d\x18\3\0\0\0abc" + frame(one), frame(b"")):
        seed("resume-packed", packed)


def lines():
    der = base64.b64encode(openssl("x509", "-in", "p256-leaf.pem", "-outform", "DER")).decode()
    report = {
        "address": "127.0.0.1", "sni": "a.test", "chain": [der], "keys": [{"spki": "AAAA"}], "version": "1.3",
        "cipherSuite": "TLS_AES_128_GCM_SHA256", "group": "x25519", "alpn": "h2", "clientCertificateRequested": False,
        "trust": {"accepted": False, "problems": [{"cause": "expired", "message": "m", "nativeCode": "10", "depth": 0}]},
        "http": {"response": {"version": "h2", "status": 200, "date": ["d"]}, "duration": 0.1},
        "timings": {"connect": 0.1, "handshake": 0.2}}
    attempt = {
        "server": "127.0.0.1:53", "channel": "udp", "ednsSize": 1232, "queryID": 7, "reply": "AAAA", "duration": 0.1,
        "native": {"rcode": 0, "records": [["ZGM="]]}, "dnssec": {"state": "bogus", "reason": "r"}, "dropped": ["d"]}
    failed = {"failure": {"code": "connect-timeout", "message": "m", "alert": 40}}
    for body in (
            {"type": "hello", "protocol": 1, "kind": "transport", "name": "n", "library": "l", "version": "v",
             "capabilities": ["tls13"]},
            {"type": "handshake", "report": report}, {"type": "handshake", "report": failed},
            {"type": "key", "key": {"unreadable": "r"}}, {"type": "trust", "trust": {"accepted": True, "path": [der]}},
            {"type": "dns", "attempts": [attempt]}, {"type": "error", "message": "m"}):
        seed("program-lines", json.dumps({"id": 0, **body}) + "\n")


def profiles():
    """The samples of the tests, read out of their source."""
    folder = ROOT / "Tests/ProbeProfilesTests/Formats"
    source = (folder / "Samples.swift").read_text()
    values = dict(re.findall(r'static let (\w+) =?\s*"([^"\n]*)"', source))
    values |= {"KnownRoot.digiCert.cert": "0" * 64, "KnownRoot.digiCert.rawkey": "1" * 64,
               "KnownRoot.staatDerNederlanden.rawkey": "2" * 64, "twoHex.uppercased()": values["twoHex"].upper(),
               "twoHex.prefix(30)": values["twoHex"][:30], "twoHex.dropFirst(30)": values["twoHex"][30:],
               "oneHex.uppercased().prefix(56)": values["oneHex"].upper()[:56],
               "oneHex.uppercased().dropFirst(56)": values["oneHex"].upper()[56:]}
    expand = lambda text: re.sub(r"\\\(([^()]*(?:\([^()]*\)[^()]*)*)\)", lambda match: values.get(match[1], "x"), text)
    sample = {}
    for key, text in re.findall(r'static let (\w+) =?\s*"(?!"")(.*)"\n', source):
        sample[key] = expand(text).replace("\\n", "\n")
    for key, text in re.findall(r'static let (\w+)\s*=\s*(?:plist\(\s*)?"""\n(.*?)\n\s*"""', source, re.S):
        sample[key] = expand(textwrap.dedent(text))
    plist = lambda body: f'<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>{body}</dict></plist>'
    for target, key in (("profile-apple", "apple"), ("profile-trustkit", "trustKit")):
        text = plist(sample[key])
        seed(target, b"\0" + text.encode())
        seed(target, b"\0" + plistlib.dumps(plistlib.loads(text.encode()), fmt=plistlib.FMT_BINARY))
    seed("profile-android", b"\0" + sample["android"].encode())
    for key in ("okHttpLines", "okHttpKotlin"):
        seed("profile-okhttp", b"\0" + sample[key].encode())
    seed("profile-okhttp", b'\0final CertificatePinner p = new CertificatePinner.Builder().add(HOST, "sha256/' +
         values["one"].encode() + b'").build();\nstatic final String HOST = "a.test";\n')
    seed("profile-trustkit", ('\0let c: [String: Any] = [kTSKPinnedDomains: ["a.test": [kTSKPublicKeyHashes: ["%s", "%s"],'
         ' kTSKEnforcePinning: true]]]\n' % (values["one"], values["two"])))
    seed("profile-trustkit", ('\0NSDictionary *c = @{kTSKPinnedDomains: @{@"a.test": @{kTSKPublicKeyHashes: @[@"%s", @"%s"],'
         ' kTSKIncludeSubdomains: @YES}}};\n' % (values["one"], values["two"])))
    for index, key in ((0, "curl"), (1, "hpkp"), (1, "gnutls"), (2, "fingerprint"), (3, "hex"), (4, "rawKeys"), (5, "base64")):
        seed("profile-lists", bytes([index]) + sample[key].encode())
    for key in ("zone", "dig"):
        seed("profile-tlsa", b"\0" + sample[key].encode())
    seed("profile-wultra", b"\0" + sample["wultra"].encode())
    for file in ROOT.glob("Examples/*/profile*.yaml"):
        data = file.read_bytes()
        if len(data) < 4000:
            seed("profile-native", b"\0" + data)
            seed("yaml-node", data)
    pin = values["one"]
    reader = (ROOT / "Tests/ProbeProfilesTests/Native/ProfileReaderTests.swift").read_text()
    everything = re.search(r'everything\(\).*?"""\n(.*?)\n\s*"""', reader, re.S)[1]
    everything = everything.replace(r"cert:\(Pins.pin(3).digest.colonHex)", "cert:sha256:" + "0" * 64)
    seed("profile-native", "\0" + re.sub(r"\\\(Pins.text\(\d\)\)", f"sha256//{pin}", textwrap.dedent(everything)))
    seed("profile-native", '\1{"profile": 1, "pins": [{"anyOf": ["spki:sha256:%s"]}]}' % values["oneHex"])
    seed("profile-native", f"\0profile: 1\nhosts:\n  a.test:\n    pins:\n      - anyOf: [sha256//{pin}]\n")
    for text in re.findall(r'= bytes\(\s*"""(.*?)"""', (folder / "SampleApp.swift").read_text(), re.S):
        app = base64.b64decode("".join(text.split()))
        seed("app-package", b"\1" + app)
        with zipfile.ZipFile(io.BytesIO(app)) as archive:
            seed("profile-android", b"\0" + archive.read("res/xml/network_security_config.xml"))
    for kind in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", kind) as archive:
            archive.writestr("Payload/A.app/Info.plist", plist(sample["apple"]))
        seed("app-package", b"\0" + made.getvalue())


def store():
    for rows in (0, 3):
        path = work / f"store-{rows}"
        with sqlite3.connect(path) as database:
            source = (ROOT / "Sources/ProbeStore/StoreFile.swift").read_text()
            database.execute("PRAGMA page_size = 512")
            database.execute(f"PRAGMA application_id = {0x70726f62}")
            database.execute("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            database.execute("INSERT INTO grdb_migrations VALUES ('1')")
            statements = re.findall(r"CREATE TABLE .*? WITHOUT ROWID", source, re.S)
            if not statements:
                sys.exit("no schema was found in Sources/ProbeStore/StoreFile.swift")
            for statement in statements:
                database.execute(statement)
            for row in range(rows):
                key = bytes([row]) * 32
                database.execute("INSERT INTO success VALUES ('pins', ?, ?, 600)", (key, 1_790_000_000_000 - row))
                database.execute("INSERT INTO baseline VALUES (?, ?, ?, ?)", (key, key, key * 2, b""))
        database.close()
        seed("store-file", path.read_bytes())
    seed("store-file", b"")


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    for make in (certificates, revocations, messages, replies, texts, lines, profiles, store):
        make()
print(f"{sum(counts.values())} inputs for {len(counts)} targets")
