#!/usr/bin/env python3
"""What `probe`, `curl`, `openssl s_client` and `sslyze` report about the same servers, as a page.

    Scripts/other-tools.py PROBE SSLYZE > docs/other-tools.md

The servers are on loopback and last as long as one case. Each tool is called as a person calls it who wants its whole
judgement; the calls are in `TOOLS`. It ends with 1 where a verdict of `probe` is not the one that the case expects.
"""

import contextlib
import json
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

NAME = "mail.example"
BACKENDS = ("openssl", "gnutls", "curl", "nio")
PATIENCE = 60
INJECTED = b"250 injected\r\n"

# By protocol: the greeting, the answer to each command that may come, and the go-ahead.
DIALOGUES = {
    "smtp": ("220 ready", {"EHLO": "250-mail.example\r\n250 STARTTLS"}, {"STARTTLS": "220 go"}),
    "lmtp": ("220 ready", {"LHLO": "250-mail.example\r\n250 STARTTLS"}, {"STARTTLS": "220 go"}),
    "imap": ("* OK [CAPABILITY IMAP4rev1 STARTTLS] ready",
             {"CAPABILITY": "* CAPABILITY IMAP4rev1 STARTTLS\r\nTAG OK done"}, {"STARTTLS": "TAG OK go"}),
    "pop3": ("+OK ready", {"CAPA": "+OK\r\nSTLS\r\n."}, {"STLS": "+OK go"}),
    "ftp": ("220 ready", {"FEAT": "211-Features\r\n AUTH TLS\r\n211 End"}, {"AUTH": "234 go"}),
    "nntp": ("200 ready", {"CAPABILITIES": "101 list\r\nVERSION 2\r\nREADER\r\nSTARTTLS\r\n."}, {"STARTTLS": "382 go"}),
    "sieve": ('"IMPLEMENTATION" "x"\r\n"SASL" ""\r\n"STARTTLS"\r\nOK "ready"', {}, {"STARTTLS": 'OK "go"'}),
    "postgres": (None, {}, {}),
}
STREAM = ("<?xml version='1.0'?><stream:stream from='mail.example' id='1' version='1.0' xmlns='jabber:{}' "
          "xmlns:stream='http://etherx.jabber.org/streams'><stream:features><starttls "
          "xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls></stream:features>")
