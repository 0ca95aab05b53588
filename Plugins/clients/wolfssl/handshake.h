#pragma once

#include "request.h"

/// One handshake of wolfSSL, and its trust decision: the report.
json_t *handshake(const struct handshake_request *request, double deadline);
