/// The walk over a query's servers.
#pragma once

#include "query.h"

/// The attempts, in order, those of the try that was answered last; `deadline` is on the clock of `clock_now`.
json_t *ask_servers(const struct query *query, double deadline);
