/// The life of a program: lines in, a process for each request, lines out.
#pragma once

#include "request.h"

/// A TLS stack, or a resolver, which has none of the functions for requests. Each of these is called in a process that
/// answers this one request and ends: no state of a library outlives a request, a crash costs one request, and nothing is
/// shared between requests that run at a time.
struct backend {
    /// `transport` or `resolver`.
    const char *kind;
    const char *name;
    const char *library;
    /// The library's version as loaded; called in the serving process, which uses the library for nothing else.
    const char *(*version)(void);
    /// Ends with NULL.
    const char *const *capabilities;
    /// The report; `deadline` is on the clock of `clock_now`.
    json_t *(*handshake)(const struct handshake_request *request, double deadline);
    /// The trust reading.
    json_t *(*evaluate_trust)(const struct trust_question *question);
    /// The key, or why it is unreadable.
    json_t *(*read_key)(struct bytes certificate);
};

/// Serves until the input ends; the value is for `main` to return.
int serve(const struct backend *backend);

/// An error reply, which costs the request and not the program.
json_t *error_reply(json_int_t id, const char *message);

/// Seconds on a clock that only goes forward.
double clock_now(void);