STREAM_REQUEST = lambda said: b"streams" in said and said.endswith(b">")
PROCEED = (lambda said: said.endswith(b"/>"), b"<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
# Protocols that are not lines: the greeting, and each request's end with the answer to it.
EXCHANGES = {
    "xmpp": (b"", [(STREAM_REQUEST, STREAM.format("client").encode()), PROCEED]),
    "xmpp-server": (b"", [(STREAM_REQUEST, STREAM.format("server").encode()), PROCEED]),
    # The success of the message with the number 1.
    "ldap": (b"", [(lambda said: said.endswith(b"1466.20037"), bytes.fromhex("300c02010178070a010004000400"))]),
    # A first packet of protocol 10 whose capabilities include SSL; the request is 32 bytes after its header.
    "mysql": (bytes([0x4a, 0, 0, 0, 10]) + b"8.0.30\0" + bytes(4) + b"12345678\0"
              + bytes([0xff, 0xff, 33, 2, 0, 0xff, 0xc1, 21]) + bytes(10) + b"123456789012\0mysql_native_password\0",
              [(lambda said: len(said) == 36, b"")]),
    # Connection confirm: security by TLS alone.
    "rdp": (b"", [(lambda said: len(said) == 19, bytes.fromhex("030000130ed000001234000200080001000000"))]),
}
SPOKEN = {
    "curl": {"smtp", "imap", "pop3", "ftp"},
    "s_client": {"smtp", "lmtp", "imap", "pop3", "ftp", "nntp", "sieve", "postgres", "xmpp", "xmpp-server", "ldap", "mysql"},
    "sslyze": {"smtp", "imap", "pop3", "ftp", "postgres", "xmpp", "xmpp-server", "ldap", "rdp"},
}


PREFACE = """# Other tools on the same servers

Written by `make other-tools`: every tool asks the same server, on loopback, as a person asks who wants its whole judgement. The first
four columns are the verdicts of `probe check` by backend, with the finding that decides; the others are VERSIONS, each given the same
root. `can't` is a protocol that the tool does not speak, or, like `curl`'s LDAP, only with a directory behind the TLS.

How they were called: `curl -v --cacert ROOT URL`, with `--ssl-reqd` for mail; `openssl s_client -verify_return_error -verify_hostname
NAME -CAfile ROOT </dev/null`; `sslyze --certinfo --certinfo_ca_file ROOT`. Without `-verify_return_error` and `-verify_hostname`,
`s_client` ends with 0 on every certificate below.

Where they differ from `probe`, and why:

- **A client certificate that is required and not shown**: with TLS 1.3 the server refuses after the client has finished. `probe` waits
  for that. `sslyze` scans without the certificate and says that it is required, beside its verdict on the chain.
- **Clear text after the go-ahead of STARTTLS** may be an attacker's. `curl` refuses it too; `s_client` and `sslyze` drop what they have
  read together with the go-ahead, and accept. Of PostgreSQL's one byte `s_client` reads no more, and fails.
- **A server that asks for a client certificate and takes none**: a warning for `probe`, since apps behave differently there; `curl` and
  `s_client` show nothing that a script would notice.
"""


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Authority:
    """Certificates made for this run."""

    def __init__(self, folder):
        self.folder = folder
        for root in ("root", "other"):
            openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-keyout", folder / f"{root}.key",
                    "-out", folder / f"{root}.pem", "-subj", f"/CN={root} CA", "-addext",
                    "keyUsage=critical,keyCertSign,cRLSign")
        self.issue("good")
        self.issue("over", days=-1)
        self.issue("elsewhere", name="elsewhere.example")
        self.issue("untrusted", issuer="other")
        self.issue("client", usage="clientAuth")
        self.issue("stranger", issuer="other", usage="clientAuth")

    def issue(self, label, name=NAME, issuer="root", usage="serverAuth", days=20):
        base = self.folder / label
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{base}.key", "-out", f"{base}.csr", "-subj",
                f"/CN={name}")
        base.with_suffix(".key").chmod(0o600)
        base.with_suffix(".ext").write_text(
            f"subjectAltName=DNS:{name}\nextendedKeyUsage={usage}\nkeyUsage=critical,digitalSignature\n"
            "basicConstraints=critical,CA:FALSE\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n")
        openssl("x509", "-req", "-in", f"{base}.csr", "-days", days, "-extfile", f"{base}.ext", "-CA",
                self.folder / f"{issuer}.pem", "-CAkey", self.folder / f"{issuer}.key", "-CAcreateserial", "-out",
                f"{base}.pem")

    def context(self, label, asks=ssl.CERT_NONE):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / f"{label}.pem", self.folder / f"{label}.key")
        context.load_verify_locations(self.folder / "root.pem")
        context.verify_mode = asks
        return context


@contextlib.contextmanager
def serving(handle):
    """Calls `handle` with each connection, each in a thread, and yields the port."""
    listener = socket.create_server(("127.0.0.1", 0))

    def one(connection):
        connection.settimeout(PATIENCE)
        with contextlib.suppress(OSError, ValueError), connection:
            handle(connection)

    def accept():
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=one, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


@contextlib.contextmanager
def secured(context, connection):
    """The connection over TLS. A client that is refused has time to read why: a socket closed before it has read would
    take the alert back."""
    layer = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
    try:
        layer.do_handshake()
    except ssl.SSLError:
        with socket.socket(fileno=layer.detach()) as bare:
            bare.settimeout(PATIENCE)
            bare.shutdown(socket.SHUT_WR)
            while bare.recv(65536):
                pass
        raise
    with layer:
        yield layer


def web(context):
    """A server that answers each request with an empty page."""
    def handle(connection):
        with secured(context, connection) as layer:
            if layer.recv(65536):
                layer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    return handle


