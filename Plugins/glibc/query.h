/// A query as the protocol has it, and the walk over its servers.
#pragma once

#include <jansson.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

enum { maximal_servers = 16 };

struct server {
    /// Of either family.
    struct sockaddr_in6 address;
    /// With brackets around IPv6.
    char text[64];
};

struct query {
    /// In master file form; borrowed from the request's JSON.
    const char *name;
    struct server servers[maximal_servers];
    int server_count;
    /// -1 sends no OPT record.
    int edns_size;
    int tries;
};

/// Returns NULL, or the sentence that says what is wrong.
const char *read_query(const json_t *message, struct query *query);

/// The attempts, in order; `deadline` is on the clock of `clock_now`.
json_t *ask_servers(const struct query *query, double deadline);
