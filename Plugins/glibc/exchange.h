/// One call of res_nsend, under a deadline that it does not know.
#pragma once

#include "query.h"

#include <stddef.h>

struct exchange {
    const struct server *server;
    /// -1 for no OPT record.
    int edns_size;
    uint8_t query[512];
    int query_size;
    /// The reply; its size is 0 where there is none.
    uint8_t reply[65536];
    int reply_size;
    /// The reason why there is none: a code of the protocol and a sentence.
    const char *failure, *message;
    double duration;
};

/// Writes the query; false, with the failure set, for a name that can't be asked for.
bool exchange_prepare(struct exchange *exchange, const char *name);

/// Lets the library ask, until the deadline on the clock of `clock_now`. What it still does then, it does in vain.
void exchange_run(struct exchange *exchange, double deadline);