def starting(protocol, context, spoiled=None):
    """A server that starts TLS; `spoiled` is "refused" or "injected"."""
    greeting, answers, goes = DIALOGUES[protocol]

    def handle(connection):
        extra = INJECTED if spoiled == "injected" else b""
        if greeting is None:
            connection.recv(8)
            connection.sendall(b"N" if spoiled == "refused" else b"S" + extra)
        else:
            reader = connection.makefile("rb", buffering=0)
            connection.sendall(f"{greeting}\r\n".encode())
            while True:
                words = reader.readline(4096).decode(errors="replace").split()
                if not words:
                    return
                tag, command = (words[0], words[1]) if protocol == "imap" and len(words) > 1 else ("", words[0])
                command = command.upper()
                if command in goes and spoiled != "refused":
                    connection.sendall(f"{goes[command]}\r\n".replace("TAG", tag).encode() + extra)
                    break
                if command in goes:
                    refusal = {"smtp": "454 no", "imap": f"{tag} NO no"}[protocol]
                    connection.sendall(f"{refusal}\r\n".encode())
                elif command in answers:
                    connection.sendall(f"{answers[command]}\r\n".replace("TAG", tag).encode())
                else:
                    connection.sendall(f"{tag} BAD unknown\r\n".encode() if tag else b"500 unknown\r\n")
        with secured(context, connection) as layer:
            layer.recv(65536)
    return handle


def proxying(port, demands=None):
    """A proxy that leads everything to one port; `demands` are the credentials it wants, as a header has them."""
    def handle(connection):
        head = b""
        while b"\r\n\r\n" not in head:
            more = connection.recv(4096)
            if not more:
                return
            head += more
        if demands and f"Basic {demands}".encode() not in head:
            connection.sendall(b'HTTP/1.1 407 Credentials Needed\r\nProxy-Authenticate: Basic realm="x"\r\n'
                               b"Content-Length: 0\r\nConnection: close\r\n\r\n")
            return
        with socket.create_connection(("127.0.0.1", port)) as server:
            connection.sendall(b"HTTP/1.1 200 Established\r\n\r\n")
            threading.Thread(target=copy, args=(server, connection), daemon=True).start()
            copy(connection, server)
    return handle


def exchanging(protocol, context, spoiled=None):
    """A server of a protocol that is not lines; `spoiled` is "injected"."""
    first, exchanges = EXCHANGES[protocol]

    def handle(connection):
        connection.sendall(first)
        for number, (is_whole, answer) in enumerate(exchanges, 1):
            said = b""
            # To the byte: TLS may follow at once.
            while not is_whole(said):
                more = connection.recv(1)
                if not more:
                    return
                said += more
            connection.sendall(answer + (b" injected" if spoiled == "injected" and number == len(exchanges) else b""))
        with secured(context, connection) as layer:
            layer.recv(65536)
    return handle


def socks(port, demands=None):
    """A SOCKS5 proxy (RFC 1928) that leads everything to one port; `demands` are the user and password it wants."""
    def exactly(connection, count):
        data = b""
        while len(data) < count:
            more = connection.recv(count - len(data))
            if not more:
                raise ValueError("the client is gone")
            data += more
        return data

    def handle(connection):
        methods = exactly(connection, exactly(connection, 2)[1])
        wanted = 2 if demands else 0
        if wanted not in methods:
            connection.sendall(b"\x05\xff")
            return
        connection.sendall(bytes([5, wanted]))
        if demands:
            user = exactly(connection, exactly(connection, 2)[1])
            word = exactly(connection, exactly(connection, 1)[0])
            right = f"{user.decode()}:{word.decode()}" == demands
            connection.sendall(bytes([1, 0 if right else 1]))
            if not right:
                return
        kind = exactly(connection, 4)[3]
        exactly(connection, (exactly(connection, 1)[0] if kind == 3 else {1: 4, 4: 16}[kind]) + 2)
        with socket.create_connection(("127.0.0.1", port)) as server:
            connection.sendall(b"\x05\x00\x00\x01" + bytes(6))
            threading.Thread(target=copy, args=(server, connection), daemon=True).start()
            copy(connection, server)
    return handle


