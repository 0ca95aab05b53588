"""dnspython writes queries and reads replies; sockets, forged replies and the deadline are looked after here.

dns.query would do the exchange too, but it gives up at the first datagram of a stranger, or hides that there was one.
"""

import base64
import queue
import secrets
import socket
import struct
import threading
import time

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.rdataclass
import dns.rdatatype
import dns.version

CAPABILITIES = [
    "raw-reply", "chosen-servers", "zoned-servers", "tcp-on-truncation", "edns-size", "without-edns", "failure-reasons",
]

_HEADER = 12
_FORMERR, _SERVFAIL, _NOTIMP, _REFUSED = 1, 2, 4, 5
# The longest wait before the next try begins, in seconds.
_PATIENCE = 5
# The time that a cancelled try has to end, in seconds.
_GRACE = 0.2


def version():
    return dns.version.version


def dns_query(request, deadline):
    """A dns-query request. A try goes on while the next one is under way: its answer may be late."""
    name, _ = dns.name.from_wire(base64.b64decode(request["wireName"]), 0)
    tries, over, waiting = [], queue.SimpleQueue(), request["servers"] * max(1, request["tries"])
    under_way, is_due, answered = 0, True, None
    while answered is None:
        left = deadline.end - time.monotonic()
        if is_due and waiting and (not tries or left > 0):
            is_due, due = False, time.monotonic() + min(left / len(waiting), _PATIENCE)
            tries.append(_Try(waiting.pop(0), name, request["ednsSize"], deadline.end, over))
            tries[-1].start()
            under_way += 1
        if under_way == 0:
            break
        try:
            ended = over.get(timeout=None if is_due or not waiting else max(0, due - time.monotonic()))
        except queue.Empty:
            is_due = True
            continue
        under_way -= 1
        is_due = is_due or ended is tries[-1]
        if ended.verdict == "settled":
            answered = ended
        elif ended.verdict == "hopeless":
            waiting = [server for server in waiting if server != ended.server]
    for one in tries:
        one.give_up()
    tries.sort(key=lambda one: one is answered)
    return {"attempts": [attempt for one in tries for attempt in one.attempts]}


class _Try(threading.Thread):
    """One try at one server, on a thread of its own."""

    def __init__(self, server, name, size, end, over):
        super().__init__(daemon=True)
        self.server, self.attempts, self.verdict = server, [], None
        self._name, self._size, self._over, self._wait = name, size, over, _Wait(end)

    def run(self):
        self.verdict = _ask(self.server, self._name, self._size, self._wait, self.attempts)
        self._over.put(self)

    def give_up(self):
        """Another try was answered, or all are over. A connection that is not open yet blocks nothing."""
        self._wait.give_up()
        self.join(_GRACE)


class _Wait:
    """How long a try may go on; it can be cut short."""

    def __init__(self, end):
        self._end, self._socket, self._lock = end, None, threading.Lock()

    def left(self):
        """How many seconds are left; raises TimeoutError when there are none."""
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds

    def watch(self, connection):
        """Names the socket that the try waits for."""
        with self._lock:
            self._socket = connection

    def give_up(self):
        with self._lock:
            self._end = 0
            if self._socket is not None and self._socket.fileno() >= 0:
                # A reader of the socket then reads the end.
                try:
                    self._socket.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


def _ask(server, name, size, wait, attempts):
    """Asks one server, again over TCP or without EDNS as its replies demand, and returns the result."""
    channel = "udp"
    while True:
        attempt, reply = _exchange(server, name, size, channel, wait)
        attempts.append(attempt)
        if reply is None:
            return "hopeless" if attempt["failure"]["code"] == "bad-query" else "undecided"
        code = _response_code(reply)
        if size is not None and _refuses_edns(reply):
            size = None
        elif reply[2] & 2 and channel == "udp":
            channel = "tcp"
        elif code in (0, 3):
            return "settled"
        else:
            return "undecided" if code == _SERVFAIL else "hopeless"


def _response_code(reply):
    """With the OPT record's bits, where the reply can be read so far."""
    try:
        return dns.message.from_wire(reply).rcode()
    except (dns.exception.DNSException, ValueError):
        return reply[3] & 15


def _refuses_edns(reply):
    """FORMERR or NOTIMP from a server that shows no OPT record (RFC 6891 section 7)."""
    if reply[3] & 15 not in (_FORMERR, _NOTIMP):
        return False
    if len(reply) == _HEADER:
        return True
    try:
        return dns.message.from_wire(reply).edns < 0
    except (dns.exception.DNSException, ValueError):
        return False


