#include "wire.h"

#include "serve.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// The most a handshake takes: the largest chain, with room for the rest. A peer that sends more never comes to an end.
enum { maximal_handshake = maximal_chain_bytes + 65536, maximal_idle_records = 32 };

/// Waits for the socket; false when the deadline passed.
static bool wait_for(int socket, short events, double deadline) {
    struct pollfd poll_socket = {.fd = socket, .events = events};
    while (true) {
        double left = deadline - clock_now();
        if (left <= 0) return false;
        int ready = poll(&poll_socket, 1, (int)(left * 1000) + 1);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return true; // The next call on the socket reports the error.
    }
}

/// The input and output of a lookup. The C library's thread may do so after the deadline: then it is left to it, and the
/// process ends with its request.
struct lookup {
    struct addrinfo hints;
    struct gaicb request;
    char service[8];
    char host[];
};

/// Looks the host up within the deadline; the caller frees what is found.
static struct addrinfo *look_up(const char *host, int port, double deadline, json_t *report) {
    struct lookup *lookup = must_allocate(sizeof *lookup + strlen(host) + 1);
    memcpy(lookup->host, host, strlen(host) + 1);
    snprintf(lookup->service, sizeof lookup->service, "%d", port);
    lookup->hints = (struct addrinfo){.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV | AI_NUMERICHOST};
    lookup->request = (struct gaicb){
        .ar_name = lookup->host, .ar_service = lookup->service, .ar_request = &lookup->hints};
    struct addrinfo *found = NULL;
    int error = getaddrinfo(lookup->host, lookup->service, &lookup->hints, &found);
    if (error != 0) {
        struct gaicb *requests[] = {&lookup->request};
        lookup->hints.ai_flags = AI_NUMERICSERV;
        error = getaddrinfo_a(GAI_NOWAIT, requests, 1, NULL);
        while (error == 0 && gai_error(&lookup->request) == EAI_INPROGRESS) {
            double left = deadline - clock_now();
            if (left <= 0) {
                report_fail(report, "name-lookup-failed", NULL, -1, "looking %s up took longer than the deadline", host);
                return NULL;
            }
            struct timespec limit = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
            gai_suspend((const struct gaicb *const *)requests, 1, &limit);
        }
        if (error == 0) error = gai_error(&lookup->request);
        found = lookup->request.ar_result;
    }
    free(lookup);
    if (error == 0) return found;
    const char *code = error == EAI_NONAME || error == EAI_NODATA ? "name-not-found" : "name-lookup-failed";
    report_fail(report, code, NULL, -1, "%s: %s", host, gai_strerror(error));
    return NULL;
}

