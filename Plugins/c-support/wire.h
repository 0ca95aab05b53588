/// A connection under a deadline, and the content of its unencrypted records.
#pragma once

#include "request.h"
#include "report.h"
#include "tap.h"

#include <sys/types.h>

struct wire {
    int socket;
    /// On the clock of `clock_now`.
    double deadline;
    enum { WIRE_OPEN, WIRE_CLOSED, WIRE_RESET, WIRE_TIMED_OUT, WIRE_BROKEN, WIRE_FLOODED } end;
    /// The bytes that came.
    size_t received;
    struct tap tap;
};

/// Dials host and port; reports the address, the time it took, or the failure. False for a failure.
bool wire_dial(struct wire *wire, const char *host, int port, double deadline, json_t *report);

/// Reads at least one byte; 0 at the end, -1 if there is none, with the reason in `end`.
ssize_t wire_read(struct wire *wire, void *buffer, size_t size);

/// Writes at least one byte; -1 if it could not, with the reason in `end`.
ssize_t wire_write(struct wire *wire, const void *buffer, size_t size);

/// Reports how the connection itself ended the handshake; false where it did not.
bool wire_report_end(const struct wire *wire, json_t *report, const char *native);

/// Closes the connection so that what was written still arrives.
void wire_close(struct wire *wire);
