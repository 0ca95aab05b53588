/// The result of the C library's own parser for a reply.
#pragma once

#include "exchange.h"

/// The attempt as the protocol has it.
json_t *attempt_of(const struct exchange *exchange);

/// FORMERR or NOTIMP from a server that shows no OPT record (RFC 6891 section 7).
bool refuses_edns(const uint8_t *reply, int size);