def copy(source, sink):
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


class Call:
    """The question that every tool is asked: the server's port and the way to it."""

    def __init__(self, folder, port, protocol=None, identity=None, proxy=None, credentials=None, scheme="http"):
        self.folder, self.port, self.protocol, self.identity = folder, port, protocol, identity
        self.proxy, self.credentials, self.scheme = proxy, credentials, scheme
        self.ca = folder / "root.pem"


def run(*command):
    try:
        result = subprocess.run([*map(str, command)], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None, "", ""
    return result.returncode, result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")


def probe(program, call):
    """Returns the verdict of each backend."""
    command = [program, "check", "--backend", ",".join(BACKENDS), "--format", "json", "--ca", call.ca, "--timeout",
               PATIENCE, f"{NAME}:{call.port}"]
    if call.protocol:
        command += ["--starttls", call.protocol]
    if call.identity:
        command += ["--client-cert", call.folder / f"{call.identity}.pem", "--client-key",
                    call.folder / f"{call.identity}.key"]
    if call.proxy:
        command += ["--proxy", f"{call.scheme}://127.0.0.1:{call.proxy}"]
        if call.credentials:
            path = call.folder / "proxy.txt"
            path.write_text(f"{call.credentials}\n")
            path.chmod(0o600)
            command += ["--proxy-credentials", path]
    else:
        command += ["--connect", f"127.0.0.1:{call.port}"]
    _, output, errors = run(*command)
    verdicts = {}
    for line in output.splitlines():
        result = json.loads(line)
        found = [each["code"] for each in result["findings"] if each["severity"] == "error"]
        warned = [each["code"] for each in result["findings"] if each["severity"] == "warning"]
        decided = (found or warned or [""])[0]
        verdicts[result["transport"]] = f"{result['outcome']}: `{decided}`" if decided else result["outcome"]
    return [verdicts.get(backend, f"none ({errors.strip()[:60]})") for backend in BACKENDS]


def curl(call):
    if call.protocol and call.protocol not in SPOKEN["curl"]:
        return "can't"
    command = ["curl", "-sSv", "--max-time", PATIENCE, "--cacert", call.ca, "-o", "/dev/null"]
    command += [f"{call.protocol or 'https'}://{NAME}:{call.port}/"]
    if call.protocol:
        command += ["--ssl-reqd"]
    if call.identity:
        command += ["--cert", call.folder / f"{call.identity}.pem", "--key", call.folder / f"{call.identity}.key"]
    if call.proxy:
        command += ["--proxy", f"{call.scheme}://127.0.0.1:{call.proxy}"]
        if call.credentials:
            command += ["--proxy-user", call.credentials]
    else:
        command += ["--noproxy", "*", "--resolve", f"{NAME}:{call.port}:127.0.0.1"]
    code, _, errors = run(*command)
    last = ([line for line in errors.splitlines() if line.startswith("curl: ")] or ["no answer"])[-1]
    # There is no mail behind the TLS: the server ends the connection once the handshake is over.
    if code == 0 or call.protocol and "SSL certificate verify ok" in errors and "alert" not in last:
        return "accepts"
    return f"refuses: {last.removeprefix('curl: ')}"


def s_client(call):
    if call.protocol and call.protocol not in SPOKEN["s_client"] or call.scheme != "http":
        return "can't"
    command = ["openssl", "s_client", "-servername", NAME, "-verify_hostname", NAME, "-CAfile", call.ca,
               "-verify_return_error"]
    if call.protocol:
        command += ["-starttls", call.protocol, *(["-name", NAME] if "xmpp" in call.protocol else [])]
    if call.identity:
        command += ["-cert", call.folder / f"{call.identity}.pem", "-key", call.folder / f"{call.identity}.key"]
    if call.proxy:
        command += ["-connect", f"{NAME}:{call.port}", "-proxy", f"127.0.0.1:{call.proxy}"]
        if call.credentials:
            user, word = call.credentials.split(":")
            command += ["-proxy_user", user, "-proxy_pass", f"pass:{word}"]
    else:
        command += ["-connect", f"127.0.0.1:{call.port}"]
    code, output, errors = run(*command)
    if code == 0:
        return "accepts"
    for line in errors.splitlines():
        if line.startswith("verify error:"):
            return f"refuses: {line.removeprefix('verify error:')}"
    for line in errors.splitlines():
        parts = line.split(":")
        if len(parts) > 5 and parts[1] == "error":
            return f"refuses: {parts[5]}"
    return f"refuses: {(errors.strip().splitlines() or ['no answer'])[-1]}"


def sslyze(program, call):
    if call.protocol and call.protocol not in SPOKEN["sslyze"] or call.scheme != "http":
        return "can't"
    target = f"{NAME}:{call.port}" if call.proxy else f"{NAME}:{call.port}{{127.0.0.1}}"
    command = [program, "--json_out", "-", "--certinfo", "--certinfo_ca_file", call.ca]
    if call.protocol:
        command += ["--starttls", call.protocol.replace("-", "_")]
    if call.identity:
        command += ["--cert", call.folder / f"{call.identity}.pem", "--key", call.folder / f"{call.identity}.key"]
    if call.proxy:
        sign = f"{call.credentials}@" if call.credentials else ""
        command += ["--https_tunnel", f"http://{sign}127.0.0.1:{call.proxy}"]
    _, output, errors = run(*command, target)
    try:
        result = json.loads(output[output.index("{"):])["server_scan_results"][0]
    except (ValueError, IndexError, KeyError):
        return f"no answer ({errors.strip().splitlines()[-1][:80] if errors.strip() else 'nothing printed'})"
    if result["connectivity_status"] != "COMPLETED":
        found = re.findall(r"sslyze\.errors\.(\w+)", result.get("connectivity_error_trace") or "")
        return f"no connection: {found[-1] if found else 'no reason given'}"
    found = result["scan_result"]["certificate_info"]
    if found["status"] != "COMPLETED":
        trace = (found.get("error_trace") or "").strip().splitlines()
        return f"no verdict: {trace[-1] if trace else found['status']}"
    for path in found["result"]["certificate_deployments"][0]["path_validation_results"]:
        if "upplied" in path["trust_store"]["name"]:
            text = (path.get("validation_error") or "").split(" (encountered")[0]
            answer = "accepts" if path["was_validation_successful"] else f"refuses: {text}"
            asked = result["connectivity_result"]["client_auth_requirement"]
            return answer + ("" if asked == "DISABLED" else f"; client certificate {asked.lower()}")
    return "no verdict on the given root"


def cases(authority):
    """Yields each case: its group, its words, the outcome that `probe` has to have, and what to ask with."""
    folder = authority.folder

    @contextlib.contextmanager
    def direct(handle, **words):
        with serving(handle) as port:
            yield Call(folder, port, **words)

    @contextlib.contextmanager
    def proxied(demands=None, through=proxying, **words):
        with serving(web(authority.context("good"))) as port, serving(through(port, demands)) as proxy:
            yield Call(folder, port, proxy=proxy, **words)

    for label, words, outcome in [
        ("good", "a valid chain", "pass"), ("over", "an expired leaf", "trust-failed"),
        ("elsewhere", "another host's certificate", "trust-failed"),
        ("untrusted", "an issuer that is not trusted", "trust-failed"),
    ]:
        yield "TLS at once", words, outcome, direct(web(authority.context(label)))
    yield ("TLS at once", "a mail server, in clear text", "handshake-failed",
           direct(starting("smtp", authority.context("good"))))
    for asks, identity, words, outcome in [
        (ssl.CERT_REQUIRED, None, "required, none shown", "handshake-failed"),
        (ssl.CERT_REQUIRED, "client", "required, the right one shown", "pass"),
        (ssl.CERT_REQUIRED, "stranger", "required, another issuer's shown", "handshake-failed"),
        (ssl.CERT_OPTIONAL, None, "asked for, none shown", "pass-with-warnings"),
        (ssl.CERT_OPTIONAL, "client", "asked for, the right one shown", "pass"),
    ]:
        yield ("Client certificates (TLS 1.3)", words, outcome,
               direct(web(authority.context("good", asks)), identity=identity))
    for protocol in DIALOGUES:
        yield ("STARTTLS", f"{protocol}, a valid chain", "pass",
               direct(starting(protocol, authority.context("good")), protocol=protocol))
    for protocol in EXCHANGES:
        yield ("STARTTLS", f"{protocol}, a valid chain", "pass",
               direct(exchanging(protocol, authority.context("good")), protocol=protocol))
    yield ("STARTTLS", "smtp, an expired leaf", "trust-failed",
           direct(starting("smtp", authority.context("over")), protocol="smtp"))
    for protocol in ("smtp", "imap"):
        yield ("STARTTLS", f"{protocol}, refused after it was offered", "handshake-failed",
               direct(starting(protocol, authority.context("good"), "refused"), protocol=protocol))
    for protocol in ("smtp", "imap", "pop3", "ftp", "postgres"):
        yield ("STARTTLS", f"{protocol}, clear text after the go-ahead", "handshake-failed",
               direct(starting(protocol, authority.context("good"), "injected"), protocol=protocol))
    for protocol in ("xmpp", "ldap"):
        yield ("STARTTLS", f"{protocol}, clear text after the go-ahead", "handshake-failed",
               direct(exchanging(protocol, authority.context("good"), "injected"), protocol=protocol))
    yield "Proxies (CONNECT)", "open to all", "pass", proxied()
    yield "Proxies (CONNECT)", "credentials wanted and given", "pass", proxied("bWU6c2VjcmV0", credentials="me:secret")
    yield "Proxies (CONNECT)", "credentials wanted, none given", "unreachable", proxied("bWU6c2VjcmV0")
    for words, outcome, demands, credentials in [
        ("open to all", "pass", None, None), ("credentials wanted and given", "pass", "me:secret", "me:secret"),
        ("credentials wanted, none given", "unreachable", "me:secret", None),
        ("credentials wanted, others given", "unreachable", "me:secret", "me:other"),
    ]:
        yield ("Proxies (SOCKS5)", words, outcome,
               proxied(demands, socks, scheme="socks5h", credentials=credentials))


def cell(text):
    return " ".join(text.replace("|", "\\|").split())[:110]


def versions(sslyze_program):
    first = lambda *command: run(*command)[1].splitlines()[0]
    help_text = run(sslyze_program, "--help")[1]
    word = next((each for line in help_text.splitlines() for each in line.split() if each[0].isdigit() and "." in each),
                "")
    python = Path(sslyze_program).with_name("python")
    if python.exists():
        word = run(python, "-c", "import importlib.metadata as m; print(m.version('sslyze'))")[1].strip()
    return f"{' '.join(first('curl', '--version').split()[:2])}, {' '.join(first('openssl', 'version').split()[:2])}" \
           f" and sslyze {word}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, sslyze_program = sys.argv[1:]
    print(PREFACE.replace("VERSIONS", versions(sslyze_program)).rstrip())
    failed, group = 0, None
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(Path(folder))
        for title, words, outcome, place in cases(authority):
            if title != group:
                group = title
                print(f"\n## {title}\n\n| case | " + " | ".join(f"`{each}`" for each in BACKENDS)
                      + " | curl | s_client | sslyze |\n|---|" + "---|" * (len(BACKENDS) + 3))
            with place as call:
                ours = probe(program, call)
                others = [curl(call), s_client(call), sslyze(sslyze_program, call)]
            wrong = [each for each in ours if each.split(":")[0] != outcome]
            failed += bool(wrong)
            if wrong:
                print(f"{title}, {words}: expected {outcome}: {wrong}", file=sys.stderr)
            print("| " + " | ".join(map(cell, [words, *ours, *others])) + " |", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
