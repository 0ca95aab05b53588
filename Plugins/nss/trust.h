#pragma once

#include "request.h"

/// NSS' decision on a chain, by libpkix.
json_t *evaluate_trust(const struct trust_question *question);
