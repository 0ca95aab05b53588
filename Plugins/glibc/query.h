/// A query as the protocol has it.
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
    char text[96];
    /// Its zone names an interface that this machine does not have.
    bool lacks_interface;
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

/// Returns NULL, or an error message.
const char *read_query(const json_t *message, struct query *query);