/// Connects; 0 or the error.
static int connect_to(const struct addrinfo *address, double deadline, int *result) {
    int handle = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
    if (handle < 0) return errno;
    int error = connect(handle, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
    if (error == EINPROGRESS) {
        socklen_t size = sizeof error;
        if (!wait_for(handle, POLLOUT, deadline)) error = ETIMEDOUT;
        else if (getsockopt(handle, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    }
    if (error != 0) {
        close(handle);
        return error;
    }
    int yes = 1;
    setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    *result = handle;
    return 0;
}

static void report_address(json_t *report, const struct addrinfo *address) {
    char host[INET6_ADDRSTRLEN + 32], service[8], text[sizeof host + sizeof service + 4];
    if (getnameinfo(address->ai_addr, address->ai_addrlen, host, sizeof host, service, sizeof service,
            NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        return;
    }
    snprintf(text, sizeof text, address->ai_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, service);
    report_text(report, "address", text);
}

bool wire_dial(struct wire *wire, const char *host, int port, double deadline, json_t *report) {
    *wire = (struct wire){.socket = -1, .deadline = deadline};
    double start = clock_now();
    struct addrinfo *addresses = look_up(host, port, deadline, report);
    if (addresses == NULL) return false;
    int error = 0;
    for (const struct addrinfo *address = addresses; address != NULL && wire->socket < 0; address = address->ai_next) {
        int left = 0;
        for (const struct addrinfo *other = address; other != NULL; other = other->ai_next) left += 1;
        double share = (deadline - clock_now()) / left;
        error = connect_to(address, clock_now() + share, &wire->socket);
        if (error == 0) report_address(report, address);
    }
    freeaddrinfo(addresses);
    if (wire->socket >= 0) {
        report_duration(report, "connect", clock_now() - start);
        return true;
    }
    const char *code = error == ECONNREFUSED ? "connection-refused"
                     : error == ETIMEDOUT    ? "connect-timeout"
                     : error == ECONNRESET   ? "connection-reset"
                                             : "network-unreachable";
    report_fail(report, code, NULL, -1, "%s port %d: %s", host, port, strerror(error));
    return false;
}

ssize_t wire_read(struct wire *wire, void *buffer, size_t size) {
    while (wire->end == WIRE_OPEN) {
        if (!wait_for(wire->socket, POLLIN, wire->deadline)) {
            wire->end = WIRE_TIMED_OUT;
            break;
        }
        ssize_t count = recv(wire->socket, buffer, size, 0);
        if (count > 0) {
            tap_feed(&wire->tap, buffer, (size_t)count);
            wire->received += (size_t)count;
            bool is_flood = wire->received > maximal_handshake || wire->tap.idle_records > maximal_idle_records;
            if (!is_flood && !wire->tap.not_tls) return count;
            wire->end = is_flood ? WIRE_FLOODED : WIRE_BROKEN; // A library might wait for the rest of such a record.
            break;
        }
        if (count == 0) wire->end = WIRE_CLOSED; // The rest of our data can still be sent.
        else if (errno == ECONNRESET) wire->end = WIRE_RESET;
        else if (errno != EAGAIN && errno != EINTR) wire->end = WIRE_BROKEN;
    }
    return wire->end == WIRE_CLOSED ? 0 : -1;
}

ssize_t wire_write(struct wire *wire, const void *buffer, size_t size) {
    while (wire->end == WIRE_OPEN || wire->end == WIRE_CLOSED) {
        if (!wait_for(wire->socket, POLLOUT, wire->deadline)) {
            wire->end = WIRE_TIMED_OUT;
            break;
        }
        ssize_t count = send(wire->socket, buffer, size, MSG_NOSIGNAL);
        if (count > 0) return count;
        if (errno == ECONNRESET || errno == EPIPE) wire->end = WIRE_RESET;
        else if (errno != EAGAIN && errno != EINTR) wire->end = WIRE_BROKEN;
    }
    return -1;
}

bool wire_report_end(const struct wire *wire, json_t *report, const char *native) {
    // Bytes that are not TLS may also be followed by a close, but came first.
    if (wire->tap.not_tls) {
        report_fail(report, "not-tls", native, -1, "the peer's first bytes are not a TLS record");
        return true;
    }
    switch (wire->end) {
    case WIRE_OPEN: return false;
    case WIRE_CLOSED:
        report_fail(report, "connection-closed", native, -1, "the peer closed the connection during the handshake");
        return true;
    case WIRE_RESET:
        report_fail(report, "connection-reset", native, -1, "the peer reset the connection during the handshake");
        return true;
    case WIRE_TIMED_OUT:
        report_fail(report, "handshake-timeout", native, -1, "the deadline passed during the handshake");
        return true;
    case WIRE_FLOODED:
        report_fail(report, "protocol-error", native, -1, "the peer sent more than belongs into a handshake");
        return true;
    case WIRE_BROKEN:
        report_fail(report, "connection-closed", native, -1, "the connection broke during the handshake");
        return true;
    }
    return false;
}

void wire_close(struct wire *wire) {
    if (wire->socket >= 0) {
        // Unread bytes would make the close a reset, which may overtake the close_notify.
        char rest[4096];
        shutdown(wire->socket, SHUT_WR);
        for (int i = 0; i < 64 && recv(wire->socket, rest, sizeof rest, MSG_DONTWAIT) > 0; i++) {}
        close(wire->socket);
        wire->socket = -1;
    }
    tap_free(&wire->tap);
}