def _exchange(server, name, size, channel, wait):
    start, dropped, reply, failure = time.monotonic(), [], None, None
    query = dns.message.make_query(
        name, dns.rdatatype.TXT, use_edns=False if size is None else 0, payload=size or 0)
    query.id = secrets.randbits(16)
    try:
        carry = _over_udp if channel == "udp" else _over_tcp
        reply = carry(_address(server), query, wait, dropped)
    except _NoInterface:
        failure = {"code": "bad-query", "message": f"{_text(server)} is on an interface that this machine does not have"}
    except TimeoutError:
        failure = {"code": "timeout", "message": "there was no reply in time"}
    except ConnectionRefusedError:
        failure = {"code": "connection-refused", "message": "nothing listens on the port"}
    except (ConnectionError, EOFError) as error:
        failure = {"code": "connection-closed", "message": f"the connection ended before the reply: {error}"}
    except ValueError as error:
        failure = {"code": "tcp-framing", "message": str(error)}
    except OSError as error:
        failure = {"code": "network-unreachable", "message": f"there is no way to the server: {error.strerror}"}
    return {
        "server": _text(server), "channel": channel, "ednsSize": size, "queryID": query.id,
        "reply": None if reply is None else base64.b64encode(reply).decode(), "dropped": dropped,
        "native": None if reply is None else _native(reply), "dnssec": None, "failure": failure,
        "duration": time.monotonic() - start,
    }, reply


class _NoInterface(Exception):
    """The server's zone names an interface that this machine does not have."""


def _text(server):
    """A server as a person writes it."""
    zone = f"%{server['zone']}" if "zone" in server else ""
    host = f"[{server['host']}{zone}]" if ":" in server["host"] else server["host"]
    return f"{host}:{server['port']}"


def _address(server):
    """A server as sockets take it."""
    if ":" not in server["host"]:
        return server["host"], server["port"]
    zone = server.get("zone", "0")
    try:
        scope = int(zone) if zone.isdigit() else socket.if_nametoindex(zone)
    except OSError as error:
        raise _NoInterface from error
    return server["host"], server["port"], 0, scope


def _native(reply):
    """dnspython's own parse, each record by itself: a set would lose one that is there twice.

    It judges values as well, such as the length of a digest by its algorithm, and would refuse a whole reply for a record
    that nobody asked for. Such a record alone is left out.
    """
    try:
        message = dns.message.from_wire(reply, one_rr_per_rrset=True, continue_on_error=True)
    except (dns.exception.DNSException, ValueError) as error:
        return {"unreadable": f"{type(error).__name__}: {error}"}
    read = sum(len(section) for section in message.sections[1:]) + (message.opt is not None)
    if read + len(message.errors) != sum(struct.unpack(">3H", reply[6:_HEADER])):
        return {"unreadable": "; ".join(f"{type(e.exception).__name__}: {e.exception}" for e in message.errors[:3])}
    records = [
        [base64.b64encode(text).decode() for text in record.strings]
        for answer in message.answer
        if answer.rdtype == dns.rdatatype.TXT and answer.rdclass == dns.rdataclass.IN
        for record in answer
    ]
    return {"rcode": int(message.rcode()), "records": records}


def _reason_to_drop(reply, query):
    """Why a message is not the reply to a query; None when it is."""
    if len(reply) < _HEADER:
        return f"{len(reply)} bytes are not a message"
    if not reply[2] & 0x80:
        return "a query, not a reply"
    if int.from_bytes(reply[:2], "big") != query.id:
        return "wrong id"
    # From servers that could not read the query.
    if len(reply) == _HEADER and reply[3] & 15 in (_FORMERR, _SERVFAIL, _NOTIMP, _REFUSED):
        return None
    try:
        asked = dns.message.from_wire(reply, question_only=True).question
    except (dns.exception.DNSException, ValueError) as error:
        return f"unreadable question: {error}"
    return None if asked == query.question else "wrong question"


def _over_udp(server, query, wait, dropped):
    # Connected, so that the kernel drops what comes from elsewhere.
    with socket.socket(socket.AF_INET6 if ":" in server[0] else socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.connect(server)
        wait.watch(udp)
        udp.send(query.to_wire())
        while True:
            udp.settimeout(wait.left())
            reply = udp.recv(65535)
            reason = _reason_to_drop(reply, query)
            if reason is None:
                return reply
            wait.left()
            dropped.append(reason)


def _over_tcp(server, query, wait, dropped):
    wire = query.to_wire()
    with socket.socket(socket.AF_INET6 if ":" in server[0] else socket.AF_INET, socket.SOCK_STREAM) as tcp:
        tcp.settimeout(wait.left())
        tcp.connect(server)
        wait.watch(tcp)
        tcp.sendall(struct.pack(">H", len(wire)) + wire)
        while True:
            length = struct.unpack(">H", _receive(tcp, 2, wait))[0]
            if length < _HEADER:
                raise ValueError(f"{length} bytes are not a message")
            reply = _receive(tcp, length, wait)
            reason = _reason_to_drop(reply, query)
            if reason is None:
                return reply
            dropped.append(reason)


def _receive(tcp, count, wait):
    data = bytearray()
    while len(data) < count:
        tcp.settimeout(wait.left())
        piece = tcp.recv(count - len(data))
        if not piece:
            wait.left()
            raise EOFError("the server closed it")
        data += piece
    return bytes(data)
